/* Log lines, and the settings from their three origins. */
#include "server/core/config.h"
#include "server/core/log.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/moved_clock.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* What fr_log writes to standard error, as one text. */
static void logged(struct fr_log *log, const char *value, char *out, size_t size)
{
    FILE *file = tmpfile();
    const int kept = dup(STDERR_FILENO);
    size_t length;

    assert_non_null(file);
    dup2(fileno(file), STDERR_FILENO);
    fr_log(log, FR_LOG_INFO, "test", "value", value, NULL);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    length = fread(out, 1, size - 1, file);
    out[length] = '\0';
    fclose(file);
}

TEST(plain_values_stand_bare_and_others_are_quoted)
{
    struct fr_log log = { .level = FR_LOG_INFO };
    char line[4096];

    logged(&log, "/api/v1", line, sizeof line);
    assert_int_equal(strncmp(line, "time=", 5), 0);
    assert_non_null(strstr(line, "Z level=info event=test value=/api/v1\n"));
    logged(&log, "a b=\"c\"\n\x01\\", line, sizeof line);
    assert_non_null(strstr(line, " value=\"a b=\\\"c\\\"\\n\\u0001\\\\\"\n"));
    logged(&log, "", line, sizeof line);
    assert_non_null(strstr(line, " value=\"\"\n"));
}

TEST(characters_that_hide_or_reverse_are_escaped)
{
    struct fr_log log = { .level = FR_LOG_INFO };
    char line[4096];

    logged(&log,
           "\xc2\x9b"
           "31m|\u202egnp.exe|\u2028|\ufeff|\u2066|\u200f|\u00e9\u20ac",
           line, sizeof line);
    assert_non_null(strstr(line, " value=\"\\u009b31m|\\u202egnp.exe|\\u2028|\\ufeff|\\u2066|"
                                 "\\u200f|\u00e9\u20ac\"\n"));
}

/* Makes a pipe standard error; returns the end to read, and in `*kept` what it was. */
static int piped(int *kept)
{
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    *kept = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    return ends[0];
}

