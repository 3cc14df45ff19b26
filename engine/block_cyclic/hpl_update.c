/* HPL's update by a panel, with its row swaps (HPL_pdlaswp00N.c, HPL_pdlaswp01N.c;
 * docs/models/block_cyclic.md#update-of-hpl). */
#include "engine/block_cyclic/hpl.h"

#include <math.h>
#include <string.h>

/* Moves elements between rows of the matrix and a piece of them: `element_bytes` touched for each.
 * Where calls are priced by where their operands lie, so are the rows
 * (docs/models/block_cyclic.md#update-of-hpl). */
static double rows_moved_s(const struct hpl *hpl, double elements, double element_bytes)
{
    const struct cyclic_kernels *kernels = &hpl->walk.kernels;

    return cyclic_stream_s(kernels, element_bytes * elements,
                           kernels->cost[CYCLIC_GEMM].count ? hpl_matrix_bytes(hpl) : 8 * elements);
}

/* On one process row, in the matrix.  Tiles of columns cost no more than row after row. */
static double swapped_s(const struct hpl *hpl, double elements)
{
    const struct cyclic_kernels *kernels = &hpl->walk.kernels;
    const double lines_s = rows_moved_s(hpl, elements, 4 * kernels->line_bytes);

    if (!kernels->cost[CYCLIC_GEMM].count || !kernels->run->cal->memory.row_swaps.count)
        return lines_s;
    return fmin(lines_s,
                cyclic_long_rowswap_s(kernels, elements,
                                      &(struct cyclic_matrix){ hpl_matrix_bytes(hpl), false }));
}

/* From the owner to the processes of a column, which roll w bytes afterwards. */
static void spread(struct hpl *hpl, struct hpl_update *update, double w)
{
    const struct cyclic_walk *walk = &hpl->walk;
    const double P = (double)walk->rows, element_bytes = 8 + walk->kernels.line_bytes;
    const int steps = cyclic_doublings(walk->rows);

    for (int b = 0; b < steps; b++)
        update->step_s[b] = cyclic_turning_s(
            &walk->net, cyclic_least(walk->rows - 1, INT64_C(1) << (steps - 1 - b)),
            ldexp(w, -(b + 1)));
    update->step_count = steps;
    update->rolls = walk->rows - 1;
    update->step_s[0] += rows_moved_s(hpl, w / 8, element_bytes);
    update->step_s[steps - 1] += rows_moved_s(hpl, w / 8 / P, 2 * element_bytes);
    update->last_s = cyclic_stream_s(&walk->kernels, 32 * w / 8, w);
}

static void binary_exchange(struct hpl *hpl, struct hpl_update *update, double w, double share)
{
    struct cyclic_walk *walk = &hpl->walk;
    const double P = (double)walk->rows, element_bytes = 8 + walk->kernels.line_bytes;
    const int steps = cyclic_doublings(walk->rows);

    for (int b = 0; b < steps; b++)
        update->step_s[b] =
            cyclic_pairwise_s(&walk->net, CYCLIC_ALONG_COLUMNS, INT64_C(1) << b, share, w) +
            cyclic_stream_s(&walk->kernels, element_bytes * ldexp(w / 8, b) / P, ldexp(w, b) / P);
    update->step_s[0] += rows_moved_s(hpl, w / 8 / P, element_bytes);
    update->step_count = steps;
    if (INT64_C(1) << steps != walk->rows)
        update->step_s[update->step_count++] = cyclic_column_s(&walk->net, 0, 1, w);
}

static bool is_rolled(const struct hpl *hpl, int64_t columns)
{
    return hpl->v->swap == HPL_SPREAD_ROLL ||
           (hpl->v->swap == HPL_MIX && columns > hpl->v->swap_threshold);
}

static double swap_bytes(const struct hpl_update *update)
{
    return 8 * update->width * (double)update->columns;
}

/* `share` of the time the other columns swap, too. */
static void swap_beside(struct hpl *hpl, struct hpl_update *update, double share)
{
    const double w = swap_bytes(update);

    if (update->rolls)
        update->roll_s =
            cyclic_roll_s(&hpl->walk.net, CYCLIC_ALONG_COLUMNS, share, w / (double)hpl->walk.rows);
    else if (hpl->walk.rows > 1)
        binary_exchange(hpl, update, w, share);
    update->swap_s = (double)update->rolls * update->roll_s + update->last_s;
    for (int64_t i = 0; i < update->step_count; i++)
        update->swap_s += update->step_s[i];
}

/* After a broadcast in which all columns meet they swap at the same time, but for the owner of the
 * next panel, which swaps ahead while the others wait for it.  Else they are out of step, and a
 * column finds another one swapping as often as that swaps. */
static void prepare_swaps(struct hpl *hpl, struct hpl_update *update)
{
    const bool in_step = hpl_meets(hpl->v);
    const double elements = update->width * (double)update->columns;

    if (hpl->walk.rows == 1) {
        update->step_count = 1;
        update->step_s[0] = swapped_s(hpl, elements);
    } else if (is_rolled(hpl, update->columns)) {
        spread(hpl, update, swap_bytes(update));
    }
    swap_beside(hpl, update, in_step && !update->is_ahead ? 1 : 0);
    if (!in_step)
        swap_beside(hpl, update,
                    update->swap_s / (update->swap_s + update->all.trsm_s + update->all.update_s));
}

