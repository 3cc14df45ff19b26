/* JSON of a struct that fields describe: the inverse of the daemon's decoder. */
#ifndef FR_ENCODE_H
#define FR_ENCODE_H

#include <stdbool.h>

struct fr_field;
struct fr_writer;

/* Whether any field of the record is present. */
bool fr_encode_has_any(const struct fr_field *fields, const void *record);
/* Writes an object with the fields that are present, or its members alone. */
void fr_encode(struct fr_writer *out, const struct fr_field *fields, const void *record);
void fr_encode_members(struct fr_writer *out, const struct fr_field *fields, const void *record);

#endif
