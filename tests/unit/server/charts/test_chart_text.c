/* Texts and numbers in a script; no text may execute anything. */
#include "server/charts/plot/plot.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/plots.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

TEST(texts_are_quoted)
{
    check_text("plain", "'plain'");
    check_text(NULL, "''");
    check_text("it's", "'it''s'");
    check_text("'a''b'''", "'’a''’b''’'''"); /* side by side they would end the string */
    check_text("a\nEOD\r\n\tb\x7f", "'aEODb'");
    check_text("\"`$(x)`\\", "'\"`$(x)`\\'");
    check_text("x²", "'x²'");
    check_text("&#x0; &lt; &", "'& #x0; &lt; &'"); /* forbidden too */
    check_text("]]>", "']] >'");                   /* forbidden in XML */
}

TEST(broken_characters_are_dropped)
{
    check_text("a\xff"
               "b\xc3",
               "'ab'");
    check_text("\xc0\xaf|\xed\xa0\x80|\xef\xbf\xbf|\xf4\x90\x80\x80|\xc2\x80", "'||||'");
    check_text("\xf0\x9f\x98\x80", "'\xf0\x9f\x98\x80'");
}

TEST(long_texts_are_cut)
{
    char text[FR_PLOT_TEXT + 2], expected[FR_PLOT_TEXT + 8];

    memset(text, 'x', FR_PLOT_TEXT + 1);
    text[FR_PLOT_TEXT + 1] = '\0';
    snprintf(expected, sizeof expected, "'%.*s…'", FR_PLOT_TEXT, text);
    check_text(text, expected);
}

TEST(numbers_are_plain)
{
    struct fr_writer w;
    char *written;

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

enum { LINES, BARS, GROUPS, BOXES, SCATTER, KINDS };

/* A chart of the kind with every text set to the same value. */
static struct fr_plot worded(int kind, enum fr_format format, const char *text)
{
    const double x[] = { 0, 1 }, y[] = { 1, 2 };
    const char *const names[] = { text, text, NULL };
    const struct fr_plot_mark mark = { .x = 1, .label = text };
    const struct fr_plot_axis right = { .title = text };
    const struct fr_plot_axis across = { .title = text, .marks = &mark, .mark_count = 1 };
    const struct fr_plot_axis named = { .title = text, .categories = names };
    const struct fr_plot_axis up = { .title = text, .right = &right };
    const struct fr_series series[] = {
        { .label = text, .x = x, .y = y, .count = 2, .low = y, .high = y, .band_label = text },
        { .label = text, .x = x, .y = y, .count = 2, .is_right = true },
    };
    const struct fr_box box = { .low = 1, 2, 3, 4, 5 };
    const struct fr_box_series boxes = { .label = text, .boxes = &box, .count = 1, .predicted = y };
    struct fr_plot plot = plot_of(format);

    if (kind == LINES)
        fr_plot_lines(&plot, text, &across, &up, series, 2);
    else if (kind == BARS)
        fr_plot_bars(&plot, text, &named, &up, series, 2);
    else if (kind == GROUPS)
        fr_plot_groups(&plot, text, &named, &up, series, 2);
    else if (kind == BOXES)
        fr_plot_boxes(&plot, text, &named, &up, &boxes, 1);
    else
        fr_plot_scatter(&plot, text, &across, &up, series, 2);
    return plot;
}

static size_t occurrences(const char *text, const char *part)
{
    size_t count = 0;

    for (const char *at = text; (at = strstr(at, part)); at++)
        count++;
    return count;
}

/* Title, axes, legend and the other texts of a kind. */
TEST(every_kind_quotes_each_of_its_texts)
{
    const size_t texts[KINDS] = {
        [LINES] = 8, [BARS] = 7, [GROUPS] = 7, [BOXES] = 6, [SCATTER] = 5
    };

    for (int kind = 0; kind < KINDS; kind++) {
        char *script = script_of(worded(kind, FR_GP, "it's\n\"`id`\""));

        assert_int_equal(occurrences(script, "'it''s\"`id`\"'"), texts[kind]);
        assert_int_equal(occurrences(script, "`id`"), texts[kind]);
    }
}

TEST(an_svg_escapes_what_it_shows)
{
    char *svg =
        picture_of(worded(LINES, FR_SVG, "<script>alert(1)</script> & \"' a_b^{c}@d ]]>"), NULL);

    assert_lacks(svg, "<script");
    assert_contains(svg, "<text>&lt;script>alert(1)&lt;/script> &amp; \"' a_b^{c}@d ]] ></text>");
    assert_lacks(svg, "]]>");
    free(svg);
}

TEST(what_a_chart_says_runs_nothing)
{
    char folder[] = "/tmp/fr-chart-XXXXXX", file[31], text[256];

    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/ran", folder);
    snprintf(text, sizeof text, "'.system('>%s').' `>%s` \"`>%s`\"\nEOD\nsystem('>%s')", file, file,
             file, file);
    for (int kind = 0; kind < KINDS; kind++) {
        struct plots plots = plots_begin();

        for (enum fr_format format = FR_SVG; format <= FR_PDF; format <<= 1)
            for (const char *part = text; *part; part++) /* each quote character comes first once */
                if (*part == '\'')
                    plots_add(&plots, worded(kind, format, part));
        plots_end(&plots);
    }
    assert_int_not_equal(access(file, F_OK), 0);
    rmdir(folder);
}
