/* Checks the routine models of a calibration document: the routine and its flags, the basis, the
 * regions, and that the regions cover the range
 * (docs/models/kernel_models.md#routine-models-in-the-calibration-document).
 */
#include "engine/blocked/fitted.h"
#include "engine/core/arena.h"
#include "engine/fields/fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* COVER_WORK bounds the checks of coverage of one document to some tenths of a second. */
enum { HIGHEST_EXPONENT = 12, COVER_WORK = 50000000, COVER_BYTES = 64 << 20 };

static void check_lengths(const fr_numbers *list, size_t count, const char *where, const char *what,
                          struct fr_faults *faults)
{
    if (list->count != count)
        fr_fault(faults, FR_RELATION, where, "%s has %zu numbers instead of %zu", what, list->count,
                 count);
}

static void check_box(const fr_numbers *low, const fr_numbers *high, size_t dimensions,
                      const char *where, struct fr_faults *faults)
{
    check_lengths(low, dimensions, where, "min", faults);
    check_lengths(high, dimensions, where, "max", faults);
    for (size_t d = 0; d < dimensions && d < low->count && d < high->count; d++)
        if (low->row[d] > high->row[d])
            fr_fault(faults, FR_RELATION, where, "min exceeds max in dimension %zu", d);
}

/* Whether the first rows of the basis contain `row` with the exponent of dimension d lowered by one
 * (d = row->count: `row` itself). */
static bool has_lower(const fr_number_lists *basis, size_t rows, const fr_numbers *row, size_t d)
{
    for (size_t i = 0; i < rows; i++) {
        bool is_it = basis->row[i].count == row->count;

        for (size_t e = 0; is_it && e < row->count; e++)
            is_it = basis->row[i].row[e] == row->row[e] - (e == d);
        if (is_it)
            return true;
    }
    return false;
}

static void check_basis(const struct fr_routine_model *model, const char *where,
                        struct fr_faults *faults)
{
    if (!model->basis.count)
        fr_fault(faults, FR_MISSING, where, "basis needs at least one row");
    if (model->basis.count > BLOCKED_MAX_TERMS)
        fr_fault(faults, FR_RANGE, where, "basis has %zu rows; at most %d", model->basis.count,
                 BLOCKED_MAX_TERMS);
    for (size_t i = 0; i < model->basis.count && i < BLOCKED_MAX_TERMS; i++) {
        const fr_numbers *row = &model->basis.row[i];

        check_lengths(row, model->parameters.count, where, "a row of basis", faults);
        if (has_lower(&model->basis, i, row, row->count))
            fr_fault(faults, FR_REPEATED, where, "basis row %zu repeats an earlier row", i);
        for (size_t d = 0; row->count == model->parameters.count && d < row->count; d++) {
            if (row->row[d] != floor(row->row[d]) || row->row[d] > HIGHEST_EXPONENT)
                fr_fault(faults, FR_RANGE, where,
                         "basis row %zu: exponent %g is not a whole number from 0 to %d", i,
                         row->row[d], HIGHEST_EXPONENT);
            else if (row->row[d] > 0 && !has_lower(&model->basis, model->basis.count, row, d))
                fr_fault(faults, FR_RELATION, where, "basis row %zu is not downward closed", i);
        }
    }
}

/* ---- the routine -------------------------------------------------------------------------- */

static bool has_flag(const struct blocked_routine *routine, const char *name)
{
    for (size_t i = 0; i < routine->flags; i++)
        if (strcmp(routine->flag_names[i], name) == 0)
            return true;
    return false;
}

static void check_flags(const struct fr_routine_model *model, const struct blocked_routine *routine,
                        const char *where, struct fr_faults *faults)
{
    for (size_t i = 0; i < routine->flags; i++) {
        const char *flag = fr_routine_model_flag(model, routine->flag_names[i]);

        if (!flag)
            fr_fault(faults, FR_MISSING, where, "flags.%s is required of %s",
                     routine->flag_names[i], routine->name);
        else if (strcmp(flag, "*") != 0 &&
                 (strlen(flag) != 1 || !strchr(routine->flag_letters[i], flag[0])))
            fr_fault(faults, FR_CHOICE, where,
                     "flags.%s is '%.8s'; %s takes one letter of %s, or *", routine->flag_names[i],
                     flag, routine->name, routine->flag_letters[i]);
    }
    for (const struct fr_field *flag = fr_fields_routine_flags; flag->name; flag++)
        if (fr_routine_model_flag(model, flag->name) && !has_flag(routine, flag->name))
            fr_fault(faults, FR_UNKNOWN_KEY, where, "flags.%s is not a flag of %s", flag->name,
                     routine->name);
}

static const struct blocked_routine *check_routine(const struct fr_routine_model *model,
                                                   const char *where, struct fr_faults *faults)
{
    const struct blocked_routine *routine = blocked_routine_find(model->routine);
    char names[BLOCKED_NAMES_BYTES];

    if (!routine) {
        blocked_routine_names(names);
        fr_fault(faults, FR_CHOICE, where, "routine '%.32s' is unknown; the routines are %s",
                 model->routine, names);
        return NULL;
    }
    check_flags(model, routine, where, faults);
    for (size_t d = 0; d < routine->sizes || d < model->parameters.count; d++) {
        const char *wanted = d < routine->sizes ? routine->size_names[d] : "nothing";
        const char *got = d < model->parameters.count ? model->parameters.row[d] : "nothing";

        if (strcmp(wanted, got) != 0)
            fr_fault(faults, FR_RELATION, where, "parameter %zu is %.32s; %s has %s there", d, got,
                     routine->name, wanted);
    }
    if (model->unit && strcmp(model->unit, "s") != 0)
        fr_fault(faults, FR_CHOICE, where, "unit is '%.16s'; models are in seconds, s",
                 model->unit);
    return routine;
}

