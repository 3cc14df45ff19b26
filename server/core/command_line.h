/* The command line: the settings as argp options, for the daemon and its subcommands. */
#ifndef FR_COMMAND_LINE_H
#define FR_COMMAND_LINE_H

#include "server/core/config.h"

#include <argp.h>

enum { FR_MAX_OWN_OPTIONS = 8, FR_MAX_ARGUMENTS = 256 };

/* A subcommand's command line: what it takes besides the settings, and where that goes. */
struct fr_command_line {
    const char *name;                  /* "forerund token create" */
    const char *arguments_doc, *doc;   /* as argp wants them */
    bool has_all_settings;             /* else only the common ones */
    const struct argp_option *options; /* its own, ended by { 0 }, or NULL; keys are characters */
    void (*take)(void *cls, int key, const char *value);
    void *cls;
    size_t most_arguments;
    const char *argument[FR_MAX_ARGUMENTS]; /* what is no option */
    size_t argument_count;
};

/* Reads the command line, then the file, then finds what is open.  Faults are printed; what is
 * wrong ends the program with status 2, --help and --version with 0. */
void fr_command_line_read(struct fr_command_line *line, int argc, char **argv,
                          struct fr_config *config);

#endif
