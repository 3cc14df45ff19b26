/* The command line. */
#ifndef FR_OPTIONS_H
#define FR_OPTIONS_H

#include "calibrations/calibrate/core/document.h"

/* Options of the command line as tables.
 *
 * Each room declares a table; a row is one option.  The help, the parser, the check of options that
 * an action does not use and the text that --resume compares follow from the rows.
 */

enum {
    FR_OPTIONS_MAX = 80,
    FR_OPTION_GROUPS_MAX = 3,
    FR_OPTION_WHY_BYTES = 300,
    FR_FILES_MAX = 8,
};

/* The type of the member that receives the value. */
enum fr_option_kind {
    FR_OPTION_HEADING, /* none: the row is a heading of the help */
    FR_OPTION_FLAG,    /* bool */
    FR_OPTION_TEXT,    /* const char *, borrowed from the command line */
    FR_OPTION_WHOLE,   /* int, from min to max */
    FR_OPTION_NUMBER,  /* double, above 0 */
    FR_OPTION_BYTES,   /* int64_t, from min to 1 GiB, with an optional K, M or G */
    FR_OPTION_WHOLES,  /* struct fr_list, different numbers from 1 to max */
    FR_OPTION_NAME,    /* int, an index into names */
    FR_OPTION_OTHER,   /* written by `parse` */
};

enum {
    FR_OPTION_RECORDED = 1, /* --resume refuses a job with another value */
    FR_OPTION_SAMPLES = 2,  /* applies to --sample */
    FR_OPTION_MERGES = 4,   /* applies to --merge */
    FR_OPTION_CHECKS = 8,   /* applies to --check */
};

struct fr_option {
    const char *name, *argument, *help; /* argument NULL for a flag */
    int letter;                         /* 0: none */
    enum fr_option_kind kind;
    int flags;
    size_t offset; /* of the member in the values of the group */
    int min, max;
    const char *const *names; /* ends with NULL */
    /* Returns 0, or -1 with an error message in `why`. */
    int (*parse)(const char *text, void *values, char why[FR_OPTION_WHY_BYTES]);
};

struct fr_command_line;

struct fr_option_group {
    const struct fr_option *option; /* ends with a row of zeros */
    void *values;                   /* holds the defaults before parsing */
    /* Checks and completes the values after parsing; may be NULL.  Returns 0, or -1 with an error
     * message in `why`. */
    int (*check)(const struct fr_command_line *line, void *values, char why[FR_OPTION_WHY_BYTES]);
};

struct fr_command_line {
    const char *usage, *doc; /* as argp's args_doc and doc */
    struct fr_option_group group[FR_OPTION_GROUPS_MAX];
    const char *given[FR_OPTIONS_MAX]; /* texts by row of all groups; NULL: not given */
    const char *file[FR_FILES_MAX];    /* arguments that are no options */
    int files;
};

/* Fills the values of all groups.  Ends the program with a message and argp_err_exit_status if the
 * command line is invalid, and after --help. */
void fr_option_parse(struct fr_command_line *line, int argc, char **argv);

/* Writes an error message into `why`.  Returns -1. */
int fr_option_refuse(char why[FR_OPTION_WHY_BYTES], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reports an error of the program.  Returns EXIT_FAILURE. */
int fr_command_fail(const char *what, const char *why);

/* Writes the names of the given options that lack all of `flags`, separated by commas. */
void fr_option_inapplicable(const struct fr_command_line *line, int flags, char *out, size_t size);

/* Writes " name value" for each recorded option that has a value.  A value of kind OTHER is written
 * as it was given. */
void fr_option_record(const struct fr_command_line *line, char *out, size_t size);

/* Values on the command line, and lists of numbers. */

enum { FR_LIST_MAX = 64 };

struct fr_list {
    int count;
    int64_t value[FR_LIST_MAX];
};

/* A count of bytes with an optional K, M or G (powers of 1024).  Returns 0, or -1 for any other
 * text or a value over 1 GiB. */
int fr_value_bytes(const char *text, int64_t *out);
/* Different whole numbers from 1 to `max`, separated by commas.  Returns 0 or -1. */
int fr_value_list(const char *text, int64_t max, struct fr_list *out);
/* A whole number.  Returns 0, or -1 for other text or a value outside min to max (min >= 0). */
int fr_value_whole(const char *text, int min, int max, int *out);
/* A number > 0.  Returns 0 or -1. */
int fr_value_positive(const char *text, double *out);

/* low, 1.5 low, 2 low, 3 low, ... up to high. */
void fr_value_ladder(int64_t low, int64_t high, struct fr_list *out);
/* 1, 2, 4, ... up to high, and high itself. */
void fr_value_doublings(int64_t high, struct fr_list *out);

/* `count` multiples of 8, evenly spaced in their logarithms. */
void fr_value_spaced(int64_t low, int64_t high, int count, struct fr_list *out);
/* 0 if the list is empty. */
int64_t fr_value_largest(const struct fr_list *list);
/* Removes the values above `most`. */
void fr_value_cut(struct fr_list *list, int64_t most);

/* Options of forerun-calibrate that every room reads; command.c has their table. */

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
