/* struct fr_server: the state of the daemon; nothing is global.  Handlers reach it as
 * rq->server. */
#ifndef FR_HTTP_SERVER_H
#define FR_HTTP_SERVER_H

#include "server/core/clock.h"
#include "server/core/config.h"
#include "server/core/log.h"
#include "server/http/limits.h"
#include "server/http/metrics.h"
#include "server/http/token.h"

#include <stdbool.h>

struct fr_catalog;
struct fr_cache;
struct fr_pool;
struct fr_analysis;
struct fr_renderer;
struct fr_residual_cache;
struct fr_simulations;
struct fr_listener; /* http/accept.c */
struct fr_upkeep;   /* service/upkeep.c */
struct fr_watch;    /* service/watch.c */

struct fr_server {
    struct fr_config config;
    struct fr_clock *clock; /* NULL: that of the system */
    struct fr_log log;
    struct fr_metrics metrics;
    struct fr_token_uses token_uses;
    struct fr_limits limits;
    /* Of the page's files, when last looked at: service/static.c. */
    _Atomic uint64_t static_version;
    struct fr_catalog *catalog;          /* decoded calibrations */
    struct fr_cache *charts;             /* fr_shared_bytes by ETag: rendered charts */
    struct fr_residual_cache *residuals; /* of saved runs; runs/residuals.h */
    struct fr_simulations *simulations;  /* block structures and simulation results; simulation.h */
    struct fr_renderer *renderer;
    struct fr_pool *pool;         /* the workers */
    struct fr_pool *uploads;      /* one worker for bodies in files: reading one takes gigabytes */
    struct fr_analysis *analysis; /* of matrices; analysis.h */
    struct fr_listener *listener;
    struct fr_upkeep *upkeep;
    int store_lock;                /* that no other daemon serves from the database; -1: none */
    _Atomic bool is_store_damaged; /* a request found it so */
    _Atomic bool is_behind;        /* the writes of others may have been missed */
    struct fr_watch *watch;        /* notices these */
    uint64_t next_second_ns;       /* of the main thread */
};

#endif
