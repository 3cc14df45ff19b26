/* Allocates block structures and computes their facts. */
#include "engine/sparse/structure/structure.h"

#include "engine/core/number.h"

#include <inttypes.h>
#include <stdlib.h>

static bool is_within(int64_t count, int64_t least, int64_t most, const char *where,
                      const char *what, struct fr_faults *faults)
{
    if (count >= least && count <= most)
        return true;
    fr_fault(faults, FR_RANGE, where,
             "%" PRId64 " %s; between %" PRId64 " and %" PRId64 " can be simulated", count, what,
             least, most);
    return false;
}

struct sparse_structure *sparse_structure_new(int64_t order, int64_t supernodes, int64_t l_blocks,
                                              int64_t u_blocks, struct fr_faults *faults)
{
    const int refused =
        !is_within(supernodes, 1, SPARSE_MAX_SUPERNODES, "/width", "supernodes", faults) +
        !is_within(order, supernodes, SPARSE_MAX_SUPERNODES * (int64_t)SPARSE_MAX_WIDTH, "/n",
                   "rows", faults) +
        !is_within(l_blocks, 0, SPARSE_MAX_BLOCKS, "/L", "blocks", faults) +
        !is_within(u_blocks, 0, SPARSE_MAX_BLOCKS, "/U", "blocks", faults);
    struct sparse_structure *s;

    if (refused)
        return NULL;
    s = calloc(1, sizeof *s);
    if (s) {
        s->order = order;
        s->supernodes = (int32_t)supernodes;
        s->width = calloc((size_t)supernodes, sizeof *s->width);
        s->l_at = calloc((size_t)supernodes + 1, sizeof *s->l_at);
        s->u_at = calloc((size_t)supernodes + 1, sizeof *s->u_at);
        s->l = calloc((size_t)l_blocks + 1, sizeof *s->l);
        s->u = calloc((size_t)u_blocks + 1, sizeof *s->u);
    }
    if (!s || !s->width || !s->l_at || !s->u_at || !s->l || !s->u) {
        sparse_structure_free(s);
        fr_fault(faults, FR_NOMEM, "/", "%" PRId64 " blocks do not fit into memory",
                 l_blocks + u_blocks);
        return NULL;
    }
    s->l_at[supernodes] = l_blocks;
    s->u_at[supernodes] = u_blocks;
    return s;
}

void sparse_structure_free(struct sparse_structure *s)
{
    if (!s)
        return;
    free(s->width);
    free(s->l_at);
    free(s->u_at);
    free(s->l);
    free(s->u);
    free(s);
}

/* Operations within one panel: the sum over its columns of m + 2 m q, with q = w - 1 ... 0 columns
 * to the right and m = q + rows rows below the diagonal. */
static double panel_flops(double w, double rows)
{
    const double one = w * (w - 1) / 2, squares = one * (2 * w - 1) / 3;

    return one + w * rows + 2 * (squares + rows * one);
}

/* Rows of L(:,k); lengths of the segments of U(k,:) and their squares. */
struct step {
    double rows, sums, squares;
};

static struct step step_of(const struct sparse_structure *s, int32_t k)
{
    struct step step = { 0 };

    for (int64_t b = s->l_at[k]; b < s->l_at[k + 1]; b++)
        step.rows += s->l[b].rows;
    for (int64_t b = s->u_at[k]; b < s->u_at[k + 1]; b++) {
        step.sums += s->u[b].sum;
        step.squares += (double)s->u[b].sumsq;
    }
    return step;
}

double sparse_useful_flops(const struct sparse_structure *s, int32_t k)
{
    const struct step step = step_of(s, k);

    return panel_flops(s->width[k], step.rows) + step.squares - step.sums +
           2 * step.rows * step.sums;
}

static struct sparse_facts facts_of(const struct sparse_structure *s)
{
    struct sparse_facts facts = { .order = s->order,
                                  .supernodes = s->supernodes,
                                  .l_blocks = s->l_at[s->supernodes],
                                  .u_blocks = s->u_at[s->supernodes] };

    for (int32_t k = 0; k < s->supernodes; k++) {
        const double w = s->width[k];
        const struct step step = step_of(s, k);

        facts.widest = s->width[k] > facts.widest ? s->width[k] : facts.widest;
        facts.nnz_diagonal += w * w;
        facts.nnz_l += step.rows * w;
        facts.nnz_u += step.sums;
        facts.useful_flops += sparse_useful_flops(s, k);
        facts.updates +=
            (double)(s->l_at[k + 1] - s->l_at[k]) * (double)(s->u_at[k + 1] - s->u_at[k]);
    }
    facts.nnz = facts.nnz_diagonal + facts.nnz_l + facts.nnz_u;
    return facts;
}

int sparse_structure_check(struct sparse_structure *s, double most_updates,
                           struct fr_faults *faults)
{
    char updates[FR_ROUNDED_TEXT], most[FR_ROUNDED_TEXT];
    struct sparse_facts facts;
    int code = sparse_check_blocks(s, faults);

    if (code != FR_OK)
        return code;
    facts = facts_of(s);
    if (facts.updates > most_updates) {
        fr_number_rounded(facts.updates, FR_NO_LESS, updates);
        fr_number_rounded(most_updates, FR_NO_MORE, most);
        return fr_fault(faults, FR_NOMEM, "/",
                        "%s updates of blocks; at most %s are simulated: wider supernodes or an "
                        "ordering with less fill make fewer",
                        updates, most);
    }
    code = sparse_check_closure(s, faults);
    if (code == FR_OK)
        s->facts = facts;
    return code;
}
