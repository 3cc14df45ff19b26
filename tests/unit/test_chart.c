/* Charts, drawn by the real gnuplot. */
#include "chart/chart.h"
#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static const struct fr_plot_axis processes = { .title = "Processes", .is_log2 = true };
static const struct fr_plot_axis time_s = { .title = "Time (s)", .is_log = true };
static const double counts[] = { 1, 2, 4, 8 };
static const double times[] = { 80, 40, NAN, 10 };

/* A machine of round numbers. */
static const struct fr_calibration *round_machine(void)
{
    static struct fr_factor average[] = { { .distance = 1, .factor = 1 },
                                          { .distance = 4, .factor = 1.5 } };
    static struct fr_factor maximum[] = { { .processes = 64, .distance = 4, .factor = 3 },
                                          { .processes = 16, .distance = 1, .factor = 2 },
                                          { .processes = 64, .distance = 1, .factor = 2.5 } };
    static struct fr_protocol protocols[] = {
        { .name = "eager",
          .max_message_bytes = 8192,
          .off_node = { 1e-6, 1e-9 },
          .on_node = { NAN, NAN } },
        { .name = "rendezvous",
          .max_message_bytes = INFINITY,
          .off_node = { 4e-6, 1e-10 },
          .on_node = { NAN, NAN } },
    };
    static struct fr_square_rate rates[] = {
        { .threads = 1, .n = 1000, .efficiency_fraction = NAN, .time_s = 2 },
        { .threads = 1, .n = 100, .efficiency_fraction = 0.25, .time_s = NAN },
        { .threads = 4, .n = 1000, .efficiency_fraction = 0.75, .time_s = NAN },
    };
    static struct fr_calibration cal = {
        .machine = "round",
        .node = { .cores_per_node = 4, .peak_flops_per_s = 8e9 },
        .network.protocols = { protocols, 2 },
        .contention = { .average = { average, 2 }, .maximum = { maximum, 3 } },
        .kernels.routine[FR_DGEMM].square = { rates, 3 },
    };

    return &cal;
}

static struct fr_plot plot_of(enum fr_format format)
{
    struct fr_plot plot = { .format = format };

    fr_writer_init(&plot.script);
    return plot;
}

static struct fr_plot scripted(const char *script)
{
    struct fr_plot plot = plot_of(FR_SVG);

    fr_writer_text(&plot.script, script);
    return plot;
}

static struct fr_plot titled(enum fr_format format, const char *title, const char *label)
{
    const struct fr_series series = { .label = label, .x = counts, .y = times, .count = 4 };
    struct fr_plot plot = plot_of(format);

    fr_plot_lines(&plot, title, &processes, &time_s, &series, 1);
    return plot;
}

/* What a writer holds as a string, which the caller frees; the writer is emptied. */
static char *taken(struct fr_writer *w)
{
    char *text;

    assert_false(w->failed);
    text = strndup(w->text ? w->text : "", w->length);
    fr_writer_free(w);
    return text;
}

static char *script_of(struct fr_plot plot)
{
    return taken(&plot.script);
}

/* The picture of a plot by a renderer of its own; frees the script. */
static char *picture_of(struct fr_plot plot, size_t *length)
{
    struct fr_renderer *renderer = fr_renderer_new(1);
    struct fr_writer out;
    char why[256] = "";
    char *picture;

    fr_writer_init(&out);
    if (fr_render(renderer, &plot, &out, why, sizeof why) != FR_RENDERED)
        fail_msg("%s", why);
    fr_renderer_free(renderer);
    fr_writer_free(&plot.script);
    if (length)
        *length = out.length;
    picture = malloc(out.length + 1);
    memcpy(picture, out.text, out.length);
    picture[out.length] = '\0';
    fr_writer_free(&out);
    return picture;
}

#define assert_contains(text, part) check_contains((text), (part), true, __FILE__, __LINE__)
#define assert_lacks(text, part) check_contains((text), (part), false, __FILE__, __LINE__)
static void check_contains(const char *text, const char *part, bool is_wanted, const char *file,
                           int line)
{
    if ((strstr(text, part) != NULL) == is_wanted)
        return;
    print_error("%s`%s` in: %.2000s\n", is_wanted ? "no " : "", part, text);
    _fail(file, line);
}

static void check_text(const char *text, const char *expected)
{
    struct fr_writer w;
    char *written;

    fr_writer_init(&w);
    fr_plot_text(&w, text);
    written = taken(&w);
    assert_string_equal(written, expected);
    free(written);
}

