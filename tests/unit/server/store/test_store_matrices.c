/* Matrices in the store: their files, their orderings, the queue of analyses. */
#include "tests/unit/support/store_check.h"

/* A structure with the limits of record_of. */
#define KEY(name) (&(struct sparse_structure_key){ name, "auto", 128, 20 })

static int add_matrix(struct fr_store *store, const char *id, const char *name)
{
    const struct fr_matrix_record record = record_of(id, name);
    const int file = upload_file();
    const int result = fr_store_matrix_add(store, &record, "spy", 3, file, sizeof uploaded);

    close(file);
    return result;
}

static struct fr_matrix_record matrix_named(struct fixture *f, struct fr_store *store,
                                            const char *name)
{
    struct fr_matrix_record record = { 0 };

    assert_int_equal(fr_store_matrix_get(store, name, f->arena, &record), FR_STORE_OK);
    return record;
}

#define ID_A "00000000000000aa"
#define ID_B "00000000000000bb"

MEMORY_TEST(a_matrix_comes_back_by_id_and_by_name)
{
    struct fr_matrix_record got, by_id;

    assert_int_equal(add_matrix(f->store, ID_A, "small"), FR_STORE_OK);
    got = matrix_named(f, f->store, "small");
    by_id = matrix_named(f, f->store, ID_A);
    assert_string_equal(got.id, ID_A);
    assert_string_equal(by_id.name, "small");
    assert_rfc3339(got.uploaded_at);
    assert_string_equal(got.format, "matrix_market");
    assert_string_equal(got.field, "real");
    assert_string_equal(got.symmetry, "general");
    assert_string_equal(got.title, "a title");
    assert_int_equal(got.bytes, 124);
    assert_int_equal(got.n, 5);
    assert_int_equal(got.entries, 8);
    assert_int_equal(got.nnz, 9);
    assert_close(got.structural_symmetry, 0.75, 0);
    assert_int_equal(got.lower_bandwidth, 1);
    assert_int_equal(got.upper_bandwidth, 2);
    assert_int_equal(got.zero_diagonals, 3);
    assert_int_equal(got.empty_rows, 4);
    assert_int_equal(got.empty_columns, 5);
    assert_int_equal(got.structural_rank, -1);
    assert_null(got.row_permutation);
    assert_int_equal(got.supernode_max, 128);
    assert_int_equal(got.supernode_relax, 20);
    assert_int_equal(got.ordering_count, 2);
    assert_string_equal(got.ordering[1].ordering, "natural");
    assert_int_equal(fr_matrix_status(&got), FR_MATRIX_QUEUED);
    assert_int_equal(fr_store_matrix_get(f->store, "none", f->arena, &got), FR_STORE_NONE);
}

MEMORY_TEST(its_file_and_its_raster_come_back)
{
    const int out = fr_spool_open("/tmp/x");
    char bytes[sizeof uploaded];
    const void *spy;
    size_t length;

    add_matrix(f->store, ID_A, "small");
    assert_int_equal(fr_store_matrix_source(f->store, ID_A, out), FR_STORE_OK);
    assert_int_equal(pread(out, bytes, sizeof bytes, 0), sizeof uploaded);
    assert_memory_equal(bytes, uploaded, sizeof uploaded);
    assert_int_equal(fr_store_matrix_spy(f->store, ID_A, f->arena, &spy, &length), FR_STORE_OK);
    assert_int_equal(length, 3);
    assert_memory_equal(spy, "spy", 3);
    assert_int_equal(fr_store_matrix_source(f->store, ID_B, out), FR_STORE_NONE);
    close(out);
}

MEMORY_TEST(the_same_again_and_a_taken_name_are_told_apart)
{
    assert_int_equal(add_matrix(f->store, ID_A, "small"), FR_STORE_OK);
    assert_int_equal(add_matrix(f->store, ID_A, "small"), FR_STORE_EXISTS);
    assert_int_equal(add_matrix(f->store, ID_A, "other"), FR_STORE_EXISTS);
    assert_int_equal(add_matrix(f->store, ID_B, "small"), FR_STORE_IN_USE);
    assert_int_equal(add_matrix(f->store, ID_B, "large"), FR_STORE_OK);
    assert_int_equal(fr_store_matrix_rename(f->store, ID_B, "small"), FR_STORE_IN_USE);
    assert_int_equal(fr_store_matrix_rename(f->store, "none", "x"), FR_STORE_NONE);
    assert_int_equal(fr_store_matrix_rename(f->store, ID_B, "larger"), FR_STORE_OK);
    assert_string_equal(matrix_named(f, f->store, ID_B).name, "larger");
}

