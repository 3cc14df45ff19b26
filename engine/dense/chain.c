/* The owners of block column i + 1 update that column first, factor it, solve it and send it; all
 * others update meanwhile.  With K block rows below block column i, f = ceil(K/q),
 * g = ceil((K - 1)/q) (0 for q = 1 or K = 1), and [.] where K > 1:
 *
 *   before the panel   u_i = max(dsyrk + (f - 1) dgemm, g dgemm - dpotrf - [D])
 *   the panel          v_i = dpotrf + [D + ceil((K - 1)/q) dtrsm],   C_i = ceil((K - 1)/q)(R + V)
 *   the update         L_i = max(f dsyrk + f(f - 1)/2 dgemm, g(g + 1)/2 dgemm)
 *
 *   time = P_0 + C_0 + sum over i < m - 1 of max(u_i + v_i + C_i, L_i)
 *
 * u is the diagonal process' part of column i + 1; those below it have g dgemm, but need not have
 * finished before the diagonal block is there.  The other side is a column that does not have the
 * panel, which is so for all but one in q; with q = 1 there is no other, and nothing is saved.
 *
 * Written as u + v + (L - u) + C less what runs at the same time, the saving of an iteration is
 * min(L - u, C + v): first what the rest of the update hides of C, then what it hides of the panel
 * on other processes.  K = (f - 1)q + 1 has g and the panel's blocks f - 1; the q - 1 K after it
 * (q - 2 for f = r, as K < m) have f for both: sums over f.
 */
#include "engine/dense/chain.h"

#include "engine/dense/quadratic.h"

#include <math.h>

/* An iteration as functions of f. */
struct step {
    struct quadratic rest; /* L - u */
    struct quadratic send; /* C */
    struct quadratic make; /* v */
};

static struct chain_saved save(const struct step *step, double from, double to)
{
    const struct quadratic both = dense_quadratic_sum(step->send, step->make);
    const double panel_s = fmax(0, dense_quadratic_minima(step->rest, step->send, from, to));

    return (struct chain_saved){
        panel_s,
        fmax(0, dense_quadratic_minima(step->rest, both, from, to) - panel_s),
    };
}

/* f dsyrk + f (f - 1)/2 dgemm. */
static struct quadratic update(double square_s, double product_s)
{
    return (struct quadratic){ 0, square_s - product_s / 2, product_s / 2 };
}

/* K = fq + 1, here with the f = 1 ... r - 1 blocks of the next panel: the first of the f + 1 that
 * are updated goes before it. */
static struct step first_step(const struct chain *c, struct quadratic make)
{
    return (struct step){
        .rest = update(c->diagonal_s, c->product_s),
        .send = { 0, c->panel_s, 0 },
        .make = make,
    };
}

static struct step other_step(const struct chain *c, struct quadratic make)
{
    const double before_s = fmax(c->diagonal_s, c->product_s - c->factor_s - c->send_s);
    const struct quadratic before = { c->product_s - before_s, -c->product_s, 0 };

    return (struct step){
        .rest =
            dense_quadratic_sum(update(fmax(c->diagonal_s, c->product_s), c->product_s), before),
        .send = { 0, c->panel_s, 0 },
        .make = make,
    };
}

struct chain_saved look_ahead_along_chain(const struct chain *c)
{
    const struct quadratic make = { c->factor_s + c->send_s, c->solve_s, 0 };
    const struct step first = first_step(c, make), other = other_step(c, make);
    const struct chain_saved once = save(&first, 1, c->r - 1), but_last = save(&other, 1, c->r - 1);
    const struct chain_saved all = save(&other, 1, c->r);

    if (c->q == 1)
        return (struct chain_saved){ 0 };
    return (struct chain_saved){
        once.panel_s + but_last.panel_s + (c->q - 2) * all.panel_s,
        once.others_s + but_last.others_s + (c->q - 2) * all.others_s,
    };
}
