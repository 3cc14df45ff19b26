#include "simulation_cache.h"

#include "matrix/blocks.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LENT = 4, NAME_BYTES = 80 };

/* A structure that a request holds, under the name by which it asked for it. */
struct held {
    char matrix[NAME_BYTES];
    struct fr_kept_structure *structure;
};

struct fr_structures {
    struct fr_structure_source source;
    struct fr_simulations *simulations;
    struct fr_store *store;
    struct fr_arena *arena;
    double updates_left;
    struct held *held;
    size_t count, room;
    struct fr_kept_charges *lent[MOST_LENT]; /* shares that are not given back yet */
};

static struct fr_kept_structure *new_structure(struct sparse_structure *s, struct fr_faults *faults)
{
    struct fr_kept_structure *structure = fr_kept_structure_new(s);

    if (!structure)
        fr_fault(faults, FR_NOMEM, "matrix", "memory is short");
    return structure;
}

/* Decodes what the store has. */
static struct fr_kept_structure *load(struct fr_structures *of,
                                      const struct fr_matrix_record *record, const char *ordering,
                                      struct fr_faults *faults)
{
    struct fr_kept_structure *structure = NULL;
    struct sparse_structure *s = NULL;
    char id[FR_MATRIX_ID_BYTES];
    unsigned char *bytes;
    struct fr_faults inside;
    size_t length;

    inside.count = 0;
    if (fr_store_structure_get(of->store, record->id, ordering, id, &bytes, &length) !=
        FR_STORE_OK) {
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
    else
        structure = new_structure(s, faults);
    if (!structure)
        return NULL;
    s->entries = record->nnz;
    snprintf(structure->id, sizeof structure->id, "%s", id);
    snprintf(structure->ordering, sizeof structure->ordering, "%s", ordering);
    structure->supernode_max = record->supernode_max;
    structure->supernode_relax = record->supernode_relax;
    return structure;
}

/* From memory or from the store: a share. */
static struct fr_kept_structure *obtain(struct fr_structures *of,
                                        const struct fr_matrix_record *record, const char *ordering,
                                        struct fr_faults *faults)
{
    struct fr_simulations *s = of->simulations;
    struct fr_kept_structure *structure, *other;

    pthread_mutex_lock(&s->lock);
    structure = fr_kept_structure_find(s, record, ordering);
    pthread_mutex_unlock(&s->lock);
    if (structure)
        return structure;
    structure = load(of, record, ordering, faults);
    if (!structure)
        return NULL;
    pthread_mutex_lock(&s->lock);
    other = fr_kept_structure_find(s, record, ordering);
    if (other) { /* somebody else was as quick: all count on the same one */
        fr_kept_structure_drop(structure);
        structure = other;
    } else {
        fr_kept_structure_keep(s, structure);
    }
    pthread_mutex_unlock(&s->lock);
    return structure;
}

static bool hold(struct fr_structures *of, const char *matrix, struct fr_kept_structure *structure)
{
    if (of->count == of->room) {
        const size_t room = 2 * of->room + 8;
        struct held *more = realloc(of->held, room * sizeof *more);

        if (!more)
            return false;
        of->held = more;
        of->room = room;
    }
    snprintf(of->held[of->count].matrix, NAME_BYTES, "%s", matrix);
    of->held[of->count++].structure = structure;
    return true;
}

static const struct fr_matrix_ordering *ordering_of(const struct fr_matrix_record *record,
                                                    const char *ordering)
{
    for (size_t i = 0; i < record->ordering_count; i++)
        if (strcmp(record->ordering[i].ordering, ordering) == 0)
            return &record->ordering[i];
    return NULL;
}

/* Why there is no such structure, or FR_OK. */
static int check_ordering(const struct fr_matrix_record *record, const char *name,
                          struct fr_faults *faults)
{
    const struct fr_matrix_ordering *ordering = ordering_of(record, name);

