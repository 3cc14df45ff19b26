/* Options of the command line as tables.
 *
 * Each room declares a table; a row is one option.  The help, the parser, the check of options that
 * an action does not use and the text that --resume compares follow from the rows.
 */
#ifndef FR_OPTION_H
#define FR_OPTION_H

#include <stddef.h>

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

/* Writes the names of the given options that lack all of `flags`, separated by commas. */
void fr_option_inapplicable(const struct fr_command_line *line, int flags, char *out, size_t size);

/* Writes " name value" for each recorded option that has a value.  A value of kind OTHER is written
 * as it was given. */
void fr_option_record(const struct fr_command_line *line, char *out, size_t size);

#endif
