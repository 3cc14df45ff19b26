/* Numbers to and from text. */
#ifndef FR_CORE_NUMBER_H
#define FR_CORE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