static void texts_are_quoted(void **state)
{
    (void)state;
    check_text("plain", "'plain'");
    check_text(NULL, "''");
    check_text("it's", "'it''s'");
    check_text("'a''b'''", "'’a''’b''’'''"); /* side by side they would end the string */
    check_text("a\nEOD\r\n\tb\x7f", "'aEODb'");
    check_text("\"`$(x)`\\", "'\"`$(x)`\\'");
    check_text("x²", "'x²'");
    check_text("]]>", "']] >'"); /* no XML may hold it */
}

static void broken_characters_are_dropped(void **state)
{
    (void)state;
    check_text("a\xff"
               "b\xc3",
               "'ab'");
    check_text("\xc0\xaf|\xed\xa0\x80|\xef\xbf\xbf|\xf4\x90\x80\x80|\xc2\x80", "'||||'");
    check_text("\xf0\x9f\x98\x80", "'\xf0\x9f\x98\x80'");
}

static void long_texts_are_cut(void **state)
{
    char text[FR_PLOT_TEXT + 2], expected[FR_PLOT_TEXT + 8];

    (void)state;
    memset(text, 'x', FR_PLOT_TEXT + 1);
    text[FR_PLOT_TEXT + 1] = '\0';
    snprintf(expected, sizeof expected, "'%.*s…'", FR_PLOT_TEXT, text);
    check_text(text, expected);
}

static void numbers_are_plain(void **state)
{
    struct fr_writer w;
    char *written;

    (void)state;
    fr_writer_init(&w);
    fr_plot_number(&w, 0.1);
    fr_writer_text(&w, " ");
    fr_plot_number(&w, -2e30);
    fr_writer_text(&w, " ");
    fr_plot_number(&w, INFINITY);
    written = taken(&w);
    assert_string_equal(written, "0.1 -2e+30 NaN");
    free(written);
}

static void titles_and_labels_run_nothing(void **state)
{
    char folder[] = "/tmp/fr-chart-XXXXXX", file[64], title[512];

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/ran", folder);
    snprintf(
        title, sizeof title,
        "'.system('touch %s').' `touch %s` $(touch %s) \"`touch %s`\"\nEOD\nsystem('touch %s')",
        file, file, file, file, file);
    for (enum fr_format format = FR_SVG; format <= FR_PDF; format <<= 1) {
        for (const char *part = title; *part; part++) /* each quote comes first once */
            if (*part == '\'')
                free(picture_of(titled(format, part, part), NULL));
    }
    assert_int_not_equal(access(file, F_OK), 0);
    rmdir(folder);
}

static void an_svg_escapes_what_it_shows(void **state)
{
    char *svg =
        picture_of(titled(FR_SVG, "<script>alert(1)</script> & \"'", "a_b^{c}@d & ]]>"), NULL);

    (void)state;
    assert_lacks(svg, "<script");
    assert_contains(svg, "&lt;script>alert(1)&lt;/script> &amp; \"'");
    assert_contains(svg, "<text>a_b^{c}@d &amp; ]] ></text>");
    assert_lacks(svg, "]]>");
    free(svg);
}

static void every_format_has_its_first_bytes(void **state)
{
    size_t length;
    char *svg = picture_of(titled(FR_SVG, "t", "l"), NULL);
    char *png = picture_of(titled(FR_PNG, "t", "l"), &length);
    char *pdf = picture_of(titled(FR_PDF, "t", "l"), NULL);
    char *gp = picture_of(titled(FR_GP, "t", "l"), NULL);

    (void)state;
    assert_contains(svg, "<svg");
    assert_contains(svg, "width=\"900\" height=\"540\"");
    assert_true(length > 100);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(pdf, "%PDF-", 5);
    assert_memory_equal(gp, "# Runs on its own: gnuplot", 26);
    free(svg), free(png), free(pdf), free(gp);
}

static void the_script_that_is_handed_out_runs_on_its_own(void **state)
{
    struct fr_plot plot = scripted("");
    char *script = script_of(titled(FR_GP, "strong", "2d")), *svg;

    (void)state;
    fr_writer_text(&plot.script, script);
    svg = picture_of(plot, NULL);
    assert_contains(svg, "<text>strong</text>");
    free(script), free(svg);
}

static void axes_carry_units_and_readable_tics(void **state)
{
    char *script = script_of(titled(FR_GP, "t", "l"));

    (void)state;
    assert_contains(script, "set xlabel 'Processes'");
    assert_contains(script, "set ylabel 'Time (s)'");
    assert_contains(script, "set logscale x 2");
    assert_contains(script, "set xtics ('1' 1, '2' 2, '4' 4, '8' 8)");
    assert_contains(script, "'10' 10, '20' 20, '' 30 1, '' 40 1, '50' 50");
    free(script);
}

