/* Parses formats whose fields are alike and equally far apart, with blanks anywhere:
 *
 *     item, ...  each  [k]P,  [n]X,  [r](item, ...)  or  [r] letter w [.d [Ee]]
 *
 * The next line begins with the last group in the outer parentheses, or else with the first item.
 */
#include "server/matrices/files/reader.h"

#include <ctype.h>
#include <string.h>

enum { FORMAT_BYTES = 40, MOST_SCALE = 300, MOST_DEPTH = 4, MOST_STEPS = 3 * FR_MATRIX_LINE_BYTES };

struct parse {
    const char *at;
    struct fr_fortran format; /* of the fields so far */
    int column, last;         /* the next one, and that of the last field */
    int scale, depth, steps;
    int group_column, group_fields; /* what stands before the last group in the outer parentheses */
};

/* Copies the format without blanks, in upper case, up to its last parenthesis; NULL if it is too
 * long. */
static const char *copy(const char *at, const char *end, char out[FORMAT_BYTES])
{
    size_t used = 0;
    int depth = 0;

    for (; at < end && used + 1 < FORMAT_BYTES; at++) {
        if (*at == ' ' || *at == '\t')
            continue;
        out[used++] = (char)toupper((unsigned char)*at);
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (depth <= 0) {
            out[used] = '\0';
            return at + 1;
        }
    }
    return NULL;
}

/* Reads a small number, if there is one. */
static bool take_number(const char **at, int *value)
{
    int64_t count;
    const char *end = fr_scan_count(*at, *at + strlen(*at), &count);

    if (!end || count > FR_MATRIX_LINE_BYTES)
        return false;
    *at = end;
    *value = (int)count;
    return true;
}

static bool take_letter(const char **at, struct fr_fortran *format)
{
    const char letter = **at;

    if (!letter || !strchr("IFEDG", letter))
        return false;
    ++*at;
    if (letter == 'E' && (**at == 'S' || **at == 'N')) /* differ in output only */
        ++*at;
    format->is_integer = letter == 'I';
    return true;
}

static bool take_width(const char **at, struct fr_fortran *format)
{
    int exponent_digits;

    if (!take_number(at, &format->width))
        return false;
    if (**at == '.') {
        ++*at;
        if (!take_number(at, &format->style.decimals))
            return false;
        if (**at == 'E') {
            ++*at;
            if (!take_number(at, &exponent_digits))
                return false;
        }
    }
    return true;
}

static bool is_alike(const struct fr_fortran *a, const struct fr_fortran *b)
{
    return a->width == b->width && a->is_integer == b->is_integer &&
           a->style.decimals == b->style.decimals && a->style.scale == b->style.scale;
}

/* Adds a field at the column; false if it is not as those before it. */
static bool place(struct parse *parse, const struct fr_fortran *field)
{
    struct fr_fortran *format = &parse->format;

    if (!format->per_line) {
        *format = *field;
        format->skip = parse->column;
    } else {
        if (format->per_line == 1)
            format->pitch = parse->column - parse->last;
        if (!is_alike(format, field) || parse->column - parse->last != format->pitch)
            return false;
    }
    format->per_line++;
    parse->last = parse->column;
    parse->column += field->width;
    return parse->column <= FR_MATRIX_LINE_BYTES;
}

static bool take_fields(struct parse *parse, int count)
{
    struct fr_fortran field = { .style = { .is_fortran = true, .scale = parse->scale } };

    if (!take_letter(&parse->at, &field) || !take_width(&parse->at, &field) || field.width < 1)
        return false;
    if (field.is_integer) /* I8.4: at least four digits on output */
        field.style = (struct fr_real_style){ .is_fortran = false };
    field.pitch = field.width;
    for (int i = 0; i < count; i++)
        if (!place(parse, &field))
            return false;
    return true;
}

static bool take_items(struct parse *parse);

static bool take_group(struct parse *parse, int count)
{
    const char *const begin = parse->at + 1;

    if (parse->depth == 1) {
        parse->group_column = parse->column;
        parse->group_fields = parse->format.per_line;
    }
    if (++parse->depth > MOST_DEPTH)
        return false;
    for (int i = 0; i < count; i++) {
        parse->at = begin;
        if (!take_items(parse))
            return false;
    }
    parse->depth--;
    return true;
}

static bool take_item(struct parse *parse, bool *is_scale)
{
    const bool has_sign = *parse->at == '-' || *parse->at == '+', is_negative = *parse->at == '-';
    int count = 1;
    bool has_count;

    parse->at += has_sign;
    has_count = take_number(&parse->at, &count);
    *is_scale = has_count && *parse->at == 'P';
    if (++parse->steps > MOST_STEPS || count < !*is_scale || (has_sign && !*is_scale))
        return false;
    if (*parse->at == '(')
        return take_group(parse, count);
    if (!*is_scale && *parse->at != 'X')
        return take_fields(parse, count);
    parse->at++;
    if (*is_scale)
        parse->scale = is_negative ? -count : count;
    else
        parse->column += count;
    return count <= MOST_SCALE;
}

/* Takes items up to the closing parenthesis; a scale needs no comma before fields. */
static bool take_items(struct parse *parse)
{
    bool is_scale, is_glued = false;

    while (take_item(parse, &is_scale) && !(is_glued && is_scale)) {
        if (*parse->at == ')') {
            parse->at++;
            return true;
        }
        is_glued = *parse->at != ',';
        parse->at += !is_glued;
        if (is_glued && !is_scale)
            return false;
    }
    return false;
}

const char *fr_fortran_parse(const char *at, const char *end, struct fr_fortran *format)
{
    char text[FORMAT_BYTES];
    const char *behind = copy(at, end, text);
    struct parse parse = { .at = text + 1, .depth = 1 };

    if (!behind || *text != '(' || !take_items(&parse) || *parse.at || !parse.format.per_line ||
        parse.group_fields)
        return NULL;
    *format = parse.format;
    format->next_skip = format->skip - parse.group_column;
    return behind;
}
