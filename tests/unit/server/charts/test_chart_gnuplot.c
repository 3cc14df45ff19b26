/* The gnuplot program: its output and its limits. */
#include "server/charts/plot/plot.h"
#include "server/core/process.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/moved_clock.h"
#include "tests/unit/support/plots.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEADLINE_MS = 20000 };
static const char asleep[] = "pause 1000\n";

static struct fr_plot titled(enum fr_format format, const char *title, const char *label)
{
    const double x[] = { 1, 2 };
    const struct fr_plot_axis axis = { .title = "x" };
    const struct fr_series series = { .label = label, .x = x, .y = x, .count = 2 };
    struct fr_plot plot = plot_of(format);

    fr_plot_lines(&plot, title, &axis, &axis, &series, 1);
    return plot;
}

TEST(every_format_has_its_first_bytes)
{
    size_t length;
    char *svg = picture_of(titled(FR_SVG, "t", "l"), NULL);
    char *png = picture_of(titled(FR_PNG, "t", "l"), &length);
    char *pdf = picture_of(titled(FR_PDF, "t", "l"), NULL);
    char *gp = picture_of(titled(FR_GP, "t", "l"), NULL);

    assert_contains(svg, "<svg");
    assert_contains(svg, "width=\"900\" height=\"540\"");
    assert_true(length > 100);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(pdf, "%PDF-", 5);
    assert_memory_equal(gp, "# Runs on its own: gnuplot", 26);
    free(svg), free(png), free(pdf), free(gp);
}

TEST(the_script_that_is_handed_out_runs_on_its_own)
{
    struct fr_plot plot = scripted("");
    char *script = script_of(titled(FR_GP, "strong", "2d")), *svg;

    fr_writer_text(&plot.script, script);
    svg = picture_of(plot, NULL);
    assert_contains(svg, "<text>strong</text>");
    free(svg);
}

TEST(a_title_has_a_second_line_when_it_is_long_and_one_for_what_is_imaginary)
{
    const struct fr_plot_axis axis = { .title = "x" };
    const double x[] = { 1, 2 };
    const struct fr_series series = { .label = "a", .x = x, .y = x, .count = 2 };
    struct fr_plot plot = plot_of(FR_GP);
    char *script;

    plot.width = 480;
    plot.note = "imaginary machine: network.bandwidth × 2";
    fr_plot_lines(&plot, "Time of matmul of order 16,384 on hopper (91f0c3a2) with 64 processes",
                  &axis, &axis, &series, 1);
    script = script_of(plot);
    assert_contains(
        script,
        "set label 'Time of matmul of order 16,384 on'.\"\\n\".'hopper (91f0c3a2) "
        "with 64 processes'.\"\\n\".'imaginary machine: network.bandwidth × 2' at screen 0.5, ");
}

static int result_of(const char *script, struct fr_clock *clock, size_t bytes, char why[256])
{
    struct fr_renderer *renderer = fr_renderer_new(1, NULL, clock);
    struct fr_plot plot = scripted(script);
    struct fr_writer out;
    int result;

    why[0] = '\0';
    fr_renderer_limit(renderer, DEADLINE_MS, bytes);
    fr_writer_init(&out);
    result = fr_render(renderer, &plot, &out, why, 256);
    if (result != FR_RENDERED)
        assert_int_equal(out.length, 0);
    fr_writer_free(&out);
    fr_writer_free(&plot.script);
    fr_renderer_free(renderer);
    return result;
}

TEST(a_program_that_sleeps_is_ended_at_the_deadline)
{
    struct moved_clock clock;
    char why[256];

    moved_clock_init(&clock);
    clock.jumps = true;
    assert_int_equal(result_of(asleep, &clock.clock, 1 << 20, why), FR_RENDER_TIMEOUT);
    assert_string_equal(why, "gnuplot took more than 20000 ms");
}

