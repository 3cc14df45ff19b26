/* A store file with several connections: threads that write, copies made meanwhile. */
#include "tests/unit/support/store_check.h"

#include <pthread.h>

struct writer {
    struct fixture *f;
    char name;
    int written;
};
enum { WRITERS = 4, WRITES = 60 };

/* Opens the file itself: making and migrating a new one is part of the race. */
static void *write_many(void *argument)
{
    struct writer *writer = argument;
    struct fr_store *store = fr_store_open(writer->f->path, &writer->f->log);
    char id[16];

    for (int i = 0; store && i < WRITES; i++) {
        snprintf(id, sizeof(id), "%c%d", writer->name, i);
        writer->written += add(store, id, "m") == FR_STORE_OK;
    }
    fr_store_close(store);
    return NULL;
}

FILE_TEST(concurrent_writers_lose_nothing)
{
    struct writer writer[WRITERS];
    pthread_t thread[WRITERS];
    struct fr_store *store;

    for (int i = 0; i < WRITERS; i++) {
        writer[i] = (struct writer){ .f = f, .name = (char)('a' + i) };
        assert_int_equal(pthread_create(&thread[i], NULL, write_many, &writer[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(writer[i].written, WRITES);
    }
    store = opened(f, f->path);
    assert_int_equal(calibrations_of(f, store, "m"), WRITERS * WRITES);
    fr_store_close(store);
}

FILE_TEST(a_backup_during_writes_is_one_moment_of_the_store)
{
    struct fr_store *store = opened(f, f->path), *copy;
    struct writer writer = { .f = f, .name = 'a' };
    struct fr_stored_calibration newest;
    pthread_t thread;
    int64_t count;

    add(store, "first", "m");
    assert_int_equal(pthread_create(&thread, NULL, write_many, &writer), 0);
    while (calibrations_of(f, store, "m") < 10)
        ;
    assert_int_equal(fr_store_backup(f->path, f->copy, &f->log), FR_STORE_OK);
    pthread_join(thread, NULL);
    assert_int_equal(calibrations_of(f, store, "m"), WRITES + 1);
    fr_store_close(store);

    /* Every upload up to some moment, and none after it. */
    copy = opened(f, f->copy);
    count = calibrations_of(f, copy, "m");
    assert_in_range(count, 10, WRITES + 1);
    assert_int_equal(fr_store_newest_calibration(copy, "m", f->arena, &newest), FR_STORE_OK);
    assert_int_equal(atoi(newest.id + 1), count - 2);
    assert_int_equal(add(copy, "later", "m"), FR_STORE_OK);
    fr_store_close(copy);
}

FILE_TEST(a_backup_overwrites_nothing)
{
    struct fr_store *store = opened(f, f->path);

    add(store, "a1", "m");
    assert_int_equal(fr_store_backup(f->path, f->path, &f->log), FR_STORE_EXISTS);
    assert_int_equal(fr_store_backup(f->path, "/nonexistent/copy.db", &f->log), FR_STORE_FAILED);
    assert_int_equal(calibrations_of(f, store, "m"), 1);
    fr_store_close(store);
}
