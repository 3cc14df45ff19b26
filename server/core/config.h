/* The configuration: settings, from a file and from the command line. */
#ifndef FR_CONFIG_H
#define FR_CONFIG_H

#include "engine/forerun.h"

#include <argp.h>
#include <stdatomic.h>

/* The configuration.  Every setting is described once, in the table of config.c; the command line,
 * the file, `--help` and all messages use it.
 */

enum { FR_PATH_BYTES = 1024, FR_MAX_SETTINGS = 64 };

/* Where a setting's value comes from; a later one wins. */
enum fr_origin { FR_FROM_DEFAULT, FR_FROM_FILE, FR_FROM_ARGUMENTS };

enum fr_log_format { FR_LOG_AS_TEXT, FR_LOG_AS_JSON };

/* Texts are fixed while serving; values that SIGHUP may change are atomic. */
struct fr_config {
    char listen[128];                                            /* ADDR:PORT */
    char tls_certificate[FR_PATH_BYTES], tls_key[FR_PATH_BYTES]; /* empty: plain HTTP */
    char db[FR_PATH_BYTES];
    char file[FR_PATH_BYTES];         /* --config; empty: none */
    char static_dir[FR_PATH_BYTES];   /* empty: no dashboard */
    char calibrations[FR_PATH_BYTES]; /* the shipped sets; empty: none */
    char cors_write_origin[256];      /* empty: none */
    char proxies[512];                /* addresses; empty: none */
    _Atomic int64_t workers;
    _Atomic int64_t log;                    /* enum fr_log_format */
    _Atomic int64_t log_level;              /* enum fr_log_level */
    _Atomic int64_t require_token_for_read; /* 0 or 1 */
    _Atomic int64_t body_limit_bytes;    /* of one body, decompressed; a route may have its own */
    _Atomic int64_t bodies_limit_bytes;  /* of all bodies in flight together */
    _Atomic int64_t answers_limit_bytes; /* of all answers that wait for their readers */
    _Atomic int64_t request_memory_bytes;
    _Atomic int64_t request_steps; /* of work: fr_arena_spend */
    _Atomic int64_t queue_limit, long_queue_limit;
    _Atomic int64_t requests_per_minute, long_requests_per_minute; /* of a client; 0: any */
    _Atomic int64_t writes_per_minute, upload_bytes_per_day, analyses_per_hour,
        kept_bytes_per_token;                                                    /* as well */
    _Atomic int64_t run_retention_days, calibrations_kept, audit_retention_days; /* 0: all */
    _Atomic int64_t connection_limit;
    _Atomic int64_t connections_per_address; /* except of proxies */
    _Atomic int64_t idle_timeout_s;
    _Atomic int64_t header_timeout_s;
    _Atomic int64_t least_bytes_per_s; /* of bodies and answers */
    _Atomic int64_t drain_timeout_s;
    _Atomic int64_t charts_at_once;
    _Atomic int64_t chart_cache_bytes;
    _Atomic int64_t structure_cache_bytes;
    _Atomic int64_t simulation_cache_bytes;
    _Atomic int64_t simulation_limit_updates; /* of one request */
    char analyze_program[FR_PATH_BYTES];
    char child_folders[FR_PATH_BYTES];   /* empty: none */
    _Atomic int64_t matrix_limit_bytes;  /* of one upload, as received and decompressed */
    _Atomic int64_t uploads_limit_bytes; /* of all current uploads, on the disk */
    _Atomic int64_t analyses_at_once;
    _Atomic int64_t analysis_timeout_s;
    _Atomic int64_t analysis_memory_bytes;
    _Atomic int64_t analysis_output_bytes;
    enum fr_origin origin[FR_MAX_SETTINGS]; /* by place in fr_settings */
};

struct fr_setting {
    /* Name, values and description.  The command line writes - for _.  The field in struct
     * fr_config is a character array for FR_KIND_TEXT, else an _Atomic int64_t. */
    struct fr_param param;
    size_t size;          /* of a text's field, bytes */
    const char *fallback; /* of a text; NULL: empty, or set by fr_config_finish */
    const char *argument; /* in --help */
    bool is_common;       /* an option of every subcommand, not only of serve */
    bool is_reloaded;     /* SIGHUP changes it */
};
extern const struct fr_setting fr_settings[]; /* ends with param.name NULL */
/* The setting of this name, or NULL. */
const struct fr_setting *fr_setting_find(const char *name);
/* Its bit in a set of settings. */
uint64_t fr_setting_bit(const struct fr_setting *setting);

/* All defaults. */
void fr_config_init(struct fr_config *config);
/* Sets one setting from a text, unless a stronger origin has set it. */
int fr_config_set(struct fr_config *config, const struct fr_setting *setting, const char *text,
                  enum fr_origin origin, struct fr_faults *faults);
/* Reads config->file, unless it is empty; waits for the writer of a pipe only if it may. */
int fr_config_read_file(struct fr_config *config, bool may_wait, struct fr_faults *faults);
/* Splits `ADDR:PORT` or `[ADDR]:PORT`; false if it is neither, and `host` is then unchanged. */
bool fr_listen_split(const char *listen_on, char *host, size_t host_size, const char **port);
/* Sets the paths that are not given, the database and the files installed with the program, and
 * refuses an address to listen on that is none. */
int fr_config_finish(struct fr_config *config, struct fr_faults *faults);
/* Whether a database is named by the URL of a server, not by a path. */
bool fr_config_is_url(const char *db);
/* The value as text, for messages. */
void fr_config_print(struct fr_config *config, const struct fr_setting *setting, char *out,
                     size_t size);
/* Reads the file of `config` again and applies the settings that may change.  *changed gets those,
 * and *stuck those that differ but need a restart (sets of fr_setting_bit). */
int fr_config_reload(struct fr_config *config, uint64_t *changed, uint64_t *stuck,
                     struct fr_faults *faults);

/* The command line: the settings as argp options, for the daemon and its subcommands. */

enum { FR_MAX_OWN_OPTIONS = 8, FR_MAX_ARGUMENTS = 256 };

/* An option of a subcommand's own, and where its value goes: one of the last three. */
struct fr_command_option {
    int letter;                        /* 0 ends the list */
    const char *name, *argument, *doc; /* in the form of argp */
    const char **text;
    bool *flag; /* without an argument */
    struct fr_repeated *repeated;
};
enum { FR_MOST_REPEATED = 32 };
struct fr_repeated {
    size_t count; /* also of those that found no room */
    const char *text[FR_MOST_REPEATED];
};

/* The command line of a subcommand: its own options and arguments, besides the settings. */
struct fr_command_line {
    const char *name;                        /* "forerund token create" */
    const char *arguments_doc, *doc;         /* in the form of argp */
    bool has_all_settings;                   /* otherwise only the common ones */
    const struct fr_command_option *options; /* or NULL */
    size_t most_arguments;
    const char *argument[FR_MAX_ARGUMENTS]; /* arguments that are not options */
    size_t argument_count;
};

/* Reads the command line, then the file, then sets the remaining paths.  Prints faults and ends the
 * program with status 2; --help and --version end it with 0. */
void fr_command_line_read(struct fr_command_line *line, int argc, char **argv,
                          struct fr_config *config);

#endif
