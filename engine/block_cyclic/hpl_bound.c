/* Lower bounds of the time of HPL, which hold for every broadcast and any look-ahead
 * (docs/models/block_cyclic.md#lower-bound). */
#include "engine/block_cyclic/hpl.h"

#include <math.h>
#include <string.h>

/* The least that column q spends on updating by a panel before it can factor the next one: those
 * columns, or without look-ahead all that it has.  Nothing if it joins updates. */
static double least_before_s(struct hpl *hpl, int64_t panel)
{
    const struct cyclic_range range = hpl_columns_from(hpl, hpl_panel_end(hpl, panel));
    const int64_t Q = hpl->walk.columns;

    if (panel + 1 < hpl->v->common.joined)
        return 0;
    return fmin(hpl_update_s(hpl, panel, hpl_panel_width(hpl, panel + 1), true),
                hpl_update_s(hpl, panel, cyclic_range_share(&range, (panel + 1) % Q), false));
}

/* What every column at least spends on updating by a panel, in however many parts.  The owner of
 * the panel has the least columns.  Both ways of swapping move 2 (1 - 1/P) times the rows. */
static double work_step_s(struct hpl *hpl, int64_t panel)
{
    struct cyclic_kernels *kernels = &hpl->walk.kernels;
    const struct cyclic_range range = hpl_columns_from(hpl, hpl_panel_end(hpl, panel));
    const double columns = (double)cyclic_range_share(&range, panel % hpl->walk.columns);
    const double rows = hpl_most_rows(hpl, panel), owner_rows = hpl_owner_rows(hpl, panel);
    const double jb = (double)hpl_panel_width(hpl, panel), P = (double)hpl->walk.rows;
    const double lines_bytes = jb * columns * kernels->line_bytes;
    const double bytes = 8 * jb * columns,
                 moved_s = cyclic_stream_least_s(kernels, lines_bytes + bytes);
    const double trsm_s = cyclic_trsm_least_s(kernels, jb, columns);
    const double product_s = cyclic_gemm_least_s(kernels, rows, columns, jb);

    if (hpl->walk.rows == 1)
        return trsm_s + product_s +
               fmin(cyclic_stream_least_s(kernels, 4 * lines_bytes),
                    cyclic_long_rowswap_s(kernels, jb * columns,
                                          &(struct cyclic_matrix){ hpl_matrix_bytes(hpl), false }));
    return trsm_s +
           fmax(product_s, cyclic_gemm_least_s(kernels, owner_rows, columns, jb) + moved_s) +
           moved_s + 2 * (1 - 1 / P) * bytes * hpl->least_s_per_byte;
}

/* On the path a panel comes after the one before it. */
static struct hpl_part part_of(struct hpl *hpl, int64_t panel)
{
    const double panel_s = hpl_panel_s(hpl, panel);

    if (hpl->walk.run->is_time_alone)
        return (struct hpl_part){ 0, 0, panel_s };
    return (struct hpl_part){ panel_s + (panel ? least_before_s(hpl, panel - 1) : 0),
                              work_step_s(hpl, panel), panel_s };
}

/* The sums over all panels; `part` becomes those of each that is followed. */
static struct hpl_part parts_of(struct hpl *hpl, const struct cyclic_stretches *stretches,
                                struct hpl_part *part)
{
    struct hpl_part sum = { 0, 0, 0 };

    for (int64_t i = 0; i < stretches->count; i++) {
        const struct cyclic_stretch *stretch = &stretches->of[i];

        for (int64_t panel = stretch->settle; panel < stretch->end && cyclic_goes_on(&hpl->walk);
             panel++) {
            const struct hpl_part one = part_of(hpl, panel);
            const double weight = panel < stretch->first ? 0 : stretch->weight;

            sum.path_s += weight * one.path_s;
            sum.work_s += weight * one.work_s;
            sum.panel_s += weight * one.panel_s;
            *part++ = one;
            hpl->walk.clocks.steps += HPL_PANEL_STEPS;
        }
    }
    return sum;
}

static void keep(struct hpl *hpl, const struct cyclic_stretches *stretches, struct hpl_kept *kept)
{
    const struct fr_prediction *out = hpl->walk.run->out;

    kept->is_known = true;
    kept->is_rough = hpl->walk.run->is_rough;
    memcpy(&kept->of, hpl->v, HPL_BOUND_BYTES);
    kept->sum = parts_of(hpl, stretches, kept->part);
    kept->used = out->used;
    kept->warning_count = out->warning_count;
    memcpy(kept->warning, out->warning, out->warning_count * sizeof *kept->warning);
}

/* What was kept, as if it were computed now. */
static struct hpl_part recall(struct hpl *hpl, const struct hpl_kept *kept)
{
    struct fr_prediction *out = hpl->walk.run->out;

    for (size_t i = 0; i < kept->warning_count; i++)
        fr_warn_again(out, &kept->warning[i]);
    out->used |= kept->used;
    return kept->sum;
}

int hpl_bound(struct hpl *hpl, double solve_s)
{
    struct fr_prediction *out = hpl->walk.run->out;
    const struct cyclic_sequence panels = hpl_panels(hpl->v);
    const bool is_rough = hpl->walk.run->is_rough;
    const struct cyclic_stretches stretches = cyclic_stretches(&hpl->v->common, &panels, is_rough);
    struct hpl_kept *kept = stretches.steps <= HPL_KEPT_PANELS ? hpl->walk.run->kept : NULL;
    const double sure = stretches.steps < panels.count ? CYCLIC_SURE : 1;
    struct hpl_part sum, *const part = kept
                                           ? kept->part
                                           : fr_arena_zeroed(hpl->walk.run->arena,
                                                             (size_t)stretches.steps, sizeof *part);

    if (!part)
        return fr_fault(hpl->walk.run->faults, FR_NOMEM, "n", "too many panels for a request");
    hpl->part = part;
    hpl->least_s_per_byte = cyclic_least_s_per_byte(&hpl->walk.net);
    if (kept && !(kept->is_known && kept->is_rough == is_rough &&
                  memcmp(&kept->of, hpl->v, HPL_BOUND_BYTES) == 0))
        keep(hpl, &stretches, kept);
    sum = kept ? recall(hpl, kept) : parts_of(hpl, &stretches, part);
    hpl->path_s = solve_s + sure * sum.path_s;
    hpl->work_s = solve_s + sure * sum.work_s;
    fr_bound(out, "critical_path", hpl->path_s);
    /* some column factors its share of the panels */
    fr_bound(out, "work", hpl->work_s + sure * sum.panel_s / (double)hpl->walk.columns);
    return FR_OK;
}

/* The path goes on from where the panel was factored; the owner, which has updated by all panels
 * before this one, still has to update by this one and those that follow. */
bool hpl_goes_on(struct hpl *hpl, int64_t panel)
{
    const double limit_s = hpl->walk.run->limit_s;
    const double now_s = hpl->walk.clocks.of[panel % hpl->walk.columns].now_s;
    const struct hpl_part *part = &hpl->part[hpl->walk.followed];
    double latest_s;

    if (!(limit_s > 0 && limit_s < INFINITY))
        return true;
    hpl->path_s -= hpl->walk.weight * part->path_s;
    latest_s = fmax(hpl->walk.clocks.lead_s + hpl->path_s, now_s + hpl->work_s);
    hpl->work_s -= hpl->walk.weight * part->work_s;
    return latest_s <= limit_s;
}