static void a_gap_is_left_at_nan_and_where_a_logarithm_has_none(void **state)
{
    const double zero[] = { 1, 0, -1, 2 };
    const struct fr_series series = { .label = "l", .x = counts, .y = zero, .count = 4 };
    struct fr_plot plot = plot_of(FR_GP);
    char *script = script_of(titled(FR_GP, "t", "l"));

    (void)state;
    assert_contains(script, "<< EOD\n1 80\n2 40\n4 NaN\n8 10\nEOD");
    free(script);
    fr_plot_lines(&plot, "t", &processes, &time_s, &series, 1);
    script = script_of(plot);
    assert_contains(script, "<< EOD\n1 1\n2 NaN\n4 NaN\n8 2\nEOD");
    free(script);
}

static void nothing_to_show_is_an_empty_chart(void **state)
{
    const double x = 1, y = NAN;
    const struct fr_series series[] = { { .label = "gap", .x = &x, .y = &y, .count = 1 },
                                        { .label = "no point", .x = &x, .y = &y, .count = 0 } };
    struct fr_plot plot = plot_of(FR_SVG);

    (void)state;
    fr_plot_lines(&plot, "empty", &processes, &time_s, series, 2);
    free(picture_of(plot, NULL));
}

static void extreme_values_are_drawn(void **state)
{
    const double x[] = { 1, 1e300, 3, 5e-324 }, y[] = { -1e308, 5e-324, 1e308, 1e-300 };
    const struct fr_series series = { .label = "l", .x = x, .y = y, .count = 4 };
    const struct fr_plot_axis axes[] = { { .title = "a" },
                                         { .title = "b", .is_log = true },
                                         { .title = "c", .is_log2 = true, .is_bytes = true },
                                         { .title = "d", .from_zero = true } };

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct fr_plot plot = plot_of(FR_SVG);

        fr_plot_lines(&plot, "t", &axes[i], &axes[3 - i], &series, 1);
        free(picture_of(plot, NULL));
    }
}

static void series_that_belong_together_share_a_colour(void **state)
{
    const struct fr_series series[] = {
        { .label = "a", .x = counts, .y = times, .count = 4 },
        { .label = "a, measured",
          .x = counts,
          .y = times,
          .count = 4,
          .is_points = true,
          .colour = 1 },
    };
    struct fr_plot plot = plot_of(FR_GP);
    char *script;

    (void)state;
    fr_plot_lines(&plot, "t", &processes, &time_s, series, 2);
    script = script_of(plot);
    assert_contains(script, "title 'a' with linespoints lw 2 dt 1 pt 7 ps 0.8 lc rgb '#0072B2'");
    assert_contains(script, "title 'a, measured' with points lw 1.5 pt 4 ps 1.3 lc rgb '#0072B2'");
    free(script);
}

static void bars_are_stacked(void **state)
{
    const char *const variants[] = { "2d", "25d", NULL };
    const double compute[] = { 3, 2 }, shift[] = { 1, NAN };
    const struct fr_series series[] = { { .label = "compute", .y = compute, .count = 2 },
                                        { .label = "shift", .y = shift, .count = 2 } };
    const struct fr_plot_axis x = { .title = "Variant", .categories = variants };
    struct fr_plot plot = plot_of(FR_SVG);
    char *script, *svg;

    (void)state;
    fr_plot_bars(&plot, "t", &x, &time_s, series, 2);
    script = strndup(plot.script.text, plot.script.length);
    assert_contains(script, "'2d' 0, '25d' 1)");
    assert_contains(script, "0 3.5 -0.32 0.32 3 4\nNaN NaN NaN NaN NaN NaN\n");
    svg = picture_of(plot, NULL);
    assert_contains(svg, "<text>shift</text>");
    free(script), free(svg);
}

static const struct fr_calibration_chart *chart_called(const char *name)
{
    for (size_t i = 0; fr_calibration_charts[i]; i++) {
        if (strcmp(fr_calibration_charts[i]->name, name) == 0)
            return fr_calibration_charts[i];
    }
    fail_msg("no chart %s", name);
    return NULL;
}

static char *calibration_script(const char *name, const struct fr_calibration *cal)
{
    struct fr_arena *arena = fr_arena_new(1 << 20);
    struct fr_plot plot = plot_of(FR_GP);

    assert_true(chart_called(name)->draw(cal, arena, &plot));
    fr_arena_free(arena);
    return script_of(plot);
}

