/* The command line: the settings as argp options, for the daemon and its subcommands. */
#ifndef FR_COMMAND_LINE_H
#define FR_COMMAND_LINE_H

#include "server/core/config.h"

#include <argp.h>

enum { FR_MAX_OWN_OPTIONS = 8, FR_MAX_ARGUMENTS = 256 };

/* The command line of a subcommand: its own options and arguments, besides the settings. */
struct fr_command_line {
    const char *name;                  /* "forerund token create" */
    const char *arguments_doc, *doc;   /* in the form of argp */
    bool has_all_settings;             /* otherwise only the common ones */
    const struct argp_option *options; /* its own, ended by { 0 }, or NULL; keys are characters */
    void (*take)(void *cls, int key, const char *value);
    void *cls;
    size_t most_arguments;
    const char *argument[FR_MAX_ARGUMENTS]; /* arguments that are not options */
    size_t argument_count;
};

/* Reads the command line, then the file, then sets the remaining paths.  Prints faults and ends the
 * program with status 2; --help and --version end it with 0. */
void fr_command_line_read(struct fr_command_line *line, int argc, char **argv,
                          struct fr_config *config);

#endif
