#include "server/http/server.h"

#include <string.h>

void fr_token_uses_init(struct fr_token_uses *uses)
{
    memset(uses, 0, sizeof *uses);
    pthread_mutex_init(&uses->lock, NULL);
}

void fr_token_uses_destroy(struct fr_token_uses *uses)
{
    pthread_mutex_destroy(&uses->lock);
}

void fr_token_uses_note(struct fr_token_uses *uses, int64_t sequence, int64_t at_s)
{
    size_t place = 0;

    pthread_mutex_lock(&uses->lock);
    while (place < uses->count && uses->use[place].sequence != sequence)
        place++;
    if (place < FR_TOKEN_USES) {
        uses->use[place] = (struct fr_token_use){ sequence, at_s };
        uses->count += place == uses->count;
    }
    pthread_mutex_unlock(&uses->lock);
}

void fr_token_uses_store(struct fr_token_uses *uses, struct fr_store *store)
{
    struct fr_token_use use[FR_TOKEN_USES];
    size_t count;

    pthread_mutex_lock(&uses->lock);
    count = uses->count;
    memcpy(use, uses->use, count * sizeof *use);
    uses->count = 0;
    pthread_mutex_unlock(&uses->lock);
    if (count)
        fr_store_note_token_uses(store, use, count);
}
