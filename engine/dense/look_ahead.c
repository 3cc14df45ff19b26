/* Closed sums of the smaller of two quadratics, and the savings of look-ahead as such sums.
 *
 * K block rows are below the current block column, f = ceil(K/q).  K = (f - 1)q + 1 is the first of
 * each f: its next panel has f - 1 blocks.  The q - 1 others (q - 2 for f = r, as K < m) have f.
 */
#include "engine/dense/look_ahead.h"

#include <math.h>

static struct quadratic plus(struct quadratic a, struct quadratic b)
{
    return (struct quadratic){ a.constant + b.constant, a.linear + b.linear, a.square + b.square };
}

static struct quadratic times(double factor, struct quadratic of)
{
    return (struct quadratic){ factor * of.constant, factor * of.linear, factor * of.square };
}

static double squares(double last)
{
    return last * (last + 1) * (2 * last + 1) / 6;
}

static double sum(struct quadratic of, double from, double to)
{
    return of.constant * (to - from + 1) + of.linear * (to - from + 1) * (to + from) / 2 +
           of.square * (squares(to) - squares(from - 1));
}

/* The real roots, rounded down; INFINITY for each that does not exist. */
static void find_roots(struct quadratic of, double root[2])
{
    const double discriminant = of.linear * of.linear - 4 * of.square * of.constant;
    double half_sum;

    root[0] = root[1] = INFINITY;
    if (of.square == 0) {
        if (of.linear != 0)
            root[0] = floor(-of.constant / of.linear);
        return;
    }
    if (discriminant < 0)
        return;
    /* One root comes from the product of both: a difference would cancel. */
    half_sum = -(of.linear + copysign(sqrt(discriminant), of.linear)) / 2;
    root[0] = floor(half_sum / of.square);
    if (half_sum != 0)
        root[1] = floor(of.constant / half_sum);
}

/* Between the roots of the difference one of the two is the smaller at every f, so its sum is the
 * smaller too. */
double dense_quadratic_minima(struct quadratic a, struct quadratic b, double from, double to)
{
    double root[2], total = 0;

    find_roots(plus(a, times(-1, b)), root);
    while (from <= to) {
        double end = to;

        for (int i = 0; i < 2; i++)
            if (root[i] >= from && root[i] < end)
                end = root[i];
        total += fmin(sum(a, from, end), sum(b, from, end));
        from = end + 1;
    }
    return total;
}

double dense_quadratic_maxima(struct quadratic a, struct quadratic b, double from, double to)
{
    return -dense_quadratic_minima(times(-1, a), times(-1, b), from, to);
}

struct quadratic look_ahead_update(double diagonal_s, double product_s)
{
    return (struct quadratic){ 0, diagonal_s - product_s / 2, product_s / 2 };
}

double look_ahead_hidden_s(struct quadratic update, double panel_s, double last)
{
    return dense_quadratic_minima((struct quadratic){ -panel_s, panel_s, 0 }, update, 1, last);
}

/* A step as functions of f, with the symbols of the document. */
struct step {
    struct quadratic rest;  /* L - u */
    struct quadratic send;  /* C */
    struct quadratic panel; /* v */
};

/* The sum of min(L - u, C + v): first the part of C, then that of v. */
static struct chain_savings save(const struct step *step, double from, double to)
{
    const struct quadratic both = plus(step->send, step->panel);
    const double broadcast_s = fmax(0, dense_quadratic_minima(step->rest, step->send, from, to));

    return (struct chain_savings){
        broadcast_s,
        fmax(0, dense_quadratic_minima(step->rest, both, from, to) - broadcast_s),
    };
}

/* K = fq + 1, written with the f = 1 ... r - 1 blocks of the next panel.  The first of the f + 1
 * updated blocks is in the next block column. */
static struct step first_step(const struct panel_chain *c, struct quadratic panel)
{
    return (struct step){
        .rest = look_ahead_update(c->diagonal_s, c->product_s),
        .send = { 0, c->panel_s, 0 },
        .panel = panel,
    };
}

static struct step other_step(const struct panel_chain *c, struct quadratic panel)
{
    const double before_s = fmax(c->diagonal_s, c->product_s - c->factor_s - c->send_s);
    const struct quadratic before = { c->product_s - before_s, -c->product_s, 0 }; /* -u */

    return (struct step){
        .rest = plus(look_ahead_update(fmax(c->diagonal_s, c->product_s), c->product_s), before),
        .send = { 0, c->panel_s, 0 },
        .panel = panel,
    };
}

struct chain_savings look_ahead_along_chain(const struct panel_chain *c)
{
    const struct quadratic panel = { c->factor_s + c->send_s, c->solve_s, 0 };
    const struct step first = first_step(c, panel), other = other_step(c, panel);
    const struct chain_savings once = save(&first, 1, c->r - 1),
                               but_last = save(&other, 1, c->r - 1), all = save(&other, 1, c->r);

    if (c->q == 1) /* no other process column updates meanwhile */
        return (struct chain_savings){ 0 };
    return (struct chain_savings){
        once.broadcast_s + but_last.broadcast_s + (c->q - 2) * all.broadcast_s,
        once.panel_s + but_last.panel_s + (c->q - 2) * all.panel_s,
    };
}
