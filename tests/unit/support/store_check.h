/* A store under test: in memory, or a file in a temporary folder that is removed afterwards. */
#ifndef FR_STORE_CHECK_H
#define FR_STORE_CHECK_H

#include "server/core/log.h"
#include "server/core/process.h"
#include "server/store/store.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/database.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct fixture {
    struct fr_log log;
    struct fr_arena *arena;
    struct fr_store *store; /* open during the test, without a file */
    char folder[64], path[96], copy[96];
};

static inline int open_database(void **state, const char *name)
{
    static struct fixture f;

    f = (struct fixture){ .log = { .level = FR_LOG_ERROR }, .arena = fr_arena_new(1 << 20) };
    f.store = fr_store_open(name, &f.log);
    *state = &f;
    return f.store && f.arena ? 0 : -1;
}

static inline int open_memory(void **state)
{
    return open_database(state, ":memory:");
}

static inline int open_either(void **state)
{
    return open_database(state, fr_test_database());
}

static inline int close_memory(void **state)
{
    struct fixture *f = *state;

    fr_store_close(f->store);
    fr_arena_free(f->arena);
    return 0;
}

static inline int make_folder(void **state)
{
    static struct fixture f;

    f = (struct fixture){ .log = { .level = FR_LOG_ERROR }, .arena = fr_arena_new(8 << 20) };
    snprintf(f.folder, sizeof(f.folder), "%s", "/tmp/test_store.XXXXXX");
    if (!mkdtemp(f.folder))
        return -1;
    snprintf(f.path, sizeof(f.path), "%s/forerun.db", f.folder);
    snprintf(f.copy, sizeof(f.copy), "%s/copy.db", f.folder);
    *state = &f;
    return 0;
}

static inline int remove_folder(void **state)
{
    static const char *const endings[] = { "", "-wal", "-shm", "-journal" };
    struct fixture *f = *state;
    char path[128];

    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        snprintf(path, sizeof(path), "%s%s", f->path, endings[i]);
        unlink(path);
        snprintf(path, sizeof(path), "%s%s", f->copy, endings[i]);
        unlink(path);
    }
    fr_arena_free(f->arena);
    return rmdir(f->folder); /* fails if unexpected files remain */
}

static inline struct fr_store *opened(struct fixture *f, const char *path)
{
    struct fr_store *store = fr_store_open(path, &f->log);

    assert_non_null(store);
    return store;
}

static inline int add(struct fr_store *store, const char *id, const char *machine)
{
    return fr_store_add_calibration(store, id, machine, NULL, "node", "{}", 2);
}

static inline struct fr_machine machine_named(struct fixture *f, struct fr_store *store,
                                              const char *name)
{
    struct fr_machine machine = { 0 };

    assert_int_equal(fr_store_get_machine(store, name, f->arena, &machine), FR_STORE_OK);
    return machine;
}

static inline int64_t calibrations_of(struct fixture *f, struct fr_store *store, const char *name)
{
    const struct fr_arena_mark mark = fr_arena_mark(f->arena);
    const int64_t count = machine_named(f, store, name).calibrations;

    fr_arena_release(f->arena,
                     mark); /* some callers wait for a count, for long on a busy machine */
    return count;
}

static inline void assert_rfc3339(const char *time)
{
    static const char shape[] = "dddd-dd-ddTdd:dd:dd.dddZ";

    assert_int_equal(strlen(time), strlen(shape));
    for (size_t i = 0; shape[i]; i++)
        assert_true(shape[i] == 'd' ? time[i] >= '0' && time[i] <= '9' : time[i] == shape[i]);
}

static inline struct fr_stored_run run_named(const char *id, const char *machine, const char *model)
{
    return (struct fr_stored_run){ .id = id,
                                   .machine = machine,
                                   .model = model,
                                   .parameters = "{}",
                                   .time_s = 1.5,
                                   .document = "{\"a\":1}",
                                   .document_length = 7 };
}

static const char uploaded[] = "\x1f\x8b, as far as the store is concerned";

static inline struct fr_matrix_record record_of(const char *id, const char *name)
{
    struct fr_matrix_record record = {
        .id = id,
        .name = name,
        .format = "matrix_market",
        .field = "real",
        .symmetry = "general",
        .title = "a title",
        .bytes = 124,
        .n = 5,
        .entries = 8,
        .nnz = 9,
        .structural_symmetry = 0.75,
        .lower_bandwidth = 1,
        .upper_bandwidth = 2,
        .zero_diagonals = 3,
        .empty_rows = 4,
        .empty_columns = 5,
        .supernode_max = 128,
        .supernode_relax = 20,
        .ordering = { { .ordering = "metis" }, { .ordering = "natural" } },
        .ordering_count = 2,
    };

    return record;
}

static inline int upload_file(void)
{
    const int file = fr_spool_open("/tmp/x");

    assert_true(file >= 0);
    assert_int_equal(fr_spool_write(file, uploaded, sizeof uploaded), 0);
    return file;
}

/* Of a test that holds for every database, and of one that looks into SQLite. */
#define MEMORY_TEST(name) TEST_OF(name, struct fixture *f, open_either, close_memory)
#define SQLITE_TEST(name) TEST_OF(name, struct fixture *f, open_memory, close_memory)
#define FILE_TEST(name) TEST_OF(name, struct fixture *f, make_folder, remove_folder)

#endif
