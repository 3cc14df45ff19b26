/* Each supernode is summed up along its row, solved on the diagonal, and spread along its column;
 * sums and spreads follow binary trees. */
#include "engine/sparse/clocks/clocks.h"

#include "engine/sparse/counts/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct sparse_solve_fit sparse_solve_default = {
    .entry_s = 6.9e-10, .flop_s = 2.8e-10, .block_s = 6.2e-8, .supernode_s = 1.7e-7
};

/* A time and the computation on the path that led to it. */
struct moment {
    double t, c;
};

/* The blocks of a column in one process row. */
struct share {
    int32_t blocks;
    double entries;
};

struct walk {
    const struct sparse_solve_fit *fit;
    const struct sparse_network *network;
    struct sparse_grid grid;
    double nrhs;
    struct sparse_sweep sweep; /* the present one */
    struct moment *noted;      /* by place: when its last work on the row ended */
    struct moment *clock;      /* by rank */
    double *load_s;            /* by rank */
    struct share *share;       /* by process row: of the present column */
    struct moment *node;       /* of the present tree */
    struct sparse_times *times;
};

static int32_t rank_of(const struct walk *w, int32_t pr, int32_t pc)
{
    return pr * w->grid.columns + pc;
}

static void compute(struct walk *w, int32_t rank, double time_s)
{
    w->clock[rank].t += time_s;
    w->clock[rank].c += time_s;
    w->load_s[rank] += time_s;
}

static double entries_s(const struct walk *w, double entries)
{
    return entries * (w->fit->entry_s + w->nrhs * w->fit->flop_s);
}

/* The time of one of the messages of a tree, which it counts. */
static double send(struct walk *w, int32_t k, int32_t messages)
{
    const double bytes = 8 * (w->sweep.s->width[k] * w->nrhs + 2);

    if (messages == 0)
        return 0;
    w->times->messages += messages;
    w->times->message_bytes += messages * bytes;
    w->times->largest_message_bytes = fmax(w->times->largest_message_bytes, bytes);
    return sparse_message_s(w->network, bytes);
}

/* The contributions to row k come to the diagonal process, of rank `root`. */
static void sum(struct walk *w, int32_t k, int32_t root)
{
    const int64_t *row_at = w->sweep.row_at;
    int32_t nodes = 1;
    double message_s;

    w->node[0] = w->clock[root];
    for (int64_t i = row_at[k]; i < row_at[k + 1]; i++)
        if (w->sweep.place[i] != k % w->grid.columns)
            w->node[nodes++] = w->noted[i];
    message_s = send(w, k, nodes - 1);
    for (int32_t m = nodes - 1; m >= 0; m--)
        for (int32_t child = 2 * m + 1; child <= 2 * m + 2 && child < nodes; child++)
            if (w->node[child].t + message_s > w->node[m].t)
                w->node[m] = (struct moment){ w->node[child].t + message_s, w->node[child].c };
    w->clock[root] = w->node[0];
}

static void find_shares(struct walk *w, int32_t k)
{
    memset(w->share, 0, (size_t)w->grid.rows * sizeof *w->share);
    for (int64_t b = w->sweep.column_at[k]; b < w->sweep.column_at[k + 1]; b++) {
        struct share *share = &w->share[w->sweep.block[b].i % w->grid.rows];

        share->blocks++;
        share->entries += w->sweep.block[b].entries;
    }
}

/* A process that has received part k computes its blocks of column k. */
static void work(struct walk *w, int32_t rank, const struct share *share, struct moment received)
{
    if (w->clock[rank].t < received.t)
        w->clock[rank] = received;
    compute(w, rank, entries_s(w, share->entries) + share->blocks * w->fit->block_s);
}

/* Part k goes from the diagonal process to all with blocks of column k. */
static void spread(struct walk *w, int32_t k, int32_t root)
{
    const int32_t row = k % w->grid.rows, column = k % w->grid.columns;
    int32_t nodes = 1, messages = 0;
    double message_s;

    find_shares(w, k);
    for (int32_t pr = 0; pr < w->grid.rows; pr++)
        messages += pr != row && w->share[pr].blocks > 0;
    message_s = send(w, k, messages);
    w->node[0] = w->clock[root];
    work(w, root, &w->share[row], w->node[0]);
    for (int32_t pr = 0; pr < w->grid.rows; pr++) {
        if (pr == row || w->share[pr].blocks == 0)
            continue;
        w->node[nodes] = (struct moment){ w->node[(nodes - 1) / 2].t + message_s, w->node[0].c };
        work(w, rank_of(w, pr, column), &w->share[pr], w->node[nodes++]);
    }
    for (int64_t b = w->sweep.column_at[k]; b < w->sweep.column_at[k + 1]; b++)
        w->noted[w->sweep.block[b].place] =
            w->clock[rank_of(w, w->sweep.block[b].i % w->grid.rows, column)];
}

