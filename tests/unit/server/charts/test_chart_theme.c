/* Colours of charts: contrast to the ground, and distances as colour-blind readers see them. */
#include "server/charts/plot/script.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/plots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RED, GREEN, BLUE, CHANNELS };
struct colour {
    double linear[CHANNELS]; /* 0 to 1 */
};

static struct colour colour_of(const char *text)
{
    unsigned part[CHANNELS];
    struct colour out;

    assert_int_equal(sscanf(text, "#%2x%2x%2x", &part[RED], &part[GREEN], &part[BLUE]), 3);
    for (size_t i = 0; i < CHANNELS; i++) {
        const double value = part[i] / 255.0;

        out.linear[i] = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
    }
    return out;
}

/* Relative luminance and contrast of WCAG 2.2, section 1.4.11. */
static double luminance(struct colour c)
{
    return 0.2126 * c.linear[RED] + 0.7152 * c.linear[GREEN] + 0.0722 * c.linear[BLUE];
}

static double contrast(const char *a, const char *b)
{
    const double one = luminance(colour_of(a)), other = luminance(colour_of(b));

    return (fmax(one, other) + 0.05) / (fmin(one, other) + 0.05);
}

/* How a colour is seen: normally, without red, green or blue cones (Machado, Oliveira and Fernandes
 * 2009, table 1, severity 1). */
enum { VISIONS = 4 };
static const double seen[VISIONS][CHANNELS][CHANNELS] = {
    { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
    { { 0.152286, 1.052583, -0.204868 },
      { 0.114503, 0.786281, 0.099216 },
      { -0.003882, -0.048116, 1.051998 } },
    { { 0.367322, 0.860646, -0.227968 },
      { 0.280085, 0.672501, 0.047413 },
      { -0.011820, 0.042940, 0.968881 } },
    { { 1.255528, -0.076749, -0.178779 },
      { -0.078411, 0.930809, 0.147602 },
      { 0.004733, 0.691367, 0.303900 } },
};

static void multiply(const double matrix[CHANNELS][CHANNELS], const double in[CHANNELS],
                     double out[CHANNELS])
{
    for (size_t i = 0; i < CHANNELS; i++) {
        out[i] = 0;
        for (size_t k = 0; k < CHANNELS; k++)
            out[i] += matrix[i][k] * in[k];
    }
}

/* Oklab (Ottosson 2020): lightness, and two axes of hue. */
static void oklab(const double linear[CHANNELS], double lab[CHANNELS])
{
    static const double cones[CHANNELS][CHANNELS] = {
        { 0.4122214708, 0.5363325363, 0.0514459929 },
        { 0.2119034982, 0.6806995451, 0.1073969566 },
        { 0.0883024619, 0.2817188376, 0.6299787005 },
    };
    static const double axes[CHANNELS][CHANNELS] = {
        { 0.2104542553, 0.7936177850, -0.0040720468 },
        { 1.9779984951, -2.4285922050, 0.4505937099 },
        { 0.0259040371, 0.7827717662, -0.8086757660 },
    };
    double cone[CHANNELS];

    multiply(cones, linear, cone);
    for (size_t i = 0; i < CHANNELS; i++)
        cone[i] = cbrt(cone[i]);
    multiply(axes, cone, lab);
}

static double distance(const char *a, const char *b, size_t vision)
{
    double lab[2][CHANNELS], sum = 0;
    const char *const text[] = { a, b };

    for (size_t i = 0; i < 2; i++) {
        const struct colour colour = colour_of(text[i]);
        double linear[CHANNELS];

        multiply(seen[vision], colour.linear, linear);
        for (size_t k = 0; k < CHANNELS; k++)
            linear[k] = fmin(1, fmax(0, linear[k]));
        oklab(linear, lab[i]);
    }
    for (size_t k = 0; k < CHANNELS; k++)
        sum += (lab[0][k] - lab[1][k]) * (lab[0][k] - lab[1][k]);
    return sqrt(sum);
}

TEST(series_stand_out_from_the_ground)
{
    for (size_t i = 0; i < FR_COLOURS; i++) {
        assert_true(contrast(fr_theme_series(FR_LIGHT, i), fr_theme_ground(FR_LIGHT)) >= 3);
        assert_true(contrast(fr_theme_series(FR_DARK, i), fr_theme_ground(FR_DARK)) >= 3);
    }
}

/* The palette of Okabe and Ito, with all its lightness, has 0.06. */
TEST(series_differ_for_colour_blind_readers)
{
    const double least = 0.075;

    for (enum fr_theme theme = FR_LIGHT; theme <= FR_DARK; theme++)
        for (size_t i = 0; i < FR_COLOURS; i++)
            for (size_t k = 0; k < i; k++)
                for (size_t vision = 0; vision < VISIONS; vision++)
                    assert_true(distance(fr_theme_series(theme, i), fr_theme_series(theme, k),
                                         vision) >= least);
}

/* The angle in degrees of a colour's hue. */
static double hue(const char *text)
{
    const struct colour colour = colour_of(text);
    double lab[CHANNELS];

    oklab(colour.linear, lab);
    return atan2(lab[2], lab[1]) * 180 / acos(-1);
}

TEST(a_series_has_the_same_hue_in_both_themes)
{
    enum { NEUTRAL = 6 }; /* black or grey, which has no hue */

    for (size_t i = 0; i < FR_COLOURS; i++)
        if (i != NEUTRAL)
            assert_true(
                fabs(remainder(hue(fr_theme_series(FR_LIGHT, i)) - hue(fr_theme_series(FR_DARK, i)),
                               360)) < 5);
}

static struct fr_plot line_of(enum fr_theme theme)
{
    static const double x[] = { 1, 2, 4 }, low[] = { 1, 2, 3 }, high[] = { 2, 3, 4 };
    static const struct fr_plot_mark mark = { .x = 2, .label = "limit" };
    const struct fr_plot_axis across = { .title = "x", .marks = &mark, .mark_count = 1 };
    const struct fr_plot_axis up = { .title = "y" };
    const struct fr_series series = {
        .label = "a", .x = x, .y = x, .low = low, .high = high, .count = 3, .band_label = "b"
    };
    struct fr_plot plot = plot_of(FR_SVG);

    plot.theme = theme;
    fr_plot_lines(&plot, "t", &across, &up, &series, 1);
    return plot;
}

TEST(a_dark_chart_has_no_dark_text)
{
    size_t length;
    char *picture = picture_of(line_of(FR_DARK), &length);

    assert_contains(picture, "fill=\"#11171b\"");
    assert_contains(picture, "fill=\"rgb(227,233,236)\"");
    assert_lacks(picture, "fill=\"black\"");
    assert_lacks(picture, "#ffffff");
    free(picture);
    picture = picture_of(line_of(FR_LIGHT), &length);
    assert_contains(picture, "fill=\"#ffffff\"");
    free(picture);
}
