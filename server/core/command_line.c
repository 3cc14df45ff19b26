/* Reads settings from the command line.  The argp options are made from the table of settings, so
 * that --help agrees with it.
 */
#include "server/core/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SETTING = 1000 };

/* What --help says of a setting. */
struct words {
    char name[40], doc[300];
};

struct reading {
    struct fr_command_line *line;
    struct fr_config *config;
    struct fr_faults *faults;
};

/* `log_level` is --log-level.  A default that is not in the table is in the description. */
static void write_words(struct fr_config *defaults, const struct fr_setting *setting,
                        struct words *out)
{
    const char *const doc = setting->param.doc;
    char fallback[64];

    snprintf(out->name, sizeof out->name, "%s", setting->param.name);
    for (char *at = out->name; *at; at++)
        if (*at == '_')
            *at = '-';
    fr_config_print(defaults, setting, fallback, sizeof fallback);
    snprintf(out->doc, sizeof out->doc, "%.*s%s%s.", (int)strlen(doc) - 1, doc,
             fallback[0] ? "; default " : "", fallback);
}

static void make_options(const struct fr_command_line *line, struct fr_config *defaults,
                         struct argp_option *out, struct words *words)
{
    size_t count = 0;

    for (const struct fr_command_option *own = line->options; own && own->letter; own++)
        out[count++] = (struct argp_option){
            .name = own->name, .key = own->letter, .arg = own->argument, .doc = own->doc
        };
    for (size_t i = 0; fr_settings[i].param.name; i++) {
        if (!line->has_all_settings && !fr_settings[i].is_common)
            continue;
        write_words(defaults, &fr_settings[i], &words[i]);
        out[count++] = (struct argp_option){ .name = words[i].name,
                                             .key = FIRST_SETTING + (int)i,
                                             .arg = fr_settings[i].argument,
                                             .doc = words[i].doc };
    }
    out[count] = (struct argp_option){ 0 };
}

static void take_own(const struct fr_command_option *own, const char *value)
{
    if (own->flag)
        *own->flag = true;
    else if (own->text)
        *own->text = value;
    else if (own->repeated->count++ < FR_MOST_REPEATED)
        own->repeated->text[own->repeated->count - 1] = value;
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
    for (const struct fr_command_option *own = line->options; own && own->letter; own++)
        if (own->letter == key) {
            take_own(own, value);
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
    struct words words[FR_MAX_SETTINGS];
    const struct argp argp = {
        .options = options, .parser = parse, .args_doc = line->arguments_doc, .doc = line->doc
    };
    struct fr_faults faults;
    struct reading reading = { line, config, &faults };

    faults.count = 0;
    fr_config_init(config);
    make_options(line, config, options, words);
    argp_program_version_hook = print_version;
    argp_err_exit_status = 2;
    if (argp_parse(&argp, argc, argv, 0, NULL, &reading) != 0)
        exit(2);
    if (!faults.count)
        fr_config_read_file(config, true, &faults);
    if (!faults.count)
        fr_config_finish(config, &faults);
    if (faults.count) {
        print_faults(line->name, &faults);
        exit(2);
    }
}
