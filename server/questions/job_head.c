/* Heads of job scripts for Slurm, PBS and LSF, and references for tests of ReFrame.
 *
 * A shell or Python reads them, so that no text of strangers stands there as it came: what is
 * written are numbers, names of the tables of models, legal names of machines, and else what
 * fr_row_param makes safe or fr_writer_escape escapes. */
#include "server/http/http.h"
#include "server/questions/documents.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define USUAL_QUANTILE 0.95
/* Where the client looks for the daemon and for the token too. */
#define DAEMON "\"${FORERUN_URL:-http://127.0.0.1:8080}\""
#define TOKEN_FILE "\"${FORERUN_TOKEN_FILE:-$HOME/.config/forerun/token}\""

struct job {
    int64_t nodes, processes, each, threads; /* each: processes of a full node */
    char limit[FR_WALL_TIME_BYTES];
};

/* A count of the model; `other` where the model has none. */
static int64_t count_of(double value, int64_t other)
{
    return isnan(value) ? other : (int64_t)fmax(1, ceil(value));
}

static const struct fr_param *known(const struct fr_model *model, const char *name,
                                    const void *values)
{
    const struct fr_param *param = fr_param_find(model->params, name);

    return param && !fr_param_is_open(param, values) ? param : NULL;
}

static int64_t value_of(const struct fr_model *model, const char *name, const void *values,
                        int64_t other)
{
    const struct fr_param *param = known(model, name, values);

    return param ? (int64_t)fr_param_get(param, values) : other;
}

static struct job job_of(const struct fr_model *model, const void *values,
                         const struct fr_prediction *prediction)
{
    struct job job = { .nodes = count_of(prediction->nodes, 1) };
    int64_t each;

    job.processes = count_of(prediction->processes, job.nodes);
    each = (job.processes + job.nodes - 1) / job.nodes;
    each = value_of(model, "processes_per_node", values, each);
    job.each = each < job.processes ? each : job.processes;
    job.threads = value_of(model, "threads", values, 1);
    return job;
}

static void write_directives(struct fr_writer *w, enum fr_format format, const struct job *job)
{
    if (format == FR_SLURM) {
        fr_writer_printf(w,
                         "#SBATCH --nodes=%" PRId64 "\n#SBATCH --ntasks=%" PRId64
                         "\n#SBATCH --ntasks-per-node=%" PRId64 "\n#SBATCH --cpus-per-task=%" PRId64
                         "\n#SBATCH --time=%s\n",
                         job->nodes, job->processes, job->each, job->threads, job->limit);
    } else if (format == FR_PBS) {
        fr_writer_printf(w,
                         "#PBS -l select=%" PRId64 ":ncpus=%" PRId64 ":mpiprocs=%" PRId64
                         ":ompthreads=%" PRId64 "\n#PBS -l walltime=%s\n",
                         job->nodes, job->each * job->threads, job->each, job->threads, job->limit);
    } else {
        fr_writer_printf(w, "#BSUB -n %" PRId64 "\n#BSUB -R \"span[ptile=%" PRId64 "]",
                         job->processes, job->each);
        if (job->threads > 1)
            fr_writer_printf(w, " affinity[core(%" PRId64 ")]", job->threads);
        fr_writer_printf(w, "\"\n#BSUB -W %.*s\n", (int)strlen(job->limit) - 3, job->limit);
    }
}

