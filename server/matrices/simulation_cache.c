/* The tables of cached structures, counted work and facts of partitions. */
#include "server/matrices/simulation_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The least size of an entry, which bounds the length of the tables. */
enum { LEAST_BYTES = 1 << 16 };

/* ---- tables --------------------------------------------------------------------------------- */

static void add(struct fr_simulations *simulations, struct fr_table *table, struct fr_kept *kept)
{
    kept->used = ++simulations->look_ups;
    kept->owners++;
    kept->next = table->first;
    table->first = kept;
    table->bytes += kept->bytes;
}

static void take_out(struct fr_table *table, struct fr_kept *kept)
{
    struct fr_kept **at = &table->first;

    while (*at != kept)
        at = &(*at)->next;
    *at = kept->next;
    table->bytes -= kept->bytes;
}

/* Takes out the least recently used entry; the table must have one that is counted. */
static struct fr_kept *take_oldest(struct fr_table *table)
{
    struct fr_kept *old = NULL;

    for (struct fr_kept *kept = table->first; kept; kept = kept->next)
        if (kept->bytes && (!old || kept->used < old->used))
            old = kept;
    take_out(table, old);
    return old;
}

static void make_room(struct fr_simulations *s)
{
    while (s->counts.bytes > s->counts.limit)
        fr_kept_work_counts_drop((struct fr_kept_work_counts *)(void *)take_oldest(&s->counts));
    while (s->structures.bytes > s->structures.limit)
        fr_kept_structure_drop((struct fr_kept_structure *)(void *)take_oldest(&s->structures));
    while (s->partitions.bytes > s->partitions.limit)
        fr_kept_partition_drop((struct fr_kept_partition *)(void *)take_oldest(&s->partitions));
}

struct fr_simulations *fr_simulations_new(const struct fr_simulation_limits *limits)
{
    struct fr_simulations *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->counted, NULL);
    s->structures.limit = limits->structures_bytes;
    s->counts.limit = limits->counts_bytes;
    s->partitions.limit = limits->structures_bytes;
    s->updates = limits->updates;
    s->counting_s = limits->counting_s;
    s->clock = limits->clock;
    return s;
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
    s->structures.limit = s->counts.limit = s->partitions.limit = 0;
    make_room(s);
    pthread_cond_destroy(&s->counted);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* ---- structures ----------------------------------------------------------------------------- */

struct fr_kept_structure *fr_kept_structure_new(struct sparse_structure *s)
{
    struct fr_kept_structure *structure = calloc(1, sizeof *structure);

    if (!structure) {
        sparse_structure_free(s);
        return NULL;
    }
    structure->s = s;
    structure->kept.owners = 1;
    structure->kept.bytes =
        LEAST_BYTES + sizeof *s + (size_t)s->supernodes * (sizeof *s->width + 2 * sizeof *s->l_at) +
        (size_t)s->facts.l_blocks * sizeof *s->l + (size_t)s->facts.u_blocks * sizeof *s->u;
    return structure;
}

void fr_kept_structure_drop(struct fr_kept_structure *structure)
{
    if (--structure->kept.owners > 0)
        return;
    sparse_structure_free(structure->s);
    free(structure);
}

void fr_kept_structure_keep(struct fr_simulations *s, struct fr_kept_structure *structure)
{
    add(s, &s->structures, &structure->kept);
    make_room(s);
}

struct fr_kept_structure *fr_kept_structure_find(struct fr_simulations *s,
                                                 const struct fr_matrix_record *record,
                                                 const struct fr_matrix_ordering *of)
{
    for (struct fr_kept *kept = s->structures.first; kept; kept = kept->next) {
        struct fr_kept_structure *structure = (struct fr_kept_structure *)(void *)kept;

        if (strcmp(structure->id, record->id) || strcmp(structure->ordering, of->ordering) ||
            strcmp(structure->row_permutation, of->row_permutation) ||
            structure->s->supernode_max != of->supernode_max ||
            structure->s->supernode_relax != of->supernode_relax)
            continue;
        kept->used = ++s->look_ups;
        kept->owners++;
        return structure;
    }
    return NULL;
}

/* ---- counts -------------------------------------------------------------------------------- */

