/* The share of one request: finds structures, admits work, counts or waits for a count. */
#include "server/matrices/simulation.h"

#include "engine/core/number.h"
#include "server/core/clock.h"
#include "server/store/store.h"

#include "engine/sparse/counts/work.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { MOST_LENT = 4 };

/* A request that took more memory than this returns free pages to the system. */
static const double large_bytes = 1 << 25;
/* The memory of a parsed structure document, relative to the structure. */
static const double document_share = 8;

/* A structure that a request holds, under the name in the request. */
struct held {
    char matrix[FR_MATRIX_NAME_BYTES];
    int64_t usual_max, usual_relax; /* of the matrix */
    struct fr_kept_structure *structure;
};

struct fr_structures {
    struct fr_structure_source source;
    struct fr_simulations *simulations;
    struct fr_store *store;
    struct fr_arena *arena;
    double updates_left, bytes_taken; /* bytes: the largest single amount */
    uint64_t counts_until_ns;         /* 0: not set yet, or no limit */
    struct fr_client *client;         /* or NULL */
    bool *is_partial;                 /* or NULL: nobody asks */
    struct held *held;
    size_t count, room;
    struct fr_kept_work_counts *lent[MOST_LENT]; /* shares not given back yet */
};

static struct fr_kept_structure *new_structure(struct sparse_structure *s, struct fr_faults *faults)
{
    struct fr_kept_structure *structure = fr_kept_structure_new(s);

    if (!structure)
        fr_fault(faults, FR_NOMEM, "matrix", "memory is short");
    return structure;
}

/* What one request may not count, or not now, the same question may find counted. */
static void note_partial(struct fr_structures *of)
{
    if (of->is_partial)
        *of->is_partial = true;
}

static int refuse_memory(double bytes, double limit_bytes, struct fr_faults *faults)
{
    char needed[FR_BYTES_TEXT], most[FR_BYTES_TEXT];

    fr_number_bytes(bytes, FR_NO_LESS, needed);
    fr_number_bytes(limit_bytes, FR_NO_MORE, most);
    return fr_fault(faults, FR_TOO_LONG, "matrix",
                    "the simulation may need %s; at most %s are allowed; ask for fewer processes",
                    needed, most);
}

static int refuse_work(const struct fr_structures *of, double updates, struct fr_faults *faults)
{
    char needed[FR_ROUNDED_TEXT], left[FR_ROUNDED_TEXT], most[FR_ROUNDED_TEXT];

    fr_number_rounded(updates, FR_NO_LESS, needed);
    fr_number_rounded(of->updates_left, FR_NO_MORE, left);
    fr_number_rounded(of->simulations->updates, FR_NO_MORE, most);
    return fr_fault(faults, FR_TOO_LONG, "matrix",
                    "work of %s more block updates is needed, but %s are left of the %s per "
                    "request; ask for fewer processes, or fewer grids and orderings at a time",
                    needed, left, most);
}

/* Subtracts work from the allowance of the request and checks memory against the cache. */
static int allow(void *context, double updates, double bytes, struct fr_faults *faults)
{
    struct fr_structures *of = context;
    const double limit_bytes = (double)fr_cache_most_cost(of->simulations->counts);

    if (bytes > limit_bytes || updates > of->updates_left)
        note_partial(of);
    if (bytes > limit_bytes)
        return refuse_memory(bytes, limit_bytes, faults);
    if (updates > of->updates_left)
        return refuse_work(of, updates, faults);
    of->updates_left -= updates;
    of->bytes_taken = fmax(of->bytes_taken, bytes);
    return FR_OK;
}

/* A share of a structure from the cache or from the store. */
static struct fr_kept_structure *obtain(struct fr_structures *of,
                                        const struct fr_matrix_record *record,
                                        const struct fr_matrix_ordering *stored,
                                        struct fr_faults *faults)
{
    struct fr_cache *cache = of->simulations->structures;
    const struct fr_structure_key key = { record->id,
                                          { stored->ordering, stored->row_permutation,
                                            stored->supernode_max, stored->supernode_relax } };
    struct fr_kept_structure *structure = fr_cache_find(cache, &key);

    if (structure || allow(of, fr_reading_updates(stored), 0, faults) != FR_OK)
        return structure;
    structure = fr_kept_structure_load(of->store, record, stored, faults);
    return structure ? fr_cache_keep(cache, &key, structure) : NULL;
}

