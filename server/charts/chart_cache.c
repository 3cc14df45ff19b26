/* Rendered charts by ETag. A linear search suffices: there are few entries, and drawing a chart
 * takes far longer. */
#include "server/charts/chart_cache.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_CHARTS = 512 };

struct chart {
    char etag[40];
    struct fr_shared_bytes *shared;
    uint64_t used_at;
};

struct fr_chart_cache {
    pthread_mutex_t lock; /* protects all members below */
    struct chart chart[KEPT_CHARTS];
    size_t bytes, limit;
    uint64_t now; /* number of lookups so far */
};

struct fr_chart_cache *fr_chart_cache_new(size_t limit_bytes)
{
    struct fr_chart_cache *cache = calloc(1, sizeof *cache);

    if (cache) {
        pthread_mutex_init(&cache->lock, NULL);
        cache->limit = limit_bytes;
    }
    return cache;
}

void fr_chart_cache_free(struct fr_chart_cache *cache)
{
    if (!cache)
        return;
    for (size_t i = 0; i < KEPT_CHARTS; i++)
        if (cache->chart[i].shared)
            fr_shared_bytes_drop(cache->chart[i].shared);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

struct fr_shared_bytes *fr_chart_cache_find(struct fr_chart_cache *cache, const char *etag)
{
    struct fr_shared_bytes *shared = NULL;

    pthread_mutex_lock(&cache->lock);
    for (size_t i = 0; i < KEPT_CHARTS && !shared; i++) {
        struct chart *chart = &cache->chart[i];

        if (!chart->shared || strcmp(chart->etag, etag))
            continue;
        chart->used_at = ++cache->now;
        shared = fr_shared_bytes_hold(chart->shared);
    }
    pthread_mutex_unlock(&cache->lock);
    return shared;
}

static void drop(struct fr_chart_cache *cache, struct chart *chart)
{
    if (!chart->shared)
        return;
    cache->bytes -= chart->shared->length;
    fr_shared_bytes_drop(chart->shared);
    *chart = (struct chart){ 0 };
}

/* The slot to fill: the one with the same ETag (two workers may draw the same chart), else an
 * empty one, else the least recently used. */
static struct chart *place_for(struct fr_chart_cache *cache, const char *etag)
{
    struct chart *best = &cache->chart[0];

    for (size_t i = 0; i < KEPT_CHARTS; i++) {
        struct chart *chart = &cache->chart[i];

        if (chart->shared && strcmp(chart->etag, etag) == 0)
            return chart;
        if (chart->used_at < best->used_at)
            best = chart;
    }
    return best;
}

void fr_chart_cache_keep(struct fr_chart_cache *cache, const char *etag,
                         struct fr_shared_bytes *shared)
{
    struct chart *place;

    if (shared->length > cache->limit)
        return;
    pthread_mutex_lock(&cache->lock);
    place = place_for(cache, etag);
    drop(cache, place);
    snprintf(place->etag, sizeof place->etag, "%s", etag);
    place->shared = fr_shared_bytes_hold(shared);
    place->used_at = ++cache->now;
    cache->bytes += shared->length;
    while (cache->bytes > cache->limit) {
        struct chart *victim = NULL;

        for (size_t i = 0; i < KEPT_CHARTS; i++)
            if (cache->chart[i].shared && (!victim || cache->chart[i].used_at < victim->used_at))
                victim = &cache->chart[i];
        drop(cache, victim);
    }
    pthread_mutex_unlock(&cache->lock);
}
