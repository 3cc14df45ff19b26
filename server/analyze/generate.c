/* Generated matrices for calibration and tests.
 *
 * The entries are collected in any order and sorted into columns at the end.
 */
#include "server/analyze/analyze.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MOST = 5, MOST_ORDER = 10000000, MOST_ENTRIES = 100000000 };

struct entry {
    int32_t row, column;
    double value;
};

struct heap {
    struct entry *entry;
    int64_t count, room;
    uint64_t draw;
    bool failed;
};

/* splitmix64: uniform from 0 to 1. */
static double draw(struct heap *h)
{
    uint64_t z = h->draw += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static int64_t draw_below(struct heap *h, int64_t n)
{
    return (int64_t)(draw(h) * (double)n);
}

static void put(struct heap *h, int64_t row, int64_t column, double value)
{
    if (h->count == h->room && !h->failed) {
        struct entry *grown =
            h->room < MOST_ENTRIES ? realloc(h->entry, 2 * (size_t)h->room * sizeof *grown) : NULL;

        h->failed = !grown;
        h->entry = grown ? grown : h->entry;
        h->room *= grown ? 2 : 1;
    }
    if (!h->failed)
        h->entry[h->count++] = (struct entry){ (int32_t)row, (int32_t)column, value };
}

/* The convection rotates in planes, so that no direction dominates in the whole box. */
static void make_cd3d(struct heap *h, const int64_t *size)
{
    static const int step[6][3] = { { 1, 0, 0 },  { -1, 0, 0 }, { 0, 1, 0 },
                                    { 0, -1, 0 }, { 0, 0, 1 },  { 0, 0, -1 } };
    const double width = 1.0 / (double)(size[0] + 1), strength = 5;

    for (int64_t p = 0; p < size[0] * size[1] * size[2]; p++) {
        const int64_t at[3] = { p % size[0], p / size[0] % size[1], p / size[0] / size[1] };
        const double wind[3] = { strength * (2 * (double)(at[1] + 1) * width - 1),
                                 strength * (1 - 2 * (double)(at[0] + 1) * width), strength / 2 };
        double diagonal = 0.01 * draw(h);

        for (int s = 0; s < 6; s++) {
            const double along = (s % 2 ? 1 : -1) * wind[s / 2];
            const double coupling = 1 + (along > 0 ? along * width * 10 : 0);
            int64_t next[3];
            bool is_inside = true;

            for (int d = 0; d < 3; d++) {
                next[d] = at[d] + step[s][d];
                is_inside &= next[d] >= 0 && next[d] < size[d];
            }
            diagonal += coupling;
            if (is_inside)
                put(h, p, (next[2] * size[1] + next[1]) * size[0] + next[0], coupling);
        }
        put(h, p, p, diagonal);
    }
}

/* Each point is coupled to all points beside it, and each of its unknowns to all of theirs. */
static void make_box(struct heap *h, const int64_t size[3], int64_t unknowns)
{
    for (int64_t p = 0; p < size[0] * size[1] * size[2]; p++)
        for (int s = 0; s < 27; s++) {
            const int64_t at[3] = { p % size[0] + s % 3 - 1, p / size[0] % size[1] + s / 3 % 3 - 1,
                                    p / size[0] / size[1] + s / 9 - 1 };
            const int64_t q = (at[2] * size[1] + at[1]) * size[0] + at[0];
            bool is_inside = true;

            for (int d = 0; d < 3; d++)
                is_inside &= at[d] >= 0 && at[d] < size[d];
            for (int64_t e = 0; e < unknowns * unknowns && is_inside; e++) {
                const bool is_diagonal = p == q && e / unknowns == e % unknowns;

                put(h, p * unknowns + e / unknowns, q * unknowns + e % unknowns,
                    is_diagonal ? 15 * (double)unknowns : fabs(draw(h) - 0.5));
            }
        }
}

static void make_cfd2d(struct heap *h, const int64_t *size)
{
    make_box(h, (int64_t[]){ size[0], size[1], 1 }, size[2]);
}

static void make_fem3d(struct heap *h, const int64_t *size)
{
    make_box(h, size, size[3]);
}

/* A transversal next to the diagonal, entries around it, and some in the next block. */
static void make_econ(struct heap *h, const int64_t *size)
{
    const int64_t blocks = size[0], order = size[1];

    for (int64_t row = 0; row < blocks * order; row++) {
        const int64_t first = row / order * order;

        put(h, row, first + (row - first + 1) % order, 2 + draw(h));
        for (int64_t e = 0; e < size[2]; e++) {
            const int64_t column =
                draw(h) < 0.8 ? first + draw_below(h, order) : draw_below(h, blocks * order);

            if (column != row)
                put(h, row, column, 0.5 * draw(h));
        }
        if (first + order < blocks * order && draw(h) < 0.5)
            put(h, row, first + order + draw_below(h, order), 0.5 * draw(h));
    }
}

/* Each row has few neighbours, most of them near and half of them unsymmetric, and many rows share
 * a hub: long chains of small supernodes. */
static void make_circuit(struct heap *h, const int64_t *size)
{
    const int64_t n = size[0], fan = n / 400;

    for (int64_t row = 0; row < n; row++) {
        put(h, row, row, 8 + draw(h));
        for (int64_t e = 0; e < size[1]; e++) {
            const int64_t column =
                draw(h) < 0.95 ? (row + 1 + draw_below(h, 12)) % n : draw_below(h, n);

            if (column == row)
                continue;
            put(h, row, column, draw(h) - 0.5);
            if (draw(h) < 0.5)
                put(h, column, row, draw(h) - 0.5);
        }
    }
    for (int64_t hub = 0; hub < size[2]; hub++) {
        const int64_t column = draw_below(h, n);

        for (int64_t e = 0; e < fan; e++)
            put(h, draw_below(h, n), column, 0.1 * draw(h));
    }
}

static int compare(const void *a, const void *b)
{
    const struct entry *left = a, *right = b;

    if (left->column != right->column)
        return left->column < right->column ? -1 : 1;
    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    /* The largest of several entries at one position is kept. */
    return (left->value < right->value) - (left->value > right->value);
}

static struct fr_matrix *collect(struct heap *h, int64_t n)
{
    struct fr_matrix *m = calloc(1, sizeof *m);

    if (m) {
        m->column_at = calloc((size_t)n + 1, sizeof *m->column_at);
        m->row = malloc((size_t)h->count * sizeof *m->row);
        m->value = malloc((size_t)h->count * sizeof *m->value);
        m->n = n;
    }
    if (!m || !m->column_at || !m->row || !m->value) {
        fr_matrix_free(m);
        return NULL;
    }
    qsort(h->entry, (size_t)h->count, sizeof *h->entry, compare);
    for (int64_t e = 0; e < h->count; e++) {
        const struct entry *entry = &h->entry[e];

        if (e > 0 && entry[-1].column == entry->column && entry[-1].row == entry->row)
            continue;
        m->row[m->nnz] = entry->row;
        m->value[m->nnz++] = entry->value;
        m->column_at[entry->column + 1] = m->nnz;
    }
    for (int64_t j = 0; j < n; j++)
        if (m->column_at[j + 1] < m->column_at[j])
            m->column_at[j + 1] = m->column_at[j];
    m->entries = m->nnz;
    return m;
}

static const struct kind {
    const char *name;
    int numbers; /* the last is the seed */
    int factors; /* the order is the product of this many of the numbers */
    void (*make)(struct heap *h, const int64_t *size);
} kinds[] = { { "cd3d", 4, 3, make_cd3d },
              { "cfd2d", 4, 3, make_cfd2d },
              { "fem3d", 5, 4, make_fem3d },
              { "econ", 4, 2, make_econ },
              { "circuit", 4, 1, make_circuit } };
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Numbers separated by commas, each above 0 but the last; false if the text is anything else. */
static bool read_numbers(const char *text, int count, int64_t *number)
{
    for (int i = 0; i < count; i++) {
        int end = 0;

        if (sscanf(text, i ? ",%8" SCNd64 "%n" : ":%8" SCNd64 "%n", &number[i], &end) != 1 ||
            number[i] < (i < count - 1))
            return false;
        text += end;
    }
    return !*text;
}

static const struct kind *parse(const char *what, int64_t number[NUMBERS_MOST],
                                struct fr_faults *faults)
{
    const size_t length = strcspn(what, ":");

    for (int i = 0; i < KINDS; i++)
        if (strlen(kinds[i].name) == length && strncmp(kinds[i].name, what, length) == 0 &&
            read_numbers(what + length, kinds[i].numbers, number))
            return &kinds[i];
    fr_fault(faults, FR_CHOICE, "generate",
             "%.40s; cd3d:NX,NY,NZ,SEED, cfd2d:NX,NY,DOF,SEED, fem3d:NX,NY,NZ,DOF,SEED, "
             "econ:BLOCKS,SIZE,FILL,SEED or circuit:N,DEGREE,HUBS,SEED is needed",
             what);
    return NULL;
}

struct fr_matrix *fr_generate(const char *what, struct fr_faults *faults)
{
    int64_t size[NUMBERS_MOST] = { 0 };
    const struct kind *kind = parse(what, size, faults);
    struct heap heap = { .room = 1024 };
    struct fr_matrix *matrix = NULL;
    double n = 1;

    if (!kind)
        return NULL;
    for (int i = 0; i < kind->factors; i++)
        n *= (double)size[i];
    heap.draw = (uint64_t)size[kind->numbers - 1];
    heap.entry = n <= MOST_ORDER ? malloc((size_t)heap.room * sizeof *heap.entry) : NULL;
    heap.failed = !heap.entry;
    if (!heap.failed)
        kind->make(&heap, size);
    if (!heap.failed)
        matrix = collect(&heap, (int64_t)n);
    free(heap.entry);
    if (!matrix)
        fr_fault(faults, FR_NOMEM, "generate",
                 "%.40s does not fit into memory, or has more than %d rows or %d entries", what,
                 MOST_ORDER, MOST_ENTRIES);
    return matrix;
}
