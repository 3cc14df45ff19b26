/* The table of settings, and what sets one. */
#include "server/core/config.h"

#include "server/core/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TEXT(field, ...)                                                                  \
    {                                                                                     \
        .name = #field, .kind = FR_SET_TEXT, .offset = offsetof(struct fr_config, field), \
        .size = sizeof((struct fr_config *)0)->field, __VA_ARGS__                         \
    }
#define NUMBER(field, ...)                                                                          \
    {                                                                                               \
        .name = #field,                                                                           \
        .offset = _Generic(&((struct fr_config *)0)->field, _Atomic int64_t *: offsetof(          \
                               struct fr_config, field)),                                         \
        __VA_ARGS__ \
    }

static const char *const log_formats[] = {
    [FR_LOG_AS_TEXT] = "text", [FR_LOG_AS_JSON] = "json", NULL
};
static const char *const log_levels[] = { [FR_LOG_ERROR] = "error",
                                          [FR_LOG_WARNING] = "warning",
                                          [FR_LOG_INFO] = "info",
                                          [FR_LOG_DEBUG] = "debug",
                                          NULL };

const struct fr_setting fr_settings[] = {
    TEXT(listen, .argument = "ADDR:PORT", .fallback = "127.0.0.1:8080",
         .doc = "Where to accept connections; port 0 picks a free one."),
    TEXT(db, .argument = "FILE", .is_common = true,
         .doc = "The database; default ${XDG_STATE_HOME:-~/.local/state}/forerun/forerun.db."),
    { .name = "config",
      .kind = FR_SET_TEXT,
      .offset = offsetof(struct fr_config, file),
      .size = FR_PATH_BYTES,
      .argument = "FILE",
      .is_common = true,
      .fallback = "",
      .doc = "A file of `name = value` lines, one for each setting of this list." },
    { .name = "static",
      .kind = FR_SET_TEXT,
      .offset = offsetof(struct fr_config, static_dir),
      .size = FR_PATH_BYTES,
      .argument = "DIR",
      .doc = "The dashboard's files; default: those that came with the program." },
    TEXT(calibrations, .argument = "DIR",
         .doc = "Calibration sets for an empty database; default: those that came with the "
                "program."),
    NUMBER(workers, .kind = FR_SET_INT, .argument = "N", .fallback = "4", .min = 1, .max = 256,
           .doc = "Threads for what takes longer than an instant."),
    NUMBER(log, .kind = FR_SET_CHOICE, .argument = "text|json", .choices = log_formats,
           .fallback = "text", .is_common = true, .doc = "The form of log lines."),
    NUMBER(log_level, .kind = FR_SET_CHOICE, .argument = "LEVEL", .choices = log_levels,
           .fallback = "info", .is_common = true, .is_reloaded = true,
           .doc = "The least that is logged: error, warning, info or debug."),
    NUMBER(require_token_for_read, .kind = FR_SET_BOOL, .argument = "true|false",
           .fallback = "false", .is_reloaded = true,
           .doc = "Whether reading needs a token as well."),
    TEXT(cors_write_origin, .argument = "ORIGIN", .fallback = "",
         .doc = "The one web origin whose pages may write; default none."),
    NUMBER(body_limit_bytes, .kind = FR_SET_INT, .argument = "BYTES", .fallback = "16777216",
           .min = 1024, .max = INT64_C(1) << 40, .is_reloaded = true,
           .doc = "The largest request body, decompressed."),
    NUMBER(bodies_limit_bytes, .kind = FR_SET_INT, .argument = "BYTES", .fallback = "268435456",
           .min = 1024, .max = INT64_C(1) << 40,
           .doc = "What the bodies of all requests under way may hold together."),
    NUMBER(request_memory_bytes, .kind = FR_SET_INT, .argument = "BYTES", .fallback = "268435456",
           .min = 65536, .max = INT64_C(1) << 40,
           .doc = "What one request may use while it is answered."),
    NUMBER(queue_limit, .kind = FR_SET_INT, .argument = "N", .fallback = "256", .min = 1,
           .max = 1000000, .is_reloaded = true,
           .doc = "Requests that may wait for a worker; more are answered 503."),
    NUMBER(connection_limit, .kind = FR_SET_INT, .argument = "N", .fallback = "1000", .min = 1,
           .max = 1000000, .doc = "Open connections."),
    NUMBER(idle_timeout_s, .kind = FR_SET_INT, .argument = "SECONDS", .fallback = "60", .min = 1,
           .max = 86400, .doc = "After how long a silent connection is closed."),
    NUMBER(drain_timeout_s, .kind = FR_SET_INT, .argument = "SECONDS", .fallback = "30", .min = 0,
           .max = 86400,
           .doc = "How long requests under way may take to end when the daemon stops."),
    NUMBER(charts_at_once, .kind = FR_SET_INT, .argument = "N", .fallback = "2", .min = 1,
           .max = 64, .doc = "gnuplot programs that run at the same time."),
    NUMBER(chart_cache_bytes, .kind = FR_SET_INT, .argument = "BYTES", .fallback = "67108864",
           .min = 0, .max = INT64_C(1) << 40, .doc = "Memory for drawn charts."),
    NUMBER(structure_cache_bytes, .kind = FR_SET_INT, .argument = "BYTES", .fallback = "536870912",
           .min = 0, .max = INT64_C(1) << 44, .doc = "Memory for block structures of matrices."),
    NUMBER(simulation_cache_bytes, .kind = FR_SET_INT, .argument = "BYTES", .fallback = "536870912",
           .min = 0, .max = INT64_C(1) << 44,
           .doc = "Memory for what was simulated of their factorisations."),
    NUMBER(simulation_limit_updates, .kind = FR_SET_INT, .argument = "N", .fallback = "200000000",
           .min = 1, .max = INT64_C(1) << 50,
           .doc = "Updates of blocks that one request may simulate, or as much other work."),
    /* A value of the database has at most 1,000,000,000 bytes. */
    NUMBER(matrix_limit_bytes, .kind = FR_SET_INT, .argument = "BYTES", .fallback = "536870912",
           .min = 1024, .max = 900000000, .is_reloaded = true,
           .doc = "The largest matrix file, decompressed."),
    NUMBER(uploads_limit_bytes, .kind = FR_SET_INT, .argument = "BYTES", .fallback = "2147483648",
           .min = 1024, .max = INT64_C(1) << 40,
           .doc = "What the matrix files of all requests under way may take of the database's disk "
                  "together."),
    TEXT(analyze_program, .argument = "FILE",
         .doc = "The program that analyses matrices; default: forerun-analyze beside this one."),
    NUMBER(
        analyses_at_once, .kind = FR_SET_INT, .argument = "N", .fallback = "1", .min = 1, .max = 16,
        .doc = "Programs that analyse matrices at the same time, and one for natural orderings."),
    NUMBER(analysis_timeout_s, .kind = FR_SET_INT, .argument = "SECONDS", .fallback = "600",
           .min = 1, .max = 864000, .is_reloaded = true,
           .doc = "How long the analysis of one ordering of a matrix may take."),
    NUMBER(analysis_memory_bytes, .kind = FR_SET_INT, .argument = "BYTES", .fallback = "4294967296",
           .min = 1 << 24, .max = INT64_C(1) << 44, .is_reloaded = true,
           .doc = "The address space that it may use."),
    NUMBER(analysis_output_bytes, .kind = FR_SET_INT, .argument = "BYTES", .fallback = "268435456",
           .min = 1024, .max = 900000000, .is_reloaded = true,
           .doc = "The largest block structure that it may find."),
    { .name = NULL },
};
_Static_assert(sizeof fr_settings / sizeof fr_settings[0] <= FR_MAX_SETTINGS, "too many settings");

