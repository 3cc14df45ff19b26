/* Fuzzes encoded block structures, which the analysing child and the store hand over. What is
 * accepted is encoded again to the same structure; a refusal has a reason. */
#include "tests/fuzz/setting.h"

#include "server/matrices/files/blocks.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sparse_structure *structure, *again;
    struct fr_faults faults;
    unsigned char *bytes;
    size_t length;

    faults.count = 0;
    structure = fr_blocks_read(data, size, &faults);
    if (!structure != (faults.count > 0))
        abort();
    if (!structure)
        return 0;
    bytes = fr_blocks_write(structure, &length);
    again = bytes ? fr_blocks_read(bytes, length, &faults) : NULL;
    if (bytes && (!again || again->order != structure->order))
        abort();
    free(bytes);
    sparse_structure_free(again);
    sparse_structure_free(structure);
    return 0;
}
