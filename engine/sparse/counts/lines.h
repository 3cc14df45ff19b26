/* Lines of a block, and those that an update touches of its destination
 * (docs/models/sparse_lu.md#lines-of-a-block). */
#ifndef FR_SPARSE_LINES_H
#define FR_SPARSE_LINES_H

#include "engine/sparse/counts/params.h"
#include "engine/sparse/structure/local_blocks.h"

#include <stdint.h>

/* Lines of so many doubles; `length` is the doubles per line. */
static inline int32_t sparse_lines(int64_t doubles, int32_t length)
{
    return (int32_t)(((uint32_t)doubles + (uint32_t)length - 1) / (uint32_t)length);
}
/* Index lines y of a block: `indices` is its rows (L) or the width of its block column (U). */
static inline int32_t sparse_index_lines(int32_t indices, int64_t index_bytes, int32_t length)
{
    return sparse_lines((2 + (int64_t)indices) * index_bytes, 8 * length);
}
static inline int32_t sparse_line_length(const struct sparse_machine *machine)
{
    return (int32_t)(machine->level[0].line_bytes / 8);
}

/* Lines that an update by `rows` rows and `cols` columns touches of a destination of so many lines.
 */
static inline int32_t sparse_touched_lines(const struct sparse_machine *machine, int32_t lines,
                                           int32_t rows, int32_t cols)
{
    const int32_t most = cols * sparse_lines(rows, sparse_line_length(machine)) + 1;

    return machine->destination == SPARSE_TOUCHED_LINES && most < lines ? most : lines;
}

/* Writes the lines of each local block, by its number. */
void sparse_measure_blocks(const struct sparse_local_blocks *local,
                           const struct sparse_machine *machine, int32_t *lines);

#endif
