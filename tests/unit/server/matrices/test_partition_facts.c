/* The facts of a partition as text of the analysis, and as a document of a request. */
#include "tests/unit/support/question.h"

#include "server/json/decode.h"
#include "server/matrices/files/matrix.h"
#include "server/matrices/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "{\"processes\":3,\"rows\":[2,1,1],\"diagonal\":[4,1,1],"
                           "\"offdiagonal\":[1,2,1],"
                           "\"messages\":[[0,1,1],[1,0,1],[1,2,1],[2,1,1]]}";

static void assert_example(const struct krylov_partition *p)
{
    struct fr_writer w;

    assert_non_null(p);
    fr_writer_init(&w);
    fr_partition_write(&w, p);
    assert_int_equal(w.length, sizeof text - 1);
    assert_memory_equal(w.text, text, w.length);
    fr_writer_free(&w);
}

TEST(text_is_read_as_it_is_written)
{
    struct fr_faults faults = { 0 };
    struct krylov_partition *p = fr_partition_read(text, sizeof text - 1, &faults);

    assert_example(p);
    assert_int_equal(p->message[2].to, 2);
    krylov_partition_free(p);
}

TEST(every_cut_text_is_refused)
{
    for (size_t length = 0; length < sizeof text - 1; length++) {
        struct fr_faults faults = { 0 };
        char *copy = malloc(length + 1); /* of its own, so that sanitizers see reads behind it */

        assert_non_null(copy);
        memcpy(copy, text, length);
        assert_null(fr_partition_read(copy, length, &faults));
        assert_int_equal(faults.count, 1);
        free(copy);
    }
}

/* Whatever is read back is what was written. */
TEST(a_changed_byte_is_refused_or_is_other_sound_facts)
{
    static const char bytes[] = "0129,[]{}\" -x";
    char copy[sizeof text];

    for (size_t at = 0; at < sizeof text - 1; at++)
        for (size_t i = 0; i < sizeof bytes - 1; i++) {
            struct fr_faults faults = { 0 };
            struct krylov_partition *p;
            struct fr_writer w;

            memcpy(copy, text, sizeof text);
            copy[at] = bytes[i];
            p = fr_partition_read(copy, sizeof text - 1, &faults);
            assert_int_equal(!p, faults.count > 0);
            if (!p)
                continue;
            fr_writer_init(&w);
            fr_partition_write(&w, p);
            assert_int_equal(w.length, sizeof text - 1);
            assert_memory_equal(w.text, copy, w.length);
            fr_writer_free(&w);
            krylov_partition_free(p);
        }
}

TEST(more_than_the_facts_is_refused)
{
    static const char *const wrong[] = {
        "{\"processes\":0,\"rows\":[],\"diagonal\":[],\"offdiagonal\":[],\"messages\":[]}",
        "{\"processes\":65537,\"rows\":[",
        "{\"processes\":99999999999999999999999,\"rows\":[",
        "{\"processes\":1,\"rows\":[1],\"diagonal\":[1],\"offdiagonal\":[0],\"messages\":[]} ",
        "{\"processes\":1,\"rows\":[1],\"diagonal\":[1],\"offdiagonal\":[0],\"messages\":[],\"x\":"
        "1}",
        "{\"processes\":1,\"rows\":[1,1],\"diagonal\":[1],\"offdiagonal\":[0],\"messages\":[]}",
        "{\"processes\":1,\"rows\":[0],\"diagonal\":[1],\"offdiagonal\":[0],\"messages\":[]}",
        "{\"processes\":1,\"rows\":[1],\"diagonal\":[1],\"offdiagonal\":[0],\"messages\":[[0,0,1]]"
        "}",
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct fr_faults faults = { 0 };

        assert_null(fr_partition_read(wrong[i], strlen(wrong[i]), &faults));
        assert_int_equal(faults.count, 1);
    }
}

static const struct krylov_partition *decoded(const char *document, struct fr_arena *arena,
                                              struct fr_faults *faults)
{
    json_t *json = fr_json_parse(document, strlen(document), faults);
    const struct krylov_partition *p;

    assert_non_null(json);
    p = fr_facts_decode(json, arena, faults);
    fr_json_free(json);
    return p;
}

ARENA_TEST(a_document_is_decoded)
{
    struct fr_faults faults = { 0 };
    const struct krylov_partition *p = decoded(text, arena, &faults);

    assert_example(p);
    assert_true(isnan(p->structural_symmetry)); /* which the document does not say */
    assert_int_equal(p->zero_diagonals, -1);
}

ARENA_TEST(a_wrong_document_has_all_its_faults)
{
    static const struct {
        const char *document, *where;
        size_t count;
    } wrong[] = {
        { "[]", "", 1 }, /* the document itself */
        { "{}", "/processes", 1 },
        { "{\"processes\":0}", "/processes", 1 },
        { "{\"processes\":65537}", "/processes", 1 },
        { "{\"processes\":1}", "/rows", 4 },
        { "{\"processes\":1,\"parts\":1}", "/parts", 5 },
        { "{\"processes\":2,\"rows\":[1],\"diagonal\":[1,\"x\"],\"offdiagonal\":[0,-1],"
          "\"messages\":{}}",
          "/rows", 4 },
        { "{\"processes\":1,\"rows\":[1.5],\"diagonal\":[1e99],\"offdiagonal\":[0],"
          "\"messages\":[[0,1,1],[0,0],7]}",
          "/rows/0", 5 },
        { "{\"processes\":1,\"rows\":[0],\"diagonal\":[1],\"offdiagonal\":[0],\"messages\":[]}",
          "/rows/0", 1 },
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct fr_faults faults = { 0 };

        assert_null(decoded(wrong[i].document, arena, &faults));
        assert_int_equal(faults.count, wrong[i].count);
        assert_string_equal(faults.fault[0].where, wrong[i].where);
    }
}
