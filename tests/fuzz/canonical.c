/* Fuzzes the canonical form of JSON, by which documents get their ids. It is the same for any order
 * of the members and any spaces, and is canonical itself; numbers read back to the same double. The
 * first bytes are also a double as it is in memory, since few texts are hard to print. */
#include "tests/fuzz/setting.h"

#include "server/json/decode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MEMBERS = 64 };

/* Whether so many digits, the nearest ones, are enough. */
static bool is_enough(double value, int digits)
{
    char text[FR_NUMBER_BYTES];

    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    return strtod(text, NULL) == value;
}

/* The digits between the leading and the trailing zeros. */
static int count_digits(const char *text)
{
    int digits = 0, zeros = 0;

    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && !digits))
            continue;
        zeros = *text == '0' ? zeros + 1 : 0;
        digits++;
    }
    return digits - zeros;
}

static void check_number(double value)
{
    char text[FR_NUMBER_BYTES];
    double again;
    size_t length;
    int digits;

    if (!isfinite(value))
        return;
    length = fr_number_print(value, text);
    if (length >= sizeof text)
        abort();
    text[length] = '\0';
    if (!fr_number_parse(text, &again) || again != value)
        abort();
    if (!strchr(text, 'e') != (value == 0 || (fabs(value) >= 1e-6 && fabs(value) < 1e21)))
        abort();
    digits = count_digits(text);
    if (digits > 17 || (digits > 1 && is_enough(value, digits - 1)))
        abort();
}

static struct fr_writer canonical(json_t *value)
{
    struct fr_writer w;

    fr_writer_init(&w);
    fr_json_canonical(&w, value);
    if (w.failed)
        abort();
    return w;
}

static void write_other(struct fr_writer *w, json_t *value);

/* The last members first. */
static void write_members(struct fr_writer *w, json_t *value)
{
    const char *key, *keys[MOST_MEMBERS];
    size_t count = 0;
    json_t *member;

    FR_JSON_EACH_MEMBER(value, key, member)
    if (count < MOST_MEMBERS)
        keys[count++] = key;
    if (fr_json_count(value) > count) { /* as they are */
        fr_json_canonical(w, value);
        return;
    }
    fr_writer_text(w, "{\n");
    while (count--) {
        fr_json_quote(w, keys[count]);
        fr_writer_text(w, "\t: ");
        write_other(w, fr_json_member(value, keys[count]));
        fr_writer_text(w, count ? " ,\r\n" : "");
    }
    fr_writer_text(w, " }");
}

/* The same value in other words. */
static void write_other(struct fr_writer *w, json_t *value)
{
    const enum fr_json_kind kind = fr_json_kind(value);
    json_t *item;
    size_t i;

    if (kind == FR_JSON_OBJECT) {
        write_members(w, value);
    } else if (kind == FR_JSON_ARRAY) {
        fr_writer_text(w, "[ ");
        FR_JSON_EACH_ITEM(value, i, item)
        {
            fr_writer_text(w, i ? " , " : "");
            write_other(w, item);
        }
        fr_writer_text(w, "\n]");
    } else if (kind == FR_JSON_NUMBER) {
        fr_writer_printf(w, "%.20E", fr_json_get_number(value));
        check_number(fr_json_get_number(value));
    } else {
        fr_json_canonical(w, value);
    }
}

/* The text must be read, to the same id and the same canonical form. */
static void check_same(const struct fr_writer *text, const struct fr_writer *form,
                       const char id[17])
{
    struct fr_faults faults = { 0 };
    json_t *value = fr_json_parse(text->text, text->length, &faults);
    struct fr_writer w;
    char again[17];

    if (!value)
        abort();
    w = canonical(value);
    if (w.length != form->length || memcmp(w.text, form->text, w.length) != 0 ||
        fr_json_id(value, again) != FR_OK || strcmp(again, id) != 0)
        abort();
    fr_writer_free(&w);
    fr_json_free(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fr_faults faults = { 0 };
    struct fr_writer form, other;
    json_t *value;
    double number;
    char id[17];

    if (size >= sizeof number) {
        memcpy(&number, data, sizeof number);
        check_number(number);
    }
    value = fr_json_parse((const char *)data, size, &faults);
    if (!value != (faults.count > 0))
        abort();
    if (!value)
        return 0;
    form = canonical(value);
    if (fr_json_id(value, id) != FR_OK || strlen(id) != 16)
        abort();
    check_same(&form, &form, id);
    fr_writer_init(&other);
    write_other(&other, value);
    check_same(&other, &form, id);
    fr_writer_free(&other);
    fr_writer_free(&form);
    fr_json_free(value);
    return 0;
}
