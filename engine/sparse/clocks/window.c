/* A column is factored when its last update is done and it is within the window; a row is solved
 * when its diagonal block has arrived, at the latest at its own step. */
#include "engine/sparse/clocks/clocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct arrival {
    double t, c;
};

/* The columns within the window use `slots` places in turn, by position. */
struct sparse_walk {
    const struct sparse_window_work *work;
    const struct sparse_shares *shares;
    const struct sparse_schedule *schedule;
    const struct sparse_fit *fit;
    const struct sparse_network *network;
    struct sparse_grid grid;
    struct sparse_clock *clock;
    struct sparse_critical_path *path;
    struct sparse_times *times;
    int32_t slots;
    struct arrival *l, *u;    /* of L(:,k) and U(k,:): slots x P */
    struct arrival *diagonal; /* of the diagonal block: Pr */
    bool *is_solved;          /* of U(k,:): slots x Pc, by share */
    int32_t *unsolved;        /* slots: shares of U that are not solved yet */
    bool *is_factored;        /* by position */
    double *sent_s; /* slots: the time of the L panel of the diagonal's owner; 0: not sent */
};

static int32_t rank_of(const struct sparse_walk *w, int32_t pr, int32_t pc)
{
    return pr * w->grid.columns + pc;
}

static size_t slot_of(const struct sparse_walk *w, int32_t k)
{
    return (size_t)(w->schedule->position[k] % w->slots);
}

/* Of supernode k, by rank. */
static struct arrival *arrivals(const struct sparse_walk *w, struct arrival *of, int32_t k)
{
    return of + slot_of(w, k) * (size_t)sparse_processes(w->grid);
}

static void compute(struct sparse_walk *w, int32_t rank, double time_s)
{
    w->clock[rank].t += time_s;
    w->clock[rank].c += time_s;
    w->clock[rank].load_s += time_s;
}

static void wait_for(struct sparse_clock *clock, const struct arrival *arrival)
{
    if (clock->t >= arrival->t)
        return;
    clock->t = arrival->t;
    clock->c = arrival->c;
}

static struct arrival send(struct sparse_clock *from, const struct sparse_sending *sending)
{
    const double begin = fmax(from->t, from->port);

    from->port = begin + sending->port_s;
    from->sending_s += sending->port_s;
    return (struct arrival){ begin + sending->time_s, from->c };
}

static void count_messages(struct sparse_walk *w, double index_bytes, double value_bytes,
                           int32_t receivers)
{
    const bool is_one = w->network->messages_per_panel == 1;

    w->times->messages += (double)receivers * (double)w->network->messages_per_panel;
    w->times->message_bytes += receivers * (index_bytes + value_bytes);
    w->times->largest_message_bytes =
        fmax(w->times->largest_message_bytes,
             is_one ? index_bytes + value_bytes : fmax(index_bytes, value_bytes));
}

/* ---- columns -------------------------------------------------------------------------------- */

static int32_t receivers_of_l(const struct sparse_walk *w, int32_t k)
{
    const struct sparse_shares *shares = w->shares;
    int32_t count = 0;

    for (int64_t i = shares->u_at[k]; i < shares->u_at[k + 1]; i++)
        count += shares->u[i].place != k % w->grid.columns;
    return count;
}

/* The diagonal block goes to all other processes of the column. */
static void factor_diagonal(struct sparse_walk *w, int32_t k)
{
    const int32_t row = k % w->grid.rows;
    struct sparse_clock *owner = &w->clock[rank_of(w, row, k % w->grid.columns)];
    const double width = w->shares->s->width[k];
    struct sparse_sending sending;

    compute(w, (int32_t)(owner - w->clock),
            w->work->diagonal_s[k] * w->fit->panel + w->fit->supernode_s);
    if (w->grid.rows == 1)
        return;
    sending = sparse_sending_of(w->network, 8 * width * width);
    for (int32_t pr = 0; pr < w->grid.rows; pr++)
        if (pr != row)
            w->diagonal[pr] = send(owner, &sending);
    w->times->messages += w->grid.rows - 1;
    w->times->message_bytes += (w->grid.rows - 1) * 8 * width * width;
    w->times->largest_message_bytes = fmax(w->times->largest_message_bytes, 8 * width * width);
}

