/* The configuration from outside the command line: the file, and the paths that were left open. */
#include "server/core/config.h"

#include "server/core/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A carriage return ends the lines of other systems. */
static const char blanks[] = " \t\r\f\v";

struct reading {
    struct fr_config *config;
    struct fr_faults *faults;
    uint64_t seen; /* settings of the file so far */
};

static int unknown(const char *name, struct fr_faults *faults)
{
    struct fr_nearest nearest = { .name = name };

    for (const struct fr_setting *setting = fr_settings; setting->param.name; setting++)
        fr_nearest_consider(&nearest, setting->param.name);
    if (nearest.found)
        return fr_fault(faults, FR_UNKNOWN_KEY, name, "no such setting; did you mean `%s`?",
                        nearest.found);
    return fr_fault(faults, FR_UNKNOWN_KEY, name, "no such setting; --help lists them");
}

static void take(struct reading *reading, const char *name, const char *value)
{
    const struct fr_setting *setting = fr_setting_find(name);
    uint64_t bit;

    if (!setting || strcmp(name, "config") == 0) {
        unknown(name, reading->faults);
        return;
    }
    bit = fr_setting_bit(setting);
    if (reading->seen & bit)
        fr_fault(reading->faults, FR_REPEATED, name, "given twice in the file");
    else
        fr_config_set(reading->config, setting, value, FR_FROM_FILE, reading->faults);
    reading->seen |= bit;
}

/* Ends the text before the blanks at its end, and returns it from behind those at its beginning. */
static char *trim(char *text)
{
    size_t length;

    text += strspn(text, blanks);
    length = strlen(text);
    while (length && strchr(blanks, text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}

/* A semicolon behind a blank begins a comment. */
static void cut_comment(char *value)
{
    for (char *at = strchr(value, ';'); at; at = strchr(at + 1, ';'))
        if (at == value || strchr(blanks, at[-1])) {
            *at = '\0';
            return;
        }
}

/* `name = value` or `name: value`; a comment, a section, which is only a heading, or nothing. */
static bool take_line(struct reading *reading, char *line)
{
    char *name = trim(line), *value;

    if (!*name || *name == '#' || *name == ';')
        return true;
    if (*name == '[')
        return strchr(name, ']');
    value = strpbrk(name, "=:");
    if (!value)
        return false;
    *value++ = '\0';
    cut_comment(value);
    take(reading, trim(name), trim(value));
    return true;
}

/* 0, or the number of the first line that does not parse. */
static int parse(char *text, struct reading *reading)
{
    static const char order_mark[] = "\xef\xbb\xbf";
    int bad_line = 0, number = 0;
    char *next = text + (strncmp(text, order_mark, 3) == 0 ? 3 : 0);

    while (next) {
        char *line = strsep(&next, "\n");

        number++;
        if (!take_line(reading, line) && !bad_line)
            bad_line = number;
    }
    return bad_line;
}

int fr_config_read_file(struct fr_config *config, bool may_wait, struct fr_faults *faults)
{
    struct reading reading = { .config = config, .faults = faults };
    const size_t before = faults->count;
    const char *reason;
    char *text;
    int line;

    if (!config->file[0])
        return FR_OK;
    text = fr_file_text(config->file, may_wait, &reason);
    if (!text)
        return fr_fault(faults, FR_NOT_FOUND, "config", "%s cannot be read: %s", config->file,
                        reason);
    line = parse(text, &reading);
    free(text);
    if (line > 0)
        return fr_fault(faults, FR_SYNTAX, "config", "%s: line %d is not `name = value`",
                        config->file, line);
    return faults->count > before ? FR_SYNTAX : FR_OK;
}

static bool is_folder(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* The folder of this program. */
static bool find_program(char *folder, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    char *name;

    if (length < 0)
        return false;
    folder[length] = '\0';
    name = strrchr(folder, '/');
    if (name)
        *name = '\0';
    return name;
}

/* Finds a folder of the program's files: under share/ if installed, otherwise in the sources. `out`
 * becomes empty if neither exists. */
static void find_shipped(const char *installed, const char *in_sources, char *out, size_t size)
{
    const char *const places[] = { installed, in_sources };
    char folder[FR_PATH_BYTES / 2];

    out[0] = '\0';
    if (!find_program(folder, sizeof folder))
        return;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if ((size_t)snprintf(out, size, "%s/%s", folder, places[i]) < size && is_folder(out))
            return;
        out[0] = '\0';
    }
}

/* Another program of ours, whether it is there or not. */
static void name_sibling(const char *name, char *out, size_t size)
{
    char folder[FR_PATH_BYTES / 2];

    snprintf(out, size, "%s", name);
    if (find_program(folder, sizeof folder))
        snprintf(out, size, "%s/%s", folder, name);
}

bool fr_listen_split(const char *listen_on, char *host, size_t host_size, const char **port)
{
    const char *colon = strrchr(listen_on, ':');
    const bool is_bracketed = listen_on[0] == '[' && colon && colon[-1] == ']';
    size_t length;

    if (!colon || !colon[1] || strspn(colon + 1, "0123456789") != strlen(colon + 1) ||
        strtoul(colon + 1, NULL, 10) > 65535)
        return false;
    length = (size_t)(colon - listen_on) - (is_bracketed ? 2 : 0);
    if (length == 0 || length >= host_size)
        return false;
    memcpy(host, listen_on + (is_bracketed ? 1 : 0), length);
    host[length] = '\0';
    *port = colon + 1;
    return true;
}

int fr_config_finish(struct fr_config *config, struct fr_faults *faults)
{
    const char *port;
    char host[sizeof config->listen];
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    const bool has_state = state && state[0] == '/';

    if (!config->static_dir[0])
        find_shipped("../share/forerun/static", "../static", config->static_dir,
                     sizeof config->static_dir);
    if (!config->calibrations[0])
        find_shipped("../share/forerun/calibrations", "../calibrations/sets", config->calibrations,
                     sizeof config->calibrations);
    if (!config->analyze_program[0])
        name_sibling("forerun-analyze", config->analyze_program, sizeof config->analyze_program);
    if (!fr_listen_split(config->listen, host, sizeof host, &port))
        return fr_fault(faults, FR_RANGE, "listen",
                        "'%s' is not ADDR:PORT, such as 127.0.0.1:8080 or [::1]:8080",
                        config->listen);
    if (!config->tls_certificate[0] != !config->tls_key[0])
        return fr_fault(faults, FR_MISSING, config->tls_key[0] ? "tls_certificate" : "tls_key",
                        "is needed with %s", config->tls_key[0] ? "tls_key" : "tls_certificate");
    if (config->db[0])
        return FR_OK;
    if (!has_state && !home)
        return fr_fault(faults, FR_MISSING, "db", "is needed where HOME is not set");
    if ((size_t)snprintf(config->db, sizeof config->db, "%s%s/forerun/forerun.db",
                         has_state ? state : home,
                         has_state ? "" : "/.local/state") >= sizeof config->db)
        return fr_fault(faults, FR_RANGE, "db", "the default path is too long");
    return FR_OK;
}
