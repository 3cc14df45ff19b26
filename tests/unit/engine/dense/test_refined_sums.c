/* The closed forms of the refined model against loops over every step
 * (docs/models/dense.md#refined-trsm, docs/models/dense.md#refined-cholesky), and against the model
 * of the paper where both agree. */
#include "engine/dense/refined.h"
#include "tests/unit/support/dense_golden.h"
#include "tests/unit/support/draws.h"
#include "tests/unit/support/question.h"

#include <stdio.h>
#include <string.h>

/* Symbols as in engine/dense/dense.h.  D, R, V, DL are seconds of broadcasts, others of kernels. */
struct costs {
    double q, r, c, m;
    double D, DL, R, V, bU, bX;
    double dpotrf, dtrsm, dsyrk, dgemm;
    bool is_overlapped;
};

static struct costs costs_of(const struct dense *d)
{
    const enum refined_statistic slowest = REFINED_MAXIMUM;

    return (struct costs){
        .q = d->q,
        .r = d->r,
        .c = d->c,
        .m = d->m,
        .D = refined_pattern(d, FR_BROADCAST_COLUMN_ALONE, d->w, slowest).time_s,
        .DL = refined_broadcast(d, d->c, d->w, d->p / d->c, slowest).time_s,
        .R = refined_pattern(d, FR_BROADCAST_ROW, d->w, slowest).time_s,
        .V = refined_pattern(d, FR_BROADCAST_COLUMN_DIAGONAL, d->w, slowest).time_s,
        .bU = refined_pattern(d, FR_BROADCAST_COLUMN, d->w, slowest).time_s,
        .bX = refined_pattern(d, FR_BROADCAST_ROW, d->w, slowest).time_s,
        .dpotrf = dense_kernel_s(d, FR_DPOTRF),
        .dtrsm = dense_kernel_s(d, FR_DTRSM),
        .dsyrk = dense_kernel_s(d, FR_DSYRK),
        .dgemm = dense_kernel_s(d, FR_DGEMM),
        .is_overlapped = d->is_overlapped,
    };
}

static double trsm(const struct costs *of)
{
    const double share = of->r / of->c;
    double T = of->is_overlapped ? of->r * of->bU : of->bU;

    for (double i = 0; i <= of->m - 2; i++) {
        const double K = of->m - 1 - i, f = ceil(K / of->q);

        T += share * (of->dtrsm + of->bX);
        T += of->is_overlapped ? f * fmax(of->bU, share * of->dgemm)
                               : ceil((K + 1) / of->q) * of->bU + share * f * of->dgemm;
    }
    return T + share * of->dtrsm;
}

static double panel_blocks(const struct costs *of, double K)
{
    return ceil(K / of->q);
}

static double P(const struct costs *of, double K)
{
    return of->dpotrf + (K > 0 ? of->DL + of->D + panel_blocks(of, K) / of->c * of->dtrsm : 0);
}

static double C(const struct costs *of, double K)
{
    return panel_blocks(of, K) / of->c * (of->R + of->V);
}

/* U + I(x). */
static double update(const struct costs *of, double K, double x)
{
    const double f = panel_blocks(of, K), g = of->q > 1 && K > 1 ? ceil((K - 1) / of->q) : 0;
    const double U = (f * of->dsyrk + f * (f - 1) / 2 * of->dgemm) / of->c;

    return U + fmax(0, g * (g + 1) / 2 * of->dgemm / of->c - U - x);
}

static double cholesky(const struct costs *of)
{
    double T = P(of, of->m - 1) + C(of, of->m - 1);

    for (double K = of->m - 1; K >= 1; K--)
        T += P(of, K - 1) + (of->is_overlapped ? fmax(C(of, K - 1), update(of, K, 0))
                                               : update(of, K, of->dpotrf) + C(of, K - 1));
    return T;
}

/* The costs before and after the loop. */
static double outside_s(const struct fr_prediction *out)
{
    static const char *const names[] = { "replicate_u", "scatter_x", "gather_x", "reduce_layers" };
    double sum = 0;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct fr_phase *phase = phase_of(out, names[i]);

        sum += phase ? phase->time_s : 0;
    }
    return sum;
}

