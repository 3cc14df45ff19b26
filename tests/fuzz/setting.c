#include "tests/fuzz/setting.h"
#include "server/calibrations/catalogue.h"

#include "server/charts/plot/plot.h"
#include "server/http/server.h"
#include "server/matrices/simulation.h"
#include "server/runs/residuals.h"
#include "server/store/store.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_BYTES = 4 * 1024 * 1024, CHART_CACHE_BYTES = 64 * 1024 };

static struct fr_server server;
static struct fr_store *store;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct fr_mismatches mismatches;
    struct fr_faults faults;
    fr_uses loaded_parts;
    bool created;
    char id[17];

    (void)argc, (void)argv;
    faults.count = 0;
    atomic_init(&server.log.level, FR_LOG_ERROR);
    fr_metrics_init(&server.metrics);
    server.catalog = fr_catalog_new();
    server.charts = fr_cache_new(fr_shared_bytes_are, CHART_CACHE_BYTES, 512);
    server.renderer = fr_renderer_new(1, NULL, NULL);
    server.simulations = fr_simulations_new(&(struct fr_simulation_limits){
        .structures_bytes = CHART_CACHE_BYTES, .counts_bytes = CHART_CACHE_BYTES, .updates = 1e5 });
    server.residuals = fr_residual_cache_new(server.simulations);
    store = sodium_init() < 0 ? NULL : fr_store_open(":memory:", &server.log);
    if (server.catalog && server.charts && server.renderer && server.simulations &&
        server.residuals && store &&
        fr_import_file(store, server.catalog, "calibrations/sets/hopper.json", id, &created,
                       &mismatches, &loaded_parts, &faults) == FR_OK)
        return 0;
    fprintf(stderr, "fuzz: calibrations/sets/hopper.json cannot be used; run in the sources\n");
    exit(EXIT_FAILURE);
}

void fuzz_begin(struct fr_request *rq, struct fr_reply *reply)
{
    memset(rq, 0, sizeof *rq);
    rq->server = &server;
    rq->store = store;
    rq->arena = fr_arena_new(ARENA_BYTES);
    rq->format = FR_JSON;
    rq->path = rq->body = "";
    if (!rq->arena)
        abort();
    fr_reply_init(reply);
}

void fuzz_end(struct fr_request *rq, struct fr_reply *reply)
{
    fr_reply_free(reply);
    fr_arena_free(rq->arena);
}

const char *fuzz_text(struct fr_request *rq, const uint8_t *data, size_t size)
{
    return fr_arena_text(rq->arena, (const char *)data, size);
}

void fuzz_check(int status, const struct fr_reply *reply)
{
    const bool is_known = status == 200 || status == 304 || status == 400 || status == 404 ||
                          status == 413 || status == 422;

    if (is_known && (status == 304 || reply->shared || reply->body.length) && !reply->body.failed)
        return;
    fprintf(stderr, "fuzz: status %d with %zu bytes\n", status, reply->body.length);
    abort();
}
