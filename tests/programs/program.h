/* Common parts of the reference programs: command line, timing of a test, saved run.
 *
 * The same sources run on real and on simulated clusters.  In the simulator all ranks share the
 * memory of malloc; memory for the state of a rank comes from document.h.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <argp.h>
#include <mpi.h>

#include "server/json/writer.h"

enum { PROGRAM_REPETITIONS_MAX = 99, PROGRAM_KERNELS_MAX = 16 };

struct program {
    const char *output; /* file that saved runs are appended to; NULL for standard output */
    int repetitions;
    const char *const *known; /* names that --kernel takes, NULL-terminated */
    int kernels;
    struct {
        char name[24];
        double time_s; /* of one call */
    } kernel[PROGRAM_KERNELS_MAX];
};

/* -o, --repetitions and --kernel: a child of the argp of a program; its input is a struct program.
 */
extern const struct argp program_argp;
struct program program_default(const char *const *kernels);

/* Seconds of one call by --kernel, or NaN. */
double program_kernel_s(const struct program *program, const char *name);

/* Values of options; the program ends if one is invalid. */
int program_count(struct argp_state *state, const char *option, const char *text, int least,
                  int most);
double program_positive(struct argp_state *state, const char *option, const char *text);
/* The index of the text in `choices`, which is NULL-terminated. */
int program_choice(struct argp_state *state, const char *option, const char *text,
                   const char *const *choices);

/* Prints a line and ends all ranks. */
_Noreturn void program_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Collective.  Waits until the network is quiet; all ranks begin together.  Returns the time. */
double program_begin(MPI_Comm comm);
/* Collective.  Returns the seconds of the slowest rank since `began_s`. */
double program_end(MPI_Comm comm, double began_s);

/* A saved run, on rank 0.  The caller writes the parameters as pairs after `begin`, and other
 * members of the document after `times`; `end` appends the run as one line and frees the writer. */
void program_run_begin(struct fr_writer *run, const char *model);
void program_run_times(struct fr_writer *run, const double *time_s, int repetitions);
void program_run_end(struct fr_writer *run, const struct program *program);

#endif