MEMORY_TEST(lists_go_backwards_page_by_page)
{
    struct fr_matrix_record *page;
    size_t count = 7;
    char id[17], name[17];

    assert_int_equal(fr_store_matrix_list(f->store, 0, 3, f->arena, &page, &count), FR_STORE_OK);
    assert_int_equal(count, 0);
    for (int i = 0; i < 5; i++) {
        snprintf(id, sizeof id, "%016d", i);
        snprintf(name, sizeof name, "m%d", i);
        add_matrix(f->store, id, name);
    }
    assert_int_equal(fr_store_matrix_list(f->store, 0, 3, f->arena, &page, &count), FR_STORE_OK);
    assert_int_equal(count, 3);
    assert_string_equal(page[0].name, "m4");
    assert_string_equal(page[2].name, "m2");
    assert_int_equal(page[2].ordering_count, 2);
    assert_int_equal(fr_store_matrix_list(f->store, page[2].sequence, 3, f->arena, &page, &count),
                     FR_STORE_OK);
    assert_int_equal(count, 2);
    assert_string_equal(page[1].name, "m0");
}

/* From whichever of the two queues has one. */
static int take(struct fixture *f, struct fr_matrix_task *task)
{
    const int result = fr_store_task_take(f->store, FR_TASKS_ORDERINGS, task);

    return result == FR_STORE_NONE ? fr_store_task_take(f->store, FR_TASKS_NATURAL, task) : result;
}

MEMORY_TEST(the_queue_goes_in_order_and_the_natural_ordering_has_one_of_its_own)
{
    static const struct {
        const char *id, *ordering;
        enum fr_task_queue queue;
    } expected[] = { { ID_A, "natural", FR_TASKS_NATURAL },
                     { ID_A, "metis", FR_TASKS_ORDERINGS },
                     { ID_B, "metis", FR_TASKS_ORDERINGS },
                     { ID_B, "natural", FR_TASKS_NATURAL } };
    struct fr_matrix_task task;

    assert_int_equal(take(f, &task), FR_STORE_NONE);
    add_matrix(f->store, ID_A, "a");
    add_matrix(f->store, ID_B, "b");
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(fr_store_task_take(f->store, expected[i].queue, &task), FR_STORE_OK);
        assert_string_equal(task.id, expected[i].id);
        assert_string_equal(task.ordering, expected[i].ordering);
        assert_int_equal(task.n, 5);
        assert_int_equal(task.supernode_max, 128);
        assert_int_equal(task.supernode_relax, 20);
        assert_true(fr_store_task_is_wanted(f->store, &task));
    }
    assert_int_equal(take(f, &task), FR_STORE_NONE);
    assert_int_equal(fr_store_task_return(f->store, &task), FR_STORE_OK);
    assert_int_equal(fr_store_task_take(f->store, FR_TASKS_ORDERINGS, &task), FR_STORE_NONE);
    assert_int_equal(fr_store_task_take(f->store, FR_TASKS_NATURAL, &task), FR_STORE_OK);
    assert_string_equal(task.id, ID_B);
}

MEMORY_TEST(another_structure_is_a_change_in_the_audit_log)
{
    const struct sparse_structure_key narrow = { "metis", "auto", 32, 8 };
    struct fr_audit_entry *entries;
    size_t count;

    add_matrix(f->store, ID_A, "a");
    assert_int_equal(fr_store_matrix_queue(f->store, ID_A, &narrow), FR_STORE_OK);
    assert_int_equal(fr_store_matrix_queue(f->store, ID_A, &narrow), FR_STORE_NONE);
    assert_int_equal(fr_store_list_audit(f->store, 0, 10, f->arena, &entries, &count), FR_STORE_OK);
    assert_int_equal(count, 2);
    assert_string_equal(entries[0].what.action, "change");
    assert_string_equal(entries[0].what.kind, "matrix");
    assert_string_equal(entries[0].what.id, ID_A);
    assert_string_equal(entries[1].what.action, "add");
}

