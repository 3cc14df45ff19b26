/* Extra-P's text format.
 *
 *     PARAMETER n processes
 *     POINTS ( 1024 4 ) ( 2048 4 )
 *     REGION main
 *     METRIC time
 *     DATA 1.51 1.49 1.50
 *     DATA 2.98 3.02
 *
 * Each DATA has the repetitions of a point, in the order of the points, which begins again with
 * each REGION and each METRIC.
 */
#include "server/runs/imports/extrap.h"

#include <string.h>

struct text {
    struct extrap *reading;
    size_t names;
    char name[FR_MAX_IMPORT_PARAMS][FR_IMPORT_TEXT_BYTES];
    /* The coordinates of a point after those of the other, and the line of each. */
    double *coordinate;
    size_t *line;
    size_t count, capacity; /* of coordinates */
    size_t point;           /* of the next DATA */
};

static const char *const words[] = { "PARAMETER", "POINTS", "REGION", "METRIC", "DATA" };
enum word { PARAMETER, POINTS, REGION, METRIC, DATA, WORDS };

/* The keyword that the line begins with; the rest is what follows it. */
static enum word take_word(struct fr_slice *line)
{
    struct fr_slice rest = *line, word;
    enum word found = PARAMETER;

    fr_slice_word(&rest, &word);
    while (found < WORDS && !fr_slice_is(word, words[found]))
        found++;
    *line = fr_slice_trim(rest);
    return found;
}

bool extrap_is_text(struct fr_slice line)
{
    return take_word(&line) != WORDS;
}

static void take_names(struct text *text, struct fr_slice rest)
{
    struct fr_slice word;

    if (text->count) {
        extrap_wrong(text->reading, FR_RELATION,
                     "PARAMETER stands behind the POINTS, as of another text; send each alone");
        text->reading->filter->is_full = true;
    }
    while (fr_slice_word(&rest, &word)) {
        if (text->names == FR_MAX_IMPORT_PARAMS || word.length >= FR_IMPORT_TEXT_BYTES) {
            extrap_wrong(text->reading, FR_NOMEM, "too many parameters, or too long a name");
            return;
        }
        fr_slice_print(word, text->name[text->names++], FR_IMPORT_TEXT_BYTES);
    }
}

static bool add_coordinate(struct text *text, double number)
{
    struct fr_filter *filter = text->reading->filter;
    const size_t capacity = text->capacity ? 2 * text->capacity : 64;

    if (text->count == text->capacity) {
        double *coordinate = fr_arena_longer(filter->arena, text->coordinate, text->count, capacity,
                                             sizeof *coordinate);
        size_t *line =
            fr_arena_longer(filter->arena, text->line, text->count, capacity, sizeof *line);

        if (!coordinate || !line) {
            extrap_wrong(text->reading, FR_NOMEM, "too many points; send them in parts");
            return false;
        }
        text->coordinate = coordinate;
        text->line = line;
        text->capacity = capacity;
    }
    text->line[text->count] = filter->line;
    text->coordinate[text->count++] = number;
    return true;
}

/* `1024 2048` of one parameter, `( 1024 4 )(2048 4)`, `((1024) (4))`. */
static void take_points(struct text *text, struct fr_slice rest)
{
    static const char brackets[] = "()";
    size_t depth = 0, first = text->count;
    bool is_right = text->names > 0;
    double number;

    while (is_right && (rest = fr_slice_trim(rest)).length) {
        struct fr_slice word = { rest.at, 1 };

        if (*rest.at == '(') {
            depth++;
        } else if (*rest.at == ')') {
            is_right = depth > 0 && (--depth > 0 || text->count - first == text->names);
        } else {
            while (word.length < rest.length && !strchr(" \t\r\v\f", word.at[word.length]) &&
                   !memchr(brackets, word.at[word.length], 2))
                word.length++;
            is_right = fr_slice_number(word, &number) && (depth || text->names == 1) &&
                       add_coordinate(text, number);
        }
        if (!depth)
            first = text->count;
        rest.at += word.length;
        rest.length -= word.length;
    }
    if (!text->reading->is_wrong && (!is_right || depth))
        extrap_wrong(text->reading, FR_SYNTAX,
                     "POINTS are not a bracket of %zu numbers for each point, one for each "
                     "PARAMETER",
                     text->names);
}

static size_t points_of(const struct text *text)
{
    return text->names ? text->count / text->names : 0;
}

/* The order of the points begins again: each must have had its DATA. */
static void begin_points(struct text *text)
{
    if (text->point && text->point < points_of(text) && !text->reading->filter->is_full)
        extrap_wrong(text->reading, FR_RELATION,
                     "%zu DATA for %zu POINTS: each point needs its DATA, in their order",
                     text->point, points_of(text));
    text->point = 0;
}

static void take_data(struct text *text, struct fr_slice rest)
{
    struct extrap *reading = text->reading;
    const size_t at = text->point * text->names;
    struct fr_slice word;

    if (text->point++ >= points_of(text)) {
        extrap_wrong(reading, FR_RELATION, "more DATA than POINTS, which are %zu", points_of(text));
        return;
    }
    extrap_begin(reading);
    for (size_t i = 0; i < text->names; i++)
        extrap_parameter(reading, &(struct fr_json_leaf){ .member = text->name[i],
                                                          .is_number = true,
                                                          .number = text->coordinate[at + i] });
    while (!reading->is_wrong && fr_slice_word(&rest, &word)) {
        struct fr_json_leaf leaf = { .is_number = false };

        leaf.is_number = fr_slice_number(word, &leaf.number);
        extrap_value(reading, &leaf);
    }
    extrap_end(reading, text->line[at]);
}

static void take_line(struct text *text, struct fr_slice line)
{
    struct fr_slice rest = line;
    struct extrap *reading = text->reading;
    char shown[FR_IMPORT_TEXT_BYTES];

    switch (take_word(&rest)) {
    case PARAMETER:
        take_names(text, rest);
        break;
    case POINTS:
        take_points(text, rest);
        break;
    case REGION:
        begin_points(text);
        fr_slice_print(rest, reading->callpath, sizeof reading->callpath);
        break;
    case METRIC:
        begin_points(text);
        fr_slice_print(rest, reading->metric, sizeof reading->metric);
        break;
    case DATA:
        take_data(text, rest);
        break;
    case WORDS:
        fr_slice_print(line, shown, sizeof shown);
        extrap_wrong(reading, FR_SYNTAX,
                     "'%s' is not a line of Extra-P's text format: PARAMETER, POINTS, REGION, "
                     "METRIC, DATA",
                     shown);
    }
}

void extrap_read_text(struct extrap *reading, struct fr_slice line)
{
    struct text text = { .reading = reading };

    do {
        reading->is_wrong = false;
        if (line.length && *line.at != '#')
            take_line(&text, line);
    } while (fr_filter_line(reading->filter, &line));
    begin_points(&text);
}
