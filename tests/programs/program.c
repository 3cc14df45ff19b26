/* Common parts of the reference programs: options, timing and the saved run. */
#include "tests/programs/program.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/core/options.h"
#include "calibrations/calibrate/core/sample.h"
#include "tests/programs/compute.h"

enum key { KEY_OUTPUT = 'o', KEY_REPETITIONS = 1000, KEY_KERNEL };

static const struct argp_option table[] = {
    { "output", KEY_OUTPUT, "FILE", 0, "Append the saved run to FILE; default standard output", 0 },
    { "repetitions", KEY_REPETITIONS, "N", 0, "Repetitions of each test; default 1", 0 },
    { "kernel", KEY_KERNEL, "NAME=SECONDS", 0, "Time of one call, spent without computing", 0 },
    { 0 },
};

struct program program_default(const char *const *kernels)
{
    return (struct program){ .repetitions = 1, .known = kernels };
}

int program_count(struct argp_state *state, const char *option, const char *text, int least,
                  int most)
{
    char *end;
    const long value = strtol(text, &end, 10);

    if (end == text || *end || value < least || value > most)
        argp_error(state, "%s %s: must be a whole number from %d to %d", option, text, least, most);
    return (int)value;
}

double program_positive(struct argp_state *state, const char *option, const char *text)
{
    double value = 0;

    if (fr_value_positive(text, &value))
        argp_error(state, "%s %s: must be a number above 0", option, text);
    return value;
}

int program_choice(struct argp_state *state, const char *option, const char *text,
                   const char *const *choices)
{
    char names[200] = "";

    for (int i = 0; choices[i]; i++) {
        const size_t used = strlen(names);

        if (strcmp(text, choices[i]) == 0)
            return i;
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", choices[i]);
    }
    argp_error(state, "%s %s: must be one of %s", option, text, names);
    return 0;
}

static void take_kernel(struct argp_state *state, struct program *program, const char *text)
{
    const size_t length = strcspn(text, "=");
    double time_s = 0;

    if (program->kernels == PROGRAM_KERNELS_MAX)
        argp_error(state, "--kernel %s: at most %d kernels", text, PROGRAM_KERNELS_MAX);
    else if (!length || length >= sizeof program->kernel->name || !text[length] ||
             fr_value_positive(text + length + 1, &time_s))
        argp_error(state, "--kernel %s: must be a name, = and seconds above 0", text);
    else {
        char *name = program->kernel[program->kernels].name;

        memcpy(name, text, length);
        name[length] = '\0';
        program_choice(state, "--kernel", name, program->known);
        program->kernel[program->kernels++].time_s = time_s;
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct program *program = state->input;

    switch (key) {
    case KEY_OUTPUT:
        program->output = text;
        return 0;
    case KEY_REPETITIONS:
        program->repetitions =
            program_count(state, "--repetitions", text, 1, PROGRAM_REPETITIONS_MAX);
        return 0;
    case KEY_KERNEL:
        take_kernel(state, program, text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp program_argp = { .options = table, .parser = parse };

double program_kernel_s(const struct program *program, const char *name)
{
    for (int i = program->kernels - 1; i >= 0; i--)
        if (strcmp(program->kernel[i].name, name) == 0)
            return program->kernel[i].time_s;
    return NAN;
}

void program_fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    abort(); /* MPI_Abort may return before the process ends */
}

double program_begin(MPI_Comm comm)
{
    MPI_Barrier(comm);
    compute_quiet();
    MPI_Barrier(comm);
    return MPI_Wtime();
}

double program_end(MPI_Comm comm, double began_s)
{
    const double own_s = MPI_Wtime() - began_s;
    double slowest_s;

    MPI_Allreduce(&own_s, &slowest_s, 1, MPI_DOUBLE, MPI_MAX, comm);
    return slowest_s;
}

void program_run_begin(struct fr_writer *run, const char *model)
{
    fr_writer_init(run);
    fr_json_object(run);
    fr_json_pair(run, "schema", "forerun-run-1");
    fr_json_pair(run, "model", model);
    fr_json_key(run, "parameters");
    fr_json_object(run);
}

void program_run_times(struct fr_writer *run, const double *time_s, int repetitions)
{
    double sorted[PROGRAM_REPETITIONS_MAX];

    fr_json_object_end(run);
    memcpy(sorted, time_s, (size_t)repetitions * sizeof *sorted);
    fr_json_pair_number(run, "time_s", fr_sample_median(sorted, repetitions));
    fr_json_key(run, "repetitions");
    fr_json_array(run);
    for (int i = 0; i < repetitions; i++)
        fr_json_number(run, time_s[i]);
    fr_json_array_end(run);
}

void program_run_end(struct fr_writer *run, const struct program *program)
{
    FILE *file = program->output ? fopen(program->output, "a") : stdout;
    int is_written;

    fr_json_object_end(run);
    fr_writer_text(run, "\n");
    if (!file)
        program_fail("-o %s: cannot be written; give a file in a writable folder", program->output);
    is_written = !run->failed && fwrite(run->text, 1, run->length, file) == run->length;
    is_written = (file == stdout ? fflush(file) : fclose(file)) == 0 && is_written;
    if (!is_written)
        program_fail("%s: the saved run was not written completely",
                     program->output ? program->output : "standard output");
    fr_writer_free(run);
}
