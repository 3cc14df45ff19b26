/* What is to be run. */
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
    const char *batch; /* a file with the options of a run in each line; NULL: one run */
};

void options_parse(int argc, char **argv, struct options *options);
/* The options of a line, on top of those of the command line; the line is cut to pieces. */
void options_parse_line(char *line, const struct options *common, struct options *options);

/* Why so many processes cannot run that, or NULL. */
const char *options_fault(const struct options *options, int processes);

#endif
