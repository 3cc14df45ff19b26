/* Tokens.  They are random and long, so that a plain hash at rest is enough: a password hash would
 * only slow requests.
 */
#include "server/http/token.h"

#include "server/store/store.h"

#include <ctype.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { TOKEN_BYTES = 32 };

void fr_token_make(char token[FR_TOKEN_TEXT])
{
    unsigned char bytes[TOKEN_BYTES];

    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(token, FR_TOKEN_TEXT, bytes, sizeof bytes);
    sodium_memzero(bytes, sizeof bytes);
}

void fr_token_hash(const char *token, char hash[FR_TOKEN_TEXT])
{
    unsigned char bytes[crypto_hash_sha256_BYTES];

    crypto_hash_sha256(bytes, (const unsigned char *)token, strlen(token));
    sodium_bin2hex(hash, FR_TOKEN_TEXT, bytes, sizeof bytes);
}

bool fr_token_read(const char *authorization, char token[FR_TOKEN_TEXT])
{
    static const char scheme[] = "Bearer ";
    size_t length = 0;

    if (!authorization || strncasecmp(authorization, scheme, sizeof scheme - 1) != 0)
        return false;
    authorization += sizeof scheme - 1;
    authorization += strspn(authorization, " ");
    while (isxdigit((unsigned char)authorization[length]) && length < FR_TOKEN_TEXT)
        length++;
    if (length != FR_TOKEN_TEXT - 1 || authorization[length + strspn(authorization + length, " ")])
        return false;
    memcpy(token, authorization, length);
    token[length] = '\0';
    return true;
}

enum fr_scope fr_scope_of(const char *name)
{
    static const char *const names[] = {
        [FR_READ] = "read", [FR_WRITE] = "write", [FR_ADMIN] = "admin"
    };

    for (int scope = FR_READ; scope <= FR_ADMIN; scope++)
        if (strcmp(name, names[scope]) == 0)
            return (enum fr_scope)scope;
    return FR_OPEN;
}

int fr_token_check(struct fr_request *rq, const char *token, enum fr_scope needed,
                   struct fr_reply *reply)
{
    char hash[FR_TOKEN_TEXT];
    struct fr_token known;

    fr_token_hash(token, hash);
    switch (fr_store_find_token(rq->store, hash, rq->arena, &known)) {
    case FR_STORE_OK:
        break;
    case FR_STORE_NONE:
        return fr_reply_problem(reply, 401, "This token is not known here; it may be revoked.");
    default:
        reply->retry_after_s = 5;
        return fr_reply_problem(reply, 503, "Tokens cannot be looked up at the moment.");
    }
    snprintf(rq->token_name, sizeof rq->token_name, "%s", known.name);
    if (fr_scope_of(known.scope) >= needed)
        return 0;
    return fr_reply_problem(reply, 403,
                            needed == FR_ADMIN ? "This needs a token of scope `admin`."
                                               : "This needs a token of scope `write`.");
}