struct fr_kept_work_counts *fr_kept_work_counts_new(struct fr_kept_structure *structure,
                                                    struct sparse_grid grid,
                                                    const struct sparse_machine *machine)
{
    struct fr_kept_work_counts *counts = calloc(1, sizeof *counts);

    if (!counts)
        return NULL;
    counts->kept.owners = 1;
    counts->of = structure;
    structure->kept.owners++;
    counts->grid = grid;
    counts->machine = *machine;
    return counts;
}

void fr_kept_work_counts_drop(struct fr_kept_work_counts *counts)
{
    if (--counts->kept.owners > 0)
        return;
    sparse_work_counts_free(counts->counts);
    fr_kept_structure_drop(counts->of);
    free(counts);
}

void fr_kept_work_counts_keep(struct fr_simulations *s, struct fr_kept_work_counts *counts)
{
    add(s, &s->counts, &counts->kept);
}

static size_t bytes_of(const struct sparse_work_counts *counts)
{
    size_t bytes = LEAST_BYTES + sizeof *counts;

    for (int64_t p = 0; p < sparse_processes(counts->grid); p++)
        bytes += sizeof *counts->process + (size_t)counts->s->supernodes +
                 counts->process[p].room * sizeof *counts->process[p].term;
    return bytes;
}

void fr_kept_work_counts_settle(struct fr_simulations *s, struct fr_kept_work_counts *counts)
{
    if (counts->counts) {
        counts->kept.bytes = bytes_of(counts->counts);
        s->counts.bytes += counts->kept.bytes;
        make_room(s);
    } else {
        take_out(&s->counts, &counts->kept);
        counts->kept.owners--;
    }
    pthread_cond_broadcast(&s->counted);
}

/* Whether an entry is valid for this machine.  While it is being counted, only the same machine is
 * known to be. */
static bool serves(const struct fr_kept_work_counts *counts, const struct sparse_machine *machine)
{
    if (counts->counts)
        return sparse_work_counts_hold(counts->counts, machine);
    return sparse_machine_is_alike(&counts->machine, machine) &&
           counts->machine.flop_s == machine->flop_s &&
           counts->machine.level[0].latency_s == machine->level[0].latency_s;
}

static struct fr_kept_work_counts *look_up(struct fr_simulations *simulations,
                                           const struct sparse_structure *s,
                                           struct sparse_grid grid,
                                           const struct sparse_machine *machine)
{
    for (struct fr_kept *kept = simulations->counts.first; kept; kept = kept->next) {
        struct fr_kept_work_counts *counts = (struct fr_kept_work_counts *)(void *)kept;

        if (counts->of->s == s && counts->grid.rows == grid.rows &&
            counts->grid.columns == grid.columns && serves(counts, machine))
            return counts;
    }
    return NULL;
}

struct fr_kept_work_counts *fr_kept_work_counts_find(struct fr_simulations *simulations,
                                                     const struct sparse_structure *s,
                                                     struct sparse_grid grid,
                                                     const struct sparse_machine *machine)
{
    struct fr_kept_work_counts *counts;

    while ((counts = look_up(simulations, s, grid, machine)) && !counts->counts)
        pthread_cond_wait(&simulations->counted, &simulations->lock);
    if (counts) {
        counts->kept.used = ++simulations->look_ups;
        counts->kept.owners++;
    }
    return counts;
}

/* ---- partitions ----------------------------------------------------------------------------- */

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
    kept->kept.owners = 1;
    kept->kept.bytes = LEAST_BYTES + 3 * (size_t)facts->processes * sizeof *facts->rows +
                       facts->message_count * sizeof *facts->message;
    return kept;
}

void fr_kept_partition_drop(struct fr_kept_partition *partition)
{
    if (--partition->kept.owners > 0)
        return;
    krylov_partition_free(partition->facts);
    free(partition);
}

void fr_kept_partition_keep(struct fr_simulations *s, struct fr_kept_partition *partition)
{
    add(s, &s->partitions, &partition->kept);
    make_room(s);
}

struct fr_kept_partition *fr_kept_partition_find(struct fr_simulations *s, const char *id,
                                                 const char *partition, int64_t processes)
{
    for (struct fr_kept *kept = s->partitions.first; kept; kept = kept->next) {
        struct fr_kept_partition *found = (struct fr_kept_partition *)(void *)kept;

        if (found->facts->processes != processes || strcmp(found->id, id) ||
            strcmp(found->partition, partition))
            continue;
        kept->used = ++s->look_ups;
        kept->owners++;
        return found;
    }
    return NULL;
}
