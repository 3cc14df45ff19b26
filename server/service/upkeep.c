#include "server/service/service.h"

#include "server/http/server.h"
#include "server/store/store.h"

#include <pthread.h>
#include <stdlib.h>

enum { EVERY_MS = 60000, PAUSE_MS = 50, BATCH_BYTES = 256 * 1024 };

struct fr_upkeep {
    struct fr_server *server;
    struct fr_store *store;
    pthread_t thread;
    pthread_mutex_t lock; /* protects is_stopping */
    pthread_cond_t stops;
    bool is_stopping;
};

struct fr_retention fr_upkeep_rules(struct fr_config *config)
{
    return (struct fr_retention){ .run_days = atomic_load(&config->run_retention_days),
                                  .calibrations = atomic_load(&config->calibrations_kept),
                                  .audit_days = atomic_load(&config->audit_retention_days) };
}

/* False if the thread has to end. */
static bool wait_ms(struct fr_upkeep *upkeep, unsigned milliseconds)
{
    struct fr_clock *clock = upkeep->server->clock;
    const uint64_t until_ns = fr_clock_in_ms(clock, milliseconds);
    bool is_stopping;

    pthread_mutex_lock(&upkeep->lock);
    while (!upkeep->is_stopping && fr_clock_wait(clock, &upkeep->stops, &upkeep->lock, until_ns))
        continue;
    is_stopping = upkeep->is_stopping;
    pthread_mutex_unlock(&upkeep->lock);
    return !is_stopping;
}

static void prune(struct fr_upkeep *upkeep)
{
    const struct fr_retention rules = fr_upkeep_rules(&upkeep->server->config);
    size_t deleted;

    do {
        struct fr_arena *arena = fr_arena_new(BATCH_BYTES);

        deleted = 0;
        /* A failure has been logged; the next round tries again. */
        if (arena)
            fr_store_prune(upkeep->store, &rules, FR_UPKEEP_ROWS, arena, &deleted);
        fr_arena_free(arena);
    } while (deleted && wait_ms(upkeep, PAUSE_MS));
}

static void *work(void *argument)
{
    struct fr_upkeep *upkeep = argument;

    do {
        fr_token_uses_store(&upkeep->server->token_uses, upkeep->store);
        prune(upkeep);
    } while (wait_ms(upkeep, EVERY_MS));
    fr_token_uses_store(&upkeep->server->token_uses, upkeep->store);
    return NULL;
}

static void free_all(struct fr_upkeep *upkeep)
{
    fr_store_close(upkeep->store);
    pthread_cond_destroy(&upkeep->stops);
    pthread_mutex_destroy(&upkeep->lock);
    free(upkeep);
}

struct fr_upkeep *fr_upkeep_start(struct fr_server *server)
{
    struct fr_upkeep *upkeep = calloc(1, sizeof *upkeep);

    if (!upkeep)
        return NULL;
    upkeep->server = server;
    pthread_mutex_init(&upkeep->lock, NULL);
    pthread_cond_init(&upkeep->stops, NULL);
    upkeep->store = fr_store_open(server->config.db, &server->log);
    if (upkeep->store)
        fr_store_set_author(upkeep->store, &(struct fr_author){ .command = "retention" });
    if (upkeep->store && pthread_create(&upkeep->thread, NULL, work, upkeep) == 0)
        return upkeep;
    fr_log(&server->log, FR_LOG_ERROR, "upkeep", "error", "the thread cannot start", NULL);
    free_all(upkeep);
    return NULL;
}

void fr_upkeep_stop(struct fr_upkeep *upkeep)
{
    if (!upkeep)
        return;
    pthread_mutex_lock(&upkeep->lock);
    upkeep->is_stopping = true;
    pthread_cond_signal(&upkeep->stops);
    pthread_mutex_unlock(&upkeep->lock);
    pthread_join(upkeep->thread, NULL);
    free_all(upkeep);
}
