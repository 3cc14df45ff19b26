/* HPL's update by a panel, with its row swaps (HPL_pdlaswp00N.c, HPL_pdlaswp01N.c;
 * docs/models/block_cyclic.md#update-of-hpl). */
#include "engine/block_cyclic/hpl.h"

#include <math.h>

/* Swaps of w bytes among the processes of a column: spread from the owner, then roll. */
static void spread_and_roll(struct hpl *hpl, struct hpl_update *update, double w)
{
    struct cyclic_walk *walk = &hpl->walk;
    const double P = (double)walk->rows, element_bytes = 8 + walk->kernels.line_bytes;
    const int steps = cyclic_doublings(walk->rows);

    for (int b = 0; b < steps; b++)
        update->step_s[b] = cyclic_column_s(
            &walk->net, 0, cyclic_least(walk->rows - 1, INT64_C(1) << (steps - 1 - b)),
            ldexp(w, -(b + 1)));
    update->step_count = steps;
    update->rolls = walk->rows - 1;
    update->roll_s = cyclic_neighbours_s(&walk->net, CYCLIC_ALONG_COLUMNS, w / P);
    update->step_s[0] += cyclic_stream_s(&walk->kernels, element_bytes * w / 8, w);
    update->step_s[steps - 1] +=
        cyclic_stream_s(&walk->kernels, 2 * element_bytes * w / (8 * P), w / P);
    update->last_s = cyclic_stream_s(&walk->kernels, 32 * w / 8, w);
}

static void binary_exchange(struct hpl *hpl, struct hpl_update *update, double w)
{
    struct cyclic_walk *walk = &hpl->walk;
    const double P = (double)walk->rows, element_bytes = 8 + walk->kernels.line_bytes;
    const int steps = cyclic_doublings(walk->rows);

    for (int b = 0; b < steps; b++)
        update->step_s[b] =
            cyclic_column_s(&walk->net, 0, INT64_C(1) << b, w) +
            cyclic_stream_s(&walk->kernels, element_bytes * ldexp(w / 8, b) / P, ldexp(w, b) / P);
    update->step_s[0] += cyclic_stream_s(&walk->kernels, element_bytes * w / (8 * P), w / P);
    update->step_count = steps;
    if (INT64_C(1) << steps != walk->rows)
        update->step_s[update->step_count++] = cyclic_column_s(&walk->net, 0, 1, w);
}

static bool is_rolled(const struct hpl *hpl, int64_t columns)
{
    return hpl->v->swap == HPL_SPREAD_ROLL ||
           (hpl->v->swap == HPL_MIX && columns > hpl->v->swap_threshold);
}

static void prepare_swaps(struct hpl *hpl, struct hpl_update *update)
{
    const struct cyclic_walk *walk = &hpl->walk;
    const double elements = update->width * (double)update->columns, w = 8 * elements;

    if (walk->rows == 1) {
        update->step_count = 1;
        update->step_s[0] =
            cyclic_stream_s(&walk->kernels, 4 * walk->kernels.line_bytes * elements, w);
    } else if (is_rolled(hpl, update->columns)) {
        spread_and_roll(hpl, update, w);
    } else {
        binary_exchange(hpl, update, w);
    }
    for (int64_t i = 0; i < update->step_count; i++)
        update->swap_s += update->step_s[i];
    update->swap_s += (double)update->rolls * update->roll_s + update->last_s;
}

