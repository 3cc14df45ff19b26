/* Fuzzes encoded permutations, which the analysing child and the store hand over.  What is accepted
 * is encoded again to the same bytes; a refusal has a reason. Also with the right checksum. */
#include "tests/fuzz/setting.h"

#include "server/matrices/files/matrix.h"
#include "server/matrices/files/reader.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { CHECKSUM_AT = 28, HEADER_BYTES = 32, ORDER = 5 };

static void read_permutations(const unsigned char *bytes, size_t size)
{
    struct fr_permutations read = { 0 };
    struct fr_faults faults = { 0 };
    unsigned char *written;
    size_t length;
    const int code = fr_permutations_read(bytes, size, ORDER, &read, &faults);

    if ((code != FR_OK) != (faults.count > 0))
        abort();
    if (code != FR_OK)
        return;
    written = fr_permutations_write(&read, &length);
    if (written && (length != size || memcmp(written, bytes, size) != 0))
        abort();
    free(written);
    fr_permutations_free(&read);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *sealed;

    read_permutations(data, size);
    if (size < HEADER_BYTES)
        return 0;
    sealed = malloc(size);
    if (!sealed)
        abort();
    memcpy(sealed, data, size);
    fr_put_whole(sealed + CHECKSUM_AT, 4,
                 crc32_z(crc32(0, data, CHECKSUM_AT), data + HEADER_BYTES, size - HEADER_BYTES));
    read_permutations(sealed, size);
    free(sealed);
    return 0;
}
