/* Rendered charts by ETag; the least recently used are evicted first. */
#ifndef FR_CHART_CACHE_H
#define FR_CHART_CACHE_H

#include "server/http/http.h"

struct fr_chart_cache;
/* NULL if out of memory. Free with fr_chart_cache_free. */
struct fr_chart_cache *fr_chart_cache_new(size_t limit_bytes);
void fr_chart_cache_free(struct fr_chart_cache *cache);
/* A new reference to the chart, which the caller releases, or NULL. */
struct fr_shared_bytes *fr_chart_cache_find(struct fr_chart_cache *cache, const char *etag);
/* Stores the chart and keeps a reference of its own. */
void fr_chart_cache_keep(struct fr_chart_cache *cache, const char *etag,
                         struct fr_shared_bytes *shared);

#endif