MEMORY_TEST(other_limits_wait_for_the_permutations_and_share_them)
{
    const struct sparse_structure_key narrow = { "metis", "auto", 32, 8 };
    struct fr_matrix_task first, second;
    const int out = fr_spool_open("/tmp/x");
    char bytes[8];

    add_matrix(f->store, ID_A, "a");
    assert_int_equal(fr_store_matrix_queue(f->store, ID_A, &narrow), FR_STORE_OK);
    assert_int_equal(fr_store_task_take(f->store, FR_TASKS_ORDERINGS, &first), FR_STORE_OK);
    assert_int_equal(first.supernode_max, 128);
    assert_int_equal(fr_store_permutations_give(f->store, &first, out), FR_STORE_NONE);
    assert_int_equal(fr_store_task_take(f->store, FR_TASKS_ORDERINGS, &second), FR_STORE_NONE);
    assert_int_equal(fr_store_permutations_add(f->store, &first, "places", 6), FR_STORE_OK);
    assert_int_equal(fr_store_permutations_add(f->store, &first, "other", 5), FR_STORE_NONE);
    assert_int_equal(fr_store_task_take(f->store, FR_TASKS_ORDERINGS, &second), FR_STORE_OK);
    assert_int_equal(second.supernode_max, 32);
    assert_int_equal(fr_store_permutations_give(f->store, &second, out), FR_STORE_OK);
    assert_int_equal(pread(out, bytes, sizeof bytes, 0), 6);
    assert_memory_equal(bytes, "places", 6);
    close(out);
    assert_int_equal(fr_store_matrix_delete(f->store, ID_A), FR_STORE_OK);
    assert_int_equal(fr_store_permutations_give(f->store, &second, out), FR_STORE_NONE);
    assert_int_equal(fr_store_permutations_add(f->store, &second, "late", 4), FR_STORE_NONE);
}

MEMORY_TEST(a_matrix_has_a_number_of_limits)
{
    struct sparse_structure_key key = { "metis", "auto", 0, 1 };

    add_matrix(f->store, ID_A, "a");
    for (key.supernode_max = 1; key.supernode_max < FR_MATRIX_LIMITS; key.supernode_max++)
        assert_int_equal(fr_store_matrix_queue(f->store, ID_A, &key), FR_STORE_OK);
    assert_int_equal(fr_store_matrix_queue(f->store, ID_A, &key), FR_STORE_IN_USE);
    key.supernode_max = 1;
    assert_int_equal(fr_store_matrix_queue(f->store, ID_A, &key), FR_STORE_NONE);
    key.row_permutation = "transversal";
    assert_int_equal(fr_store_matrix_queue(f->store, ID_A, &key), FR_STORE_OK);
    assert_int_equal(matrix_named(f, f->store, "a").other_count, FR_MATRIX_LIMITS);
}

static struct fr_matrix_ordering good(void)
{
    return (struct fr_matrix_ordering){ .status = FR_MATRIX_READY,
                                        .supernodes = 2,
                                        .nnz_lu = 23,
                                        .nnz_lu_unrelaxed = 21,
                                        .blocks = 3,
                                        .updates = 1,
                                        .flops = 56,
                                        .fill = 2.5,
                                        .ordering_s = 0.5,
                                        .symbolic_s = 0.25,
                                        .extraction_s = 0.125 };
}

MEMORY_TEST(a_result_is_stored_with_its_structure)
{
    const struct fr_matrix_ordering result = good();
    struct fr_matrix_record record;
    struct fr_matrix_task task;
    unsigned char *bytes = NULL;
    size_t length = 0;
    char id[17];

    add_matrix(f->store, ID_A, "a");
    assert_int_equal(fr_store_structure_get(f->store, "a", KEY("metis"), id, &bytes, &length),
                     FR_STORE_NONE);
    take(f, &task);
    record = matrix_named(f, f->store, "a");
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_ANALYZING);
    assert_int_equal(
        fr_store_analysis_end(f->store, &task, &result, 4, "transversal", "structure", 9),
        FR_STORE_OK);
    record = matrix_named(f, f->store, "a");
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_ANALYZING); /* one is still to come */
    assert_int_equal(record.structural_rank, 4);
    assert_string_equal(record.row_permutation, "transversal");
    assert_int_equal(record.ordering[0].supernodes, 2);
    assert_int_equal(record.ordering[0].nnz_lu, 23);
    assert_int_equal(record.ordering[0].nnz_lu_unrelaxed, 21);
    assert_int_equal(record.ordering[0].blocks, 3);
    assert_int_equal(record.ordering[0].updates, 1);
    assert_close(record.ordering[0].flops, 56, 0);
    assert_close(record.ordering[0].fill, 2.5, 0);
    assert_close(record.ordering[0].ordering_s, 0.5, 0);
    assert_close(record.ordering[0].symbolic_s, 0.25, 0);
    assert_close(record.ordering[0].extraction_s, 0.125, 0);
    assert_int_equal(fr_store_structure_get(f->store, "a", KEY("metis"), id, &bytes, &length),
                     FR_STORE_OK);
    assert_string_equal(id, ID_A);
    assert_int_equal(length, 9);
    assert_memory_equal(bytes, "structure", 9);
    free(bytes);
    assert_int_equal(fr_store_structure_get(f->store, "a", KEY("natural"), id, &bytes, &length),
                     FR_STORE_NONE);
}