    if (!ordering)
        return fr_fault(faults, FR_NOT_FOUND, "ordering",
                        "'%s' was not asked for when matrix %s was uploaded; see "
                        "/api/v1/matrices/%s",
                        name, record->name, record->id);
    if (ordering->status == FR_MATRIX_READY)
        return FR_OK;
    if (ordering->status == FR_MATRIX_FAILED)
        return fr_fault(faults, FR_NOT_FOUND, "ordering", "'%s' of matrix %s failed: %.200s", name,
                        record->name, ordering->reason ? ordering->reason : "for no known reason");
    return fr_fault(faults, FR_NOT_FOUND, "ordering",
                    "'%s' of matrix %s is %s; ask again when it is ready", name, record->name,
                    fr_matrix_status_name(ordering->status));
}

static const struct sparse_structure *find(void *context, const char *matrix, const char *ordering,
                                           struct fr_faults *faults)
{
    struct fr_structures *of = context;
    const struct fr_arena_mark mark = fr_arena_mark(of->arena);
    struct fr_kept_structure *structure = NULL;
    struct fr_matrix_record record;

    for (size_t i = 0; i < of->count; i++)
        if (strcmp(of->held[i].matrix, matrix) == 0 &&
            (!of->held[i].structure->id[0] ||
             strcmp(of->held[i].structure->ordering, ordering) == 0))
            return of->held[i].structure->s;
    if (strlen(matrix) >= NAME_BYTES ||
        fr_store_matrix_get(of->store, matrix, of->arena, &record) != FR_STORE_OK)
        fr_fault(faults, FR_NOT_FOUND, "matrix", "'%.64s' is no matrix here; see /api/v1/matrices",
                 matrix);
    else if (check_ordering(&record, ordering, faults) == FR_OK)
        structure = obtain(of, &record, ordering, faults);
    fr_arena_release(of->arena, mark);
    if (structure && !hold(of, matrix, structure)) {
        fr_fault(faults, FR_NOMEM, "matrix", "memory is short");
        pthread_mutex_lock(&of->simulations->lock);
        fr_kept_structure_drop(structure);
        pthread_mutex_unlock(&of->simulations->lock);
        structure = NULL;
    }
    return structure ? structure->s : NULL;
}

static struct fr_kept_structure *held_structure(const struct fr_structures *of,
                                                const struct sparse_structure *s)
{
    size_t i = 0;

    while (of->held[i].structure->s != s)
        i++;
    return of->held[i].structure;
}

/* Whether the request may count so much more, and whether it could be kept in memory. */
static int check_work(struct fr_structures *of, const struct sparse_structure *s,
                      struct sparse_grid grid, struct fr_faults *faults)
{
    const double processes = (double)sparse_processes(grid), steps = (double)s->supernodes;
    const double limit = (double)of->simulations->charges.limit;

    if (processes * steps > limit)
        return fr_fault(faults, FR_TOO_LONG, "matrix",
                        "%.0f processes in %.0f steps take more memory than simulations have, "
                        "%.6g bytes; ask for fewer processes",
                        processes, steps, limit);
    /* Every process goes through all steps, however little it does. */
    if (s->facts.updates + processes * steps / 8 > of->updates_left)
        return fr_fault(faults, FR_TOO_LONG, "matrix",
                        "%.6g more updates of blocks on %.0f processes are more than one request "
                        "may simulate, %.6g; ask for fewer grids and orderings at a time, what was "
                        "simulated is kept",
                        s->facts.updates, processes, of->simulations->updates);
    of->updates_left -= s->facts.updates + processes * steps / 8;
    return FR_OK;
}

/* Counts without the lock, which is held before and after. */
static void count(struct fr_structures *of, struct fr_kept_charges *kept, struct fr_faults *faults)
{
    struct sparse_charges *charges = NULL;

    pthread_mutex_unlock(&of->simulations->lock);
    if (check_work(of, kept->of->s, kept->grid, faults) == FR_OK)
        charges = sparse_charges_paper(kept->of->s, kept->grid, &kept->machine, faults);
    if (charges && fr_charges_count(charges, faults) != FR_OK) {
        sparse_charges_free(charges);
        charges = NULL;
    }
    pthread_mutex_lock(&of->simulations->lock);
    kept->charges = charges;
}

/* A share of charges counted now, or NULL with a fault. The lock is held. */
static struct fr_kept_charges *count_anew(struct fr_structures *of,
                                          const struct sparse_structure *s, struct sparse_grid grid,
                                          const struct sparse_machine *machine,
                                          struct fr_faults *faults)
{
    struct fr_kept_structure *structure = held_structure(of, s);
    struct fr_kept_charges *kept = fr_kept_charges_new(structure, grid, machine);
    const bool is_kept = structure->id[0] != '\0';

