/* Numbers, texts and vectors of numbers. */
#ifndef FR_CORE_NUMBER_H
#define FR_CORE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers to and from text. */

/* Reads a decimal number such as `1e6`.  Returns false for blanks, hexadecimal, inf, nan or
 * trailing text. */
bool fr_number_parse(const char *text, double *value);
/* Prints the shortest text that reads back to the same number, integers without an exponent. */
void fr_number_text(double value, char *out, size_t size);

/* What a number in a message has to be after it is rounded: no less than it was, as something that
 * must suffice; no more, as something that must not be exceeded; or near it. */
enum fr_rounding { FR_NO_MORE, FR_NO_LESS, FR_NEAREST };
enum { FR_ROUNDED_TEXT = 24 };
/* Prints a number with four digits, without an exponent from 0.0001 to 1e15: 25910. */
void fr_number_rounded(double value, enum fr_rounding rounding, char out[FR_ROUNDED_TEXT]);
/* Prints an amount of memory with four digits and a binary unit: 12.34 GiB. */
enum { FR_BYTES_TEXT = 32 };
void fr_number_bytes(double bytes, enum fr_rounding rounding, char out[FR_BYTES_TEXT]);

/* The distance between names, for suggestions after a misspelling. */

/* The number of edits that turn one name into the other. */
size_t fr_text_distance(const char *a, const char *b);

/* The greatest common divisor; that of 0 and a number is the number. */
int64_t fr_common_divisor(int64_t a, int64_t b);

/* Finds the candidate that a misspelt name probably stands for.  Begin with the name alone. */
struct fr_nearest {
    const char *name;
    const char *found; /* the nearest of the candidates so far; NULL: none is near */
    size_t distance;
};
void fr_nearest_consider(struct fr_nearest *nearest, const char *candidate);

/* Extents of a grid, a box or an allocation. */

/* The extents in order; `count` is 0 if the vector is not given. */
enum { FR_MAX_EXTENTS = 3 };
struct fr_vector {
    size_t count;
    int64_t at[FR_MAX_EXTENTS];
};
/* Prints `8x8x8`, or `null` if there are no extents. */
void fr_vector_print(const struct fr_vector *vector, char *out, size_t size);
/* The product of the extents. */
double fr_vector_product(const struct fr_vector *vector);
bool fr_vector_equal(const struct fr_vector *a, const struct fr_vector *b);

/* A hash that is the same on every machine, to compare what is too long to keep. */

#define FR_HASH_START UINT64_C(14695981039346656037)
/* FNV-1a of some bytes, continued from `hash`, which begins with FR_HASH_START. */
uint64_t fr_hash_bytes(uint64_t hash, const void *bytes, size_t length);

#endif