MEMORY_TEST(one_that_succeeds_is_enough)
{
    const struct fr_matrix_ordering bad = { .status = FR_MATRIX_FAILED, .reason = "it crashed" };
    const struct fr_matrix_ordering result = good();
    struct fr_matrix_record record;
    struct fr_matrix_task task;

    add_matrix(f->store, ID_A, "a");
    take(f, &task);
    assert_int_equal(fr_store_analysis_end(f->store, &task, &bad, -1, NULL, NULL, 0), FR_STORE_OK);
    take(f, &task);
    fr_store_analysis_end(f->store, &task, &result, 5, "identity", "x", 1);
    record = matrix_named(f, f->store, "a");
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_READY);
    assert_string_equal(record.ordering[0].reason, "it crashed");
    assert_int_equal(record.structural_rank, 5);
    /* What failed may be tried again, what is ready may not. */
    assert_int_equal(fr_store_matrix_queue(f->store, ID_A, KEY("natural")), FR_STORE_NONE);
    assert_int_equal(fr_store_matrix_queue(f->store, ID_A, KEY("metis")), FR_STORE_OK);
    assert_int_equal(fr_store_matrix_queue(f->store, ID_A, KEY("amd")), FR_STORE_OK);
    record = matrix_named(f, f->store, "a");
    assert_int_equal(record.ordering_count, 3);
    assert_null(record.ordering[0].reason);
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_ANALYZING);
    assert_int_equal(fr_store_matrix_queue(f->store, ID_B, KEY("amd")), FR_STORE_NONE);
}

MEMORY_TEST(what_was_interrupted_is_queued_again_but_not_for_ever)
{
    struct fr_matrix_record record;
    struct fr_matrix_task task;

    add_matrix(f->store, ID_A, "a");
    for (int i = 0; i < FR_MATRIX_ATTEMPTS; i++) {
        assert_int_equal(take(f, &task), FR_STORE_OK);
        assert_string_equal(task.ordering, "metis");
        assert_int_equal(fr_store_task_restart(f->store), FR_STORE_OK);
    }
    record = matrix_named(f, f->store, "a");
    assert_int_equal(record.ordering[0].status, FR_MATRIX_FAILED);
    assert_non_null(strstr(record.ordering[0].reason, "3 times"));
    assert_int_equal(record.ordering[1].status, FR_MATRIX_QUEUED);
    /* A daemon that ends well costs no attempt. */
    for (int i = 0; i < 2 * FR_MATRIX_ATTEMPTS; i++) {
        assert_int_equal(take(f, &task), FR_STORE_OK);
        assert_int_equal(fr_store_task_return(f->store, &task), FR_STORE_OK);
    }
    assert_int_equal(matrix_named(f, f->store, "a").ordering[1].status, FR_MATRIX_QUEUED);
}

MEMORY_TEST(a_deleted_matrix_takes_everything_along)
{
    const struct fr_matrix_ordering result = good();
    struct fr_matrix_record record;
    struct fr_matrix_task task, running;
    unsigned char *bytes;
    size_t length;
    char id[17];

    add_matrix(f->store, ID_A, "a");
    take(f, &task);
    fr_store_analysis_end(f->store, &task, &result, 5, "identity", "x", 1);
    take(f, &running);
    assert_int_equal(fr_store_matrix_delete(f->store, ID_A), FR_STORE_OK);
    assert_int_equal(fr_store_matrix_delete(f->store, ID_A), FR_STORE_NONE);
    assert_int_equal(fr_store_matrix_get(f->store, "a", f->arena, &record), FR_STORE_NONE);
    assert_int_equal(fr_store_structure_get(f->store, "a", KEY("metis"), id, &bytes, &length),
                     FR_STORE_NONE);
    assert_false(fr_store_task_is_wanted(f->store, &running));
    assert_int_equal(fr_store_analysis_end(f->store, &running, &result, 5, "identity", "x", 1),
                     FR_STORE_NONE);
    assert_int_equal(fr_store_task_return(f->store, &running), FR_STORE_OK); /* nothing is left */
    /* The name is free, and what comes under it begins anew. */
    assert_int_equal(add_matrix(f->store, ID_A, "a"), FR_STORE_OK);
    record = matrix_named(f, f->store, "a");
    assert_int_equal(fr_matrix_status(&record), FR_MATRIX_QUEUED);
}

