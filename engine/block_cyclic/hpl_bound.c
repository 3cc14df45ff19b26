/* Lower bounds of the time of HPL, which hold for every broadcast and any look-ahead
 * (docs/models/block_cyclic.md#lower-bound). */
#include "engine/block_cyclic/hpl.h"

#include <math.h>

static int64_t panels_of(const struct hpl *hpl)
{
    return cyclic_blocks(hpl->v->common.n, hpl->walk.block);
}

/* The least that column q spends on updating by a panel before it can factor the next one: those
 * columns, or without look-ahead all that it has.  Nothing if it joins updates. */
static double least_before_s(struct hpl *hpl, int64_t panel)
{
    const struct cyclic_range range = hpl_columns_from(hpl, hpl_panel_end(hpl, panel));
    const int64_t Q = hpl->walk.columns;

    if (panel + 1 < hpl->v->common.joined)
        return 0;
    return fmin(hpl_update_s(hpl, panel, hpl_panel_width(hpl, panel + 1)),
                hpl_update_s(hpl, panel, cyclic_range_share(&range, (panel + 1) % Q)));
}

/* A panel after the one before it. */
static double path_step_s(struct hpl *hpl, int64_t panel)
{
    return hpl_panel_s(hpl, panel) + (panel ? least_before_s(hpl, panel - 1) : 0);
}

/* What every column at least spends on updating by a panel, in however many parts.  The owner of
 * the panel has the least columns.  Both ways of swapping move 2 (1 - 1/P) times the rows. */
static double work_step_s(struct hpl *hpl, int64_t panel)
{
    struct cyclic_kernels *kernels = &hpl->walk.kernels;
    const int64_t end = hpl_panel_end(hpl, panel);
    const struct cyclic_range range = hpl_columns_from(hpl, end);
    const double columns = (double)cyclic_range_share(&range, panel % hpl->walk.columns);
    const double rows = cyclic_most_rows(&hpl->walk, hpl->v->common.n, end);
    const double jb = (double)hpl_panel_width(hpl, panel), P = (double)hpl->walk.rows;
    const double lines_bytes = jb * columns * kernels->line_bytes;
    const double bytes = 8 * jb * columns;
    const double product_s =
        cyclic_trsm_least_s(kernels, jb, columns) + cyclic_gemm_least_s(kernels, rows, columns, jb);

    if (hpl->walk.rows == 1)
        return product_s + cyclic_stream_least_s(kernels, 4 * lines_bytes);
    return product_s + cyclic_stream_least_s(kernels, 2 * (lines_bytes + bytes)) +
           2 * (1 - 1 / P) * bytes * hpl->least_s_per_byte;
}

void hpl_bound(struct hpl *hpl, double solve_s)
{
    struct fr_prediction *out = hpl->walk.run->out;
    double panels_s = 0;

    hpl->least_s_per_byte = cyclic_least_s_per_byte(&hpl->walk.net);
    hpl->path_s = hpl->work_s = solve_s;
    for (int64_t panel = 0; panel < panels_of(hpl); panel++) {
        hpl->path_s += path_step_s(hpl, panel);
        hpl->work_s += work_step_s(hpl, panel);
        panels_s += hpl_panel_s(hpl, panel);
    }
    hpl->walk.clocks.steps += HPL_PANEL_STEPS * (double)panels_of(hpl);
    fr_bound(out, "critical_path", hpl->path_s);
    /* some column factors its share of the panels */
    fr_bound(out, "work", hpl->work_s + panels_s / (double)hpl->walk.columns);
}

/* The path goes on from where the panel was factored; the owner, which has updated by all panels
 * before this one, still has to update by this one and those that follow. */
bool hpl_goes_on(struct hpl *hpl, int64_t panel)
{
    const double limit_s = hpl->walk.run->limit_s;
    const double now_s = hpl->walk.clocks.of[panel % hpl->walk.columns].now_s;
    double latest_s;

    if (!(limit_s > 0 && limit_s < INFINITY))
        return true;
    hpl->path_s -= path_step_s(hpl, panel);
    latest_s = fmax(hpl->factored_s + hpl->path_s, now_s + hpl->work_s);
    hpl->work_s -= work_step_s(hpl, panel);
    return latest_s <= limit_s;
}
