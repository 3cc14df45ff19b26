/* A list of values, the one used last ahead. */
#include "server/core/cache.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct fr_cache {
    fr_cache_match *is_it;
    size_t most_cost, most_values;
    pthread_mutex_t lock; /* protects what follows, and in the values kept all but `owners` */
    pthread_cond_t settled;
    struct fr_cached *first;
    size_t cost, values;
    uint64_t moment;
};

void *fr_cached_share(void *value)
{
    struct fr_cached *cached = value;

    if (cached)
        atomic_fetch_add_explicit(&cached->owners, 1, memory_order_relaxed);
    return value;
}

void fr_cached_drop(void *value)
{
    struct fr_cached *cached = value;

    /* Acquire and release: what other owners did comes before the free. */
    if (cached && atomic_fetch_sub_explicit(&cached->owners, 1, memory_order_acq_rel) == 1)
        cached->free(value);
}

struct fr_cache *fr_cache_new(fr_cache_match *is_it, size_t most_cost, size_t most_values)
{
    struct fr_cache *cache = calloc(1, sizeof *cache);

    if (!cache)
        return NULL;
    cache->is_it = is_it;
    cache->most_cost = most_cost;
    cache->most_values = most_values;
    cache->moment = 1;
    pthread_mutex_init(&cache->lock, NULL);
    pthread_cond_init(&cache->settled, NULL);
    return cache;
}

size_t fr_cache_most_cost(const struct fr_cache *cache)
{
    return cache->most_cost;
}

/* ---- with the lock held --------------------------------------------------------------------- */

static void add(struct fr_cache *cache, struct fr_cached *value)
{
    value->next = cache->first;
    cache->first = value;
    cache->cost += value->cost;
    cache->values++;
}

static struct fr_cached *take_out(struct fr_cache *cache, struct fr_cached **at)
{
    struct fr_cached *value = *at;

    *at = value->next;
    cache->cost -= value->cost;
    cache->values--;
    return value;
}

static struct fr_cached **place_of(struct fr_cache *cache, fr_cache_match *is_it, const void *key)
{
    struct fr_cached **at = &cache->first;

    while (*at && !is_it(*at, key))
        at = &(*at)->next;
    return at;
}

/* A share of the value, once it is settled. */
static void *find(struct fr_cache *cache, const void *key)
{
    struct fr_cached **at, *value;

    while (*(at = place_of(cache, cache->is_it, key)) && (*at)->is_pending)
        pthread_cond_wait(&cache->settled, &cache->lock);
    if (!*at)
        return NULL;
    value = take_out(cache, at);
    add(cache, value);
    return fr_cached_share(value);
}

/* Drops values until there is room for one more; false if it is too large. */
static bool make_room(struct fr_cache *cache, size_t cost)
{
    if (cost > cache->most_cost)
        return false;
    while (cache->cost > cache->most_cost - cost || cache->values >= cache->most_values) {
        struct fr_cached **old = NULL;

        for (struct fr_cached **at = &cache->first; *at; at = &(*at)->next)
            if (!(*at)->is_pending && (!old || !(*old)->is_cheap || (*at)->is_cheap))
                old = at;
        if (!old)
            return false;
        fr_cached_drop(take_out(cache, old));
    }
    return true;
}

static bool is_outdated(const struct fr_cache *cache, const struct fr_cached *value)
{
    return value->since && value->since != cache->moment;
}

/* ---- public --------------------------------------------------------------------------------- */

void fr_cache_free(struct fr_cache *cache)
{
    if (!cache)
        return;
    while (cache->first)
        fr_cached_drop(take_out(cache, &cache->first));
    pthread_cond_destroy(&cache->settled);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

void *fr_cache_find(struct fr_cache *cache, const void *key)
{
    void *value;

    pthread_mutex_lock(&cache->lock);
    value = find(cache, key);
    pthread_mutex_unlock(&cache->lock);
    return value;
}

void *fr_cache_keep(struct fr_cache *cache, const void *key, void *value)
{
    struct fr_cached *cached = value, *known;

    pthread_mutex_lock(&cache->lock);
    known = find(cache, key);
    if (!known && !is_outdated(cache, cached) && make_room(cache, cached->cost))
        add(cache, fr_cached_share(value));
    pthread_mutex_unlock(&cache->lock);
    if (!known)
        return value;
    fr_cached_drop(value);
    return known;
}

void fr_cache_settle(struct fr_cache *cache, void *value, size_t cost)
{
    struct fr_cached **at = &cache->first;

    pthread_mutex_lock(&cache->lock);
    while (*at != value)
        at = &(*at)->next; /* it is there: what is pending does not leave */
    take_out(cache, at)->is_pending = false;
    if (cost && make_room(cache, cost)) {
        ((struct fr_cached *)value)->cost = cost;
        add(cache, fr_cached_share(value));
    }
    pthread_cond_broadcast(&cache->settled);
    pthread_mutex_unlock(&cache->lock);
    fr_cached_drop(value);
}

void fr_cache_forget(struct fr_cache *cache, fr_cache_match *is_it, const void *key)
{
    struct fr_cached **at;

    pthread_mutex_lock(&cache->lock);
    while (*(at = place_of(cache, is_it, key)))
        fr_cached_drop(take_out(cache, at));
    pthread_mutex_unlock(&cache->lock);
}

void fr_cache_outdate(struct fr_cache *cache)
{
    pthread_mutex_lock(&cache->lock);
    cache->moment++;
    pthread_mutex_unlock(&cache->lock);
}

uint64_t fr_cache_moment(struct fr_cache *cache)
{
    uint64_t moment;

    pthread_mutex_lock(&cache->lock);
    moment = cache->moment;
    pthread_mutex_unlock(&cache->lock);
    return moment;
}
