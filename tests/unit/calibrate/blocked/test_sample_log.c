/* The log of samples from which a calibration resumes. */
#include "tests/unit/support/blocked.h"
#include "tests/unit/support/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibrations/calibrate/blocked/modeling.h"

static char why[160];

static char path[] = "/tmp/forerun-samples-XXXXXX";

static int begin_file(void **state)
{
    const int file = mkstemp(path);

    (void)state;
    return file < 0 ? -1 : close(file);
}

static int end_file(void **state)
{
    (void)state;
    unlink(path);
    strcpy(path + strlen(path) - 6, "XXXXXX");
    return 0;
}

static struct blocked_sample sample_at(int64_t m, int64_t n)
{
    return (struct blocked_sample){ .at = { m, n }, .time_s = { 1e-6, 1e-5 / 3, 3e-6, 4e-6, 0 } };
}

static void write_text(const char *text, const char *mode)
{
    FILE *file = fopen(path, mode);

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void add_one(struct fr_sample_log *samples, const char *routine, const char *flags,
                    int threads, bool is_cold, int64_t m)
{
    const struct blocked_kernel kernel = blocked_kernel_named(routine, flags);
    const struct blocked_sample sample = sample_at(m, kernel.routine->sizes > 1 ? 16 : 0);

    assert_int_equal(fr_sample_log_add(samples, &kernel, threads, is_cold, &sample), 0);
}

/* Opens the log, compares the first sizes of its samples with a list such as "8 24", closes it. */
static void assert_found(const char *routine, const char *flags, int threads, bool is_cold,
                         const char *sizes)
{
    const struct blocked_kernel kernel = blocked_kernel_named(routine, flags);
    struct fr_sample_log samples;
    struct blocked_sample *found;
    char text[100] = "";
    size_t count;

    assert_int_equal(fr_sample_log_open(&samples, path, why), 0);
    found = fr_sample_log_find(&samples, &kernel, threads, is_cold, &count);
    for (size_t i = 0; i < count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", i ? " " : "",
                 (int)found[i].at[0]);
    free(found);
    fr_sample_log_close(&samples);
    assert_string_equal(text, sizes);
}

#define ON_FILE(name) TEST_WITH(name, begin_file, end_file)

ON_FILE(samples_come_back_as_they_were)
{
    const struct blocked_kernel kernel = blocked_kernel_named("dtrsm", "LLNN");
    const struct blocked_sample wanted = sample_at(24, 1016);
    struct fr_sample_log samples;
    struct blocked_sample *found;
    size_t count;

    assert_int_equal(fr_sample_log_open(&samples, path, why), 0);
    assert_int_equal(fr_sample_log_add(&samples, &kernel, 1, false, &wanted), 0);
    fr_sample_log_close(&samples);
    assert_int_equal(fr_sample_log_open(&samples, path, why), 0);
    found = fr_sample_log_find(&samples, &kernel, 1, false, &count);
    assert_int_equal(count, 1);
    assert_memory_equal(found, &wanted, sizeof wanted);
    free(found);
    fr_sample_log_close(&samples);
}

ON_FILE(lines_are_there_before_the_file_is_closed)
{
    struct fr_sample_log samples;

    assert_int_equal(fr_sample_log_open(&samples, path, why), 0);
    add_one(&samples, "dtrsm", "LLNN", 1, false, 8);
    assert_found("dtrsm", "LLNN", 1, false, "8");
    fr_sample_log_close(&samples);
}

ON_FILE(what_differs_is_kept_apart)
{
    struct fr_sample_log samples;

    assert_int_equal(fr_sample_log_open(&samples, path, why), 0);
    add_one(&samples, "dtrsm", "LLNN", 1, false, 8);
    add_one(&samples, "dtrsm", "LLNN", 2, false, 16);
    add_one(&samples, "dtrsm", "LLNN", 1, true, 24);
    add_one(&samples, "dtrsm", "RLNN", 1, false, 32);
    add_one(&samples, "dtrmm", "LLNN", 1, false, 40);
    add_one(&samples, "trinv1_unb", "", 1, false, 48);
    add_one(&samples, "dtrsm", "LLNN", 1, false, 56);
    fr_sample_log_close(&samples);
    assert_found("dtrsm", "LLNN", 1, false, "8 56");
    assert_found("dtrsm", "LLNN", 2, false, "16");
    assert_found("dtrsm", "LLNN", 1, true, "24");
    assert_found("dtrsm", "RLNN", 1, false, "32");
    assert_found("dtrmm", "LLNN", 1, false, "40");
    assert_found("trinv1_unb", "", 1, false, "48");
    assert_found("trinv2_unb", "", 1, false, "");
    assert_found("dtrsm", "LLNN", 4, false, "");
}

/* An interrupted run may leave one: its sample is measured again, and the next line is sound. */
ON_FILE(a_cut_last_line_is_left_out)
{
    struct fr_sample_log samples;

    assert_int_equal(fr_sample_log_open(&samples, path, why), 0);
    add_one(&samples, "dtrsm", "LLNN", 1, false, 8);
    fr_sample_log_close(&samples);
    write_text("dtrsm LLNN 16 16 +1,in_cache,1,1e-6,2e-6,2e-6,3e-6,1e", "a");
    assert_int_equal(fr_sample_log_open(&samples, path, why), 0);
    add_one(&samples, "dtrsm", "LLNN", 1, false, 24);
    fr_sample_log_close(&samples);
    assert_found("dtrsm", "LLNN", 1, false, "8 24");
}

ON_FILE(lines_that_are_none_are_passed_over)
{
    write_text("call,locality,threads,min_s,median_s,mean_s,max_s,std_s\n"
               "dtrsm LLNN 8 16 +1,in_cache,1,1e-6,2e-6,2e-6,3e-6,0\n"
               "dtrsm LLNN 16 16 +1,in_between,1,1e-6,2e-6,2e-6,3e-6,0\n"
               "dtrsm LLXN 24 16 +1,in_cache,1,1e-6,2e-6,2e-6,3e-6,0\n"
               "dtrsm LLNN 32 16 +1,in_cache,1,1e-6,2e-6,2e-6\n"
               "dtrsm LLNN 40 16 +1,in_cache,1,1e-6,2e-6,2e-6,3e-6,0,9\n"
               "\n"
               "dtrsm LLNN 48 16 +1,in_cache,1,1e-6,2e-6,2e-6,3e-6,0\n",
               "w");
    assert_found("dtrsm", "LLNN", 1, false, "8 48");
}

ON_FILE(a_file_of_something_else_stays_as_it_is)
{
    struct fr_sample_log samples;
    char text[40] = "";
    FILE *file;

    write_text("{\"machine\": \"here\"}\n", "w");
    assert_int_equal(fr_sample_log_open(&samples, path, why), -1);
    assert_non_null(strstr(why, ": is not a file of samples"));
    file = fopen(path, "r");
    assert_int_equal(fread(text, 1, sizeof text - 1, file), 20);
    fclose(file);
    assert_string_equal(text, "{\"machine\": \"here\"}\n");
    assert_int_equal(fr_sample_log_open(&samples, "/nowhere/samples.csv", why), -1);
    assert_non_null(strstr(why, "/nowhere/samples.csv: No such file"));
}

/* As on a full disk: the first failure is reported, later lines are not tried. */
ON_FILE(a_line_that_cannot_be_written_is_told_once)
{
    const struct blocked_kernel kernel = blocked_kernel_named("dtrsm", "LLNN");
    const struct blocked_sample sample = sample_at(8, 16);
    struct fr_sample_log samples;

    assert_int_equal(fr_sample_log_open(&samples, path, why), 0);
    assert_non_null(freopen("/dev/full", "a", samples.journal.file));
    assert_int_equal(fr_sample_log_add(&samples, &kernel, 1, false, &sample), -1);
    assert_int_equal(errno, ENOSPC);
    assert_int_equal(fr_sample_log_add(&samples, &kernel, 1, false, &sample), 0);
    assert_true(samples.has_failed);
    fr_sample_log_close(&samples);
}

ON_FILE(what_is_no_file_is_refused)
{
    struct fr_sample_log samples;

    unlink(path);
    assert_int_equal(mkfifo(path, 0666), 0);
    assert_int_equal(fr_sample_log_open(&samples, path, why), -1);
    assert_non_null(strstr(why, ": is not a regular file; give the name of a new file"));
    assert_int_equal(fr_sample_log_open(&samples, "/tmp", why), -1);
    assert_non_null(strstr(why, "/tmp: Is a directory; give a file that can be written"));
}

TEST(without_a_file_there_is_nothing)
{
    const struct blocked_kernel kernel = blocked_kernel_named("dtrsm", "LLNN");
    struct fr_sample_log samples;
    size_t count = 1;

    assert_int_equal(fr_sample_log_open(&samples, NULL, why), 0);
    add_one(&samples, "dtrsm", "LLNN", 1, false, 8);
    assert_null(fr_sample_log_find(&samples, &kernel, 1, false, &count));
    assert_int_equal(count, 0);
    fr_sample_log_close(&samples);
}
