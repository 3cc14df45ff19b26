/* Log lines.  A line is assembled on the stack and written by one call, so that lines of different
 * threads never mix.  A line that does not fit is truncated. */
#include "server/core/log.h"

#include "server/core/clock.h"
#include "server/core/utf8.h"

#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE_BYTES = 2048, ESCAPE_BYTES = 6, END_BYTES = 4 };

struct line {
    char text[LINE_BYTES];
    size_t length;
    bool is_json;
};

const char *const fr_log_levels[] = { [FR_LOG_ERROR] = "error",
                                      [FR_LOG_WARNING] = "warning",
                                      [FR_LOG_INFO] = "info",
                                      [FR_LOG_DEBUG] = "debug",
                                      NULL };

static void put(struct line *line, const char *text, size_t length)
{
    /* Leaves space for the end of the line: a quote, a brace, a newline. */
    if (length > LINE_BYTES - END_BYTES - line->length)
        return;
    memcpy(line->text + line->length, text, length);
    line->length += length;
}

static bool is_bare(const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789._:/+-@{},*%~";

    return *text && text[strspn(text, plain)] == '\0';
}

/* Writes one character, escaped if it could end the value or the line; returns the bytes read. */
static size_t put_character(struct line *line, const char *text, size_t left)
{
    const unsigned char c = (unsigned char)*text;
    uint32_t code;
    const size_t step = fr_utf8_decode(text, left, &code);
    char escape[ESCAPE_BYTES + 1];

    if (c == '"' || c == '\\')
        snprintf(escape, sizeof escape, "\\%c", c);
    else if (c == '\n')
        snprintf(escape, sizeof escape, "\\n");
    else if (step && fr_utf8_is_hidden(code))
        snprintf(escape, sizeof escape, "\\u%04x", (unsigned)code);
    else if (!step)
        snprintf(escape, sizeof escape, "\\ufffd");
    else {
        put(line, text, step);
        return step;
    }
    put(line, escape, strlen(escape));
    return step ? step : 1;
}

static void put_quoted(struct line *line, const char *text)
{
    const size_t length = strlen(text);

    put(line, "\"", 1);
    /* Stops early, so that the closing quote is never truncated. */
    for (size_t i = 0; i < length && line->length + ESCAPE_BYTES < LINE_BYTES - 2 * END_BYTES;)
        i += put_character(line, text + i, length - i);
    line->text[line->length++] = '"';
}

static void put_pair(struct line *line, const char *key, const char *value)
{
    if (line->length + strlen(key) + 16 > LINE_BYTES - 2 * END_BYTES)
        return;
    if (line->is_json) {
        put(line, line->length ? ",\"" : "{\"", 2);
        put(line, key, strlen(key));
        put(line, "\":", 2);
        put_quoted(line, value);
        return;
    }
    if (line->length)
        put(line, " ", 1);
    put(line, key, strlen(key));
    put(line, "=", 1);
    if (is_bare(value) && strlen(value) < LINE_BYTES / 2)
        put(line, value, strlen(value));
    else
        put_quoted(line, value);
}

static void put_time(struct line *line)
{
    struct timespec now;
    struct tm utc;
    char text[64];
    size_t length;

    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    length = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(text + length, sizeof text - length, ".%03dZ", (int)(now.tv_nsec / 1000000));
    put_pair(line, "time", text);
}

static void begin(struct line *line, const struct fr_log *log, enum fr_log_level level,
                  const char *event)
{
    line->length = 0;
    line->is_json = log->is_json;
    put_time(line);
    put_pair(line, "level", fr_log_levels[level]);
    put_pair(line, "event", event);
}

/* Protects the log's counts, and makes one of looking for room and writing. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Whether a line can be written at once: a pipe then takes at least 4,096 bytes.  Nobody waits for
 * a reader that hangs. */
static bool has_room(void)
{
    struct pollfd out = { .fd = STDERR_FILENO, .events = POLLOUT };

    return poll(&out, 1, 0) == 1 && out.revents & POLLOUT;
}

/* Called locked; false if there is no room. */
static bool write_line(struct line *line)
{
    ssize_t written;

    if (!has_room())
        return false;
    if (line->is_json)
        line->text[line->length++] = '}';
    line->text[line->length++] = '\n';
    written = write(STDERR_FILENO, line->text, line->length);
    (void)written; /* a failure to write the log cannot be reported anywhere */
    return true;
}

/* Writes a line of a count, unless it is zero; true if it is told.  Called locked. */
static bool tell_count(struct fr_log *log, const char *event, uint64_t count)
{
    struct line line;
    char text[24];

    if (!count)
        return true;
    snprintf(text, sizeof text, "%" PRIu64, count);
    begin(&line, log, FR_LOG_WARNING, event);
    put_pair(&line, "count", text);
    return write_line(&line);
}

static void end(struct fr_log *log, struct line *line)
{
    pthread_mutex_lock(&lock);
    if (tell_count(log, "lines_lost", log->untold_lost))
        log->untold_lost = 0;
    if (log->untold_lost || !write_line(line)) {
        log->untold_lost++;
        log->lost++;
    }
    pthread_mutex_unlock(&lock);
}

/* Called locked. */
static void begin_second(struct fr_log *log)
{
    const uint64_t second = fr_clock_ns(log->clock) / 1000000000;

    if (second == log->second)
        return;
    if (tell_count(log, "refusals_left_out", log->left_out))
        log->left_out = 0;
    log->second = second;
    log->refusals = 0;
}

bool fr_log_takes_refusal(struct fr_log *log)
{
    bool is_taken;

    pthread_mutex_lock(&lock);
    begin_second(log);
    is_taken = log->refusals < FR_LOG_REFUSALS_PER_S;
    if (is_taken)
        log->refusals++;
    else
        log->left_out++;
    pthread_mutex_unlock(&lock);
    return is_taken;
}

void fr_log_tick(struct fr_log *log)
{
    pthread_mutex_lock(&lock);
    begin_second(log);
    if (tell_count(log, "lines_lost", log->untold_lost))
        log->untold_lost = 0;
    pthread_mutex_unlock(&lock);
}

uint64_t fr_log_lost(struct fr_log *log)
{
    uint64_t lost;

    pthread_mutex_lock(&lock);
    lost = log->lost;
    pthread_mutex_unlock(&lock);
    return lost;
}

static bool is_wanted(struct fr_log *log, enum fr_log_level level)
{
    return (int)level <= atomic_load_explicit(&log->level, memory_order_relaxed);
}

void fr_log(struct fr_log *log, enum fr_log_level level, const char *event, ...)
{
    struct line line;
    va_list pairs;

    if (!is_wanted(log, level))
        return;
    begin(&line, log, level, event);
    va_start(pairs, event);
    for (const char *key; (key = va_arg(pairs, const char *));)
        put_pair(&line, key, va_arg(pairs, const char *));
    va_end(pairs);
    end(log, &line);
}

void fr_logf(struct fr_log *log, enum fr_log_level level, const char *event, const char *format,
             ...)
{
    char detail[LINE_BYTES / 2];
    struct line line;
    va_list arguments;

    if (!is_wanted(log, level))
        return;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    begin(&line, log, level, event);
    put_pair(&line, "detail", detail);
    end(log, &line);
}
