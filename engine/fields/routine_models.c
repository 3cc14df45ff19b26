/* Fields of `kernels.routine_models`: piecewise polynomials of BLAS calls
 * (docs/models/kernel_models.md#routine-models-in-the-calibration-document). */
#include "engine/fields/fields.h"

#include <string.h>

#define RM struct fr_routine_model
static const char *const localities[] = { "in_cache", "out_of_cache", NULL };
const struct fr_field fr_fields_routine_flags[] = {
    { AT("side", RM, flags.side), .kind = FR_FIELD_TEXT, .doc = "Flag of the routine." },
    { AT("uplo", RM, flags.uplo), .kind = FR_FIELD_TEXT, .doc = "Flag of the routine." },
    { AT("trans", RM, flags.trans), .kind = FR_FIELD_TEXT, .doc = "Flag of the routine." },
    { AT("transA", RM, flags.transA), .kind = FR_FIELD_TEXT, .doc = "Flag of the routine." },
    { AT("transB", RM, flags.transB), .kind = FR_FIELD_TEXT, .doc = "Flag of the routine." },
    { AT("diag", RM, flags.diag), .kind = FR_FIELD_TEXT, .doc = "Flag of the routine." },
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
    { AT("name", RM, library.name), .kind = FR_FIELD_TEXT, .doc = "Name." },
    { AT("version", RM, library.version), .kind = FR_FIELD_TEXT, .doc = "Version." },
    { AT("core", RM, library.core), .kind = FR_FIELD_TEXT,
      .doc = "Processor core that the library detected." },
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
    { AT("strategy", RM, build.strategy), .kind = FR_FIELD_TEXT,
      .doc = "adaptive_refinement or model_expansion." },
    { AT("eps", RM, build.eps), .kind = FR_FIELD_NUMBER,
      .doc = "Largest error of an accepted region." },
    { AT("s_min", RM, build.s_min), .kind = FR_FIELD_COUNT, .doc = "Smallest side of a region." },
    { AT("s_fine", RM, build.s_fine), .kind = FR_FIELD_COUNT,
      .doc = "Smallest side of a region where errors were largest." },
    { AT("s_ini", RM, build.s_ini), .kind = FR_FIELD_COUNT,
      .doc = "First side of a region (expansion)." },
    { AT("split", RM, build.split), .kind = FR_FIELD_TEXT, .doc = "all, longest or best." },
    { AT("grid", RM, build.grid), .kind = FR_FIELD_TEXT, .doc = "chebyshev or cartesian." },
    { AT("direction", RM, build.direction), .kind = FR_FIELD_TEXT,
      .doc = "Direction of expansion." },
    { AT("oversampling", RM, build.oversampling), .kind = FR_FIELD_COUNT,
      .doc = "Grid points beyond the degree plus one, each dimension." },
    { AT("degree_extra", RM, build.degree_extra), .kind = FR_FIELD_COUNT, .flags = FR_FIELD_ZERO,
      .doc = "Degrees beyond the operation count." },
    { AT("repetitions", RM, build.repetitions), .kind = FR_FIELD_COUNT,
      .doc = "Repetitions of a sample." },
    { AT("reference", RM, build.reference), .kind = FR_FIELD_TEXT,
      .doc = "Statistic of the error." },
    { AT("measure", RM, build.measure), .kind = FR_FIELD_TEXT,
      .doc = "Measure of a region's error: max, p90 or mean." },
    { AT("relative", RM, build.relative), .kind = FR_FIELD_BOOL,
      .doc = "Whether residuals are relative." },
    { AT("samples", RM, build.samples), .kind = FR_FIELD_COUNT, .doc = "Samples taken." },
    { AT("seconds", RM, build.seconds), .kind = FR_FIELD_NUMBER, .unit = "s",
      .flags = FR_FIELD_ZERO, .doc = "Time to build the model." },
    { AT("when", RM, build.when), .kind = FR_FIELD_TEXT, .doc = "Date and time of the model." },
    { AT("history", RM, build.history), .kind = FR_FIELD_TABLE,
      .size = sizeof(struct fr_model_progress), .fields = history,
      .doc = "Progress of the model while it was built, by ascending samples." },
    END,
};
#define REG struct fr_region
static const struct fr_field coef[] = {
    { AT("min", REG, coef.min), .kind = FR_FIELD_NUMBERS,
      .flags = FR_FIELD_NEEDED | FR_FIELD_SIGNED, .scaling = FR_SCALE_RATE_TIME,
      .doc = "Coefficients of the minimum." },
    { AT("med", REG, coef.med), .kind = FR_FIELD_NUMBERS,
      .flags = FR_FIELD_NEEDED | FR_FIELD_SIGNED, .scaling = FR_SCALE_RATE_TIME,
      .doc = "Coefficients of the median." },
    { AT("avg", REG, coef.avg), .kind = FR_FIELD_NUMBERS,
      .flags = FR_FIELD_NEEDED | FR_FIELD_SIGNED, .scaling = FR_SCALE_RATE_TIME,
      .doc = "Coefficients of the mean." },
    { AT("max", REG, coef.max), .kind = FR_FIELD_NUMBERS,
      .flags = FR_FIELD_NEEDED | FR_FIELD_SIGNED, .scaling = FR_SCALE_RATE_TIME,
      .doc = "Coefficients of the maximum." },
    { AT("std", REG, coef.std), .kind = FR_FIELD_NUMBERS,
      .flags = FR_FIELD_NEEDED | FR_FIELD_SIGNED, .scaling = FR_SCALE_RATE_TIME,
      .doc = "Coefficients of the standard deviation." },
    END,
};
static const struct fr_field region[] = {
    NUMBERS(REG, min, .flags = FR_FIELD_NEEDED, .doc = "Lower corner."),
    NUMBERS(REG, max, .flags = FR_FIELD_NEEDED, .doc = "Upper corner."),
    NUMBER(REG, error, .unit = "1", .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO,
           .doc = "Error by the measure of the build."),
    COUNT(REG, samples, .doc = "Number of samples of the fit."),
    { .name = "coef",
      .kind = FR_FIELD_OBJECT,
      .fields = coef,
      .flags = FR_FIELD_NEEDED,
      .doc = "Polynomial coefficients for each statistic." },
    END,
};
const struct fr_field fr_fields_routine_model[] = {
    TEXT(RM, kind, .doc = "routine_model."),
    TEXT(RM, routine, .flags = FR_FIELD_NEEDED | FR_FIELD_NAME, .doc = "Routine."),
    { .name = "flags",
      .kind = FR_FIELD_OBJECT,
      .fields = fr_fields_routine_flags,
      .flags = FR_FIELD_NEEDED,
      .doc = "Flags in the BLAS order." },
    { AT("parameters", RM, parameters), .kind = FR_FIELD_TEXTS, .flags = FR_FIELD_NEEDED,
      .doc = "Names of the sizes." },
    TABLE(RM, range, struct fr_model_range, box, .flags = FR_FIELD_NEEDED,
          .doc = "Boxes that the regions cover."),
    TEXT(RM, unit, .doc = "Unit of the values: s."),
    CHOICE(RM, locality, localities, .flags = FR_FIELD_NEEDED,
           .doc = "Whether operands were in the cache."),
    COUNT(RM, threads, .flags = FR_FIELD_NEEDED, .doc = "Threads of the calls."),
    COUNT(RM, leading_dimension, .doc = "Leading dimension of the operands sampled."),
    { .name = "library", .kind = FR_FIELD_OBJECT, .fields = library, .doc = "The BLAS library." },
    { .name = "build",
      .kind = FR_FIELD_OBJECT,
      .fields = build,
      .doc = "How the model was built." },
    { AT("basis", RM, basis), .kind = FR_FIELD_LISTS, .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO,
      .doc = "Exponent vectors of the monomials." },
    TABLE(RM, regions, struct fr_region, region, .flags = FR_FIELD_NEEDED,
          .doc = "Boxes with one polynomial each."),
    END,
};
