/* Whether a measurement was disturbed, from readings before and after it. */
#include "calibrations/calibrate/core/environment.h"
#include "tests/unit/support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Ten seconds in which the job itself takes two cores of eight. */
static const struct fr_load_reading before = { .at_s = 100,
                                               .busy_s = 5000,
                                               .stolen_s = 7,
                                               .own_s = 30,
                                               .throttles = 4,
                                               .reference_s = 1e-3,
                                               .clock_hz = 3e9 };
static const struct fr_load_reading quiet = { .at_s = 110,
                                              .busy_s = 5020,
                                              .stolen_s = 7,
                                              .own_s = 50,
                                              .throttles = 4,
                                              .reference_s = 1e-3,
                                              .clock_hz = 3e9 };
enum { CORES = 8 };

static const char *reasons(struct fr_load_reading after, double best_s)
{
    static char text[FR_LOAD_BYTES];
    const struct fr_load load = fr_load_between(&before, &after, best_s);

    fr_load_print(&load, CORES, text);
    assert_true(fr_load_is_disturbing(&load, CORES) == (*text != '\0'));
    return text;
}

TEST(an_idle_node_disturbs_nothing)
{
    struct fr_load_reading after = quiet;

    assert_string_equal(reasons(after, 1e-3), "");
    after.busy_s += 0.9; /* 0.09 cores: daemons */
    assert_string_equal(reasons(after, 1e-3), "");
    after.reference_s = 1.09e-3;
    assert_string_equal(reasons(after, 1e-3), "");
}

TEST(other_work_is_noticed)
{
    struct fr_load_reading after = quiet;

    after.busy_s += 11;
    assert_string_equal(reasons(after, 1e-3), "other work on 1.1 cores");
    after.stolen_s += 5;
    assert_string_equal(reasons(after, 1e-3),
                        "other work on 1.1 cores, the hypervisor took 0.5 cores");
}

TEST(the_work_of_the_job_itself_is_not_other_work)
{
    struct fr_load_reading after = quiet;

    after.busy_s += 60;
    after.own_s += 60;
    assert_string_equal(reasons(after, 1e-3), "");
}

/* In 0.1 s a few ticks of 10 ms would look like a third of a core. */
TEST(a_few_ticks_are_not_other_work)
{
    struct fr_load_reading after = quiet;

    after.at_s = 100.1;
    after.busy_s = before.busy_s + 0.23;
    after.own_s = before.own_s + 0.2;
    assert_string_equal(reasons(after, 1e-3), "");
}

/* On many cores the error of the ticks is larger. */
TEST(a_large_node_may_be_busy_with_a_hundredth_of_its_cores)
{
    const struct fr_load load = { .foreign_cores = 0.9, .slowdown = 1 };

    assert_false(fr_load_is_disturbing(&load, 128));
    assert_true(fr_load_is_disturbing(&load, 64));
}

TEST(a_slower_processor_is_noticed)
{
    struct fr_load_reading after = quiet;

    after.reference_s = 1.5e-3;
    assert_string_equal(reasons(after, 1e-3), "a reference loop took 1.50 times its best time");
    /* It was slow from the beginning, in comparison with an earlier benchmark. */
    assert_string_equal(reasons(quiet, 0.5e-3), "a reference loop took 2.00 times its best time");
    after.throttles += 3;
    assert_string_equal(reasons(after, 1e-3),
                        "throttled 3 times, a reference loop took 1.50 times its best time");
}

TEST(a_changed_clock_is_noticed)
{
    struct fr_load_reading after = quiet;

    after.clock_hz = 2.8e9;
    assert_string_equal(reasons(after, 1e-3), "");
    after.clock_hz = 2.4e9;
    assert_string_equal(reasons(after, 1e-3), "the clock changed by a factor of 1.25");
    after.clock_hz = 3.6e9; /* the measurement began at a lower one */
    assert_string_equal(reasons(after, 1e-3), "the clock changed by a factor of 1.20");
    after.clock_hz = 0; /* unknown */
    assert_string_equal(reasons(after, 1e-3), "");
}

static void put_clock(const char *folder, int cpu, const char *text)
{
    char path[200];
    FILE *file;

    snprintf(path, sizeof path, "%s/cpu%d", folder, cpu);
    assert_int_equal(mkdir(path, 0700), 0);
    if (!text)
        return;
    snprintf(path, sizeof path, "%s/cpu%d/cpufreq", folder, cpu);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/cpu%d/cpufreq/scaling_cur_freq", folder, cpu);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

TEST(the_clock_is_that_of_the_fastest_processor)
{
    char folder[] = "/tmp/forerun-test-XXXXXX", command[60];

    assert_non_null(mkdtemp(folder));
    assert_close(fr_load_clock_hz(folder), 0, 0);
    put_clock(folder, 0, "800000\n");
    put_clock(folder, 1, NULL); /* a processor without a clock that can be read */
    put_clock(folder, 2, "3100000\n");
    put_clock(folder, 4, "9900000\n"); /* beyond the last processor */
    assert_close(fr_load_clock_hz(folder), 3.1e9, 1e-12);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    assert_true(fr_load_clock_hz(NULL) >= 0);
}

TEST(what_the_system_does_not_tell_disturbs_nothing)
{
    struct fr_load_reading unknown = quiet;

    unknown.busy_s = unknown.stolen_s = NAN;
    unknown.reference_s = unknown.clock_hz = 0;
    assert_string_equal(reasons(unknown, 0), "");
}

TEST(the_counters_of_processors_are_ticks)
{
    const double ticks_per_s = (double)sysconf(_SC_CLK_TCK);
    char path[] = "/tmp/forerun-test-XXXXXX";
    static const char counters[] = "cpu  1000 20 300 40000 50 6 7 80 9 0\n"
                                   "cpu0 1 1 1 1 1 1 1 1 1 1\n";
    struct fr_load_reading reading;
    const int file = mkstemp(path);

    assert_true(file >= 0);
    assert_int_equal(write(file, counters, sizeof counters - 1), sizeof counters - 1);
    assert_int_equal(close(file), 0);
    reading = fr_load_read(path, 7);
    assert_int_equal(unlink(path), 0);
    assert_close(reading.at_s, 7, 0);
    assert_close(reading.busy_s, (1000 + 20 + 300) / ticks_per_s, 1e-12);
    assert_close(reading.stolen_s, 80 / ticks_per_s, 1e-12);
    reading = fr_load_read(path, 7); /* no such file */
    assert_true(isnan(reading.busy_s) && isnan(reading.stolen_s));
}

TEST(the_counters_of_this_computer_only_rise)
{
    const struct fr_load_reading first = fr_load_read(NULL, 0), second = fr_load_read(NULL, 1);

    assert_true(isnan(first.busy_s) || (first.busy_s > 0 && second.busy_s >= first.busy_s));
    assert_true(second.throttles >= first.throttles);
    assert_true(fr_load_reference_s() > 0);
}

/* Of processor time, which passes for this process alone. */
static void work_until(double own_s)
{
    while (fr_load_own_s() < own_s)
        ;
}

TEST(own_work_is_that_of_the_process_and_of_children_that_ended)
{
    const double began_s = fr_load_own_s(), least_s = 0.02;
    pid_t child;

    work_until(began_s + least_s);
    child = fork();
    if (!child) {
        work_until(least_s);
        _exit(0);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_true(fr_load_own_s() >= began_s + 2 * least_s);
}
