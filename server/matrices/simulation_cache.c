#include "server/matrices/simulation_cache.h"

#include <stdlib.h>
#include <string.h>

/* What each counts for at least, so that a table is never long to search. */
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

/* The one that was used longest ago, taken out; there is one while there are bytes. */
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
    while (s->charges.bytes > s->charges.limit)
        fr_kept_work_counts_drop((struct fr_kept_work_counts *)(void *)take_oldest(&s->charges));
    while (s->structures.bytes > s->structures.limit)
        fr_kept_structure_drop((struct fr_kept_structure *)(void *)take_oldest(&s->structures));
}

struct fr_simulations *fr_simulations_new(const struct fr_simulation_limits *limits)
{
    struct fr_simulations *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->counted, NULL);
    s->structures.limit = limits->structures_bytes;
    s->charges.limit = limits->charges_bytes;
    s->updates = limits->updates;
    s->counting_s = limits->counting_s;
    return s;
}

void fr_simulations_stop(struct fr_simulations *s)
{
    atomic_store(&s->is_stopping, true);
}

void fr_simulations_free(struct fr_simulations *s)
{
    if (!s)
        return;
    s->structures.limit = s->charges.limit = 0;
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
                                                 const char *ordering)
{
    for (struct fr_kept *kept = s->structures.first; kept; kept = kept->next) {
        struct fr_kept_structure *structure = (struct fr_kept_structure *)(void *)kept;

        if (strcmp(structure->id, record->id) || strcmp(structure->ordering, ordering) ||
            structure->supernode_max != record->supernode_max ||
            structure->supernode_relax != record->supernode_relax)
            continue;
        kept->used = ++s->look_ups;
        kept->owners++;
        return structure;
    }
    return NULL;
}

/* ---- charges -------------------------------------------------------------------------------- */

struct fr_kept_work_counts *fr_kept_work_counts_new(struct fr_kept_structure *structure,
                                                    struct sparse_grid grid,
                                                    const struct sparse_machine *machine)
{
    struct fr_kept_work_counts *charges = calloc(1, sizeof *charges);

    if (!charges)
        return NULL;
    charges->kept.owners = 1;
    charges->of = structure;
    structure->kept.owners++;
    charges->grid = grid;
    charges->machine = *machine;
    return charges;
}

void fr_kept_work_counts_drop(struct fr_kept_work_counts *charges)
{
    if (--charges->kept.owners > 0)
        return;
    sparse_work_counts_free(charges->charges);
    fr_kept_structure_drop(charges->of);
    free(charges);
}

void fr_kept_work_counts_keep(struct fr_simulations *s, struct fr_kept_work_counts *charges)
{
    add(s, &s->charges, &charges->kept);
}

static size_t bytes_of(const struct sparse_work_counts *charges)
{
    size_t bytes = LEAST_BYTES + sizeof *charges;

    for (int64_t p = 0; p < sparse_processes(charges->grid); p++)
        bytes += sizeof *charges->process + (size_t)charges->s->supernodes +
                 charges->process[p].room * sizeof *charges->process[p].word;
    return bytes;
}

void fr_kept_work_counts_settle(struct fr_simulations *s, struct fr_kept_work_counts *charges)
{
    if (charges->charges) {
        charges->kept.bytes = bytes_of(charges->charges);
        s->charges.bytes += charges->kept.bytes;
        make_room(s);
    } else {
        take_out(&s->charges, &charges->kept);
        charges->kept.owners--;
    }
    pthread_cond_broadcast(&s->counted);
}

/* Whether they will serve this machine as well; while they are counted only what is quite alike is
 * known to. */
static bool serves(const struct fr_kept_work_counts *charges, const struct sparse_machine *machine)
{
    if (charges->charges)
        return sparse_work_counts_hold(charges->charges, machine);
    return sparse_machine_is_alike(&charges->machine, machine) &&
           charges->machine.flop_s == machine->flop_s &&
           charges->machine.level[0].latency_s == machine->level[0].latency_s;
}

static struct fr_kept_work_counts *look_up(struct fr_simulations *simulations,
                                           const struct sparse_structure *s,
                                           struct sparse_grid grid,
                                           const struct sparse_machine *machine)
{
    for (struct fr_kept *kept = simulations->charges.first; kept; kept = kept->next) {
        struct fr_kept_work_counts *charges = (struct fr_kept_work_counts *)(void *)kept;

        if (charges->of->s == s && charges->grid.rows == grid.rows &&
            charges->grid.columns == grid.columns && serves(charges, machine))
            return charges;
    }
    return NULL;
}

struct fr_kept_work_counts *fr_kept_work_counts_find(struct fr_simulations *simulations,
                                                     const struct sparse_structure *s,
                                                     struct sparse_grid grid,
                                                     const struct sparse_machine *machine)
{
    struct fr_kept_work_counts *charges;

    while ((charges = look_up(simulations, s, grid, machine)) && !charges->charges)
        pthread_cond_wait(&simulations->counted, &simulations->lock);
    if (charges) {
        charges->kept.used = ++simulations->look_ups;
        charges->kept.owners++;
    }
    return charges;
}
