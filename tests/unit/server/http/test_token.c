/* Tokens: how they look, what a header may hold, what the store says of them. */
#include "server/core/log.h"
#include "server/http/token.h"
#include "server/store/store.h"
#include "tests/unit/support/check.h"

#include <sodium.h>
#include <stdio.h>

#define HASH_OF_ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

static void a_token_is_64_hexadecimal_digits_and_never_the_same(void **state)
{
    char first[FR_TOKEN_TEXT], second[FR_TOKEN_TEXT];

    (void)state;
    fr_token_make(first);
    fr_token_make(second);
    assert_int_equal(strlen(first), 64);
    assert_int_equal(strspn(first, "0123456789abcdef"), 64);
    assert_string_not_equal(first, second);
}

static void what_is_stored_is_the_sha256(void **state)
{
    char hash[FR_TOKEN_TEXT];

    (void)state;
    fr_token_hash("abc", hash);
    assert_string_equal(hash, HASH_OF_ABC);
}

static void a_header_holds_a_token_or_nothing(void **state)
{
    char token[FR_TOKEN_TEXT];

    (void)state;
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

static int checked(struct fr_store *store, const char *token, enum fr_scope needed, char name[64])
{
    struct fr_request rq = { .store = store, .arena = fr_arena_new(0) };
    struct fr_reply reply;
    int status;

    fr_reply_init(&reply);
    status = fr_token_check(&rq, token, needed, &reply);
    snprintf(name, 64, "%s", rq.token_name);
    fr_reply_free(&reply);
    fr_arena_free(rq.arena);
    return status;
}

static void scopes_grow_from_read_to_admin(void **state)
{
    struct fr_log log = { .level = FR_LOG_ERROR };
    struct fr_store *store = fr_store_open(":memory:", &log);
    char token[FR_TOKEN_TEXT], hash[FR_TOKEN_TEXT], name[64];

    (void)state;
    assert_non_null(store);
    fr_token_make(token);
    assert_int_equal(checked(store, token, FR_WRITE, name), 401);
    fr_token_hash(token, hash);
    assert_int_equal(fr_store_add_token(store, "ann", "write", hash), FR_STORE_OK);
    assert_int_equal(checked(store, token, FR_READ, name), 0);
    assert_int_equal(checked(store, token, FR_WRITE, name), 0);
    assert_string_equal(name, "ann");
    assert_int_equal(checked(store, token, FR_ADMIN, name), 403);
    assert_int_equal(checked(store, hash, FR_READ, name), 401);
    assert_int_equal(fr_store_revoke_token(store, "ann"), FR_STORE_OK);
    assert_int_equal(checked(store, token, FR_WRITE, name), 401);
    assert_string_equal(name, "");
    fr_store_close(store);
}

static void scopes_have_three_names(void **state)
{
    (void)state;
    assert_int_equal(fr_scope_of("read"), FR_READ);
    assert_int_equal(fr_scope_of("write"), FR_WRITE);
    assert_int_equal(fr_scope_of("admin"), FR_ADMIN);
    assert_int_equal(fr_scope_of("root"), FR_OPEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_token_is_64_hexadecimal_digits_and_never_the_same),
        cmocka_unit_test(what_is_stored_is_the_sha256),
        cmocka_unit_test(a_header_holds_a_token_or_nothing),
        cmocka_unit_test(scopes_grow_from_read_to_admin),
        cmocka_unit_test(scopes_have_three_names),
    };

    return sodium_init() < 0 ? 1 : cmocka_run_group_tests_name("token", tests, NULL, NULL);
}
