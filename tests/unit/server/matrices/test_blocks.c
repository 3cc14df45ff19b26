/* The encoding of block structures: round trips and refusals. */
#include "server/matrices/files/blocks.h"
#include "tests/unit/support/sparse.h"

#include <string.h>
#include <zlib.h>

static void assert_same(const struct sparse_structure *a, const struct sparse_structure *b)
{
    const size_t n = (size_t)a->supernodes;

    assert_int_equal(a->order, b->order);
    assert_int_equal(a->supernodes, b->supernodes);
    assert_memory_equal(a->width, b->width, n * sizeof *a->width);
    assert_memory_equal(a->l_at, b->l_at, (n + 1) * sizeof *a->l_at);
    assert_memory_equal(a->u_at, b->u_at, (n + 1) * sizeof *a->u_at);
    assert_memory_equal(a->l, b->l, (size_t)a->l_at[n] * sizeof *a->l);
    assert_memory_equal(a->u, b->u, (size_t)a->u_at[n] * sizeof *a->u);
    assert_memory_equal(&a->facts, &b->facts, sizeof a->facts);
}

/* Returns how many bytes it took. */
static size_t go_round(struct sparse_structure *s)
{
    struct fr_faults faults = { 0 };
    struct sparse_structure *back;
    unsigned char *bytes;
    size_t length = 0;

    sparse_valid(s);
    bytes = fr_blocks_write(s, &length);
    assert_non_null(bytes);
    back = fr_blocks_read(bytes, length, &faults);
    if (!back)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    assert_int_equal(faults.count, 0);
    assert_same(s, back);
    sparse_structure_free(back);
    sparse_structure_free(s);
    free(bytes);
    return length;
}

TEST(test_round_trip)
{
    for (uint64_t seed = 1; seed <= 60; seed++)
        go_round(sparse_random(seed, 1 + (int32_t)(seed * 7 % 50), 1 + (int32_t)(seed % 9),
                               (double)(seed * 3)));
    go_round(sparse_dissected(9, 12));
}

TEST(test_compact)
{
    struct sparse_structure *s = sparse_dissected(12, 8);
    const int64_t blocks = s->l_at[s->supernodes] + s->u_at[s->supernodes];

    assert_in_range(go_round(s), 1, (size_t)(3 * blocks));
}

TEST(test_one_supernode)
{
    struct fr_faults faults = { 0 };
    struct sparse_structure *s = sparse_structure_new(3, 1, 0, 0, &faults);

    s->width[0] = 3;
    go_round(s);
}

/* A changed copy of the bytes must be refused, or say the same. */
static void take(const unsigned char *bytes, size_t length, const struct sparse_structure *s)
{
    struct fr_faults faults = { 0 };
    struct sparse_structure *back = fr_blocks_read(bytes, length, &faults);

    if (back)
        assert_same(s, back);
    else
        assert_true(faults.count > 0 && faults.fault[0].message[0]);
    sparse_structure_free(back);
}

static void sign(unsigned char *bytes, size_t length)
{
    uLong sum = crc32(crc32(0, bytes, 40), bytes + 44, (uInt)(length - 44));

    for (int i = 0; i < 4; i++)
        bytes[40 + i] = (unsigned char)(sum >> 8 * i);
}

TEST(test_cut_off)
{
    struct sparse_structure *s = sparse_valid(sparse_random(5, 30, 6, 60));
    struct fr_faults faults = { 0 };
    size_t length = 0;
    unsigned char *bytes = fr_blocks_write(s, &length), *cut = malloc(length + 1);

    for (size_t keep = 0; keep < length; keep++) {
        memcpy(cut, bytes, keep);
        assert_null(fr_blocks_read(cut, keep, &faults));
        if (keep < 44)
            continue;
        sign(cut, keep);
        assert_null(fr_blocks_read(cut, keep, &faults));
    }
    memcpy(cut, bytes, length);
    cut[length] = 0;
    sign(cut, length + 1);
    assert_null(fr_blocks_read(cut, length + 1, &faults));
    sparse_structure_free(s);
    free(bytes);
    free(cut);
}

