/* Decodes a JSON object into a struct by a table of fields and reports every fault. */
#ifndef FR_DECODE_H
#define FR_DECODE_H

#include "engine/forerun.h"
#include "server/json/value.h"

/* The most rows of a table, and the default limit for a list of numbers. */
enum { FR_MAX_ROWS = 10000 };

struct fr_decoder {
    struct fr_arena *arena;
    struct fr_faults *faults;
    size_t most_numbers;          /* in one list; 0: FR_MAX_ROWS */
    unsigned groups;              /* top-level groups seen */
    char pointer[FR_WHERE_BYTES]; /* of the current value */
};

/* Decodes `object` into `record`, which the caller has cleared with fr_fields_clear. */
void fr_decode_object(struct fr_decoder *decoder, json_t *object, const struct fr_field *fields,
                      void *record);
/* Appends "/key" (escaped) to the pointer.  Returns the previous length for fr_decoder_leave. */
size_t fr_decoder_enter(struct fr_decoder *decoder, const char *key);
void fr_decoder_leave(struct fr_decoder *decoder, size_t length);

/* Parses a text strictly: refuses duplicate keys, trailing bytes and invalid UTF-8.  Returns NULL
 * with a syntax fault on failure.  Free with json_decref. */
json_t *fr_json_parse(const char *text, size_t length, struct fr_faults *faults);
/* The same for a text that begins at line `line` of a longer text; faults are reported at `where`.
 */
json_t *fr_json_parse_line(const char *text, size_t length, size_t line, const char *where,
                           struct fr_faults *faults);

/* Appends the canonical form (RFC 8785). */
struct fr_writer;
void fr_json_canonical(struct fr_writer *w, json_t *value);
/* Writes the first 16 hex digits of the SHA-256 of the bytes. */
void fr_bytes_id(const char *bytes, size_t length, char id[17]);
/* The same for the canonical form.  Returns FR_OK or FR_NOMEM. */
int fr_json_id(json_t *value, char id[17]);

/* Reads the parameters of a model from a JSON object, in a batch request or a saved run. */

/* Sets one parameter of `values`, or reports a fault under its name. */
void fr_param_bind(const struct fr_param *param, json_t *value, void *values,
                   struct fr_faults *faults);
/* Binds the members of `parameters` (an object, or NULL) to `values`.  Every fault is reported
 * under the name of its parameter.  A member whose name is in `beside` (NULL-ended, or NULL)
 * belongs beside `parameters`, and its fault says so.  *given becomes the set of fr_param_bit of
 * the parameters present. */
void fr_params_bind(const struct fr_model *model, json_t *parameters, const char *const *beside,
                    void *values, uint64_t *given, struct fr_faults *faults);

#endif