TEST(a_reader_that_hangs_stops_nobody_and_learns_what_it_missed)
{
    enum { LINES = 10000 };
    struct fr_log log = { .level = FR_LOG_INFO };
    static char text[1 << 20], expected[64];
    int kept, reader = piped(&kept);
    size_t length = 0, written = 0;
    ssize_t got;

    for (int i = 0; i < LINES; i++)
        fr_log(&log, FR_LOG_INFO, "test", "value", "some line", NULL);
    snprintf(expected, sizeof expected, "event=lines_lost count=%llu\n",
             (unsigned long long)fr_log_lost(&log));
    assert_true(fr_log_lost(&log) > 0 && fr_log_lost(&log) < LINES);
    fcntl(reader, F_SETFL, O_NONBLOCK);
    while ((got = read(reader, text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)got;
    text[length] = '\0';
    for (const char *at = text; (at = strstr(at, "event=test")); at++)
        written++;
    assert_int_equal(written + fr_log_lost(&log), LINES);
    fr_log(&log, FR_LOG_INFO, "after", NULL);
    dup2(kept, STDERR_FILENO);
    close(kept);
    got = read(reader, text, sizeof text - 1);
    assert_true(got > 0);
    text[got] = '\0';
    close(reader);
    assert_non_null(strstr(text, expected));
    assert_true(strstr(text, "event=after") > strstr(text, expected));
    assert_null(strstr(strstr(text, expected) + strlen(expected), "lines_lost"));
}

TEST(refusals_beyond_a_number_in_a_second_are_counted)
{
    enum { MANY = 100000 };
    struct moved_clock clock;
    struct fr_log log = { .level = FR_LOG_INFO, .clock = &clock.clock };
    char text[4096], expected[64];
    unsigned taken = 0;
    int kept, reader = piped(&kept);
    ssize_t got;

    moved_clock_init(&clock);
    for (int i = 0; i < MANY; i++)
        taken += fr_log_takes_refusal(&log);
    assert_int_equal(taken, FR_LOG_REFUSALS_PER_S);
    snprintf(expected, sizeof expected, "event=refusals_left_out count=%d\n",
             MANY - FR_LOG_REFUSALS_PER_S);
    moved_clock_by_ms(&clock, 999);
    fr_log_tick(&log);
    assert_int_equal(log.left_out, MANY - FR_LOG_REFUSALS_PER_S);
    moved_clock_by_ms(&clock, 1);
    fr_log_tick(&log);
    dup2(kept, STDERR_FILENO);
    close(kept);
    got = read(reader, text, sizeof text - 1);
    assert_true(got > 0);
    text[got] = '\0';
    close(reader);
    assert_non_null(strstr(text, expected));
    assert_int_equal(log.left_out, 0);
}

TEST(a_value_cannot_forge_a_second_line)
{
    struct fr_log log = { .level = FR_LOG_INFO };
    char line[4096];

    logged(&log, "x\ntime=0 level=error event=forged", line, sizeof line);
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
}

TEST(json_lines_are_escaped_and_stay_whole_when_cut)
{
    struct fr_log log = { .level = FR_LOG_INFO, .is_json = true };
    char line[4096], big[4000];

    logged(&log, "a\"b\xff\xc3\xa9", line, sizeof line);
    assert_non_null(strstr(line, "\"level\":\"info\",\"event\":\"test\",\"value\":\"a\\\"b\\ufffd"
                                 "\xc3\xa9\"}\n"));
    memset(big, '"', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    logged(&log, big, line, sizeof line);
    assert_true(strlen(line) <= 2048);
    assert_string_equal(line + strlen(line) - 5, "\\\"\"}\n");
}

TEST(what_is_below_the_level_is_not_written)
{
    struct fr_log log = { .level = FR_LOG_WARNING };
    char line[4096];

    logged(&log, "x", line, sizeof line);
    assert_string_equal(line, "");
}

static const struct fr_setting *setting(const char *name)
{
    const struct fr_setting *found = fr_setting_find(name);

    assert_non_null(found);
    return found;
}

TEST(every_setting_is_described_and_has_a_legal_default)
{
    struct fr_config config;

    fr_config_init(&config);
    for (const struct fr_setting *s = fr_settings; s->param.name; s++) {
        struct fr_faults faults = { 0 };
        char text[FR_PATH_BYTES];

        assert_non_null(s->param.doc);
        assert_non_null(s->argument);
        fr_config_print(&config, s, text, sizeof text);
        assert_int_equal(fr_config_set(&config, s, text, FR_FROM_FILE, &faults), FR_OK);
        assert_true(s->param.kind != FR_KIND_TEXT || !s->is_reloaded);
    }
}

TEST(a_stronger_origin_wins)
{
    struct fr_faults faults = { 0 };
    struct fr_config config;

    fr_config_init(&config);
    fr_config_set(&config, setting("workers"), "7", FR_FROM_ARGUMENTS, &faults);
    fr_config_set(&config, setting("workers"), "9", FR_FROM_FILE, &faults);
    assert_int_equal(config.workers, 7);
    assert_int_equal(faults.count, 0);
}

TEST(refusals_name_the_setting_and_what_it_takes)
{
    struct fr_faults faults = { 0 };
    struct fr_config config;

    fr_config_init(&config);
    fr_config_set(&config, setting("workers"), "0", FR_FROM_FILE, &faults);
    fr_config_set(&config, setting("workers"), "many", FR_FROM_FILE, &faults);
    fr_config_set(&config, setting("log"), "xml", FR_FROM_FILE, &faults);
    fr_config_set(&config, setting("require_token_for_read"), "yes", FR_FROM_FILE, &faults);
    assert_int_equal(faults.count, 4);
    assert_string_equal(faults.fault[0].message, "0 is outside 1 to 256");
    assert_string_equal(faults.fault[1].message, "'many' is not a number");
    assert_string_equal(faults.fault[2].message, "'xml' is not one of text, json");
    assert_string_equal(faults.fault[3].message, "'yes' is neither true nor false");
    assert_int_equal(config.workers, 4);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

TEST(a_file_is_read_and_all_its_faults_told)
{
    struct fr_faults faults = { 0 };
    char path[] = "/tmp/forerun-config-XXXXXX";
    struct fr_config config;

    close(mkstemp(path));
    fr_config_init(&config);
    snprintf(config.file, sizeof config.file, "%s", path);
    write_file(path, "; comment\n[forerun]\nlisten = [::1]:9000\nworkers = 1e1\nlog = json\n");
    assert_int_equal(fr_config_read_file(&config, true, &faults), FR_OK);
    assert_string_equal(config.listen, "[::1]:9000");
    assert_int_equal(config.workers, 10);
    assert_int_equal(config.log, FR_LOG_AS_JSON);

    write_file(path, "worker = 3\nworkers = 3\nworkers = 4\nqueue_limit = 0\n");
    assert_int_not_equal(fr_config_read_file(&config, true, &faults), FR_OK);
    assert_int_equal(faults.count, 3);
    assert_string_equal(faults.fault[0].message, "no such setting; did you mean `workers`?");
    assert_string_equal(faults.fault[1].message, "given twice in the file");
    unlink(path);
    faults.count = 0;
    assert_int_equal(fr_config_read_file(&config, true, &faults), FR_NOT_FOUND);
    snprintf(config.file, sizeof config.file, "/tmp"); /* opens, and cannot be read */
    assert_int_equal(fr_config_read_file(&config, true, &faults), FR_NOT_FOUND);
}

TEST(a_line_may_be_as_long_as_a_value_and_ends_as_editors_end_it)
{
    static const char forms[] = "\xef\xbb\xbf# first\r\n[forerun]\r\n  queue_limit:7\t; few\r\n\r\n"
                                "proxies = a;b\n\tworkers = 2\n";
    struct fr_faults faults = { 0 };
    char path[] = "/tmp/forerun-config-XXXXXX", text[1100], url[1000];
    struct fr_config config;

    close(mkstemp(path));
    fr_config_init(&config);
    snprintf(config.file, sizeof config.file, "%s", path);
    memset(url, 'h', sizeof url - 1);
    url[sizeof url - 1] = '\0';
    memcpy(url, "postgresql://", 13);
    snprintf(text, sizeof text, "\n\ndb = %s\n", url);
    write_file(path, text);
    assert_int_equal(fr_config_read_file(&config, true, &faults), FR_OK);
    assert_string_equal(config.db, url);

    write_file(path, forms);
    assert_int_equal(fr_config_read_file(&config, true, &faults), FR_OK);
    assert_int_equal(config.queue_limit, 7);
    assert_string_equal(config.proxies, "a;b");
    assert_int_equal(config.workers, 2);

    snprintf(text, sizeof text, "db = %s\n\nworkers\n[open\n", url);
    write_file(path, text);
    assert_int_equal(fr_config_read_file(&config, true, &faults), FR_SYNTAX);
    assert_non_null(strstr(faults.fault[0].message, ": line 3 is not `name = value`"));
    unlink(path);
}

TEST(what_never_ends_or_never_begins_is_no_configuration)
{
    struct fr_faults faults = { 0 };
    char folder[] = "/tmp/forerun-config-XXXXXX";
    struct fr_config config;

    assert_non_null(mkdtemp(folder));
    fr_config_init(&config);
    snprintf(config.file, sizeof config.file, "%s/pipe", folder);
    assert_int_equal(mkfifo(config.file, 0600), 0);
    assert_int_equal(fr_config_read_file(&config, false, &faults), FR_NOT_FOUND);
    unlink(config.file);
    rmdir(folder);
    snprintf(config.file, sizeof config.file, "/dev/zero");
    assert_int_equal(fr_config_read_file(&config, false, &faults), FR_NOT_FOUND);
    assert_int_equal(fr_config_read_file(&config, true, &faults), FR_NOT_FOUND);
    assert_non_null(strstr(faults.fault[0].message, "pipe cannot be read: not a regular file"));
    assert_non_null(strstr(faults.fault[2].message, "larger than 1 MiB"));
}

TEST(a_reload_changes_what_may_change_and_tells_the_rest)
{
    struct fr_faults faults = { 0 };
    char path[] = "/tmp/forerun-config-XXXXXX";
    uint64_t changed, stuck;
    struct fr_config config;

    close(mkstemp(path));
    fr_config_init(&config);
    fr_config_set(&config, setting("config"), path, FR_FROM_ARGUMENTS, &faults);
    fr_config_set(&config, setting("db"), "/tmp/x.db", FR_FROM_ARGUMENTS, &faults);
    write_file(path, "log_level = debug\n");
    assert_int_equal(fr_config_read_file(&config, true, &faults), FR_OK);
    assert_int_equal(fr_config_finish(&config, &faults), FR_OK);

    write_file(path, "require_token_for_read = true\nworkers = 8\n");
    assert_int_equal(fr_config_reload(&config, &changed, &stuck, &faults), FR_OK);
    assert_int_equal(config.log_level, FR_LOG_INFO);
    assert_int_equal(config.require_token_for_read, 1);
    assert_int_equal(config.workers, 4);
    assert_int_equal(changed, 1u << (setting("log_level") - fr_settings) |
                                  1u << (setting("require_token_for_read") - fr_settings));
    assert_int_equal(stuck, 1u << (setting("workers") - fr_settings));

    write_file(path, "require_token_for_read = maybe\n");
    assert_int_not_equal(fr_config_reload(&config, &changed, &stuck, &faults), FR_OK);
    assert_int_equal(config.require_token_for_read, 1);
    unlink(path);
}

TEST(the_database_stands_in_the_state_folder_by_default)
{
    struct fr_faults faults = { 0 };
    struct fr_config config;

    setenv("XDG_STATE_HOME", "/state", 1);
    fr_config_init(&config);
    assert_int_equal(fr_config_finish(&config, &faults), FR_OK);
    assert_string_equal(config.db, "/state/forerun/forerun.db");
    unsetenv("XDG_STATE_HOME");
    setenv("HOME", "/home/ann", 1);
    fr_config_init(&config);
    assert_int_equal(fr_config_finish(&config, &faults), FR_OK);
    assert_string_equal(config.db, "/home/ann/.local/state/forerun/forerun.db");
}
