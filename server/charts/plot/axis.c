/* Axes. Ranges and tics are computed here instead of by gnuplot, so that counts read 1, 2, 4, …,
 * sizes 64 KiB and times 0.1, 1, 10 or 10⁻⁶, with a margin around the data. */
#include "server/charts/plot/script.h"

#include <math.h>
#include <stdio.h>

enum { LEAST_TICS = 3, MOST_TICS = 9 };
/* Pixels: width of a character, distance of tics, height of a line of slanted and of upright
 * names. */
enum {
    CHARACTER = 8,
    TIC_ACROSS = 48,
    TIC_UP = 38,
    SLANTED = 26,
    UPRIGHT = 16,
    SMALL_UPRIGHT = 10
};
enum {
    SMALL_FONT = 9,
    MOST_SLANTED = 14,
    MOST_UPRIGHT = 28,
    LEAST_ACROSS = 8
}; /* MOST_, LEAST_: maximum characters of a name */
/* Shares of the height and of the width available for names. */
static const double turned_part = 0.4, across_part = 0.6;
static const double padding = 0.04; /* share of the range, at each end */
/* Larger values would overflow in the arithmetic of ranges and steps. */
static const double least = 1e-280, greatest = 1e280;

bool fr_plot_axis_shows(const struct fr_plot_axis *axis, double value)
{
    if (axis->is_log || axis->is_log2)
        return value >= least && value <= greatest;
    return fabs(value) <= greatest;
}

/* State of writing one axis. */
struct ruler {
    struct fr_writer *w;
    const char *name;
    double pixels;
    int tics; /* approximate number of tics */
};

void fr_span_add(struct fr_span *span, const struct fr_plot_axis *axis, double value)
{
    if (!fr_plot_axis_shows(axis, value))
        return;
    span->low = fmin(span->low, value);
    span->high = fmax(span->high, value);
}

static void write_tic(struct fr_writer *w, const char *label, double value, bool is_minor)
{
    fr_plot_text(w, label);
    fr_writer_text(w, " ");
    fr_plot_number(w, value);
    fr_writer_text(w, is_minor ? " 1, " : ", ");
}

/* All labels of an axis have the same format. */
static void write_value_tic(struct fr_writer *w, double value, bool is_plain)
{
    char label[FR_LABEL_BYTES];

    fr_label_value(value, is_plain, label);
    write_tic(w, label, value, false);
}

static struct fr_span write_range(const struct ruler *ruler, double low, double high)
{
    fr_writer_printf(ruler->w, "set %srange [", ruler->name);
    fr_plot_number(ruler->w, low);
    fr_writer_text(ruler->w, ":");
    fr_plot_number(ruler->w, high);
    fr_writer_text(ruler->w, "]\n");
    return (struct fr_span){ .low = low, .high = high };
}

static void begin_tics(const struct ruler *ruler)
{
    fr_writer_printf(ruler->w, "set %stics (", ruler->name);
}

/* gnuplot accepts no trailing comma in the list, so the last one is removed. */
static void end_tics(struct fr_writer *w)
{
    if (!w->failed && w->length >= 2 && w->text[w->length - 2] == ',')
        w->length -= 2;
    fr_writer_text(w, ")\n");
}

/* A step of 1, 2 or 5 times a power of ten that gives about the requested number of tics in the
 * range. */
static double nice_step(double range, int tics)
{
    const double rough = range / (tics - 2);
    const double power = pow(10, floor(log10(rough)));
    const double lead = rough / power;

    return power * (lead <= 1.0001 ? 1 : lead <= 2.0001 ? 2 : lead <= 5.0001 ? 5 : 10);
}

static void write_even_tics(const struct ruler *ruler, struct fr_span range, double step)
{
    const double most = fmax(fabs(range.low), fabs(range.high));
    const bool is_plain = most >= 1e-2 && most <= 1e6;

    begin_tics(ruler);
    for (double k = ceil(range.low / step - 1e-9); k * step <= range.high + 1e-9 * step; k++)
        write_value_tic(ruler->w, k * step + 0.0, is_plain); /* avoids -0 */
    end_tics(ruler->w);
}

static struct fr_span write_linear(const struct ruler *ruler, const struct fr_plot_axis *axis,
                                   struct fr_span span)
{
    double low = axis->from_zero ? fmin(0, span.low) : span.low;
    double high = axis->from_zero ? fmax(0, span.high) : span.high;
    double step;

