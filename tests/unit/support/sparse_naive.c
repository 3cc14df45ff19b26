#include "tests/unit/support/sparse_naive.h"

#include <math.h>
#include <string.h>

/* ---- caches (docs/models/sparse_lu.md#cache-simulation) ---- */

enum { MOST_RESIDENT = 2 * NAIVE_SUPERNODES * NAIVE_SUPERNODES + 2 };

/* Blocks of one level, oldest first. */
struct naive_level {
    int64_t capacity, used;
    bool is_lru;
    int count;
    struct {
        int block;
        int64_t lines;
    } resident[MOST_RESIDENT];
};
struct naive_cache {
    int levels;
    struct naive_level level[SPARSE_MAX_LEVELS];
};

static int place(const struct naive_level *level, int block)
{
    int i = 0;

    while (i < level->count && level->resident[i].block != block)
        i++;
    return i;
}

static void drop(struct naive_level *level, int block)
{
    const int at = place(level, block);

    if (at == level->count)
        return;
    level->used -= level->resident[at].lines;
    level->count--;
    memmove(&level->resident[at], &level->resident[at + 1],
            (size_t)(level->count - at) * sizeof level->resident[0]);
}

/* Evicts from levels 1 to q. */
static void evict(struct naive_cache *cache, int q, int block)
{
    for (; q >= 0; q--)
        drop(&cache->level[q], block);
}

static void set(struct naive_level *level, int block, int64_t lines)
{
    const int at = place(level, block);

    if (at == level->count) {
        level->resident[level->count].block = block;
        level->resident[level->count++].lines = 0;
    }
    level->used += lines - level->resident[at].lines;
    level->resident[at].lines = lines;
}

static void touch(struct naive_cache *cache, int block, int64_t n, double *misses)
{
    for (int q = cache->levels - 1; q >= 0; q--) {
        struct naive_level *level = &cache->level[q];
        const int at = place(level, block);
        const int64_t have = at < level->count ? level->resident[at].lines : 0;
        const int64_t miss = n > have ? n - have : 0;

        misses[q] += (double)miss;
        if (have > 0 && level->is_lru) {
            drop(level, block);
            set(level, block, have);
        }
        if (miss == 0)
            continue;
        if (n > level->capacity) {
            while (level->count)
                evict(cache, q, level->resident[0].block);
            continue;
        }
        while (level->used + miss > level->capacity)
            evict(cache, q, level->resident[level->resident[0].block == block].block);
        set(level, block, n);
    }
}

/* ---- counts (docs/models/sparse_lu.md#kernel-counts) ---- */

struct naive {
    const struct sparse_structure *s;
    struct sparse_grid grid;
    const struct sparse_machine *machine;
    int pr, pc;
    double l; /* doubles in a cache line */
    struct naive_cache cache;
};

static int64_t lines_of(double doubles, const struct naive *n)
{
    return (int64_t)ceil(doubles / n->l);
}

static int64_t index_lines(double indices, const struct naive *n)
{
    return (int64_t)ceil((2 + indices) * (double)n->machine->index_bytes / (8 * n->l));
}

static int64_t l_lines(const struct naive *n, int k, int rows)
{
    return n->s->width[k] * lines_of(rows, n) + index_lines(rows, n);
}

static int64_t u_lines(const struct naive *n, const struct sparse_u_block *u)
{
    return lines_of(u->sum, n) + index_lines(n->s->width[u->j], n);
}

static int l_id(const struct naive *n, int i, int k)
{
    return i * n->s->supernodes + k;
}

static int u_id(const struct naive *n, int k, int j)
{
    return (n->s->supernodes + k) * n->s->supernodes + j;
}

static void hit(struct naive *n, int block, int64_t lines, struct naive_operation *operation)
{
    touch(&n->cache, block, lines, operation->misses);
    operation->is_there = true;
}