/* The process that ends last; on a tie the first. */
static int64_t last_of(const struct walk *w)
{
    int64_t last = 0;

    for (int64_t p = 1; p < sparse_processes(w->grid); p++)
        if (w->clock[p].t > w->clock[last].t)
            last = p;
    return last;
}

static int sweep(struct walk *w, const struct sparse_structure *s, bool is_forward)
{
    int code = sparse_sweep_init(&w->sweep, s, w->grid, is_forward);

    if (code != FR_OK)
        return code;
    w->noted = calloc((size_t)w->sweep.row_at[s->supernodes] + 1, sizeof *w->noted);
    if (!w->noted)
        code = FR_NOMEM;
    for (int32_t at = 0; at < s->supernodes && code == FR_OK; at++) {
        const int32_t k = w->sweep.order[at];
        const int32_t root = rank_of(w, k % w->grid.rows, k % w->grid.columns);

        sum(w, k, root);
        compute(w, root, entries_s(w, (double)s->width[k] * s->width[k]) + w->fit->supernode_s);
        spread(w, k, root);
    }
    free(w->noted);
    sparse_sweep_free(&w->sweep);
    return code;
}

/* All begin the backward sweep when the last has ended the forward one. */
static int sweep_both(struct walk *w, const struct sparse_structure *s,
                      struct sparse_solve_times *out)
{
    int code = sweep(w, s, true);

    if (code != FR_OK)
        return code;
    w->clock[0] = w->clock[last_of(w)];
    for (int64_t p = 1; p < sparse_processes(w->grid); p++)
        w->clock[p] = w->clock[0];
    out->forward_s = w->clock[0].t;
    code = sweep(w, s, false);
    out->backward_s = w->clock[last_of(w)].t - out->forward_s;
    return code;
}

/* The right-hand sides change places before and after the sweeps: each process sends to every
 * other one its part of their rows, with the numbers of these. */
static double redistribution_s(const struct walk *w, int64_t order)
{
    const double processes = (double)sparse_processes(w->grid);
    const double bytes = (double)order * (8 * w->nrhs + 8) / (processes * processes);

    if (processes == 1)
        return 0;
    w->times->largest_message_bytes = fmax(w->times->largest_message_bytes, bytes);
    return (processes - 1) * sparse_message_s(w->network, bytes);
}

static void finish(const struct walk *w, double moving_s)
{
    const int64_t processes = sparse_processes(w->grid);
    struct sparse_times *times = w->times;

    times->rank_last = last_of(w);
    for (int64_t p = 0; p < processes; p++) {
        times->load_s += w->load_s[p];
        times->most_load_s = fmax(times->most_load_s, w->load_s[p]);
    }
    times->critical_load_s = times->most_load_s;
    times->time_s = w->clock[times->rank_last].t + moving_s;
    times->computation_s = w->clock[times->rank_last].c;
    times->communication_s = times->time_s - times->computation_s;
    times->load_balance =
        times->load_s > 0 ? times->most_load_s * (double)processes / times->load_s : 1;
}

int sparse_solve_clocks(const struct sparse_structure *s, struct sparse_grid grid, int64_t nrhs,
                        const struct sparse_solve_fit *fit, const struct sparse_network *network,
                        struct sparse_solve_times *out, double *clock_s, double *load_s)
{
    const size_t processes = (size_t)sparse_processes(grid);
    const size_t places = (size_t)(grid.rows > grid.columns ? grid.rows : grid.columns);
    struct walk w = { .fit = fit,
                      .network = network,
                      .grid = grid,
                      .nrhs = (double)nrhs,
                      .clock = calloc(processes + places, sizeof *w.clock),
                      .load_s = calloc(processes, sizeof *w.load_s),
                      .share = calloc((size_t)grid.rows, sizeof *w.share),
                      .times = &out->times };
    int code = FR_NOMEM;

    *out = (struct sparse_solve_times){ 0 };
    if (w.clock && w.load_s && w.share) {
        w.node = w.clock + processes;
        code = sweep_both(&w, s, out);
    }
    if (code == FR_OK) {
        const double moving_s = 2 * redistribution_s(&w, s->order);

        finish(&w, moving_s);
        for (size_t p = 0; p < processes && clock_s; p++)
            clock_s[p] = w.clock[p].t + moving_s;
        for (size_t p = 0; p < processes && load_s; p++)
            load_s[p] = w.load_s[p];
    }
    free(w.clock);
    free(w.load_s);
    free(w.share);
    return code;
}
