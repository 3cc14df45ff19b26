/* struct fr_server: everything alive while serving; nothing is global. */
#ifndef FR_SERVE_H
#define FR_SERVE_H

#include "server/calibrations/catalogue.h"
#include "server/core/config.h"
#include "server/core/log.h"
#include "server/core/work.h"
#include "server/http/metrics.h"
#include "server/store/store.h"

#include <semaphore.h>

struct fr_analysis;
struct fr_renderer;
struct fr_residual_cache;
struct fr_simulations;
struct fr_listener; /* http/accept.c */

struct fr_server {
    struct fr_config config;
    struct fr_log log;
    struct fr_metrics metrics;
    struct fr_catalog *catalog;          /* decoded calibrations; cache.h */
    struct fr_pictures *pictures;        /* rendered charts by ETag; cache.h */
    struct fr_residual_cache *histories; /* what saved runs tell; history.h */
    struct fr_simulations *simulations;  /* block structures and what was counted; simulation.h */
    struct fr_renderer *renderer;
    struct fr_pool *pool;         /* the workers */
    struct fr_analysis *analysis; /* of matrices; analysis.h */
    sem_t readings;               /* places for matrices that are read: they take much memory */
    struct fr_listener *listener;
    struct fr_store *watch; /* the main thread's, to notice what others write */
    int64_t watched_version;
};

/* Starts everything that `config` asks for; nothing is left running where it fails (logged).  End
 * with fr_server_stop. */
int fr_server_start(struct fr_server *server, const struct fr_config *config);
/* Reads the configuration file anew. */
void fr_server_reload(struct fr_server *server);
/* Takes over what another process (`forerund import`) has stored meanwhile; for every second. */
void fr_server_watch(struct fr_server *server);
/* Lets requests under way end, then stops everything in reverse. */
void fr_server_stop(struct fr_server *server);

#endif