static void factor(struct naive *n, int k, struct naive_operation *operation)
{
    const int w = n->s->width[k];
    const bool has_diagonal = k % n->grid.rows == n->pr;
    double rows = 0;

    if (k % n->grid.columns != n->pc)
        return;
    if (has_diagonal)
        hit(n, l_id(n, k, k), l_lines(n, k, w), operation);
    for (int64_t b = n->s->l_at[k]; b < n->s->l_at[k + 1]; b++)
        if (n->s->l[b].i % n->grid.rows == n->pr) {
            hit(n, l_id(n, n->s->l[b].i, k), l_lines(n, k, n->s->l[b].rows), operation);
            rows += n->s->l[b].rows;
        }
    for (int j = 0; j < w; j++) {
        const double N = w - 1 - j, M = rows + (has_diagonal ? N : 0);

        if (M > 0 && N > 0) {
            operation->loads += M * N + M * N / (double)n->machine->dger_unroll + N;
            operation->stores += M * N;
        }
    }
}

static void solve(struct naive *n, int k, struct naive_operation *operation)
{
    const double el = (double)n->machine->dtrsv_unroll, linear = n->machine->dtrsv_loads_linear;

    for (int64_t b = n->s->u_at[k]; k % n->grid.rows == n->pr && b < n->s->u_at[k + 1]; b++) {
        const struct sparse_u_block *u = &n->s->u[b];

        if (u->j % n->grid.columns != n->pc)
            continue;
        hit(n, l_id(n, k, k), l_lines(n, k, n->s->width[k]), operation);
        hit(n, u_id(n, k, u->j), u_lines(n, u), operation);
        operation->loads += (double)u->sumsq / 2 * (1 + 1 / el) + linear * u->sum;
        operation->stores += (double)u->sumsq / 2 / el + (double)u->sum / 2;
    }
}

static void dgemm(const struct naive *n, double M, double N, double K,
                  struct naive_operation *operation)
{
    const struct sparse_machine *m = n->machine;
    const double MB = (double)m->dgemm_block.m, NB = (double)m->dgemm_block.n,
                 KB = (double)m->dgemm_block.k;
    const double ea = fmin((double)m->dgemm_unroll.m, M), eb = fmin((double)m->dgemm_unroll.n, N);
    const double mb = fmin(MB, M), nb = fmin(NB, N), kb = fmin(KB, K);
    const double f = (2 * mb * nb * kb + mb * nb) * m->flop_s;
    const double me = (mb * nb + mb * nb * kb / eb + mb * nb * kb / ea) * m->level[0].latency_s;
    const bool is_exact = m->dgemm_counts == SPARSE_EXACT;
    const double copies = is_exact ? M * K * ceil(N / NB) : M * N * K / NB;
    const double results = is_exact ? M * N * ceil(K / KB) : M * N * K / KB;

    if (f > me * (1 + 1e-12)) {
        operation->flops += 2 * M * N * K + M * N;
        operation->loads += copies;
    } else {
        operation->flops += M * N;
        operation->loads += copies + M * N * K / eb + M * N * K / ea;
    }
    operation->stores += copies + results;
}

static int64_t destination_lines(const struct naive *n, int i, int j, int64_t rows, int64_t cols)
{
    const struct sparse_structure *s = n->s;
    const int64_t most = cols * lines_of((double)rows, n) + 1;
    int64_t lines = 0;

    if (i == j)
        lines = l_lines(n, i, s->width[i]);
    for (int64_t b = s->l_at[j]; i > j && b < s->l_at[j + 1]; b++)
        if (s->l[b].i == i)
            lines = l_lines(n, j, s->l[b].rows);
    for (int64_t b = s->u_at[i]; i < j && b < s->u_at[i + 1]; b++)
        if (s->u[b].j == j)
            lines = u_lines(n, &s->u[b]);
    return n->machine->destination == SPARSE_TOUCHED_LINES && most < lines ? most : lines;
}

