/* What a token keeps, and whose analysis is next. */
#include "tests/unit/support/store_check.h"

#include <string.h>

/* Adds a token and returns its sequence. */
static int64_t token_named(struct fixture *f, const char *name, int64_t keep_bytes)
{
    const struct fr_token token = {
        .name = name, .scope = "write", .machines = "", .note = "", .keep_bytes = keep_bytes
    };
    struct fr_token found;

    assert_int_equal(fr_store_add_token(f->store, &token, name), FR_STORE_OK);
    assert_int_equal(fr_store_find_token(f->store, name, f->arena, &found), FR_STORE_OK);
    assert_int_equal(found.keep_bytes, keep_bytes);
    return found.sequence;
}

static int64_t kept_by(struct fixture *f, const char *name)
{
    struct fr_token found;

    assert_int_equal(fr_store_find_token(f->store, name, f->arena, &found), FR_STORE_OK);
    return found.kept_bytes;
}

static void write_as(struct fixture *f, int64_t client, int64_t keep_bytes)
{
    fr_store_set_author(f->store,
                        &(struct fr_author){ .client = client, .keep_bytes = keep_bytes });
}

static int add_document(struct fixture *f, const char *id, size_t length)
{
    char document[100];

    memset(document, ' ', sizeof document);
    return fr_store_add_calibration(f->store, id, "m", NULL, "node", document, length);
}

/* Of 7 and 8 bytes. */
static int add_runs(struct fixture *f, const char *first, const char *second)
{
    struct fr_stored_run runs[] = { run_named(first, "m", "cg"), run_named(second, "m", "cg") };
    bool is_new[2];

    runs[1].document = "{\"a\":12}";
    runs[1].document_length = 8;
    return fr_store_add_runs(f->store, runs, 2, is_new);
}

static int add_matrix(struct fixture *f, const char *id, const char *ordering)
{
    struct fr_matrix_record record = record_of(id, id);
    const int file = upload_file();
    int result;

    record.ordering[0].ordering = ordering;
    record.ordering_count = 1;
    result = fr_store_matrix_add(f->store, &record, "spy", 3, file, sizeof uploaded);
    close(file);
    return result;
}

MEMORY_TEST(what_a_token_uploads_counts_until_it_is_deleted)
{
    const int64_t ann = token_named(f, "ann", FR_KEEP_USUAL);
    const int64_t jo = token_named(f, "jo", FR_KEEP_USUAL);

    write_as(f, ann, 0);
    assert_int_equal(add_document(f, "c1", 30), FR_STORE_OK);
    assert_int_equal(add_document(f, "c1", 30), FR_STORE_EXISTS);
    assert_int_equal(kept_by(f, "ann"), 30);
    assert_int_equal(add_runs(f, "r1", "r2"), FR_STORE_OK);
    assert_int_equal(kept_by(f, "ann"), 45);
    write_as(f, jo, 0);
    assert_int_equal(add_runs(f, "r2", "r3"), FR_STORE_OK); /* r2 is ann's */
    assert_int_equal(kept_by(f, "jo"), 8);
    assert_int_equal(add_matrix(f, "00000000000000aa", "metis"), FR_STORE_OK);
    assert_int_equal(kept_by(f, "jo"), 8 + sizeof uploaded);
    assert_int_equal(fr_store_delete_run(f->store, "r1"), FR_STORE_OK);
    assert_int_equal(kept_by(f, "ann"), 38);
    assert_int_equal(fr_store_matrix_delete(f->store, "00000000000000aa"), FR_STORE_OK);
    assert_int_equal(kept_by(f, "jo"), 8);
    assert_int_equal(fr_store_delete_machine(f->store, "m", true), FR_STORE_OK);
    assert_int_equal(kept_by(f, "ann"), 0);
    assert_int_equal(kept_by(f, "jo"), 0);
}

