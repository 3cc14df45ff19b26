/* The token of a request, and when tokens were used last. */
#ifndef FR_TOKEN_H
#define FR_TOKEN_H

#include "server/http/http.h"
#include "server/store/store.h"

#include <pthread.h>

/* ---- token uses ------------------------------------------------------------------------ */

/* When tokens were last used, since the store was told: a request that needs a token writes no row.
 */

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

/* ---- token ----------------------------------------------------------------------------- */

/* Tokens: 256 random bits as hex; the store holds only their SHA-256. */

enum { FR_TOKEN_TEXT = 65 }; /* 64 hexadecimal digits and the NUL; a hash looks the same */

/* A new token. */
void fr_token_make(char token[FR_TOKEN_TEXT]);
void fr_token_hash(const char *token, char hash[FR_TOKEN_TEXT]);
/* Reads `Bearer TOKEN`; false where the header is none or holds nothing that could be a token. */
bool fr_token_read(const char *authorization, char token[FR_TOKEN_TEXT]);

/* "write" -> FR_WRITE; FR_OPEN for a word that is no scope. */
enum fr_scope fr_scope_of(const char *name);

/* Whether the store knows the token, it is still good, and it may do what the route does: 0, or the
 * status of the refusal, which is written into the reply.  Sets rq->token_name, rq->token and
 * rq->payer, and notes the use.  Needs rq->store. */
int fr_token_check(struct fr_request *rq, const char *token, enum fr_scope needed,
                   struct fr_reply *reply);

#endif
