/* Structures, counted work and facts of partitions as values of caches. */
#include "server/matrices/simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The least size of a value, which bounds their number. */
enum { LEAST_BYTES = 1 << 16 };

/* ---- structures ----------------------------------------------------------------------------- */

static bool is_structure(const void *value, const void *of)
{
    const struct fr_kept_structure *structure = value;
    const struct fr_structure_key *key = of;

    return strcmp(structure->id, key->id) == 0 &&
           strcmp(structure->ordering, key->limits.ordering) == 0 &&
           strcmp(structure->row_permutation, key->limits.row_permutation) == 0 &&
           structure->s->supernode_max == key->limits.supernode_max &&
           structure->s->supernode_relax == key->limits.supernode_relax;
}

static void free_structure(void *value)
{
    sparse_structure_free(((struct fr_kept_structure *)value)->s);
    free(value);
}

struct fr_kept_structure *fr_kept_structure_new(struct sparse_structure *s)
{
    struct fr_kept_structure *structure = calloc(1, sizeof *structure);

    if (!structure) {
        sparse_structure_free(s);
        return NULL;
    }
    structure->s = s;
    structure->cached = (struct fr_cached){
        .owners = 1,
        .free = free_structure,
        .cost = LEAST_BYTES + sizeof *s +
                (size_t)s->supernodes * (sizeof *s->width + 2 * sizeof *s->l_at) +
                (size_t)s->facts.l_blocks * sizeof *s->l + (size_t)s->facts.u_blocks * sizeof *s->u,
    };
    return structure;
}

/* ---- counts -------------------------------------------------------------------------------- */

/* Whether counts are valid for this machine.  While they are being counted, only the same machine
 * is known to be. */
static bool serves(const struct fr_kept_work_counts *counts, const struct sparse_machine *machine)
{
    if (!counts->cached.is_pending)
        return sparse_work_counts_hold(counts->counts, machine);
    return sparse_machine_is_alike(&counts->machine, machine) &&
           counts->machine.flop_s == machine->flop_s &&
           counts->machine.level[0].latency_s == machine->level[0].latency_s;
}

static bool are_counts(const void *value, const void *key)
{
    const struct fr_kept_work_counts *counts = value, *asked = key;

    return counts->of == asked->of && counts->grid.rows == asked->grid.rows &&
           counts->grid.columns == asked->grid.columns && serves(counts, &asked->machine);
}

static void free_counts(void *value)
{
    struct fr_kept_work_counts *counts = value;

    sparse_work_counts_free(counts->counts);
    fr_cached_drop(counts->of);
    free(counts);
}

struct fr_kept_work_counts *fr_kept_work_counts_new(struct fr_kept_structure *structure,
                                                    struct sparse_grid grid,
                                                    const struct sparse_machine *machine)
{
    struct fr_kept_work_counts *counts = calloc(1, sizeof *counts);

    if (!counts)
        return NULL;
    *counts = (struct fr_kept_work_counts){
        .cached = { .owners = 1, .free = free_counts, .is_pending = true },
        .of = fr_cached_share(structure),
        .grid = grid,
        .machine = *machine,
    };
    return counts;
}

size_t fr_kept_work_counts_bytes(const struct fr_kept_work_counts *of)
{
    const struct sparse_work_counts *counts = of->counts;
    size_t bytes = LEAST_BYTES + sizeof *counts;

    if (!counts)
        return 0;
    for (int64_t p = 0; p < sparse_processes(counts->grid); p++)
        bytes += sizeof *counts->process + (size_t)counts->s->supernodes +
                 counts->process[p].room * sizeof *counts->process[p].term;
    return bytes;
}

/* ---- partitions ----------------------------------------------------------------------------- */

static bool is_partition(const void *value, const void *of)
{
    const struct fr_kept_partition *kept = value;
    const struct fr_partition_key *key = of;

    return kept->facts->processes == key->processes && strcmp(kept->id, key->id) == 0 &&
           strcmp(kept->partition, key->partition) == 0;
}

static void free_partition(void *value)
{
    krylov_partition_free(((struct fr_kept_partition *)value)->facts);
    free(value);
}

struct fr_kept_partition *fr_kept_partition_new(const char *id, const char *partition,
                                                struct krylov_partition *facts)
{
    struct fr_kept_partition *kept = calloc(1, sizeof *kept);

    if (!kept) {
        krylov_partition_free(facts);
        return NULL;
    }
    snprintf(kept->id, sizeof kept->id, "%s", id);
    snprintf(kept->partition, sizeof kept->partition, "%s", partition);
    kept->facts = facts;
    kept->cached = (struct fr_cached){
        .owners = 1,
        .free = free_partition,
        .cost = LEAST_BYTES + 3 * (size_t)facts->processes * sizeof *facts->rows +
                facts->message_count * sizeof *facts->message,
    };
    return kept;
}

/* ---- all ------------------------------------------------------------------------------------ */

struct fr_simulations *fr_simulations_new(const struct fr_simulation_limits *limits)
{
    struct fr_simulations *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    s->structures = fr_cache_new(is_structure, limits->structures_bytes, SIZE_MAX);
    s->counts = fr_cache_new(are_counts, limits->counts_bytes, SIZE_MAX);
    s->partitions = fr_cache_new(is_partition, limits->structures_bytes, SIZE_MAX);
    s->updates = limits->updates;
    s->counting_s = limits->counting_s;
    s->clock = limits->clock;
    if (s->structures && s->counts && s->partitions)
        return s;
    fr_simulations_free(s);
    return NULL;
}

void fr_simulations_stop(struct fr_simulations *s)
{
    atomic_store(&s->is_stopping, true);
}

bool fr_simulations_are_stopping(const struct fr_simulations *s)
{
    return atomic_load(&s->is_stopping);
}

void fr_simulations_free(struct fr_simulations *s)
{
    if (!s)
        return;
    fr_cache_free(s->counts);
    fr_cache_free(s->structures);
    fr_cache_free(s->partitions);
    free(s);
}
