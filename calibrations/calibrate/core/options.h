/* The command line of forerun-calibrate. */
#ifndef FR_OPTIONS_H
#define FR_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "calibrations/calibrate/blocked/modeling.h"
#include "calibrations/calibrate/core/document.h"
#include "calibrations/calibrate/core/value.h"
#include "calibrations/calibrate/network/networking.h"

enum { FR_FILES_MAX = 8 };

enum fr_action { FR_MEASURE, FR_SAMPLE_CALLS, FR_MERGE_FILES, FR_LIST_BENCHES, FR_SHOW_VERSION };

struct fr_calibrate_options {
    enum fr_action action;
    const char *output; /* a file, or "-" */
    char machine[FR_MACHINE_BYTES];
    const char *description; /* or NULL */
    const char *only;        /* names with commas, or NULL */
    bool network_only, kernels_only;
    bool is_quick;
    bool is_unpinned;
    double time_limit_s; /* HUGE_VAL: none */
    int repetitions;
    struct fr_list sizes;
    struct fr_list threads;   /* empty: doublings up to the cores */
    struct fr_list processes; /* for contention; empty: doublings up to the job */
    int64_t max_message_bytes, contention_message_bytes;
    double peak_flops_per_s; /* 0: measure */
    int cores_per_node;      /* 0: count */
    const char *resume;      /* finished benchmarks on file, or NULL */
    const char *counters;    /* where to tell the ports' counters, or NULL */
    const char *analyze;     /* the program that factorises; NULL: beside this one */
    bool is_cold;            /* with --sample */
    const char *metrics;     /* the same; names with commas, or NULL */
    double tolerance;        /* the same, and of routine models; negative: not given */
    int modeling_repetitions;
    struct fr_modeling modeling;
    struct fr_networking networking;
    uint64_t given; /* which options, routine models' apart: a bit for each (options.c) */
    int files;
    const char *file[FR_FILES_MAX]; /* to merge, or one to sample */
};

/* Ends the program with a message and status 64 where the command line is wrong, after --help too.
 */
void fr_options_parse(int argc, char **argv, struct fr_calibrate_options *options);

#endif
