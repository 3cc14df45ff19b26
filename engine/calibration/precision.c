#include "engine/calibration/precision.h"

#include <inttypes.h>

const char *const fr_precisions[] = {
    [FR_SINGLE] = "single",
    [FR_DOUBLE] = "double",
    [FR_COMPLEX] = "complex",
    [FR_DOUBLE_COMPLEX] = "double_complex",
    NULL,
};

static const int64_t element_bytes[FR_PRECISIONS] = {
    [FR_SINGLE] = 4,
    [FR_DOUBLE] = 8,
    [FR_COMPLEX] = 8,
    [FR_DOUBLE_COMPLEX] = 16,
};

/* The first of this size: 8 bytes are double. */
static int precision_of(int64_t word_bytes)
{
    for (int i = 0; i < FR_PRECISIONS; i++)
        if (element_bytes[i] == word_bytes)
            return i;
    return FR_OPEN_CHOICE;
}

void fr_precision_resolve(int *precision, int64_t *word_bytes, enum fr_precision usual,
                          struct fr_faults *faults)
{
    if (*precision == FR_OPEN_CHOICE)
        *precision = *word_bytes == FR_OPEN_INT ? (int)usual : precision_of(*word_bytes);
    else if (*word_bytes != FR_OPEN_INT && *word_bytes != element_bytes[*precision])
        fr_fault(faults, FR_RELATION, "precision",
                 "%s has elements of %" PRId64 " bytes, and word_bytes is %" PRId64
                 "; leave one of the two out",
                 fr_precisions[*precision], element_bytes[*precision], *word_bytes);
    if (*word_bytes == FR_OPEN_INT)
        *word_bytes = element_bytes[*precision];
}

const char *fr_precision_name(int precision)
{
    return precision == FR_OPEN_CHOICE ? "unknown" : fr_precisions[precision];
}

double fr_precision_operations(int precision)
{
    return precision == FR_COMPLEX || precision == FR_DOUBLE_COMPLEX ? 4 : 1;
}