/* Runs a shell script in place of gnuplot. */
static int result_of_other(const char *text, char why[256])
{
    char folder[] = "/tmp/forerun-test-XXXXXX", path[64], *before = strdup(getenv("PATH"));
    FILE *file;
    int result;

    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/gnuplot", folder);
    file = fopen(path, "w");
    assert_true(fprintf(file, "#!/bin/sh\n%s\n", text) > 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
    setenv("PATH", folder, 1);
    result = result_of("", NULL, 1 << 20, why);
    setenv("PATH", before, 1);
    free(before);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    return result;
}

TEST(a_program_that_is_killed_from_outside_did_not_take_too_long)
{
    char why[256];

    assert_int_equal(result_of_other("kill -9 $$", why), FR_RENDER_FAILED);
    assert_string_equal(why, "gnuplot was killed from outside, perhaps for lack of memory");
}

TEST(no_script_makes_it_start_a_program)
{
    char why[256];

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* child programs of sanitized ones may start others */
#endif
    if (fr_sandbox_missing())
        skip();
    assert_int_equal(result_of("print system('echo started')\n", NULL, 1 << 20, why),
                     FR_RENDER_FAILED);
    assert_lacks(why, "started");
}

TEST(a_picture_that_is_too_large_is_refused)
{
    char why[256];

    assert_int_equal(result_of("set terminal svg\nset samples 100000\nplot x\n", NULL, 65536, why),
                     FR_RENDER_FAILED);
    assert_string_equal(why, "the image is too large");
}

TEST(a_script_that_gnuplot_refuses_says_why)
{
    char why[256];

    assert_int_equal(result_of("set terminal svg\nnonsense\n", NULL, 1 << 20, why),
                     FR_RENDER_FAILED);
    assert_contains(why, "invalid command");
    assert_int_equal(result_of("", NULL, 1 << 20, why), FR_RENDER_FAILED);
    assert_string_equal(why, "gnuplot: no output and no message");
}

TEST(the_program_inherits_no_files_and_no_environment)
{
    char why[256];

    setenv("FR_SECRET", "x", 1);
    assert_int_not_equal(memfd_create("leaked", 0), -1);
    assert_int_equal(result_of_other("ls -l /proc/self/fd >&2; env >&2", why), FR_RENDER_FAILED);
    assert_contains(why, "forerun script");
    assert_lacks(why, "leaked");
    assert_int_equal(result_of_other("env >&2", why), FR_RENDER_FAILED);
    assert_contains(why, "PATH=/usr/bin:/bin");
    assert_lacks(why, "FR_SECRET");
}

struct drawing {
    struct fr_renderer *renderer;
    struct fr_plot plot;
    pthread_t thread;
    int result;
};

static void *draw(void *argument)
{
    struct drawing *drawing = argument;
    struct fr_writer out;
    char why[256];

    fr_writer_init(&out);
    drawing->result = fr_render(drawing->renderer, &drawing->plot, &out, why, sizeof why);
    fr_writer_free(&out);
    return NULL;
}

static void begin(struct drawing *drawing, struct fr_renderer *renderer, const char *script)
{
    *drawing = (struct drawing){ .renderer = renderer, .plot = scripted(script) };
    assert_int_equal(pthread_create(&drawing->thread, NULL, draw, drawing), 0);
}

static int result_at_end(struct drawing *drawing)
{
    pthread_join(drawing->thread, NULL);
    fr_writer_free(&drawing->plot.script);
    return drawing->result;
}

TEST(only_so_many_programs_run_at_once)
{
    struct moved_clock clock;
    struct fr_renderer *renderer = fr_renderer_new(2, NULL, &clock.clock);
    struct drawing drawing[3];

    moved_clock_init(&clock);
    fr_renderer_limit(renderer, DEADLINE_MS, 1 << 20);
    for (int i = 0; i < 2; i++)
        begin(&drawing[i], renderer, asleep);
    tally_await(&clock.polls, 2);
    moved_clock_by_ms(&clock, 1);
    begin(&drawing[2], renderer, "set terminal svg\nplot x\n");
    tally_await(&clock.waits, 3);
    assert_int_equal(tally_count(&clock.polls), 2); /* programs that were started */
    moved_clock_by_ms(&clock, DEADLINE_MS - 1);
    for (int i = 0; i < 2; i++)
        assert_int_equal(result_at_end(&drawing[i]), FR_RENDER_TIMEOUT);
    assert_int_equal(result_at_end(&drawing[2]), FR_RENDERED);
    fr_renderer_free(renderer);
}

TEST(who_waits_too_long_for_a_turn_is_told)
{
    struct moved_clock clock;
    struct fr_renderer *renderer = fr_renderer_new(1, NULL, &clock.clock);
    struct drawing drawing[3];
    int busy = 0;

    moved_clock_init(&clock);
    fr_renderer_limit(renderer, DEADLINE_MS, 1 << 20);
    for (int i = 0; i < 3; i++)
        begin(&drawing[i], renderer, asleep);
    tally_await(&clock.waits, 3);
    clock.jumps = true;
    moved_clock_by_ms(&clock, DEADLINE_MS);
    for (int i = 0; i < 3; i++) {
        const int result = result_at_end(&drawing[i]);

        busy += result == FR_RENDER_BUSY;
        assert_int_not_equal(result, FR_RENDERED);
    }
    /* The second may start just as the first ends; the third cannot. */
    assert_in_range(busy, 1, 2);
    fr_renderer_free(renderer);
}