/* Sends the panel of one process row, empty if it has no share, to the process columns with a block
 * of row k. */
static void send_l(struct sparse_walk *w, int32_t k, int32_t pr, const struct sparse_share *share,
                   int32_t receivers)
{
    struct arrival *arrival = arrivals(w, w->l, k) + rank_of(w, pr, 0);
    struct sparse_clock *from = &w->clock[rank_of(w, pr, k % w->grid.columns)];
    struct sparse_sending sending = { 0 };

    if (receivers == 0)
        return;
    if (share)
        sending = sparse_panel_sending(w->network, share->index_bytes, share->value_bytes);
    if (pr == k % w->grid.rows)
        w->sent_s[slot_of(w, k)] = sending.time_s;
    for (int64_t i = w->shares->u_at[k]; i < w->shares->u_at[k + 1]; i++)
        if (w->shares->u[i].place != k % w->grid.columns)
            arrival[w->shares->u[i].place] = send(from, &sending);
    count_messages(w, share ? share->index_bytes : 0, share ? share->value_bytes : 0, receivers);
}

static void factor(struct sparse_walk *w, int32_t k)
{
    const struct sparse_shares *shares = w->shares;
    const int32_t row = k % w->grid.rows, column = k % w->grid.columns;
    const int32_t receivers = receivers_of_l(w, k);
    const size_t slot = slot_of(w, k);
    const double diagonal_s = w->work->diagonal_s[k] * w->fit->panel + w->fit->supernode_s;
    int64_t i = shares->l_at[k];

    w->is_factored[w->schedule->position[k]] = true;
    w->unsolved[slot] = (int32_t)(shares->u_at[k + 1] - shares->u_at[k]);
    w->sent_s[slot] = 0;
    memset(w->is_solved + slot * (size_t)w->grid.columns, 0, (size_t)w->grid.columns);
    factor_diagonal(w, k);
    for (int32_t pr = 0; pr < w->grid.rows; pr++) {
        const bool has_share = i < shares->l_at[k + 1] && shares->l[i].place == pr;
        const int32_t rank = rank_of(w, pr, column);
        const double panel_s = has_share ? w->work->column_s[i] * w->fit->panel : 0;

        if (pr != row)
            wait_for(&w->clock[rank], &w->diagonal[pr]);
        if (has_share)
            compute(w, rank, panel_s + (pr != row ? w->fit->supernode_s : 0));
        if (pr == row)
            sparse_critical_path_factor(w->path, k, diagonal_s + panel_s);
        send_l(w, k, pr, has_share ? &shares->l[i] : NULL, receivers);
        i += has_share;
    }
}

