/* Tokens: how they look, what a header may hold, what the store says of them. */
#include "server/http/server.h"
#include "server/store/store.h"
#include "tests/unit/support/check.h"

#include <sodium.h>
#include <stdio.h>

#define HASH_OF_ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

TEST(a_token_is_64_hexadecimal_digits_and_never_the_same)
{
    char first[FR_TOKEN_TEXT], second[FR_TOKEN_TEXT];

    fr_token_make(first);
    fr_token_make(second);
    assert_int_equal(strlen(first), 64);
    assert_int_equal(strspn(first, "0123456789abcdef"), 64);
    assert_string_not_equal(first, second);
}

TEST(what_is_stored_is_the_sha256)
{
    char hash[FR_TOKEN_TEXT];

    fr_token_hash("abc", hash);
    assert_string_equal(hash, HASH_OF_ABC);
}

TEST(a_header_holds_a_token_or_nothing)
{
    char token[FR_TOKEN_TEXT];

    assert_true(fr_token_read("Bearer " HASH_OF_ABC, token));
    assert_string_equal(token, HASH_OF_ABC);
    assert_true(fr_token_read("bearer  " HASH_OF_ABC " ", token));
    assert_false(fr_token_read("Bearer " HASH_OF_ABC "0", token));
    assert_false(fr_token_read("Bearer short", token));
    assert_false(fr_token_read("Bearer ", token));
    assert_false(fr_token_read("Basic " HASH_OF_ABC, token));
    assert_false(fr_token_read(HASH_OF_ABC, token));
    assert_false(fr_token_read("Bearer " HASH_OF_ABC " x", token));
    assert_false(fr_token_read(NULL, token));
}

/* ---- what a token may do ------------------------------------------------------------------- */

static struct fr_server server;

static int open_server(void **state)
{
    server.log.level = FR_LOG_ERROR;
    fr_token_uses_init(&server.token_uses);
    *state = fr_store_open(":memory:", &server.log);
    return *state ? 0 : -1;
}

static int close_server(void **state)
{
    fr_store_close(*state);
    fr_token_uses_destroy(&server.token_uses);
    return 0;
}

static int find_hopper(struct fr_request *rq, const char **name)
{
    (void)rq;
    *name = "hopper";
    return FR_STORE_OK;
}

static int find_none(struct fr_request *rq, const char **name)
{
    (void)rq, (void)name;
    return FR_STORE_NONE;
}

static int fail_to_find(struct fr_request *rq, const char **name)
{
    (void)rq, (void)name;
    return FR_STORE_FAILED;
}

/* The status; `said` gets the answer's text and `name` that of the token. */
static int checked(struct fr_store *store, const struct fr_route *route, const char *token,
                   char name[64], char said[512])
{
    struct fr_request rq = {
        .server = &server, .route = route, .store = store, .arena = fr_arena_new(0)
    };
    struct fr_reply reply;
    int status;

    fr_reply_init(&reply);
    status = fr_token_check(&rq, token, route->scope, &reply);
    snprintf(name, 64, "%s", rq.token_name);
    snprintf(said, 512, "%.*s", (int)reply.body.length, reply.body.text ? reply.body.text : "");
    fr_reply_free(&reply);
    fr_arena_free(rq.arena);
    return status;
}

static void make(struct fr_store *store, const struct fr_token *wanted, char token[FR_TOKEN_TEXT])
{
    char hash[FR_TOKEN_TEXT];

    fr_token_make(token);
    fr_token_hash(token, hash);
    assert_int_equal(fr_store_add_token(store, wanted, hash), FR_STORE_OK);
}

static const struct fr_route reading = { .scope = FR_READ };
static const struct fr_route asking = { .method = FR_POST, .scope = FR_READ };
static const struct fr_route writing = { .method = FR_PUT, .scope = FR_WRITE };
static const struct fr_route deleting = { .method = FR_DELETE, .scope = FR_ADMIN };

#define CHECK_TEST(name) TEST_WITH(name, open_server, close_server)

CHECK_TEST(scopes_grow_from_read_to_admin)
{
    const struct fr_token ann = { .name = "ann", .scope = "write", .machines = "", .note = "" };
    char token[FR_TOKEN_TEXT], hash[FR_TOKEN_TEXT], name[64], said[512];

    fr_token_make(token);
    assert_int_equal(checked(*state, &writing, token, name, said), 401);
    assert_non_null(strstr(said, "not known"));
    make(*state, &ann, token);
    assert_int_equal(checked(*state, &reading, token, name, said), 0);
    assert_int_equal(checked(*state, &writing, token, name, said), 0);
    assert_string_equal(name, "ann");
    assert_int_equal(checked(*state, &deleting, token, name, said), 403);
    assert_non_null(strstr(said, "`admin`"));
    fr_token_hash(token, hash);
    assert_int_equal(checked(*state, &reading, hash, name, said), 401);
}

