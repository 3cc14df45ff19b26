/* The rules of a block structure, and the fault for each violation. */
#include "tests/unit/support/sparse.h"

#include <string.h>

/* Widths 2, 3, 4; L(1,0), L(2,0), L(2,1); U(0,1), U(0,2), U(1,2). */
static struct sparse_structure *example(void)
{
    struct fr_faults faults = { 0 };
    struct sparse_structure *s = sparse_structure_new(9, 3, 3, 3, &faults);

    assert_non_null(s);
    memcpy(s->width, (int32_t[]){ 2, 3, 4 }, 3 * sizeof *s->width);
    memcpy(s->l_at, (int64_t[]){ 0, 2, 3 }, 3 * sizeof *s->l_at);
    memcpy(s->u_at, (int64_t[]){ 0, 2, 3 }, 3 * sizeof *s->u_at);
    memcpy(s->l, (struct sparse_l_block[]){ { 1, 2 }, { 2, 3 }, { 2, 4 } }, 3 * sizeof *s->l);
    memcpy(s->u,
           (struct sparse_u_block[]){ { 1, 2, 3, 2, 5 }, { 2, 3, 6, 2, 12 }, { 2, 4, 10, 3, 26 } },
           3 * sizeof *s->u);
    return s;
}

/* Frees it. */
static void refused(struct sparse_structure *s, const char *where, const char *why)
{
    struct fr_faults faults = { 0 };

    assert_int_not_equal(sparse_structure_check(s, 1e9, &faults), FR_OK);
    assert_true(faults.count > 0);
    assert_string_equal(faults.fault[0].where, where);
    if (!strstr(faults.fault[0].message, why))
        fail_msg("'%s' does not say '%s'", faults.fault[0].message, why);
    sparse_structure_free(s);
}

#define REFUSED(change, where, why)             \
    do {                                        \
        struct sparse_structure *s = example(); \
        change;                                 \
        refused(s, where, why);                 \
    } while (0)

TEST(every_broken_rule_names_the_block)
{
    REFUSED(s->order = 10, "/n", "10 is not the sum of the widths, 9");
    REFUSED(s->width[1] = 0, "/width/1", "has width 0");
    REFUSED(s->width[2] = SPARSE_MAX_WIDTH + 1, "/width/2", "has width 32768");
    REFUSED(s->l_at[1] = 4, "/L", "are not consecutive");
    REFUSED(s->u_at[0] = 1, "/U", "are not consecutive");
    REFUSED(s->l[0].i = 0, "/L/0/0", "block (0,0) is not after supernode 0");
    REFUSED(s->l[1].i = 3, "/L/0/1", "block (3,0) is not after supernode 0");
    REFUSED(s->u[2].j = -1, "/U/1/0", "is not after supernode 1");
    REFUSED(s->l[1].i = 1, "/L/0/1", "is listed twice");
    REFUSED((s->u[0].j = 2, s->u[1].j = 1), "/U/0/1", "ascending order is needed");
    REFUSED(s->l[0].rows = 4, "/L/0/0", "has rows 4; it must lie between 1 and 3");
    REFUSED(s->l[0].rows = 0, "/L/0/0", "has rows 0");
    REFUSED(s->u[0].max = 3, "/U/0/0", "has max 3; it must lie between 1 and 2");
    REFUSED(s->u[1].cols = 5, "/U/0/1", "has cols 5");
    REFUSED(s->u[1].sum = 7, "/U/0/1", "has sum 7; it must lie between 4 and 6");
    REFUSED(s->u[1].sum = 3, "/U/0/1", "has sum 3");
    REFUSED(s->u[1].sumsq = 13, "/U/0/1", "has sumsq 13");
    REFUSED(s->u[0].sumsq = 4, "/U/0/0", "has sumsq 4");
}

TEST(every_destination_must_be_there)
{
    struct fr_faults faults = { 0 };
    struct sparse_structure *s = sparse_structure_new(9, 3, 2, 3, &faults);

    memcpy(s->width, (int32_t[]){ 2, 3, 4 }, 3 * sizeof *s->width);
    memcpy(s->l_at, (int64_t[]){ 0, 2, 2 }, 3 * sizeof *s->l_at);
    memcpy(s->u_at, (int64_t[]){ 0, 2, 3 }, 3 * sizeof *s->u_at);
    memcpy(s->l, (struct sparse_l_block[]){ { 1, 2 }, { 2, 3 } }, 2 * sizeof *s->l);
    memcpy(s->u,
           (struct sparse_u_block[]){ { 1, 2, 3, 2, 5 }, { 2, 3, 6, 2, 12 }, { 2, 4, 10, 3, 26 } },
           3 * sizeof *s->u);
    refused(s, "/U/0/0", "block (0,1) and block (2,0) update block (2,1), which is missing");
}

TEST(too_much_work_is_refused_before_it_is_begun)
{
    struct sparse_structure *s = example();
    struct fr_faults faults = { 0 };

    assert_int_equal(sparse_structure_check(s, 4, &faults), FR_NOMEM);
    assert_non_null(strstr(faults.fault[0].message, "5 updates of blocks; at most 4"));
    faults.count = 0;
    assert_int_equal(sparse_structure_check(s, 5, &faults), FR_OK);
    sparse_structure_free(s);
    assert_null(sparse_structure_new(9, 0, 0, 0, &faults));
    assert_null(sparse_structure_new(9, 10, 0, 0, &faults));
    assert_null(sparse_structure_new(9, 3, -1, 0, &faults));
    assert_null(sparse_structure_new(9, 3, 0, (int64_t)SPARSE_MAX_BLOCKS + 1, &faults));
    assert_int_equal(faults.count, 4);
}

/* Removing any off-diagonal destination violates closure. */
TEST(no_destination_can_be_left_out)
{
    int broken = 0;

    for (uint64_t seed = 1; seed < 60; seed++) {
        struct sparse_structure *s = sparse_valid(sparse_random(seed, 12, 4, 14));
        const int64_t last = s->l_at[s->supernodes];
        const struct sparse_l_block gone = s->l[last ? last - 1 : 0];
        struct fr_faults faults = { 0 };
        bool is_destination = false;
        int32_t column = s->supernodes - 1;

        while (column > 0 && s->l_at[column] == last)
            column--;
        for (int32_t k = 0; last && k < column; k++)
            for (int64_t a = s->l_at[k]; a < s->l_at[k + 1]; a++)
                for (int64_t b = s->u_at[k]; s->l[a].i == gone.i && b < s->u_at[k + 1]; b++)
                    is_destination = is_destination || s->u[b].j == column;
        for (int32_t k = column + 1; last && k <= s->supernodes; k++)
            s->l_at[k]--;
        assert_true((sparse_structure_check(s, 1e9, &faults) == FR_OK) == !is_destination);
        broken += is_destination;
        sparse_structure_free(s);
    }
    assert_in_range(broken, 10, 59);
}

TEST(a_dissected_grid_is_valid_and_as_large_as_it_should_be)
{
    struct sparse_structure *s = sparse_valid(sparse_dissected(7, 5));

    assert_int_equal(s->facts.order, 343);
    assert_int_equal(s->facts.widest, 5);
    assert_true(s->facts.nnz > 343 * 7);
    sparse_structure_free(s);
}