    /* A range that is empty up to rounding would give an unbounded number of tics. */
    if (high - low <= fmax(1e-9 * fmax(fabs(low), fabs(high)), least)) {
        const double room = fabs(low) > least ? 0.5 * fabs(low) : 1;

        low -= room;
        high += room;
    }
    step = nice_step(high - low, ruler->tics);
    if (axis->is_tight) {
        span = write_range(ruler, low, high);
        write_even_tics(ruler, span, step);
        return span;
    }
    if (*ruler->name == 'y') {
        low = floor(low / step + 1e-9) * step;
        high = ceil(high / step - 1e-9) * step;
    } else {
        const double room = padding * (high - low);

        low = low >= 0 ? fmax(0, low - room) : low - room;
        high += room;
    }
    span = write_range(ruler, low + 0.0, high + 0.0);
    write_even_tics(ruler, span, step);
    return span;
}

static struct fr_span write_dates(const struct ruler *ruler, struct fr_span span)
{
    const double room = fmax(padding * (span.high - span.low), 3600);
    struct fr_date_tic tic[FR_MOST_DATES];
    size_t count;

    span = write_range(ruler, span.low - room, span.high + room);
    count = fr_dates_find(span.low, span.high, ruler->pixels / CHARACTER, tic);
    begin_tics(ruler);
    for (size_t i = 0; i < count; i++)
        write_tic(ruler->w, tic[i].label, tic[i].value, false);
    end_tics(ruler->w);
    return span;
}

/* Ranges of a few decades have tics at 1, 2 and 5, wider ones only at powers of ten. */
static void write_log10_tics(const struct ruler *ruler, struct fr_span range)
{
    const double decades = log10(range.high) - log10(range.low);
    const bool is_plain = range.low >= 9e-4 && range.high <= 1.1e5;
    const int stride = decades > ruler->tics ? (int)ceil(decades / ruler->tics) : 1;
    const int first = (int)floor(log10(range.low)), last = (int)ceil(log10(range.high));
    const bool has_parts = 3 * decades <= ruler->tics - 1.5;

    begin_tics(ruler);
    for (int exponent = first; exponent <= last; exponent++) {
        for (int lead = 1; lead <= (stride == 1 ? 9 : 1); lead++) {
            const double value = lead * pow(10, exponent);
            const bool is_labelled = lead == 1 || (has_parts && (lead == 2 || lead == 5));

            if (value < range.low * (1 - 1e-9) || value > range.high * (1 + 1e-9))
                continue;
            if (is_labelled && exponent % stride == 0)
                write_value_tic(ruler->w, value, is_plain);
            else
                write_tic(ruler->w, "", value, true);
        }
    }
    end_tics(ruler->w);
}

static struct fr_span write_log10(const struct ruler *ruler, struct fr_span span)
{
    const double decades = log10(span.high) - log10(span.low);
    const double room = pow(10, decades > 1e-4 ? padding * decades : 0.5);
    struct fr_span range;

    fr_writer_printf(ruler->w, "set logscale %s 10\n", ruler->name);
    range = write_range(ruler, span.low / room, span.high * room);
    if (range.high / range.low < 5)
        write_even_tics(ruler, range, nice_step(range.high - range.low, ruler->tics));
    else
        write_log10_tics(ruler, range);
    return range;
}

/* How many powers of two fit along the axis. */
static double powers_shown(const struct ruler *ruler, const struct fr_plot_axis *axis, double low,
                           double high)
{
    char text[FR_LABEL_BYTES];
    const int first = snprintf(text, sizeof text, "%.10g", exp2(ceil(low)));
    const int last = snprintf(text, sizeof text, "%.10g", exp2(floor(high)));

    if (axis->is_bytes || *ruler->name == 'y')
        return ruler->tics;
    return fmax(1, floor(ruler->pixels / (CHARACTER * ((first > last ? first : last) + 2))));
}

static struct fr_span write_log2(const struct ruler *ruler, const struct fr_plot_axis *axis,
                                 struct fr_span span)
{
    const double octaves = log2(span.high) - log2(span.low);
    const double room = octaves > 0.001 ? padding * octaves : 1.2;
    const double low = log2(span.low) - room, high = log2(span.high) + room;
    const int stride = (int)fmax(1, ceil((high - low) / powers_shown(ruler, axis, low, high)));