static bool hold(struct fr_structures *of, const char *matrix, struct fr_kept_structure *structure,
                 int64_t usual_max, int64_t usual_relax)
{
    if (of->count == of->room) {
        const size_t room = 2 * of->room + 8;
        struct held *more = realloc(of->held, room * sizeof *more);

        if (!more)
            return false;
        of->held = more;
        of->room = room;
    }
    of->held[of->count] =
        (struct held){ .usual_max = usual_max, .usual_relax = usual_relax, .structure = structure };
    snprintf(of->held[of->count++].matrix, FR_MATRIX_NAME_BYTES, "%s", matrix);
    return true;
}

static bool is_of_request(const struct held *held)
{
    return !held->structure->id[0];
}

static bool is_held(const struct held *held, const char *matrix,
                    const struct sparse_structure_key *asked)
{
    const struct fr_kept_structure *structure = held->structure;
    struct sparse_structure_key key = *asked;

    if (strcmp(held->matrix, matrix) != 0 || is_of_request(held))
        return strcmp(held->matrix, matrix) == 0;
    sparse_structure_key_complete(&key, held->usual_max, held->usual_relax);
    return strcmp(structure->ordering, key.ordering) == 0 &&
           strcmp(structure->row_permutation, key.row_permutation) == 0 &&
           structure->s->supernode_max == key.supernode_max &&
           structure->s->supernode_relax == key.supernode_relax;
}

/* A structure in the request is what it is. */
static int check_request(const struct held *held, const struct sparse_structure_key *key,
                         struct fr_faults *faults)
{
    const char *given = key->supernode_max > 0     ? "supernode_max"
                        : key->supernode_relax > 0 ? "supernode_relax"
                                                   : NULL;

    if (!is_of_request(held) || !given)
        return FR_OK;
    return fr_fault(faults, FR_RELATION, given,
                    "the request has a structure of its own, which was made already; leave it out");
}

