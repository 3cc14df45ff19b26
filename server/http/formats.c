#include "server/http/http.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void fr_rows_begin(struct fr_rows *rows, struct fr_writer *w, enum fr_format format)
{
    *rows = (struct fr_rows){ .w = w, .format = format, .body_start = w->length };
    fr_writer_init(&rows->header);
}

void fr_row_begin(struct fr_rows *rows)
{
    rows->column = 0;
    rows->count++;
    if (rows->format == FR_JSON)
        fr_json_object(rows->w);
}

/* Everything before the value: the key, the comma, the header's name. */
static void begin_value(struct fr_rows *rows, const char *name)
{
    if (rows->format == FR_JSON) {
        fr_json_key(rows->w, name);
    } else if (rows->format == FR_CSV) {
        if (rows->column)
            fr_writer_append(rows->w, ",", 1);
        if (rows->count == 1) {
            if (rows->column)
                fr_writer_append(&rows->header, ",", 1);
            fr_writer_printf(&rows->header, "%s%s", rows->object, name);
        }
    } else {
        if (rows->count > 1)
            fr_writer_printf(rows->w, "row_%zu_", rows->count);
        fr_writer_printf(rows->w, "%s%s=", rows->object, name);
    }
    rows->column++;
}

static void end_value(struct fr_rows *rows)
{
    if (rows->format == FR_TXT)
        fr_writer_append(rows->w, "\n", 1);
}

/* The same signs of full width begin a formula in some languages. */
static bool is_formula(const char *text)
{
    static const char *const wide[] = { "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d",
                                        "\xef\xbc\xa0" };
    bool is_wide = false;

    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        is_wide |= strncmp(text, wide[i], strlen(wide[i])) == 0;
    return is_wide || (*text && strchr("=+-@\t\r\n", *text));
}