/* ---- regions ------------------------------------------------------------------------------ */

static void check_regions(const struct fr_routine_model *model, size_t index,
                          struct fr_faults *faults)
{
    const size_t dimensions = model->parameters.count, terms = model->basis.count;
    char where[FR_WHERE_BYTES];

    for (size_t i = 0; i < model->regions.count; i++) {
        const struct fr_region *region = &model->regions.row[i];

        snprintf(where, sizeof where, "/kernels/routine_models/%zu/regions/%zu", index, i);
        check_box(&region->min, &region->max, dimensions, where, faults);
        check_lengths(&region->coef.min, terms, where, "coef.min", faults);
        check_lengths(&region->coef.med, terms, where, "coef.med", faults);
        check_lengths(&region->coef.avg, terms, where, "coef.avg", faults);
        check_lengths(&region->coef.max, terms, where, "coef.max", faults);
        check_lengths(&region->coef.std, terms, where, "coef.std", faults);
    }
}

/* Many documents list the regions themselves as the range, in the same order; then coverage needs
 * no search. */
static bool is_in_its_region(const struct fr_routine_model *model, size_t index)
{
    const double *low = model->range.row[index].min.row, *high = model->range.row[index].max.row;
    const struct fr_region *region = model->regions.row + index;

    for (size_t d = 0; d < model->parameters.count; d++)
        if (low[d] < region->min.row[d] || high[d] > region->max.row[d])
            return false;
    return true;
}

/* Called only if the boxes of the model have no faults. */
static void check_cover(const struct fr_routine_model *model, const char *where, size_t *left,
                        struct fr_faults *faults)
{
    struct fr_arena *arena = fr_arena_new(COVER_BYTES);
    struct blocked_bounds *box =
        arena ? fr_arena_zeroed(arena, model->regions.count + 1, sizeof *box) : NULL;

    for (size_t i = 0; box && i < model->regions.count; i++)
        box[i] =
            (struct blocked_bounds){ model->regions.row[i].min.row, model->regions.row[i].max.row };
    for (size_t i = 0; box && i < model->range.count; i++) {
        double hole[BLOCKED_MAX_SIZES];
        char at[96];
        size_t used = 0;

        if ((i < model->regions.count && is_in_its_region(model, i)) ||
            blocked_box_cover(box, model->regions.count, model->range.row[i].min.row,
                              model->range.row[i].max.row, model->parameters.count, left, arena,
                              hole))
            continue;
        for (size_t d = 0; d < model->parameters.count; d++)
            used += (size_t)snprintf(at + used, sizeof at - used, "%s%.6g", d ? " " : "", hole[d]);
        if (isnan(hole[0])) {
            fr_fault(faults, FR_RANGE, where,
                     "too many regions to check that they cover the range");
            break;
        }
        fr_fault(faults, FR_RELATION, where,
                 "the regions do not cover box %zu of range: none contains %s", i, at);
    }
    if (!box)
        fr_fault(faults, FR_NOMEM, where, "too large to check");
    fr_arena_free(arena);
}

static bool is_same(const struct fr_routine_model *a, const struct fr_routine_model *b)
{
    if (strcmp(a->routine, b->routine) != 0 || a->locality != b->locality ||
        a->threads != b->threads)
        return false;
    for (const struct fr_field *flag = fr_fields_routine_flags; flag->name; flag++) {
        const char *of_a = fr_routine_model_flag(a, flag->name);
        const char *of_b = fr_routine_model_flag(b, flag->name);

        if (strcmp(of_a ? of_a : "", of_b ? of_b : "") != 0)
            return false;
    }
    return true;
}

static void check_model(const struct fr_calibration *cal, size_t index, size_t *left,
                        struct fr_faults *faults)
{
    const struct fr_routine_model *model = &cal->kernels.routine_models.row[index];
    const size_t before = faults->count;
    const struct blocked_routine *routine;
    char where[FR_WHERE_BYTES];

    snprintf(where, sizeof where, "/kernels/routine_models/%zu", index);
    routine = check_routine(model, where, faults);
    check_basis(model, where, faults);
    for (size_t i = 0; i < model->range.count; i++)
        check_box(&model->range.row[i].min, &model->range.row[i].max, model->parameters.count,
                  where, faults);
    check_regions(model, index, faults);
    if (model->kind && strcmp(model->kind, "routine_model") != 0)
        fr_fault(faults, FR_CHOICE, where, "kind is '%.32s' instead of routine_model", model->kind);
    if (!model->range.count)
        fr_fault(faults, FR_MISSING, where, "range needs at least one box");
    if (!model->regions.count)
        fr_fault(faults, FR_MISSING, where, "regions are required");
    for (size_t i = 0; i < index; i++)
        if (is_same(model, &cal->kernels.routine_models.row[i]))
            fr_fault(
                faults, FR_REPEATED, where,
                "models the same routine, flags, locality and threads as row %zu; give another "
                "library a machine name of its own",
                i);
    if (routine && faults->count == before)
        check_cover(model, where, left, faults);
}

void blocked_check(const struct fr_calibration *cal, struct fr_faults *faults)
{
    size_t left = COVER_WORK;

    for (size_t i = 0; i < cal->kernels.routine_models.count; i++)
        check_model(cal, i, &left, faults);
}