static void kernels_are_fractions_of_the_peak(void **state)
{
    struct fr_calibration cal = *round_machine();
    char *script = calibration_script("kernels", &cal);

    (void)state;
    assert_contains(script, "'Efficiency (fraction of a core''s peak)'");
    assert_contains(script, "100 0.25\n1000 0.5\n"); /* 2e9 flops in 2 s of a core of 2 Gflop/s */
    assert_contains(script, "title 'dgemm, 1 thread'");
    assert_contains(script, "title 'dgemm, 4 threads'");
    free(script);
    cal.node.peak_flops_per_s = NAN;
    script = calibration_script("kernels", &cal);
    assert_contains(script, "'Rate per core (Gflop/s)'");
    assert_contains(script, "100 NaN\n1000 1\n");
    free(script);
}

static void bandwidth_shows_the_limits_of_the_protocols(void **state)
{
    char *script = calibration_script("bandwidth", round_machine());

    (void)state;
    assert_contains(script, "'Effective bandwidth (GB/s)'");
    assert_contains(script, "'eager up to 8 KiB'");
    assert_contains(script, "title 'between nodes'");
    assert_lacks(script, "on the node");
    assert_contains(script, "\n8192 0.891"); /* 8192 bytes in 9.192 us */
    free(script);
}

static void contention_has_a_line_for_each_count_of_processes(void **state)
{
    char *script = calibration_script("contention", round_machine());

    (void)state;
    assert_contains(script, "'Distance (ranks)'");
    assert_contains(script, "$data0 << EOD\n1 1\n4 1.5\nEOD");
    assert_contains(script, "$data1 << EOD\n1 2\nEOD");
    assert_contains(script, "$data2 << EOD\n1 2.5\n4 3\nEOD");
    assert_contains(script, "title 'maximum, 64 processes'");
    free(script);
}

static void every_calibration_chart_renders_in_every_format(void **state)
{
    (void)state;
    for (size_t i = 0; fr_calibration_charts[i]; i++) {
        for (enum fr_format format = FR_SVG; format <= FR_PDF; format <<= 1) {
            struct fr_arena *arena = fr_arena_new(1 << 20);
            struct fr_plot plot = plot_of(format);

            assert_true(fr_calibration_charts[i]->draw(round_machine(), arena, &plot));
            free(picture_of(plot, NULL));
            fr_arena_free(arena);
        }
    }
}

static void a_calibration_without_a_group_has_no_chart_of_it(void **state)
{
    const struct fr_calibration bare = { .machine = "bare" };
    struct fr_arena *arena = fr_arena_new(1 << 20);

    (void)state;
    for (size_t i = 0; fr_calibration_charts[i]; i++) {
        struct fr_plot plot = plot_of(FR_GP);

        assert_false(fr_calibration_charts[i]->draw(&bare, arena, &plot));
        fr_writer_free(&plot.script);
    }
    fr_arena_free(arena);
}

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The result of a script under limits; what gnuplot said is in `why`. */
static int result_of(const char *script, unsigned deadline_ms, size_t bytes, char why[256])
{
    struct fr_renderer *renderer = fr_renderer_new(1);
    struct fr_plot plot = scripted(script);
    struct fr_writer out;
    int result;

    why[0] = '\0';
    fr_renderer_limit(renderer, deadline_ms, bytes);
    fr_writer_init(&out);
    result = fr_render(renderer, &plot, &out, why, 256);
    if (result != FR_RENDERED)
        assert_int_equal(out.length, 0);
    fr_writer_free(&out);
    fr_writer_free(&plot.script);
    fr_renderer_free(renderer);
    return result;
}

static void a_program_that_sleeps_is_ended_at_the_deadline(void **state)
{
    const double start_s = now_s();
    char why[256];

    (void)state;
    assert_int_equal(result_of("pause 10\n", 200, 1 << 20, why), FR_RENDER_TIMEOUT);
    assert_true(now_s() - start_s < 5);
    assert_string_equal(why, "gnuplot took more than 200 ms");
}

static void a_picture_that_is_too_large_is_refused(void **state)
{
    char why[256];

    (void)state;
    assert_int_equal(result_of("set terminal svg\nset samples 100000\nplot x\n", 10000, 65536, why),
                     FR_RENDER_FAILED);
    assert_string_equal(why, "the picture is too large");
}

static void a_script_that_gnuplot_refuses_says_why(void **state)
{
    char why[256];

    (void)state;
    assert_int_equal(result_of("set terminal svg\nnonsense\n", 10000, 1 << 20, why),
                     FR_RENDER_FAILED);
    assert_contains(why, "invalid command");
    assert_int_equal(result_of("", 10000, 1 << 20, why), FR_RENDER_FAILED);
    assert_string_equal(why, "gnuplot: no picture, no message");
}

