/* Advances all processes step by step.  t is the clock of a process, c the computation on the path
 * that led to t. */
#include "engine/sparse/clocks/clocks.h"

#include <math.h>
#include <stdlib.h>

struct clock {
    double t, c;
};

struct walk {
    const struct sparse_work_counts *counts;
    const struct sparse_costs *costs;
    const struct sparse_network *network;
    struct sparse_grid grid;
    struct sparse_panel *l, *u;           /* of step k */
    struct sparse_panel *next_l, *next_u; /* of step k + 1 */
    struct clock *clock;                  /* of each rank */
    struct clock *sent;                   /* arrival of L(:,k) in each process row (event) */
    double *send_s;                       /* of L(:,k + 1) in each process row; 0: not sent */
    double *load_s, *own_load_s;          /* of each rank: in this step, in total */
    double *sending_s;                    /* U, of each rank */
    struct sparse_critical_path *path;
    size_t *at; /* next term of each rank */
    struct sparse_times *out;
};

static int32_t rank_of(const struct walk *w, int32_t pr, int32_t pc)
{
    return pr * w->grid.columns + pc;
}

/* Seconds of the next operation of a process; 0 if it has none of this kind in step k. */
static double operation_s(struct walk *w, int32_t rank, int32_t k, enum sparse_operation operation)
{
    const struct sparse_process *process = &w->counts->process[rank];
    const bool is_panel = operation == SPARSE_FACTOR || operation == SPARSE_SOLVE;
    const size_t terms = is_panel ? w->costs->panel_terms : w->costs->update_terms;
    const double *cost_s = is_panel ? w->costs->panel : w->costs->update;
    const double *term;
    double time_s = 0;

    if (!(process->has[k] & operation))
        return 0;
    term = process->term + w->at[rank];
    for (size_t i = 0; i < terms; i++)
        time_s += term[i] * cost_s[i];
    w->at[rank] += terms;
    w->load_s[rank] += time_s;
    return time_s;
}

static void compute(struct walk *w, int32_t rank, double time_s)
{
    w->clock[rank].t += time_s;
    w->clock[rank].c += time_s;
}

static void wait_for(struct clock *clock, const struct clock *other)
{
    if (clock->t < other->t)
        *clock = *other;
}

/* The sender and the receivers of a panel.  Candidates are `count` ranks from `first`, `step`
 * apart; those receive that have blocks of the other panel off the diagonal. */
struct group {
    int32_t first, step, count, source;
    const struct sparse_panel *other;
};

static bool is_receiver(const struct group *group, int32_t i)
{
    return i != group->source && group->other[i].is_off;
}

static int32_t receivers(const struct group *group)
{
    int32_t count = 0;

    for (int32_t i = 0; i < group->count; i++)
        count += is_receiver(group, i);
    return count;
}

static void receive(struct walk *w, const struct group *group, const struct clock *sent)
{
    for (int32_t i = 0; i < group->count; i++)
        if (is_receiver(group, i))
            wait_for(&w->clock[group->first + i * group->step], sent);
}

/* All wait for the last one, whose path counts; on a tie for the first of the last ones. */
static void join(struct walk *w, const struct group *group)
{
    const struct clock *last = NULL;
    struct clock end;

    for (int32_t i = 0; i < group->count; i++) {
        const struct clock *clock = &w->clock[group->first + i * group->step];

        if ((i == group->source || is_receiver(group, i)) && (!last || clock->t > last->t))
            last = clock;
    }
    end = *last;
    wait_for(&w->clock[group->first + group->source * group->step], &end);
    receive(w, group, &end);
}

/* L(:,k) is sent along process row pr. */
static struct group row_group(const struct walk *w, int32_t pr, int32_t k,
                              const struct sparse_panel *u)
{
    return (struct group){ rank_of(w, pr, 0), 1, w->grid.columns, k % w->grid.columns, u };
}

static void count_messages(struct walk *w, const struct sparse_panel *panel, int32_t count)
{
    w->out->messages += (double)count * (double)w->network->messages_per_panel;
    w->out->message_bytes += count * (panel->index_bytes + panel->value_bytes);
    if (count)
        w->out->largest_message_bytes =
            fmax(w->out->largest_message_bytes, sparse_panel_message_bytes(w->network, panel));
}

