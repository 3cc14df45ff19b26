/* Values on the command line, and lists of numbers. */
#ifndef FR_VALUE_H
#define FR_VALUE_H

#include <stdint.h>

enum { FR_LIST_MAX = 64 };

struct fr_list {
    int count;
    int64_t value[FR_LIST_MAX];
};

/* A count of bytes with an optional K, M or G (powers of 1024).  Returns 0, or -1 for any other
 * text or a value over 1 GiB. */
int fr_value_bytes(const char *text, int64_t *out);
/* Different whole numbers from 1 to `max`, separated by commas.  Returns 0 or -1. */
int fr_value_list(const char *text, int64_t max, struct fr_list *out);
/* A whole number.  Returns 0, or -1 for other text or a value outside min to max (min >= 0). */
int fr_value_whole(const char *text, int min, int max, int *out);
/* A number > 0.  Returns 0 or -1. */
int fr_value_positive(const char *text, double *out);

/* low, 1.5 low, 2 low, 3 low, ... up to high. */
void fr_value_ladder(int64_t low, int64_t high, struct fr_list *out);
/* 1, 2, 4, ... up to high, and high itself. */
void fr_value_doublings(int64_t high, struct fr_list *out);

/* `count` multiples of 8, evenly spaced in their logarithms. */
void fr_value_spaced(int64_t low, int64_t high, int count, struct fr_list *out);
/* 0 if the list is empty. */
int64_t fr_value_largest(const struct fr_list *list);
/* Removes the values above `most`. */
void fr_value_cut(struct fr_list *list, int64_t most);

#endif
