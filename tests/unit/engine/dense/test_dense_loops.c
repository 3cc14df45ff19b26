/* The closed forms of the dense models against loops over every step.
 *
 * The loops are the equations of docs/models/dense.md, written with nothing but the lookups
 * (message, contention factor, kernel).
 */
#include "engine/dense/dense.h"
#include "tests/unit/support/draws.h"
#include "tests/unit/support/question.h"

#include <stdio.h>

/* Symbols as in engine/dense/dense.h. */
struct grid {
    struct fr_evaluation *run;
    double n, p, c, r, q, m, bs, w, threads, word_bytes;
    bool is_overlapped;
};

static double ideal(const struct grid *g, double words)
{
    return fr_message_s(g->run, g->word_bytes * words);
}

static double sync_s(const struct grid *g, double words, double d)
{
    return fr_contention_maximum(g->run, g->p, d) * ideal(g, words);
}

static double plain_s(const struct grid *g, double words, double d)
{
    return fr_contention_average(g->run, d) * ideal(g, words);
}

static int steps(double members)
{
    return members > 1 ? (int)ceil(log2(members) - 1e-9) : 0;
}

static double scatter_sync(const struct grid *g, double members, double w, double d)
{
    const int k = steps(members);
    double sum = 0;

    for (int i = 0; i < k - 1; i++)
        sum += plain_s(g, w / pow(2, i + 1), pow(2, i) * d);
    return k ? sum + sync_s(g, w / pow(2, k), pow(2, k - 1) * d) : 0;
}

static double gather(const struct grid *g, double members, double w, double d)
{
    const int k = steps(members);
    double sum = 0;

    for (int i = 0; i < k; i++)
        sum += plain_s(g, w * pow(2, i) / pow(2, k), pow(2, i) * d);
    return sum;
}

static double gather_sync(const struct grid *g, double members, double w, double d)
{
    const int k = steps(members);
    double sum = 0;

    for (int i = 0; i < k - 1; i++)
        sum += plain_s(g, w * pow(2, i) / pow(2, k), pow(2, i) * d);
    return k ? sum + sync_s(g, w / 2, pow(2, k - 1) * d) : 0;
}

static double reduce(const struct grid *g, double members, double w, double d)
{
    return scatter_sync(g, members, w, d) + gather(g, members, w, d);
}

static double bcast(const struct grid *g, double members, double w, double d)
{
    return scatter_sync(g, members, w, d) + gather(g, members, w, d);
}

static double bcast_sync(const struct grid *g, double members, double w, double d)
{
    return scatter_sync(g, members, w, d) + gather_sync(g, members, w, d);
}

static double kernel(const struct grid *g, enum fr_routine routine)
{
    return fr_kernel_s(g->run, routine, FR_DOUBLE, g->bs, g->threads);
}

/* docs/models/dense.md#cannon */
static double cannon(const struct grid *g)
{
    const double p = g->p, c = g->c;
    const double S = p == 1 ? 0 : sync_s(g, g->w, 1) + sync_s(g, g->w, g->q);
    const double G = kernel(g, FR_DGEMM), count = ceil(g->q / c);
    double T = c == 1 ? S : 2 * sync_s(g, g->w, (c - 1) * p / c);

    for (double step = 0; step < count - 1; step++)
        T += g->is_overlapped ? fmax(S, G) : S + G;
    return T + G + reduce(g, c, g->w, p / c);
}

/* docs/models/dense.md#summa */
static double summa(const struct grid *g)
{
    const double p = g->p, c = g->c, copy = (g->n / g->q) * (g->n / g->q);
    const double a = g->r * bcast(g, g->q, g->w, 1), b = g->r * bcast_sync(g, g->q, g->w, g->q);
    const double G = g->r * g->r * kernel(g, FR_DGEMM), count = ceil(g->m / c);
    double T = c == 1 ? 0 : 2 * sync_s(g, copy, (c - 1) * p / c) + reduce(g, c, copy, p / c);

    if (g->is_overlapped)
        T += a + b + G;
    for (double step = g->is_overlapped ? 1 : 0; step < count; step++)
        T += g->is_overlapped ? fmax(a + b, G) : a + b + G;
    return T;
}

/* docs/models/dense.md#trsm */
static double trsm(const struct grid *g)
{
    const double c = g->c, r = g->r, q = g->q, m = g->m, layer = g->p / c, share = r / c;
    const double bU = bcast_sync(g, q, g->w, q), bX = bcast(g, q, g->w, 1);
    const double S = kernel(g, FR_DTRSM), G = kernel(g, FR_DGEMM);
    double T = 0;

    if (c > 1)
        T = r * (r + 1) / 2 * bcast(g, c, g->w, layer) + r * r * scatter_sync(g, c, g->w, layer) +
            r * r * gather(g, c, g->w, layer);
    if (g->is_overlapped)
        T += r * bU;
    for (double i = 0; i <= m - 2; i++) {
        const double K = m - 1 - i;

        if (g->is_overlapped)
            T += share * (S + bX) + K / q * fmax(bU, share * G);
        else
            T += (K + 1) / q * bU + share * (S + bX + K / q * G);
    }
    return T + (g->is_overlapped ? 0 : bU) + share * S;
}

/* docs/models/dense.md#cholesky */
struct iteration {
    double P, C, U;
};

static struct iteration iteration(const struct grid *g, double K, double D, double DL, double RV)
{
    const double q = g->q, c = g->c;
    const double share = K / (q * c);