/* An attacker can also adjust the checksum; then the rules of the structure must hold. */
TEST(test_changed)
{
    struct sparse_structure *s = sparse_valid(sparse_random(6, 25, 5, 50));
    struct fr_faults faults = { 0 };
    size_t length = 0;
    unsigned char *bytes = fr_blocks_write(s, &length);

    for (size_t at = 0; at < length; at++)
        for (int bit = 0; bit < 8; bit++) {
            struct sparse_structure *back;

            bytes[at] ^= (unsigned char)(1 << bit);
            take(bytes, length, s);
            sign(bytes, length);
            back = fr_blocks_read(bytes, length, &faults);
            if (back)
                assert_int_equal(sparse_structure_check(back, 1e12, &faults), FR_OK);
            sparse_structure_free(back);
            bytes[at] ^= (unsigned char)(1 << bit);
        }
    sign(bytes, length);
    take(bytes, length, s);
    sparse_structure_free(s);
    free(bytes);
}

/* Arbitrary integers with a correct checksum: every number is checked before it is used. */
TEST(test_any_integers)
{
    struct fr_faults faults = { 0 };
    unsigned char bytes[512] = "FRBS\1", plain[64];
    uint64_t draw = 1;
    int taken = 0;

    for (int round = 0; round < 20000; round++) {
        const unsigned supernodes = 1 + round % 3, l = (unsigned)round / 3 % 3,
                       u = (unsigned)round / 9 % 3;
        const uInt used = 3 * supernodes + 2 * l + 5 * u;
        uLongf length = sizeof bytes - 44;
        struct sparse_structure *s;

        for (uInt i = 0; i < used; i++) {
            draw = draw * 6364136223846793005u + 1442695040888963407u;
            plain[i] = (unsigned char)(draw >> 59 ? draw >> 48 & 1 : draw >> 40);
        }
        assert_int_equal(compress(bytes + 44, &length, plain, used), Z_OK);
        bytes[8] = (unsigned char)(supernodes + draw % 2);
        bytes[16] = (unsigned char)supernodes;
        bytes[24] = (unsigned char)l;
        bytes[32] = (unsigned char)u;
        sign(bytes, 44 + length);
        s = fr_blocks_read(bytes, 44 + length, &faults);
        taken += s != NULL;
        if (s)
            assert_int_equal(sparse_structure_check(s, 1e12, &faults), FR_OK);
        sparse_structure_free(s);
    }
    assert_in_range(taken, 1, 10000);
}

/* Counts that do not fit into the bytes allocate no memory. */
TEST(test_announced)
{
    struct sparse_structure *s = sparse_valid(sparse_random(7, 20, 5, 30));
    struct fr_faults faults = { 0 };
    size_t length = 0;
    unsigned char *bytes = fr_blocks_write(s, &length);

    for (int at = 8; at < 40; at += 8) {
        bytes[at + 3] = 0x10;
        sign(bytes, length);
        assert_null(fr_blocks_read(bytes, length, &faults));
        bytes[at + 3] = 0;
        bytes[at + 7] = 0x80;
        sign(bytes, length);
        assert_null(fr_blocks_read(bytes, length, &faults));
        bytes[at + 7] = 0;
    }
    sparse_structure_free(s);
    free(bytes);
}

/* A structure that violates a rule is refused with the fault of that rule. */
TEST(test_checked)
{
    struct fr_faults faults = { 0 };
    struct sparse_structure *s = sparse_structure_new(3, 3, 1, 1, &faults);
    size_t length = 0;
    unsigned char *bytes;

    for (int k = 0; k < 3; k++) {
        s->width[k] = 1;
        s->l_at[k] = s->u_at[k] = k > 0;
    }
    s->l[0] = (struct sparse_l_block){ 1, 1 };
    s->u[0] = (struct sparse_u_block){ 2, 1, 1, 1, 1 };
    bytes = fr_blocks_write(s, &length);
    assert_null(fr_blocks_read(bytes, length, &faults));
    assert_int_equal(faults.fault[0].code, FR_RELATION);
    assert_non_null(strstr(faults.fault[0].message, "(1,2)"));
    sparse_structure_free(s);
    free(bytes);
}
