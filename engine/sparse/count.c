/* Counting the charges of one process (sparse-lu.md 3): a walk over its steps that touches its
 * caches.
 *
 * dgemms of one step and block of U differ in M alone, and in kind only by min(Ea, M); so they are
 * counted together, by classes of that minimum, and what is left for each update is its four
 * touches.
 */
#include "engine/sparse/cache.h"
#include "engine/sparse/local_blocks.h"
#include "engine/sparse/work_counts.h"

#include <stdlib.h>

/* Row blocks of a step with the same min(Ea, M). */
struct class
{
    int32_t unroll, count;
    int64_t rows;
};

struct sparse_counter {
    const struct sparse_machine *machine;
    struct sparse_local_blocks *part;
    struct sparse_cache cache;
    int32_t *lines;         /* of each block of the part */
    int32_t length;         /* doubles of a line */
    int32_t temp_u, temp_v; /* blocks */
    struct class *class;
    int32_t classes;
    int32_t *class_of; /* by unroll: index + 1, 0 none yet */
    /* of the charge that is being counted */
    struct sparse_counts counts;
    int64_t misses[SPARSE_MAX_LEVELS];
    struct sparse_process *process;
    int code;
    bool (*goes_on)(const void *context);
    const void *context;
    int64_t done; /* steps and updates, since it was asked */
};

enum { DONE_BETWEEN_QUESTIONS = 1 << 16 };

struct sparse_counter *sparse_counter_new(const struct sparse_work_counts *charges)
{
    const struct sparse_machine *machine = &charges->machine;
    const int64_t widest = charges->s->facts.widest;
    const size_t classes =
        (size_t)(widest < machine->dgemm_unroll.m ? widest : machine->dgemm_unroll.m);
    struct sparse_counter *counter = calloc(1, sizeof *counter);

