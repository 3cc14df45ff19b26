#include "server/service/service.h"

#include "server/charts/plot/plot.h"
#include "server/core/process.h"
#include "server/http/address.h"
#include "server/http/listener.h"
#include "server/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

/* The time for the check of the database, which a large one exceeds, and for each program. */
enum { CHECK_MS = 10000, PROGRAM_MS = 10000, PROGRAM_S = 10 };
static const size_t program_bytes = (size_t)1 << 32;
/* A disk with less is full for SQLite soon; a daemon built in 2026 runs no earlier. */
static const uint64_t least_free_bytes = 64 << 20;
static const time_t least_time = 1767225600; /* 2026-01-01T00:00:00Z */
/* A certificate is renewed by then. */
enum { CLOCK_SLACK_S = 60, RENEWAL_S = 14 * 86400 };

struct doctor {
    struct fr_config *config;
    struct fr_log *log;
    struct fr_writer *out;
    enum fr_finding gravest;
};

static void tell(struct doctor *doctor, enum fr_finding finding, const char *name,
                 const char *format, ...) FR_PRINTF(4, 5);

static void tell(struct doctor *doctor, enum fr_finding finding, const char *name,
                 const char *format, ...)
{
    static const char *const words[] = { "ok", "warning", "fault" };
    char text[FR_PATH_BYTES + 400];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fr_writer_printf(doctor->out, "%s %s: %s\n", words[finding], name, text);
    if (finding > doctor->gravest)
        doctor->gravest = finding;
}

static bool is_folder(const char *path)
{
    return access(path, R_OK | X_OK) == 0;
}

static bool is_local(const char *listen_on)
{
    static const char *const local[] = { "127.", "[::1]:", "localhost:" };
    bool is_found = false;

    for (size_t i = 0; i < sizeof local / sizeof *local; i++)
        is_found |= strncmp(listen_on, local[i], strlen(local[i])) == 0;
    return is_found;
}

/* As browsers send it: a scheme and a host in small letters, and a port perhaps, with no slash
 * behind. */
