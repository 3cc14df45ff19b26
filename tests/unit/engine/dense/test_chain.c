/* cholesky with panel_pricing=chain: closed sums against loops over the steps. */
#include "engine/dense/look_ahead.h"
#include "engine/dense/refined.h"
#include "tests/unit/support/dense_golden.h"
#include "tests/unit/support/draws.h"
#include "tests/unit/support/question.h"

#include <stdio.h>

static double at(struct quadratic of, double f)
{
    return of.constant + of.linear * f + of.square * f * f;
}

TEST(sums_of_the_smaller_and_the_larger_are_those_of_a_loop)
{
    uint64_t random = draws_from(5);

    for (int i = 0; i < draws_of(3000); i++) {
        const int from = (int)random_between(&random, 0, 4),
                  to = (int)random_between(&random, 0, 40);
        struct quadratic q[2];
        double minima = 0, maxima = 0, size = 0;

        for (int j = 0; j < 2; j++)
            q[j] = (struct quadratic){
                (double)random_between(&random, -400, 400),
                (double)random_between(&random, -40, 40),
                (double)random_between(&random, -2, 2),
            };
        for (int f = from; f <= to; f++) {
            minima += fmin(at(q[0], f), at(q[1], f));
            maxima += fmax(at(q[0], f), at(q[1], f));
            size += fabs(at(q[0], f)) + fabs(at(q[1], f));
        }
        assert_true(fabs(dense_quadratic_minima(q[0], q[1], from, to) - minima) <= 1e-12 * size);
        assert_true(fabs(dense_quadratic_maxima(q[0], q[1], from, to) - maxima) <= 1e-12 * size);
    }
}

/* The equation of docs/models/dense.md#look-ahead-along-the-chain-of-panels, as a loop. */
static double along_chain(const struct panel_chain *c)
{
    const double q = c->q, m = q * c->r, last = ceil((m - 1) / q);
    double T = c->factor_s + (m > 1 ? c->send_s + last * (c->solve_s + c->panel_s) : 0);

    for (double K = m - 1; K >= 1; K--) {
        const double f = ceil(K / q), next = ceil((K - 1) / q), g = q > 1 ? next : 0;
        const double down = K > 1 ? c->send_s : 0;
        const double u =
            fmax(c->diagonal_s + (f - 1) * c->product_s, g * c->product_s - c->factor_s - down);
        const double v = c->factor_s + down + next * c->solve_s, C = next * c->panel_s;
        const double L = fmax(f * c->diagonal_s + f * (f - 1) / 2 * c->product_s,
                              g * (g + 1) / 2 * c->product_s);

        T += q > 1 ? fmax(u + v + C, L) : L + v;
    }
    return T;
}

static struct panel_chain chain_of(const struct dense *d)
{
    return (struct panel_chain){
        .r = d->r,
        .q = d->q,
        .factor_s = dense_kernel_s(d, FR_DPOTRF),
        .send_s = refined_pattern(d, FR_BROADCAST_COLUMN_ALONE, d->w, REFINED_MAXIMUM).time_s,
        .solve_s = dense_kernel_s(d, FR_DTRSM),
        .panel_s = refined_pattern(d, FR_BROADCAST_ROW, d->w, REFINED_MAXIMUM).time_s +
                   refined_pattern(d, FR_BROADCAST_COLUMN_DIAGONAL, d->w, REFINED_MAXIMUM).time_s,
        .diagonal_s = dense_kernel_s(d, FR_DSYRK),
        .product_s = dense_kernel_s(d, FR_DGEMM),
    };
}

static struct dense with_idle_share(const struct dense *d, double share)
{
    struct dense some = *d;

    some.idle_share = share;
    return some;
}