/* Messages that a process sends for an update, as a mean over the columns. */
static void prepare_messages(const struct hpl *hpl, struct hpl_update *update)
{
    const double P = (double)hpl->walk.rows, Q = (double)hpl->walk.columns;
    const double w = swap_bytes(update);

    if (hpl->walk.rows == 1)
        return;
    if (update->rolls) {
        update->messages = ((1 - 1 / P) + (P - 1)) / Q;
        update->message_bytes = 2 * (1 - 1 / P) / Q * w;
    } else {
        update->messages = cyclic_doublings(hpl->walk.rows) / Q;
        update->message_bytes = update->messages * w;
    }
}

/* The owner of the panel copies the rows of U into the matrix; others may have a block of rows more
 * to multiply meanwhile. */
struct hpl_columns hpl_columns_of(struct hpl *hpl, const struct hpl_update *update, int64_t columns)
{
    struct cyclic_kernels *kernels = &hpl->walk.kernels;
    const double wide = (double)columns, elements = update->width * wide;
    struct hpl_columns of = {
        .trsm_s = cyclic_trsm_s(kernels, update->width, wide),
        .update_s = cyclic_gemm_s(kernels, update->rows, wide, update->width),
    };
    double owner_s = of.update_s;

    if (hpl->walk.rows == 1)
        return of;
    if (update->owner_rows != update->rows)
        owner_s = cyclic_gemm_s(kernels, update->owner_rows, wide, update->width);
    owner_s += rows_moved_s(hpl, elements, 8 + kernels->line_bytes);
    of.update_s = fmax(of.update_s, owner_s);
    return of;
}

/* From its slot or into that which was not asked for longest, so that those of one panel stay. */
static struct hpl_update *update_of(struct hpl *hpl, int64_t panel, int64_t columns, bool is_ahead)
{
    const int64_t block = hpl->walk.block;
    const double jb = (double)hpl_panel_width(hpl, panel);
    const double rows = hpl_most_rows(hpl, panel), owner_rows = hpl_owner_rows(hpl, panel);
    struct hpl_update *update = hpl->update;

    is_ahead = is_ahead && hpl_meets(hpl->v);
    hpl->asked++;
    for (struct hpl_update *one = update; one < update + HPL_UPDATES; one++)
        if (one->columns == columns && one->rows == rows && one->owner_rows == owner_rows &&
            one->width == jb && one->is_ahead == is_ahead) {
            one->asked = hpl->asked;
            return one;
        }
    for (size_t i = 1; i < HPL_UPDATES; i++)
        update = hpl->update[i].asked < update->asked ? &hpl->update[i] : update;
    *update = (struct hpl_update){ .asked = hpl->asked,
                                   .is_ahead = is_ahead,
                                   .columns = columns,
                                   .blocks = columns / block,
                                   .rows = rows,
                                   .owner_rows = owner_rows,
                                   .width = jb };
    update->all = hpl_columns_of(hpl, update, columns);
    prepare_swaps(hpl, update);
    prepare_messages(hpl, update);
    if (update->blocks)
        update->block = hpl_columns_of(hpl, update, block);
    return update;
}

double hpl_update_s(struct hpl *hpl, int64_t panel, int64_t columns, bool is_ahead)
{
    const struct hpl_update *update;

    if (columns <= 0)
        return 0;
    update = update_of(hpl, panel, columns, is_ahead);
    return update->swap_s + update->all.trsm_s + update->all.update_s;
}

static void count(struct hpl *hpl, const struct hpl_update *update, double columns)
{
    hpl->walk.clocks.messages += columns * update->messages;
    hpl->walk.clocks.message_bytes += columns * update->message_bytes;
}

void hpl_prepare_updates(struct hpl *hpl, int64_t panel, const struct cyclic_spans *spans)
{
    const int64_t Q = hpl->walk.columns;

    memset(hpl->progress, 0, (size_t)Q * sizeof *hpl->progress);
    for (size_t i = 0; i < spans->count; i++) {
        const struct cyclic_span *span = &spans->of[i];
        struct hpl_update *update = update_of(hpl, panel, span->share, false);

        for (int64_t q = span->first; q < span->end; q++)
            hpl->progress[q < Q ? q : q - Q].update = update;
        count(hpl, update, (double)(span->end - span->first));
    }
}

void hpl_update_all(struct hpl *hpl, int64_t panel, const struct cyclic_spans *spans)
{
    for (size_t i = 0; i < spans->count; i++) {
        const struct cyclic_span *span = &spans->of[i];
        const struct hpl_update *update = update_of(hpl, panel, span->share, false);

        cyclic_spend_each(&hpl->walk.clocks, span, CYCLIC_SWAP, update->swap_s);
        cyclic_spend_each(&hpl->walk.clocks, span, CYCLIC_SOLVE_TRIANGLE, update->all.trsm_s);
        cyclic_spend_each(&hpl->walk.clocks, span, CYCLIC_UPDATE, update->all.update_s);
        count(hpl, update, (double)(span->end - span->first));
    }
}

void hpl_prepare_update(struct hpl *hpl, int64_t q, int64_t panel, int64_t columns, bool is_ahead)
{
    struct hpl_progress *progress = &hpl->progress[q];

    if (progress->update)
        count(hpl, progress->update, -1);
    *progress = (struct hpl_progress){ 0 };
    if (columns <= 0)
        return;
    progress->update = update_of(hpl, panel, columns, is_ahead);
    count(hpl, progress->update, 1);
}