/* A comment for each value that the question gives or leaves to be chosen. */
static void write_values(struct fr_writer *w, const struct fr_question *question,
                         const void *values, const struct fr_prediction *prediction)
{
    const struct fr_model *model = question->model;
    const struct fr_output *block = fr_output_find(model->outputs, "block_size");
    struct fr_rows rows;

    fr_rows_begin(&rows, w, FR_TXT);
    for (const struct fr_param *param = model->params; param->name; param++) {
        const bool is_usual =
            param->flags & (FR_DEFAULT | FR_AUTOMATIC | FR_METHOD) && !(param->flags & FR_TUNABLE);

        if (fr_param_is_open(param, values) || param->flags & FR_INPUT_ONLY ||
            (is_usual && !(question->given & fr_param_bit(model->params, param))))
            continue;
        fr_writer_text(w, "# ");
        fr_row_param(&rows, param, values);
    }
    if (block) { /* of equations with a mean size; a program cuts whole blocks, the last smaller */
        fr_writer_text(w, "# ");
        fr_row_number(&rows, block->name, ceil(fr_output_get(block, prediction)));
    }
    fr_rows_end(&rows);
    for (size_t i = 0; i < question->change_count; i++) {
        fr_writer_text(w, "# what if: ");
        fr_writer_escape(w, question->change[i].path);
        fr_writer_text(w, " = ");
        fr_writer_escape(w, question->change[i].value);
        fr_writer_text(w, "\n");
    }
}

/* Fetches the input file of this configuration, with the calibration that it was predicted with.
 * The token, if there is one, reaches curl through a pipe: ps shows arguments to everybody. */
static void write_hpl_dat(struct fr_writer *w, const struct fr_question *question,
                          const void *values)
{
    const struct fr_target *target = &question->target[0];
    char text[80];

    fr_writer_text(w, "sed 's/^/Authorization: Bearer /;q' " TOKEN_FILE " 2>/dev/null |\n"
                      "    curl -fsSg -H @- -o HPL.dat " DAEMON "'/api/v1/predict/hpl.dat");
    fr_writer_query(w, "?", "machine", target->cal->machine);
    fr_writer_query(w, "&", "calibration", target->loaded->id);
    if (question->run)
        fr_writer_query(w, "&", "run", question->run);
    for (const struct fr_param *param = question->model->params; param->name; param++) {
        if (fr_param_is_open(param, values) || param->flags & FR_INPUT_ONLY)
            continue;
        fr_param_print(param, values, text, sizeof text);
        fr_writer_query(w, "&", param->name, text);
    }
    for (size_t i = 0; i < question->change_count; i++)
        fr_writer_query(w, "&what_if.", question->change[i].path, question->change[i].value);
    fr_writer_text(w, "' || exit\n");
}

static void write_grid(struct fr_writer *w, const struct fr_model *model, const void *values)
{
    const struct fr_param *grid = known(model, "process_grid", values);
    char text[80];

    if (grid) {
        fr_vector_print(fr_param_vector(grid, values), text, sizeof text);
        fr_writer_printf(w, " # on a process grid of %s", text);
    } else if (known(model, "process_rows", values) && known(model, "process_columns", values)) {
        fr_writer_printf(w, " # on a process grid of %" PRId64 " x %" PRId64,
                         value_of(model, "process_rows", values, 1),
                         value_of(model, "process_columns", values, 1));
    }
}

static void write_start(struct fr_writer *w, enum fr_format format, const struct job *job)
{
    if (format != FR_SLURM)
        fr_writer_printf(w, "mpiexec -n %" PRId64, job->processes);
    else if (job->threads > 1) /* srun does not take the cores of a process over from sbatch */
        fr_writer_printf(w, "srun --cpus-per-task=%" PRId64, job->threads);
    else
        fr_writer_text(w, "srun");
}

static void write_identity(struct fr_writer *w, const struct fr_question *question,
                           const char *objective)
{
    const struct fr_target *target = &question->target[0];

    fr_writer_printf(w, "# %s on %s, calibration %s, by " FR_ENGINE "\n", question->model->name,
                     target->cal->machine, target->loaded->id);
    if (objective)
        fr_writer_printf(w, "# objective: %s\n", objective);
}

