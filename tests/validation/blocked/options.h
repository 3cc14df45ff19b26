/* The command line of blocked. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "calibrations/calibrate/core/value.h"

enum { REPETITIONS_MAX = 99 };

struct options {
    int is_sylv, has_own_leaf;
    struct fr_list variants, n, block_sizes;
    int repetitions, threads;
    double time_limit_s; /* HUGE_VAL: none */
};

/* Ends the program with all faults and status 64 where the command line is wrong, after --help too.
 */
void options_parse(int argc, char **argv, struct options *options);

#endif
