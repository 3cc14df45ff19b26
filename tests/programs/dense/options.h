/* The command line of the program. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "tests/programs/dense/dense.h"
#include "tests/programs/program.h"

struct options {
    struct program program;
    enum algorithm algorithm;
    enum variant variant;
    int n, replication, blocks_per_process, threads, communication_threads;
    bool has_step_barriers, is_verifying;
    enum broadcast_algorithm broadcast;
    const char *batch; /* a file with the options of one run in each line; NULL for one run */
};

void options_parse(int argc, char **argv, struct options *options);
/* The options of a line, which override those of the command line.  Changes `line`; the options
 * borrow from it. */
void options_parse_line(char *line, const struct options *common, struct options *options);

/* Why the options cannot run on that many processes, or NULL. */
const char *options_fault(const struct options *options, int processes);

#endif
