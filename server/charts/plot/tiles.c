/* Rectangles coloured by a value, with a colour scale, such as the regions of a model by their
 * error. */
#include "server/charts/plot/script.h"

#include <math.h>
#include <stdio.h>

/* Pixels: width of the colour scale with its labels and title, width of a character, height of a
 * line. */
enum { COLOUR_BOX = 125, CHARACTER = 8, LINE = 16, MARGIN = 2 };
enum { PLACES = 7 }; /* label positions to try along each side */
enum { MANY = 300 }; /* more tiles have no labels */
/* From light to dark, so that the colours are distinct in greyscale and for colour-blind
 * readers. */
static const char palette[] = "set palette defined (0 '#fff7dc', 0.25 '#fdd49e', 0.5 '#fc8d59', "
                              "0.75 '#c9302c', 1 '#5f0a1f')\n";
static const double dark_part = 0.6; /* fraction of the scale above which labels are white */
/* The palette has no grey. */
static const char grey[] = " fc rgb '#c8c8c8' fillstyle solid 1 border rgb '#777777'";

/* Relative to the chart's width and height. */
struct part {
    double low_x, high_x, low_y, high_y;
};

struct frame {
    const struct fr_plot_axis *x, *y;
    struct fr_span across, up;
    struct fr_room room;
};

static double part_of(const struct fr_plot_axis *axis, struct fr_span span, double value)
{
    if (axis->is_log || axis->is_log2)
        return log2(value / span.low) / log2(span.high / span.low);
    return (value - span.low) / (span.high - span.low);
}

static double value_of(const struct fr_plot_axis *axis, struct fr_span span, double part)
{
    if (axis->is_log || axis->is_log2)
        return span.low * pow(span.high / span.low, part);
    return span.low + part * (span.high - span.low);
}

static struct part part_of_tile(const struct frame *frame, const struct fr_tile *tile)
{
    return (struct part){
        .low_x = part_of(frame->x, frame->across, tile->low_x),
        .high_x = part_of(frame->x, frame->across, tile->high_x),
        .low_y = part_of(frame->y, frame->up, tile->low_y),
        .high_y = part_of(frame->y, frame->up, tile->high_y),
    };
}

static bool are_apart(const struct part *a, const struct part *b)
{
    return a->high_x <= b->low_x || b->high_x <= a->low_x || a->high_y <= b->low_y ||
           b->high_y <= a->low_y;
}

static bool is_within(const struct part *inner, const struct part *outer)
{
    return inner->low_x >= outer->low_x && inner->high_x <= outer->high_x &&
           inner->low_y >= outer->low_y && inner->high_y <= outer->high_y;
}

/* A position for the label of tile i that no later tile covers, as close to the middle of the
 * tile as possible. */
static bool find_place(const struct frame *frame, const struct fr_tile *tile, size_t count,
                       size_t i, size_t characters, struct part *out)
{
    const struct part whole = part_of_tile(frame, &tile[i]);
    const double half_x =
        (double)(characters * CHARACTER + 2 * MARGIN) / 2 / fmax(1, frame->room.width);
    const double half_y = (double)LINE / 2 / fmax(1, frame->room.height);
    double nearest = INFINITY;

    for (int place = 0; place < PLACES * PLACES; place++) {
        const double u = (place % PLACES + 1.0) / (PLACES + 1),
                     v = (place / PLACES + 1.0) / (PLACES + 1);
        const double x = whole.low_x + u * (whole.high_x - whole.low_x);
        const double y = whole.low_y + v * (whole.high_y - whole.low_y);
        const double away = hypot(u - 0.5, v - 0.5);
        const struct part label = { x - half_x, x + half_x, y - half_y, y + half_y };
        bool is_free = away < nearest && is_within(&label, &whole);

        for (size_t above = i + 1; is_free && above < count; above++) {
            const struct part other = part_of_tile(frame, &tile[above]);

            is_free = are_apart(&label, &other);
        }
        if (is_free) {
            nearest = away;
            *out = label;
        }
    }
    return isfinite(nearest);
}