/* The updates of a step are those with j = k + 1, or all others. */
static void update(struct naive *n, int k, bool is_next, struct naive_operation *operation)
{
    const struct sparse_structure *s = n->s;
    const int temp_u = 2 * s->supernodes * s->supernodes, temp_v = temp_u + 1;
    bool has_rows = false;

    for (int64_t b = s->l_at[k]; b < s->l_at[k + 1]; b++)
        has_rows = has_rows || s->l[b].i % n->grid.rows == n->pr;
    for (int64_t b = s->u_at[k]; has_rows && b < s->u_at[k + 1]; b++) {
        const struct sparse_u_block *u = &s->u[b];
        int source = u_id(n, k, u->j);
        int64_t source_lines = u_lines(n, u);

        if (u->j % n->grid.columns != n->pc || (u->j == k + 1) != is_next)
            continue;
        hit(n, source, source_lines, operation);
        if (u->sum < u->max * u->cols) {
            operation->loads += u->sum;
            operation->stores += (double)u->max * u->cols;
            source = temp_u;
            source_lines = lines_of((double)u->max * u->cols, n);
            hit(n, source, source_lines, operation);
        }
        for (int64_t a = s->l_at[k]; a < s->l_at[k + 1]; a++) {
            const int i = s->l[a].i, r = s->l[a].rows;
            const int destination = i >= u->j ? l_id(n, i, u->j) : u_id(n, i, u->j);

            if (i % n->grid.rows != n->pr)
                continue;
            hit(n, l_id(n, i, k), l_lines(n, k, r), operation);
            hit(n, source, source_lines, operation);
            hit(n, temp_v, lines_of((double)r * u->cols, n), operation);
            hit(n, destination, destination_lines(n, i, u->j, r, u->cols), operation);
            dgemm(n, r, u->cols, u->max, operation);
            if (n->machine->counts_scatter) {
                operation->loads += 2.0 * r * u->cols;
                operation->stores += (double)r * u->cols;
            }
        }
    }
}

void naive_count(const struct sparse_structure *s, struct sparse_grid grid,
                 const struct sparse_machine *machine, int32_t rank, struct naive_counts *out)
{
    static struct naive n;

    n = (struct naive){ .s = s,
                        .grid = grid,
                        .machine = machine,
                        .pr = rank / grid.columns,
                        .pc = rank % grid.columns,
                        .l = machine->level[0].line_bytes / 8 };
    n.cache.levels = (int)machine->levels;
    for (size_t q = 0; q < machine->levels; q++) {
        n.cache.level[q].capacity =
            (int64_t)floor(machine->level[q].capacity_bytes / machine->level[q].line_bytes);
        n.cache.level[q].is_lru = machine->level[q].policy == SPARSE_LRU;
    }
    memset(out, 0, sizeof *out);
    factor(&n, 0, &out->of[0][0]);
    for (int k = 0; k < s->supernodes; k++) {
        solve(&n, k, &out->of[k][1]);
        update(&n, k, true, &out->of[k][2]);
        if (k + 1 < s->supernodes)
            factor(&n, k + 1, &out->of[k + 1][0]);
        update(&n, k, false, &out->of[k][3]);
    }
}

double naive_operation_s(const struct naive_operation *operation,
                         const struct sparse_machine *machine)
{
    double time_s = operation->flops * machine->flop_s,
           inner = operation->loads + operation->stores;

    for (size_t q = 0; q < machine->levels; q++) {
        time_s += (inner - operation->misses[q]) * machine->level[q].latency_s;
        inner = operation->misses[q];
    }
    return time_s + inner * machine->memory_latency_s;
}

/* ---- clocks (docs/models/sparse_lu.md#clocks) ---- */

struct naive_run {
    const struct sparse_structure *s;
    struct sparse_grid grid;
    const struct sparse_machine *machine;
    const struct sparse_network *network;
    const struct naive_counts *counts;
    double *t, *c;
    double load_s[NAIVE_PROCESSES]; /* of this step */
    double arrival_t[NAIVE_PROCESSES], arrival_c[NAIVE_PROCESSES];
};

static double spend(struct naive_run *r, int p, int k, int part)
{
    const double time_s = naive_operation_s(&r->counts[p].of[k][part], r->machine);

    r->load_s[p] += time_s;
    return time_s;
}