/* The two clocks of docs/models/dense.md#cholesky-by-big-block-columns. */
static double by_clocks(const struct dense *d)
{
    const struct dense right = with_idle_share(d, 0.5), last = with_idle_share(d, 1 - 1 / d->q);
    const enum refined_statistic slowest = REFINED_MAXIMUM;
    const struct panel_chain of = chain_of(d);
    const double c = d->c, r = d->r, q = d->q, n = ceil(q / c), w = d->w;
    const double RS0 = refined_pattern(d, FR_REPLICATE_LAYERS, w / c, slowest).time_s / 2;
    const double RS = refined_scatter(d, c, w, d->p / c, slowest).time_s;
    const double AG_right = refined_gather(&right, c, w, d->p / c, slowest).time_s;
    const double AG_last = refined_gather(&last, c, w, d->p / c, slowest).time_s;
    const double AG1 = refined_gather_alone(d, c, w, d->p / c).time_s;
    const double R = refined_pattern(d, FR_BROADCAST_ROW, w / c, slowest).time_s;
    const double V = refined_pattern(d, FR_BROADCAST_COLUMN_DIAGONAL, w / c, slowest).time_s;
    double a = 0, b = 0;

    for (double F = r; F >= 1; F--) {
        const double x = F - 1, B = x * of.panel_s;
        const double A = x * of.diagonal_s + x * (x - 1) / 2 * of.product_s;
        const double below = x * (x + 1) / 2 * of.product_s, G = fmax(A, below);

        a += F * (F == r ? RS0 : RS);
        b += F * (F == r ? RS0 : RS);
        for (double k = 0; k < q; k++) {
            const bool is_last = k == q - 1;
            const double y = AG1 + of.factor_s + (is_last && F == 1 ? 0 : of.send_s);
            const double s = fmax(a + y, b) + (is_last ? F - 1 : F) / c * of.solve_s;

            a = b = s;
            if (is_last)
                break;
            a += F * R + V + AG_right + (of.diagonal_s + (F - 1) * of.product_s) / c;
            b += F * R + V + AG_right + (k == q - 2 ? F - 1 : F) * of.product_s / c;
        }
        a += F * AG_last;
        b += F * AG_last;
        if (F > 1) {
            const double most = d->is_overlapped ? B + (n - 1) * fmax(B, G) : n * B + (n - 1) * G;

            a += most + A;
            b += most + below;
        }
    }
    return fmax(a, b);
}

static void check_phases(const struct fr_prediction *out, const char *query)
{
    dense_check_phases(out, query);
    assert_close(out->computation_s + out->communication_s - out->hidden_s, out->time_s, 1e-12);
}

/* On a grid of 2 by 2 a process that updates all the time has half of the panels besides. */
TEST(the_chain_waits_for_the_busiest_process)
{
    const struct fr_calibration *cal = dense_calibration("worked");
    const struct fr_prediction out = predicted(
        "cholesky",
        "variant=2d_ovlp&n=20000&processes=4&threads=4&blocks_per_process=16&panel_pricing=chain",
        cal);

    assert_string_equal(out.bound_by, "work");
    assert_close(out.time_s, out.bound_s, 1e-12);
    assert_string_equal(out.phase[out.phase_count - 1].name, "busiest_process");
    assert_true(out.phase[out.phase_count - 1].time_s > 0.001 * out.time_s);
    assert_false(has_warning(&out, FR_WARN_BELOW_BOUND, "work"));
}

static struct fr_prediction check_sums(const char *query, const struct fr_calibration *cal)
{
    struct dense d;
    const struct fr_prediction out = dense_predicted("cholesky", query, cal, &d);
    const struct panel_chain chain = chain_of(&d);

    assert_close(out.time_s, fmax(d.c > 1 ? by_clocks(&d) : along_chain(&chain), out.bound_s),
                 1e-11);
    check_phases(&out, query);
    return out;
}

static const char *const variants[] = { "2d_ovlp", "25d", "25d_ovlp" };

TEST(closed_sums_are_those_of_the_loops)
{
    static const char *const machines[] = { "measured", "shifts", "worked", "binomial" };
    uint64_t random = draws_from(26);
    double hidden_s = 0, imbalanced_s = 0;

    for (int i = 0; i < draws_of(600); i++) {
        const struct fr_calibration *cal = dense_calibration(machines[i % 4]);
        const int variant = (int)random_between(&random, 0, 2);
        const int q = (int)random_between(&random, variant ? 2 : 1, 9);
        const int c = variant ? (int)random_between(&random, 2, q < 5 ? q : 5) : 1;
        const int r = (int)random_between(&random, 1, 9);
        struct fr_prediction out;
        char query[300];

        snprintf(query, sizeof query,
                 "variant=%s&n=%.0f&processes=%d&replication=%d&blocks_per_process=%d&threads=%d&"
                 "contention_model=refined&panel_pricing=chain",
                 variants[variant], random_size(&random, 20 * q * r, 4e4), c * q * q, c, r,
                 i % 3 ? 4 : 3);
        out = check_sums(query, cal);
        hidden_s += out.hidden_s;
        if (phase_of(&out, "update_imbalance"))
            imbalanced_s += phase_of(&out, "update_imbalance")->time_s;
    }
    assert_true(hidden_s > 0);
    assert_true(imbalanced_s > 0);
}

