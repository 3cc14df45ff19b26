/* Numbers as text. */
#ifndef FR_CORE_NUMBER_H
#define FR_CORE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* Reads a decimal number strictly: no blanks, hex, inf, nan or trailing text. */
bool fr_number_parse(const char *text, double *value);
/* A number for a message: few digits where few are exact, 1000000 rather than 1e+06. */
void fr_number_text(double value, char *out, size_t size);

#endif