    return (struct iteration){
        kernel(g, FR_DPOTRF) + (K > 0 ? DL + D + share * kernel(g, FR_DTRSM) : 0),
        share * RV,
        (K / (q * q) * kernel(g, FR_DSYRK) + K * (K - 1) / (2 * q * q) * kernel(g, FR_DGEMM)) / c,
    };
}

static double cholesky(const struct grid *g)
{
    const double c = g->c, r = g->r, q = g->q, m = g->m, layer = g->p / c;
    const double D = bcast_sync(g, q, g->w, q), DL = bcast(g, c, g->w, layer);
    const double RV = bcast_sync(g, q, g->w, 1) + bcast(g, q, g->w, q);
    const struct iteration first = iteration(g, m - 1, D, DL, RV);
    double T = r * (r + 1) / 2 * reduce(g, c, g->w, layer);

    if (!g->is_overlapped) {
        for (double i = 0; i < m; i++) {
            const struct iteration now = iteration(g, m - 1 - i, D, DL, RV);

            T += now.P + now.C + now.U;
        }
        return T;
    }
    T += first.P + first.C;
    for (double i = 0; i <= m - 2; i++) {
        const struct iteration now = iteration(g, m - 1 - i, D, DL, RV);
        const struct iteration next = iteration(g, m - 2 - i, D, DL, RV);

        T += next.P + fmax(next.C, now.U);
    }
    return T;
}

static const struct equation {
    const char *name, *model, *query;
    double (*time_s)(const struct grid *g);
    double communication_threads;
} equations[] = {
    { "cannon", "matmul", "contention_model=paper&algorithm=cannon&", cannon, 0 },
    { "summa", "matmul", "contention_model=paper&algorithm=summa&", summa, 0 },
    { "trsm", "trsm", "", trsm, 1 },
    { "cholesky", "cholesky", "", cholesky, 0 },
};

/* The round machine at random speeds, so that either side of an overlap is the larger one. */
static const struct fr_calibration *varied(const struct fr_calibration *cal, uint64_t *random,
                                           struct fr_arena *arena)
{
    static const char *const paths[] = { "network.latency",    "network.bandwidth",
                                         "kernels.dgemm.rate", "kernels.dtrsm.rate",
                                         "kernels.dsyrk.rate", "kernels.dpotrf.rate",
                                         "contention.average", "contention.maximum" };
    enum { COUNT = sizeof paths / sizeof paths[0] };
    static char values[COUNT][40];
    struct fr_change change[COUNT];
    struct fr_faults faults = { 0 };
    const struct fr_calibration *copy;

    for (size_t i = 0; i < COUNT; i++) {
        const double spread = i < 6 ? 1e8 : 10;

        snprintf(values[i], sizeof values[i], "*%.17g", random_size(random, 1 / spread, spread));
        change[i] = (struct fr_change){ paths[i], values[i] };
    }
    copy = fr_what_if(cal, change, COUNT, arena, &faults);
    if (!copy)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    return copy;
}

static void compare(const struct equation *equation, const struct fr_calibration *cal, int64_t q,
                    int64_t c, int64_t r, bool is_overlapped, double n, struct fr_arena *arena)
{
    const double p = (double)(c * q * q), m = (double)(r * q), bs = n / m;
    const double h = is_overlapped ? equation->communication_threads : 0;
    struct fr_prediction scratch, out;
    struct fr_evaluation run = { .cal = cal, .arena = arena, .out = &scratch };
    const struct grid g = { &run, n,  p,       (double)c, (double)r, (double)q,
                            m,    bs, bs * bs, 4 - h,     8,         is_overlapped };
    char query[200];
    double expected;

    fr_prediction_clear(&scratch);
    snprintf(query, sizeof query,
             "%scontention_model=paper&variant=25d%s&replication=%lld&blocks_per_process=%lld&"
             "processes=%.0f&n=%.0f"
             "&threads=4",
             equation->query, is_overlapped ? "_ovlp" : "", (long long)c, (long long)r, p, n);
    out = predicted(equation->model, query, cal);
    expected = equation->time_s(&g);
    if (fabs(out.time_s - expected) > 1e-11 * expected)
        fail_msg("%s?%s: %.17g s, but the sum over all steps is %.17g s", equation->name, query,
                 out.time_s, expected);
}

ARENA_TEST(every_closed_form_is_the_sum_over_all_steps)
{
    const struct fr_calibration *round = calibration_of(round_machine, arena);
    uint64_t random = draws_from(4096);

    for (int i = 0; i < draws_of(8000); i++) {
        const struct fr_arena_mark mark = fr_arena_mark(arena);
        const struct equation *equation = &equations[i % 4];
        const struct fr_calibration *cal = varied(round, &random, arena);
        const int64_t c = random_between(&random, 0, 2) ? 1 : random_between(&random, 2, 4);
        const int64_t q = c - 1 + (int64_t)random_size(&random, 1, 40);
        const int64_t r = equation->time_s == cannon ? 1 : (int64_t)random_size(&random, 1, 17);
        const double n = floor((double)(q * r) * random_size(&random, 1, 1000));

        compare(equation, cal, q, c, r, i / 4 % 2, n, arena);
        fr_arena_release(arena, mark);
    }
}

ARENA_TEST(the_closed_forms_hold_for_4096_block_columns)
{
    const struct fr_calibration *round = calibration_of(round_machine, arena);
    uint64_t random = draws_from(1);

    for (int i = 0; i < draws_of(400); i++) {
        const struct fr_arena_mark mark = fr_arena_mark(arena);
        const struct fr_calibration *cal = varied(round, &random, arena);

        compare(&equations[2 + i % 2], cal, 64, i % 3 ? 1 : 4, 64, true, 409600, arena);
        fr_arena_release(arena, mark);
    }
}