static void write_head(struct fr_writer *w, enum fr_format format,
                       const struct fr_question *question, const void *resolved,
                       const struct fr_prediction *prediction, const struct fr_outlook_asked *asked,
                       const struct fr_outlook *outlook, const char *objective)
{
    const struct fr_model *model = question->model;
    const bool is_hpl = model == fr_model_find("hpl");
    struct job job = job_of(model, resolved, prediction);
    char basis[80];

    fr_wall_time_print(outlook->quantile_s, job.limit);
    fr_outlook_print_basis(outlook, asked, basis, sizeof basis);
    fr_writer_text(w, "#!/bin/sh\n");
    write_identity(w, question, objective);
    fr_writer_printf(w, "# predicted: %.6g s; %.6g s %s\n", prediction->time_s, outlook->quantile_s,
                     basis);
    write_directives(w, format, &job);
    write_values(w, question, resolved, prediction);
    fr_writer_printf(w, "export OMP_NUM_THREADS=%" PRId64 "\n", job.threads);
    if (format == FR_PBS)
        fr_writer_text(w, "cd \"$PBS_O_WORKDIR\" || exit\n");
    if (is_hpl)
        write_hpl_dat(w, question, resolved);
    write_start(w, format, &job);
    fr_writer_text(w, is_hpl ? " ./xhpl" : " ./program");
    write_grid(w, model, resolved);
    fr_writer_text(w, "\n");
}

/* A value, and how far below and above it a measurement may lie, as fractions: ReFrame demands a
 * value within its own bounds.  Without an interval None, which is no bound. */
static void write_reference(struct fr_writer *w, const char *name, double value, double low,
                            double high, const char *unit)
{
    fr_writer_printf(w, "    \"%s\": (%.6g, ", name, value);
    if (isnan(low))
        fr_writer_text(w, "None, None");
    else
        fr_writer_printf(w, "%.4f, %.4f", fmin(0, low / value - 1), fmax(0, high / value - 1));
    fr_writer_printf(w, ", \"%s\"),\n", unit);
}

static void write_references(struct fr_writer *w, const struct fr_question *question,
                             const void *resolved, const struct fr_prediction *prediction,
                             const struct fr_outlook *outlook, const char *objective)
{
    const struct fr_interval *interval = &outlook->interval;
    const double low_s = outlook->has_interval ? interval->low_s : NAN;
    const double high_s = outlook->has_interval ? interval->high_s : NAN;
    const double gflop = prediction->flops / 1e9;

    write_identity(w, question, objective);
    if (outlook->has_interval)
        fr_writer_printf(w, "# bounds: %.6g to %.6g s, as expected of %.0f %% of runs; %s\n", low_s,
                         high_s, 100 * interval->coverage_fraction,
                         fr_interval_basis_name(interval->basis));
    else
        fr_writer_text(w, "# no bounds: there are too few saved runs of the model\n");
    write_values(w, question, resolved, prediction);
    fr_writer_printf(w, "reference = {\"%s\": {\n", question->target[0].cal->machine);
    write_reference(w, "time", prediction->time_s, low_s, high_s, "s");
    if (gflop > 0)
        write_reference(w, "rate", gflop / prediction->time_s, gflop / high_s, gflop / low_s,
                        "Gflop/s");
    fr_writer_text(w, "}}\n");
}

void fr_job_head_write(struct fr_writer *w, enum fr_format format,
                       const struct fr_question *question, const void *resolved,
                       struct fr_prediction *prediction, const struct fr_spread *spread,
                       const char *objective)
{
    const struct fr_target *target = &question->target[0];
    struct fr_outlook_asked asked = question->outlook;
    struct fr_outlook outlook;

    if (isnan(asked.quantile))
        asked.quantile = USUAL_QUANTILE;
    fr_outlook_foresee(&asked, fr_errors_of(&target->matching, question->change_count > 0),
                       question->model, resolved, target->cal, question->arena, prediction, spread,
                       &outlook);
    if (format == FR_REFRAME)
        write_references(w, question, resolved, prediction, &outlook, objective);
    else
        write_head(w, format, question, resolved, prediction, &asked, &outlook, objective);
}
