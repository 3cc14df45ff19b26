/* Decodes records by a table of their members. */
#include "server/matrices/analyses.h"

#include "server/core/utf8.h"
#include "server/json/decode.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const kinds[] = {
    [FR_RECORD_PROGRESS] = "progress", [FR_RECORD_FACTS] = "facts",
    [FR_RECORD_FRONTS] = "fronts",     [FR_RECORD_PERMUTATIONS] = "permutations",
    [FR_RECORD_ORDERING] = "ordering", [FR_RECORD_PARTITION] = "partition",
    [FR_RECORD_FAILED] = "failed",     [FR_RECORD_END] = "end",
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Above 2^53 a double does not hold every integer. */
static const double most_count = 9007199254740992.0;

/* A member of a record: a count, a number, or a text of at most `size` bytes with its end. */
struct member {
    const char *name;
    enum { COUNT, NUMBER, TEXT } kind;
    size_t offset, size;
};
#define AT(field) offsetof(struct fr_analysis_record, field)
#define TEXT_AT(field)                                                         \
    {                                                                          \
#field, TEXT, AT(field), sizeof((struct fr_analysis_record *)0)->field \
    }
static const struct member members[] = {
    TEXT_AT(stage),
    TEXT_AT(reason),
    TEXT_AT(row_permutation),
    TEXT_AT(ordering),
    TEXT_AT(status),
    TEXT_AT(partition),
    { "fraction", NUMBER, AT(fraction), 0 },
    { "n", COUNT, AT(n), 0 },
    { "nnz", COUNT, AT(nnz), 0 },
    { "structural_rank", COUNT, AT(structural_rank), 0 },
    { "bytes", COUNT, AT(bytes), 0 },
    { "processes", COUNT, AT(processes), 0 },
    { "owners_s", NUMBER, AT(owners_s), 0 },
    { "messages_s", NUMBER, AT(messages_s), 0 },
    { "fronts", COUNT, AT(tree.fronts), 0 },
    { "largest_front", COUNT, AT(tree.largest_front), 0 },
    { "factor_entries", COUNT, AT(tree.factor_entries), 0 },
    { "most_entries", COUNT, AT(share.most_entries), 0 },
    { "all_entries", COUNT, AT(share.all_entries), 0 },
    { "most_indices", COUNT, AT(share.most_indices), 0 },
    { "all_indices", COUNT, AT(share.all_indices), 0 },
    { "supernodes", COUNT, AT(result.supernodes), 0 },
    { "nnz_lu", COUNT, AT(result.nnz_lu), 0 },
    { "nnz_lu_unrelaxed", COUNT, AT(result.nnz_lu_unrelaxed), 0 },
    { "blocks", COUNT, AT(result.blocks), 0 },
    { "updates", COUNT, AT(result.updates), 0 },
    { "flops", NUMBER, AT(result.flops), 0 },
    { "fill", NUMBER, AT(result.fill), 0 },
    { "ordering_s", NUMBER, AT(result.ordering_s), 0 },
    { "symbolic_s", NUMBER, AT(result.symbolic_s), 0 },
    { "extraction_s", NUMBER, AT(result.extraction_s), 0 },
};
enum { MEMBERS = sizeof members / sizeof members[0] };

/* Copies a text; what a cut leaves of a character becomes `?`, control characters become blanks. */
static void copy_text(const char *text, char *out, size_t size)
{
    snprintf(out, size, "%s", text);
    fr_utf8_sanitize(out);
    for (char *at = out; *at; at++)
        if ((unsigned char)*at < ' ')
            *at = ' ';
}

static bool take_member(const struct member *member, json_t *value, struct fr_analysis_record *out)
{
    char *const at = (char *)out + member->offset;
    const double number = fr_json_get_number(value);

    if (member->kind == TEXT) {
        if (fr_json_kind(value) != FR_JSON_TEXT)
            return false;
        copy_text(fr_json_get_text(value), at, member->size);
        return true;
    }
    if (fr_json_kind(value) != FR_JSON_NUMBER || !isfinite(number) || number < 0)
        return false;
    if (member->kind == NUMBER) {
        *(double *)(void *)at = number;
        return true;
    }
    if (number > most_count || number != floor(number))
        return false;
    *(int64_t *)(void *)at = (int64_t)number;
    return true;
}

static bool take_kind(json_t *root, struct fr_analysis_record *out)
{
    const char *name = fr_json_get_text(fr_json_member(root, "record"));

    for (int i = 0; name && i < KINDS; i++)
        if (strcmp(name, kinds[i]) == 0) {
            out->kind = (enum fr_record_kind)i;
            return true;
        }
    return false;
}

static bool take_all(json_t *root, struct fr_analysis_record *out, char *why, size_t why_size)
{
    if (!take_kind(root, out)) {
        snprintf(why, why_size, "its kind is unknown");
        return false;
    }
    for (size_t i = 0; i < MEMBERS; i++) {
        json_t *value = fr_json_member(root, members[i].name);

        if (value && fr_json_kind(value) != FR_JSON_NULL && !take_member(&members[i], value, out)) {
            snprintf(why, why_size, "its `%s` is invalid", members[i].name);
            return false;
        }
    }
    return true;
}

bool fr_analysis_record_read(const char *line, size_t length, struct fr_analysis_record *out,
                             char *why, size_t why_size)
{
    struct fr_analysis_record record = { .kind = FR_RECORD_END };
    struct fr_faults faults;
    json_t *root;
    bool is_good;

    faults.count = 0;
    root = fr_json_parse(line, length, &faults);
    if (!root) {
        snprintf(why, why_size, "it does not parse");
        return false;
    }
    is_good = take_all(root, &record, why, why_size);
    fr_json_free(root);
    if (is_good)
        *out = record;
    return is_good;
}
