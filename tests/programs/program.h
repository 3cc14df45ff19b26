/* What the reference programs have in common: the command line, the start of a test, its saved run.
 *
 * The programs are run for real and on simulated clusters, from one source.  Memory for what a rank
 * has to remember comes from record.h there; malloc's is shared by all ranks.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <argp.h>
#include <mpi.h>

#include "server/json/writer.h"

enum { PROGRAM_REPETITIONS_MAX = 99, PROGRAM_KERNELS_MAX = 16 };

struct program {
    const char *output; /* saved runs are appended to it; NULL: standard output */
    int repetitions;
    const char *const *known; /* names that --kernel takes; NULL ends them */
    int kernels;
    struct {
        char name[24];
        double time_s; /* of one call */
    } kernel[PROGRAM_KERNELS_MAX];
};

/* -o, --repetitions and --kernel: a child of the program's own argp, its input a struct program. */
extern const struct argp program_argp;
struct program program_default(const char *const *kernels);

/* What --kernel says of one, or NaN. */
double program_kernel_s(const struct program *program, const char *name);

/* Values of options; the program ends where one is refused. */
int program_count(struct argp_state *state, const char *option, const char *text, int least,
                  int most);
double program_positive(struct argp_state *state, const char *option, const char *text);
/* The place of the text among `choices`, which NULL ends. */
int program_choice(struct argp_state *state, const char *option, const char *text,
                   const char *const *choices);

/* Ends all ranks at once, with a line by this one. */
_Noreturn void program_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Collective: the network falls quiet, then all begin together.  Returns the time at which. */
double program_begin(MPI_Comm comm);
/* Collective: the slowest rank's seconds since then, on all ranks. */
double program_end(MPI_Comm comm, double began_s);

/* On rank 0: a saved run.  After `begin` the parameters are written as pairs, after `times` other
 * members of the document; `end` appends it as one line and frees the writer. */
void program_run_begin(struct fr_writer *run, const char *model);
void program_run_times(struct fr_writer *run, const double *time_s, int repetitions);
void program_run_end(struct fr_writer *run, const struct program *program);

#endif