/* Position of the value on the scale, 0 to 1. */
static double shade(const struct fr_plot_scale *scale, double value)
{
    if (!(scale->most > scale->least))
        return 0;
    if (scale->is_log)
        return log(value / scale->least) / log(scale->most / scale->least);
    return (value - scale->least) / (scale->most - scale->least);
}

/* Writes the value with this many significant digits, without an exponent if its magnitude is
 * moderate. */
static void write_value(char text[FR_LABEL_BYTES], double value, int digits)
{
    const double size = fabs(value);
    const int before = size >= 1 ? (int)floor(log10(size)) + 1 : 0;

    if (!digits)
        snprintf(text, FR_LABEL_BYTES, "%.*f", value < 9.95 ? 1 : 0, value);
    else if (size < 1e5 && (size >= 1e-3 || size == 0))
        snprintf(text, FR_LABEL_BYTES, "%.*f", before < digits ? digits - before : 0, value);
    else
        snprintf(text, FR_LABEL_BYTES, "%.*e", digits - 1, value);
}

static void write_label(struct fr_writer *w, const struct frame *frame, const struct fr_tile *tile,
                        size_t count, size_t i, const struct fr_plot_scale *scale)
{
    char text[FR_LABEL_BYTES];
    struct part place = { 0 };

    if (isnan(tile[i].value))
        return;
    write_value(text, tile[i].value, scale->digits);
    if (!find_place(frame, tile, count, i, fr_script_width(text), &place))
        return;
    fr_writer_text(w, "set label ");
    fr_plot_text(w, text);
    fr_writer_text(w, " at first ");
    fr_plot_number(w, value_of(frame->x, frame->across, (place.low_x + place.high_x) / 2));
    fr_writer_text(w, ", first ");
    fr_plot_number(w, value_of(frame->y, frame->up, (place.low_y + place.high_y) / 2));
    fr_writer_printf(w, " center front textcolor rgb '%s'\n",
                     shade(scale, tile[i].value) > dark_part ? "#ffffff" : "#000000");
}

/* Writes the tiles with a value, or those without one. */
static void write_tiles(struct fr_writer *w, const char *name, const struct fr_tile *tile,
                        size_t count, bool are_grey)
{
    fr_writer_printf(w, "$%s << EOD\nNaN NaN NaN NaN NaN NaN NaN\n", name);
    for (size_t i = 0; i < count; i++)
        if (isnan(tile[i].value) == are_grey)
            fr_script_row(w,
                          (double[]){ tile[i].low_x, tile[i].low_y, tile[i].low_x, tile[i].high_x,
                                      tile[i].low_y, tile[i].high_y, tile[i].value },
                          7);
    fr_writer_text(w, "EOD\n");
}

/* Plots the grey tiles with the legend that explains them. */
static void plot_grey(struct fr_writer *w, const char *const *reasons, size_t label)
{
    fr_writer_printf(w, "$grey using 1:2:3:4:5:6 notitle with boxxyerror%s, \\\n    ", grey);
    for (; *reasons; reasons++) {
        fr_writer_text(w, "NaN");
        fr_script_key(w, *reasons, label);
        fr_writer_printf(w, " with boxes%s, \\\n    ", grey);
    }
}

/* If values exceed the scale, the label at its end says so. */
static void write_end(struct fr_writer *w, const struct fr_plot_scale *scale,
                      const struct fr_tile *tile, size_t count)
{
    char text[FR_LABEL_BYTES];
    bool is_exceeded = false;

    for (size_t i = 0; i < count; i++)
        is_exceeded = is_exceeded || tile[i].value > scale->most;
    if (!is_exceeded)
        return;
    snprintf(text, sizeof text, "≥ %.3g", scale->most);
    fr_writer_text(w, "set cbtics add (");
    fr_plot_text(w, text);
    fr_writer_text(w, " ");
    fr_plot_number(w, scale->most);
    fr_writer_text(w, ")\n");
}

