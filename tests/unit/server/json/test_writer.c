/* The JSON writer: what it writes parses, and is what was meant. */
#include "tests/unit/support/question.h"

#include "server/json/decode.h"
#include "server/json/writer.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(struct fr_writer *w)
{
    assert_false(w->failed);
    fr_writer_append(w, "", 1);
    return w->text;
}

TEST(nesting_puts_commas_and_brackets)
{
    struct fr_writer w;

    fr_writer_init(&w);
    fr_json_object(&w);
    fr_json_pair(&w, "a", "x");
    fr_json_key(&w, "b");
    fr_json_array(&w);
    fr_json_number(&w, 1);
    fr_json_object(&w);
    fr_json_object_end(&w);
    fr_json_array(&w);
    fr_json_array_end(&w);
    fr_json_bool(&w, false);
    fr_json_null(&w);
    fr_json_text(&w, NULL);
    fr_json_array_end(&w);
    fr_json_pair_number(&w, "c", NAN);
    fr_json_pair_integer(&w, "d", -7);
    fr_json_pair_bool(&w, "e", true);
    fr_json_pair(&w, "f", NULL);
    fr_json_key(&w, "g");
    fr_json_raw(&w, "[1, 2]", 6);
    fr_json_pair_number(&w, "h", -INFINITY);
    fr_json_object_end(&w);
    fr_writer_append(&w, "", 1);
    assert_string_equal(w.text, "{\"a\":\"x\",\"b\":[1,{},[],false,null,null],\"c\":null,\"d\":-7,"
                                "\"e\":true,\"f\":null,\"g\":[1, 2],\"h\":null}");
    fr_writer_free(&w);
}

TEST(indented_text_parses_to_the_same)
{
    struct fr_writer w = { .is_indented = true };
    struct fr_faults faults = { 0 };
    json_t *value;

    fr_json_object(&w);
    fr_json_key(&w, "rows");
    fr_json_array(&w);
    for (int i = 0; i < 3; i++) {
        fr_json_object(&w);
        fr_json_pair_integer(&w, "i", i);
        fr_json_object_end(&w);
    }
    fr_json_array_end(&w);
    fr_json_key(&w, "empty");
    fr_json_object(&w);
    fr_json_object_end(&w);
    fr_json_object_end(&w);
    value = fr_json_parse(w.text, w.length, &faults);
    assert_non_null(value);
    assert_int_equal(json_array_size(json_object_get(value, "rows")), 3);
    assert_non_null(memchr(w.text, '\n', w.length));
    json_decref(value);
    fr_writer_free(&w);
}

TEST(containers_nest_as_deep_as_promised)
{
    struct fr_writer w = { .is_indented = true };
    struct fr_faults faults = { 0 };
    json_t *value;

    for (int i = 0; i < FR_WRITER_DEPTH; i++)
        fr_json_array(&w);
    for (int i = 0; i < FR_WRITER_DEPTH; i++)
        fr_json_array_end(&w);
    value = fr_json_parse(w.text, w.length, &faults);
    assert_non_null(value);
    json_decref(value);
    fr_writer_free(&w);
}

TEST(every_character_survives_quoting)
{
    char text[600] = "";
    struct fr_faults faults = { 0 };
    struct fr_writer w;
    json_t *value;

    for (int byte = 1; byte < 0x80; byte++)
        text[byte - 1] = (char)byte;
    strcat(text, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"); /* two, three and four bytes */
    fr_writer_init(&w);
    fr_json_text(&w, text);
    value = fr_json_parse(w.text, w.length, &faults);
    assert_non_null(value);
    assert_string_equal(json_string_value(value), text);
    json_decref(value);
    fr_writer_free(&w);
}

/* RFC 8785: what must be escaped, in its short form, and nothing else. */
/* Texts are read in words: one byte at each place of texts of up to three of them. */
TEST(every_byte_is_quoted_at_every_place)
{
    for (size_t length = 1; length <= 24; length++)
        for (int byte = 1; byte < 256; byte++)
            for (size_t at = 0; at < length; at++) {
                char text[25] = "abcdefghijklmnopqrstuvwx", escaped[7], expected[40];
                const char *const short_form = strchr("\"\"\\\\\bb\ff\nn\rr\tt", byte);
                struct fr_writer w;

                text[length] = '\0';
                text[at] = (char)byte;
                if (short_form && (byte < 0x20 || byte == '"' || byte == '\\'))
                    snprintf(escaped, sizeof escaped, "\\%c", short_form[1]);
                else
                    snprintf(escaped, sizeof escaped, byte < 0x20 ? "\\u%04x" : "%c", byte);
                snprintf(expected, sizeof expected, "\"%.*s%s%s\"", (int)at, text, escaped,
                         text + at + 1);
                fr_writer_init(&w);
                fr_json_quote(&w, text);
                assert_string_equal(text_of(&w), expected);
                fr_writer_free(&w);
            }
}

TEST(quoting_escapes_what_it_must_and_nothing_else)
{
    struct fr_writer w;

    fr_writer_init(&w);
    fr_json_quote(&w, "\"\\/\b\f\n\r\t\x01\x1f\x7f\xc3\xa4");
    assert_string_equal(text_of(&w), "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\xc3\xa4\"");
    fr_writer_free(&w);
    fr_json_quote(&w, "");
    assert_string_equal(text_of(&w), "\"\"");
    fr_writer_free(&w);
}

TEST(text_is_inserted_before_what_stands_there)
{
    struct fr_writer w;

    fr_writer_init(&w);
    fr_writer_insert(&w, 0, "b", 1);
    fr_writer_insert(&w, 0, "a", 1);
    fr_writer_insert(&w, 2, "d", 1);
    fr_writer_insert(&w, 2, "c", 1);
    fr_writer_insert(&w, 1, "", 0);
    assert_string_equal(text_of(&w), "abcd");
    fr_writer_free(&w);
}

TEST(a_long_text_is_written_whole)
{
    enum { LONG = 300000 };
    char *text = malloc(LONG + 1);
    struct fr_writer w;

    memset(text, 'x', LONG);
    text[LONG] = '\0';
    fr_writer_init(&w);
    fr_writer_printf(&w, "%s=%d;", text, 5);
    fr_writer_text(&w, text);
    assert_int_equal(w.length, 2 * LONG + 3);
    assert_memory_equal(w.text + LONG, "=5;x", 4);
    fr_writer_free(&w);
    assert_null(w.text);
    assert_int_equal(w.length, 0);
    free(text);
}

/* A writer that ran out of memory appends nothing more, so that nothing half is sent. */
TEST(a_failed_writer_stays_as_it_is)
{
    struct fr_writer w;

    fr_writer_init(&w);
    fr_writer_text(&w, "abc");
    w.failed = true;
    fr_writer_text(&w, "def");
    fr_writer_printf(&w, "%d", 5);
    fr_writer_insert(&w, 0, "x", 1);
    assert_int_equal(w.length, 3);
    fr_writer_free(&w);
}

TEST(large_integers_are_exact_up_to_two_to_the_53rd)
{
    struct fr_writer w;

    fr_writer_init(&w);
    fr_json_array(&w);
    fr_json_integer(&w, INT64_C(9007199254740991));
    fr_json_integer(&w, INT64_C(-9007199254740991));
    fr_json_integer(&w, 0);
    fr_json_array_end(&w);
    assert_string_equal(text_of(&w), "[9007199254740991,-9007199254740991,0]");
    fr_writer_free(&w);
}