/* A spreadsheet would run a text that begins as a formula does; a quote makes it a text there. */
static void csv_text(struct fr_writer *w, const char *text)
{
    const char *guard = is_formula(text) ? "'" : "";

    if (!text[strcspn(text, ",\"\r\n")]) {
        fr_writer_text(w, guard);
        fr_writer_text(w, text);
        return;
    }
    fr_writer_append(w, "\"", 1);
    fr_writer_text(w, guard);
    for (; *text; text++)
        fr_writer_append(w, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    fr_writer_append(w, "\"", 1);
}

/* Writes characters that have no meaning in sh; any other becomes an underscore. */
static void shell_text(struct fr_writer *w, const char *text)
{
    for (; *text; text++) {
        const bool is_safe = isascii((unsigned char)*text) &&
                             (isalnum((unsigned char)*text) || strchr("._:+-", *text));

        fr_writer_append(w, is_safe ? text : "_", 1);
    }
}

void fr_row_text(struct fr_rows *rows, const char *name, const char *text)
{
    begin_value(rows, name);
    if (rows->format == FR_JSON)
        fr_json_text(rows->w, text);
    else if (rows->format == FR_CSV && text)
        csv_text(rows->w, text);
    else if (rows->format == FR_TXT)
        shell_text(rows->w, text && *text ? text : "null");
    end_value(rows);
}

static void csv_texts(struct fr_writer *w, const char *const *texts, size_t count)
{
    struct fr_writer joined;

    fr_writer_init(&joined);
    for (size_t i = 0; i < count; i++)
        fr_writer_printf(&joined, "%s%s", i ? ";" : "", texts[i]);
    fr_writer_append(&joined, "", 1);
    if (joined.failed)
        w->failed = true;
    else
        csv_text(w, joined.text);
    fr_writer_free(&joined);
}

void fr_row_texts(struct fr_rows *rows, const char *name, const char *const *texts, size_t count)
{
    begin_value(rows, name);
    if (rows->format == FR_JSON)
        fr_json_array(rows->w);
    else if (rows->format == FR_CSV && count)
        csv_texts(rows->w, texts, count);
    else if (rows->format == FR_TXT && !count)
        fr_writer_text(rows->w, "none"); /* the word for an empty set in a query */
    for (size_t i = 0; i < count && rows->format != FR_CSV; i++) {
        if (rows->format == FR_JSON) {
            fr_json_text(rows->w, texts[i]);
        } else {
            fr_writer_append(rows->w, "+", i ? 1 : 0);
            shell_text(rows->w, texts[i]);
        }
    }
    if (rows->format == FR_JSON)
        fr_json_array_end(rows->w);
    end_value(rows);
}

void fr_row_number(struct fr_rows *rows, const char *name, double value)
{
    begin_value(rows, name);
    if (rows->format == FR_JSON)
        fr_json_number_or_null(rows->w, value);
    else if (isfinite(value))
        fr_writer_number(rows->w, value);
    else if (rows->format == FR_TXT)
        fr_writer_text(rows->w, "null");
    end_value(rows);
}

void fr_row_integer(struct fr_rows *rows, const char *name, int64_t value)
{
    fr_row_number(rows, name, (double)value);
}

void fr_row_bool(struct fr_rows *rows, const char *name, bool value)
{
    begin_value(rows, name);
    if (rows->format == FR_JSON)
        fr_json_bool(rows->w, value);
    else
        fr_writer_text(rows->w, value ? "true" : "false");
    end_value(rows);
}

/* An array in JSON, `8x8x8` elsewhere. */
void fr_row_vector(struct fr_rows *rows, const char *name, const struct fr_vector *vector)
{
    char text[80];

    begin_value(rows, name);
    if (rows->format == FR_JSON && vector->count) {
        fr_json_integers(rows->w, vector->at, vector->count);
    } else if (rows->format == FR_JSON) {
        fr_json_null(rows->w);
    } else if (vector->count || rows->format == FR_TXT) {
        fr_vector_print(vector, text, sizeof text);
        fr_writer_text(rows->w, text);
    }
    end_value(rows);
}

void fr_set_write(struct fr_writer *w, const struct fr_param *param, unsigned set)
{
    fr_json_array(w);
    for (unsigned i = 0; param->choices[i]; i++)
        if (set & 1u << i)
            fr_json_text(w, param->choices[i]);
    fr_json_array_end(w);
}

/* An array of names in JSON, `a:b` elsewhere, as in a query. */
static void row_set(struct fr_rows *rows, const struct fr_param *param, unsigned set)
{
    char text[200];

    begin_value(rows, param->name);
    if (rows->format == FR_JSON) {
        fr_set_write(rows->w, param, set);
    } else {
        fr_param_print_number(param, set, text, sizeof text);
        fr_writer_text(rows->w, text);
    }
    end_value(rows);
}

void fr_row_param(struct fr_rows *rows, const struct fr_param *param, const void *values)
{
    const double value = fr_param_get(param, values);

    if (fr_param_is_open(param, values))
        fr_row_number(rows, param->name, NAN);
    else if (param->kind == FR_KIND_BOOL)
        fr_row_bool(rows, param->name, value != 0);
    else if (param->kind == FR_KIND_CHOICE)
        fr_row_text(rows, param->name, param->choices[(int)value]);
    else if (param->kind == FR_KIND_SET)
        row_set(rows, param, (unsigned)value);
    else if (param->kind == FR_KIND_VECTOR)
        fr_row_vector(rows, param->name, fr_param_vector(param, values));
    else if (param->kind == FR_KIND_TEXT)
        fr_row_text(rows, param->name, fr_param_text(param, values));
    else
        fr_row_number(rows, param->name, value);
}

void fr_row_object(struct fr_rows *rows, const char *name)
{
    if (rows->format != FR_JSON) {
        snprintf(rows->object, sizeof rows->object, "%s_", name);
        return;
    }
    if (name)
        fr_json_key(rows->w, name);
    fr_json_object(rows->w);
}

void fr_row_object_end(struct fr_rows *rows)
{
    rows->object[0] = '\0';
    if (rows->format == FR_JSON)
        fr_json_object_end(rows->w);
}

void fr_row_end(struct fr_rows *rows)
{
    if (rows->format == FR_JSON)
        fr_json_object_end(rows->w);
    else if (rows->format == FR_CSV)
        fr_writer_append(rows->w, "\r\n", 2);
    if (rows->format == FR_CSV && rows->count == 1) {
        /* The header precedes the row that defines it. */
        fr_writer_append(&rows->header, "\r\n", 2);
        fr_writer_insert(rows->w, rows->body_start, rows->header.text, rows->header.length);
    }
}

void fr_rows_end(struct fr_rows *rows)
{
    fr_writer_free(&rows->header);
}