MEMORY_TEST(matrices_are_counted_by_status)
{
    const struct fr_matrix_ordering result = good();
    int64_t count[FR_MATRIX_STATUSES] = { 9, 9, 9, 9 };
    struct fr_matrix_task task;

    assert_int_equal(fr_store_matrix_count(f->store, count), FR_STORE_OK);
    assert_int_equal(count[FR_MATRIX_QUEUED] + count[FR_MATRIX_ANALYZING], 0);
    add_matrix(f->store, ID_A, "a");
    add_matrix(f->store, ID_B, "b");
    take(f, &task);
    fr_store_analysis_end(f->store, &task, &result, 5, "identity", "x", 1);
    fr_store_matrix_count(f->store, count);
    assert_int_equal(count[FR_MATRIX_QUEUED], 1);
    assert_int_equal(count[FR_MATRIX_ANALYZING], 1);
    for (int i = 0; i < 2; i++) {
        take(f, &task);
        fr_store_analysis_end(f->store, &task, &result, 5, "identity", "x", 1);
    }
    fr_store_matrix_count(f->store, count);
    assert_int_equal(count[FR_MATRIX_ANALYZING], 1);
    assert_int_equal(count[FR_MATRIX_READY], 1);
    assert_int_equal(count[FR_MATRIX_FAILED], 0);
}

MEMORY_TEST(a_file_that_cannot_be_read_leaves_nothing_behind)
{
    const struct fr_matrix_record record = record_of(ID_A, "a");
    const int file = upload_file();
    struct fr_matrix_record got;
    int64_t count[FR_MATRIX_STATUSES];

    f->log.level = -1;
    /* It announces more bytes than it has. */
    assert_int_equal(fr_store_matrix_add(f->store, &record, "spy", 3, file, sizeof uploaded + 100),
                     FR_STORE_FAILED);
    close(file);
    assert_int_equal(fr_store_matrix_get(f->store, "a", f->arena, &got), FR_STORE_NONE);
    fr_store_matrix_count(f->store, count);
    assert_int_equal(count[FR_MATRIX_QUEUED], 0);
    assert_int_equal(add_matrix(f->store, ID_A, "a"), FR_STORE_OK);
}

/* The server refuses such names; a database that others write may have them. */
MEMORY_TEST(a_name_that_is_the_id_of_another_matrix_hides_nothing)
{
    struct fr_matrix_record got;

    assert_int_equal(add_matrix(f->store, ID_A, "a"), FR_STORE_OK);
    assert_int_equal(add_matrix(f->store, ID_B, ID_A), FR_STORE_OK);
    got = matrix_named(f, f->store, ID_A);
    assert_string_equal(got.id, ID_A);
    assert_string_equal(got.name, "a");
    assert_int_equal(got.ordering_count, matrix_named(f, f->store, "a").ordering_count);
}

/* ---- partitions --------------------------------------------------------------------------- */

static const int64_t one_two_four[] = { 4, 1, 2 };

static struct fr_matrix_task partitions_taken(struct fr_store *store)
{
    struct fr_matrix_task task = { .n = 0 };

    assert_int_equal(fr_store_task_take(store, FR_TASKS_PARTITIONS, &task), FR_STORE_OK);
    return task;
}

static void end_partition(struct fr_store *store, const struct fr_matrix_task *task,
                          int64_t processes, const char *facts, int64_t most_bytes)
{
    const struct fr_partition_record record = {
        .processes = processes,
        .status = FR_MATRIX_READY,
        .summary = { .messages = 7,
                     .words = 6,
                     .most_neighbours = 5,
                     .most_words = 4,
                     .most_rows = 3,
                     .largest_message = 2,
                     .imbalance = 1.5 },
        .seconds = 0.25,
    };

    size_t part = 0;

    while (task->processes[part] != processes)
        part++;
    assert_int_equal(
        fr_store_partition_end(store, task, part, &record, facts, strlen(facts), most_bytes),
        FR_STORE_OK);
}