    if (!counter)
        return NULL;
    counter->machine = machine;
    counter->length = (int32_t)(machine->level[0].line_bytes / 8);
    counter->class = calloc(classes, sizeof *counter->class);
    counter->class_of = calloc(classes + 1, sizeof *counter->class_of);
    counter->part = sparse_local_blocks_new(charges->s, charges->grid);
    if (counter->part) {
        counter->temp_u = (int32_t)counter->part->room;
        counter->temp_v = counter->temp_u + 1;
        counter->lines = malloc(counter->part->room * sizeof *counter->lines);
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
    sparse_local_blocks_free(counter->part);
    free(counter->lines);
    free(counter->class);
    free(counter->class_of);
    free(counter);
}

/* sparse-lu.md 4: columns of L start a line each, U is packed. */
static void measure_blocks(struct sparse_counter *c)
{
    const struct sparse_local_blocks *part = c->part;
    const struct sparse_structure *s = part->s;
    const int64_t ib = c->machine->index_bytes;

    for (int32_t k = 0; k < s->supernodes; k++) {
        for (int32_t b = part->diagonal[k]; b < part->top[k + 1]; b++)
            c->lines[b] = s->width[k] * sparse_lines(part->rows[b], c->length) +
                          sparse_index_lines(part->rows[b], ib, c->length);
        for (int32_t b = part->source_at[k]; b < part->source_at[k + 1]; b++) {
            const struct sparse_u_block *u = &s->u[part->source[b].u];

            c->lines[part->source[b].id] =
                sparse_lines(u->sum, c->length) + sparse_index_lines(s->width[u->j], ib, c->length);
        }
    }
}

static void touch(struct sparse_counter *c, int32_t block, int32_t lines)
{
    sparse_cache_touch(&c->cache, block, lines, c->misses);
}

static void add(struct sparse_counter *c, struct sparse_counts counts)
{
    c->counts.flops += counts.flops;
    c->counts.loads += counts.loads;
    c->counts.stores += counts.stores;
}

/* Ends a charge: keeps it and begins the next. */
static void keep(struct sparse_counter *c, int32_t k, enum sparse_charge charge)
{
    const bool is_update = charge == SPARSE_UPDATE_NEXT || charge == SPARSE_UPDATE_REST;
    struct sparse_totals *totals = &c->process->totals;
    double word[SPARSE_MAX_WORDS];
    size_t words = 0;

    if (is_update)
        word[words++] = c->counts.flops;
    word[words++] = c->counts.loads + c->counts.stores;
    totals->flops_dgemm += c->counts.flops;
    totals->loads += c->counts.loads;
    totals->stores += c->counts.stores;
    for (size_t q = 0; q < c->machine->levels; q++) {
        totals->misses[q] += (double)c->misses[q];
        word[words++] = (double)c->misses[q];
        c->misses[q] = 0;
    }
    c->counts = (struct sparse_counts){ 0 };
    if (c->code == FR_OK)
        c->code = sparse_process_add(c->process, k, charge, word, words);
}

static void factor(struct sparse_counter *c, int32_t k)
{
    const struct sparse_local_blocks *part = c->part;
    const bool has_diagonal = sparse_local_blocks_has_diagonal(part, k);
    double rows = 0;

    if (part->column_of[k] != part->pc || part->diagonal[k] == part->top[k + 1])
        return;
    for (int32_t b = part->diagonal[k]; b < part->top[k + 1]; b++)
        touch(c, b, c->lines[b]);
    for (int32_t b = sparse_local_blocks_l(part, k); b < part->top[k + 1]; b++)
        rows += part->rows[b];
    add(c, sparse_dgers(c->machine, part->s->width[k], rows, has_diagonal));
    keep(c, k, SPARSE_FACTOR);
}

static void solve(struct sparse_counter *c, int32_t k)
{
    const struct sparse_local_blocks *part = c->part;
    const int32_t diagonal = part->diagonal[k];
    double sum = 0, sumsq = 0;

    if (!sparse_local_blocks_has_diagonal(part, k) || part->source_at[k] == part->source_at[k + 1])
        return;
    for (int32_t b = part->source_at[k]; b < part->source_at[k + 1]; b++) {
        const struct sparse_u_block *u = &part->s->u[part->source[b].u];

        touch(c, diagonal, c->lines[diagonal]);
        touch(c, part->source[b].id, c->lines[part->source[b].id]);
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
        const int32_t rows = c->part->rows[b];
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

/* All dgemms with one block of U. */
static void multiply(struct sparse_counter *c, const struct sparse_u_block *u)
{
    struct sparse_process *process = c->process;
    double flops_m = 0, memory_m = 0, per_unroll = 0;

    for (int32_t i = 0; i < c->classes; i++) {
        const struct class *class = &c->class[i];
        const double threshold = sparse_dgemm_threshold(c->machine, class->unroll, u->cols, u->max);

        process->totals.updates += class->count;
        if (sparse_is_flops_bound(c->machine, threshold)) {
            flops_m += (double)class->rows;
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
        add(c, sparse_dgemm(c->machine, flops_m, 0, u->cols, u->max, true));
    if (memory_m > 0)
        add(c, sparse_dgemm(c->machine, memory_m, per_unroll, u->cols, u->max, false));
    if (c->machine->counts_scatter)
        add(c, (struct sparse_counts){ 0, 2 * (flops_m + memory_m) * u->cols,
                                       (flops_m + memory_m) * u->cols });
}

static void update(struct sparse_counter *c, int32_t k, const struct sparse_source *source)
{
    struct sparse_local_blocks *part = c->part;
    const struct sparse_u_block *u = &part->s->u[source->u];
    const bool is_ragged = u->sum < u->max * u->cols;
    const int32_t last = part->top[k + 1], end = part->top[u->j + 1];
    int32_t block = source->id, lines = c->lines[source->id];
    int32_t destination = sparse_local_blocks_beyond(part, u->j, k);

    touch(c, block, lines);
    if (is_ragged) {
        block = c->temp_u;
        lines = sparse_lines((int64_t)u->max * u->cols, c->length);
        add(c, (struct sparse_counts){ 0, u->sum, (double)u->max * u->cols });
        touch(c, block, lines);
    }
    for (int32_t l = sparse_local_blocks_l(part, k); l < last; l++) {
        const int32_t rows = part->rows[l];
        int32_t written;

        destination = sparse_local_blocks_seek(part->row, destination, end, part->row[l]);
        touch(c, l, c->lines[l]);
        touch(c, block, lines);
        touch(c, c->temp_v, sparse_lines((int64_t)rows * u->cols, c->length));
        written = c->lines[destination];
        if (c->machine->destination == SPARSE_TOUCHED_LINES) {
            const int32_t most = u->cols * sparse_lines(rows, c->length) + 1;

            written = most < written ? most : written;
        }
        touch(c, destination, written);
    }
    multiply(c, u);
}

/* Updates by the sources from `first` to before `last`. */
static void update_by(struct sparse_counter *c, int32_t k, int32_t first, int32_t last,
                      enum sparse_charge charge)
{
    if (first == last || sparse_local_blocks_l(c->part, k) == c->part->top[k + 1])
        return;
    for (int32_t b = first; b < last; b++)
        update(c, k, &c->part->source[b]);
    keep(c, k, charge);
}

static void ask(struct sparse_counter *c, int64_t done)
{
    c->done += done;
    if (c->done < DONE_BETWEEN_QUESTIONS || !c->goes_on)
        return;
    c->done = 0;
    if (!c->goes_on(c->context))
        c->code = FR_TOO_LONG;
}

static void walk(struct sparse_counter *c)
{
    const struct sparse_local_blocks *part = c->part;
    const struct sparse_structure *s = part->s;

    factor(c, 0);
    for (int32_t k = 0; k < s->supernodes && c->code == FR_OK; k++) {
        const int32_t first = part->source_at[k], last = part->source_at[k + 1];
        const bool has_next = first < last && s->u[part->source[first].u].j == k + 1;

        solve(c, k);
        classify_rows(c, sparse_local_blocks_l(part, k), part->top[k + 1]);
        update_by(c, k, first, first + has_next, SPARSE_UPDATE_NEXT);
        if (k + 1 < s->supernodes)
            factor(c, k + 1);
        update_by(c, k, first + has_next, last, SPARSE_UPDATE_REST);
        ask(c, 1 + (int64_t)(last - first) * (part->top[k + 1] - sparse_local_blocks_l(part, k)));
    }
}

int sparse_work_counts_count(struct sparse_work_counts *charges, struct sparse_counter *counter,
                             int64_t rank)
{
    struct sparse_process *process = &charges->process[rank];

    counter->process = process;
    counter->code = FR_OK;
    sparse_process_begin(process);
    sparse_local_blocks_set(counter->part, (int32_t)(rank / charges->grid.columns),
                            (int32_t)(rank % charges->grid.columns));
    measure_blocks(counter);
    sparse_cache_clear(&counter->cache);
    walk(counter);
    sparse_process_end(process);
    return counter->code;
}
