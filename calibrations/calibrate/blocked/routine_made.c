#include "calibrations/calibrate/blocked/modeling.h"

#include <string.h>
#include <time.h>

#include "calibrations/calibrate/core/blas.h"
#include "calibrations/calibrate/core/document.h"

static fr_numbers numbers_of(struct fr_document *document, const double *value, size_t count)
{
    const fr_numbers numbers = { fr_document_memory(document, count, sizeof *value), count };

    memcpy(numbers.row, value, count * sizeof *value);
    return numbers;
}

static fr_numbers point_of(struct fr_document *document, const int64_t *at, size_t dimensions)
{
    double value[BLOCKED_MAX_SIZES];

    for (size_t d = 0; d < dimensions; d++)
        value[d] = (double)at[d];
    return numbers_of(document, value, dimensions);
}

static void record_kernel(struct fr_document *document, const struct blocked_kernel *kernel,
                          struct fr_routine_model *out)
{
    const struct blocked_routine *routine = kernel->routine;

    out->kind = "routine_model";
    out->routine = routine->name;
    for (size_t i = 0; i < routine->flags; i++) {
        const struct fr_field *flag = fr_fields_routine_flags;

        while (strcmp(flag->name, routine->flag_names[i]) != 0)
            flag++;
        *(const char **)(void *)((char *)out + flag->offset) =
            fr_document_text(document, (char[]){ kernel->flags[i], '\0' });
    }
    for (size_t d = 0; d < routine->sizes; d++)
        *FR_ADD_ROW(document, out->parameters) = routine->size_names[d];
}

static void record_library(struct fr_document *document, struct fr_routine_model *out)
{
    struct fr_blas_facts facts;

    fr_blas_find(&facts);
    out->library.name = fr_document_text(document, facts.name);
    out->library.version = fr_document_text(document, facts.version);
    out->library.core = fr_document_text(document, facts.core);
}

/* The document has one number for all sizes, and none if they differ. */
static bool is_oversampled_alike(const struct blocked_build *build, size_t dimensions)
{
    for (size_t d = 1; d < dimensions; d++)
        if (build->oversampling[d] != build->oversampling[0])
            return false;
    return true;
}

static void record_build(struct fr_document *document, const struct fr_routine_made *made,
                         struct fr_routine_model *out)
{
    const struct blocked_build *build = made->build;
    const time_t now = time(NULL);
    struct tm utc;
    char when[32];

    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    out->build.strategy = fr_strategy_names[build->strategy];
    out->build.eps = build->eps;
    if (build->strategy == BLOCKED_REFINEMENT) {
        out->build.s_min = build->s_min;
        out->build.s_fine = build->s_fine;
        out->build.split = fr_split_names[build->split];
    } else {
        out->build.s_ini = build->s_ini;
        out->build.direction = fr_direction_names[build->direction];
    }
    out->build.grid = fr_grid_names[build->grid];
    if (is_oversampled_alike(build, made->model->dimensions))
        out->build.oversampling = build->oversampling[0];
    out->build.degree_extra = build->degree_extra;
    out->build.repetitions = made->repetitions;
    out->build.reference = fr_statistic_names[build->reference];
    out->build.measure = fr_measure_names[build->measure];
    out->build.relative = build->is_relative;
    out->build.samples = (int64_t)made->model->samples;
    out->build.seconds = made->seconds;
    out->build.when = fr_document_text(document, when);
    for (size_t i = 0; i < made->history->rows; i++)
        *FR_ADD_ROW(document, out->build.history) = made->history->row[i];
}

static struct fr_region region_of(struct fr_document *document, const struct blocked_model *model,
                                  const struct blocked_piece *piece)
{
    fr_numbers coef[BLOCKED_STATISTICS];

    for (int s = 0; s < BLOCKED_STATISTICS; s++)
        coef[s] = numbers_of(document, piece->coef[s], model->terms);
    return (struct fr_region){ .min = point_of(document, piece->box.min, model->dimensions),
                               .max = point_of(document, piece->box.max, model->dimensions),
                               .error = piece->error,
                               .samples = (int64_t)piece->samples,
                               .coef = { .min = coef[BLOCKED_MIN],
                                         .med = coef[BLOCKED_MED],
                                         .avg = coef[BLOCKED_AVG],
                                         .max = coef[BLOCKED_MAX],
                                         .std = coef[BLOCKED_STD] } };
}

void fr_routine_record(struct fr_document *document, const struct fr_routine_made *made)
{
    const struct blocked_model *model = made->model;
    struct fr_routine_model *out = FR_ADD_ROW(document, document->found.kernels.routine_models);

    fr_fields_clear(fr_fields_routine_model, out);
    record_kernel(document, &made->domain->kernel, out);
    for (size_t i = 0; i < made->domain->boxes; i++)
        *FR_ADD_ROW(document, out->range) = (struct fr_model_range){
            point_of(document, made->domain->box[i].min, model->dimensions),
            point_of(document, made->domain->box[i].max, model->dimensions)
        };
    out->unit = "s";
    out->locality = made->is_cold;
    out->threads = made->threads;
    out->leading_dimension = made->leading_dimension;
    record_library(document, out);
    record_build(document, made, out);
    for (size_t i = 0; i < model->terms; i++) {
        double exponent[BLOCKED_MAX_SIZES];

        for (size_t d = 0; d < model->dimensions; d++)
            exponent[d] = model->exponent[i][d];
        *FR_ADD_ROW(document, out->basis) = numbers_of(document, exponent, model->dimensions);
    }
    for (size_t i = 0; i < model->pieces; i++)
        *FR_ADD_ROW(document, out->regions) = region_of(document, model, &model->piece[i]);
}
