/* Writes a routine model, its build options and its convergence as JSON. */
#include "calibrations/calibrate/blocked/routine_json.h"

#include <math.h>
#include <time.h>

#include "calibrations/calibrate/core/blas.h"
#include "server/json/writer.h"

static void write_point(struct fr_writer *out, const char *key, const int64_t *at,
                        size_t dimensions)
{
    fr_json_key(out, key);
    fr_json_array(out);
    for (size_t d = 0; d < dimensions; d++)
        fr_json_integer(out, at[d]);
    fr_json_array_end(out);
}

static void write_kernel(struct fr_writer *out, const struct blocked_kernel *kernel)
{
    const struct blocked_routine *routine = kernel->routine;

    fr_json_pair(out, "kind", "routine_model");
    fr_json_pair(out, "routine", routine->name);
    fr_json_key(out, "flags");
    fr_json_object(out);
    for (size_t i = 0; i < routine->flags; i++)
        fr_json_pair(out, routine->flag_names[i], (char[]){ kernel->flags[i], '\0' });
    fr_json_object_end(out);
    fr_json_key(out, "parameters");
    fr_json_array(out);
    for (size_t d = 0; d < routine->sizes; d++)
        fr_json_text(out, routine->size_names[d]);
    fr_json_array_end(out);
}

static void write_library(struct fr_writer *out)
{
    struct fr_blas_facts facts;

    fr_blas_find(&facts);
    fr_json_key(out, "library");
    fr_json_object(out);
    fr_json_pair(out, "name", facts.name);
    if (*facts.version)
        fr_json_pair(out, "version", facts.version);
    if (*facts.core)
        fr_json_pair(out, "core", facts.core);
    fr_json_object_end(out);
}

/* The document has one number for all sizes, and none if they differ. */
static bool is_oversampled_alike(const struct blocked_build *build, size_t dimensions)
{
    for (size_t d = 1; d < dimensions; d++)
        if (build->oversampling[d] != build->oversampling[0])
            return false;
    return true;
}

static void write_history(struct fr_writer *out, const struct fr_fit_history *history)
{
    fr_json_key(out, "history");
    fr_json_array(out);
    for (size_t i = 0; i < history->rows; i++) {
        fr_json_object(out);
        fr_json_pair_integer(out, "samples", (int64_t)history->row[i].samples);
        fr_json_pair_integer(out, "regions", (int64_t)history->row[i].regions);
        fr_json_pair_number(out, "error", history->row[i].error);
        fr_json_object_end(out);
    }
    fr_json_array_end(out);
}

static void write_build(struct fr_writer *out, const struct fr_routine_made *made)
{
    const struct blocked_build *build = made->build;
    const bool is_refined = build->strategy == BLOCKED_REFINEMENT;
    const time_t now = time(NULL);
    struct tm utc;
    char when[32];

    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    fr_json_key(out, "build");
    fr_json_object(out);
    fr_json_pair(out, "strategy", fr_strategy_names[build->strategy]);
    fr_json_pair_number(out, "eps", build->eps);
    if (is_refined) {
        fr_json_pair_integer(out, "s_min", build->s_min);
        if (build->s_fine)
            fr_json_pair_integer(out, "s_fine", build->s_fine);
        fr_json_pair(out, "split", fr_split_names[build->split]);
    } else {
        fr_json_pair_integer(out, "s_ini", build->s_ini);
        fr_json_pair(out, "direction", fr_direction_names[build->direction]);
    }
    fr_json_pair(out, "grid", fr_grid_names[build->grid]);
    if (is_oversampled_alike(build, made->model->dimensions))
        fr_json_pair_integer(out, "oversampling", build->oversampling[0]);
    fr_json_pair_integer(out, "degree_extra", build->degree_extra);
    fr_json_pair_integer(out, "repetitions", made->repetitions);
    fr_json_pair(out, "reference", fr_statistic_names[build->reference]);
    fr_json_pair(out, "measure", fr_measure_names[build->measure]);
    fr_json_pair_bool(out, "relative", build->is_relative);
    fr_json_pair_integer(out, "samples", (int64_t)made->model->samples);
    if (!isnan(made->seconds))
        fr_json_pair_number(out, "seconds", made->seconds);
    fr_json_pair(out, "when", when);
    if (made->history->rows)
        write_history(out, made->history);
    fr_json_object_end(out);
}

static void write_basis(struct fr_writer *out, const struct blocked_model *model)
{
    fr_json_key(out, "basis");
    fr_json_array(out);
    for (size_t i = 0; i < model->terms; i++) {
        fr_json_array(out);
        for (size_t d = 0; d < model->dimensions; d++)
            fr_json_integer(out, model->exponent[i][d]);
        fr_json_array_end(out);
    }
    fr_json_array_end(out);
}

static void write_piece(struct fr_writer *out, const struct blocked_model *model,
                        const struct blocked_piece *piece)
{
    fr_json_object(out);
    write_point(out, "min", piece->box.min, model->dimensions);
    write_point(out, "max", piece->box.max, model->dimensions);
    fr_json_pair_number(out, "error", piece->error);
    if (piece->samples)
        fr_json_pair_integer(out, "samples", (int64_t)piece->samples);
    fr_json_key(out, "coef");
    fr_json_object(out);
    for (int s = 0; s < BLOCKED_STATISTICS; s++) {
        fr_json_key(out, fr_statistic_names[s]);
        fr_json_array(out);
        for (size_t i = 0; i < model->terms; i++)
            fr_json_number(out, piece->coef[s][i]);
        fr_json_array_end(out);
    }
    fr_json_object_end(out);
    fr_json_object_end(out);
}

void fr_routine_json(struct fr_writer *out, const struct fr_routine_made *made)
{
    const struct blocked_model *model = made->model;

    fr_json_object(out);
    write_kernel(out, &made->domain->kernel);
    fr_json_key(out, "range");
    fr_json_array(out);
    for (size_t i = 0; i < made->domain->boxes; i++) {
        fr_json_object(out);
        write_point(out, "min", made->domain->box[i].min, model->dimensions);
        write_point(out, "max", made->domain->box[i].max, model->dimensions);
        fr_json_object_end(out);
    }
    fr_json_array_end(out);
    fr_json_pair(out, "unit", "s");
    fr_json_pair(out, "locality", made->is_cold ? "out_of_cache" : "in_cache");
    fr_json_pair_integer(out, "threads", made->threads);
    fr_json_pair_integer(out, "leading_dimension", made->leading_dimension);
    write_library(out);
    write_build(out, made);
    write_basis(out, model);
    fr_json_key(out, "regions");
    fr_json_array(out);
    for (size_t i = 0; i < model->pieces; i++)
        write_piece(out, model, &model->piece[i]);
    fr_json_array_end(out);
    fr_json_object_end(out);
}
