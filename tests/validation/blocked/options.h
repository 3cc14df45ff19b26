/* Command line of blocked. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "calibrations/calibrate/core/options.h"

enum { REPETITIONS_MAX = 99 };

struct options {
    int is_sylv, has_own_leaf;
    struct fr_list variants, n, block_sizes;
    int repetitions, threads;
    double time_limit_s; /* HUGE_VAL: none */
};

/* Parses the command line.  Ends the program with status 64 if it is wrong, and after --help. */
void options_parse(int argc, char **argv, struct options *options);

#endif