static bool is_origin(const char *text)
{
    const char *host = strstr(text, "://");

    return host && host > text && host[3] && !strpbrk(host + 3, "/ ,*") &&
           !strpbrk(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
}

static void check_configuration(struct doctor *doctor)
{
    const struct fr_config *config = doctor->config;
    struct fr_proxies proxies;
    enum fr_finding before = doctor->gravest;

    if (!fr_proxies_parse(config->proxies, &proxies))
        tell(doctor, FR_FINDING_FAULT, "configuration",
             "proxies: `%s` has what is no address, or more than %d; write addresses, not names",
             config->proxies, FR_MAX_PROXIES);
    if (!config->static_dir[0] || !is_folder(config->static_dir))
        tell(doctor, FR_FINDING_WARNING, "configuration",
             "static: the folder of the dashboard `%s` cannot be read; install it, or correct the "
             "setting",
             config->static_dir);
    if (!config->calibrations[0] || !is_folder(config->calibrations))
        tell(doctor, FR_FINDING_WARNING, "configuration",
             "calibrations: the folder `%s` cannot be read, so that a new database stays empty; "
             "install it, or correct the setting",
             config->calibrations);
    if (config->cors_write_origin[0] && !is_origin(config->cors_write_origin))
        tell(doctor, FR_FINDING_WARNING, "configuration",
             "cors_write_origin: no browser sends `%s`, so that no page of others may write; write "
             "one origin such as https://tools.example.org, without a slash behind it",
             config->cors_write_origin);
    if (!config->tls_certificate[0] && !is_local(config->listen))
        tell(
            doctor, FR_FINDING_WARNING, "configuration",
            "listen: %s serves other hosts without TLS; set tls_certificate and tls_key, or listen "
            "on 127.0.0.1 behind a reverse proxy",
            config->listen);
    if (doctor->gravest == before)
        tell(doctor, FR_FINDING_OK, "configuration", "%s",
             config->file[0] ? config->file : "no file, all defaults");
}

static void check_tls(struct doctor *doctor, time_t now)
{
    const struct fr_config *config = doctor->config;
    struct fr_faults faults;
    struct fr_tls *tls;
    struct stat key;
    struct tm utc;
    char day[16];
    time_t expiry;

    faults.count = 0;
    if (!config->tls_certificate[0])
        return;
    tls = fr_tls_open(config->tls_certificate, config->tls_key, &faults);
    for (size_t i = 0; i < fr_faults_kept(&faults); i++)
        tell(doctor, FR_FINDING_FAULT, "tls", "%s: %s", faults.fault[i].where,
             faults.fault[i].message);
    if (!tls)
        return;
    expiry = fr_tls_expiry(tls);
    fr_tls_close(tls);
    strftime(day, sizeof day, "%Y-%m-%d", gmtime_r(&expiry, &utc));
    if (expiry <= now)
        tell(doctor, FR_FINDING_FAULT, "tls", "%s ended on %s; renew it and reload",
             config->tls_certificate, day);
    else if (expiry < now + RENEWAL_S)
        tell(doctor, FR_FINDING_WARNING, "tls", "%s ends on %s; renew it and reload",
             config->tls_certificate, day);
    else
        tell(doctor, FR_FINDING_OK, "tls", "%s is good until %s", config->tls_certificate, day);
    if (stat(config->tls_key, &key) == 0 && key.st_mode & S_IRWXO)
        tell(doctor, FR_FINDING_WARNING, "tls",
             "%s: other users may read it (mode %03o); chmod 640", config->tls_key,
             (unsigned)key.st_mode & 0777);
}

/* False if the database cannot be looked at. */
static bool check_permissions(struct doctor *doctor)
{
    const char *path = doctor->config->db;
    char folder[FR_PATH_BYTES];
    const char *slash = strrchr(path, '/');
    struct stat found;

    if (fr_config_is_url(path)) /* its server knows who may use it */
        return true;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1,
             slash ? path : ".");
    if (stat(path, &found) != 0) {
        tell(doctor, FR_FINDING_FAULT, "permissions",
             "%s: %s; start the daemon once, or name the database with --db or --config", path,
             strerrordesc_np(errno));
        return false;
    }
    if (access(path, R_OK | W_OK) != 0 || access(folder, R_OK | W_OK | X_OK) != 0) {
        tell(doctor, FR_FINDING_FAULT, "permissions",
             "%s: this user may not read and write the file and its folder; run as the user of the "
             "daemon, or change the owner",
             path);
        return false;
    }
    if (found.st_mode & (S_IRWXG | S_IRWXO))
        tell(doctor, FR_FINDING_WARNING, "permissions",
             "%s: other users may use it (mode %03o); chmod 600", path,
             (unsigned)found.st_mode & 0777);
    else if (found.st_uid != geteuid())
        tell(doctor, FR_FINDING_WARNING, "permissions",
             "%s: it belongs to user %u; what user %u writes beside it may be closed to the daemon",
             path, (unsigned)found.st_uid, (unsigned)geteuid());
    else
        tell(doctor, FR_FINDING_OK, "permissions", "%s is for its owner only", path);
    return true;
}

/* False if the database is not of this version. */
static bool check_schema(struct doctor *doctor)
{
    const char *db = doctor->config->db;
    int version = 0, newest = 0;
    const int result = fr_store_schema(db, doctor->log, &version, &newest);

    if (result != FR_STORE_OK && fr_config_is_url(db))
        tell(doctor, FR_FINDING_FAULT, "schema",
             "the server does not answer, refuses this user, or takes no writes: the line of the "
             "log says why; start it, or correct db");
    else if (result == FR_STORE_OK && version == 0 && fr_config_is_url(db))
        tell(doctor, FR_FINDING_FAULT, "schema",
             "the database has no tables of forerund; start the daemon once, or correct db");
    else if (result != FR_STORE_OK || version == 0)
        tell(doctor, FR_FINDING_FAULT, "schema",
             "this is not a database of forerund; correct db, or restore a backup");
    else if (version > newest)
        tell(doctor, FR_FINDING_FAULT, "schema",
             "version %d is newer than this program, which knows %d; install the newer forerund",
             version, newest);
    else if (version < newest)
        tell(doctor, FR_FINDING_WARNING, "schema",
             "version %d is migrated to %d when the daemon opens it; back it up first", version,
             newest);
    else
        tell(doctor, FR_FINDING_OK, "schema", "version %d", version);
    return version == newest && version > 0;
}

