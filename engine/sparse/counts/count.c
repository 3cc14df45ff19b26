/* Counts the work of one process: a pass over its steps that accesses its simulated caches.
 *
 * The dgemms of one step with one block of U differ in M only, and their kind depends on min(Ea, M)
 * only.  They are counted together in classes of that minimum, so that each update costs no more
 * than its four accesses to the caches.
 */
#include "engine/sparse/counts/work.h"

#include <stdlib.h>

/* The row blocks of a step with the same min(Ea, M). */
struct class
{
    int32_t unroll, count;
    int64_t rows;
};

struct sparse_counter {
    const struct sparse_machine *machine;
    struct sparse_local_blocks *local;
    struct sparse_cache cache;
    int32_t *lines;         /* of each local block */
    int32_t length;         /* doubles per line */
    int32_t temp_u, temp_v; /* block numbers of the temporary copy of U and of the product */
    struct class *class;
    int32_t classes;
    int32_t *class_of; /* by unroll: index + 1; 0: none yet */
    /* of the current operation */
    struct sparse_counts counts;
    int64_t misses[SPARSE_MAX_LEVELS];
    struct sparse_process *process;
    int code;
    bool (*goes_on)(const void *context);
    const void *context;
    int64_t done; /* steps and updates since goes_on was called */
};

enum { DONE_BETWEEN_CALLS = 1 << 16 };

struct sparse_counter *sparse_counter_new(const struct sparse_work_counts *counts)
{
    const struct sparse_machine *machine = &counts->machine;
    const int64_t widest = counts->s->facts.widest;
    const size_t classes =
        (size_t)(widest < machine->dgemm_unroll.m ? widest : machine->dgemm_unroll.m);
    struct sparse_counter *counter = calloc(1, sizeof *counter);

    if (!counter)
        return NULL;
    counter->machine = machine;
    counter->length = sparse_line_length(machine);
    counter->class = calloc(classes, sizeof *counter->class);
    counter->class_of = calloc(classes + 1, sizeof *counter->class_of);
    counter->local = sparse_local_blocks_new(counts->s, counts->grid);
    if (counter->local) {
        counter->temp_u = (int32_t)counter->local->room;
        counter->temp_v = counter->temp_u + 1;
        counter->lines = malloc(counter->local->room * sizeof *counter->lines);
    }
    if (!counter->class || !counter->class_of || !counter->lines ||
        sparse_cache_init(&counter->cache, machine, counter->temp_v + 1) != FR_OK) {
        sparse_counter_free(counter);
        return NULL;
    }
    return counter;
}

void sparse_counter_ask(struct sparse_counter *counter, bool (*goes_on)(const void *context),
                        const void *context)
{
    counter->goes_on = goes_on;
    counter->context = context;
}

void sparse_counter_free(struct sparse_counter *counter)
{
    if (!counter)
        return;
    sparse_cache_free(&counter->cache);
    sparse_local_blocks_free(counter->local);
    free(counter->lines);
    free(counter->class);
    free(counter->class_of);
    free(counter);
}

static void touch(struct sparse_counter *c, int32_t block, int32_t lines)
{
    sparse_cache_touch(&c->cache, block, lines, c->misses);
}

static void add(struct sparse_counter *c, struct sparse_counts counts)
{
    c->counts.flops += counts.flops;
    c->counts.loads += counts.loads;
    c->counts.inner_loads += counts.inner_loads;
    c->counts.stores += counts.stores;
}

/* Stores the current operation and starts the next one. */
static void keep(struct sparse_counter *c, int32_t k, enum sparse_operation operation)
{
    const bool is_update = operation == SPARSE_UPDATE_NEXT || operation == SPARSE_UPDATE_REST;
    struct sparse_totals *totals = &c->process->totals;
    double term[SPARSE_MAX_TERMS];
    size_t terms = 0;

    if (is_update)
        term[terms++] = c->counts.flops;
    term[terms++] = c->counts.loads + c->counts.stores;
    totals->flops_dgemm += c->counts.flops;
    totals->loads += c->counts.loads;
    totals->inner_loads += c->counts.inner_loads;
    totals->stores += c->counts.stores;
    for (size_t q = 0; q < c->machine->levels; q++) {
        totals->misses[q] += (double)c->misses[q];
        term[terms++] = (double)c->misses[q];
        c->misses[q] = 0;
    }
    c->counts = (struct sparse_counts){ 0 };
    if (c->code == FR_OK)
        c->code = sparse_process_add(c->process, k, operation, term, terms);
}

