/* Legends, and the markers and places that distinguish series.
 *
 * The legend stands to the right of the chart, or below it if the chart would become too narrow.
 */
#include "server/charts/plot/script.h"

#include <math.h>

enum { SMALL_FONT = 10, LEAST_TEXT = 6, MOST_TEXT = 64 };
/* Pixels: height of a line and width of a character in the normal and in the small font, width
 * of a sample. */
enum { LINE = 21, CHARACTER = 8, SMALL_LINE = 16, SMALL_CHARACTER = 7, SAMPLE = 60 };
enum { WIDE_LABEL = 26 };  /* characters */
enum { LEAST_AXES = 200 }; /* pixels that a legend beside the axes leaves them */

static const int hollow_markers[] = { 6, 4, 8, 12, 10, 14, 2, 1, 3 };

void fr_key_add(struct fr_key *key, const char *label)
{
    size_t width = fr_script_width(label);

    if (!width)
        return;
    if (width > MOST_TEXT)
        width = MOST_TEXT;
    key->widest = width > key->widest ? width : key->widest;
    key->count++;
}

static size_t ceiling(size_t count, size_t by)
{
    return by ? (count + by - 1) / by : count;
}

static void write_font(struct fr_plot *plot, bool is_small)
{
    if (is_small)
        fr_writer_printf(&plot->script, " font ',%d'", fr_script_font(plot, SMALL_FONT));
}

static bool write_beside(struct fr_plot *plot, struct fr_key key, struct fr_room *room)
{
    const double width = (double)(key.widest * CHARACTER + SAMPLE);
    const double least = key.least_axes > 0 ? key.least_axes : LEAST_AXES;

    if (key.widest > WIDE_LABEL || width > room->width / 2 ||
        room->width - width - key.names < least || (double)(key.count * SMALL_LINE) > room->height)
        return false;
    fr_writer_text(&plot->script, "right top vertical");
    write_font(plot, (double)(key.count * LINE) > room->height);
    fr_writer_text(&plot->script, "\n");
    room->width -= width;
    return true;
}

/* The legend takes at most half of the height. Labels are cut to fit; if nothing would remain of
 * them, the legend is left out. */
static void write_below(struct fr_plot *plot, struct fr_key key, struct fr_room *room)
{
    const size_t width = (size_t)room->width, height = (size_t)room->height;
    const size_t entry = key.widest * CHARACTER + SAMPLE;
    /* It stands below the axes, which are narrow beside names. */
    const bool is_column = key.names > 0 && room->width < 2 * LEAST_AXES;
    const size_t lines = is_column ? key.count : ceiling(key.count, width / entry);
    const bool is_small = lines * LINE > height / 3 || entry > width;
    const size_t most_lines = height / 2 / SMALL_LINE;
    const size_t column = width / ceiling(key.count, most_lines ? most_lines : 1);
    const size_t most = column > SAMPLE ? (column - SAMPLE) / SMALL_CHARACTER : 0;

    if (is_small && most < LEAST_TEXT) {
        fr_writer_text(&plot->script, "off\n");
        return;
    }
    /* The blank title separates the legend from the axis. */
    fr_writer_text(&plot->script, "center bottom horizontal");
    write_font(plot, is_small);
    fr_writer_printf(&plot->script, "%s title ' '\n", is_column ? " maxcols 1" : "");
    if (is_small && most < room->label)
        room->label = most;
    room->height -= is_small ? fmin((double)most_lines, (double)key.count) * SMALL_LINE
                             : (double)(lines * LINE);
}

void fr_key_write(struct fr_plot *plot, struct fr_key key, struct fr_room *room)
{
    room->label = MOST_TEXT;
    fr_writer_text(&plot->script,
                   "set key noenhanced Left reverse samplen 3.5 spacing 1.2 outside ");
    if (!key.count)
        fr_writer_text(&plot->script, "off\n");
    else if (!write_beside(plot, key, room))
        write_below(plot, key, room);
}

void fr_script_key(struct fr_writer *script, const char *label, size_t most)
{
    if (!label || !*label) {
        fr_writer_text(script, " notitle");
        return;
    }
    fr_writer_text(script, " title ");
    fr_script_cut(script, label, most);
}

static size_t number(unsigned own, size_t place)
{
    return own ? own - 1 : place;
}

void fr_script_colour(struct fr_writer *script, unsigned colour, size_t place)
{
    fr_writer_printf(script, " lc %zu", number(colour, place) % FR_COLOURS + 1);
}

size_t fr_script_round(unsigned colour, size_t place)
{
    return number(colour, place) / FR_COLOURS;
}

void fr_script_hollow(struct fr_writer *script, unsigned shape, size_t place)
{
    const size_t count = sizeof hollow_markers / sizeof *hollow_markers;

    fr_writer_printf(script, " pt %d", hollow_markers[number(shape, place) % count]);
}

struct fr_slot fr_script_slot(size_t place, size_t count)
{
    const double group = count > 1 ? 0.8 : 0.5, width = group / (double)count;

    return (struct fr_slot){
        .offset = ((double)place + 0.5) * width - group / 2,
        .half_width = 0.44 * width,
    };
}

double fr_script_place(size_t category, double offset)
{
    return round(((double)category + offset) * 1e4) / 1e4;
}
