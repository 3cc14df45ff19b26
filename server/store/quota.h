/* What a token may keep: the bytes that it uploaded and that are still stored.  The database takes
 * off what is deleted, however it is deleted. */
#ifndef FR_QUOTA_H
#define FR_QUOTA_H

#include "server/store/sql.h"

/* The value of the column `owner` of what the author uploads: its token, or 0. */
struct fr_sql_value fr_quota_owner(const struct fr_store *store);
/* Counts so many bytes more for the author's token, between fr_sql_begin and fr_sql_end.
 * FR_STORE_OK, or FR_STORE_FAILED: with FR_STORE_QUOTA if it may not keep so much. */
int fr_quota_take(struct fr_store *store, int64_t bytes);

#endif
