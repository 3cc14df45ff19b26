/* The memory of parsed JSON: what does not fit is refused, what is freed is available again. */
#include "server/json/decode.h"
#include "server/json/value.h"
#include "tests/unit/support/check.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT_BYTES = 1 << 20 };

/* An array of so many empty objects; free it. */
static char *objects(size_t count)
{
    char *text = malloc(3 * count + 2);

    text[0] = '[';
    for (size_t i = 0; i < count; i++)
        memcpy(text + 1 + 3 * i, "{},", 3);
    memcpy(text + 3 * count, "]", 2);
    return text;
}

static bool is_taken(size_t count, struct fr_faults *faults)
{
    char *text = objects(count);
    json_t *root;

    faults->count = 0;
    root = fr_json_parse(text, strlen(text), faults);
    fr_json_free(root);
    free(text);
    return root != NULL;
}

TEST(a_document_beyond_the_limit_is_refused_with_the_limit)
{
    struct fr_faults faults;

    fr_json_memory_begin(LIMIT_BYTES);
    assert_false(is_taken(100000, &faults));
    fr_json_memory_end();
    assert_int_equal(faults.count, 1);
    assert_int_equal(faults.fault[0].code, FR_NOMEM);
    assert_non_null(strstr(faults.fault[0].message, "1048576 bytes"));
    assert_non_null(strstr(faults.fault[0].message, "request_memory_bytes"));
}

TEST(each_size_is_taken_or_refused_as_a_whole)
{
    bool was_taken = true;

    for (size_t count = 1000; count < 20000; count += 500) {
        struct fr_faults faults;
        bool now;

        fr_json_memory_begin(LIMIT_BYTES);
        now = is_taken(count, &faults);
        fr_json_memory_end();
        assert_true(now ? !faults.count : faults.fault[0].code == FR_NOMEM);
        assert_true(was_taken || !now);
        was_taken = now;
    }
    assert_false(was_taken);
}

TEST(what_is_freed_can_be_used_again)
{
    struct fr_faults faults;

    fr_json_memory_begin(LIMIT_BYTES);
    for (int i = 0; i < 100; i++)
        assert_true(is_taken(1000, &faults));
    fr_json_memory_end();
}

TEST(a_syntax_error_within_the_limit_stays_one)
{
    struct fr_faults faults = { 0 };

    fr_json_memory_begin(LIMIT_BYTES);
    assert_null(fr_json_parse("[1,", 3, &faults));
    fr_json_memory_end();
    assert_int_equal(faults.fault[0].code, FR_SYNTAX);
}

TEST(without_a_request_there_is_no_limit)
{
    struct fr_faults faults;

    assert_true(is_taken(100000, &faults));
}

static int install(void **state)
{
    (void)state;
    fr_json_memory_install();
    return 0;
}

GROUP(install, NULL)