static void the_program_inherits_no_files_and_no_environment(void **state)
{
    struct fr_plot plot = scripted("set terminal svg\n"
                                   "set title system('ls -l /proc/self/fd | tr \"\\n\" ,')\n"
                                   "set xlabel system('env | tr \"\\n\" ,')\n"
                                   "plot x\n");
    char *svg;

    (void)state;
    setenv("FR_SECRET", "x", 1);
    assert_int_not_equal(memfd_create("leaked", 0), -1);
    svg = picture_of(plot, NULL);
    assert_contains(svg, "forerun script");
    assert_lacks(svg, "leaked");
    assert_contains(svg, "PATH=/usr/bin:/bin");
    assert_lacks(svg, "FR_SECRET");
    free(svg);
}

struct sleeper {
    struct fr_renderer *renderer;
    struct fr_plot plot;
    int result;
    double end_s;
};

static void *sleep_in_gnuplot(void *argument)
{
    struct sleeper *s = argument;
    struct fr_writer out;
    char why[256];

    fr_writer_init(&out);
    s->result = fr_render(s->renderer, &s->plot, &out, why, sizeof why);
    s->end_s = now_s();
    fr_writer_free(&out);
    return NULL;
}

/* Three pictures of 0.3 s each: who finds no place waits for its turn, or gives up. */
static void draw_three(unsigned at_once, unsigned deadline_ms, struct sleeper sleepers[3])
{
    struct fr_renderer *renderer = fr_renderer_new(at_once);
    pthread_t threads[3];

    fr_renderer_limit(renderer, deadline_ms, 1 << 20);
    for (int i = 0; i < 3; i++) {
        sleepers[i] = (struct sleeper){
            .renderer = renderer,
            .plot = scripted("set terminal svg\nplot x\npause 0.3\n"),
        };
        assert_int_equal(pthread_create(&threads[i], NULL, sleep_in_gnuplot, &sleepers[i]), 0);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        fr_writer_free(&sleepers[i].plot.script);
    }
    fr_renderer_free(renderer);
}

static void only_so_many_programs_run_at_once(void **state)
{
    const double start_s = now_s();
    struct sleeper s[3];
    double last_s = 0;

    (void)state;
    draw_three(2, 10000, s);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(s[i].result, FR_RENDERED);
        last_s = fmax(last_s, s[i].end_s);
    }
    assert_true(last_s - start_s >= 0.6);
}

static void who_waits_too_long_for_a_turn_is_told(void **state)
{
    struct sleeper s[3];
    int busy = 0;

    (void)state;
    draw_three(1, 150, s);
    for (int i = 0; i < 3; i++)
        busy += s[i].result == FR_RENDER_BUSY;
    /* The second may come in just as the first is ended; the third cannot. */
    assert_in_range(busy, 1, 2);
    for (int i = 0; i < 3; i++)
        assert_int_not_equal(s[i].result, FR_RENDERED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_quoted),
        cmocka_unit_test(broken_characters_are_dropped),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(numbers_are_plain),
        cmocka_unit_test(titles_and_labels_run_nothing),
        cmocka_unit_test(an_svg_escapes_what_it_shows),
        cmocka_unit_test(every_format_has_its_first_bytes),
        cmocka_unit_test(the_script_that_is_handed_out_runs_on_its_own),
        cmocka_unit_test(axes_carry_units_and_readable_tics),
        cmocka_unit_test(a_gap_is_left_at_nan_and_where_a_logarithm_has_none),
        cmocka_unit_test(nothing_to_show_is_an_empty_chart),
        cmocka_unit_test(extreme_values_are_drawn),
        cmocka_unit_test(series_that_belong_together_share_a_colour),
        cmocka_unit_test(bars_are_stacked),
        cmocka_unit_test(kernels_are_fractions_of_the_peak),
        cmocka_unit_test(bandwidth_shows_the_limits_of_the_protocols),
        cmocka_unit_test(contention_has_a_line_for_each_count_of_processes),
        cmocka_unit_test(every_calibration_chart_renders_in_every_format),
        cmocka_unit_test(a_calibration_without_a_group_has_no_chart_of_it),
        cmocka_unit_test(a_program_that_sleeps_is_ended_at_the_deadline),
        cmocka_unit_test(a_picture_that_is_too_large_is_refused),
        cmocka_unit_test(a_script_that_gnuplot_refuses_says_why),
        cmocka_unit_test(the_program_inherits_no_files_and_no_environment),
        cmocka_unit_test(only_so_many_programs_run_at_once),
        cmocka_unit_test(who_waits_too_long_for_a_turn_is_told),
    };

    return cmocka_run_group_tests_name("chart", tests, NULL, NULL);
}
