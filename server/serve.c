/* Starts the components of the daemon and stops them in reverse order. */
#include "server/serve.h"
#include "server/calibrations/catalogue.h"
#include "server/http/call.h"
#include "server/store/lock.h"
#include "server/store/store.h"

#include "server/charts/plot/plot.h"
#include "server/core/process.h"
#include "server/http/listener.h"
#include "server/json/value.h"
#include "server/machines/shipped.h"
#include "server/matrices/analysis.h"
#include "server/matrices/simulation.h"
#include "server/runs/residuals.h"
#include "server/service/service.h"

#include <errno.h>
#include <malloc.h>
#include <sodium.h>
#include <string.h>
#include <unistd.h>

/* Seconds that one request may spend on cache simulation; how long a start looks for damage: in
 * that time it reads a database of a gigabyte, and a larger one delays no restart for minutes. */
enum { KEPT_CHARTS = 512, MOST_COUNTING_S = 8, MOST_CHECK_MS = 2000 };

static bool is_empty(struct fr_store *store)
{
    struct fr_arena *arena = fr_arena_new(0);
    struct fr_machine *machines;
    size_t count = 1;

    if (arena)
        fr_store_list_machines(store, NULL, 1, arena, &machines, &count);
    fr_arena_free(arena);
    return count == 0;
}

/* Opens the store to migrate it, to fill an empty one and to decode its calibrations. */
static int load(struct fr_server *server)
{
    const char *const sets = server->config.calibrations;
    struct fr_store *store;

    if (fr_database_prepare(server->config.db, &server->log) != FR_OK)
        return FR_NOT_FOUND;
    if (fr_store_lock(server->config.db, FR_STORE_SERVED, &server->log, &server->store_lock) !=
            FR_STORE_OK ||
        fr_store_check_quickly(server->config.db, MOST_CHECK_MS, &server->log) != FR_STORE_OK)
        return FR_NOT_FOUND;
    store = fr_store_open(server->config.db, &server->log);
    if (!store)
        return FR_NOT_FOUND;
    server->watch = fr_watch_new(server, store);
    if (!server->watch)
        return FR_NOT_FOUND;
    if (sets[0] && is_empty(store)) {
        fr_import_folder(store, server->catalog, sets, &server->log);
        fr_shipped_import_runs(store, server->catalog, sets, &server->log);
    }
    if (sets[0])
        fr_shipped_import_facts(store, sets, &server->log);
    return fr_catalog_load(server->catalog, store, &server->log);
}

static int start(struct fr_server *server)
{
    struct fr_config *config = &server->config;
    struct fr_pool_options pool = {
        .workers = (unsigned)atomic_load(&config->workers),
        .queue_limit = (size_t)atomic_load(&config->queue_limit),
        .long_queue_limit = (size_t)atomic_load(&config->long_queue_limit),
        .store_path = config->db,
    };
    const struct fr_simulation_limits simulation = {
        .structures_bytes = (size_t)atomic_load(&config->structure_cache_bytes),
        .counts_bytes = (size_t)atomic_load(&config->simulation_cache_bytes),
        .updates = (double)atomic_load(&config->simulation_limit_updates),
        .counting_s = MOST_COUNTING_S,
        .clock = server->clock,
    };

    if (config->static_dir[0] && access(config->static_dir, R_OK | X_OK) != 0)
        fr_log(&server->log, FR_LOG_WARNING, "dashboard", "path", config->static_dir, "error",
               strerror(errno), NULL);
    if (fr_sandbox_missing())
        fr_log(&server->log, FR_LOG_WARNING, "sandbox", "missing", fr_sandbox_missing(), NULL);
    server->catalog = fr_catalog_new();
    server->charts = fr_cache_new(fr_shared_bytes_are,
                                  (size_t)atomic_load(&config->chart_cache_bytes), KEPT_CHARTS);
    server->simulations = fr_simulations_new(&simulation);
    server->residuals = fr_residual_cache_new(server->simulations);
    server->renderer = fr_renderer_new((unsigned)atomic_load(&config->charts_at_once),
                                       config->child_folders, server->clock);
    if (!server->catalog || !server->charts || !server->residuals || !server->simulations ||
        !server->renderer || load(server) != FR_OK)
        return FR_NOT_FOUND;
    server->pool = fr_pool_new(&pool, &server->log);
    pool.workers = 1;
    server->uploads = fr_pool_new(&pool, &server->log);
    if (!server->pool || !server->uploads)
        return FR_NOT_FOUND;
    server->analysis = fr_analysis_start(config, server->clock, &server->log, &server->metrics);
    if (!server->analysis)
        return FR_NOT_FOUND;
    server->upkeep = fr_upkeep_start(server);
    if (!server->upkeep)
        return FR_NOT_FOUND;
    if (!fr_watch_start(server->watch))
        return FR_NOT_FOUND;
    malloc_trim(0); /* documents were read */
    server->listener = fr_listener_start(server);
    return server->listener ? FR_OK : FR_NOT_FOUND;
}