static void compute(struct naive_run *r, int p, double time_s)
{
    r->t[p] += time_s;
    r->c[p] += time_s;
}

/* Rows of L(:,k) in process row pr, including the diagonal block; -1: no block at all. */
static double cost_l(const struct naive_run *r, int k, int pr)
{
    const double ib = (double)r->network->index_bytes, w = r->s->width[k];
    double rows = 0, blocks = 0;

    if (k % r->grid.rows == pr) {
        blocks++;
        rows += w;
    }
    for (int64_t b = r->s->l_at[k]; b < r->s->l_at[k + 1]; b++)
        if (r->s->l[b].i % r->grid.rows == pr) {
            blocks++;
            rows += r->s->l[b].rows;
        }
    if (blocks == 0)
        return -1;
    if (r->network->messages_per_panel == 2)
        return sparse_message_s(r->network, ib * (2 + 2 * blocks + rows)) +
               sparse_message_s(r->network, 8 * rows * w);
    return sparse_message_s(r->network, ib * (2 + 2 * blocks + rows) + 8 * rows * w);
}

static double cost_u(const struct naive_run *r, int k, int pc)
{
    const double ib = (double)r->network->index_bytes;
    double index = 0, sums = 0, blocks = 0;

    for (int64_t b = r->s->u_at[k]; b < r->s->u_at[k + 1]; b++)
        if (r->s->u[b].j % r->grid.columns == pc) {
            blocks++;
            index += 2 + r->s->width[r->s->u[b].j];
            sums += r->s->u[b].sum;
        }
    if (blocks == 0)
        return -1;
    if (r->network->messages_per_panel == 2)
        return sparse_message_s(r->network, ib * (3 + index)) +
               sparse_message_s(r->network, 8 * sums);
    return sparse_message_s(r->network, ib * (3 + index) + 8 * sums);
}

static bool has_u(const struct naive_run *r, int k, int pc)
{
    return cost_u(r, k, pc) >= 0;
}

static bool has_off_l(const struct naive_run *r, int k, int pr)
{
    for (int64_t b = r->s->l_at[k]; b < r->s->l_at[k + 1]; b++)
        if (r->s->l[b].i % r->grid.rows == pr)
            return true;
    return false;
}

/* Receivers of L(:,k) in process row pr, or of U(k,:) in process column pc; returns their
 * number. */
static int l_receivers(const struct naive_run *r, int k, int pr, int *out)
{
    int count = 0;

    for (int pc = 0; cost_l(r, k, pr) >= 0 && pc < r->grid.columns; pc++)
        if (pc != k % r->grid.columns && has_u(r, k, pc))
            out[count++] = pr * r->grid.columns + pc;
    return count;
}

static int u_receivers(const struct naive_run *r, int k, int pc, int *out)
{
    int count = 0;

    for (int pr = 0; has_u(r, k, pc) && pr < r->grid.rows; pr++)
        if (pr != k % r->grid.rows && has_off_l(r, k, pr))
            out[count++] = pr * r->grid.columns + pc;
    return count;
}

static void join(struct naive_run *r, int owner, const int *other, int count)
{
    const int processes = r->grid.rows * r->grid.columns;
    bool is_member[NAIVE_PROCESSES] = { false };
    int donor = -1;
    double t, c;

    is_member[owner] = true;
    for (int i = 0; i < count; i++)
        is_member[other[i]] = true;
    for (int p = 0; p < processes; p++)
        if (is_member[p] && (donor < 0 || r->t[p] > r->t[donor]))
            donor = p;
    t = r->t[donor];
    c = r->c[donor];
    for (int p = 0; p < processes; p++)
        if (is_member[p] && r->t[p] < t) {
            r->t[p] = t;
            r->c[p] = c;
        }
}

static void wait_until(struct naive_run *r, int p, double t, double c)
{
    if (r->t[p] >= t)
        return;
    r->t[p] = t;
    r->c[p] = c;
}