static double imbalanced_s, hidden_s; /* over all cases; both must occur */

static void check_sums(const char *model, const char *query, const struct fr_calibration *cal)
{
    struct dense d;
    const struct fr_prediction out = dense_predicted(model, query, cal, &d);
    const struct costs costs = costs_of(&d);

    assert_close(out.time_s - outside_s(&out),
                 strcmp(model, "trsm") == 0 ? trsm(&costs) : cholesky(&costs), 1e-11);
    if (phase_of(&out, "update_imbalance"))
        imbalanced_s += phase_of(&out, "update_imbalance")->time_s;
    hidden_s += out.hidden_s;
}

TEST(sums_in_closed_form_are_those_of_the_loops)
{
    static const char *const variants[] = { "2d", "2d_ovlp", "25d", "25d_ovlp" };
    uint64_t random = draws_from(14);

    for (int i = 0; i < draws_of(400); i++) {
        const struct fr_calibration *cal = dense_calibration(i % 2   ? "measured"
                                                             : i % 4 ? "shifts"
                                                                     : "worked");
        const int64_t q = random_between(&random, 1, 9), variant = i % 4;
        const int64_t c = variant > 1 && q > 1 ? random_between(&random, 1, 2) : 1;
        const int64_t r = random_between(&random, 1, 9);
        char query[300];

        snprintf(query, sizeof query,
                 "variant=%s&n=%.0f&processes=%d&replication=%d&blocks_per_process=%d&threads=%d&"
                 "contention_model=refined",
                 variants[variant], random_size(&random, (double)(20 * q * r), 4e4),
                 (int)(c * q * q), (int)c, (int)r, variant % 2 ? 4 : 3);
        check_sums("trsm", query, cal);
        check_sums("cholesky", query, cal);
    }
    assert_true(imbalanced_s > 0);
    assert_true(hidden_s > 0);
}

#define PLAIN                                                                                     \
    "'node': { 'cores_per_node': 4, 'peak_flops_per_s': 4e9 },"                                   \
    "'kernels': { 'dgemm': { 'square': [{ 'threads': 1, 'n': 100, 'efficiency_fraction': 0.5 }] " \
    "} },"                                                                                        \
    "'network': { 'protocols': [{ 'name': 'all', 'max_message_bytes': null,"                      \
    " 'off_node': { 'latency_s': 1e-6, 'inverse_bandwidth_s_per_byte': 1e-9 } }],"                \
    " 'broadcast': [{ 'max_message_bytes': null, 'algorithm': 'scatter_allgather' }] }"

static double both(const char *query, const struct fr_calibration *cal)
{
    char refined[300];
    const double paper_s = predicted("matmul", query, cal).time_s;

    snprintf(refined, sizeof refined, "%s&contention_model=refined", query);
    assert_close(predicted("matmul", refined, cal).time_s, paper_s, 1e-13);
    return paper_s;
}

TEST(without_contention_and_tables_both_models_agree)
{
    const struct fr_calibration *cal = calibration_of(
        "{ 'schema': 'forerun-calibration-1', 'machine': 'm', " PLAIN " }", dense_arena);

    both("algorithm=cannon&variant=2d&n=4000&processes=64&contention=false", cal);
    both("algorithm=cannon&variant=2d_ovlp&n=4000&processes=64&contention=false", cal);
    both("algorithm=summa&variant=2d&n=4000&processes=64&contention=false", cal);
    both("algorithm=cannon&variant=25d&n=4000&processes=32&replication=2&contention=false", cal);
    both("algorithm=summa&variant=25d&n=4000&processes=32&replication=2&contention=false", cal);
}

TEST(many_blocks_cost_no_time_to_predict)
{
    const struct fr_calibration *cal = dense_calibration("measured");
    const struct fr_prediction out = predicted(
        "cholesky",
        "variant=2d_ovlp&n=1e9&processes=1000000&blocks_per_process=1e6&threads=2&contention_model="
        "refined",
        cal);

    assert_true(out.time_s > 0 && isfinite(out.time_s)); /* a loop over blocks would take minutes */
    assert_true(out.hidden_s >= 0 && out.hidden_s <= out.communication_s);
}

GROUP(dense_begin, dense_end)
