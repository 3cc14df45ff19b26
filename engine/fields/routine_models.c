/* Fields of `kernels.routine_models`: piecewise polynomials of BLAS calls
 * (docs/models/kernel_models.md#routine-models-in-the-calibration-document). */
#include "engine/fields/fields.h"

#include <string.h>

#define RM struct fr_routine_model
static const char *const localities[] = { "in_cache", "out_of_cache", NULL };
const struct fr_field fr_fields_routine_flags[] = {
    IN(RM, flags, TEXT, side, .doc = "Flag of the routine."),
    IN(RM, flags, TEXT, uplo, .doc = "Flag of the routine."),
    IN(RM, flags, TEXT, trans, .doc = "Flag of the routine."),
    IN(RM, flags, TEXT, transA, .doc = "Flag of the routine."),
    IN(RM, flags, TEXT, transB, .doc = "Flag of the routine."),
    IN(RM, flags, TEXT, diag, .doc = "Flag of the routine."),
    END,
};
const char *fr_routine_model_flag(const struct fr_routine_model *model, const char *name)
{
    const struct fr_field *flag = fr_fields_routine_flags;

    while (flag->name && strcmp(flag->name, name) != 0)
        flag++;
    return flag->name ? *(const char *const *)((const char *)model + flag->offset) : NULL;
}

static const struct fr_field box[] = {
    NUMBERS(struct fr_model_range, min, .flags = FR_FIELD_NEEDED, .doc = "Lower corner."),
    NUMBERS(struct fr_model_range, max, .flags = FR_FIELD_NEEDED, .doc = "Upper corner."),
    END,
};
static const struct fr_field library[] = {
    IN(RM, library, TEXT, name, .doc = "Name."),
    IN(RM, library, TEXT, version, .doc = "Version."),
    IN(RM, library, TEXT, core, .doc = "Processor core that the library detected."),
    END,
};
static const struct fr_field history[] = {
    COUNT(struct fr_model_progress, samples, .flags = FR_FIELD_NEEDED,
          .doc = "Samples taken so far."),
    COUNT(struct fr_model_progress, regions, .flags = FR_FIELD_NEEDED,
          .doc = "Regions so far, done and open."),
    NUMBER(struct fr_model_progress, error, .unit = "1", .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO,
           .doc = "Mean error of these regions, weighted by volume in log2 of the sizes; ranges "
                  "without a region count as 1."),
    END,
};
static const struct fr_field build[] = {
    IN(RM, build, TEXT, strategy, .doc = "adaptive_refinement or model_expansion."),
    IN(RM, build, NUMBER, eps, .doc = "Largest error of an accepted region."),
    IN(RM, build, COUNT, s_min, .doc = "Smallest side of a region."),
    IN(RM, build, COUNT, s_fine, .doc = "Smallest side of a region where errors were largest."),
    IN(RM, build, COUNT, s_ini, .doc = "First side of a region (expansion)."),
    IN(RM, build, TEXT, split, .doc = "all, longest or best."),
    IN(RM, build, TEXT, grid, .doc = "chebyshev or cartesian."),
    IN(RM, build, TEXT, direction, .doc = "Direction of expansion."),
    IN(RM, build, COUNT, oversampling,
       .doc = "Grid points beyond the degree plus one, each dimension."),
    IN(RM, build, COUNT, degree_extra, .flags = FR_FIELD_ZERO,
       .doc = "Degrees beyond the operation count."),
    IN(RM, build, COUNT, repetitions, .doc = "Repetitions of a sample."),
    IN(RM, build, TEXT, reference, .doc = "Statistic of the error."),
    IN(RM, build, TEXT, measure, .doc = "Measure of a region's error: max, p90 or mean."),
    IN(RM, build, BOOL, relative, .doc = "Whether residuals are relative."),
    IN(RM, build, COUNT, samples, .doc = "Samples taken."),
    IN(RM, build, NUMBER, seconds, .unit = "s", .flags = FR_FIELD_ZERO,
       .doc = "Time to build the model."),
    IN(RM, build, TEXT, when, .doc = "Date and time of the model."),
    IN(RM, build, TABLE, history, .size = sizeof(struct fr_model_progress), .fields = history,
       .doc = "Progress of the model while it was built, by ascending samples."),
    END,
};
#define REG struct fr_region
#define COEF(f, what)                                                     \
    IN(REG, coef, NUMBERS, f, .flags = FR_FIELD_NEEDED | FR_FIELD_SIGNED, \
       .scaling = FR_SCALE_RATE_TIME, .doc = "Coefficients of the " what ".")
static const struct fr_field coef[] = {
    COEF(min, "minimum"),
    COEF(med, "median"),
    COEF(avg, "mean"),
    COEF(max, "maximum"),
    COEF(std, "standard deviation"),
    END,
};
static const struct fr_field region[] = {
    NUMBERS(REG, min, .flags = FR_FIELD_NEEDED, .doc = "Lower corner."),
    NUMBERS(REG, max, .flags = FR_FIELD_NEEDED, .doc = "Upper corner."),
    NUMBER(REG, error, .unit = "1", .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO,
           .doc = "Error by the measure of the build."),
    COUNT(REG, samples, .doc = "Number of samples of the fit."),
    MEMBERS("coef", coef, .flags = FR_FIELD_NEEDED,
            .doc = "Polynomial coefficients for each statistic."),
    END,
};
const struct fr_field fr_fields_routine_model[] = {
    TEXT(RM, kind, .doc = "routine_model."),
    TEXT(RM, routine, .flags = FR_FIELD_NEEDED | FR_FIELD_NAME, .doc = "Routine."),
    MEMBERS("flags", fr_fields_routine_flags, .flags = FR_FIELD_NEEDED,
            .doc = "Flags in the BLAS order."),
    { AT("parameters", RM, parameters), .kind = FR_FIELD_TEXTS, .flags = FR_FIELD_NEEDED,
      .doc = "Names of the sizes." },
    TABLE(RM, range, struct fr_model_range, box, .flags = FR_FIELD_NEEDED,
          .doc = "Boxes that the regions cover."),
    TEXT(RM, unit, .doc = "Unit of the values: s."),
    CHOICE(RM, locality, localities, .flags = FR_FIELD_NEEDED,
           .doc = "Whether operands were in the cache."),
    COUNT(RM, threads, .flags = FR_FIELD_NEEDED, .doc = "Threads of the calls."),
    COUNT(RM, leading_dimension, .doc = "Leading dimension of the operands sampled."),
    MEMBERS("library", library, .doc = "The BLAS library."),
    MEMBERS("build", build, .doc = "How the model was built."),
    { AT("basis", RM, basis), .kind = FR_FIELD_LISTS, .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO,
      .doc = "Exponent vectors of the monomials." },
    TABLE(RM, regions, struct fr_region, region, .flags = FR_FIELD_NEEDED,
          .doc = "Boxes with one polynomial each."),
    END,
};