/* Records how long sending L(:,k) takes in each process row, and when it arrives. */
static void send_l(struct walk *w, int32_t k, const struct sparse_panel *l,
                   const struct sparse_panel *u)
{
    for (int32_t pr = 0; pr < w->grid.rows; pr++) {
        const struct group group = row_group(w, pr, k, u);
        const int32_t count = l[pr].is_there ? receivers(&group) : 0;

        w->send_s[pr] = count ? sparse_panel_s(w->network, &l[pr]) : 0;
        w->sent[pr] = w->clock[group.first + group.source];
        w->sent[pr].t += w->send_s[pr];
        count_messages(w, &l[pr], count);
    }
}

/* Step 1: L(:,k) arrives. */
static void receive_l(struct walk *w, int32_t k)
{
    for (int32_t pr = 0; pr < w->grid.rows; pr++) {
        const struct group group = row_group(w, pr, k, w->u);

        if (!w->l[pr].is_there)
            continue;
        if (w->network->overlap == SPARSE_PAPER)
            join(w, &group);
        else
            receive(w, &group, &w->sent[pr]);
    }
}

/* Step 2: row k is solved and sent down the process columns. */
static void solve(struct walk *w, int32_t k)
{
    for (int32_t pc = 0; pc < w->grid.columns; pc++) {
        const struct group group = { pc, w->grid.columns, w->grid.rows, k % w->grid.rows, w->l };
        const int32_t source = rank_of(w, group.source, pc);
        double solve_s, send_s;
        int32_t count;

        if (!w->u[pc].is_there)
            continue;
        solve_s = operation_s(w, source, k, SPARSE_SOLVE);
        compute(w, source, solve_s);
        w->path->solved_s[pc] = solve_s + (pc != k % w->grid.columns ? w->send_s[group.source] : 0);
        count = receivers(&group);
        if (count == 0)
            continue;
        send_s = sparse_panel_s(w->network, &w->u[pc]);
        w->path->received_s[pc] = send_s;
        w->sending_s[source] += count * send_s;
        w->clock[source].t += count * send_s;
        count_messages(w, &w->u[pc], count);
        if (w->network->overlap == SPARSE_PAPER)
            join(w, &group);
        else
            receive(w, &group, &w->clock[source]);
    }
    sparse_critical_path_solve(w->path, w->counts->s, w->grid, k);
}

/* Process (pr, k mod Pc) factors its blocks of column k. */
static double factor_s(struct walk *w, int32_t pr, int32_t k)
{
    const double time_s = operation_s(w, rank_of(w, pr, k % w->grid.columns), k, SPARSE_FACTOR);

    if (pr == k % w->grid.rows)
        sparse_critical_path_factor(w->path, k, time_s);
    return time_s;
}

/* Step 3: column k + 1 is updated and factored. */
static void look_ahead(struct walk *w, int32_t k)
{
    for (int32_t pr = 0; pr < w->grid.rows; pr++) {
        const int32_t rank = rank_of(w, pr, (k + 1) % w->grid.columns);
        const double update_s = operation_s(w, rank, k, SPARSE_UPDATE_NEXT);

        compute(w, rank, update_s + factor_s(w, pr, k + 1));
    }
}

/* Steps 4 and 5: the other updates, while L(:,k + 1) is being sent. */
static void update_rest(struct walk *w, int32_t k, bool has_next)
{
    for (int32_t pr = 0; pr < w->grid.rows; pr++) {
        const struct group group = row_group(w, pr, k + 1, w->next_u);

        for (int32_t pc = 0; pc < w->grid.columns; pc++) {
            const int32_t rank = rank_of(w, pr, pc);
            const double update_s = operation_s(w, rank, k, SPARSE_UPDATE_REST);
            const bool is_waiting = has_next && w->network->overlap == SPARSE_PAPER &&
                                    (pc == group.source || is_receiver(&group, pc));

            if (is_waiting && update_s < w->send_s[pr])
                w->clock[rank].t += w->send_s[pr];
            else
                compute(w, rank, update_s);
        }
    }
}

/* Step 6. */
static void add_loads(struct walk *w)
{
    double most_s = 0;

    for (int32_t p = 0; p < (int32_t)sparse_processes(w->grid); p++) {
        most_s = fmax(most_s, w->load_s[p]);
        w->own_load_s[p] += w->load_s[p];
        w->load_s[p] = 0;
    }
    w->out->critical_load_s += most_s;
}

/* Factors column 0 before step 0. */
static void begin(struct walk *w)
{
    const struct sparse_structure *s = w->counts->s;

    sparse_panels(s, w->grid, w->network->index_bytes, 0, w->l, w->u);
    for (int32_t pr = 0; pr < w->grid.rows; pr++)
        compute(w, rank_of(w, pr, 0), factor_s(w, pr, 0));
    send_l(w, 0, w->l, w->u);
    for (int32_t pr = 0; pr < w->grid.rows && w->network->overlap == SPARSE_PAPER; pr++)
        w->clock[rank_of(w, pr, 0)].t += w->send_s[pr];
    add_loads(w);
}