/* A server looks for damage itself; whether it answers is ours to know. */
static void check_server(struct doctor *doctor)
{
    struct fr_store *store = fr_store_open(doctor->config->db, doctor->log);
    const char *trouble =
        store ? fr_store_trouble(store) : "It cannot be opened; the log says why.";

    tell(doctor, trouble ? FR_FINDING_FAULT : FR_FINDING_OK, "store", "%s",
         trouble ? trouble : "it answers, and takes writes");
    fr_store_close(store);
}

static void check_store(struct doctor *doctor, bool is_current)
{
    if (fr_config_is_url(doctor->config->db)) {
        if (is_current)
            check_server(doctor);
        return;
    }
    if (fr_store_check_quickly(doctor->config->db, CHECK_MS, doctor->log) == FR_STORE_OK)
        tell(doctor, FR_FINDING_OK, "store", "no damage found");
    else
        tell(doctor, FR_FINDING_FAULT, "store",
             "it is damaged or does not answer; stop the daemon and restore a backup (`forerund "
             "check` lists the damage)");
}

static void check_disk(struct doctor *doctor)
{
    const uint64_t uploads = (uint64_t)atomic_load(&doctor->config->uploads_limit_bytes);
    struct statvfs found;
    uint64_t free_bytes;

    if (fr_config_is_url(doctor->config->db)) /* the disk is its server's */
        return;
    if (statvfs(doctor->config->db, &found) != 0) {
        tell(doctor, FR_FINDING_FAULT, "disk", "%s; is it mounted?", strerrordesc_np(errno));
        return;
    }
    free_bytes = (uint64_t)found.f_bavail * found.f_frsize;
    if (free_bytes < least_free_bytes)
        tell(doctor, FR_FINDING_FAULT, "disk",
             "%llu bytes are free: uploads are refused soon; free some, or lower what is kept "
             "(`forerund prune --dry-run`)",
             (unsigned long long)free_bytes);
    else if (free_bytes < uploads)
        tell(doctor, FR_FINDING_WARNING, "disk",
             "%llu bytes are free, less than uploads may take (uploads_limit_bytes = %llu); free "
             "some, or lower the setting",
             (unsigned long long)free_bytes, (unsigned long long)uploads);
    else
        tell(doctor, FR_FINDING_OK, "disk", "%llu bytes are free", (unsigned long long)free_bytes);
}

/* The time of the newest write; empty without any. */
static void newest_write(struct doctor *doctor, char *at, size_t size)
{
    struct fr_store *store = fr_store_open(doctor->config->db, doctor->log);
    struct fr_arena *arena = fr_arena_new(1 << 20);
    struct fr_audit_entry *entry;
    size_t count = 0;

    *at = '\0';
    if (store && arena && fr_store_list_audit(store, 0, 1, arena, &entry, &count) == FR_STORE_OK &&
        count)
        snprintf(at, size, "%s", entry->at);
    fr_arena_free(arena);
    fr_store_close(store);
}

