/* Colours of charts, on light and on dark ground.
 *
 * The series have the hues of Okabe and Ito, in which colour-blind readers see differences. Each
 * theme has its own lightness, because their yellow and light blue are faint on white, and their
 * black is invisible on dark ground. Every colour has a contrast of at least 3 to the ground.
 */
#include "server/charts/plot/script.h"

const char *const fr_theme_names[] = { [FR_LIGHT] = "light", [FR_DARK] = "dark", NULL };

static const struct theme {
    const char *ground, *ink, *frame, *faint, *grid;
    const char *series[FR_COLOURS];
} themes[] = {
    [FR_LIGHT] = {
        .ground = "#ffffff",
        .ink = "#000000",
        .frame = "#444444",
        .faint = "#606060",
        .grid = "#e0e0e0",
        .series = { "#066198", "#b85a23", "#0f8863", "#85155f", "#c38600", "#1495d0", "#121212", "#544f09" },
    },
    [FR_DARK] = {
        .ground = "#11171b",
        .ink = "#e3e9ec",
        .frame = "#a0aeb6",
        .faint = "#98a6ae",
        .grid = "#2c363d",
        .series = { "#029df2", "#d9865b", "#48fec0", "#cb4197", "#8b5f09", "#56c2fe", "#b0b0b0", "#eee241" },
    },
};

const char *fr_theme_ground(enum fr_theme theme)
{
    return themes[theme].ground;
}

const char *fr_theme_series(enum fr_theme theme, size_t place)
{
    return themes[theme].series[place % FR_COLOURS];
}

static void write_linetype(struct fr_writer *w, size_t linetype, const char *colour)
{
    fr_writer_printf(w, "set linetype %zu lc rgb '%s'\n", linetype, colour);
}

void fr_theme_write(struct fr_plot *plot)
{
    const struct theme *theme = &themes[plot->theme];
    struct fr_writer *w = &plot->script;

    for (size_t i = 0; i < FR_COLOURS; i++)
        write_linetype(w, i + 1, theme->series[i]);
    write_linetype(w, FR_INK, theme->ink);
    write_linetype(w, FR_FRAME, theme->frame);
    write_linetype(w, FR_FAINT, theme->faint);
    write_linetype(w, FR_GRID, theme->grid);
    write_linetype(w, FR_GROUND, theme->ground);
    fr_writer_printf(w, "set key textcolor lt %d\n", FR_INK);
}
