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

enum { FR_BYTES_TEXT = 24 };
/* Prints an amount of memory with four digits and a binary unit: 12.34 GiB. */
void fr_number_bytes(double bytes, char out[FR_BYTES_TEXT]);

#endif
