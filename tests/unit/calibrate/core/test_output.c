/* Where the calibrator's documents go: files are replaced, what is none is written to. */
#include "tests/unit/support/check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibrations/calibrate/core/document.h"

static char folder[] = "/tmp/forerun-output-XXXXXX";
static char paths[4][100];

/* A path in the folder; up to four are good at a time. */
static const char *path_of(const char *name)
{
    static int next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static int begin_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int end_folder(void **state)
{
    static const char *const names[] = { "out", "target", "other", "below/target" };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(path_of(names[i]));
    rmdir(path_of("below"));
    /* Fails where a temporary file was left. */
    assert_int_equal(rmdir(folder), 0);
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    return 0;
}

static void assert_text(const char *path, const char *expected)
{
    char *text;
    size_t length = 0;

    text = fr_output_read(path, &length);
    assert_non_null(text);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(text, expected, length);
    free(text);
}

static void assert_check(const char *path, int expected)
{
    errno = 0;
    assert_int_equal(fr_output_check(path), expected ? -1 : 0);
    assert_int_equal(expected ? errno : 0, expected);
}

#define IN_FOLDER(name) TEST_WITH(name, begin_folder, end_folder)

/* Before measuring; no file is made or left by it, which the end of the folder proves. */
IN_FOLDER(it_is_told_whether_a_place_can_be_written)
{
    assert_check("-", 0);
    assert_check("/dev/null", 0);
    assert_check(path_of("out"), 0);
    assert_int_equal(fr_output_write(path_of("out"), "x", 1), 0);
    assert_check(path_of("out"), 0);
    assert_text(path_of("out"), "x");
    assert_check(folder, EISDIR);
    assert_check(path_of("missing/out"), ENOENT);
    assert_check(path_of("out/below"), ENOTDIR);
    assert_int_equal(symlink("other", path_of("target")), 0);
    assert_check(path_of("target"), 0);
}

IN_FOLDER(a_device_is_no_file)
{
    assert_true(fr_output_is_file(path_of("out")));
    assert_int_equal(fr_output_write(path_of("out"), "x", 1), 0);
    assert_true(fr_output_is_file(path_of("out")));
    assert_false(fr_output_is_file("/dev/null"));
    assert_false(fr_output_is_file("-"));
}

static mode_t kind_of(const char *path)
{
    struct stat file;

    assert_int_equal(lstat(path, &file), 0);
    return file.st_mode & S_IFMT;
}

static void put(const char *path, const char *text)
{
    assert_int_equal(fr_output_write(path, text, strlen(text)), 0);
}

IN_FOLDER(a_file_is_begun_and_replaced)
{
    const char *out = path_of("out");
    struct stat before, after;

    put(out, "a longer first text\n");
    assert_text(out, "a longer first text\n");
    assert_int_equal(stat(out, &before), 0);
    assert_int_equal(link(out, path_of("other")), 0);
    put(out, "second\n");
    assert_text(out, "second\n");
    /* Another file in its place: who reads the old one reads all of it. */
    assert_int_equal(stat(out, &after), 0);
    assert_int_not_equal(before.st_ino, after.st_ino);
    assert_text(path_of("other"), "a longer first text\n");
}

IN_FOLDER(a_link_stays_and_what_it_leads_to_is_replaced)
{
    const char *out = path_of("out"), *target = path_of("below/target");
    struct stat before, after;

    assert_int_equal(mkdir(path_of("below"), 0777), 0);
    put(target, "old\n");
    assert_int_equal(stat(target, &before), 0);
    assert_int_equal(symlink("below/target", out), 0);
    put(out, "new\n");
    assert_int_equal(kind_of(out), S_IFLNK);
    assert_int_equal(kind_of(target), S_IFREG);
    assert_text(target, "new\n");
    assert_int_equal(stat(target, &after), 0);
    assert_int_not_equal(before.st_ino, after.st_ino);
}

IN_FOLDER(a_link_to_no_file_begins_one)
{
    const char *out = path_of("out");

    assert_int_equal(symlink("target", out), 0);
    put(out, "new\n");
    assert_int_equal(kind_of(out), S_IFLNK);
    assert_text(path_of("target"), "new\n");
    unlink(out);
    assert_int_equal(symlink("nowhere/target", out), 0);
    assert_int_equal(fr_output_write(out, "new\n", 4), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(kind_of(out), S_IFLNK);
}

IN_FOLDER(a_fifo_is_written_to)
{
    const char *out = path_of("out");
    char text[20] = "";
    int reader;

    assert_int_equal(mkfifo(out, 0666), 0);
    assert_int_equal(symlink("out", path_of("other")), 0);
    reader = open(out, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    put(out, "one ");
    put(path_of("other"), "two");
    assert_int_equal(kind_of(out), S_IFIFO);
    assert_int_equal(kind_of(path_of("other")), S_IFLNK);
    assert_int_equal(read(reader, text, sizeof text - 1), 7);
    assert_string_equal(text, "one two");
    close(reader);
}

/* A terminal of its own, in whose folder no file can be made: a mistake here costs nobody a device.
 */
IN_FOLDER(a_device_is_written_to)
{
    const char *out = path_of("out");
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    char text[20] = "";

    if (terminal < 0)
        skip();
    assert_int_equal(grantpt(terminal), 0);
    assert_int_equal(unlockpt(terminal), 0);
    assert_int_equal(symlink(ptsname(terminal), out), 0);
    put(ptsname(terminal), "one ");
    put(out, "two");
    assert_int_equal(kind_of(out), S_IFLNK);
    assert_int_equal(kind_of(ptsname(terminal)), S_IFCHR);
    /* A busy kernel may hand the two writes over one after the other. */
    for (size_t got = 0; got < 7;) {
        const ssize_t more = read(terminal, text + got, sizeof text - 1 - got);

        assert_true(more > 0);
        got += (size_t)more;
    }
    assert_string_equal(text, "one two");
    close(terminal);
}

/* As /dev/stdout is; by a link of this test's, which alone a mistake would cost. */
IN_FOLDER(standard_output_by_another_name_is_added_to)
{
    const char *out = path_of("out");
    int file, saved, status;

    put(out, "there before\n");
    assert_int_equal(symlink("/proc/self/fd/1", path_of("other")), 0);
    file = open(out, O_WRONLY | O_APPEND);
    fflush(stdout);
    saved = dup(STDOUT_FILENO);
    dup2(file, STDOUT_FILENO);
    status = fr_output_write(path_of("other"), "added\n", 6);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(file);
    assert_int_equal(status, 0);
    assert_text(out, "there before\nadded\n");
}

IN_FOLDER(what_cannot_be_written_is_said)
{
    assert_int_equal(fr_output_write(folder, "x", 1), -1);
    assert_int_equal(errno, EISDIR);
    assert_int_equal(fr_output_write(path_of("missing/out"), "x", 1), -1);
    assert_int_equal(errno, ENOENT);
}
