/* The distance between names: finds the name that a misspelt one probably stands for. */
#include "engine/core/number.h"

#include <string.h>

enum { LONGEST_NAME = 64 };

static size_t bounded_length(const char *text)
{
    const size_t length = strlen(text);

    return length < LONGEST_NAME ? length : LONGEST_NAME;
}

/* Levenshtein's distance; names longer than LONGEST_NAME are cut. O(product of the lengths). */
size_t fr_text_distance(const char *a, const char *b)
{
    size_t row[LONGEST_NAME + 1];
    const size_t length_a = bounded_length(a), length_b = bounded_length(b);

    for (size_t j = 0; j <= length_b; j++)
        row[j] = j;
    for (size_t i = 1; i <= length_a; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            const size_t replace = diagonal + (a[i - 1] != b[j - 1]);
            const size_t insert = row[j - 1] + 1, drop = row[j] + 1;

            diagonal = row[j];
            row[j] = replace < insert ? replace : insert;
            if (drop < row[j])
                row[j] = drop;
        }
    }
    return row[length_b];
}

void fr_nearest_consider(struct fr_nearest *nearest, const char *candidate)
{
    const size_t length = strlen(candidate), edits = length < 4 ? 1 : length < 10 ? 2 : 4;
    const size_t distance = fr_text_distance(nearest->name, candidate);
    const bool is_part = strlen(nearest->name) >= 3 && strstr(candidate, nearest->name);

    if ((distance > edits && !is_part) || (nearest->found && distance >= nearest->distance))
        return;
    nearest->found = candidate;
    nearest->distance = distance;
}
