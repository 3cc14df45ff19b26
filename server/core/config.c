/* The table of settings, and the function that sets one. */
#include "server/core/config.h"

#include "server/core/log.h"

#include <stdio.h>
#include <string.h>

/* The descriptor of a text `field` that is set as `setting`, of a number that is set under the name
 * of its field; and the row of a whole number, which a reload of the configuration changes or not.
 */
#define TEXT(setting, field, of, text)                      \
    .param = { .name = #setting,                            \
               .kind = FR_KIND_TEXT,                        \
               .offset = offsetof(struct fr_config, field), \
               .doc = text },                               \
    .size = sizeof((struct fr_config *)0)->field, .argument = of
#define NUMBER(field, ...) .param = { .name = #field, .offset = OFFSET(field), __VA_ARGS__ }
#define NUMBERED(field, of, least, most, usual, text)                                              \
    NUMBER(field, .kind = FR_KIND_INT, .min = least, .max = most, .fallback = usual, .doc = text), \
        .argument = of
#define WHOLE(...)            \
    {                         \
        NUMBERED(__VA_ARGS__) \
    }
#define RELOADED(...)                              \
    {                                              \
        NUMBERED(__VA_ARGS__), .is_reloaded = true \
    }
/* Any field other than an _Atomic int64_t does not compile. */
#define OFFSET(field) \
    _Generic(&((struct fr_config *)0)->field, _Atomic int64_t * : offsetof(struct fr_config, field))

static const char *const log_formats[] = {
    [FR_LOG_AS_TEXT] = "text", [FR_LOG_AS_JSON] = "json", NULL
};

