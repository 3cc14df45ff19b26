/* Fuzzes encoded permutations, which the analysing child and the store hand over.  What is accepted
 * is encoded again to the same bytes; a refusal has a reason. */
#include "tests/fuzz/setting.h"

#include "server/matrices/files/permutations.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fr_permutations read = { 0 };
    struct fr_faults faults;
    unsigned char *bytes;
    size_t length;
    int code;

    faults.count = 0;
    code = fr_permutations_read(data, size, 5, &read, &faults);
    if ((code != FR_OK) != (faults.count > 0))
        abort();
    if (code != FR_OK)
        return 0;
    bytes = fr_permutations_write(&read, &length);
    if (bytes && (length != size || memcmp(bytes, data, size) != 0))
        abort();
    free(bytes);
    fr_permutations_free(&read);
    return 0;
}
