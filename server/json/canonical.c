/* Writes the canonical form of a JSON value (RFC 8785): sorted keys, no blanks, ECMAScript numbers.
 * Clients compute ids from the same form (api/canonical-json.md). */
#include "server/json/decode.h"

#include "server/json/writer.h"
#include <jansson.h>

#include <sodium.h>
#include <stdlib.h>

/* Keys sort by UTF-16 code units.  Characters beyond the basic plane (4 bytes in UTF-8, lead byte
 * F0 or higher) are surrogates D800 to DFFF there, which sort before U+E000 to U+FFFF (lead bytes
 * EE and EF). */
static int rank_of(unsigned char byte)
{
    return byte >= 0xf0 ? byte - 0xf0 + 0xee : byte >= 0xee ? byte - 0xee + 0xf8 : byte;
}

static int by_utf16(const void *left, const void *right)
{
    const unsigned char *a = *(const unsigned char *const *)left;
    const unsigned char *b = *(const unsigned char *const *)right;

    while (*a && *a == *b) {
        a++;
        b++;
    }
    return rank_of(*a) - rank_of(*b);
}

void fr_json_canonical(struct fr_writer *w, json_t *value)
{
    if (json_is_object(value)) {
        const size_t count = json_object_size(value);
        const char **keys = malloc((count ? count : 1) * sizeof *keys);
        const char *key;
        json_t *member;
        size_t i = 0;

        if (!keys) {
            w->failed = true;
            return;
        }
        json_object_foreach(value, key, member) keys[i++] = key;
        qsort(keys, count, sizeof *keys, by_utf16);
        fr_writer_append(w, "{", 1);
        for (i = 0; i < count; i++) {
            if (i)
                fr_writer_append(w, ",", 1);
            fr_json_quote(w, keys[i]);
            fr_writer_append(w, ":", 1);
            fr_json_canonical(w, json_object_get(value, keys[i]));
        }
        fr_writer_append(w, "}", 1);
        free(keys);
    } else if (json_is_array(value)) {
        fr_writer_append(w, "[", 1);
        for (size_t i = 0; i < json_array_size(value); i++) {
            if (i)
                fr_writer_append(w, ",", 1);
            fr_json_canonical(w, json_array_get(value, i));
        }
        fr_writer_append(w, "]", 1);
    } else if (json_is_string(value)) {
        fr_json_quote(w, json_string_value(value));
    } else if (json_is_number(value)) {
        fr_writer_number(w, json_number_value(value));
    } else {
        fr_writer_text(w, json_is_true(value) ? "true" : json_is_false(value) ? "false" : "null");
    }
}

void fr_bytes_id(const char *bytes, size_t length, char id[17])
{
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256(hash, (const unsigned char *)bytes, length);
    sodium_bin2hex(id, 17, hash, 8);
}

int fr_json_id(json_t *value, char id[17])
{
    struct fr_writer w;
    bool failed;

    fr_writer_init(&w);
    fr_json_canonical(&w, value);
    failed = w.failed;
    if (!failed)
        fr_bytes_id(w.text, w.length, id);
    fr_writer_free(&w);
    return failed ? FR_NOMEM : FR_OK;
}