static char *text_of(struct fr_config *config, const struct fr_setting *setting)
{
    return (char *)config + setting->offset;
}

static _Atomic int64_t *number_of(struct fr_config *config, const struct fr_setting *setting)
{
    return (_Atomic int64_t *)(void *)((char *)config + setting->offset);
}

static int set_text(struct fr_config *config, const struct fr_setting *setting, const char *text,
                    struct fr_faults *faults)
{
    if (strlen(text) >= setting->size)
        return fr_fault(faults, FR_RANGE, setting->name, "is longer than %zu bytes",
                        setting->size - 1);
    memcpy(text_of(config, setting), text, strlen(text) + 1);
    return FR_OK;
}

static int set_int(struct fr_config *config, const struct fr_setting *setting, const char *text,
                   struct fr_faults *faults)
{
    double value;

    if (!fr_number_parse(text, &value) || value != (double)(int64_t)value)
        return fr_fault(faults, FR_SYNTAX, setting->name, "`%s` is not a whole number", text);
    if (value < (double)setting->min || value > (double)setting->max)
        return fr_fault(faults, FR_RANGE, setting->name,
                        "%s is not between %" PRId64 " and %" PRId64, text, setting->min,
                        setting->max);
    atomic_store(number_of(config, setting), (int64_t)value);
    return FR_OK;
}