/* Messages that a process sends for an update, as a mean over the columns. */
static void prepare_messages(const struct hpl *hpl, struct hpl_update *update)
{
    const double P = (double)hpl->walk.rows, Q = (double)hpl->walk.columns;
    const double w = 8 * update->width * (double)update->columns;

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

static struct hpl_update *update_of(struct hpl *hpl, int64_t panel, int64_t columns)
{
    struct hpl_update *update;

    for (size_t i = 0; i < HPL_UPDATES; i++)
        if (hpl->update[i].panel == panel && hpl->update[i].columns == columns)
            return &hpl->update[i];
    update = &hpl->update[hpl->next_update++ % HPL_UPDATES];
    *update = (struct hpl_update){ .panel = panel, .columns = columns };
    update->width = (double)hpl_panel_width(hpl, panel);
    update->rows = cyclic_most_rows(&hpl->walk, hpl->v->common.n,
                                    panel * hpl->walk.block + (int64_t)update->width);
    prepare_swaps(hpl, update);
    prepare_messages(hpl, update);
    return update;
}

/* The time of so many columns, from its slot or into it. */
static const struct hpl_columns *columns_of(struct hpl *hpl, struct hpl_update *update,
                                            int64_t columns)
{
    struct cyclic_walk *walk = &hpl->walk;
    struct hpl_columns *of = &update->part[columns / walk->block % HPL_PARTS];
    const double width = (double)columns;

    if (of->columns == columns)
        return of;
    of->columns = columns;
    of->trsm_s = cyclic_trsm_s(&walk->kernels, update->width, width);
    of->update_s = cyclic_gemm_s(&walk->kernels, update->rows, width, update->width);
    if (walk->rows > 1)
        of->update_s +=
            cyclic_stream_s(&walk->kernels, (8 + walk->kernels.line_bytes) * update->width * width,
                            8 * update->width * width);
    return of;
}

double hpl_update_s(struct hpl *hpl, int64_t panel, int64_t columns)
{
    struct hpl_update *update = update_of(hpl, panel, columns);
    const struct hpl_columns *of = columns_of(hpl, update, columns);

    return update->swap_s + of->trsm_s + of->update_s;
}

double hpl_swap_s(struct hpl *hpl, int64_t panel, int64_t columns)
{
    return update_of(hpl, panel, columns)->swap_s;
}

static void spend_columns(struct hpl *hpl, int64_t q, const struct hpl_columns *of, double times)
{
    cyclic_spend(&hpl->walk.clocks.of[q], CYCLIC_SOLVE_TRIANGLE, times * of->trsm_s);
    cyclic_spend(&hpl->walk.clocks.of[q], CYCLIC_UPDATE, times * of->update_s);
}

void hpl_prepare_update(struct hpl *hpl, int64_t q, int64_t panel, int64_t columns)
{
    struct hpl_progress *progress = &hpl->progress[q];

    *progress = (struct hpl_progress){ 0 };
    if (columns <= 0)
        return;
    progress->update = update_of(hpl, panel, columns);
    hpl->walk.clocks.messages += progress->update->messages;
    hpl->walk.clocks.message_bytes += progress->update->message_bytes;
}

void hpl_update_now(struct hpl *hpl, int64_t q, int64_t panel, int64_t columns)
{
    hpl_prepare_update(hpl, q, panel, columns);
    hpl_work_on(hpl, q);
}

/* Swap steps until a time; the rolls are equal, so their number follows by division. */
static void swap_until(struct hpl *hpl, int64_t q, double found_s)
{
    struct hpl_progress *progress = &hpl->progress[q];
    struct cyclic_clock *clock = &hpl->walk.clocks.of[q];
    const struct hpl_update *update = progress->update;
    int64_t rolls;

    while (progress->swaps_done < update->step_count && clock->now_s < found_s)
        cyclic_spend(clock, CYCLIC_SWAP, update->step_s[progress->swaps_done++]);
    if (clock->now_s >= found_s || !update->rolls)
        return;
    rolls = update->rolls;
    if (clock->now_s + (double)(rolls - 1) * update->roll_s >= found_s)
        rolls = (int64_t)ceil((found_s - clock->now_s) / update->roll_s);
    cyclic_spend(clock, CYCLIC_SWAP,
                 (double)rolls * update->roll_s + (rolls == update->rolls ? update->last_s : 0));
    progress->swaps_done += rolls;
}

void hpl_work_until(struct hpl *hpl, int64_t q, double ready_s)
{
    const double rounding = 1e-12, slack = 1e-9, found_s = ready_s * (1 - rounding);
    struct hpl_progress *progress = &hpl->progress[q];
    struct cyclic_clock *clock = &hpl->walk.clocks.of[q];
    struct hpl_update *update = progress->update;
    const int64_t chunks = update ? update->columns / hpl->walk.block : 0;

    if (!update)
        return;
    swap_until(hpl, q, found_s);
    if (clock->now_s < found_s && chunks) {
        const struct hpl_columns *chunk = columns_of(hpl, update, hpl->walk.block);
        const double wanted =
            ceil((found_s - clock->now_s) / (chunk->trsm_s + chunk->update_s) - slack);
        const double done = fmin((double)chunks, fmax(1, wanted));

        spend_columns(hpl, q, chunk, done);
        progress->columns_done = (int64_t)done * hpl->walk.block;
    }
    if (clock->now_s < found_s && progress->columns_done < update->columns) {
        spend_columns(hpl, q, columns_of(hpl, update, update->columns - progress->columns_done), 1);
        progress->columns_done = update->columns;
    }
}

/* The swap steps that are not done yet. */
static double swaps_left_s(const struct hpl_progress *progress, const struct hpl_update *update)
{
    const int64_t all = update->step_count + update->rolls;
    double sum = 0;

    if (progress->swaps_done == 0)
        return update->swap_s;
    if (progress->swaps_done == all)
        return 0;
    for (int64_t i = progress->swaps_done; i < update->step_count; i++)
        sum += update->step_s[i];
    return sum + update->last_s +
           update->roll_s * (double)(all - cyclic_most(progress->swaps_done, update->step_count));
}

void hpl_work_on(struct hpl *hpl, int64_t q)
{
    struct hpl_progress *progress = &hpl->progress[q];
    struct hpl_update *update = progress->update;

    if (!update)
        return;
    progress->update = NULL;
    cyclic_spend(&hpl->walk.clocks.of[q], CYCLIC_SWAP, swaps_left_s(progress, update));
    if (progress->columns_done < update->columns)
        spend_columns(hpl, q, columns_of(hpl, update, update->columns - progress->columns_done), 1);
}