static void check_clock(struct doctor *doctor, time_t now, bool has_store)
{
    const time_t latest = now + CLOCK_SLACK_S;
    char newest[40] = "", limit[40];
    struct tm utc;

    if (has_store)
        newest_write(doctor, newest, sizeof newest);
    strftime(limit, sizeof limit, "%Y-%m-%dT%H:%M:%S.000Z", gmtime_r(&latest, &utc));
    if (now < least_time)
        tell(doctor, FR_FINDING_FAULT, "clock",
             "it is before 2026, so that no token expires; set it (timedatectl)");
    else if (strcmp(newest, limit) > 0)
        tell(doctor, FR_FINDING_FAULT, "clock",
             "the newest write, %s, is in the future: the clock was wrong then, or is now; set it "
             "(timedatectl)",
             newest);
    else
        tell(doctor, FR_FINDING_OK, "clock", "%s",
             *newest ? "later than the newest write" : "after 2025; no write is known");
}

static void check_gnuplot(struct doctor *doctor)
{
    struct fr_plot plot = { .format = FR_SVG };
    const double x[] = { 1, 2 };
    const struct fr_series line = { .label = "", .x = x, .y = x, .count = 2 };
    const struct fr_plot_axis axis = { .title = "" };
    struct fr_renderer *renderer = fr_renderer_new(1, doctor->config->child_folders, NULL);
    struct fr_writer picture;
    char why[256] = "no memory";

    fr_writer_init(&plot.script);
    fr_writer_init(&picture);
    fr_plot_lines(&plot, "", &axis, &axis, &line, 1);
    if (renderer && fr_render(renderer, &plot, &picture, why, sizeof why) == FR_RENDERED)
        tell(doctor, FR_FINDING_OK, "gnuplot", "it draws");
    else
        tell(doctor, FR_FINDING_WARNING, "gnuplot",
             "no charts: %s; install gnuplot-nox and fonts-dejavu-core", why);
    fr_renderer_free(renderer);
    fr_writer_free(&plot.script);
    fr_writer_free(&picture);
}

/* NULL if the program starts and ends well, else what is wrong. */
static const char *run_analyze(const char *path, const char *folders)
{
    char name[FR_PATH_BYTES];
    char *const arguments[] = { name, (char[]){ "--help" }, NULL };
    char *const environment[] = { (char[]){ "PATH=/usr/bin:/bin" }, NULL };
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    const struct fr_program program = { .arguments = arguments,
                                        .environment = environment,
                                        .input = nothing,
                                        .output = nothing,
                                        .error = nothing,
                                        .folders = folders,
                                        .cpu_s = PROGRAM_S,
                                        .memory_bytes = program_bytes,
                                        .file_bytes = 1 << 20 };
    int error, status = 0;
    pid_t pid;

    snprintf(name, sizeof name, "%s", path);
    error = nothing < 0 ? errno : fr_process_start(&program, &pid);
    if (nothing >= 0)
        close(nothing);
    if (error)
        return strerrordesc_np(error);
    if (!fr_process_wait(pid, NULL, PROGRAM_MS, &status))
        return "it hangs";
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NULL : "it does not run";
}

static void check_analyze(struct doctor *doctor)
{
    const char *path = doctor->config->analyze_program;
    const char *trouble = run_analyze(path, doctor->config->child_folders);

    if (trouble)
        tell(doctor, FR_FINDING_WARNING, "analysis",
             "no analyses of matrices: %s: %s; install forerun-analyze or set analyze_program, and "
             "child_folders if its libraries are not in folders of the system",
             path, trouble);
    else
        tell(doctor, FR_FINDING_OK, "analysis", "%s runs", path);
}

enum fr_finding fr_doctor(struct fr_config *config, time_t now, struct fr_log *log,
                          struct fr_writer *out)
{
    struct doctor doctor = { .config = config, .log = log, .out = out };
    bool is_usable, is_current = false;

    check_configuration(&doctor);
    check_tls(&doctor, now);
    is_usable = check_permissions(&doctor);
    if (is_usable) {
        is_current = check_schema(&doctor);
        check_store(&doctor, is_current);
        check_disk(&doctor);
    }
    check_clock(&doctor, now, is_current);
    check_gnuplot(&doctor);
    check_analyze(&doctor);
    return doctor.gravest;
}