static void apply_levels(struct fr_server *server)
{
    atomic_store(&server->log.level, (int)atomic_load(&server->config.log_level));
    server->log.is_json = atomic_load(&server->config.log) == FR_LOG_AS_JSON;
}

int fr_server_start(struct fr_server *server, const struct fr_config *config)
{
    int code;

    memset(server, 0, sizeof *server);
    server->config = *config;
    server->store_lock = -1;
    apply_levels(server);
    fr_metrics_init(&server->metrics);
    fr_token_uses_init(&server->token_uses);
    fr_json_memory_install();
    fr_store_hurry(config->db, false);
    if (sodium_init() < 0)
        return FR_NOT_FOUND;
    code = start(server);
    if (code != FR_OK)
        fr_server_stop(server);
    return code;
}

static void tell_settings(struct fr_server *server, uint64_t set, const char *what)
{
    for (const struct fr_setting *setting = fr_settings; setting->param.name; setting++) {
        char value[FR_PATH_BYTES];

        if (!(set & fr_setting_bit(setting)))
            continue;
        fr_config_print(&server->config, setting, value, sizeof value);
        fr_log(&server->log, FR_LOG_INFO, "reload", what, setting->param.name, "value", value,
               NULL);
    }
}

void fr_server_tick(struct fr_server *server)
{
    if (fr_clock_ns(server->clock) < server->next_second_ns)
        return;
    server->next_second_ns = fr_clock_in_ms(server->clock, 1000);
    fr_deadlines_check(server->listener);
    fr_log_tick(&server->log);
}

static void set_queue_limits(struct fr_pool *pool, const struct fr_config *config)
{
    fr_pool_set_queue_limits(pool, (size_t)atomic_load(&config->queue_limit),
                             (size_t)atomic_load(&config->long_queue_limit));
}

static bool reload_settings(struct fr_server *server)
{
    struct fr_faults faults;
    uint64_t changed, stuck;

    faults.count = 0;
    if (fr_config_reload(&server->config, &changed, &stuck, &faults) != FR_OK) {
        for (size_t i = 0; i < fr_faults_kept(&faults); i++)
            fr_log(&server->log, FR_LOG_ERROR, "reload", "setting", faults.fault[i].where, "error",
                   faults.fault[i].message, NULL);
        return false;
    }
    atomic_store(&server->log.level, (int)atomic_load(&server->config.log_level));
    set_queue_limits(server->pool, &server->config);
    set_queue_limits(server->uploads, &server->config);
    fr_log(&server->log, FR_LOG_INFO, "reload", "file", server->config.file, NULL);
    tell_settings(server, changed, "changed");
    tell_settings(server, stuck, "needs_restart");
    return true;
}

void fr_server_reload(struct fr_server *server)
{
    const bool is_set = reload_settings(server);
    const bool is_secure = fr_listener_reload(server->listener);

    fr_metrics_set(&server->metrics, FR_METRIC_RELOAD_REFUSED, !is_set || !is_secure);
}

void fr_server_stop(struct fr_server *server)
{
    const double timeout_s = (double)atomic_load(&server->config.drain_timeout_s);

    if (server->listener && !fr_listener_drain(server->listener, timeout_s))
        fr_log(&server->log, FR_LOG_WARNING, "stop", "detail", "some requests did not end in time",
               NULL);
    fr_store_hurry(server->config.db, true);
    fr_watch_stop(server->watch);
    if (server->simulations)
        fr_simulations_stop(server->simulations);
    /* Event loops may submit requests until they end, and they end only after the workers have
     * returned every request. */
    fr_pool_stop(server->pool);
    fr_pool_stop(server->uploads);
    fr_listener_stop(server->listener);
    fr_pool_free(server->pool);
    fr_pool_free(server->uploads);
    fr_analysis_stop(server->analysis);
    fr_upkeep_stop(server->upkeep);
    fr_token_uses_destroy(&server->token_uses);
    fr_store_unlock(server->store_lock);
    fr_renderer_free(server->renderer);
    fr_cache_free(server->charts);
    fr_residual_cache_free(server->residuals);
    fr_simulations_free(server->simulations);
    fr_catalog_free(server->catalog);
    server->pool = NULL;
    server->uploads = NULL;
    server->analysis = NULL;
    server->upkeep = NULL;
    server->watch = NULL;
    server->store_lock = -1;
    server->listener = NULL;
    server->renderer = NULL;
    server->charts = NULL;
    server->residuals = NULL;
    server->simulations = NULL;
    server->catalog = NULL;
}