CHECK_TEST(an_ended_token_is_told_why)
{
    const struct fr_token old = { .name = "old",
                                  .scope = "admin",
                                  .machines = "",
                                  .note = "",
                                  .expires_at = "2020-01-02T00:00:00.000Z" };
    const struct fr_token ann = { .name = "ann", .scope = "admin", .machines = "", .note = "" };
    char token[FR_TOKEN_TEXT], name[64], said[512];

    make(*state, &old, token);
    assert_int_equal(checked(*state, &writing, token, name, said), 401);
    assert_non_null(strstr(said, "expired at 2020-01-02T00:00:00.000Z"));
    make(*state, &ann, token);
    assert_int_equal(fr_store_revoke_token(*state, "ann"), FR_STORE_OK);
    assert_int_equal(checked(*state, &writing, token, name, said), 401);
    assert_non_null(strstr(said, "was revoked at 2"));
    assert_string_equal(name, "");
    assert_int_equal(server.token_uses.count, 0);
}

CHECK_TEST(a_token_with_machines_writes_only_those)
{
    const struct fr_token mine = {
        .name = "mine", .scope = "admin", .machines = "hop hopper2 hopper", .note = ""
    };
    const struct fr_token other = {
        .name = "other", .scope = "admin", .machines = "hopper2 hop", .note = ""
    };
    struct fr_route route = writing;
    char token[FR_TOKEN_TEXT], refused[FR_TOKEN_TEXT], name[64], said[512];

    make(*state, &mine, token);
    make(*state, &other, refused);
    route.find_machine = find_hopper;
    assert_int_equal(checked(*state, &route, token, name, said), 0);
    assert_int_equal(checked(*state, &route, refused, name, said), 403);
    assert_non_null(strstr(said, "`hopper`"));
    assert_non_null(strstr(said, "hopper2 hop."));
    assert_int_equal(checked(*state, &reading, refused, name, said), 0);
    assert_int_equal(checked(*state, &asking, refused, name, said), 0);
    /* What belongs to no machine, what is not there, what nobody knows. */
    assert_int_equal(checked(*state, &deleting, token, name, said), 403);
    route.find_machine = find_none;
    assert_int_equal(checked(*state, &route, refused, name, said), 0);
    route.find_machine = fail_to_find;
    assert_int_equal(checked(*state, &route, refused, name, said), 503);
}

CHECK_TEST(a_use_is_noted_and_stored_later)
{
    const struct fr_token ann = { .name = "ann", .scope = "write", .machines = "", .note = "" };
    struct fr_arena *arena = fr_arena_new(0);
    char token[FR_TOKEN_TEXT], name[64], said[512];
    struct fr_token *list;
    size_t count;

    make(*state, &ann, token);
    checked(*state, &reading, token, name, said);
    checked(*state, &reading, token, name, said);
    assert_int_equal(server.token_uses.count, 1);
    fr_store_list_tokens(*state, arena, &list, &count);
    assert_null(list[0].last_used_at);
    fr_token_uses_store(&server.token_uses, *state);
    assert_int_equal(server.token_uses.count, 0);
    fr_store_list_tokens(*state, arena, &list, &count);
    assert_non_null(list[0].last_used_at);
    fr_arena_free(arena);
}

CHECK_TEST(the_table_of_uses_is_bounded)
{
    for (int64_t i = 1; i <= FR_TOKEN_USES + 5; i++)
        fr_token_uses_note(&server.token_uses, i, 100);
    fr_token_uses_note(&server.token_uses, 3, 200);
    assert_int_equal(server.token_uses.count, FR_TOKEN_USES);
    assert_int_equal(server.token_uses.use[2].at_s, 200);
}

TEST(scopes_have_three_names)
{
    assert_int_equal(fr_scope_of("read"), FR_READ);
    assert_int_equal(fr_scope_of("write"), FR_WRITE);
    assert_int_equal(fr_scope_of("admin"), FR_ADMIN);
    assert_int_equal(fr_scope_of("root"), FR_OPEN);
}
