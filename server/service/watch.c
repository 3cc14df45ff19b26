/* What other connections have written, and whether the store answers: looked at in rounds. */
#include "server/service/service.h"

#include "server/calibrations/catalogue.h"
#include "server/http/server.h"
#include "server/matrices/analysis.h"
#include "server/runs/residuals.h"
#include "server/store/store.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    TICK_MS = 100,
    SECOND_MS = 1000,
    MINUTE_MS = 60000,
    ANSWER_MS = 10000,
    CHANGES_BYTES = 16 * 1024 * 1024
};
/* A database that hangs takes at most half of it: ANSWER_MS, then the connection is lost, and a new
 * one waits 5 s for each host. */
static const uint64_t stuck_ns = UINT64_C(60) * 1000000000;

struct fr_watch {
    struct fr_server *server;
    struct fr_store *store;
    int64_t heard, seen; /* of fr_store_hear; the last row of the audit log */
    uint64_t next_second_ns, next_minute_ns;
    pthread_t thread;
    bool has_thread;
    _Atomic bool is_stopping;
    _Atomic uint64_t step_ns; /* when this round began, or its last change */
};

static void step(struct fr_watch *watch)
{
    atomic_store(&watch->step_ns, fr_clock_ns(watch->server->clock));
}

/* FR_NOT_FOUND, FR_NOMEM: to be tried again. */
static int follow_one(struct fr_watch *watch, const struct fr_news *change)
{
    struct fr_server *server = watch->server;
    int code = FR_OK;

    if (change->machine && strcmp(change->kind, "run") != 0)
        code = fr_catalog_follow(server->catalog, watch->store, change->machine);
    if (change->machine && strcmp(change->kind, "calibration") != 0)
        fr_residual_cache_follow(server->residuals, change->machine, change->sequence);
    if (code != FR_OK && code != FR_NOT_FOUND && code != FR_NOMEM)
        fr_log(&server->log, FR_LOG_ERROR, "catalog", "machine", change->machine, "error",
               "its newest calibration cannot be read", NULL);
    return code;
}

/* The caches follow what the audit log says. */
static bool follow(struct fr_watch *watch)
{
    struct fr_arena *arena = fr_arena_new(CHANGES_BYTES);
    int64_t seen = watch->seen;
    struct fr_news *changes;
    size_t count = 0;
    bool is_done =
        arena && fr_store_list_changes(watch->store, seen, arena, &changes, &count) == FR_STORE_OK;

    for (size_t i = 0; i < count && is_done; i++) {
        const int code = follow_one(watch, &changes[i]);

        step(watch);
        is_done = code != FR_NOT_FOUND && code != FR_NOMEM;
        if (changes[i].sequence > seen)
            seen = changes[i].sequence;
    }
    fr_arena_free(arena);
    if (is_done)
        watch->seen = seen;
    return is_done;
}

/* Notices what other connections have written; the analysis looks at its queue.  What fails is
 * tried again at the next tick. */
static void hear(struct fr_watch *watch)
{
    struct fr_server *server = watch->server;
    int64_t heard = watch->heard;
    bool is_current = fr_store_hear(watch->store, &heard) == FR_STORE_OK;

    if (is_current && heard != watch->heard) {
        is_current = follow(watch);
        fr_residual_cache_retry(server->residuals, FR_LEFT_OUT_MATRIX_MISSING);
        fr_analysis_wake(server->analysis);
    }
    if (is_current)
        watch->heard = heard;
    atomic_store(&server->is_behind, !is_current);
}

/* What was too long for one question may have been counted for others since, or the machine may be
 * less loaded. */
static void retry(struct fr_watch *watch)
{
    struct fr_clock *clock = watch->server->clock;

    if (fr_clock_ns(clock) < watch->next_minute_ns)
        return;
    watch->next_minute_ns = fr_clock_in_ms(clock, MINUTE_MS);
    fr_residual_cache_retry(watch->server->residuals, FR_LEFT_OUT_TOO_LONG);
}

static void *work(void *argument)
{
    struct fr_watch *watch = argument;
    struct fr_clock *clock = watch->server->clock;
    const struct timespec tick = { .tv_nsec = TICK_MS * 1000000L };

    while (!atomic_load(&watch->is_stopping)) {
        const bool is_second = fr_clock_ns(clock) >= watch->next_second_ns;

        nanosleep(&tick, NULL);
        step(watch);
        if (is_second || fr_store_is_shared(watch->store))
            hear(watch);
        if (!is_second)
            continue;
        watch->next_second_ns = fr_clock_in_ms(clock, SECOND_MS);
        retry(watch);
        fr_health_record(watch->server, watch->store);
    }
    return NULL;
}

struct fr_watch *fr_watch_new(struct fr_server *server, struct fr_store *store)
{
    struct fr_watch *watch = calloc(1, sizeof *watch);

    fr_store_limit(store, ANSWER_MS);
    /* Before the first look, so that nothing is missed between the two. */
    if (watch && fr_store_hear(store, &watch->heard) == FR_STORE_OK &&
        fr_store_newest_change(store, &watch->seen) == FR_STORE_OK) {
        watch->server = server;
        watch->store = store;
        step(watch);
        return watch;
    }
    fr_store_close(store);
    free(watch);
    return NULL;
}

bool fr_watch_start(struct fr_watch *watch)
{
    fr_health_record(watch->server, watch->store);
    watch->has_thread = pthread_create(&watch->thread, NULL, work, watch) == 0;
    if (!watch->has_thread)
        fr_log(&watch->server->log, FR_LOG_ERROR, "watch", "error", "the thread cannot start",
               NULL);
    return watch->has_thread;
}

bool fr_watch_is_stuck(const struct fr_watch *watch)
{
    const uint64_t now_ns = fr_clock_ns(watch->server->clock);
    const uint64_t step_ns = atomic_load(&watch->step_ns); /* perhaps after now_ns */

    return now_ns > step_ns && now_ns - step_ns > stuck_ns;
}

void fr_watch_stop(struct fr_watch *watch)
{
    if (!watch)
        return;
    atomic_store(&watch->is_stopping, true);
    if (watch->has_thread)
        pthread_join(watch->thread, NULL);
    fr_store_close(watch->store);
    free(watch);
}
