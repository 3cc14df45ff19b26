#include "server/matrices/matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char format[] = "forerun-blocks-1";

/* The pointers of both lists; a block of L is [i, rows], of U [j, cols, sum, sumsq, max]. */
static const char in_l[] = "/L", in_u[] = "/U";
enum { L_NUMBERS = 2, U_NUMBERS = 5 };

static void check_keys(json_t *document, struct fr_faults *faults)
{
    static const char *const known[] = { "format", "n", "width", "L", "U" };
    const char *key;
    json_t *value;

    FR_JSON_EACH_MEMBER(document, key, value)
    {
        char pointer[80];
        size_t i = 0;

        while (i < sizeof known / sizeof *known && strcmp(known[i], key) != 0)
            i++;
        snprintf(pointer, sizeof pointer, "/%.70s", key);
        if (i == sizeof known / sizeof *known)
            fr_fault(faults, FR_UNKNOWN_KEY, pointer,
                     "unknown; a structure has format, n, width, L and U");
    }
}

static json_t *list_of(json_t *document, const char *pointer, struct fr_faults *faults)
{
    json_t *list = fr_json_member(document, pointer + 1);

    if (!list)
        fr_fault(faults, FR_MISSING, pointer,
                 "required: an array with a member for each supernode");
    else if (fr_json_kind(list) != FR_JSON_ARRAY)
        fr_fault(faults, FR_TYPE, pointer, "must be an array with a member for each supernode");
    return fr_json_kind(list) == FR_JSON_ARRAY ? list : NULL;
}

/* The number of blocks; each supernode must have a list. */
static int64_t count_blocks(json_t *lists, size_t supernodes, const char *key,
                            struct fr_faults *faults)
{
    int64_t count = 0;
    json_t *list;
    size_t k;

    if (fr_json_count(lists) != supernodes)
        fr_fault(faults, FR_RELATION, key, "%zu lists for %zu supernodes; each needs one",
                 fr_json_count(lists), supernodes);
    FR_JSON_EACH_ITEM(lists, k, list)
    {
        char pointer[40];

        snprintf(pointer, sizeof pointer, "%s/%zu", key, k);
        if (fr_json_kind(list) != FR_JSON_ARRAY)
            fr_fault(faults, FR_TYPE, pointer, "must be an array of blocks");
        count += (int64_t)fr_json_count(list);
    }
    return count;
}

/* A whole number from 0 to `most`; otherwise 0 with a fault. */
static int64_t whole(json_t *value, int64_t most, const char *pointer, struct fr_faults *faults)
{
    const double number = fr_json_get_number(value);

    if (!value)
        fr_fault(faults, FR_MISSING, pointer, "required: a whole number");
    else if (fr_json_kind(value) != FR_JSON_NUMBER || number != floor(number))
        fr_fault(faults, FR_TYPE, pointer, "must be a whole number from 0 to %lld",
                 (long long)most);
    else if (number < 0 || number > (double)most)
        fr_fault(faults, FR_RANGE, pointer, "%.15g; it must lie between 0 and %lld", number,
                 (long long)most);
    else
        return (int64_t)number;
    return 0;
}

/* Reads the numbers of a block; false with a fault. */
static bool read_block(json_t *block, const char *key, size_t k, size_t b, size_t count,
                       int64_t *number, struct fr_faults *faults)
{
    const size_t before = faults->count;
    char pointer[80];

    snprintf(pointer, sizeof pointer, "%s/%zu/%zu", key, k, b);
    if (fr_json_count(block) != count) {
        fr_fault(faults, FR_TYPE, pointer, "must be an array of %zu numbers", count);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        snprintf(pointer, sizeof pointer, "%s/%zu/%zu/%zu", key, k, b, i);
        number[i] =
            whole(fr_json_item(block, i), i == 3 ? INT64_C(1) << 53 : INT32_MAX, pointer, faults);
    }
    return faults->count == before;
}

static void read_blocks(json_t *lists, const char *key, struct sparse_structure *s,
                        struct fr_faults *faults)
{
    int64_t *const first = key == in_l ? s->l_at : s->u_at;
    int64_t at = 0, number[U_NUMBERS];
    json_t *list, *block;
    size_t k, b;

