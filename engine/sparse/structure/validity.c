/* Checks of a block structure. */
#include "engine/sparse/structure/structure.h"

#include <inttypes.h>
#include <stdio.h>

/* A block that is checked: its list L or U, its index there, and its block row and column. */
struct place {
    char letter;
    int32_t k, row, column;
    int64_t index;
};

static int refuse(const struct place *at, const char *why, struct fr_faults *faults)
{
    char where[64];

    snprintf(where, sizeof where, "/%c/%" PRId32 "/%" PRId64, at->letter, at->k, at->index);
    return fr_fault(faults, FR_RELATION, where, "block (%" PRId32 ",%" PRId32 ") %s", at->row,
                    at->column, why);
}

static int check_range(const struct place *at, const char *name, int64_t value, int64_t least,
                       int64_t most, struct fr_faults *faults)
{
    char why[160];

    if (value >= least && value <= most)
        return FR_OK;
    snprintf(why, sizeof why, "has %s %" PRId64 "; it must lie between %" PRId64 " and %" PRId64,
             name, value, least, most);
    return refuse(at, why, faults);
}

/* Whether the second index is greater than k and than the one before, so that it may be used. */
static bool is_in_place(const struct place *at, int32_t index, int32_t before, int32_t supernodes,
                        struct fr_faults *faults)
{
    if (index <= at->k || index >= supernodes) {
        char why[120];

        snprintf(why, sizeof why, "is not after supernode %" PRId32 " of supernodes 0 to %" PRId32,
                 at->k, supernodes - 1);
        refuse(at, why, faults);
        return false;
    }
    if (index > before)
        return true;
    refuse(at,
           index == before ? "is listed twice"
                           : "comes after a later one; ascending order is needed",
           faults);
    return false;
}

static void check_l(const struct sparse_structure *s, int32_t k, struct fr_faults *faults)
{
    int32_t before = k;

    for (int64_t b = s->l_at[k]; b < s->l_at[k + 1] && faults->count < FR_MAX_FAULTS; b++) {
        const struct sparse_l_block *l = &s->l[b];
        const struct place at = { 'L', k, l->i, k, b - s->l_at[k] };

        if (!is_in_place(&at, l->i, before, s->supernodes, faults))
            continue;
        before = l->i;
        check_range(&at, "rows", l->rows, 1, s->width[l->i], faults);
    }
}

static void check_u(const struct sparse_structure *s, int32_t k, struct fr_faults *faults)
{
    int32_t before = k;

    for (int64_t b = s->u_at[k]; b < s->u_at[k + 1] && faults->count < FR_MAX_FAULTS; b++) {
        const struct sparse_u_block *u = &s->u[b];
        const struct place at = { 'U', k, k, u->j, b - s->u_at[k] };
        int64_t squares;

        if (!is_in_place(&at, u->j, before, s->supernodes, faults))
            continue;
        before = u->j;
        if (check_range(&at, "max", u->max, 1, s->width[k], faults) |
            check_range(&at, "cols", u->cols, 1, s->width[u->j], faults))
            continue;
        if (check_range(&at, "sum", u->sum, (int64_t)u->cols - 1 + u->max,
                        (int64_t)u->cols * u->max, faults))
            continue;
        /* One segment has length max; the square of a length is at most max times the length. */
        squares = (int64_t)u->max * u->max;
        check_range(&at, "sumsq", u->sumsq, squares + u->sum - u->max,
                    squares + (int64_t)u->max * (u->sum - u->max), faults);
    }
}

/* Offsets must ascend from 0 before blocks can be accessed through them. */
static int check_offsets(const int64_t *at, int32_t supernodes, const char *where,
                         struct fr_faults *faults)
{
    bool is_ascending = at[0] == 0;

    for (int32_t k = 0; k < supernodes; k++)
        is_ascending &= at[k] <= at[k + 1];
    return is_ascending ? FR_OK
                        : fr_fault(faults, FR_RELATION, where,
                                   "the lists of the supernodes are not consecutive");
}

static int check_widths(const struct sparse_structure *s, struct fr_faults *faults)
{
    const size_t count = faults->count;
    int64_t order = 0;

    for (int32_t k = 0; k < s->supernodes && faults->count < FR_MAX_FAULTS; k++) {
        char where[32];

        order += s->width[k];
        if (s->width[k] >= 1 && s->width[k] <= SPARSE_MAX_WIDTH)
            continue;
        snprintf(where, sizeof where, "/width/%" PRId32, k);
        fr_fault(faults, FR_RANGE, where,
                 "supernode %" PRId32 " has width %" PRId32 "; between 1 and %d can be simulated",
                 k, s->width[k], SPARSE_MAX_WIDTH);
    }
    if (faults->count == count && order != s->order)
        fr_fault(faults, FR_RELATION, "/n", "%" PRId64 " is not the sum of the widths, %" PRId64,
                 s->order, order);
    return faults->count == count ? FR_OK : FR_RELATION;
}

int sparse_check_blocks(const struct sparse_structure *s, struct fr_faults *faults)
{
    const size_t count = faults->count;

    if (check_widths(s, faults) | check_offsets(s->l_at, s->supernodes, "/L", faults) |
        check_offsets(s->u_at, s->supernodes, "/U", faults))
        return FR_RELATION;
    for (int32_t k = 0; k < s->supernodes && faults->count < FR_MAX_FAULTS; k++) {
        check_l(s, k, faults);
        check_u(s, k, faults);
    }
    return faults->count == count ? FR_OK : FR_RELATION;
}

static void missing(const struct sparse_structure *s, const struct sparse_source *source, int32_t k,
                    int32_t i, struct fr_faults *faults)
{
    const int32_t j = s->u[source->u].j;
    const struct place at = { 'U', k, k, j, (int64_t)source->u - s->u_at[k] };
    char why[160];

    snprintf(why, sizeof why,
             "and block (%" PRId32 ",%" PRId32 ") update block (%" PRId32 ",%" PRId32
             "), which is missing",
             i, k, i, j);
    refuse(&at, why, faults);
}

/* Looks up every destination of supernode k, as the simulation does. */
static void check_destinations(struct sparse_local_blocks *local, int32_t k,
                               struct fr_faults *faults)
{
    const struct sparse_structure *s = local->s;
    const int32_t first = sparse_local_blocks_l(local, k), last = local->top[k + 1];

    for (int32_t b = local->source_at[k]; b < local->source_at[k + 1]; b++) {
        const struct sparse_source *source = &local->source[b];
        const int32_t j = s->u[source->u].j;
        int32_t at = sparse_local_blocks_beyond(local, j, k);

        for (int32_t l = first; l < last && faults->count < FR_MAX_FAULTS; l++) {
            at = sparse_local_blocks_seek(local->row, at, local->top[j + 1], local->row[l]);
            if (at == local->top[j + 1] || local->row[at] != local->row[l])
                missing(s, source, k, local->row[l], faults);
        }
    }
}

int sparse_check_closure(const struct sparse_structure *s, struct fr_faults *faults)
{
    const size_t count = faults->count;
    struct sparse_local_blocks *local = sparse_local_blocks_new(s, (struct sparse_grid){ 1, 1 });

    if (!local)
        return fr_fault(faults, FR_NOMEM, "/", "no memory to check the structure");
    sparse_local_blocks_set(local, 0, 0);
    for (int32_t k = 0; k < s->supernodes && faults->count < FR_MAX_FAULTS; k++)
        check_destinations(local, k, faults);
    sparse_local_blocks_free(local);
    return faults->count == count ? FR_OK : FR_RELATION;
}
