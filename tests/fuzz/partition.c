/* Fuzzes facts of partitions, which the analysing child and the store hand over. What is accepted
 * is sound and is written to the same bytes; a refusal has a reason. */
#include "tests/fuzz/setting.h"

#include "server/matrices/files/matrix.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fr_faults faults = { 0 };
    struct krylov_partition *partition = fr_partition_read((const char *)data, size, &faults);
    struct fr_writer w;

    if (!partition != (faults.count > 0))
        abort();
    if (!partition)
        return 0;
    fr_writer_init(&w);
    fr_partition_write(&w, partition);
    if (w.failed || w.length != size || memcmp(w.text, data, size) != 0)
        abort();
    fr_writer_free(&w);
    krylov_partition_free(partition);
    return 0;
}
