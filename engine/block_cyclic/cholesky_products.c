/* Times of the products that update the trailing triangle of Cholesky, by the blocks of a process
 * (PB_CpsyrkA.c; docs/models/block_cyclic.md#update-of-pdpotrf). */
#include "engine/block_cyclic/walk.h"

#include <math.h>

int64_t cyclic_places(int64_t first, int64_t step, int64_t count)
{
    return first < count ? (count - first - 1) / step + 1 : 0;
}

/* Seconds of the update of `wide` by `high` blocks, the first of which is `offset` common divisors
 * of P and Q right of the diagonal. */
static double blocks_s(struct cholesky *f, int64_t wide, int64_t high, int64_t offset,
                       double columns, double diagonals)
{
    struct cyclic_walk *walk = f->walk;
    const int64_t P = walk->rows, Q = walk->columns, g = f->divisor;
    const double nb = (double)walk->block, jb = (double)f->width, p = (double)P, q = (double)Q;
    const double area = (double)(wide * high - cyclic_sum_of_ceilings(wide, Q / g, offset, P / g));
    const double slab = 2.0 * CYCLIC_SLICE * (p / (double)g * q), whole = area * nb / (double)wide;
    const double slab_width = fmin(columns, fmax(nb, slab / q));
    const double diagonal_width = fmin(columns, nb * p / (double)g);
    double inside, under;

    if (!wide || !high || area <= 0 || columns <= 0)
        return 0;
    inside = fmin(fmax(0, slab / p - nb) / 2, fmax(0, whole - nb * diagonals));
    under = fmax(0, whole - nb * diagonals - inside);
    return columns / slab_width * cyclic_gemm_s(&walk->kernels, under, slab_width, jb) +
           columns / diagonal_width * cyclic_gemm_s(&walk->kernels, inside, diagonal_width, jb) +
           (double)wide * diagonals * cyclic_syrk_s(&walk->kernels, columns / (double)wide, jb);
}

/* Seconds of the update of a process with one block, so many blocks below the diagonal. */
static double single_block_s(struct cholesky *f, int64_t below, double columns)
{
    struct cyclic_kernels *kernels = &f->walk->kernels;
    const double jb = (double)f->width;

    if (below < 0)
        return 0;
    return below ? cyclic_gemm_s(kernels, (double)f->walk->block, columns, jb)
                 : cyclic_syrk_s(kernels, columns, jb);
}

/* ceil((b - a + v Q) / P) depends on b - a only through ceil((b - a) / g), g the common divisor of
 * P and Q, so that few processes differ. */
int64_t cyclic_triangle_offset(const struct cholesky *f, int64_t a, int64_t b)
{
    return b > a ? cyclic_blocks(b - a, f->divisor) : -((a - b) / f->divisor);
}

/* Diagonal blocks of a process for each of its block columns: in step the mean over processes. */
static double diagonals_of(const struct cholesky *f, int64_t a, int64_t b)
{
    const double P = (double)f->walk->rows;

    if (!cholesky_is_out_of_step(f))
        return 1 / P;
    return (a - b) % f->divisor ? 0 : (double)f->divisor / P;
}

double cyclic_triangle_s(struct cholesky *f, int64_t a, int64_t b, int64_t columns)
{
    const int64_t wide = cyclic_places(b, f->walk->columns, f->blocks);
    const int64_t high = cyclic_places(a, f->walk->rows, f->blocks),
                  offset = cyclic_triangle_offset(f, a, b);
    const double diagonals = diagonals_of(f, a, b);
    const uint64_t key = (uint64_t)offset * 5 + (uint64_t)high * 3 + (uint64_t)(columns + wide) +
                         (uint64_t)(diagonals > 0);
    struct cholesky_known_update *known = &f->known[key % CHOLESKY_KNOWN_UPDATES];

    if (f->has_few_blocks && wide == 1 && high == 1)
        return single_block_s(f, a - b, (double)columns);
    if (wide && (known->wide != wide || known->high != high || known->offset != offset ||
                 known->columns != columns || known->diagonals != diagonals))
        *known = (struct cholesky_known_update){
            wide,    high,      offset,
            columns, diagonals, blocks_s(f, wide, high, offset, (double)columns, diagonals)
        };
    return wide ? known->time_s : 0;
}