const struct fr_setting fr_settings[] = {
    { TEXT(listen, listen, "ADDR:PORT", "Where to accept connections; port 0 picks a free one."),
      .fallback = "127.0.0.1:8080" },
    { TEXT(tls_certificate, tls_certificate, "FILE",
           "A PEM file with the certificate of this host and then those of its issuers, to serve "
           "HTTPS; read again on SIGHUP.") },
    { TEXT(tls_key, tls_key, "FILE", "A PEM file with the key of tls_certificate.") },
    { TEXT(db, db, "DATABASE",
           "The database: a file, or postgresql://USER@HOST/DATABASE without a password; default "
           "${XDG_STATE_HOME:-~/.local/state}/forerun/forerun.db."),
      .is_common = true },
    { TEXT(config, file, "FILE",
           "A file of `name = value` lines, one for each setting of this list."),
      .is_common = true },
    { TEXT(static, static_dir, "DIR",
           "The dashboard's files; default: those installed with the program.") },
    { TEXT(calibrations, calibrations, "DIR",
           "Calibration sets for an empty database; default: those installed with the program.") },
    WHOLE(workers, "N", 1, 256, 4, "Worker threads, for requests that take long."),
    { NUMBER(log, .kind = FR_KIND_CHOICE, .choices = log_formats, .fallback = FR_LOG_AS_TEXT,
             .doc = "The format of log lines."),
      .argument = "text|json", .is_common = true },
    { NUMBER(log_level, .kind = FR_KIND_CHOICE, .choices = fr_log_levels, .fallback = FR_LOG_INFO,
             .doc = "The least severe level that is logged: error, warning, info or debug."),
      .argument = "LEVEL", .is_common = true, .is_reloaded = true },
    { NUMBER(require_token_for_read, .kind = FR_KIND_BOOL,
             .doc = "Whether reading also needs a token."),
      .argument = "true|false", .is_reloaded = true },
    { TEXT(cors_write_origin, cors_write_origin, "ORIGIN",
           "The one web origin whose pages may write; default none.") },
    RELOADED(body_limit_bytes, "BYTES", 1024, INT64_C(1) << 40, 16777216,
             "The largest request body, decompressed."),
    WHOLE(bodies_limit_bytes, "BYTES", 1024, INT64_C(1) << 40, 268435456,
          "Memory for the bodies of all requests in progress."),
    WHOLE(answers_limit_bytes, "BYTES", 65536, INT64_C(1) << 40, 268435456,
          "Memory for answers over 64 KiB that wait for their readers; further ones are answered "
          "with 503."),
    WHOLE(request_memory_bytes, "BYTES", 65536, INT64_C(1) << 40, 268435456,
          "Memory that one request may use."),
    WHOLE(request_steps, "N", 1, INT64_C(1) << 50, (int64_t)FR_MAX_STEPS,
          "Work that one request may take, in steps of some nanoseconds."),
    RELOADED(queue_limit, "N", 1, 1000000, 256,
             "Quick requests that may wait for a worker; further ones are answered with 503, and "
             "those of a client that has half of them with 429."),
    RELOADED(long_queue_limit, "N", 1, 1000000, 256,
             "As queue_limit, for sweeps, rankings, charts and other long requests."),
    RELOADED(
        requests_per_minute, "N", 0, 1000000000, 600000,
        "Quick requests of one client (a token, or else an address); further ones are answered "
        "with 429; 0 for any number."),
    RELOADED(long_requests_per_minute, "N", 0, 1000000000, 12000,
             "As requests_per_minute, for sweeps, rankings, charts and other long requests."),
    RELOADED(writes_per_minute, "N", 0, 1000000000, 6000,
             "As requests_per_minute, for uploads and deletions."),
    RELOADED(upload_bytes_per_day, "BYTES", 0, INT64_C(1) << 50, 17179869184,
             "Bytes that one client may upload; matrix files count as sent, other bodies "
             "decompressed."),
    RELOADED(analyses_per_hour, "N", 0, 1000000000, 10000,
             "Analyses of matrices that one client may queue."),
    RELOADED(kept_bytes_per_token, "BYTES", 0, INT64_C(1) << 50, 68719476736,
             "Bytes of calibrations, runs and matrices (compressed) that a token may have stored; "
             "further uploads are answered with 403; 0 for any number."),
    RELOADED(run_retention_days, "DAYS", 0, 100000, 0,
             "Saved runs are deleted so many days after their upload; 0 keeps them."),
    RELOADED(calibrations_kept, "N", 0, 1000000, 0,
             "Newest calibrations of a machine that are kept, besides those that saved runs refer "
             "to; 0 keeps all."),
    RELOADED(audit_retention_days, "DAYS", 0, 100000, 365,
             "Days that rows of the audit log are kept; 0 keeps them."),
    WHOLE(connection_limit, "N", 1, 1000000, 1000, "Open connections."),
    RELOADED(connections_per_address, "N", 1, 1000000, 200,
             "Open connections of one address, except a proxy's."),
    { TEXT(proxies, proxies, "ADDR,...",
           "Addresses of reverse proxies, separated by commas: each names its clients in "
           "X-Forwarded-For; default none.") },
    RELOADED(header_timeout_s, "SECONDS", 1, 86400, 10,
             "Time in which the headers of a request must arrive."),
    RELOADED(least_bytes_per_s, "BYTES", 1, INT64_C(1) << 30, 4096,
             "Least rate of bodies and of the reading of answers, after header_timeout_s."),
    WHOLE(idle_timeout_s, "SECONDS", 1, 86400, 60,
          "Time after which an idle connection is closed."),
    WHOLE(drain_timeout_s, "SECONDS", 0, 86400, 30,
          "Time that requests in progress have to finish when the daemon stops."),
    WHOLE(charts_at_once, "N", 1, 64, 2, "gnuplot processes that run at the same time."),
    WHOLE(chart_cache_bytes, "BYTES", 0, INT64_C(1) << 40, 67108864, "Memory for rendered charts."),
    WHOLE(structure_cache_bytes, "BYTES", 0, INT64_C(1) << 44, 536870912,
          "Memory for block structures of matrices; as much again for facts of partitions."),
    WHOLE(simulation_cache_bytes, "BYTES", 0, INT64_C(1) << 44, 536870912,
          "Memory for results of simulated factorizations."),
    WHOLE(simulation_limit_updates, "N", 1, INT64_C(1) << 50, 200000000,
          "Block updates, or an equal amount of other work, that one request may simulate."),
    /* SQLite stores values of at most 1,000,000,000 bytes. */
    RELOADED(matrix_limit_bytes, "BYTES", 1024, 900000000, 536870912,
             "The largest matrix file, decompressed."),
    WHOLE(uploads_limit_bytes, "BYTES", 1024, INT64_C(1) << 40, 2147483648,
          "Disk space for the matrix files of all uploads in progress."),
    { TEXT(analyze_program, analyze_program, "FILE",
           "The program that analyzes matrices; default: forerun-analyze in the folder of "
           "forerund.") },
    { TEXT(child_folders, child_folders, "DIR:...",
           "Folders that gnuplot and forerun-analyze may read besides those of the system, such as "
           "/opt/libraries/lib, separated by colons; default none.") },
    WHOLE(analyses_at_once, "N", 1, 16, 1,
          "Analysis processes that run at the same time, besides one for natural orderings."),
    RELOADED(analysis_timeout_s, "SECONDS", 1, 864000, 600,
             "Time limit for the analysis of one ordering of a matrix."),
    RELOADED(analysis_memory_bytes, "BYTES", 1 << 24, INT64_C(1) << 44, 4294967296,
             "Address space of an analysis process."),
    RELOADED(analysis_output_bytes, "BYTES", 1024, 900000000, 268435456,
             "The largest block structure that an analysis may produce."),
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
