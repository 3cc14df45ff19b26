/* Reads settings from the command line.  The argp options are made from the table of settings, so
 * that --help agrees with it.
 */
#include "server/core/command_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SETTING = 1000, NAME_BYTES = 40 };

struct reading {
    struct fr_command_line *line;
    struct fr_config *config;
    struct fr_faults *faults;
};

/* `log_level` is --log-level. */
static void write_name(const char *setting, char *out)
{
    size_t i = 0;

    for (; setting[i] && i < NAME_BYTES - 1; i++)
        out[i] = setting[i] == '_' ? '-' : setting[i];
    out[i] = '\0';
}

static void make_options(const struct fr_command_line *line, struct argp_option *out,
                         char (*names)[NAME_BYTES])
{
    size_t count = 0;

    for (size_t i = 0; line->options && line->options[i].name; i++)
        out[count++] = line->options[i];
    for (size_t i = 0; fr_settings[i].param.name; i++) {
        if (!line->has_all_settings && !fr_settings[i].is_common)
            continue;
        write_name(fr_settings[i].param.name, names[i]);
        out[count++] = (struct argp_option){ .name = names[i],
                                             .key = FIRST_SETTING + (int)i,
                                             .arg = fr_settings[i].argument,
                                             .doc = fr_settings[i].param.doc };
    }
    out[count] = (struct argp_option){ 0 };
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct reading *reading = state->input;
    struct fr_command_line *line = reading->line;

    if (key >= FIRST_SETTING && key < FIRST_SETTING + FR_MAX_SETTINGS) {
        fr_config_set(reading->config, &fr_settings[key - FIRST_SETTING], value, FR_FROM_ARGUMENTS,
                      reading->faults);
        return 0;
    }
    if (key == ARGP_KEY_ARG && line->argument_count < line->most_arguments) {
        line->argument[line->argument_count++] = value;
        return 0;
    }
    if (key > ' ' && key < 127) {
        line->take(line->cls, key, value);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static void print_faults(const char *name, const struct fr_faults *faults)
{
    for (size_t i = 0; i < fr_faults_kept(faults); i++)
        fprintf(stderr, "%s: %s: %s\n", name, faults->fault[i].where, faults->fault[i].message);
}

static void print_version(FILE *out, struct argp_state *state)
{
    (void)state;
    fprintf(out, "forerund %s\n", FR_VERSION);
}

void fr_command_line_read(struct fr_command_line *line, int argc, char **argv,
                          struct fr_config *config)
{
    struct argp_option options[FR_MAX_OWN_OPTIONS + FR_MAX_SETTINGS + 1];
    char names[FR_MAX_SETTINGS][NAME_BYTES];
    const struct argp argp = {
        .options = options, .parser = parse, .args_doc = line->arguments_doc, .doc = line->doc
    };
    struct fr_faults faults;
    struct reading reading = { line, config, &faults };

    faults.count = 0;
    fr_config_init(config);
    make_options(line, options, names);
    argp_program_version_hook = print_version;
    argp_err_exit_status = 2;
    if (argp_parse(&argp, argc, argv, 0, NULL, &reading) != 0)
        exit(2);
    if (!faults.count)
        fr_config_read_file(config, &faults);
    if (!faults.count)
        fr_config_finish(config, &faults);
    if (faults.count) {
        print_faults(line->name, &faults);
        exit(2);
    }
}