/* For any proportion of kernel and message times. */
TEST(closed_savings_are_those_of_the_loop)
{
    uint64_t random = draws_from(77);

    for (int i = 0; i < draws_of(4000); i++) {
        const struct panel_chain c = {
            .r = (double)random_between(&random, 1, 12),
            .q = (double)random_between(&random, 1, 9),
            .factor_s = random_size(&random, 1e-3, 1e2),
            .send_s = random_size(&random, 1e-3, 1e2),
            .solve_s = random_size(&random, 1e-3, 1e2),
            .panel_s = random_size(&random, 1e-3, 1e2),
            .diagonal_s = random_size(&random, 1e-2, 1e1),
            .product_s = random_size(&random, 1e-2, 1e1),
        };
        const struct chain_savings saved = look_ahead_along_chain(&c);
        const double m = c.q * c.r;
        double all_s = c.factor_s;

        for (double K = m - 1; K >= 1; K--) {
            const double f = ceil(K / c.q), g = c.q > 1 ? ceil((K - 1) / c.q) : 0;

            all_s += c.factor_s + c.send_s + f * (c.solve_s + (c.q > 1 ? c.panel_s : 0));
            all_s += fmax(f * c.diagonal_s + f * (f - 1) / 2 * c.product_s,
                          g * (g + 1) / 2 * c.product_s);
        }
        assert_true(saved.broadcast_s >= 0 && saved.panel_s >= 0);
        if (c.q > 1)
            assert_close(all_s - saved.broadcast_s - saved.panel_s, along_chain(&c), 1e-10);
        else
            assert_true(saved.broadcast_s == 0 && saved.panel_s == 0);
    }
}

TEST(larger_matrices_take_longer)
{
    static const char *const machines[] = { "measured", "shifts", "plain", "binomial" };
    uint64_t random = draws_from(8);

    for (int i = 0; i < draws_of(120); i++) {
        const struct fr_calibration *cal = dense_calibration(machines[i % 4]);
        const int variant = (int)random_between(&random, 0, 2),
                  q = (int)random_between(&random, 2, 9);
        const int c = variant ? (int)random_between(&random, 2, q < 4 ? q : 4) : 1;
        double before_s = 0;

        for (double n = random_size(&random, 400, 2000); n < 2e5; n *= 2) {
            char query[300];
            double time_s;

            snprintf(query, sizeof query,
                     "variant=%s&n=%.0f&processes=%d&replication=%d&blocks_per_process=%d&"
                     "threads=4&contention_model=refined&panel_pricing=chain",
                     variants[variant], n, c * q * q, c, 1 + i % 5);
            time_s = predicted("cholesky", query, cal).time_s;
            if (time_s < before_s)
                fail_msg("%s: less than for half of n", query);
            before_s = time_s;
        }
    }
}

static double time_of(const char *variant, const char *rest, const char *pricing)
{
    char query[300];

    snprintf(query, sizeof query, "variant=%s&%s&contention_model=refined&panel_pricing=%s",
             variant, rest, pricing);
    return predicted("cholesky", query, dense_calibration("measured")).time_s;
}

TEST(both_pricings_agree_where_nothing_runs_during_the_panel)
{
    static const char alone[] = "n=3000&processes=1&replication=1&blocks_per_process=6&threads=3";
    static const char single[] = "n=3000&processes=16&replication=1&blocks_per_process=3&threads=3";

    assert_close(time_of("2d_ovlp", alone, "chain"), time_of("2d_ovlp", alone, "iterations"),
                 1e-13);
    assert_close(time_of("25d_ovlp", alone, "chain"), time_of("2d_ovlp", alone, "iterations"),
                 1e-13);
    assert_true(time_of("25d", single, "chain") == time_of("2d", single, "iterations"));
    assert_true(time_of("25d_ovlp", single, "chain") == time_of("2d_ovlp", single, "chain"));
    assert_true(time_of("2d_ovlp", single, "chain") != time_of("2d_ovlp", single, "iterations"));
}

TEST(many_blocks_cost_no_time_to_predict)
{
    static const char *const queries[] = {
        "variant=2d_ovlp&n=1e9&processes=1000000&blocks_per_process=1e6&threads=2&"
        "contention_model=refined&panel_pricing=chain",
        "variant=25d_ovlp&n=1e9&processes=1000000&replication=4&blocks_per_process=1e6&threads=2&"
        "contention_model=refined&panel_pricing=chain",
    };

    for (size_t i = 0; i < 2; i++) { /* a loop over block columns would take minutes */
        const struct fr_prediction out =
            predicted("cholesky", queries[i], dense_calibration("measured"));

        assert_true(out.time_s > 0 && isfinite(out.time_s));
        check_phases(&out, queries[i]);
    }
}

GROUP(dense_begin, dense_end)
