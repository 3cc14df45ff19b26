/* The command: its options, what runs, and --check. */
#ifndef FR_COMMAND_H
#define FR_COMMAND_H

#include "calibrations/calibrate/blocked/modeling.h"
#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/network/networking.h"

/* The table of benchmarks (list.h), in the order in which they run. */

enum { FR_BENCHES_MAX = 64 };

extern const struct fr_bench *const fr_benches[]; /* ends with NULL */
extern const int fr_bench_count;

/* Marks the benchmarks that the options select, and those that they need. */
void fr_benches_choose(const struct fr_calibrate_options *options, bool *chosen);
/* Whether a benchmark uses what the other one measures. */
bool fr_bench_needs(const struct fr_bench *bench, const struct fr_bench *other);
/* Whether the job has the ranks and the cores that it needs. */
bool fr_bench_can_run(const struct fr_context *context, const struct fr_bench *bench);

/* The execution of the chosen benchmarks. */

/* Collective: checks the options, reads the checkpoint, runs the remaining benchmarks and writes
 * the document.  Returns the exit status. */
int fr_run_benchmarks(struct fr_context *context, const struct fr_command_line *line,
                      const char *command, const bool *chosen);

/* The command line of forerun-calibrate: the options of all rooms. */

struct fr_command {
    struct fr_calibrate_options options;
    struct fr_networking networking;
    struct fr_modeling modeling;
    struct fr_command_line line; /* refers to the members above */
};

/* Fills `command`, which must not move afterwards.  Ends the program with a message and status 64
 * if the command line is invalid, and after --help. */
void fr_command_parse(int argc, char **argv, struct fr_command *command);

/* Fills the options that were not given and whose default depends on the job. */
void fr_command_settle(struct fr_calibrate_options *options, const struct fr_world *world);

/* --check: prints the quality of a calibration document. */

/* The exit status of --check; the manual states it. */
enum fr_check_status {
    FR_CHECK_SOUND = 0,   /* valid, and nothing doubtful */
    FR_CHECK_INVALID = 1, /* it cannot be read, or is no calibration */
    FR_CHECK_DOUBTFUL = 2 /* valid, but some parts are noisy or were measured on a loaded machine */
};

/* Prints two tables on standard output, or the faults on standard error. */
enum fr_check_status fr_check(const char *path);

#endif
