/* Plots, their scripts and rendered images. */
#include "tests/unit/support/plots.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/moved_clock.h"

#include <stdlib.h>

struct fr_plot plot_of(enum fr_format format)
{
    struct fr_plot plot = { .format = format };

    fr_writer_init(&plot.script);
    return plot;
}

struct fr_plot scripted(const char *script)
{
    struct fr_plot plot = plot_of(FR_SVG);

    fr_writer_text(&plot.script, script);
    return plot;
}

char *taken(struct fr_writer *w)
{
    char *text;

    assert_false(w->failed);
    text = strndup(w->text ? w->text : "", w->length);
    fr_writer_free(w);
    return text;
}

char *script_of(struct fr_plot plot)
{
    static char *kept[8];
    static size_t next;
    char **const at = &kept[next++ % 8];

    free(*at);
    return *at = taken(&plot.script);
}

char *picture_of(struct fr_plot plot, size_t *length)
{
    struct moved_clock clock; /* stands: a busy computer may be slow */
    struct fr_renderer *renderer;
    struct fr_writer out;
    char why[256] = "";
    char *picture;

    moved_clock_init(&clock);
    renderer = fr_renderer_new(1, NULL, &clock.clock);
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

const struct fr_chart *calibration_chart(const char *name)
{
    const struct fr_chart *chart = fr_chart_find(FR_OF_CALIBRATION, name);

    assert_non_null(chart);
    return chart;
}

bool drawn(const struct fr_chart *chart, const struct fr_calibration *cal, struct fr_arena *arena,
           struct fr_plot *plot)
{
    struct fr_chart_options options = { 0 };
    struct fr_faults faults = { .count = 0 };
    const struct fr_chart_source source = {
        .cal = cal, .options = &options, .arena = arena, .plot = plot, .faults = &faults
    };
    bool is_drawn;

    fr_params_clear(chart->params, &options);
    is_drawn = chart->draw.calibration(&source);
    assert_int_equal(faults.count, 0);
    return is_drawn;
}

void check_renders(struct fr_plot plot)
{
    free(picture_of(plot, NULL));
}

struct plots plots_begin(void)
{
    return (struct plots){ .all = plot_of(FR_SVG) };
}

void plots_add(struct plots *plots, struct fr_plot plot)
{
    fr_writer_append(&plots->all.script, plot.script.text, plot.script.length);
    fr_writer_text(&plots->all.script, "\nreset session\n");
    fr_writer_free(&plot.script);
    plots->count++;
}

void plots_end(struct plots *plots)
{
    static const char *const ends[] = { "</svg>", "IEND", "%%EOF" };
    size_t length, count = 0;
    char *pictures = picture_of(plots->all, &length);

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        for (const char *at = pictures;
             (at = memmem(at, length - (size_t)(at - pictures), ends[i], strlen(ends[i]))); at++)
            count++;
    assert_int_equal(count, plots->count);
    free(pictures);
}

void check_contains(const char *text, const char *part, bool is_wanted, const char *file, int line)
{
    if ((strstr(text, part) != NULL) == is_wanted)
        return;
    print_error("%s`%s` in: %.2000s\n", is_wanted ? "no " : "", part, text);
    _fail(file, line);
}
