/* What forerund doctor finds: each trouble is caused here. */
#include "server/service/service.h"
#include "server/store/sqlite/sqlite.h"
#include "tests/unit/support/store_check.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

static struct fr_config config;

/* A healthy daemon: a new database for its owner only, and programs that run. */
static int make_healthy(void **state)
{
    struct fixture *f;

    if (make_folder(state) != 0)
        return -1;
    f = *state;
    f->log.level = -1; /* damage is logged too */
    fr_config_init(&config);
    snprintf(config.db, sizeof config.db, "%s", f->path);
    snprintf(config.static_dir, sizeof config.static_dir, "static");
    snprintf(config.calibrations, sizeof config.calibrations, "calibrations/sets");
    snprintf(config.analyze_program, sizeof config.analyze_program, "/bin/true");
    atomic_store(&config.uploads_limit_bytes, 1024);
    fr_store_close(opened(f, f->path));
    return 0;
}

/* Looks; `said` gets all lines. */
static enum fr_finding looked_at(struct fixture *f, time_t now, char said[4096])
{
    struct fr_writer out;
    enum fr_finding finding;

    fr_writer_init(&out);
    finding = fr_doctor(&config, now, &f->log, &out);
    snprintf(said, 4096, "%.*s", (int)out.length, out.text);
    fr_writer_free(&out);
    return finding;
}

static void assert_found(struct fixture *f, enum fr_finding finding, const char *line)
{
    char said[4096];

    if (looked_at(f, time(NULL), said) != finding || !strstr(said, line))
        fail_msg("not found: %s\n%s", line, said);
}

static void change(struct fixture *f, const char *sql)
{
    struct fr_sqlite *store = fr_sqlite_connect(f->path, &f->log);

    assert_int_equal(sqlite3_exec(store->db, sql, NULL, NULL, NULL), SQLITE_OK);
    fr_sqlite_close(store);
}

#define DOCTOR_TEST(name) TEST_OF(name, struct fixture *f, make_healthy, remove_folder)

DOCTOR_TEST(a_healthy_daemon_has_eight_good_lines)
{
    char said[4096], *line = said;
    size_t count = 0;

    if (looked_at(f, time(NULL), said) != FR_FINDING_OK)
        fail_msg("%s", said);
    for (; *line; line = strchr(line, '\n') + 1, count++)
        assert_int_equal(strncmp(line, "ok ", 3), 0);
    assert_int_equal(count, 8);
}

DOCTOR_TEST(a_configuration_is_judged)
{
    snprintf(config.listen, sizeof config.listen, "localhost:8080");
    snprintf(config.cors_write_origin, sizeof config.cors_write_origin, "https://a.example:8443");
    assert_found(f, FR_FINDING_OK, "ok configuration: ");
    snprintf(config.cors_write_origin, sizeof config.cors_write_origin, "https://a.example/");
    assert_found(f, FR_FINDING_WARNING, "warning configuration: cors_write_origin: no browser");
    snprintf(config.listen, sizeof config.listen, "0.0.0.0:8080");
    assert_found(f, FR_FINDING_WARNING, "warning configuration: listen: 0.0.0.0:8080 serves");
    snprintf(config.static_dir, sizeof config.static_dir, "/nowhere");
    assert_found(f, FR_FINDING_WARNING, "warning configuration: static: ");
    snprintf(config.calibrations, sizeof config.calibrations, "/nowhere");
    assert_found(f, FR_FINDING_WARNING, "warning configuration: calibrations: ");
    snprintf(config.proxies, sizeof config.proxies, "proxy.example.org");
    assert_found(f, FR_FINDING_FAULT, "fault configuration: proxies: `proxy.example.org`");
}

DOCTOR_TEST(permissions_are_judged)
{
    chmod(f->path, 0644);
    assert_found(f, FR_FINDING_WARNING, "warning permissions: ");
    unlink(f->path);
    assert_found(f, FR_FINDING_FAULT, "fault permissions: ");
    assert_found(f, FR_FINDING_FAULT, "ok clock: after 2025; no write is known");
    assert_int_not_equal(access(f->path, F_OK), 0);
}

DOCTOR_TEST(a_schema_is_judged_and_not_migrated)
{
    int version, newest;

    change(f, "PRAGMA user_version = 1");
    assert_found(f, FR_FINDING_WARNING, "warning schema: version 1 is migrated");
    assert_int_equal(fr_store_schema(f->path, &f->log, &version, &newest), FR_STORE_OK);
    assert_int_equal(version, 1);
    change(f, "PRAGMA user_version = 999");
    assert_found(f, FR_FINDING_FAULT, "fault schema: version 999 is newer");
    change(f, "PRAGMA user_version = 0");
    assert_found(f, FR_FINDING_FAULT, "fault schema: this is not a database of forerund");
}

DOCTOR_TEST(damage_is_a_fault)
{
    const int file = open(f->path, O_RDWR | O_CLOEXEC);
    char garbage[4096];

    memset(garbage, 0x5a, sizeof garbage);
    for (int page = 1; page < 8; page++)
        assert_int_equal(pwrite(file, garbage, sizeof garbage, page * 4096L), sizeof garbage);
    close(file);
    assert_found(f, FR_FINDING_FAULT, "fault store: ");
}

DOCTOR_TEST(a_disk_with_less_than_uploads_may_take_is_a_warning)
{
    atomic_store(&config.uploads_limit_bytes, INT64_MAX);
    assert_found(*state, FR_FINDING_WARNING, "warning disk: ");
}

DOCTOR_TEST(a_clock_that_is_behind_is_a_fault)
{
    struct fr_store *store = opened(f, f->path);
    char said[4096];

    add(store, "c1", "m");
    fr_store_close(store);
    assert_int_equal(looked_at(f, time(NULL), said), FR_FINDING_OK);
    assert_int_equal(looked_at(f, time(NULL) - 86400, said), FR_FINDING_FAULT);
    assert_non_null(strstr(said, "fault clock: the newest write, 2"));
    assert_int_equal(looked_at(f, 1000, said), FR_FINDING_FAULT);
    assert_non_null(strstr(said, "fault clock: it is before 2026"));
}

DOCTOR_TEST(missing_programs_are_warnings)
{
    char path[4096];

    snprintf(path, sizeof path, "%s", getenv("PATH"));
    setenv("PATH", f->folder, 1);
    assert_found(f, FR_FINDING_WARNING, "warning gnuplot: no charts: cannot start gnuplot");
    setenv("PATH", path, 1);
    snprintf(config.analyze_program, sizeof config.analyze_program, "/nowhere/forerun-analyze");
    assert_found(f, FR_FINDING_WARNING, "warning analysis: ");
    snprintf(config.analyze_program, sizeof config.analyze_program, "/bin/false");
    assert_found(f, FR_FINDING_WARNING, "/bin/false: it does not run");
}
