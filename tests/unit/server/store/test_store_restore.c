/* Who may use a file, damage that is found, and the way back from a backup. */
#include "server/store/lock.h"
#include "tests/unit/support/store_check.h"

#include <sys/stat.h>
#include <sys/wait.h>

enum { PAGE_BYTES = 4096, MANY = 200, LONG_MS = 60000 };

static int lock(struct fixture *f, enum fr_store_use use)
{
    int held;

    return fr_store_lock(f->path, use, &f->log, &held) == FR_STORE_OK ? held : -1;
}

/* Adds calibrations of machine `m` in a process that then ends as by kill -9, so that its
 * write-ahead log stays. */
static void add_and_die(struct fixture *f, char name)
{
    const pid_t child = fork();
    int status;

    if (child == 0) {
        struct fr_store *store = fr_store_open(f->path, &f->log);
        char id[16];

        for (int i = 0; store && i < MANY; i++) {
            snprintf(id, sizeof id, "%c%d", name, i);
            if (add(store, id, "m") != FR_STORE_OK)
                _exit(1);
        }
        _exit(store ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void back_up(struct fixture *f)
{
    struct fr_store *store = opened(f, f->path);

    assert_int_equal(add(store, "first", "m"), FR_STORE_OK);
    assert_int_equal(fr_store_backup(f->path, f->copy, &f->log), FR_STORE_OK);
    fr_store_close(store);
}

static bool exists(const struct fixture *f, const char *ending)
{
    char path[128];

    snprintf(path, sizeof path, "%s%s", f->path, ending);
    return access(path, F_OK) == 0;
}

static int64_t stored(struct fixture *f)
{
    struct fr_store *store = opened(f, f->path);
    const int64_t count = calibrations_of(f, store, "m");

    fr_store_close(store);
    return count;
}

/* Overwrites the last pages of a file: of all its pages, this share. */
static void damage(const char *path, double share)
{
    FILE *file = fopen(path, "rb+");
    long pages, kept;

    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    pages = ftell(file) / PAGE_BYTES;
    kept = (long)((1 - share) * (double)pages);
    assert_true(kept > 0 && kept < pages);
    assert_int_equal(fseek(file, kept * PAGE_BYTES, SEEK_SET), 0);
    for (long at = kept * PAGE_BYTES; at < pages * PAGE_BYTES; at++)
        fputc(0xa5, file);
    assert_int_equal(fclose(file), 0);
}

FILE_TEST(one_daemon_serves_from_a_file_beside_commands)
{
    int daemon, command;

    assert_int_equal(lock(f, FR_STORE_SERVED), -1); /* there is no file yet */
    fr_store_close(opened(f, f->path));
    daemon = lock(f, FR_STORE_SERVED);
    command = lock(f, FR_STORE_SHARED);
    assert_true(daemon >= 0 && command >= 0);
    assert_int_equal(lock(f, FR_STORE_SERVED), -1);
    assert_int_equal(lock(f, FR_STORE_REPLACED), -1);
    close(daemon);
    assert_int_equal(lock(f, FR_STORE_REPLACED), -1);
    daemon = lock(f, FR_STORE_SERVED);
    assert_true(daemon >= 0);
    close(daemon);
    close(command);
    daemon = lock(f, FR_STORE_REPLACED);
    assert_true(daemon >= 0);
    assert_int_equal(lock(f, FR_STORE_SHARED), -1);
    close(daemon);
}

FILE_TEST(sqlite_drops_no_lock_of_a_daemon)
{
    int daemon;

    fr_store_close(opened(f, f->path));
    daemon = lock(f, FR_STORE_SERVED);
    fr_store_close(opened(f, f->path));
    assert_int_equal(lock(f, FR_STORE_SERVED), -1);
    close(daemon);
}

FILE_TEST(a_restored_file_has_what_the_backup_has_and_no_old_log)
{
    back_up(f);
    add_and_die(f, 'a');
    assert_true(exists(f, "-wal"));
    assert_int_equal(fr_store_restore(f->copy, f->path, &f->log), FR_STORE_OK);
    assert_false(exists(f, "-wal") || exists(f, "-shm") || exists(f, FR_STORE_RESTORED));
    assert_int_equal(fr_store_check(f->path, &f->log), FR_STORE_OK);
    assert_int_equal(stored(f), 1);
}

FILE_TEST(a_backup_is_restored_where_there_was_nothing)
{
    back_up(f);
    assert_int_equal(unlink(f->path), 0);
    assert_int_equal(fr_store_restore(f->copy, f->path, &f->log), FR_STORE_OK);
    assert_int_equal(stored(f), 1);
}

/* Of an operator who is root, so that the daemon can open the file. */
FILE_TEST(a_restored_file_has_the_owner_of_the_old_one_or_of_the_folder)
{
    enum { OF_FILE = 12345, OF_FOLDER = 12346 };
    struct stat about;

    if (geteuid() != 0)
        skip();
    back_up(f);
    assert_int_equal(chown(f->path, OF_FILE, OF_FILE), 0);
    assert_int_equal(chown(f->folder, OF_FOLDER, OF_FOLDER), 0);
    assert_int_equal(fr_store_restore(f->copy, f->path, &f->log), FR_STORE_OK);
    assert_int_equal(stat(f->path, &about), 0);
    assert_true(about.st_uid == OF_FILE && about.st_gid == OF_FILE);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_int_equal(unlink(f->path), 0);
    assert_int_equal(fr_store_restore(f->copy, f->path, &f->log), FR_STORE_OK);
    assert_int_equal(stat(f->path, &about), 0);
    assert_true(about.st_uid == OF_FOLDER && about.st_gid == OF_FOLDER);
}

FILE_TEST(a_file_that_is_used_is_not_replaced)
{
    struct fr_store *store;

    back_up(f);
    store = opened(f, f->path); /* as any program that knows only SQLite's locks */
    assert_int_equal(add(store, "a1", "m"), FR_STORE_OK);
    assert_int_equal(fr_store_restore(f->copy, f->path, &f->log), FR_STORE_FAILED);
    assert_int_equal(calibrations_of(f, store, "m"), 2);
    fr_store_close(store);
    assert_int_equal(stored(f), 2);
}

FILE_TEST(what_is_no_sound_backup_replaces_nothing)
{
    FILE *file;

    back_up(f);
    damage(f->copy, 0.9);
    assert_int_equal(fr_store_restore(f->copy, f->path, &f->log), FR_STORE_FAILED);
    file = fopen(f->copy, "w"); /* an empty file is an empty database to SQLite */
    assert_non_null(file);
    fclose(file);
    assert_int_equal(fr_store_restore(f->copy, f->path, &f->log), FR_STORE_FAILED);
    assert_int_equal(unlink(f->copy), 0);
    assert_int_equal(fr_store_restore(f->copy, f->path, &f->log), FR_STORE_FAILED);
    assert_false(exists(f, FR_STORE_RESTORED));
    assert_int_equal(stored(f), 1);
    assert_int_equal(unlink(f->path), 0);
    assert_int_equal(fr_store_restore(f->copy, f->path, &f->log), FR_STORE_FAILED);
    assert_false(exists(f, ""));
}

FILE_TEST(after_a_restore_that_was_cut_nothing_is_served)
{
    char left[128];
    int daemon;

    back_up(f);
    snprintf(left, sizeof left, "%s" FR_STORE_RESTORED, f->path);
    fclose(fopen(left, "w"));
    assert_int_equal(lock(f, FR_STORE_SERVED), -1);
    assert_int_equal(fr_store_restore(f->copy, f->path, &f->log), FR_STORE_OK);
    daemon = lock(f, FR_STORE_SERVED);
    assert_true(daemon >= 0);
    close(daemon);
}

static const char large[8 << 20];

static void add_large(struct fr_store *store, const char *id)
{
    assert_int_equal(fr_store_add_calibration(store, id, "m", NULL, "node", large, sizeof large),
                     FR_STORE_OK);
}

FILE_TEST(damage_is_found_and_not_backed_up)
{
    struct fr_stored_calibration newest;
    struct fr_store *store;

    store = opened(f, f->path);
    add_large(store, "a");
    fr_store_close(store);
    assert_int_equal(fr_store_check(f->path, &f->log), FR_STORE_OK);
    assert_int_equal(fr_store_check_quickly(f->path, LONG_MS, &f->log), FR_STORE_OK);
    damage(f->path, 0.5); /* the document */
    assert_int_equal(fr_store_check(f->path, &f->log), FR_STORE_FAILED);
    assert_int_equal(fr_store_check_quickly(f->path, LONG_MS, &f->log), FR_STORE_FAILED);
    store = opened(f, f->path);
    assert_int_equal(fr_store_newest_calibration(store, "m", f->arena, &newest), FR_STORE_FAILED);
    assert_int_equal(fr_store_failure(store), FR_STORE_DAMAGED);
    assert_int_equal(fr_store_backup(f->path, f->copy, &f->log), FR_STORE_FAILED);
    assert_int_equal(access(f->copy, F_OK), -1);
    fr_store_close(store);
}

/* What `cp backup.db forerun.db` does after a crash: SQLite applies the log of another file. */
FILE_TEST(the_log_of_another_file_is_found_and_kept)
{
    char command[300];

    back_up(f);
    add_and_die(f, 'a');
    snprintf(command, sizeof command, "cp %s %s", f->copy, f->path);
    /* The copy is of another moment: its pages and those of the log do not fit. */
    damage(f->copy, 0.9);
    assert_int_equal(system(command), 0);
    assert_int_equal(fr_store_check_quickly(f->path, LONG_MS, &f->log), FR_STORE_FAILED);
    assert_true(exists(f, "-wal"));
}

FILE_TEST(a_quick_check_ends_in_time)
{
    struct fr_store *store = opened(f, f->path);

    for (char id[] = "a"; *id <= 'p'; ++*id)
        add_large(store, id);
    fr_store_close(store);
    damage(f->path, 0.01);
    assert_int_equal(fr_store_check_quickly(f->path, 0, &f->log), FR_STORE_OK);
    assert_int_equal(fr_store_check_quickly(f->path, LONG_MS, &f->log), FR_STORE_FAILED);
}