static const struct sparse_structure *find(void *context, const char *matrix,
                                           const struct sparse_structure_key *asked,
                                           bool is_counted, struct fr_faults *faults)
{
    struct fr_structures *of = context;
    struct sparse_structure_key key = *asked;
    const struct fr_matrix_ordering *stored;
    const struct fr_arena_mark mark = fr_arena_mark(of->arena);
    struct fr_kept_structure *structure = NULL;
    struct fr_matrix_record record;

    for (size_t i = 0; i < of->count; i++)
        if (is_held(&of->held[i], matrix, asked))
            return check_request(&of->held[i], asked, faults) == FR_OK ? of->held[i].structure->s
                                                                       : NULL;
    if (fr_matrix_named(of->store, of->arena, matrix, &record, faults) == FR_OK) {
        sparse_structure_key_complete(&key, record.supernode_max, record.supernode_relax);
        stored = fr_reading_check(&record, &key, is_counted, of->simulations->updates, faults);
        if (stored)
            structure = obtain(of, &record, stored, faults);
    }
    fr_arena_release(of->arena, mark);
    if (structure && !hold(of, matrix, structure, record.supernode_max, record.supernode_relax)) {
        fr_fault(faults, FR_NOMEM, "matrix", "memory is short");
        fr_cached_drop(structure);
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

/* Admits a count, by work and by memory. */
static int check_work(struct fr_structures *of, const struct fr_kept_work_counts *kept,
                      struct fr_faults *faults)
{
    const struct sparse_structure *s = kept->of->s;
    const struct sparse_costs costs = sparse_costs_paper(&kept->machine);
    struct sparse_work work;

    sparse_work_find(s, kept->grid, &work);
    return allow(of, sparse_paper_updates(s, kept->grid),
                 sparse_work_bytes(&work, s, kept->grid, costs.panel_terms, costs.update_terms),
                 faults);
}

/* Starts the time limit with the first look-up, so that waiting for a count of another request
 * which then fails is included. */
static void begin_time(struct fr_structures *of)
{
    const double most_s = of->simulations->counting_s;

    if (of->counts_until_ns == 0 && most_s > 0)
        of->counts_until_ns = fr_clock_ns(of->simulations->clock) + (uint64_t)(1e9 * most_s);
}

static void count(struct fr_structures *of, struct fr_kept_work_counts *kept,
                  struct fr_faults *faults)
{
    struct sparse_work_counts *counts = NULL;
    int code = FR_OK;

    if (check_work(of, kept, faults) == FR_OK)
        counts = sparse_work_counts_paper(kept->of->s, kept->grid, &kept->machine, faults);
    if (counts) {
        const struct fr_counting_limits limits = { &of->simulations->is_stopping,
                                                   of->simulations->clock, of->counts_until_ns,
                                                   of->client };

        code = fr_work_counts_count(counts, &limits, faults);
        if (code != FR_OK)
            note_partial(of);
    }
    if (counts && code != FR_OK) {
        sparse_work_counts_free(counts);
        counts = NULL;
    }
    kept->counts = counts;
}

/* A share of counted work, or NULL with a fault. */
static struct fr_kept_work_counts *obtain_counts(struct fr_structures *of,
                                                 struct fr_kept_structure *structure,
                                                 struct sparse_grid grid,
                                                 const struct sparse_machine *machine,
                                                 struct fr_faults *faults)
{
    struct fr_cache *cache = of->simulations->counts;
    struct fr_kept_work_counts *mine = fr_kept_work_counts_new(structure, grid, machine), *kept;

    if (!mine) {
        fr_fault(faults, FR_NOMEM, "matrix", "memory is short");
        return NULL;
    }
    kept = structure->id[0] ? fr_cache_keep(cache, mine, mine) : mine;
    if (kept != mine)
        return kept;
    count(of, mine, faults);
    if (structure->id[0])
        fr_cache_settle(cache, mine, fr_kept_work_counts_bytes(mine));
    if (mine->counts)
        return mine;
    fr_cached_drop(mine);
    return NULL;
}

static const struct sparse_work_counts *counts_of(void *context, const struct sparse_structure *s,
                                                  struct sparse_grid grid,
                                                  const struct sparse_machine *machine,
                                                  struct fr_faults *faults)
{
    struct fr_structures *of = context;
    struct fr_kept_work_counts *kept;
    size_t free_place = 0;

    while (of->lent[free_place])
        free_place++;
    assert(free_place < MOST_LENT); /* a simulation holds two */
    begin_time(of);
    kept = obtain_counts(of, held_structure(of, s), grid, machine, faults);
    of->lent[free_place] = kept;
    return kept ? kept->counts : NULL;
}

static void release(void *context, const struct sparse_work_counts *counts)
{
    struct fr_structures *of = context;
    size_t i = 0;

    while (!of->lent[i] || of->lent[i]->counts != counts)
        i++;
    fr_cached_drop(of->lent[i]);
    of->lent[i] = NULL;
}

/* ---- a request ------------------------------------------------------------------------------ */

struct fr_structures *fr_structures_begin(struct fr_simulations *simulations,
                                          struct fr_store *store, struct fr_arena *arena)
{
    struct fr_structures *of = calloc(1, sizeof *of);

    if (!of)
        return NULL;
    of->source = (struct fr_structure_source){ of, find, counts_of, allow, release };
    of->simulations = simulations;
    of->store = store;
    of->arena = arena;
    of->updates_left = simulations->updates;
    return of;
}

void fr_structures_watch(struct fr_structures *of, struct fr_client *client, bool *is_partial)
{
    of->client = client;
    of->is_partial = is_partial;
}

void fr_structures_end(struct fr_structures *of)
{
    if (!of)
        return;
    for (size_t i = 0; i < of->count; i++)
        fr_cached_drop(of->held[i].structure);
#ifdef __GLIBC__
    /* Otherwise freed small pieces stay in the heaps of the threads. */
    if (of->bytes_taken > large_bytes)
        malloc_trim(0);
#endif
    free(of->held);
    free(of);
}

void fr_structures_forget(struct fr_structures *of)
{
    for (size_t i = 0; i < of->count; i++) {
        if (of->held[i].structure->id[0])
            continue;
        fr_cached_drop(of->held[i].structure);
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
    of->bytes_taken = fmax(of->bytes_taken, document_share * (double)structure->cached.cost);
    if (hold(of, id, structure, 0, 0))
        return FR_OK;
    fr_cached_drop(structure);
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
    const struct fr_matrix_ordering *one;
    struct fr_matrix_record record;
    size_t used;

    out[0] = '\0';
    if (fr_store_matrix_get(of->store, matrix, of->arena, &record) == FR_STORE_OK) {
        used = (size_t)snprintf(out, FR_MATRIX_STATE_BYTES, "%s %lld %lld ", record.id,
                                (long long)record.supernode_max, (long long)record.supernode_relax);
        for (size_t i = 0; (one = fr_matrix_structure(&record, i)); i++)
            used +=
                (size_t)snprintf(out + used, FR_MATRIX_STATE_BYTES - used, "%d", (int)one->status);
    }
    fr_arena_release(of->arena, mark);
}
