/* The title of a chart, which is never wider than the picture.
 *
 * It is centred in the picture: gnuplot's own is centred over the axes, whose place is known only
 * after drawing, and leaves the picture where labels beside the axes are wide. A blank title keeps
 * the room above the axes. A long one gets a smaller font, then more lines; what still does not
 * fit is left out after a word. */
#include "server/charts/plot/script.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { FONT = 15, BREAKING_FONT = 12, LEAST_FONT = 10, MOST_LINES = 3, NOTE_LINES = 2 };
enum { MARGIN = 14, TOP = 29 }; /* pixels: beside the title, and above its first line's middle */
static const char ellipsis[] = "…";

struct line {
    const char *text;
    size_t bytes;
    bool is_cut; /* more follows, which is left out */
};

struct lines {
    struct line line[MOST_LINES + NOTE_LINES];
    size_t count;
};

static size_t bytes_of(const char *character)
{
    size_t bytes = 1;

    while (((unsigned char)character[bytes] & 0xc0) == 0x80)
        bytes++;
    return bytes;
}

/* Width of a character of DejaVu Sans relative to the font's size, rounded up. */
static double width_of(const char *character)
{
    const int c = (unsigned char)*character;

    if (c >= 0x80)
        return 1;
    if (strchr("fijlrtI .,:;'|!()[]/-", c))
        return 0.42;
    if (strchr("mwMW@%", c))
        return 1;
    if (isupper(c) || strchr("+=<>~^#", c))
        return 0.84;
    return 0.64;
}

/* The bytes of the longest part of the text that is at most `width` pixels wide and ends with a
 * word; of a word that is too wide itself, what fits. */
static size_t fitting(const char *text, double width, int font, bool *is_broken)
{
    size_t at = 0, word = 0;
    double used = 0;

    for (; text[at]; at += bytes_of(text + at)) {
        used += font * width_of(text + at);
        if (text[at] == ' ' && at > 0)
            word = at;
        if (used > width && at > 0) {
            *is_broken = *is_broken || !word;
            return word ? word : at;
        }
    }
    return at;
}

/* Adds the lines of a text to `to`, or none with NULL. Returns whether all of it fits. */
static bool wrap(const char *text, double width, int font, size_t most, struct lines *to)
{
    bool is_broken = false;
    size_t bytes, count = 0;

    for (; *text && count < most; count++) {
        bytes = fitting(text, width, font, &is_broken);
        if (text[bytes] && count + 1 == most)
            bytes = fitting(text, width - font * width_of(ellipsis), font, &is_broken);
        if (to)
            to->line[to->count++] = (struct line){ .text = text,
                                                   .bytes = bytes,
                                                   .is_cut = text[bytes] && count + 1 == most };
        text += bytes + strspn(text + bytes, " ");
    }
    return !*text && !is_broken;
}

/* The fewest lines, and the largest font with which the title and the note fit. */
static int choose(const char *title, const char *note, double width, size_t *most)
{
    for (*most = 1; *most <= MOST_LINES; ++*most)
        for (int font = FONT; font >= (*most == 1 ? BREAKING_FONT : LEAST_FONT); font--)
            if (wrap(title, width, font, *most, NULL) && wrap(note, width, font, NOTE_LINES, NULL))
                return font;
    *most = MOST_LINES;
    return LEAST_FONT;
}

/* Lines of about the same width. */
static double balanced(const char *text, double width, int font, size_t most)
{
    while (wrap(text, width - font, font, most, NULL) && width > 2 * font)
        width -= font;
    return width;
}

static void write_lines(struct fr_writer *w, const struct lines *lines, bool is_blank)
{
    char text[4 * FR_PLOT_TEXT + sizeof ellipsis];

    for (size_t i = 0; i < lines->count; i++) {
        const struct line *line = &lines->line[i];

        snprintf(text, sizeof text, "%.*s%s", (int)line->bytes, line->text,
                 line->is_cut ? ellipsis : "");
        /* A quoted string has no newlines, so that they are joined to it. */
        fr_writer_text(w, i ? ".\"\\n\"." : "");
        fr_plot_text(w, is_blank ? " " : text);
    }
}

/* Blank lines of the title, where something else stands. */
static void write_above(struct fr_writer *w, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fr_writer_text(w, ".\"\\n\".' '");
}

void fr_title_write(struct fr_plot *plot, const char *title)
{
    const double width = plot->width - 2 * MARGIN;
    const char *note = plot->note ? plot->note : "";
    struct fr_writer *w = &plot->script;
    struct lines lines = { .count = 0 };
    size_t most, most_noted;
    int font;

    if (!title || !*title) {
        if (plot->lines_above)
            fr_writer_text(w, "set title ' '");
        write_above(w, plot->lines_above);
        fr_writer_text(w, plot->lines_above ? "\n" : "");
        return;
    }
    font = choose(title, note, width, &most);
    wrap(title, balanced(title, width, font, most), font, most, &lines);
    most_noted = wrap(note, width, font, 1, NULL) ? 1 : NOTE_LINES;
    wrap(note, balanced(note, width, font, most_noted), font, most_noted, &lines);
    fr_writer_text(w, "set title ");
    write_lines(w, &lines, true);
    write_above(w, plot->lines_above);
    fr_writer_printf(w, " font ',%d' textcolor lt %d\nset label ", fr_script_font(plot, font),
                     FR_INK);
    write_lines(w, &lines, false);
    fr_writer_printf(w, " at screen 0.5, screen %.4f center font ',%d' textcolor lt %d\n",
                     1 - TOP / (double)plot->height, fr_script_font(plot, font), FR_INK);
}
