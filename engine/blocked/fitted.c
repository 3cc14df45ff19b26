/* Evaluates piecewise polynomials: finds the region of a point, computes the polynomials there, and
 * extrapolates outside all regions (docs/models/kernel_models.md#evaluation-of-a-model).
 */
#include "engine/blocked/fitted.h"
#include "engine/core/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How well the model of a kernel serves another one; flags that only say whether the diagonal is
 * read hardly matter (docs/models/kernel_models.md#decision-flags-that-share-a-model). */
enum match { NONE, OTHER_DIAGONAL, WILDCARD, EXACT };

static enum match match(const struct blocked_kernel *model, const struct blocked_kernel *kernel)
{
    enum match least = EXACT;

    if (model->routine != kernel->routine)
        return NONE;
    for (size_t i = 0; i < kernel->routine->flags; i++) {
        enum match one = EXACT;

        if (model->flags[i] == '*')
            one = WILDCARD;
        else if (model->flags[i] != kernel->flags[i])
            one = strcmp(kernel->routine->flag_names[i], "diag") ? NONE : OTHER_DIAGONAL;
        least = one < least ? one : least;
    }
    return least;
}

const struct blocked_fitted *blocked_find(const struct fr_calibration *cal,
                                          const struct blocked_kernel *kernel, int64_t threads,
                                          enum blocked_locality locality)
{
    const struct blocked_fitted *found = NULL;
    enum match best = NONE;

    for (size_t i = 0; i < cal->kernels.routine_models.count && best < EXACT; i++) {
        const struct blocked_fitted *fitted = &cal->fitted[i];
        const enum match how = fitted->threads == threads && fitted->locality == (int)locality
                                   ? match(&fitted->kernel, kernel)
                                   : NONE;

        if (how <= best)
            continue;
        best = how;
        found = fitted;
    }
    return found;
}

/* How far a region is, or not nearer than `most`; 1: it contains the point.  The logarithm is the
 * distance of the model. */
static double away_of(const struct blocked_region *region, const double *size, size_t dimensions,
                      double most)
{
    double product = 1;

    for (size_t d = 0; d < dimensions && product < most; d++)
        if (size[d] < region->low[d])
            product *= region->low[d] / size[d];
        else if (size[d] > region->high[d])
            product *= size[d] / region->high[d];
    return product;
}

static void clamp(const double *low, const double *high, const double *size, size_t dimensions,
                  double *at)
{
    for (size_t d = 0; d < dimensions; d++)
        at[d] = size[d] < low[d] ? low[d] : size[d] > high[d] ? high[d] : size[d];
}

void blocked_clamp(const struct blocked_region *region, const double *size, size_t dimensions,
                   double *at)
{
    clamp(region->low, region->high, size, dimensions, at);
}

static bool contains(const struct blocked_region *region, const double *at, size_t dimensions)
{
    for (size_t d = 0; d < dimensions; d++)
        if (at[d] < region->low[d] || at[d] > region->high[d])
            return false;
    return true;
}

/* No region is nearer than one that contains the nearest point of the box around all of them. There
 * is one unless the regions leave out a part of that box. */
const struct blocked_region *blocked_region_of(const struct blocked_fitted *fitted,
                                               const double *size, double *away)
{
    const struct blocked_region *const end = fitted->region + fitted->regions, *nearest = NULL;
    const size_t dimensions = fitted->kernel.routine->sizes;
    double at[BLOCKED_MAX_SIZES];

    clamp(fitted->low, fitted->high, size, dimensions, at);
    for (const struct blocked_region *region = fitted->region; region < end; region++)
        if (contains(region, at, dimensions)) {
            *away = away_of(region, size, dimensions, INFINITY);
            return region;
        }
    *away = INFINITY;
    for (const struct blocked_region *region = fitted->region; region < end; region++) {
        const double one = away_of(region, size, dimensions, *away);

        if (one < *away) {
            *away = one;
            nearest = region;
        }
    }
    return nearest;
}

/* Computes the powers of the local coordinates up to the highest exponent. */
enum { POWERS = 16 };
static void raise(const struct blocked_fitted *fitted, const struct blocked_region *region,
                  const double *at, double power[BLOCKED_MAX_SIZES][POWERS])
{
    for (size_t d = 0; d < BLOCKED_MAX_SIZES; d++) {
        const double t = (at[d] - region->low[d]) * region->inverse[d];

        power[d][0] = 1;
        for (size_t e = 1; e <= fitted->highest; e++)
            power[d][e] = power[d][e - 1] * t;
    }
}

void blocked_sums(const struct blocked_fitted *fitted, const struct blocked_region *region,
                  const double *at, enum blocked_statistic first, size_t count, double *sum)
{
    double power[BLOCKED_MAX_SIZES][POWERS];

    raise(fitted, region, at, power);
    for (size_t s = 0; s < count; s++)
        sum[s] = 0;
    for (size_t i = 0; i < fitted->terms; i++) {
        const unsigned char *e = fitted->exponent[i];
        const double monomial = power[0][e[0]] * power[1][e[1]] * power[2][e[2]];

        for (size_t s = 0; s < count; s++)
            sum[s] += region->coef[first + s][i] * monomial;
    }
}

const struct blocked_region *blocked_evaluate(const struct blocked_fitted *fitted,
                                              const struct blocked_call *call,
                                              struct blocked_times *out)
{
    const struct blocked_routine *routine = fitted->kernel.routine;
    double wanted[BLOCKED_MAX_SIZES] = { 0 }, at[BLOCKED_MAX_SIZES] = { 0 };
    double sum[BLOCKED_STATISTICS], away, scale = 1;
    const struct blocked_region *region;

    for (size_t d = 0; d < routine->sizes; d++)
        wanted[d] = (double)call->size[d];
    region = blocked_region_of(fitted, wanted, &away);
    blocked_clamp(region, wanted, routine->sizes, at);
    blocked_sums(fitted, region, at, BLOCKED_MIN, BLOCKED_STATISTICS, sum);
    if (away > 1)
        scale = fmax(1, routine->flops(call->kernel.flags, wanted) /
                            routine->flops(call->kernel.flags, at));
    *out = (struct blocked_times){
        .min = fmax(0, sum[BLOCKED_MIN] * scale),
        .med = fmax(0, sum[BLOCKED_MED] * scale),
        .avg = fmax(0, sum[BLOCKED_AVG] * scale),
        .max = fmax(0, sum[BLOCKED_MAX] * scale),
        .std = fmax(0, sum[BLOCKED_STD] * scale),
    };
    return away > 1 ? region : NULL;
}

static int by_error(const void *left, const void *right)
{
    const struct blocked_region *a = left, *b = right;

    if (a->error != b->error)
        return a->error < b->error ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static void take_region(const struct fr_region *row, size_t place, size_t dimensions,
                        struct blocked_region *out)
{
    *out = (struct blocked_region){
        .coef = { row->coef.min.row, row->coef.med.row, row->coef.avg.row, row->coef.max.row,
                  row->coef.std.row },
        .error = row->error,
        .place = place,
    };
    for (size_t d = 0; d < dimensions; d++) {
        out->low[d] = row->min.row[d];
        out->high[d] = row->max.row[d];
        out->inverse[d] = out->high[d] > out->low[d] ? 1 / (out->high[d] - out->low[d]) : 0;
    }
}

static void take_flags(const struct fr_routine_model *model, struct blocked_kernel *kernel)
{
    for (size_t i = 0; i < kernel->routine->flags; i++) {
        const char *flag = fr_routine_model_flag(model, kernel->routine->flag_names[i]);

        kernel->flags[i] = flag ? flag[0] : '*';
    }
}

static int prepare(const struct fr_routine_model *model, struct fr_arena *arena,
                   struct blocked_fitted *out)
{
    const size_t terms = model->basis.count, regions = model->regions.count;
    const size_t dimensions = model->parameters.count;
    unsigned char(*exponent)[BLOCKED_MAX_SIZES] = fr_arena_zeroed(arena, terms, sizeof *exponent);
    struct blocked_region *region = fr_arena_zeroed(arena, regions, sizeof *region);

    if (!exponent || !region)
        return -1;
    *out = (struct blocked_fitted){
        .kernel = { .routine = blocked_routine_find(model->routine) },
        .threads = model->threads,
        .locality = model->locality,
        .terms = terms,
        .exponent = (const unsigned char(*)[BLOCKED_MAX_SIZES])exponent,
        .region = region,
        .regions = regions,
    };
    take_flags(model, &out->kernel);
    for (size_t i = 0; i < terms; i++)
        for (size_t d = 0; d < dimensions; d++) {
            exponent[i][d] = (unsigned char)model->basis.row[i].row[d];
            out->highest = exponent[i][d] > out->highest ? exponent[i][d] : out->highest;
        }
    for (size_t i = 0; i < regions; i++) {
        take_region(&model->regions.row[i], i, dimensions, &region[i]);
        for (size_t d = 0; d < dimensions; d++) {
            out->low[d] = i ? fmin(out->low[d], region[i].low[d]) : region[i].low[d];
            out->high[d] = fmax(out->high[d], region[i].high[d]);
        }
    }
    qsort(region, regions, sizeof *region, by_error);
    return 0;
}

void blocked_prepare(struct fr_calibration *cal, struct fr_arena *arena, struct fr_faults *faults)
{
    const size_t count = cal->kernels.routine_models.count;
    struct blocked_fitted *fitted = fr_arena_zeroed(arena, count, sizeof *fitted);

    for (size_t i = 0; fitted && i < count; i++)
        if (prepare(&cal->kernels.routine_models.row[i], arena, &fitted[i]))
            fitted = NULL;
    cal->fitted = fitted;
    if (!fitted && count)
        fr_fault(faults, FR_NOMEM, "/kernels/routine_models", "too large to index");
}