    if (!kept) {
        fr_fault(faults, FR_NOMEM, "matrix", "memory is short");
        return NULL;
    }
    if (is_kept)
        fr_kept_charges_keep(of->simulations, kept);
    count(of, kept, faults);
    if (is_kept)
        fr_kept_charges_settle(of->simulations, kept);
    if (kept->charges)
        return kept;
    fr_kept_charges_drop(kept);
    return NULL;
}

static const struct sparse_charges *charges_of(void *context, const struct sparse_structure *s,
                                               struct sparse_grid grid,
                                               const struct sparse_machine *machine,
                                               struct fr_faults *faults)
{
    struct fr_structures *of = context;
    struct fr_kept_charges *kept;
    size_t free_place = 0;

    while (of->lent[free_place])
        free_place++;
    assert(free_place < MOST_LENT); /* a simulation holds two */
    pthread_mutex_lock(&of->simulations->lock);
    kept = fr_kept_charges_find(of->simulations, s, grid, machine);
    if (!kept)
        kept = count_anew(of, s, grid, machine, faults);
    pthread_mutex_unlock(&of->simulations->lock);
    of->lent[free_place] = kept;
    return kept ? kept->charges : NULL;
}

static void release(void *context, const struct sparse_charges *charges)
{
    struct fr_structures *of = context;
    size_t i = 0;

    while (!of->lent[i] || of->lent[i]->charges != charges)
        i++;
    pthread_mutex_lock(&of->simulations->lock);
    fr_kept_charges_drop(of->lent[i]);
    pthread_mutex_unlock(&of->simulations->lock);
    of->lent[i] = NULL;
}

/* ---- a request ------------------------------------------------------------------------------ */

struct fr_structures *fr_structures_begin(struct fr_simulations *simulations,
                                          struct fr_store *store, struct fr_arena *arena)
{
    struct fr_structures *of = calloc(1, sizeof *of);

    if (!of)
        return NULL;
    of->source = (struct fr_structure_source){ of, find, charges_of, release };
    of->simulations = simulations;
    of->store = store;
    of->arena = arena;
    of->updates_left = simulations->updates;
    return of;
}

void fr_structures_end(struct fr_structures *of)
{
    if (!of)
        return;
    pthread_mutex_lock(&of->simulations->lock);
    for (size_t i = 0; i < of->count; i++)
        fr_kept_structure_drop(of->held[i].structure);
    pthread_mutex_unlock(&of->simulations->lock);
    free(of->held);
    free(of);
}

void fr_structures_forget(struct fr_structures *of)
{
    for (size_t i = 0; i < of->count; i++) {
        if (of->held[i].structure->id[0])
            continue;
        pthread_mutex_lock(&of->simulations->lock);
        fr_kept_structure_drop(of->held[i].structure);
        pthread_mutex_unlock(&of->simulations->lock);
        of->held[i--] = of->held[--of->count];
    }
}

int fr_structures_name(struct fr_structures *of, const char *id, struct sparse_structure *s,
                       struct fr_faults *faults)
{
    struct fr_kept_structure *structure = new_structure(s, faults);

    if (!structure)
        return FR_NOMEM;
    fr_structures_forget(of);
    if (hold(of, id, structure))
        return FR_OK;
    pthread_mutex_lock(&of->simulations->lock);
    fr_kept_structure_drop(structure);
    pthread_mutex_unlock(&of->simulations->lock);
    return fr_fault(faults, FR_NOMEM, "structure", "memory is short");
}

const struct fr_structure_source *fr_structures_source(const struct fr_structures *of)
{
    return &of->source;
}

void fr_structures_state(struct fr_structures *of, const char *matrix,
                         char out[FR_MATRIX_STATE_BYTES])
{
    const struct fr_arena_mark mark = fr_arena_mark(of->arena);
    struct fr_matrix_record record;
    size_t used;

    out[0] = '\0';
    if (fr_store_matrix_get(of->store, matrix, of->arena, &record) == FR_STORE_OK) {
        used = (size_t)snprintf(out, FR_MATRIX_STATE_BYTES, "%s %lld %lld", record.id,
                                (long long)record.supernode_max, (long long)record.supernode_relax);
        for (size_t i = 0; i < record.ordering_count && used + 2 < FR_MATRIX_STATE_BYTES; i++)
            used += (size_t)snprintf(out + used, FR_MATRIX_STATE_BYTES - used, " %d",
                                     (int)record.ordering[i].status);
    }
    fr_arena_release(of->arena, mark);
}