static void end_step(struct naive_run *r, struct naive_times *out)
{
    double most = 0;

    for (int p = 0; p < r->grid.rows * r->grid.columns; p++) {
        most = fmax(most, r->load_s[p]);
        out->load_s[p] += r->load_s[p];
        r->load_s[p] = 0;
    }
    out->critical_load_s += most;
}

/* Records when L(:,k) arrives in each process row (event). */
static void send(struct naive_run *r, int k)
{
    int receiver[NAIVE_PROCESSES];

    for (int pr = 0; pr < r->grid.rows; pr++) {
        const int owner = pr * r->grid.columns + k % r->grid.columns;
        const double cost = l_receivers(r, k, pr, receiver) ? cost_l(r, k, pr) : 0;

        r->arrival_t[pr] = r->t[owner] + cost;
        r->arrival_c[pr] = r->c[owner];
    }
}

static void step(struct naive_run *r, int k)
{
    const bool is_paper = r->network->overlap == SPARSE_PAPER, has_next = k + 1 < r->s->supernodes;
    double cost_a[NAIVE_PROCESSES] = { 0 };
    int receiver[NAIVE_PROCESSES];

    for (int pr = 0; pr < r->grid.rows; pr++) {
        const int count = l_receivers(r, k, pr, receiver);

        if (is_paper && cost_l(r, k, pr) >= 0)
            join(r, pr * r->grid.columns + k % r->grid.columns, receiver, count);
        for (int i = 0; !is_paper && i < count; i++)
            wait_until(r, receiver[i], r->arrival_t[pr], r->arrival_c[pr]);
    }
    for (int pc = 0; pc < r->grid.columns; pc++) {
        const int source = k % r->grid.rows * r->grid.columns + pc;
        const int count = u_receivers(r, k, pc, receiver);

        if (!has_u(r, k, pc))
            continue;
        compute(r, source, spend(r, source, k, 1));
        r->t[source] += count * cost_u(r, k, pc);
        if (is_paper)
            join(r, source, receiver, count);
        for (int i = 0; !is_paper && i < count; i++)
            wait_until(r, receiver[i], r->t[source], r->c[source]);
    }
    for (int pr = 0; has_next && pr < r->grid.rows; pr++) {
        const int p = pr * r->grid.columns + (k + 1) % r->grid.columns;

        compute(r, p, spend(r, p, k, 2) + spend(r, p, k + 1, 0));
    }
    if (has_next)
        send(r, k + 1);
    for (int pr = 0; has_next && pr < r->grid.rows; pr++) {
        const int count = l_receivers(r, k + 1, pr, receiver);

        if (count)
            cost_a[pr * r->grid.columns + (k + 1) % r->grid.columns] = cost_l(r, k + 1, pr);
        for (int i = 0; i < count; i++)
            cost_a[receiver[i]] = cost_l(r, k + 1, pr);
    }
    for (int p = 0; p < r->grid.rows * r->grid.columns; p++) {
        const double s = spend(r, p, k, 3);

        if (!is_paper || s >= cost_a[p])
            compute(r, p, s);
        else
            r->t[p] += cost_a[p];
    }
}

void naive_walk(const struct sparse_structure *s, struct sparse_grid grid,
                const struct sparse_machine *machine, const struct sparse_network *network,
                const struct naive_counts *counts, struct naive_times *out)
{
    struct naive_run r = { s,     grid,  machine, network, counts, out->clock_s, out->computation_s,
                           { 0 }, { 0 }, { 0 } };
    int receiver[NAIVE_PROCESSES];

    memset(out, 0, sizeof *out);
    for (int pr = 0; pr < grid.rows; pr++)
        compute(&r, pr * grid.columns, spend(&r, pr * grid.columns, 0, 0));
    send(&r, 0);
    for (int pr = 0; pr < grid.rows && network->overlap == SPARSE_PAPER; pr++)
        if (l_receivers(&r, 0, pr, receiver))
            r.t[pr * grid.columns] += cost_l(&r, 0, pr);
    end_step(&r, out);
    for (int k = 0; k < s->supernodes; k++) {
        step(&r, k);
        end_step(&r, out);
    }
}
