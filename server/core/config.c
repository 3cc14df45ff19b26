/* The table of settings, and the function that sets one. */
#include "server/core/config.h"

#include "server/core/log.h"

#include <stdio.h>
#include <string.h>

/* The descriptor of a text `field` that is set as `setting`, and of a number that is set under the
 * name of its field. */
#define TEXT(setting, field, ...)                           \
    .param = { .name = #setting,                            \
               .kind = FR_KIND_TEXT,                        \
               .offset = offsetof(struct fr_config, field), \
               __VA_ARGS__ },                               \
    .size = sizeof((struct fr_config *)0)->field
#define NUMBER(field, ...) .param = { .name = #field, .offset = OFFSET(field), __VA_ARGS__ }
/* Any field other than an _Atomic int64_t does not compile. */
#define OFFSET(field) \
    _Generic(&((struct fr_config *)0)->field, _Atomic int64_t * : offsetof(struct fr_config, field))

static const char *const log_formats[] = {
    [FR_LOG_AS_TEXT] = "text", [FR_LOG_AS_JSON] = "json", NULL
};

const struct fr_setting fr_settings[] = {
    { TEXT(listen, listen, .doc = "Where to accept connections; port 0 picks a free one."),
      .argument = "ADDR:PORT", .fallback = "127.0.0.1:8080" },
    { TEXT(tls_certificate, tls_certificate,
           .doc = "A PEM file with the certificate of this host and then those of its issuers, to "
                  "serve HTTPS; read again on SIGHUP."),
      .argument = "FILE" },
    { TEXT(tls_key, tls_key, .doc = "A PEM file with the key of tls_certificate."),
      .argument = "FILE" },
    { TEXT(db, db,
           .doc = "The database: a file, or postgresql://USER@HOST/DATABASE without a password; "
                  "default ${XDG_STATE_HOME:-~/.local/state}/forerun/forerun.db."),
      .argument = "DATABASE", .is_common = true },
    { TEXT(config, file,
           .doc = "A file of `name = value` lines, one for each setting of this list."),
      .argument = "FILE", .is_common = true },
    { TEXT(static, static_dir,
           .doc = "The dashboard's files; default: those installed with the program."),
      .argument = "DIR" },
    { TEXT(
          calibrations, calibrations,
          .doc =
              "Calibration sets for an empty database; default: those installed with the program."),
      .argument = "DIR" },
    { NUMBER(workers, .kind = FR_KIND_INT, .min = 1, .max = 256, .fallback = 4,
             .doc = "Worker threads, for requests that take long."),
      .argument = "N" },
    { NUMBER(log, .kind = FR_KIND_CHOICE, .choices = log_formats, .fallback = FR_LOG_AS_TEXT,
             .doc = "The format of log lines."),
      .argument = "text|json", .is_common = true },
    { NUMBER(log_level, .kind = FR_KIND_CHOICE, .choices = fr_log_levels, .fallback = FR_LOG_INFO,
             .doc = "The least severe level that is logged: error, warning, info or debug."),
      .argument = "LEVEL", .is_common = true, .is_reloaded = true },
    { NUMBER(require_token_for_read, .kind = FR_KIND_BOOL,
             .doc = "Whether reading also needs a token."),
      .argument = "true|false", .is_reloaded = true },
    { TEXT(cors_write_origin, cors_write_origin,
           .doc = "The one web origin whose pages may write; default none."),
      .argument = "ORIGIN" },
    { NUMBER(body_limit_bytes, .kind = FR_KIND_INT, .min = 1024, .max = INT64_C(1) << 40,
             .fallback = 16777216, .doc = "The largest request body, decompressed."),
      .argument = "BYTES", .is_reloaded = true },
    { NUMBER(bodies_limit_bytes, .kind = FR_KIND_INT, .min = 1024, .max = INT64_C(1) << 40,
             .fallback = 268435456, .doc = "Memory for the bodies of all requests in progress."),
      .argument = "BYTES" },
    { NUMBER(answers_limit_bytes, .kind = FR_KIND_INT, .min = 65536, .max = INT64_C(1) << 40,
             .fallback = 268435456,
             .doc = "Memory for answers over 64 KiB that wait for their readers; further ones are "
                    "answered with 503."),
      .argument = "BYTES" },
    { NUMBER(request_memory_bytes, .kind = FR_KIND_INT, .min = 65536, .max = INT64_C(1) << 40,
             .fallback = 268435456, .doc = "Memory that one request may use."),
      .argument = "BYTES" },
    { NUMBER(request_steps, .kind = FR_KIND_INT, .min = 1, .max = INT64_C(1) << 50,
             .fallback = (int64_t)FR_MAX_STEPS,
             .doc = "Work that one request may take, in steps of some nanoseconds."),
      .argument = "N" },
    { NUMBER(queue_limit, .kind = FR_KIND_INT, .min = 1, .max = 1000000, .fallback = 256,
             .doc =
                 "Quick requests that may wait for a worker; further ones are answered with 503, "
                 "and those of a client that has half of them with 429."),
      .argument = "N", .is_reloaded = true },
    { NUMBER(long_queue_limit, .kind = FR_KIND_INT, .min = 1, .max = 1000000, .fallback = 256,
             .doc = "As queue_limit, for sweeps, rankings, charts and other long requests."),
      .argument = "N", .is_reloaded = true },
    { NUMBER(requests_per_minute, .kind = FR_KIND_INT, .min = 0, .max = 1000000000,
             .fallback = 600000,
             .doc = "Quick requests of one client (a token, or else an address); further ones are "
                    "answered with 429; 0 for any number."),
      .argument = "N", .is_reloaded = true },
    { NUMBER(long_requests_per_minute, .kind = FR_KIND_INT, .min = 0, .max = 1000000000,
             .fallback = 12000,
             .doc = "As requests_per_minute, for sweeps, rankings, charts and other long "
                    "requests."),
      .argument = "N", .is_reloaded = true },
    { NUMBER(writes_per_minute, .kind = FR_KIND_INT, .min = 0, .max = 1000000000, .fallback = 6000,
             .doc = "As requests_per_minute, for uploads and deletions."),
      .argument = "N", .is_reloaded = true },
    { NUMBER(upload_bytes_per_day, .kind = FR_KIND_INT, .min = 0, .max = INT64_C(1) << 50,
             .fallback = 17179869184,
             .doc = "Bytes that one client may upload; matrix files count as sent, other bodies "
                    "decompressed."),
      .argument = "BYTES", .is_reloaded = true },
    { NUMBER(analyses_per_hour, .kind = FR_KIND_INT, .min = 0, .max = 1000000000, .fallback = 10000,
             .doc = "Analyses of matrices that one client may queue."),
      .argument = "N", .is_reloaded = true },
    { NUMBER(kept_bytes_per_token, .kind = FR_KIND_INT, .min = 0, .max = INT64_C(1) << 50,
             .fallback = 68719476736,
             .doc = "Bytes of calibrations, runs and matrices (compressed) that a token may have "
                    "stored; further uploads are answered with 403; 0 for any number."),
      .argument = "BYTES", .is_reloaded = true },
    { NUMBER(run_retention_days, .kind = FR_KIND_INT, .min = 0, .max = 100000,
             .doc = "Saved runs are deleted so many days after their upload; 0 keeps them."),
      .argument = "DAYS", .is_reloaded = true },
    { NUMBER(calibrations_kept, .kind = FR_KIND_INT, .min = 0, .max = 1000000,
             .doc = "Newest calibrations of a machine that are kept, besides those that saved runs "
                    "refer to; 0 keeps all."),
      .argument = "N", .is_reloaded = true },
    { NUMBER(audit_retention_days, .kind = FR_KIND_INT, .min = 0, .max = 100000, .fallback = 365,
             .doc = "Days that rows of the audit log are kept; 0 keeps them."),
      .argument = "DAYS", .is_reloaded = true },
    { NUMBER(connection_limit, .kind = FR_KIND_INT, .min = 1, .max = 1000000, .fallback = 1000,
             .doc = "Open connections."),
      .argument = "N" },
    { NUMBER(connections_per_address, .kind = FR_KIND_INT, .min = 1, .max = 1000000,
             .fallback = 200, .doc = "Open connections of one address, except a proxy's."),
      .argument = "N", .is_reloaded = true },
    { TEXT(proxies, proxies,
           .doc = "Addresses of reverse proxies, separated by commas: each names its clients in "
                  "X-Forwarded-For; default none."),
      .argument = "ADDR,..." },
    { NUMBER(header_timeout_s, .kind = FR_KIND_INT, .min = 1, .max = 86400, .fallback = 10,
             .doc = "Time in which the headers of a request must arrive."),
      .argument = "SECONDS", .is_reloaded = true },
    { NUMBER(least_bytes_per_s, .kind = FR_KIND_INT, .min = 1, .max = INT64_C(1) << 30,
             .fallback = 4096,
             .doc = "Least rate of bodies and of the reading of answers, after header_timeout_s."),
      .argument = "BYTES", .is_reloaded = true },
    { NUMBER(idle_timeout_s, .kind = FR_KIND_INT, .min = 1, .max = 86400, .fallback = 60,
             .doc = "Time after which an idle connection is closed."),
      .argument = "SECONDS" },
    { NUMBER(drain_timeout_s, .kind = FR_KIND_INT, .min = 0, .max = 86400, .fallback = 30,
             .doc = "Time that requests in progress have to finish when the daemon stops."),
      .argument = "SECONDS" },
    { NUMBER(charts_at_once, .kind = FR_KIND_INT, .min = 1, .max = 64, .fallback = 2,
             .doc = "gnuplot processes that run at the same time."),
      .argument = "N" },
    { NUMBER(chart_cache_bytes, .kind = FR_KIND_INT, .min = 0, .max = INT64_C(1) << 40,
             .fallback = 67108864, .doc = "Memory for rendered charts."),
      .argument = "BYTES" },
    { NUMBER(structure_cache_bytes, .kind = FR_KIND_INT, .min = 0, .max = INT64_C(1) << 44,
             .fallback = 536870912,
             .doc = "Memory for block structures of matrices; as much again for facts of "
                    "partitions."),
      .argument = "BYTES" },
    { NUMBER(simulation_cache_bytes, .kind = FR_KIND_INT, .min = 0, .max = INT64_C(1) << 44,
             .fallback = 536870912, .doc = "Memory for results of simulated factorizations."),
      .argument = "BYTES" },
    { NUMBER(simulation_limit_updates, .kind = FR_KIND_INT, .min = 1, .max = INT64_C(1) << 50,
             .fallback = 200000000,
             .doc =
                 "Block updates, or an equal amount of other work, that one request may simulate."),
      .argument = "N" },
    /* SQLite stores values of at most 1,000,000,000 bytes. */
    { NUMBER(matrix_limit_bytes, .kind = FR_KIND_INT, .min = 1024, .max = 900000000,
             .fallback = 536870912, .doc = "The largest matrix file, decompressed."),
      .argument = "BYTES", .is_reloaded = true },
    { NUMBER(uploads_limit_bytes, .kind = FR_KIND_INT, .min = 1024, .max = INT64_C(1) << 40,
             .fallback = 2147483648,
             .doc = "Disk space for the matrix files of all uploads in progress."),
      .argument = "BYTES" },
    { TEXT(analyze_program, analyze_program,
           .doc = "The program that analyzes matrices; default: forerun-analyze in the folder of "
                  "forerund."),
      .argument = "FILE" },
    { TEXT(child_folders, child_folders,
           .doc = "Folders that gnuplot and forerun-analyze may read besides those of the system, "
                  "such as /opt/libraries/lib, separated by colons; default none."),
      .argument = "DIR:..." },
    { NUMBER(
          analyses_at_once, .kind = FR_KIND_INT, .min = 1, .max = 16, .fallback = 1,
          .doc =
              "Analysis processes that run at the same time, besides one for natural orderings."),
      .argument = "N" },
    { NUMBER(analysis_timeout_s, .kind = FR_KIND_INT, .min = 1, .max = 864000, .fallback = 600,
             .doc = "Time limit for the analysis of one ordering of a matrix."),
      .argument = "SECONDS", .is_reloaded = true },
    { NUMBER(analysis_memory_bytes, .kind = FR_KIND_INT, .min = 1 << 24, .max = INT64_C(1) << 44,
             .fallback = 4294967296, .doc = "Address space of an analysis process."),
      .argument = "BYTES", .is_reloaded = true },
    { NUMBER(analysis_output_bytes, .kind = FR_KIND_INT, .min = 1024, .max = 900000000,
             .fallback = 268435456,
             .doc = "The largest block structure that an analysis may produce."),
      .argument = "BYTES", .is_reloaded = true },
    { .param = { .name = NULL } },
};
_Static_assert(sizeof fr_settings / sizeof fr_settings[0] <= FR_MAX_SETTINGS, "too many settings");

