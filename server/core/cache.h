/* A bounded cache of shared values; those that were not used for longest leave first.
 *
 * A value begins with a struct fr_cached, which counts its shares.  It is found by comparison with
 * each: there are few, and to make one again takes far longer.
 */
#ifndef FR_CACHE_H
#define FR_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fr_cached {
    _Atomic unsigned owners;   /* 1 in a new value */
    void (*free)(void *value); /* when the last share is given back, perhaps while the cache is
                                  locked */
    size_t cost;
    uint64_t since;  /* fr_cache_moment before what the value is made from was read; 0: it does not
                        become outdated */
    bool is_cheap;   /* it leaves before those that are not */
    bool is_pending; /* who finds it waits for fr_cache_settle */
    struct fr_cached *next;
};
/* Takes another share of a value; NULL is allowed. */
void *fr_cached_share(void *value);
/* Gives one back; NULL is allowed. */
void fr_cached_drop(void *value);

typedef bool fr_cache_match(const void *value, const void *key);

struct fr_cache;
/* `is_it` finds values by their key.  NULL: out of memory. */
struct fr_cache *fr_cache_new(fr_cache_match *is_it, size_t most_cost, size_t most_values);
void fr_cache_free(struct fr_cache *cache);
size_t fr_cache_most_cost(const struct fr_cache *cache);
/* A share of the value, or NULL. */
void *fr_cache_find(struct fr_cache *cache, const void *key);
/* Keeps a new value, unless it is outdated or too large.  Takes over the caller's share; returns
 * one of the value to use, which is another if the key was known. */
void *fr_cache_keep(struct fr_cache *cache, const void *key, void *value);
/* A pending value is made; `cost` 0: it could not be, and leaves. */
void fr_cache_settle(struct fr_cache *cache, void *value, size_t cost);
/* Drops the values that `is_it` finds. */
void fr_cache_forget(struct fr_cache *cache, fr_cache_match *is_it, const void *key);
/* Values made from what was read before this moment are not kept any more. */
void fr_cache_outdate(struct fr_cache *cache);
uint64_t fr_cache_moment(struct fr_cache *cache);

#endif
