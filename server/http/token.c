/* Tokens.  They are random and long, so that a plain hash at rest is enough: a password hash would
 * only slow requests.
 */
#include "server/http/server.h"

#include "server/store/store.h"

#include <ctype.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

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

static const char *const scope_names[] = {
    [FR_READ] = "read", [FR_RUNS] = "runs", [FR_WRITE] = "write", [FR_ADMIN] = "admin"
};

enum fr_scope fr_scope_of(const char *name)
{
    for (int scope = FR_READ; scope <= FR_ADMIN; scope++)
        if (strcmp(name, scope_names[scope]) == 0)
            return (enum fr_scope)scope;
    return FR_OPEN;
}

static int refuse_ended(const struct fr_token *token, struct fr_reply *reply)
{
    char detail[160];

    snprintf(detail, sizeof detail,
             "This token %s at %.30s; the operator makes another one with `forerund token create`.",
             token->revoked_at ? "was revoked" : "expired",
             token->revoked_at ? token->revoked_at : token->expires_at);
    return fr_reply_problem(reply, 401, detail);
}

static int refuse_scope(enum fr_scope needed, struct fr_reply *reply)
{
    char detail[80];

    snprintf(detail, sizeof detail, "This needs a token of scope `%s`.", scope_names[needed]);
    return fr_reply_problem(reply, 403, detail);
}

/* Whether a list of names separated by blanks has this one; a name that ends in `*` is all that
 * begin so. */
static bool has_name(const char *list, const char *name)
{
    const size_t length = strlen(name);

    for (; *list; list += strspn(list, " ")) {
        const size_t word = strcspn(list, " ");
        const bool is_group = word && list[word - 1] == '*';

        if (is_group ? strncmp(list, name, word - 1) == 0
                     : word == length && memcmp(list, name, length) == 0)
            return true;
        list += word;
    }
    return false;
}

static int refuse_machine(const struct fr_token *token, const char *machine, struct fr_reply *reply)
{
    char detail[400];

    if (machine)
        snprintf(detail, sizeof detail,
                 "This token may not write the machine `%.64s`, only: %.200s.", machine,
                 token->machines);
    else
        snprintf(detail, sizeof detail,
                 "This token may write only the machines %.200s, and this belongs to no machine.",
                 token->machines);
    return fr_reply_problem(reply, 403, detail);
}

static int refuse_store(struct fr_reply *reply)
{
    reply->retry_after_s = 5;
    return fr_reply_problem(reply, 503, "Tokens cannot be looked up at the moment.");
}

static int check_machine(struct fr_request *rq, const struct fr_token *token,
                         struct fr_reply *reply)
{
    const char *machine = NULL;

    if (!*token->machines || rq->route->scope <= FR_READ)
        return 0;
    switch (rq->route->find_machine ? rq->route->find_machine(rq, &machine) : FR_STORE_OK) {
    case FR_STORE_OK:
        return machine && has_name(token->machines, machine)
                   ? 0
                   : refuse_machine(token, machine, reply);
    case FR_STORE_NONE:
        return 0;
    default:
        return refuse_store(reply);
    }
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
        return fr_reply_problem(reply, 401,
                                "This token is not known here; the operator makes tokens with "
                                "`forerund token create`, in the database of this daemon.");
    default:
        return refuse_store(reply);
    }
    if (known.revoked_at || known.is_expired)
        return refuse_ended(&known, reply);
    snprintf(rq->token_name, sizeof rq->token_name, "%s", known.name);
    rq->token = known.sequence;
    rq->payer = fr_limit_client_of_token(known.sequence);
    fr_token_uses_note(&rq->server->token_uses, known.sequence, time(NULL));
    return fr_scope_of(known.scope) < needed ? refuse_scope(needed, reply)
                                             : check_machine(rq, &known, reply);
}
