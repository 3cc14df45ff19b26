/* The store as a file: reopened, private, refused where it is not ours, on a full disk. */
#include "server/store/sqlite/sqlite.h"
#include "tests/unit/support/older_file.h"
#include "tests/unit/support/store_check.h"

#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* Where SQLite's file format keeps user_version: 4 bytes, big-endian. */
enum { VERSION_OFFSET = 60 };

static uint32_t file_version(const char *path)
{
    unsigned char bytes[4] = { 0 };
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    assert_int_equal(fseek(file, VERSION_OFFSET, SEEK_SET), 0);
    assert_int_equal(fread(bytes, 1, 4, file), 4);
    fclose(file);
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void write_at(const char *path, long offset, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "rb+");

    assert_non_null(file);
    assert_int_equal(fseek(file, offset, SEEK_SET), 0);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

FILE_TEST(what_was_stored_is_there_after_reopening)
{
    struct fr_store *store = opened(f, f->path);

    assert_int_equal(add(store, "a1", "m"), FR_STORE_OK);
    fr_store_close(store);
    store = opened(f, f->path);
    assert_int_equal(add(store, "a1", "m"), FR_STORE_EXISTS);
    assert_int_equal(calibrations_of(f, store, "m"), 1);
    fr_store_close(store);
}

FILE_TEST(a_commit_is_on_the_disk_before_it_is_acknowledged)
{
    enum { FULL = 2 }; /* https://sqlite.org/pragma.html#pragma_synchronous */
    struct fr_store *store = opened(f, f->path);
    sqlite3_stmt *statement;

    assert_int_equal(
        sqlite3_prepare_v2(fr_sqlite_of(store)->db, "PRAGMA synchronous", -1, &statement, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(statement, 0), FULL);
    sqlite3_finalize(statement);
    fr_store_close(store);
}

FILE_TEST(a_file_deleted_underneath_takes_no_more_writes)
{
    struct fr_store *store = opened(f, f->path);

    assert_null(fr_store_trouble(store));
    assert_int_equal(unlink(f->path), 0);
    assert_non_null(strstr(fr_store_trouble(store), "moved or deleted"));
    assert_int_equal(add(store, "a1", "m"), FR_STORE_FAILED);
    fr_store_close(store);
}

FILE_TEST(a_new_file_has_been_through_every_migration)
{
    glob_t steps;

    if (glob("server/store/sqlite/migrations/[0-9]*.sql", 0, NULL, &steps) != 0)
        skip(); /* not run from the project's root */
    fr_store_close(opened(f, f->path));
    assert_int_equal(file_version(f->path), steps.gl_pathc);
    globfree(&steps);
}

FILE_TEST(only_the_owner_may_read_a_new_file)
{
    struct fr_store *store = opened(f, f->path);
    struct stat about;

    assert_int_equal(fr_store_backup(f->path, f->copy, &f->log), FR_STORE_OK);
    assert_int_equal(stat(f->path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_int_equal(stat(f->copy, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    fr_store_close(store);
}

FILE_TEST(a_file_of_a_newer_program_is_refused_and_left_alone)
{
    static const unsigned char version[4] = { 0, 0, 3, 231 };

    fr_store_close(opened(f, f->path));
    write_at(f->path, VERSION_OFFSET, version, sizeof(version));
    assert_null(fr_store_open(f->path, &f->log));
    assert_int_equal(file_version(f->path), 999);
}

FILE_TEST(a_file_that_is_no_store_is_refused)
{
    fclose(fopen(f->path, "w"));
    write_at(f->path, 0, "These are a poet's notes, not a database, and must stay so.\n", 60);
    assert_null(fr_store_open(f->path, &f->log));
    assert_null(fr_store_open("/nonexistent/forerun.db", &f->log));
    assert_null(fr_store_open("", &f->log));
}

static const char large_document[3 << 20];

static int add_large(struct fr_store *store, const char *id, const char *machine)
{
    return fr_store_add_calibration(store, id, machine, NULL, "node", large_document,
                                    sizeof(large_document));
}

/* A limit on the size of files, of which the large document is too much, stands in for a full
 * disk.  Returns the limit to set again. */
static struct rlimit fill_disk(void)
{
    struct rlimit before, small;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){ .rlim_cur = 1 << 20, .rlim_max = before.rlim_max };
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    return before;
}

static void free_disk(struct rlimit before)
{
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
}

FILE_TEST(a_failed_write_leaves_nothing_half_written)
{
    struct fr_store *store = opened(f, f->path);
    struct fr_machine machine;
    struct rlimit before;

    add(store, "a1", "m");
    before = fill_disk();
    assert_int_equal(add_large(store, "b1", "new"), FR_STORE_FAILED);
    assert_int_equal(fr_store_failure(store), FR_STORE_FULL);
    free_disk(before);
    assert_int_equal(fr_store_get_machine(store, "new", f->arena, &machine), FR_STORE_NONE);
    assert_int_equal(calibrations_of(f, store, "m"), 1);
    assert_int_equal(add(store, "b1", "new"), FR_STORE_OK); /* and it goes on working */
    fr_store_close(store);
}

/* SQLite may be built to take such a name for a URI. */
FILE_TEST(a_name_that_looks_like_a_uri_is_that_of_a_file)
{
    static const char name[] = "file:copy.db?mode=memory";
    struct fr_store *store = opened(f, f->path), *copy;
    const int before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    add(store, "a1", "m");
    fr_store_close(store);
    assert_int_equal(chdir(f->folder), 0);
    assert_int_equal(fr_store_backup(f->path, name, &f->log), FR_STORE_OK);
    copy = opened(f, name);
    assert_int_equal(calibrations_of(f, copy, "m"), 1);
    fr_store_close(copy);
    assert_int_equal(unlink(name), 0);
    assert_int_equal(fchdir(before), 0);
    close(before);
}

FILE_TEST(a_failed_backup_leaves_no_file)
{
    struct fr_store *store = opened(f, f->path);
    struct rlimit before;

    assert_int_equal(add_large(store, "a1", "m"), FR_STORE_OK);
    before = fill_disk();
    assert_int_equal(fr_store_backup(f->path, f->copy, &f->log), FR_STORE_FAILED);
    free_disk(before);
    assert_int_equal(access(f->copy, F_OK), -1);
    fr_store_close(store);
}

/* ---- an older file ------------------------------------------------------------------------ */

/* As it was before a matrix had structures with several limits. */
static const char matrix_rows[] =
    "INSERT INTO matrices VALUES (4, '00000000000000aa', 'old', "
    "'2026-01-01T00:00:00.000Z', 'matrix_market', 'real', 'general', '', 9, 5, 9, "
    "9, 1, 1, 1, 0, 0, 0, 5, 'identity', 32, 8);"
    "INSERT INTO matrix_orderings VALUES (7, 4, 'metis', 'ready', 0, NULL, 2, 23, "
    "21, 2, 1, 56, 2.5, 0.5, 0.25, 0.125), (8, 4, 'amd', 'failed', 0, 'why', 0, "
    "0, 0, 0, 0, 0, 0, 0, 0, 0), (9, 4, 'natural', 'queued', 0, NULL, 0, 0, 0, 0, "
    "0, 0, 0, 0, 0, 0);"
    "INSERT INTO matrix_structures VALUES (7, x'465242530102')";

FILE_TEST(structures_of_an_older_file_keep_their_limits)
{
    const struct sparse_structure_key key = { "metis", "auto", 32, 8 };
    struct fr_matrix_record matrix;
    struct fr_matrix_task task;
    char id[FR_MATRIX_ID_BYTES];
    struct fr_store *store;
    unsigned char *bytes;
    size_t length;

    write_older_file(f->path, 6, matrix_rows);
    store = opened(f, f->path);
    assert_int_equal(fr_store_matrix_get(store, "old", f->arena, &matrix), FR_STORE_OK);
    assert_int_equal(matrix.ordering_count, 3);
    assert_int_equal(matrix.other_count, 0);
    assert_int_equal(matrix.ordering[0].supernode_max, 32);
    assert_int_equal(matrix.ordering[0].supernode_relax, 8);
    assert_close(matrix.ordering[0].symbolic_s, 0.25, 0);
    assert_string_equal(matrix.ordering[1].reason, "why");
    assert_int_equal(fr_store_structure_get(store, "old", &key, id, &bytes, &length), FR_STORE_OK);
    assert_int_equal(length, 6);
    assert_memory_equal(bytes, "FRBS\x01\x02", 6);
    free(bytes);
    assert_int_equal(fr_store_task_take(store, FR_TASKS_NATURAL, &task), FR_STORE_OK);
    assert_string_equal(task.ordering, "natural");
    assert_int_equal(task.supernode_max, 32);
    /* The same again is the same; other limits are another structure. */
    assert_int_equal(fr_store_matrix_queue(store, matrix.id, &key), FR_STORE_NONE);
    assert_int_equal(
        fr_store_matrix_queue(store, matrix.id,
                              &(struct sparse_structure_key){ "metis", "auto", 64, 8 }),
        FR_STORE_OK);
    assert_int_equal(fr_store_matrix_delete(store, matrix.id), FR_STORE_OK);
    assert_int_equal(fr_store_structure_get(store, "old", &key, id, &bytes, &length),
                     FR_STORE_NONE);
    fr_store_close(store);
    assert_int_equal(fr_store_check(f->path, &f->log), FR_STORE_OK);
}

/* Or the program that made the file could not go back to the backup. */
FILE_TEST(a_backup_of_an_older_file_is_as_old)
{
    write_older_file(f->path, 6, matrix_rows);
    assert_int_equal(fr_store_backup(f->path, f->copy, &f->log), FR_STORE_OK);
    assert_int_equal(file_version(f->path), 6);
    assert_int_equal(file_version(f->copy), 6);
}

FILE_TEST(a_file_of_every_older_schema_is_brought_up_to_date)
{
    int version, newest = 1;

    for (int older = 1; older < newest || older == 1; older++) {
        struct fr_store *store;

        write_older_file(f->path, older,
                         "INSERT INTO machines VALUES ('m', 'old', '{}', "
                         "'2026-01-01T00:00:00.000Z')");
        store = opened(f, f->path);
        assert_string_equal(machine_named(f, store, "m").description, "old");
        assert_int_equal(add(store, "c1", "m"), FR_STORE_OK);
        assert_int_equal(calibrations_of(f, store, "m"), 1);
        fr_store_close(store);
        assert_int_equal(fr_store_schema(f->path, &f->log, &version, &newest), FR_STORE_OK);
        assert_int_equal(version, newest);
        assert_int_equal(fr_store_check(f->path, &f->log), FR_STORE_OK);
        assert_int_equal(unlink(f->path), 0);
    }
}

static char *whole_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *bytes;

    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *length = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(*length);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *length, file), *length);
    fclose(file);
    return bytes;
}

static void assert_read_unchanged(struct fixture *f)
{
    size_t length, length_after;
    char *before = whole_file(f->path, &length), *after;
    struct fr_store *store = fr_store_open_unchanged(f->path, &f->log);

    assert_non_null(store);
    assert_string_equal(machine_named(f, store, "m").description, "old");
    assert_int_equal(calibrations_of(f, store, "m"), 1);
    fr_store_close(store);
    after = whole_file(f->path, &length_after);
    assert_int_equal(length_after, length);
    assert_memory_equal(after, before, length);
    free(before);
    free(after);
}

FILE_TEST(a_file_that_is_only_read_stays_as_it_was)
{
    struct fr_store *store;

    write_older_file(f->path, 5,
                     "INSERT INTO machines VALUES ('m', 'old', '{}', '2026-01-01T00:00:00.000Z');"
                     "INSERT INTO calibrations VALUES (1, 'c1', 'm', NULL, "
                     "'2026-01-01T00:00:00.000Z', 'node', '{}')");
    assert_read_unchanged(f); /* the copy of a file without a write-ahead log */
    assert_int_equal(file_version(f->path), 5);
    fr_store_close(opened(f, f->path));
    assert_read_unchanged(f);
    f->log.level = -1; /* what fails here fails on purpose */
    store = fr_store_open_unchanged(f->path, &f->log);
    assert_non_null(store);
    assert_int_equal(add(store, "c2", "m"), FR_STORE_FAILED);
    fr_store_close(store);
    assert_null(fr_store_open_unchanged(f->copy, &f->log)); /* and makes none */
}