    FR_JSON_EACH_ITEM(lists, k, list)
    {
        first[k] = at;
        FR_JSON_EACH_ITEM(list, b, block)
        {
            if (faults->count < FR_MAX_FAULTS &&
                read_block(block, key, k, b, key == in_l ? L_NUMBERS : U_NUMBERS, number, faults)) {
                if (key == in_l)
                    s->l[at] = (struct sparse_l_block){ (int32_t)number[0], (int32_t)number[1] };
                else
                    s->u[at] = (struct sparse_u_block){ (int32_t)number[0], (int32_t)number[1],
                                                        (int32_t)number[2], (int32_t)number[4],
                                                        number[3] };
            }
            at++;
        }
    }
}

static void read_widths(json_t *widths, struct sparse_structure *s, struct fr_faults *faults)
{
    json_t *width;
    size_t k;

    FR_JSON_EACH_ITEM(widths, k, width)
    {
        char pointer[40];

        snprintf(pointer, sizeof pointer, "/width/%zu", k);
        s->width[k] = (int32_t)whole(width, SPARSE_MAX_WIDTH, pointer, faults);
    }
}

static void check_format(json_t *document, struct fr_faults *faults)
{
    json_t *value = fr_json_member(document, "format");
    const char *text = fr_json_get_text(value);

    if (!value)
        fr_fault(faults, FR_MISSING, "/format", "required: %s", format);
    else if (!text || strcmp(text, format) != 0)
        fr_fault(faults, FR_CHOICE, "/format", "must be %s", format);
}

static struct sparse_structure *read_all(json_t *document, struct fr_faults *faults)
{
    json_t *widths = list_of(document, "/width", faults);
    json_t *l = list_of(document, in_l, faults), *u = list_of(document, in_u, faults);
    const size_t before = faults->count, supernodes = fr_json_count(widths);
    const int64_t order = whole(fr_json_member(document, "n"), INT64_C(1) << 53, "/n", faults);
    struct sparse_structure *s;
    int64_t l_blocks, u_blocks;

    if (!widths || !l || !u)
        return NULL;
    l_blocks = count_blocks(l, supernodes, in_l, faults);
    u_blocks = count_blocks(u, supernodes, in_u, faults);
    if (faults->count > before)
        return NULL;
    s = sparse_structure_new(order, (int64_t)supernodes, l_blocks, u_blocks, faults);
    if (s) {
        read_widths(widths, s, faults);
        read_blocks(l, in_l, s, faults);
        read_blocks(u, in_u, s, faults);
    }
    return s;
}

struct sparse_structure *fr_structure_decode(json_t *document, struct fr_faults *faults)
{
    const size_t before = faults->count;
    struct sparse_structure *s;

    if (fr_json_kind(document) != FR_JSON_OBJECT) {
        fr_fault(faults, FR_TYPE, "", "must be an object: %s", format);
        return NULL;
    }
    check_keys(document, faults);
    check_format(document, faults);
    s = read_all(document, faults);
    if (faults->count == before &&
        sparse_structure_check(s, FR_STRUCTURE_MOST_UPDATES, faults) == FR_OK)
        return s;
    sparse_structure_free(s);
    return NULL;
}

static void write_blocks(struct fr_writer *w, const char *key, const struct sparse_structure *s)
{
    const int64_t *const first = key == in_l ? s->l_at : s->u_at;

    fr_json_pair_array(w, key + 1);
    for (int32_t k = 0; k < s->supernodes; k++) {
        fr_json_array(w);
        for (int64_t b = first[k]; b < first[k + 1]; b++)
            if (key == in_l)
                fr_json_integers(w, (int64_t[]){ s->l[b].i, s->l[b].rows }, L_NUMBERS);
            else
                fr_json_integers(
                    w,
                    (int64_t[]){ s->u[b].j, s->u[b].cols, s->u[b].sum, s->u[b].sumsq, s->u[b].max },
                    U_NUMBERS);
        fr_json_array_end(w);
    }
    fr_json_array_end(w);
}

void fr_structure_write(struct fr_writer *w, const struct sparse_structure *s)
{
    fr_json_object(w);
    fr_json_pair(w, "format", format);
    fr_json_pair_integer(w, "n", s->order);
    fr_json_pair_array(w, "width");
    for (int32_t k = 0; k < s->supernodes; k++)
        fr_json_integer(w, s->width[k]);
    fr_json_array_end(w);
    write_blocks(w, in_l, s);
    write_blocks(w, in_u, s);
    fr_json_object_end(w);
}