/* A frame that is visible on light and dark colours: blue with a white line inside. */
static void write_frame(struct fr_writer *w, const struct fr_tile *tile)
{
    static const struct {
        const char *colour;
        int width;
    } lines[] = { { "#ffffff", 7 }, { "#0072b2", 4 } };

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const double corners[] = { tile->low_x, tile->low_y, tile->high_x, tile->high_y };

        fr_writer_text(w, "set object rectangle from first ");
        for (size_t k = 0; k < 4; k++) {
            fr_plot_number(w, corners[k]);
            fr_writer_text(w, k == 1 ? " to first " : k == 3 ? " " : ", first ");
        }
        fr_writer_printf(w, "front fillstyle empty border lc rgb '%s' lw %d\n", lines[i].colour,
                         lines[i].width);
    }
}

static void write_scale(struct fr_writer *w, const struct fr_plot_scale *scale)
{
    fr_writer_text(w, palette);
    if (scale->is_log)
        fr_writer_text(w, "set logscale cb 10\nset format cb '%.4g'\n");
    fr_writer_text(w, "set cbrange [");
    fr_plot_number(w, scale->least);
    fr_writer_text(w, ":");
    /* A scale needs a nonempty range even if all values are equal. */
    fr_plot_number(w, scale->most > scale->least ? scale->most : scale->least + 1);
    fr_writer_printf(
        w, "]\nset colorbox border %d\nset cbtics nomirror out textcolor lt %d\nset cblabel ",
        FR_FRAME, FR_INK);
    fr_plot_text(w, scale->title);
    fr_writer_printf(w, " textcolor lt %d\n", FR_INK);
}

void fr_plot_tiles(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                   const struct fr_plot_axis *y, const struct fr_plot_scale *scale,
                   const struct fr_tile *tile, size_t count)
{
    struct fr_writer *w = &plot->script;
    struct frame frame = { .x = x, .y = y, .across = FR_SPAN_EMPTY, .up = FR_SPAN_EMPTY };
    struct fr_key key = { .beside = COLOUR_BOX };

    for (size_t i = 0; i < count; i++) {
        fr_span_add(&frame.across, x, tile[i].low_x);
        fr_span_add(&frame.across, x, tile[i].high_x);
        fr_span_add(&frame.up, y, tile[i].low_y);
        fr_span_add(&frame.up, y, tile[i].high_y);
    }
    for (size_t i = 0; scale->reasons && scale->reasons[i]; i++)
        fr_key_add(&key, scale->reasons[i]);
    frame.room = fr_script_begin(plot, title, key);
    frame.across = fr_plot_axis_write(plot, "x", x, frame.across, &frame.room);
    frame.up = fr_plot_axis_write(plot, "y", y, frame.up, &frame.room);
    fr_shown_tiles(plot, scale, tile, count);
    if (x->categories && y->categories) /* shows empty cells as such */
        fr_writer_text(w, "unset grid\n");
    write_scale(w, scale);
    write_end(w, scale, tile, count);
    write_tiles(w, "tiles", tile, count, false);
    if (key.count)
        write_tiles(w, "grey", tile, count, true);
    for (size_t i = 0; i < count && count <= MANY; i++)
        write_label(w, &frame, tile, count, i, scale);
    if (scale->marked)
        write_frame(w, &tile[scale->marked - 1]);
    fr_writer_text(w, "plot ");
    if (key.count)
        plot_grey(w, scale->reasons, frame.room.label);
    fr_writer_text(w, "$tiles using 1:2:3:4:5:6:7 notitle with boxxyerror "
                      "lc palette lw 1 fillstyle solid 1 border rgb '#777777'\n");
}