static bool has_facts(struct fr_store *store, int64_t processes, const char *facts)
{
    char *text = NULL;
    size_t length = 0;
    bool is_same;

    if (fr_store_partition_facts(store, ID_A, "metis", processes, &text, &length) != FR_STORE_OK)
        return false;
    is_same = length == strlen(facts) && memcmp(text, facts, length) == 0;
    free(text);
    return is_same;
}

MEMORY_TEST(partitions_are_found_together_and_kept)
{
    struct fr_partition_record *list, got;
    struct fr_matrix_task task;
    size_t count;

    add_matrix(f->store, ID_A, "small");
    assert_int_equal(fr_store_task_take(f->store, FR_TASKS_PARTITIONS, &task), FR_STORE_NONE);
    assert_int_equal(fr_store_partition_queue(f->store, ID_A, "metis", one_two_four, 3, false),
                     FR_STORE_OK);
    assert_int_equal(fr_store_partition_queue(f->store, "small", "metis", one_two_four, 2, false),
                     FR_STORE_OK);
    assert_int_equal(fr_store_partition_queue(f->store, ID_B, "metis", one_two_four, 1, false),
                     FR_STORE_NONE);
    task = partitions_taken(f->store);
    assert_string_equal(task.id, ID_A);
    assert_string_equal(task.partition, "metis");
    assert_null(task.ordering);
    assert_int_equal(task.n, 5);
    assert_int_equal(task.parts, 3);
    assert_int_equal(task.processes[0], 1);
    assert_int_equal(task.processes[2], 4);
    assert_int_equal(fr_store_task_take(f->store, FR_TASKS_PARTITIONS, &task), FR_STORE_NONE);
    end_partition(f->store, &task, 2, "facts", 100);
    assert_int_equal(fr_store_partition_get(f->store, "small", "metis", 2, f->arena, &got),
                     FR_STORE_OK);
    assert_int_equal(got.status, FR_MATRIX_READY);
    assert_int_equal(got.summary.messages, 7);
    assert_int_equal(got.summary.most_neighbours, 5);
    assert_int_equal(got.summary.largest_message, 2);
    assert_int_equal(got.summary.rows, 5);
    assert_close(got.summary.imbalance, 1.5, 0);
    assert_int_equal(got.bytes, 5);
    assert_true(has_facts(f->store, 2, "facts"));
    assert_false(has_facts(f->store, 1, "facts"));
    assert_int_equal(fr_store_partition_list(f->store, ID_A, NULL, f->arena, &list, &count),
                     FR_STORE_OK);
    assert_int_equal(count, 3);
    assert_int_equal(list[2].processes, 4);
    assert_int_equal(list[2].status, FR_MATRIX_ANALYZING);
    assert_int_equal(fr_store_partition_get(f->store, ID_A, "metis", 3, f->arena, &got),
                     FR_STORE_NONE);
}

MEMORY_TEST(interrupted_partitions_are_queued_again)
{
    struct fr_partition_record got;
    struct fr_matrix_task task;

    add_matrix(f->store, ID_A, "small");
    fr_store_partition_queue(f->store, ID_A, "metis", one_two_four, 3, false);
    task = partitions_taken(f->store);
    end_partition(f->store, &task, 1, "facts", 100);
    assert_int_equal(fr_store_task_return(f->store, &task), FR_STORE_OK);
    for (int i = 0; i < FR_MATRIX_ATTEMPTS; i++) {
        assert_int_equal(partitions_taken(f->store).parts, 2);
        assert_int_equal(fr_store_task_restart(f->store), FR_STORE_OK);
    }
    assert_int_equal(fr_store_task_take(f->store, FR_TASKS_PARTITIONS, &task), FR_STORE_NONE);
    fr_store_partition_get(f->store, ID_A, "metis", 4, f->arena, &got);
    assert_int_equal(got.status, FR_MATRIX_FAILED);
    assert_non_null(strstr(got.reason, "begun 3 times"));
    assert_int_equal(fr_store_partition_retry(f->store, ID_A), FR_STORE_OK);
    assert_int_equal(fr_store_partition_get(f->store, ID_A, "metis", 4, f->arena, &got),
                     FR_STORE_NONE);
    assert_true(has_facts(f->store, 1, "facts"));
}