    fr_writer_printf(ruler->w, "set logscale %s 2\n", ruler->name);
    span = write_range(ruler, exp2(low), exp2(high));
    if (floor(high) <= ceil(low)) { /* at most one power of two in the range */
        write_even_tics(ruler, span, nice_step(span.high - span.low, ruler->tics));
        return span;
    }
    begin_tics(ruler);
    for (int power = (int)ceil(low); power <= (int)floor(high); power++) {
        char label[FR_LABEL_BYTES] = "";

        if (power % stride == 0 && axis->is_bytes)
            fr_label_bytes(exp2(power), label);
        else if (power % stride == 0)
            snprintf(label, sizeof label, "%.10g", exp2(power));
        write_tic(ruler->w, label, exp2(power), power % stride != 0);
    }
    end_tics(ruler->w);
    return span;
}

/* Whether two neighbouring names would overlap. */
static bool are_crowded(const char *const *names, double pitch)
{
    for (size_t i = 0; names[i] && names[i + 1]; i++) {
        const size_t width = fr_script_width(names[i]) + fr_script_width(names[i + 1]);

        if ((0.5 * (double)width + 1.5) * CHARACTER > pitch)
            return true;
    }
    return false;
}

/* Names that do not fit side by side are slanted, or upright if they are many or long. If
 * upright names do not fit either, only every second, third, … name is shown. Rotated names
 * reduce the height of the chart. */
static struct fr_span write_categories(const struct fr_plot *plot, const struct ruler *ruler,
                                       const char *const *names, struct fr_room *room)
{
    size_t count = 0, widest = 0, most = FR_PLOT_TEXT, stride = 1;
    struct fr_span range;
    double pitch;

    for (; names[count]; count++)
        widest = fr_script_width(names[count]) > widest ? fr_script_width(names[count]) : widest;
    pitch = ruler->pixels / ((double)count + 0.2);
    range = write_range(ruler, -0.6, (double)count - 0.4);
    if (*ruler->name == 'x' && are_crowded(names, pitch)) {
        const bool is_slanted = pitch >= SLANTED && widest <= MOST_SLANTED;

        most = (size_t)fmin(MOST_UPRIGHT, room->height * turned_part / CHARACTER);
        stride = (size_t)fmax(1, ceil(SMALL_UPRIGHT / pitch));
        fr_writer_printf(ruler->w, "set xtics rotate by %d right", is_slanted ? 35 : 90);
        if (pitch < UPRIGHT)
            fr_writer_printf(ruler->w, " font ',%d'", fr_script_font(plot, SMALL_FONT));
        fr_writer_text(ruler->w, "\n");
        room->height -= fmin((double)widest, (double)most) * CHARACTER * (is_slanted ? 0.5 : 1);
    }
    if (*ruler->name == 'y')
        most = (size_t)fmax(LEAST_ACROSS, room->width * across_part / CHARACTER);
    begin_tics(ruler);
    for (size_t i = 0; i < count; i++) {
        fr_script_cut(ruler->w, i % stride ? "" : names[i], most);
        fr_writer_printf(ruler->w, i + 1 < count ? " %zu, " : " %zu", i);
    }
    end_tics(ruler->w);
    return range;
}

struct fr_span fr_plot_axis_write(struct fr_plot *plot, const char *name,
                                  const struct fr_plot_axis *axis, struct fr_span span,
                                  struct fr_room *room)
{
    const double pixels = *name == 'x' ? room->width : room->height;
    const double tics = pixels / (*name == 'x' ? TIC_ACROSS : TIC_UP);
    const struct ruler ruler = {
        .w = &plot->script,
        .name = name,
        .pixels = pixels,
        .tics = (int)fmin(MOST_TICS, fmax(LEAST_TICS, tics)),
    };

    if (span.low > span.high)
        span = (struct fr_span){ .low = 1, .high = 10 };
    if (axis->categories)
        span = write_categories(plot, &ruler, axis->categories, room);
    else if (axis->is_log2)
        span = write_log2(&ruler, axis, span);
    else if (axis->is_log)
        span = write_log10(&ruler, span);
    else if (axis->is_time)
        span = write_dates(&ruler, span);
    else
        span = write_linear(&ruler, axis, span);
    fr_writer_printf(&plot->script, "set %slabel ", name);
    fr_plot_text(&plot->script, axis->title);
    fr_writer_printf(&plot->script, " textcolor lt %d\n", FR_INK);
    fr_shown_axis(plot, name, axis, span);
    return span;
}
