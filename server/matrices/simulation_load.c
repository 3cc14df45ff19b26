/* Reads block structures from the store, if they are ready and not too large. */
#include "server/matrices/simulation.h"

#include "engine/core/number.h"
#include "server/store/store.h"

#include "server/matrices/files/blocks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The work per update of reading a structure, relative to counting. */
static const double reading_share = 1. / 32;

int fr_matrix_named(struct fr_store *store, struct fr_arena *arena, const char *name,
                    struct fr_matrix_record *out, struct fr_faults *faults)
{
    if (strlen(name) < FR_MATRIX_NAME_BYTES &&
        fr_store_matrix_get(store, name, arena, out) == FR_STORE_OK)
        return FR_OK;
    return fr_fault(faults, FR_NOT_FOUND, "matrix", "there is no matrix '%.64s'; %s", name,
                    strchr(name, ',') ? "only sweeps, charts and forecasts take several"
                                      : "see /api/v1/matrices");
}

/* The parameter in which no stored structure agrees with the key. */
static const char *differing(const struct fr_matrix_record *record,
                             const struct sparse_structure_key *key)
{
    bool has_ordering = false, has_rows = false, has_max = false;
    const struct fr_matrix_ordering *o;

    for (size_t i = 0; (o = fr_matrix_structure(record, i)); i++) {
        const bool is_ordered = strcmp(o->ordering, key->ordering) == 0;
        const bool is_permuted =
            is_ordered && strcmp(o->row_permutation, key->row_permutation) == 0;

        has_ordering |= is_ordered;
        has_rows |= is_permuted;
        has_max |= is_permuted && o->supernode_max == key->supernode_max;
    }
    return !has_ordering ? "ordering"
           : !has_rows   ? "row_permutation"
           : !has_max    ? "supernode_max"
                         : "supernode_relax";
}

static void refuse_missing(const struct fr_matrix_record *record,
                           const struct sparse_structure_key *key, struct fr_faults *faults)
{
    fr_fault(faults, FR_STRUCTURE_MISSING, differing(record, key),
             "matrix %s has no structure with ordering %s, row_permutation %s, supernode_max "
             "%" PRId64 " and supernode_relax %" PRId64 "; POST /api/v1/matrices/%s/structures "
             "{\"ordering\":\"%s\",\"row_permutation\":\"%s\",\"supernode_max\":%" PRId64
             ",\"supernode_relax\":%" PRId64 "}, or ask with analyze=wait",
             record->name, key->ordering, key->row_permutation, key->supernode_max,
             key->supernode_relax, record->id, key->ordering, key->row_permutation,
             key->supernode_max, key->supernode_relax);
}

/* Refuses a structure that is too large to be read or counted in one request. */
static bool is_small(const struct fr_matrix_record *record, const struct fr_matrix_ordering *of,
                     bool is_counted, double limit, struct fr_faults *faults)
{
    char updates[FR_ROUNDED_TEXT], most[FR_ROUNDED_TEXT];

    if ((double)of->updates <= (is_counted ? limit : limit / reading_share))
        return true;
    fr_number_rounded((double)of->updates, FR_NO_LESS, updates);
    fr_number_rounded(is_counted ? limit : limit / reading_share, FR_NO_MORE, most);
    fr_fault(faults, FR_TOO_LONG, "ordering",
             "'%s' of matrix %s has %s block updates, but at most %s can be simulated; ask "
             "for another ordering",
             of->ordering, record->name, updates, most);
    return false;
}

const struct fr_matrix_ordering *fr_reading_check(const struct fr_matrix_record *record,
                                                  const struct sparse_structure_key *key,
                                                  bool is_counted, double limit,
                                                  struct fr_faults *faults)
{
    const struct fr_matrix_ordering *of = fr_matrix_find_structure(record, key);

    if (!of)
        refuse_missing(record, key, faults);
    else if (of->status == FR_MATRIX_FAILED)
        fr_fault(faults, FR_NOT_FOUND, "ordering", "'%s' of matrix %s failed: %.200s", of->ordering,
                 record->name, of->reason ? of->reason : "unknown reason");
    else if (of->status != FR_MATRIX_READY)
        fr_fault(faults, FR_NOT_FOUND, "ordering",
                 "'%s' of matrix %s is %s; ask again when it is ready, or with analyze=wait",
                 of->ordering, record->name, fr_matrix_status_name(of->status));
    else if (is_small(record, of, is_counted, limit, faults))
        return of;
    return NULL;
}

double fr_reading_updates(const struct fr_matrix_ordering *of)
{
    return reading_share * (double)of->updates;
}

struct fr_kept_structure *fr_kept_structure_load(struct fr_store *store,
                                                 const struct fr_matrix_record *record,
                                                 const struct fr_matrix_ordering *of,
                                                 struct fr_faults *faults)
{
    const struct sparse_structure_key key = { of->ordering, of->row_permutation, of->supernode_max,
                                              of->supernode_relax };
    struct fr_kept_structure *structure = NULL;
    struct sparse_structure *s = NULL;
    char id[FR_MATRIX_ID_BYTES];
    unsigned char *bytes;
    struct fr_faults inside;
    size_t length;

    inside.count = 0;
    if (fr_store_structure_get(store, record->id, &key, id, &bytes, &length) != FR_STORE_OK) {
        fr_fault(faults, FR_NOT_FOUND, "ordering", "'%s' of this matrix cannot be read",
                 of->ordering);
        return NULL;
    }
    s = fr_blocks_read(bytes, length, &inside);
    free(bytes);
    if (!s)
        fr_fault(faults, FR_NOT_FOUND, "ordering",
                 "'%s' of this matrix is damaged: %s; delete the "
                 "matrix and upload it again",
                 of->ordering, inside.fault[0].message);
    else if (!(structure = fr_kept_structure_new(s)))
        fr_fault(faults, FR_NOMEM, "matrix", "memory is short");
    if (!structure)
        return NULL;
    s->entries = record->nnz;
    s->supernode_max = of->supernode_max;
    s->supernode_relax = of->supernode_relax;
    s->ordering_s = of->ordering_s;
    s->symbolic_s = of->symbolic_s;
    snprintf(structure->id, sizeof structure->id, "%s", id);
    snprintf(structure->ordering, sizeof structure->ordering, "%s", of->ordering);
    snprintf(structure->row_permutation, sizeof structure->row_permutation, "%s",
             of->row_permutation);
    return structure;
}
