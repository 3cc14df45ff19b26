/* Axes: their ranges and tics are settled here, not by gnuplot, so that counts read 1, 2, 4, …,
 * sizes 64 KiB and times 0.1, 1, 10 or 10⁻⁶, with a little room around the data.
 */
#include "chart/script.h"

#include <math.h>
#include <stdio.h>

enum { TICS = 9, ROOM = 80 };       /* ROOM: characters that fit along the x axis */
static const double padding = 0.04; /* of the range, at either end */
/* Beyond these the arithmetic of ranges and steps would overflow. */
static const double least = 1e-280, greatest = 1e280;

bool fr_plot_axis_shows(const struct fr_plot_axis *axis, double value)
{
    if (axis->is_log || axis->is_log2)
        return value >= least && value <= greatest;
    return fabs(value) <= greatest;
}

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

/* All labels of an axis are written in one form. */
static void write_value_tic(struct fr_writer *w, double value, bool is_plain)
{
    char label[FR_LABEL_BYTES];

    fr_label_value(value, is_plain, label);
    write_tic(w, label, value, false);
}

static void write_range(struct fr_writer *w, char name, double low, double high)
{
    fr_writer_printf(w, "set %crange [", name);
    fr_plot_number(w, low);
    fr_writer_text(w, ":");
    fr_plot_number(w, high);
    fr_writer_text(w, "]\n");
}

static void begin_tics(struct fr_writer *w, char name)
{
    fr_writer_printf(w, "set %ctics (", name);
}

/* The list ends with a comma, which gnuplot allows no more than C's grammar does of calls. */
static void end_tics(struct fr_writer *w)
{
    if (!w->failed && w->length >= 2 && w->text[w->length - 2] == ',')
        w->length -= 2;
    fr_writer_text(w, ")\n");
}

/* 1, 2 or 5 times a power of ten, for about TICS of them in the range. */
static double nice_step(double range)
{
    const double rough = range / (TICS - 2);
    const double power = pow(10, floor(log10(rough)));
    const double lead = rough / power;

    return power * (lead <= 1.0001 ? 1 : lead <= 2.0001 ? 2 : lead <= 5.0001 ? 5 : 10);
}

static void write_even_tics(struct fr_writer *w, char name, double low, double high, double step)
{
    const double most = fmax(fabs(low), fabs(high));
    const bool is_plain = most >= 1e-2 && most <= 1e6;

    begin_tics(w, name);
    for (double k = ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++)
        write_value_tic(w, k * step + 0.0, is_plain); /* no -0 */
    end_tics(w);
}

static void write_linear(struct fr_writer *w, char name, const struct fr_plot_axis *axis,
                         struct fr_span span)
{
    double low = axis->from_zero ? fmin(0, span.low) : span.low;
    double high = axis->from_zero ? fmax(0, span.high) : span.high;
    double step;

    /* A range that differs in rounding only would ask for more tics than doubles there are. */
    if (high - low <= fmax(1e-9 * fmax(fabs(low), fabs(high)), least)) {
        const double room = fabs(low) > least ? 0.5 * fabs(low) : 1;

        low -= room;
        high += room;
    }
    step = nice_step(high - low);
    if (name == 'y') {
        low = floor(low / step + 1e-9) * step;
        high = ceil(high / step - 1e-9) * step;
    } else {
        const double room = padding * (high - low);

        low = low >= 0 ? fmax(0, low - room) : low - room;
        high += room;
    }
    write_range(w, name, low + 0.0, high + 0.0);
    write_even_tics(w, name, low, high, step);
}

/* Ranges of a few decades have tics at 1, 2 and 5, wider ones at powers of ten only. */
static void write_log10_tics(struct fr_writer *w, char name, double low, double high)
{
    const double decades = log10(high) - log10(low);
    const bool is_plain = low >= 9e-4 && high <= 1.1e5;
    const int stride = decades > TICS ? (int)ceil(decades / TICS) : 1;
    const int first = (int)floor(log10(low)), last = (int)ceil(log10(high));

    begin_tics(w, name);
    for (int exponent = first; exponent <= last; exponent++) {
        for (int lead = 1; lead <= (stride == 1 ? 9 : 1); lead++) {
            const double value = lead * pow(10, exponent);
            const bool is_labelled = lead == 1 || (decades <= 2.5 && (lead == 2 || lead == 5));

            if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9))
                continue;
            if (is_labelled && exponent % stride == 0)
                write_value_tic(w, value, is_plain);
            else
                write_tic(w, "", value, true);
        }
    }
    end_tics(w);
}

static void write_log10(struct fr_writer *w, char name, struct fr_span span)
{
    const double decades = log10(span.high) - log10(span.low);
    const double room = pow(10, decades > 1e-4 ? padding * decades : 0.5);
    const double low = span.low / room, high = span.high * room;

    fr_writer_printf(w, "set logscale %c 10\n", name);
    write_range(w, name, low, high);
    if (high / low < 5)
        write_even_tics(w, name, low, high, nice_step(high - low));
    else
        write_log10_tics(w, name, low, high);
}

static void write_log2(struct fr_writer *w, char name, const struct fr_plot_axis *axis,
                       struct fr_span span)
{
    const double octaves = log2(span.high) - log2(span.low);
    const double room = octaves > 0.001 ? padding * octaves : 1.2;
    const double low = log2(span.low) - room, high = log2(span.high) + room;
    char widest[FR_LABEL_BYTES];
    const int digits = snprintf(widest, sizeof widest, "%.10g", exp2(floor(high)));
    const int most = axis->is_bytes || name == 'y' ? TICS : ROOM / (digits + 2);
    const int stride = (int)fmax(1, ceil((high - low) / most));

    fr_writer_printf(w, "set logscale %c 2\n", name);
    write_range(w, name, exp2(low), exp2(high));
    if (floor(high) <= ceil(low)) { /* one power of two, or none */
        write_even_tics(w, name, exp2(low), exp2(high), nice_step(exp2(high) - exp2(low)));
        return;
    }
    begin_tics(w, name);
    for (int power = (int)ceil(low); power <= (int)floor(high); power++) {
        char label[FR_LABEL_BYTES] = "";

        if (power % stride == 0 && axis->is_bytes)
            fr_label_bytes(exp2(power), label);
        else if (power % stride == 0)
            snprintf(label, sizeof label, "%.10g", exp2(power));
        write_tic(w, label, exp2(power), power % stride != 0);
    }
    end_tics(w);
}

static void write_categories(struct fr_writer *w, char name, const struct fr_plot_axis *axis)
{
    size_t count = 0, width = 0;

    for (; axis->categories[count]; count++)
        width += fr_script_width(axis->categories[count]) + 2;
    write_range(w, name, -0.6, (double)count - 0.4);
    if (name == 'x' && width > ROOM)
        fr_writer_text(w, "set xtics rotate by 35 right\n");
    begin_tics(w, name);
    for (size_t i = 0; i < count; i++)
        write_tic(w, axis->categories[i], (double)i, false);
    end_tics(w);
}

void fr_plot_axis_write(struct fr_writer *script, char name, const struct fr_plot_axis *axis,
                        struct fr_span span)
{
    if (span.low > span.high)
        span = (struct fr_span){ .low = 1, .high = 10 };
    if (axis->categories)
        write_categories(script, name, axis);
    else if (axis->is_log2)
        write_log2(script, name, axis, span);
    else if (axis->is_log)
        write_log10(script, name, span);
    else
        write_linear(script, name, axis, span);
    fr_writer_printf(script, "set %clabel ", name);
    fr_plot_text(script, axis->title);
    fr_writer_text(script, "\n");
}
