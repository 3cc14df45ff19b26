/* The parameters of sparse_lu as values, candidates of its tunables, and its refusals. */
#ifndef FR_SPARSE_VALUES_H
#define FR_SPARSE_VALUES_H

#include "engine/prediction/model.h"
#include "engine/sparse/structure/structure.h"

enum sparse_kernel_model { SPARSE_PAPER_COUNTS, SPARSE_CALIBRATED_RATES };
enum sparse_tlb { SPARSE_TLB_HIT, SPARSE_TLB_MISS };
extern const char *const sparse_overlaps[];

/* Members have the names of the parameters, which docs/models/sparse_lu.md explains. */
struct sparse_lu {
    const struct fr_structure_source *source; /* NULL: none is available */
    const struct sparse_structure *structure; /* set by resolve */
    int64_t processes, nodes, cores, process_layers, process_rows, process_columns;
    int64_t messages_per_panel;
    int64_t lookahead_panels, nrhs, solves, supernode_max, supernode_relax;
    double dtrsv_loads_linear;
    int ordering, kernel_model, overlap, dest_lines, dgemm_counts, count_scatter, eq14_n;
    int schedule, part, row_permutation, tlb;
    struct fr_words matrix;
};

static inline struct sparse_grid sparse_grid_of(const struct sparse_lu *v)
{
    return (struct sparse_grid){ (int32_t)v->process_rows, (int32_t)v->process_columns };
}

/* All numbers of layers that divide the processes, 1 for what is modelled on one layer only; the
 * row counts of all grids of a layer. */
size_t sparse_layer_candidates(const void *values, const struct fr_calibration *cal, int64_t *out,
                               size_t capacity);
size_t sparse_row_candidates(const void *values, const struct fr_calibration *cal, int64_t *out,
                             size_t capacity);

/* As in struct fr_model. */
void sparse_structure_key_of(const void *values, const char **matrix,
                             struct sparse_structure_key *key);
int sparse_resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults);

#endif
