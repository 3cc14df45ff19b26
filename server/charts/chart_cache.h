/* Rendered charts by ETag, the least recently used dropped first. */
#ifndef FR_CHART_CACHE_H
#define FR_CHART_CACHE_H

#include "server/http/http.h"

struct fr_chart_cache;
/* NULL where memory is short.  Free with fr_chart_cache_free. */
struct fr_chart_cache *fr_chart_cache_new(size_t limit_bytes);
void fr_chart_cache_free(struct fr_chart_cache *cache);
/* A share, or NULL. */
struct fr_blob *fr_chart_cache_find(struct fr_chart_cache *cache, const char *etag);
/* Keeps the chart; takes a share of its own. */
void fr_chart_cache_keep(struct fr_chart_cache *cache, const char *etag, struct fr_blob *blob);

#endif