static int set_choice(struct fr_config *config, const struct fr_setting *setting,
                      const char *const *choices, const char *text, struct fr_faults *faults)
{
    char list[128] = "";

    for (int i = 0; choices[i]; i++) {
        if (strcmp(choices[i], text) == 0) {
            atomic_store(number_of(config, setting), i);
            return FR_OK;
        }
        strncat(list, i ? ", " : "", sizeof list - strlen(list) - 1);
        strncat(list, choices[i], sizeof list - strlen(list) - 1);
    }
    return fr_fault(faults, FR_CHOICE, setting->name, "`%s` is none of: %s", text, list);
}

int fr_config_set(struct fr_config *config, const struct fr_setting *setting, const char *text,
                  enum fr_origin origin, struct fr_faults *faults)
{
    static const char *const truths[] = { "false", "true", NULL };
    const size_t place = (size_t)(setting - fr_settings);
    int code = FR_OK;

    if (config->origin[place] > origin)
        return FR_OK;
    switch (setting->kind) {
    case FR_SET_TEXT:
        code = set_text(config, setting, text, faults);
        break;
    case FR_SET_INT:
        code = set_int(config, setting, text, faults);
        break;
    case FR_SET_BOOL:
        code = set_choice(config, setting, truths, text, faults);
        break;
    case FR_SET_CHOICE:
        code = set_choice(config, setting, setting->choices, text, faults);
        break;
    }
    if (code == FR_OK)
        config->origin[place] = origin;
    return code;
}

static void set_default(struct fr_config *config, const struct fr_setting *setting)
{
    struct fr_faults faults;

    faults.count = 0;
    config->origin[setting - fr_settings] = FR_FROM_DEFAULT;
    fr_config_set(config, setting, setting->fallback ? setting->fallback : "", FR_FROM_DEFAULT,
                  &faults);
}

void fr_config_init(struct fr_config *config)
{
    for (const struct fr_setting *setting = fr_settings; setting->name; setting++)
        set_default(config, setting);
}

void fr_config_print(const struct fr_config *config, const struct fr_setting *setting, char *out,
                     size_t size)
{
    const char *field = (const char *)config + setting->offset;
    int64_t value = 0;

    if (setting->kind == FR_SET_TEXT) {
        snprintf(out, size, "%s", field);
        return;
    }
    memcpy(&value, field, sizeof value);
    if (setting->kind == FR_SET_INT)
        snprintf(out, size, "%" PRId64, value);
    else if (setting->kind == FR_SET_BOOL)
        snprintf(out, size, "%s", value ? "true" : "false");
    else
        snprintf(out, size, "%s", setting->choices[value]);
}

int fr_config_reload(struct fr_config *config, uint32_t *changed, uint32_t *stuck,
                     struct fr_faults *faults)
{
    struct fr_config fresh = *config;
    int code;

    for (const struct fr_setting *setting = fr_settings; setting->name; setting++)
        if (fresh.origin[setting - fr_settings] == FR_FROM_FILE)
            set_default(&fresh, setting);
    code = fr_config_read_file(&fresh, faults);
    if (code == FR_OK)
        code = fr_config_finish(&fresh, faults);
    if (code != FR_OK)
        return code;
    *changed = *stuck = 0;
    for (const struct fr_setting *setting = fr_settings; setting->name; setting++) {
        const uint32_t bit = 1u << (setting - fr_settings);
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
