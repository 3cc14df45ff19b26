/* Calibrations: the empty record, groups, and the sources of values. */
#include "engine/calibration/calibration.h"
#include "engine/calibration/field.h"
#include "engine/calibration/provenance.h"
#include "engine/core/arena.h"
#include "engine/core/fault.h"
#include "engine/core/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const fr_use_pointers[FR_USE_COUNT] = {
#define X(name, pointer) [FR_USE_INDEX_##name] = pointer,
    FR_USES(X)
#undef X
};

const char *const fr_stream_names[FR_STREAMS] = {
    [FR_SPARSE_MATVEC] = "sparse_matvec",
    [FR_SPARSE_TRIANGULAR_SOLVE] = "sparse_triangular_solve",
    [FR_SPARSE_ILU_SOLVE] = "sparse_ilu_solve",
    [FR_VECTOR_KERNEL] = "vector",
    [FR_VECTOR_FUSED] = "vector_fused",
};

const char *fr_group_name(unsigned group)
{
    switch (group) {
#define X(name, bit, text) \
    case bit:              \
        return text;
        FR_GROUPS(X)
#undef X
    default:
        return "";
    }
}

void fr_groups_print(unsigned groups, char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (unsigned bit = 1; bit <= FR_CAL_CNC && used < size; bit *= 2)
        if (groups & bit)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "",
                                     fr_group_name(bit));
}

double fr_core_peak_flops_per_s(const struct fr_calibration *cal, int precision)
{
    const bool is_single = precision == FR_SINGLE || precision == FR_COMPLEX;
    const double peak = is_single ? cal->node.peak_single_flops_per_s : cal->node.peak_flops_per_s;

    return cal->node.cores_per_node ? peak / (double)cal->node.cores_per_node : NAN;
}

enum fr_precision fr_step_precision(const struct fr_step_kernel *row)
{
    return row->precision == -1 ? FR_SINGLE : (enum fr_precision)row->precision;
}

void fr_fields_clear(const struct fr_field *fields, void *record)
{
    for (; fields->name; fields++) {
        void *at = (char *)record + fields->offset;

        switch (fields->kind) {
        case FR_FIELD_NUMBER:
            *(double *)at = NAN;
            break;
        case FR_FIELD_BOOL:
        case FR_FIELD_CHOICE:
            *(int *)at = -1;
            break;
        case FR_FIELD_OBJECT:
            fr_fields_clear(fields->fields, at);
            break;
        case FR_FIELD_COUNT:
        case FR_FIELD_TEXT:
        case FR_FIELD_TABLE:
        case FR_FIELD_NUMBERS:
        case FR_FIELD_TEXTS:
        case FR_FIELD_LISTS:
        case FR_FIELD_ANY:
            break; /* zeroed already */
        }
    }
}

void fr_calibration_clear(struct fr_calibration *cal)
{
    memset(cal, 0, sizeof *cal);
    fr_fields_clear(fr_calibration_fields, cal);
    cal->core_peak_flops_per_s = NAN;
    cal->facts = fr_no_facts;
}

/* Whether `pointer` names the value at `value` or an ancestor of it. */
static bool covers(const char *pointer, const char *value)
{
    const size_t length = strlen(pointer);

    return strncmp(pointer, value, length) == 0 && (value[length] == '/' || !value[length]);
}

static int by_pointer(const void *left, const void *right)
{
    const struct fr_source *const *a = left, *const *b = right;

    return strcmp((*a)->pointer, (*b)->pointer);
}

void fr_sources_prepare(struct fr_calibration *cal, struct fr_arena *arena,
                        struct fr_faults *faults)
{
    const size_t count = cal->sources.count;

    cal->by_pointer = fr_arena_zeroed(arena, count, sizeof(struct fr_source *));
    if (!cal->by_pointer) {
        fr_fault(faults, FR_NOMEM, "/sources", "too large to index");
        return;
    }
    for (size_t i = 0; i < count; i++)
        cal->by_pointer[i] = &cal->sources.row[i];
    if (count)
        qsort(cal->by_pointer, count, sizeof *cal->by_pointer, by_pointer);
}

/* Searches from the value upwards: the longest pointer is the most specific. */
struct fr_source *fr_source_of(const struct fr_calibration *cal, const char *pointer)
{
    char part[FR_WHERE_BYTES];
    const struct fr_source wanted = { .pointer = part }, *key = &wanted;
    char *slash = part;

    snprintf(part, sizeof part, "%s", pointer);
    while (cal->sources.count && slash) {
        struct fr_source *const *found =
            bsearch(&key, cal->by_pointer, cal->sources.count, sizeof key, by_pointer);

        if (found)
            return *found;
        slash = strrchr(part, '/');
        if (slash)
            *slash = '\0';
    }
    return NULL;
}

void fr_calibration_note_value(struct fr_calibration *cal, const char *pointer)
{
    struct fr_source *source;
    uint64_t uses = 0;

    for (size_t i = 0; i < FR_USE_COUNT; i++)
        if (covers(fr_use_pointers[i], pointer))
            uses |= UINT64_C(1) << i;
    if (!uses)
        return;
    cal->has |= uses;
    source = fr_source_of(cal, pointer);
    if (!source)
        cal->unstated |= uses;
    else if (source->state == FR_ASSUMED)
        cal->assumed |= uses;
    if (source)
        source->uses |= uses;
}

/* "measured: … (210 samples, spread 1.9 %, …)", as forerun-calibrate states it. */
double fr_source_spread(const char *text)
{
    static const char word[] = "spread ";
    const char *at = strstr(text, word);
    char number[16];
    double percent;
    size_t length;

    if (!at || strncmp(text, "measured:", strlen("measured:")) != 0)
        return NAN;
    at += strlen(word);
    length = strspn(at, "0123456789.");
    if (!length || length >= sizeof number || strncmp(at + length, " %", 2) != 0)
        return NAN;
    memcpy(number, at, length);
    number[length] = '\0';
    return fr_number_parse(number, &percent) ? percent / 100 : NAN;
}

double fr_calibration_spread(const struct fr_calibration *cal, uint64_t used)
{
    const uint64_t exact = FR_USE(NODE_CORES) | FR_USE(NODE_MEMORY) | FR_USE(INDEX_BYTES);
    uint64_t known = exact;
    double widest = NAN;

    for (size_t i = 0; i < cal->sources.count; i++) {
        const double spread = fr_source_spread(cal->sources.row[i].text);

        if (isnan(spread) || !(cal->sources.row[i].uses & used & ~exact))
            continue;
        known |= cal->sources.row[i].uses;
        widest = fmax(widest, spread);
    }
    return used & ~known ? NAN : widest;
}
