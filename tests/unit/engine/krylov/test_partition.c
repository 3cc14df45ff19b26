/* The rules of the facts of a partition, and their summary. */
#include "tests/unit/support/check.h"

#include "engine/krylov/partition/partition.h"

#include <stdlib.h>
#include <string.h>

/* The example of docs/models/partition.md with a third process: a tridiagonal matrix of order 4 on
 * processes of 2, 1 and 1 rows. */
static struct krylov_partition *example(void)
{
    static const struct krylov_words words[] = {
        { 0, 1, 1 }, { 1, 0, 1 }, { 1, 2, 1 }, { 2, 1, 1 }
    };
    struct krylov_partition *made = krylov_partition_new(3);

    assert_non_null(made);
    memcpy(made->rows, (int64_t[]){ 2, 1, 1 }, 3 * sizeof *made->rows);
    memcpy(made->diagonal, (int64_t[]){ 4, 1, 1 }, 3 * sizeof *made->diagonal);
    memcpy(made->offdiagonal, (int64_t[]){ 1, 2, 1 }, 3 * sizeof *made->offdiagonal);
    made->message = malloc(sizeof words);
    assert_non_null(made->message);
    memcpy(made->message, words, sizeof words);
    made->message_count = 4;
    return made;
}

TEST(sound_facts_pass)
{
    struct krylov_partition *p = example();
    struct fr_faults faults = { 0 };

    assert_int_equal(krylov_partition_check(p, &faults), FR_OK);
    assert_int_equal(faults.count, 0);
    krylov_partition_free(p);
}

/* Frees it. */
static void refused(struct krylov_partition *p, const char *where, const char *why)
{
    struct fr_faults faults = { 0 };

    assert_int_not_equal(krylov_partition_check(p, &faults), FR_OK);
    assert_true(faults.count > 0);
    assert_string_equal(faults.fault[0].where, where);
    if (!strstr(faults.fault[0].message, why))
        fail_msg("'%s' does not say '%s'", faults.fault[0].message, why);
    krylov_partition_free(p);
}

#define REFUSED(change, where, why)             \
    do {                                        \
        struct krylov_partition *p = example(); \
        change;                                 \
        refused(p, where, why);                 \
    } while (0)

TEST(every_broken_rule_is_named)
{
    REFUSED(p->rows[1] = 0, "/rows/1", "0; 1 to");
    REFUSED(p->rows[1] = INT64_C(1) << 40, "/rows/1", "1099511627776; 1 to 2147483647");
    REFUSED(p->diagonal[2] = -1, "/diagonal/2", "-1; 0 to");
    REFUSED(p->offdiagonal[2] = INT64_MAX, "/offdiagonal/2", "0 to 1099511627776");
    REFUSED(p->message[1].to = 3, "/messages/1", "must be processes");
    REFUSED(p->message[1].from = -1, "/messages/1", "must be processes");
    REFUSED(p->message[0].to = 0, "/messages/0", "nothing to itself");
    REFUSED(p->message[2].words = 2, "/messages/2", "at most one for each row");
    REFUSED(p->message[2].words = 0, "/messages/2", "1 value or more");
    REFUSED(p->message[2].to = 0, "/messages/2", "ascend");
    REFUSED((p->message[0].from = 2, p->message[0].to = 1), "/messages/1", "ascend");
    REFUSED(p->offdiagonal[1] = 1, "/offdiagonal/1", "but 2 values received");
    REFUSED((p->message[2] = p->message[3], p->message_count = 3), "/offdiagonal/2",
            "1 entries off the diagonal block, but 0 values received");
    REFUSED(p->message_count = KRYLOV_PARTITION_MOST_MESSAGES + 1, "/messages", "at most 4000000");
    REFUSED(p->processes = KRYLOV_PARTITION_MOST_PROCESSES + 1, "/processes", "1 to 65536");
}

TEST(the_summary_takes_the_busiest_process)
{
    struct krylov_partition *p = example();
    struct krylov_partition_summary s;

    /* Process 2 reads both values of 0 as well; it sends less than it receives. */
    p->message[1] = (struct krylov_words){ 0, 2, 2 };
    p->message[0] = (struct krylov_words){ 0, 1, 1 };
    p->message[2] = (struct krylov_words){ 1, 0, 1 };
    p->message[3] = (struct krylov_words){ 1, 2, 1 };
    assert_int_equal(krylov_partition_summarize(p, &s), FR_OK);
    assert_int_equal(s.rows, 4);
    assert_int_equal(s.entries, 10);
    assert_int_equal(s.messages, 4);
    assert_int_equal(s.words, 5);
    assert_int_equal(s.most_neighbours, 2);
    assert_int_equal(s.most_words, 3);
    assert_int_equal(s.most_rows, 2);
    assert_int_equal(s.largest_message, 2);
    assert_close(s.imbalance, 5. * 3 / 10, 1e-15);
    krylov_partition_free(p);
}

TEST(one_process_exchanges_nothing)
{
    struct krylov_partition *p = krylov_partition_new(1);
    struct krylov_partition_summary s;
    struct fr_faults faults = { 0 };

    assert_non_null(p);
    p->rows[0] = 3;
    assert_int_equal(krylov_partition_check(p, &faults), FR_OK);
    assert_int_equal(krylov_partition_summarize(p, &s), FR_OK);
    assert_int_equal(s.most_neighbours, 0);
    assert_int_equal(s.most_words, 0);
    assert_close(s.imbalance, 1, 0); /* a matrix without entries */
    krylov_partition_free(p);
}
