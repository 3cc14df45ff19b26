/* Options of forerun-calibrate that every room reads; command.c has their table. */
#ifndef FR_OPTIONS_H
#define FR_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "calibrations/calibrate/core/document.h"
#include "calibrations/calibrate/core/value.h"

struct fr_calibrate_options {
    /* Actions other than measuring. */
    bool is_merging, is_checking, is_sampling, is_listing, is_planning, is_showing_version;
    const char *output; /* a file, or "-" */
    char machine[FR_MACHINE_BYTES];
    const char *description; /* or NULL */
    const char *only;        /* names separated by commas, or NULL */
    bool network_only, kernels_only;
    bool is_quick;
    bool is_unpinned;
    double time_limit_s;    /* HUGE_VAL: none */
    int repetitions;        /* 0 until the job is known; see fr_command_settle */
    int kernel_repetitions; /* of a call, by --sample and routine_models */
    struct fr_list sizes;
    struct fr_list threads;   /* empty: doublings up to the cores */
    struct fr_list processes; /* of contention; empty: doublings up to the job */
    int64_t max_message_bytes;
    int64_t contention_message_bytes; /* likewise 0 */
    double peak_flops_per_s;          /* 0: measure */
    int cores_per_node;               /* 0: count */
    const char *resume;               /* the checkpoint file, or NULL */
    const char *counters;             /* the file for the counters of network ports, or NULL */
    const char *analyze;              /* path of forerun-analyze; NULL: beside this program */
    bool is_cold;                     /* of --sample */
    bool is_each;                     /* of --sample: each repetition too */
    const char *metrics;              /* of --sample; names separated by commas, or NULL */
    double tolerance;                 /* of --sample and routine_models */
};

#endif