static void factor(struct sparse_counter *c, int32_t k)
{
    const struct sparse_local_blocks *local = c->local;
    const bool has_diagonal = sparse_local_blocks_has_diagonal(local, k);
    double rows = 0;

    if (local->column_of[k] != local->pc || local->diagonal[k] == local->top[k + 1])
        return;
    for (int32_t b = local->diagonal[k]; b < local->top[k + 1]; b++)
        touch(c, b, c->lines[b]);
    for (int32_t b = sparse_local_blocks_l(local, k); b < local->top[k + 1]; b++)
        rows += local->rows[b];
    add(c, sparse_dgers(c->machine, local->s->width[k], rows, has_diagonal));
    keep(c, k, SPARSE_FACTOR);
}

static void solve(struct sparse_counter *c, int32_t k)
{
    const struct sparse_local_blocks *local = c->local;
    const int32_t diagonal = local->diagonal[k];
    double sum = 0, sumsq = 0;

    if (!sparse_local_blocks_has_diagonal(local, k) ||
        local->source_at[k] == local->source_at[k + 1])
        return;
    for (int32_t b = local->source_at[k]; b < local->source_at[k + 1]; b++) {
        const struct sparse_u_block *u = &local->s->u[local->source[b].u];

        touch(c, diagonal, c->lines[diagonal]);
        touch(c, local->source[b].id, c->lines[local->source[b].id]);
        sum += u->sum;
        sumsq += (double)u->sumsq;
    }
    add(c, sparse_dtrsv(c->machine, sum, sumsq));
    keep(c, k, SPARSE_SOLVE);
}

static void classify_rows(struct sparse_counter *c, int32_t first, int32_t last)
{
    while (c->classes > 0)
        c->class_of[c->class[--c->classes].unroll] = 0;
    for (int32_t b = first; b < last; b++) {
        const int32_t rows = c->local->rows[b];
        const int32_t unroll =
            (int32_t)(rows < c->machine->dgemm_unroll.m ? rows : c->machine->dgemm_unroll.m);
        struct class *class;

        if (c->class_of[unroll] == 0) {
            c->class[c->classes++] = (struct class){ .unroll = unroll };
            c->class_of[unroll] = c->classes;
        }
        class = &c->class[c->class_of[unroll] - 1];
        class->count++;
        class->rows += rows;
    }
}

/* Counts all dgemms with one block of U. */
static void multiply(struct sparse_counter *c, const struct sparse_u_block *u)
{
    struct sparse_process *process = c->process;
    double flops_m = 0, flops_per_unroll = 0, memory_m = 0, per_unroll = 0;

    for (int32_t i = 0; i < c->classes; i++) {
        const struct class *class = &c->class[i];
        const double threshold = sparse_dgemm_threshold(c->machine, class->unroll, u->cols, u->max);

        process->totals.updates += class->count;
        if (sparse_is_flops_bound(c->machine, threshold)) {
            flops_m += (double)class->rows;
            flops_per_unroll += (double)class->rows / class->unroll;
            process->totals.dgemms_flops_bound += class->count;
            process->high = threshold < process->high ? threshold : process->high;
        } else {
            memory_m += (double)class->rows;
            per_unroll += (double)class->rows / class->unroll;
            process->totals.dgemms_memory_bound += class->count;
            process->low = threshold > process->low ? threshold : process->low;
        }
    }
    if (flops_m > 0)
        add(c, sparse_dgemm(c->machine, flops_m, flops_per_unroll, u->cols, u->max, true));
    if (memory_m > 0)
        add(c, sparse_dgemm(c->machine, memory_m, per_unroll, u->cols, u->max, false));
    if (c->machine->counts_scatter)
        add(c, (struct sparse_counts){ 0, 2 * (flops_m + memory_m) * u->cols,
                                       (flops_m + memory_m) * u->cols, 0 });
}

