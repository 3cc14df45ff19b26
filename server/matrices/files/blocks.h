/* A block structure as bytes, for the output of the analysis and for the store.
 *
 * Little-endian: "FRBS", version, order, supernodes, blocks of L and of U, CRC-32 of everything
 * else; then, deflated, the supernodes as variable-length integers: differences, encoded so that
 * full blocks have zeros.
 */
#ifndef FR_MATRIX_BLOCKS_H
#define FR_MATRIX_BLOCKS_H

#include "engine/sparse/structure/structure.h"

/* The most block updates for which closure is checked, which takes about a minute. */
#define FR_BLOCKS_MOST_UPDATES 1e10

/* Encodes a structure that passed sparse_structure_check.  NULL if memory is short; free with
 * free(). */
unsigned char *fr_blocks_write(const struct sparse_structure *structure, size_t *length);

/* Decodes a structure and checks it with sparse_structure_check.  NULL with faults; free with
 * sparse_structure_free.  Allocates at most some thousand times `length` before the checks. */
struct sparse_structure *fr_blocks_read(const unsigned char *bytes, size_t length,
                                        struct fr_faults *faults);

#endif