static void step(struct walk *w, int32_t k)
{
    const struct sparse_structure *s = w->counts->s;
    const bool has_next = k + 1 < s->supernodes;

    receive_l(w, k);
    solve(w, k);
    if (has_next) {
        sparse_panels(s, w->grid, w->network->index_bytes, k + 1, w->next_l, w->next_u);
        look_ahead(w, k);
        send_l(w, k + 1, w->next_l, w->next_u);
    }
    update_rest(w, k, has_next);
    add_loads(w);
}

static void next_panels(struct walk *w)
{
    struct sparse_panel *l = w->l, *u = w->u;

    w->l = w->next_l;
    w->u = w->next_u;
    w->next_l = l;
    w->next_u = u;
}

static void finish(struct walk *w, double *clock_s, double *own_load_s)
{
    const int32_t processes = (int32_t)sparse_processes(w->grid);
    struct sparse_times *out = w->out;

    for (int32_t p = 0; p < processes; p++) {
        if (w->clock[p].t > w->clock[out->rank_last].t)
            out->rank_last = p;
        out->load_s += w->own_load_s[p];
        out->most_load_s = fmax(out->most_load_s, w->own_load_s[p]);
        out->most_sending_s = fmax(out->most_sending_s, w->sending_s[p]);
        if (clock_s)
            clock_s[p] = w->clock[p].t;
        if (own_load_s)
            own_load_s[p] = w->own_load_s[p];
    }
    out->critical_path_s = w->path->longest_s;
    out->time_s = w->clock[out->rank_last].t;
    out->computation_s = w->clock[out->rank_last].c;
    out->communication_s = out->time_s - out->computation_s;
    out->load_balance = out->load_s > 0 ? out->critical_load_s * processes / out->load_s : 1;
}

int sparse_clocks(const struct sparse_work_counts *counts, const struct sparse_costs *costs,
                  const struct sparse_network *network, struct sparse_times *out, double *clock_s,
                  double *own_load_s)
{
    const struct sparse_grid grid = counts->grid;
    const size_t rows = (size_t)grid.rows, panels = rows + (size_t)grid.columns;
    const size_t processes = (size_t)sparse_processes(grid);
    struct sparse_panel *panel = calloc(2 * panels, sizeof *panel);
    struct clock *clock = calloc(processes + rows, sizeof *clock);
    double *number = calloc(3 * processes + rows, sizeof *number);
    size_t *at = calloc(processes, sizeof *at);
    struct sparse_critical_path path;
    const int has_path = sparse_critical_path_init(&path, counts->s, grid, NULL);
    const int code = panel && clock && number && at ? has_path : FR_NOMEM;

    if (code == FR_OK) {
        struct sparse_times times = { 0 };
        struct walk w = { .counts = counts,
                          .costs = costs,
                          .network = network,
                          .grid = grid,
                          .l = panel,
                          .u = panel + rows,
                          .next_l = panel + panels,
                          .next_u = panel + panels + rows,
                          .clock = clock,
                          .sent = clock + processes,
                          .load_s = number,
                          .own_load_s = number + processes,
                          .sending_s = number + 2 * processes,
                          .send_s = number + 3 * processes,
                          .path = &path,
                          .at = at,
                          .out = &times };

        begin(&w);
        for (int32_t k = 0; k < counts->s->supernodes; k++) {
            step(&w, k);
            next_panels(&w);
        }
        finish(&w, clock_s, own_load_s);
        *out = times;
    }
    sparse_critical_path_free(&path);
    free(panel);
    free(clock);
    free(number);
    free(at);
    return code;
}

/* ---- without a simulation ---- */

double sparse_analytic_s(const struct sparse_facts *facts, double sequential_s, double panels,
                         double latency_s, double bandwidth_bytes_per_s, double processes)
{
    const double word_s = 8 / bandwidth_bytes_per_s, rounds = log2(processes);

    return sequential_s / processes + (2 * panels + panels / 2 * rounds) * latency_s +
           (2 * facts->nnz_l + facts->nnz_u / 2 * rounds) * word_s / sqrt(processes);
}

double sparse_best_bandwidth(const struct sparse_network *network)
{
    double best = 0;

    for (size_t i = 0; i < network->points; i++)
        best = fmax(best, network->point[i].bytes_per_s);
    return best;
}
