/* Reads block structures from the store, if they are ready and not too large. */
#include "server/matrices/simulation_cache.h"
#include "server/store/store.h"

#include "server/matrices/files/blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The work per update of reading a structure, relative to counting. */
static const double reading_share = 1. / 32;

static const struct fr_matrix_ordering *ordering_of(const struct fr_matrix_record *record,
                                                    const char *ordering)
{
    for (size_t i = 0; i < record->ordering_count; i++)
        if (strcmp(record->ordering[i].ordering, ordering) == 0)
            return &record->ordering[i];
    return NULL;
}

/* FR_OK, or a fault that says why there is no such structure. */
static int check_ordering(const struct fr_matrix_record *record, const char *name,
                          struct fr_faults *faults)
{
    const struct fr_matrix_ordering *ordering = ordering_of(record, name);

    if (!ordering)
        return fr_fault(faults, FR_NOT_FOUND, "ordering",
                        "matrix %s was uploaded without the ordering '%s'; see "
                        "/api/v1/matrices/%s",
                        name, record->name, record->id);
    if (ordering->status == FR_MATRIX_READY)
        return FR_OK;
    if (ordering->status == FR_MATRIX_FAILED)
        return fr_fault(faults, FR_NOT_FOUND, "ordering", "'%s' of matrix %s failed: %.200s", name,
                        record->name, ordering->reason ? ordering->reason : "unknown reason");
    return fr_fault(faults, FR_NOT_FOUND, "ordering",
                    "'%s' of matrix %s is %s; ask again when it is ready", name, record->name,
                    fr_matrix_status_name(ordering->status));
}

/* Refuses a structure that is too large to be read or counted in one request. */
static int check_reading(const struct fr_matrix_record *record, const char *ordering,
                         bool is_counted, double limit, struct fr_faults *faults)
{
    const double updates = (double)ordering_of(record, ordering)->updates;

    if (updates <= (is_counted ? limit : limit / reading_share))
        return FR_OK;
    return fr_fault(
        faults, FR_TOO_LONG, "ordering",
        "'%s' of matrix %s has %.6g block updates, but at most %.6g can be simulated; ask "
        "for another ordering",
        ordering, record->name, updates, limit);
}

int fr_reading_check(const struct fr_matrix_record *record, const char *ordering, bool is_counted,
                     double limit, struct fr_faults *faults)
{
    const int code = check_ordering(record, ordering, faults);

    return code == FR_OK ? check_reading(record, ordering, is_counted, limit, faults) : code;
}

double fr_reading_updates(const struct fr_matrix_record *record, const char *ordering)
{
    return reading_share * (double)ordering_of(record, ordering)->updates;
}

struct fr_kept_structure *fr_kept_structure_load(struct fr_store *store,
                                                 const struct fr_matrix_record *record,
                                                 const char *ordering, struct fr_faults *faults)
{
    struct fr_kept_structure *structure = NULL;
    struct sparse_structure *s = NULL;
    char id[FR_MATRIX_ID_BYTES];
    unsigned char *bytes;
    struct fr_faults inside;
    size_t length;

    inside.count = 0;
    if (fr_store_structure_get(store, record->id, ordering, id, &bytes, &length) != FR_STORE_OK) {
        fr_fault(faults, FR_NOT_FOUND, "ordering", "'%s' of this matrix cannot be read", ordering);
        return NULL;
    }
    s = fr_blocks_read(bytes, length, &inside);
    free(bytes);
    if (!s)
        fr_fault(faults, FR_NOT_FOUND, "ordering",
                 "'%s' of this matrix is damaged: %s; delete the "
                 "matrix and upload it again",
                 ordering, inside.fault[0].message);
    else if (!(structure = fr_kept_structure_new(s)))
        fr_fault(faults, FR_NOMEM, "matrix", "memory is short");
    if (!structure)
        return NULL;
    s->entries = record->nnz;
    s->supernode_max = record->supernode_max;
    snprintf(structure->id, sizeof structure->id, "%s", id);
    snprintf(structure->ordering, sizeof structure->ordering, "%s", ordering);
    structure->supernode_max = record->supernode_max;
    structure->supernode_relax = record->supernode_relax;
    return structure;
}
