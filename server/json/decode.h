/* Reading a JSON object into a struct by a table of fields, with a fault for everything wrong. */
#ifndef FR_DECODE_H
#define FR_DECODE_H

#include "forerun.h"

#include <jansson.h>

/* The longest table that a document may hold. */
enum { FR_MAX_ROWS = 10000 };

struct fr_decoder {
    struct fr_arena *arena;
    struct fr_faults *faults;
    unsigned groups;              /* top-level groups seen */
    char pointer[FR_WHERE_BYTES]; /* of the value under way */
};

/* Decodes `object` into `record`, which fr_fields_clear has cleared. */
void fr_decode_object(struct fr_decoder *decoder, json_t *object, const struct fr_field *fields,
                      void *record);
/* Appends "/key" (escaped) to the pointer; returns the length to go back to. */
size_t fr_decoder_enter(struct fr_decoder *decoder, const char *key);
void fr_decoder_leave(struct fr_decoder *decoder, size_t length);

/* Parses a text strictly: duplicate keys, trailing bytes and bad UTF-8 are refused. NULL with a
 * syntax fault on failure; free with json_decref. */
json_t *fr_json_parse(const char *text, size_t length, struct fr_faults *faults);

/* The first 16 hex digits of the SHA-256 of the canonical form (RFC 8785). */
int fr_json_id(json_t *value, char id[17]);

#endif