/* Factors the column at a position if its last update was before step `before`. */
static void factor_if_ready(struct sparse_walk *w, int32_t position, int32_t before)
{
    const int32_t k = w->schedule->order[position];

    if (!w->is_factored[position] && w->schedule->last[k] < before)
        factor(w, k);
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* Solves share i of U(k,:) and sends it down the process column. */
static void solve(struct sparse_walk *w, int32_t k, int64_t i, bool is_blocking)
{
    const struct sparse_share *share = &w->shares->u[i];
    const int32_t row = k % w->grid.rows, pc = share->place;
    const bool is_column = pc == k % w->grid.columns;
    const size_t slot = slot_of(w, k);
    struct arrival *arrival = arrivals(w, w->u, k);
    struct sparse_clock *from = &w->clock[rank_of(w, row, pc)];
    const double solve_s =
        w->work->solve_s[i] * w->fit->panel + (is_column ? 0 : w->fit->supernode_s);
    struct sparse_sending sending = { 0 };

    compute(w, rank_of(w, row, pc), solve_s);
    w->is_solved[slot * (size_t)w->grid.columns + (size_t)(i - w->shares->u_at[k])] = true;
    w->unsolved[slot]--;
    if (w->grid.rows > 1) {
        sending = sparse_panel_sending(w->network, share->index_bytes, share->value_bytes);
        count_messages(w, share->index_bytes, share->value_bytes, w->grid.rows - 1);
    }
    for (int32_t pr = 0; pr < w->grid.rows; pr++) {
        if (pr == row)
            continue;
        arrival[rank_of(w, pr, pc)] = send(from, &sending);
        if (is_blocking)
            from->t = arrival[rank_of(w, pr, pc)].t;
    }
}

/* Solves those shares whose process has the diagonal block; all of them if `is_blocking`. */
static void solve_shares(struct sparse_walk *w, int32_t k, bool is_blocking)
{
    const struct sparse_shares *shares = w->shares;
    const struct arrival *arrived = arrivals(w, w->l, k) + rank_of(w, k % w->grid.rows, 0);
    const bool *is_solved = w->is_solved + slot_of(w, k) * (size_t)w->grid.columns;

    for (int64_t i = shares->u_at[k]; i < shares->u_at[k + 1]; i++) {
        const int32_t pc = shares->u[i].place;
        const double now = w->clock[rank_of(w, k % w->grid.rows, pc)].t;

        if (is_solved[i - shares->u_at[k]])
            continue;
        /* Equal times count as arrived, however they were rounded. */
        if (is_blocking || pc == k % w->grid.columns || arrived[pc].t <= now * (1 + 1e-9))
            solve(w, k, i, is_blocking);
    }
}

/* All to whom panels of L(:,k), or of U(k,:), were sent wait, even if they do not need them. */
static void receive_l(struct sparse_walk *w, int32_t k)
{
    const struct arrival *arrival = arrivals(w, w->l, k);

    for (int32_t pr = 0; pr < w->grid.rows; pr++)
        for (int64_t i = w->shares->u_at[k]; i < w->shares->u_at[k + 1]; i++) {
            const int32_t rank = rank_of(w, pr, w->shares->u[i].place);

            if (w->shares->u[i].place != k % w->grid.columns)
                wait_for(&w->clock[rank], &arrival[rank]);
        }
}

static void receive_u(struct sparse_walk *w, int32_t k)
{
    const struct arrival *arrival = arrivals(w, w->u, k);

    for (int32_t pr = 0; pr < w->grid.rows; pr++)
        for (int64_t i = w->shares->u_at[k]; i < w->shares->u_at[k + 1]; i++) {
            const int32_t rank = rank_of(w, pr, w->shares->u[i].place);

            if (pr != k % w->grid.rows)
                wait_for(&w->clock[rank], &arrival[rank]);
        }
}

/* The chain of panels goes on from the factored diagonal block through the solved row. */
static void follow_chain(struct sparse_walk *w, int32_t k)
{
    const struct sparse_shares *shares = w->shares;

    for (int64_t i = shares->u_at[k]; i < shares->u_at[k + 1]; i++) {
        const struct sparse_share *share = &shares->u[i];
        const bool is_column = share->place == k % w->grid.columns;

        w->path->solved_s[share->place] =
            w->work->solve_s[i] * w->fit->panel +
            (is_column ? 0 : w->fit->supernode_s + w->sent_s[slot_of(w, k)]);
        w->path->received_s[share->place] =
            w->grid.rows == 1
                ? 0
                : sparse_panel_sending(w->network, share->index_bytes, share->value_bytes).time_s;
    }
    sparse_critical_path_solve(w->path, shares->s, w->grid, k);
}

/* ---- updates -------------------------------------------------------------------------------- */

static double update_s(const struct sparse_walk *w, const struct sparse_update *update)
{
    const struct sparse_fit *fit = w->fit;

    return update->gemm_s * fit->gemm + update->elements * fit->scatter_s +
           update->blocks * fit->block_s + update->columns * fit->column_s +
           update->supernodes * fit->supernode_s;
}

/* The updates of one process column by every share of L with rows. */
static const struct sparse_update *apply(struct sparse_walk *w, int32_t k, int32_t pc,
                                         const struct sparse_update *update)
{
    const struct sparse_shares *shares = w->shares;

    for (int64_t i = shares->l_at[k]; i < shares->l_at[k + 1]; i++)
        if (shares->l[i].blocks > 0)
            compute(w, rank_of(w, shares->l[i].place, pc), update_s(w, update++));
    return update;
}

/* The step at a position; `first` is that of the forest. */
static void step(struct sparse_walk *w, int32_t at, int32_t first)
{
    const struct sparse_schedule *schedule = w->schedule;
    const struct sparse_ahead *ahead = &w->work->ahead;
    const int32_t k = schedule->order[at];
    const int32_t end = sparse_window_end(schedule, k, w->work->window);
    const struct sparse_update *update = w->work->update + w->work->update_at[k];

    for (int32_t q = at == first ? at + 1 : at + w->work->window; q <= end; q++)
        factor_if_ready(w, q, at);
    for (int32_t q = at; q < end; q++)
        if (schedule->last[schedule->order[q]] < at && w->unsolved[q % w->slots] > 0)
            solve_shares(w, schedule->order[q], false);
    receive_l(w, k);
    solve_shares(w, k, true);
    receive_u(w, k);
    follow_chain(w, k);
    for (int64_t i = ahead->at[k]; i < ahead->at[k + 1]; i++) {
        update = apply(w, k, ahead->j[i] % w->grid.columns, update);
        factor_if_ready(w, schedule->position[ahead->j[i]], at + 1);
    }
    for (int32_t q = at + 1; q <= end; q++)
        factor_if_ready(w, q, at + 1);
    for (int64_t i = w->shares->u_at[k]; i < w->shares->u_at[k + 1]; i++)
        update = apply(w, k, w->shares->u[i].place, update);
}

/* ---- all steps ------------------------------------------------------------------------------ */

void sparse_walk_forest(struct sparse_walk *w, int32_t forest, struct sparse_clock *clock)
{
    const int32_t first = w->schedule->first[forest], end = w->schedule->first[forest + 1];

    if (first == end)
        return;
    w->clock = clock;
    factor(w, w->schedule->order[first]);
    for (int32_t at = first; at < end; at++)
        step(w, at, first);
}

struct sparse_walk *sparse_walk_new(const struct sparse_window_work *work,
                                    const struct sparse_fit *fit,
                                    const struct sparse_network *network,
                                    struct sparse_critical_path *path, struct sparse_times *times)
{
    const struct sparse_grid grid = work->shares->grid;
    const int32_t count = work->schedule->count;
    const size_t slots = (size_t)(work->window < count ? work->window + 1 : count + 1);
    const size_t processes = (size_t)sparse_processes(grid), columns = (size_t)grid.columns;
    struct sparse_walk *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    *w = (struct sparse_walk){ .work = work,
                               .shares = work->shares,
                               .schedule = work->schedule,
                               .fit = fit,
                               .network = network,
                               .grid = grid,
                               .path = path,
                               .times = times,
                               .slots = (int32_t)slots };
    w->l = calloc(2 * slots * processes + (size_t)grid.rows, sizeof *w->l);
    w->is_solved = calloc(slots * columns + (size_t)count + 1, sizeof *w->is_solved);
    w->unsolved = calloc(slots, sizeof *w->unsolved);
    w->sent_s = calloc(slots, sizeof *w->sent_s);
    if (!w->l || !w->is_solved || !w->unsolved || !w->sent_s) {
        sparse_walk_free(w);
        return NULL;
    }
    w->u = w->l + slots * processes;
    w->diagonal = w->u + slots * processes;
    w->is_factored = w->is_solved + slots * columns;
    return w;
}

void sparse_walk_free(struct sparse_walk *w)
{
    if (!w)
        return;
    free(w->l);
    free(w->is_solved);
    free(w->unsolved);
    free(w->sent_s);
    free(w);
}