const struct fr_setting *fr_setting_find(const char *name)
{
    for (const struct fr_setting *setting = fr_settings; setting->param.name; setting++)
        if (strcmp(setting->param.name, name) == 0)
            return setting;
    return NULL;
}

_Static_assert(FR_MAX_SETTINGS <= 64, "a set of settings has a bit for each");
uint64_t fr_setting_bit(const struct fr_setting *setting)
{
    return UINT64_C(1) << (setting - fr_settings);
}

static char *text_of(struct fr_config *config, const struct fr_setting *setting)
{
    return (char *)config + setting->param.offset;
}

static _Atomic int64_t *number_of(struct fr_config *config, const struct fr_setting *setting)
{
    return (_Atomic int64_t *)(void *)text_of(config, setting);
}

static int set_text(struct fr_config *config, const struct fr_setting *setting, const char *text,
                    struct fr_faults *faults)
{
    if (strlen(text) >= setting->size)
        return fr_fault(faults, FR_RANGE, setting->param.name, "is longer than %zu bytes",
                        setting->size - 1);
    memcpy(text_of(config, setting), text, strlen(text) + 1);
    return FR_OK;
}

static int set_number(struct fr_config *config, const struct fr_setting *setting, const char *text,
                      struct fr_faults *faults)
{
    double value;
    const int code = fr_param_parse(&setting->param, text, &value, faults);