MEMORY_TEST(the_oldest_facts_make_room_and_are_found_again_if_needed)
{
    struct fr_partition_record got;
    struct fr_matrix_task task;

    add_matrix(f->store, ID_A, "small");
    fr_store_partition_queue(f->store, ID_A, "metis", one_two_four, 3, false); /* 4 is the oldest */
    task = partitions_taken(f->store);
    end_partition(f->store, &task, 1, "four", 10);
    end_partition(f->store, &task, 2, "four", 10);
    end_partition(f->store, &task, 4, "four", 10);
    assert_false(has_facts(f->store, 4, "four"));
    assert_true(has_facts(f->store, 1, "four"));
    assert_true(has_facts(f->store, 2, "four"));
    fr_store_partition_get(f->store, ID_A, "metis", 4, f->arena, &got);
    assert_int_equal(got.status, FR_MATRIX_READY); /* its summary stays */
    assert_int_equal(got.bytes, 0);
    fr_store_partition_queue(f->store, ID_A, "metis", one_two_four, 3, false);
    assert_int_equal(fr_store_task_take(f->store, FR_TASKS_PARTITIONS, &task), FR_STORE_NONE);
    fr_store_partition_queue(f->store, ID_A, "metis", one_two_four, 3, true);
    task = partitions_taken(f->store);
    assert_int_equal(task.parts, 1);
    end_partition(f->store, &task, 4, "four", 10);
    assert_true(has_facts(f->store, 4, "four"));
    assert_false(has_facts(f->store, 1, "four"));
}

MEMORY_TEST(partitions_of_a_deleted_matrix_are_not_wanted)
{
    const struct fr_partition_record record = { .processes = 1,
                                                .status = FR_MATRIX_FAILED,
                                                .reason = "why" };
    struct fr_matrix_task task;

    add_matrix(f->store, ID_A, "small");
    fr_store_partition_queue(f->store, ID_A, "metis", one_two_four, 3, false);
    task = partitions_taken(f->store);
    assert_true(fr_store_task_is_wanted(f->store, &task));
    assert_int_equal(fr_store_matrix_delete(f->store, ID_A), FR_STORE_OK);
    assert_false(fr_store_task_is_wanted(f->store, &task));
    assert_int_equal(fr_store_partition_end(f->store, &task, 0, &record, NULL, 0, 10),
                     FR_STORE_NONE);
}

MEMORY_TEST(fronts_come_back_by_order_and_processes)
{
    const struct sparse_mumps both[] = {
        { .tree = { 3, 4, 10, 9.5 }, .share = { 1, 20, 20, 72, 72 } },
        { .tree = { 3, 4, 10, 9.5 }, .share = { 2, 12, 22, 48, 96 } },
    };
    const struct sparse_mumps other = { .tree = { 1, 1, 1, 1 }, .share = { 2, 1, 1, 1, 1 } };
    struct sparse_mumps found;

    add_matrix(f->store, ID_A, "a");
    assert_int_equal(fr_store_fronts_get(f->store, ID_A, "metis", 2, &found), FR_STORE_NONE);
    assert_int_equal(fr_store_fronts_add(f->store, ID_A, "metis", both, 2), FR_STORE_OK);
    assert_int_equal(fr_store_fronts_add(f->store, ID_A, "metis", &other, 1), FR_STORE_OK);
    assert_int_equal(fr_store_fronts_get(f->store, ID_A, "metis", 2, &found), FR_STORE_OK);
    assert_memory_equal(&found.tree, &both[1].tree, sizeof found.tree);
    assert_memory_equal(&found.share, &both[1].share, sizeof found.share);
    assert_true(found.n > 0 && found.entries > 0);
    assert_int_equal(fr_store_fronts_get(f->store, ID_A, "amd", 2, &found), FR_STORE_NONE);
    assert_int_equal(fr_store_fronts_get(f->store, ID_A, "metis", 4, &found), FR_STORE_NONE);
    assert_int_equal(fr_store_matrix_delete(f->store, ID_A), FR_STORE_OK);
    assert_int_equal(fr_store_fronts_get(f->store, ID_A, "metis", 2, &found), FR_STORE_NONE);
    assert_int_equal(fr_store_fronts_add(f->store, ID_A, "metis", both, 2), FR_STORE_OK);
}
