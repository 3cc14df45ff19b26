/* A block structure as bytes: what the analysis hands over and the store keeps.
 *
 * Little-endian: "FRBS", version, order, supernodes, blocks of L and of U, CRC-32 of all but
 * itself; then, deflated, the supernodes one by one as variable-length integers: differences, and
 * what is nought for full blocks.
 */
#ifndef FR_MATRIX_BLOCKS_H
#define FR_MATRIX_BLOCKS_H

#include "engine/sparse/structure.h"

/* Closure is looked at up to so many updates of blocks: about a minute. */
#define FR_BLOCKS_MOST_UPDATES 1e10

/* Of a structure that passed sparse_structure_check.  Free with free(); NULL where memory is
 * short. */
unsigned char *fr_blocks_write(const struct sparse_structure *structure, size_t *length);

/* Checked as sparse_structure_check does.  NULL with faults; free with sparse_structure_free.
 * Memory before the bytes are known to be sound: at most some thousand times `length`. */
struct sparse_structure *fr_blocks_read(const unsigned char *bytes, size_t length,
                                        struct fr_faults *faults);

#endif