    if (code == FR_OK)
        atomic_store(number_of(config, setting), (int64_t)value);
    return code;
}

int fr_config_set(struct fr_config *config, const struct fr_setting *setting, const char *text,
                  enum fr_origin origin, struct fr_faults *faults)
{
    enum fr_origin *known = &config->origin[setting - fr_settings];
    int code;

    if (*known > origin)
        return FR_OK;
    code = setting->param.kind == FR_KIND_TEXT ? set_text(config, setting, text, faults)
                                               : set_number(config, setting, text, faults);
    if (code == FR_OK)
        *known = origin;
    return code;
}

static void set_default(struct fr_config *config, const struct fr_setting *setting)
{
    config->origin[setting - fr_settings] = FR_FROM_DEFAULT;
    if (setting->param.kind == FR_KIND_TEXT)
        snprintf(text_of(config, setting), setting->size, "%s",
                 setting->fallback ? setting->fallback : "");
    else
        atomic_store(number_of(config, setting), (int64_t)setting->param.fallback);
}

void fr_config_init(struct fr_config *config)
{
    for (const struct fr_setting *setting = fr_settings; setting->param.name; setting++)
        set_default(config, setting);
}

bool fr_config_is_url(const char *db)
{
    return strncmp(db, "postgresql://", 13) == 0 || strncmp(db, "postgres://", 11) == 0;
}