MEMORY_TEST(what_has_no_room_is_refused_with_the_figures)
{
    const int64_t ann = token_named(f, "ann", FR_KEEP_USUAL);
    struct fr_store_quota quota;

    write_as(f, ann, 40);
    assert_int_equal(add_document(f, "c1", 30), FR_STORE_OK);
    assert_int_equal(add_runs(f, "r1", "r2"), FR_STORE_FAILED);
    assert_int_equal(fr_store_failure(f->store), FR_STORE_QUOTA);
    quota = fr_store_quota(f->store);
    assert_int_equal(quota.kept, 30);
    assert_int_equal(quota.limit, 40);
    assert_int_equal(quota.more, 15);
    assert_int_equal(machine_named(f, f->store, "m").runs, 0);
    assert_int_equal(add_matrix(f, "00000000000000aa", "metis"), FR_STORE_FAILED);
    assert_int_equal(fr_store_failure(f->store), FR_STORE_QUOTA);
    assert_int_equal(kept_by(f, "ann"), 30);
    assert_int_equal(add_document(f, "c2", 10), FR_STORE_OK); /* exactly */
    assert_int_equal(add_document(f, "c3", 1), FR_STORE_FAILED);
    assert_int_equal(add_document(f, "c1", 30), FR_STORE_EXISTS);
    assert_int_equal(fr_store_delete_calibration(f->store, "c2"), FR_STORE_OK);
    assert_int_equal(add_document(f, "c3", 1), FR_STORE_OK);
}

MEMORY_TEST(a_token_may_have_a_limit_of_its_own)
{
    const int64_t small = token_named(f, "small", 5), any = token_named(f, "any", 0);

    write_as(f, small, 1000);
    assert_int_equal(add_document(f, "c1", 6), FR_STORE_FAILED);
    assert_int_equal(fr_store_quota(f->store).limit, 5);
    write_as(f, any, 1);
    assert_int_equal(add_document(f, "c1", 6), FR_STORE_OK);
    write_as(f, 0, 1); /* a subcommand */
    assert_int_equal(add_document(f, "c2", 6), FR_STORE_OK);
    write_as(f, -7, 1); /* an address */
    assert_int_equal(add_document(f, "c3", 6), FR_STORE_OK);
}

/* The ids of the matrices that are next, in their order, as their last digits. */
static void assert_next(struct fixture *f, const char *order)
{
    for (; *order; order++) {
        struct fr_matrix_task task;

        assert_int_equal(fr_store_task_take(f->store, FR_TASKS_ORDERINGS, &task), FR_STORE_OK);
        assert_int_equal(task.id[15], *order);
    }
}

static void queue_for(struct fixture *f, int64_t client, const char *digits)
{
    write_as(f, client, 0);
    for (; *digits; digits++) {
        char id[] = "000000000000000x";

        id[15] = *digits;
        assert_int_equal(add_matrix(f, id, "metis"), FR_STORE_OK);
    }
}

MEMORY_TEST(clients_take_turns)
{
    struct fr_matrix_task task;

    queue_for(f, -1, "0123");
    queue_for(f, -2, "45");
    assert_next(f, "041");  /* 5 has the turn of 1, which came before */
    queue_for(f, -3, "67"); /* waits for nobody's second one */
    assert_next(f, "562");
    queue_for(f, -2, "8");
    assert_next(f, "783");
    assert_int_equal(fr_store_task_take(f->store, FR_TASKS_ORDERINGS, &task), FR_STORE_NONE);
    /* Who has waited for nothing has saved up nothing. */
    queue_for(f, -1, "9");
    queue_for(f, -3, "ab");
    queue_for(f, -1, "c");
    assert_next(f, "9abc");
}

MEMORY_TEST(natural_orderings_have_turns_of_their_own)
{
    struct fr_matrix_task task;

    write_as(f, -1, 0);
    assert_int_equal(add_matrix(f, "000000000000000d", "natural"), FR_STORE_OK);
    queue_for(f, -1, "012");
    assert_next(f, "01");
    queue_for(f, -2, "34");
    assert_next(f, "234");
    assert_int_equal(fr_store_task_take(f->store, FR_TASKS_NATURAL, &task), FR_STORE_OK);
    assert_int_equal(task.id[15], 'd');
}

MEMORY_TEST(partitions_take_turns_too)
{
    static const int64_t one = 1;
    struct fr_matrix_task task;

    queue_for(f, -1, "012");
    for (char digit = '0'; digit < '3'; digit++) {
        char id[] = "000000000000000x";

        id[15] = digit;
        write_as(f, digit == '2' ? -5 : -1, 0);
        assert_int_equal(fr_store_partition_queue(f->store, id, "metis", &one, 1, false),
                         FR_STORE_OK);
    }
    for (const char *order = "021"; *order; order++) {
        assert_int_equal(fr_store_task_take(f->store, FR_TASKS_PARTITIONS, &task), FR_STORE_OK);
        assert_int_equal(task.id[15], *order);
    }
}
