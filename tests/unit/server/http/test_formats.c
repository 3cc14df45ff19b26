/* JSON, CSV and txt of the same rows. */
#include "tests/unit/support/question.h"

#include "server/http/http.h"
#include "server/json/decode.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char nasty[] = "a,b \"c\"\r\n$(id) `id`; ä";

static const char *const shades[] = { "light", "dark", NULL };
struct values {
    int64_t count, open;
    int shade, truth;
    double real;
};
static const struct fr_param params[] = {
    FR_INT(struct values, count, .unit = "1", .max = 1e9),
    FR_INT(struct values, open, .unit = "1", .max = 1e9),
    FR_CHOICE_OF(struct values, shade, .choices = shades),
    FR_BOOL(struct values, truth, .unit = ""),
    FR_REAL(struct values, real, .unit = "1", .max = 1),
    FR_PARAMS_END,
};

static void write_row(struct fr_rows *rows, int number)
{
    static const char *const texts[] = { "first", "second" };
    const struct values values = { 7, FR_OPEN_INT, 1, 1, 0.1 };

    fr_row_begin(rows);
    fr_row_integer(rows, "number", number);
    fr_row_text(rows, "name", "plain");
    fr_row_text(rows, "nasty", nasty);
    fr_row_text(rows, "nothing", NULL);
    fr_row_number(rows, "third", 1.0 / 3);
    fr_row_number(rows, "unknown", NAN);
    fr_row_bool(rows, "is_it", true);
    fr_row_texts(rows, "several", texts, 2);
    fr_row_texts(rows, "none", NULL, 0);
    for (const struct fr_param *param = params; param->name; param++)
        fr_row_param(rows, param, &values);
    fr_row_end(rows);
}

static char *written(enum fr_format format, int count)
{
    struct fr_writer w;
    struct fr_rows rows;

    fr_writer_init(&w);
    if (format == FR_JSON)
        fr_json_array(&w);
    fr_rows_begin(&rows, &w, format);
    for (int i = 1; i <= count; i++)
        write_row(&rows, i);
    fr_rows_end(&rows);
    if (format == FR_JSON)
        fr_json_array_end(&w);
    fr_writer_append(&w, "", 1);
    return w.text;
}

TEST(a_text_in_csv_is_no_formula)
{
    static const char *const texts[] = { "=cmd|'/c calc'!A0",
                                         "+1",
                                         "-1",
                                         "@SUM(A1)",
                                         "\t=1",
                                         "\r=1",
                                         "a=1",
                                         "",
                                         "＝1",
                                         "＠A1",
                                         "\n=1" };
    static const char *const cells[] = { "'=cmd|'/c calc'!A0", "'+1", "'-1", "'@SUM(A1)", "'\t=1",
                                         "\"'\r=1\"",          "a=1", "",    "'＝1",      "'＠A1",
                                         "\"'\n=1\"" };
    static const char *const list[] = { "=1", "=2" };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char expected[80];
        struct fr_writer w;
        struct fr_rows rows;

        fr_writer_init(&w);
        fr_rows_begin(&rows, &w, FR_CSV);
        fr_row_begin(&rows);
        fr_row_text(&rows, "a", texts[i]);
        fr_row_number(&rows, "b", -1);
        fr_row_texts(&rows, "c", list, 2);
        fr_row_end(&rows);
        fr_rows_end(&rows);
        fr_writer_append(&w, "", 1);
        snprintf(expected, sizeof expected, "a,b,c\r\n%s,-1,'=1;=2\r\n", cells[i]);
        assert_string_equal(w.text, expected);
        fr_writer_free(&w);
    }
}

TEST(json_rows_are_objects_with_their_types)
{
    struct fr_faults faults = { 0 };
    char *text = written(FR_JSON, 2);
    json_t *rows = fr_json_parse(text, strlen(text), &faults), *row;

    assert_int_equal(json_array_size(rows), 2);
    row = json_array_get(rows, 1);
    assert_close(json_number_value(json_object_get(row, "number")), 2, 0);
    assert_string_equal(json_string_value(json_object_get(row, "nasty")), nasty);
    assert_true(json_is_null(json_object_get(row, "nothing")));
    assert_true(json_number_value(json_object_get(row, "third")) == 1.0 / 3);
    assert_true(json_is_null(json_object_get(row, "unknown")));
    assert_true(json_is_true(json_object_get(row, "is_it")));
    assert_int_equal(json_array_size(json_object_get(row, "several")), 2);
    assert_int_equal(json_array_size(json_object_get(row, "none")), 0);
    assert_close(json_number_value(json_object_get(row, "count")), 7, 0);
    assert_true(json_is_null(json_object_get(row, "open")));
    assert_string_equal(json_string_value(json_object_get(row, "shade")), "dark");
    assert_true(json_is_true(json_object_get(row, "truth")));
    json_decref(rows);
    free(text);
}

