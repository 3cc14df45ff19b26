/* Names of row permutations, and limits that were left open. */
#include "engine/sparse/structure/structure.h"

const char *const sparse_row_permutations[] = { [SPARSE_ROWS_AUTO] = "auto",
                                                [SPARSE_ROWS_NONE] = "none",
                                                [SPARSE_ROWS_TRANSVERSAL] = "transversal",
                                                [SPARSE_ROW_PERMUTATIONS] = NULL };

void sparse_structure_key_complete(struct sparse_structure_key *key, int64_t usual_max,
                                   int64_t usual_relax)
{
    const bool has_max = key->supernode_max > 0, has_relax = key->supernode_relax > 0;

    if (!has_max)
        key->supernode_max = usual_max;
    if (!has_relax)
        key->supernode_relax = usual_relax;
    if (!has_relax && key->supernode_relax > key->supernode_max)
        key->supernode_relax = key->supernode_max;
    if (!has_max && key->supernode_max < key->supernode_relax)
        key->supernode_max = key->supernode_relax;
}