void fr_config_print(struct fr_config *config, const struct fr_setting *setting, char *out,
                     size_t size)
{
    if (setting->param.kind == FR_KIND_TEXT)
        snprintf(out, size, "%s", text_of(config, setting));
    else
        fr_param_print_number(&setting->param, (double)atomic_load(number_of(config, setting)), out,
                              size);
}

int fr_config_reload(struct fr_config *config, uint64_t *changed, uint64_t *stuck,
                     struct fr_faults *faults)
{
    struct fr_config fresh = *config;
    int code;

    for (const struct fr_setting *setting = fr_settings; setting->param.name; setting++)
        if (fresh.origin[setting - fr_settings] == FR_FROM_FILE)
            set_default(&fresh, setting);
    code = fr_config_read_file(&fresh, false, faults);
    if (code == FR_OK)
        code = fr_config_finish(&fresh, faults);
    if (code != FR_OK)
        return code;
    *changed = *stuck = 0;
    for (const struct fr_setting *setting = fr_settings; setting->param.name; setting++) {
        const uint64_t bit = fr_setting_bit(setting);
        char old_text[FR_PATH_BYTES], new_text[FR_PATH_BYTES];

        fr_config_print(config, setting, old_text, sizeof old_text);
        fr_config_print(&fresh, setting, new_text, sizeof new_text);
        if (strcmp(old_text, new_text) == 0)
            continue;
        *(setting->is_reloaded ? changed : stuck) |= bit;
        if (setting->is_reloaded) {
            atomic_store(number_of(config, setting), atomic_load(number_of(&fresh, setting)));
            config->origin[setting - fr_settings] = fresh.origin[setting - fr_settings];
        }
    }
    return FR_OK;
}