static void update(struct sparse_counter *c, int32_t k, const struct sparse_source *source)
{
    struct sparse_local_blocks *local = c->local;
    const struct sparse_u_block *u = &local->s->u[source->u];
    const bool is_ragged = u->sum < u->max * u->cols;
    const int32_t last = local->top[k + 1], end = local->top[u->j + 1];
    int32_t block = source->id, lines = c->lines[source->id];
    int32_t destination = sparse_local_blocks_beyond(local, u->j, k);

    touch(c, block, lines);
    if (is_ragged) {
        block = c->temp_u;
        lines = sparse_lines((int64_t)u->max * u->cols, c->length);
        add(c, (struct sparse_counts){ 0, u->sum, (double)u->max * u->cols, 0 });
        touch(c, block, lines);
    }
    for (int32_t l = sparse_local_blocks_l(local, k); l < last; l++) {
        const int32_t rows = local->rows[l];

        destination = sparse_local_blocks_seek(local->row, destination, end, local->row[l]);
        touch(c, l, c->lines[l]);
        touch(c, block, lines);
        touch(c, c->temp_v, sparse_lines((int64_t)rows * u->cols, c->length));
        touch(c, destination,
              sparse_touched_lines(c->machine, c->lines[destination], rows, u->cols));
    }
    multiply(c, u);
}

/* Updates with the sources `first` to `last` - 1. */
static void update_by(struct sparse_counter *c, int32_t k, int32_t first, int32_t last,
                      enum sparse_operation operation)
{
    if (first == last || sparse_local_blocks_l(c->local, k) == c->local->top[k + 1])
        return;
    for (int32_t b = first; b < last; b++)
        update(c, k, &c->local->source[b]);
    keep(c, k, operation);
}

static void ask(struct sparse_counter *c, int64_t done)
{
    c->done += done;
    if (c->done < DONE_BETWEEN_CALLS || !c->goes_on)
        return;
    c->done = 0;
    if (!c->goes_on(c->context))
        c->code = FR_TOO_LONG;
}

static void walk(struct sparse_counter *c)
{
    const struct sparse_local_blocks *local = c->local;
    const struct sparse_structure *s = local->s;

    factor(c, 0);
    for (int32_t k = 0; k < s->supernodes && c->code == FR_OK; k++) {
        const int32_t first = local->source_at[k], last = local->source_at[k + 1];
        const bool has_next = first < last && s->u[local->source[first].u].j == k + 1;

        solve(c, k);
        classify_rows(c, sparse_local_blocks_l(local, k), local->top[k + 1]);
        update_by(c, k, first, first + has_next, SPARSE_UPDATE_NEXT);
        if (k + 1 < s->supernodes)
            factor(c, k + 1);
        update_by(c, k, first + has_next, last, SPARSE_UPDATE_REST);
        ask(c, 1 + (int64_t)(last - first) * (local->top[k + 1] - sparse_local_blocks_l(local, k)));
    }
}

int sparse_work_counts_count(struct sparse_work_counts *counts, struct sparse_counter *counter,
                             int64_t rank)
{
    struct sparse_process *process = &counts->process[rank];

    counter->process = process;
    counter->code = FR_OK;
    sparse_process_begin(process);
    sparse_local_blocks_set(counter->local, (int32_t)(rank / counts->grid.columns),
                            (int32_t)(rank % counts->grid.columns));
    sparse_measure_blocks(counter->local, counter->machine, counter->lines);
    sparse_cache_clear(&counter->cache);
    walk(counter);
    sparse_process_end(process);
    return counter->code;
}

int sparse_work_counts_count_all(struct sparse_work_counts *counts, struct fr_faults *faults)
{
    struct sparse_counter *counter = sparse_counter_new(counts);
    int code = counter ? FR_OK : FR_NOMEM;

    for (int64_t p = 0; p < sparse_processes(counts->grid) && code == FR_OK; p++)
        code = sparse_work_counts_count(counts, counter, p);
    sparse_counter_free(counter);
    if (code != FR_OK)
        fr_fault(faults, FR_NOMEM, "grid", "the simulation does not fit into memory");
    return code;
}
