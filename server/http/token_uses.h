/* When tokens were last used, since the store was told: a request that needs a token writes no row.
 */
#ifndef FR_TOKEN_USES_H
#define FR_TOKEN_USES_H

#include "server/store/store.h"

#include <pthread.h>

enum { FR_TOKEN_USES = 256 };

struct fr_token_uses {
    pthread_mutex_t lock; /* protects what follows */
    size_t count;
    struct fr_token_use use[FR_TOKEN_USES];
};

void fr_token_uses_init(struct fr_token_uses *uses);
void fr_token_uses_destroy(struct fr_token_uses *uses);
/* The token with this sequence number was used at this Unix time.  When the table is full, further
 * tokens wait for their next use. */
void fr_token_uses_note(struct fr_token_uses *uses, int64_t sequence, int64_t at_s);
/* Tells the store, and forgets them. */
void fr_token_uses_store(struct fr_token_uses *uses, struct fr_store *store);

#endif