/* Reads one field of CSV as RFC 4180 has it; *at moves behind the field's comma or line end. */
static void read_field(const char **at, char *field)
{
    const char *p = *at;

    if (*p == '"') {
        for (p++; *p && !(p[0] == '"' && p[1] != '"'); p++) {
            p += p[0] == '"';
            *field++ = *p;
        }
        assert_int_equal(*p, '"');
        p++;
    } else {
        while (*p && !strchr(",\r\n\"", *p))
            *field++ = *p++;
    }
    *field = '\0';
    assert_true(*p == ',' || (p[0] == '\r' && p[1] == '\n'));
    *at = p + (*p == ',' ? 1 : 2);
}

TEST(csv_is_a_header_and_quoted_fields)
{
    static const char *const expected[] = {
        "1", "plain", nasty,  "",   "0.3333333333333333", "", "true", "first;second", "", "7",
        "",  "dark",  "true", "0.1"
    };
    static const char header[] = "number,name,nasty,nothing,third,unknown,is_it,several,none,count,"
                                 "open,shade,truth,real\r\n";
    char *text = written(FR_CSV, 2), field[200];
    const char *at = text + strlen(header);

    assert_memory_equal(text, header, strlen(header));
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        read_field(&at, field);
        assert_string_equal(field, expected[i]);
    }
    read_field(&at, field);
    assert_string_equal(field, "2");
    free(text);
}

TEST(a_list_of_texts_is_quoted_where_csv_needs_it)
{
    static const char *const texts[] = { "a,b", "say \"x\"" };
    struct fr_writer w;
    struct fr_rows rows;
    char field[100];
    const char *at;

    fr_writer_init(&w);
    fr_rows_begin(&rows, &w, FR_CSV);
    fr_row_begin(&rows);
    fr_row_texts(&rows, "t", texts, 2);
    fr_row_number(&rows, "n", 5);
    fr_row_end(&rows);
    fr_rows_end(&rows);
    fr_writer_append(&w, "", 1);
    at = w.text + strlen("t,n\r\n");
    read_field(&at, field);
    assert_string_equal(field, "a,b;say \"x\"");
    read_field(&at, field);
    assert_string_equal(field, "5");
    fr_writer_free(&w);
}

TEST(txt_is_lines_that_sh_may_eval)
{
    char *text = written(FR_TXT, 3), *rest = NULL;
    size_t lines = 0;

    assert_non_null(strstr(text, "name=plain\n"));
    assert_non_null(strstr(text, "row_2_name=plain\n"));
    assert_non_null(strstr(text, "row_3_number=3\n"));
    assert_non_null(strstr(text, "nothing=null\n"));
    assert_non_null(strstr(text, "unknown=null\n"));
    assert_non_null(strstr(text, "several=first+second\n"));
    assert_non_null(strstr(text, "open=null\n"));
    assert_non_null(strstr(text, "shade=dark\n"));
    assert_null(strstr(text, "row_1_"));
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const size_t key = strspn(line, "abcdefghijklmnopqrstuvwxyz0123456789_");
        const char *value = line + key + 1;

        assert_true(key > 0 && line[key] == '=');
        assert_int_equal(strspn(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789._:+-"),
                         strlen(value));
        lines++;
    }
    assert_int_equal(lines, 3 * 14);
    free(text);
}

TEST(an_empty_list_is_none_in_txt_and_an_empty_field_in_csv)
{
    static const struct {
        enum fr_format format;
        const char *text;
    } cases[] = {
        { FR_TXT, "warnings=none\n" },
        { FR_CSV, "warnings\r\n\r\n" },
        { FR_JSON, "{\"warnings\":[]}" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fr_writer w;
        struct fr_rows rows;

        fr_writer_init(&w);
        fr_rows_begin(&rows, &w, cases[i].format);
        fr_row_begin(&rows);
        fr_row_texts(&rows, "warnings", NULL, 0);
        fr_row_end(&rows);
        fr_rows_end(&rows);
        fr_writer_append(&w, "", 1);
        assert_string_equal(w.text, cases[i].text);
        fr_writer_free(&w);
    }
}

TEST(no_rows_are_an_empty_text)
{
    char *csv = written(FR_CSV, 0), *txt = written(FR_TXT, 0);

    assert_string_equal(csv, "");
    assert_string_equal(txt, "");
    free(csv);
    free(txt);
}
