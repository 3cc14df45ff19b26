/* Memory of a process: the sum of its own panels, and buffers for the largest panels and steps.  A
 * layer holds the panels of its own forest and of all above it; its buffers suit any step. */
#include "engine/sparse/clocks/clocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest step in a process row (rows of L, with the diagonal block) or in a process column
 * (segments of U, and the longest of them). */
struct extent {
    double size, longest;
};

struct holding {
    const struct sparse_structure *s;
    struct sparse_grid grid;
    const struct sparse_forests *forests; /* NULL: one */
    double supernode_max, lookahead;
    struct sparse_panel *l, *u;                /* of step k, by process row or column */
    struct extent *row, *column;               /* of all steps */
    double *size;                              /* of step k, by process row or column */
    double *own;                               /* by forest and rank, then of a layer by rank */
    double l_index, l_value, u_index, u_value; /* the largest parts of panels */
};

static double *own_of(const struct holding *h, int32_t forest)
{
    return h->own + forest * sparse_processes(h->grid);
}

static int32_t forests_of(const struct sparse_forests *forests)
{
    return forests ? forests->count : 1;
}

static void find_extents(struct holding *h, int32_t k)
{
    const struct sparse_structure *s = h->s;
    const int32_t rows = h->grid.rows, columns = h->grid.columns;

    for (int32_t pr = 0; pr < rows; pr++)
        h->size[pr] = pr == k % rows ? s->width[k] : 0;
    for (int64_t b = s->l_at[k]; b < s->l_at[k + 1]; b++)
        h->size[s->l[b].i % rows] += s->l[b].rows;
    for (int32_t pr = 0; pr < rows; pr++)
        h->row[pr].size = fmax(h->row[pr].size, h->size[pr]);
    for (int32_t pc = 0; pc < columns; pc++)
        h->size[pc] = 0;
    for (int64_t b = s->u_at[k]; b < s->u_at[k + 1]; b++) {
        struct extent *column = &h->column[s->u[b].j % columns];

        h->size[s->u[b].j % columns] += s->u[b].cols;
        column->longest = fmax(column->longest, s->u[b].max);
    }
    for (int32_t pc = 0; pc < columns; pc++)
        h->column[pc].size = fmax(h->column[pc].size, h->size[pc]);
}

static void add_panels(struct holding *h, int32_t k)
{
    const int32_t rows = h->grid.rows, columns = h->grid.columns;
    double *own = own_of(h, h->forests ? h->forests->of[k] : 0);

    for (int32_t pr = 0; pr < rows; pr++) {
        own[pr * columns + k % columns] += h->l[pr].index_bytes + h->l[pr].value_bytes;
        h->l_index = fmax(h->l_index, h->l[pr].index_bytes);
        h->l_value = fmax(h->l_value, h->l[pr].value_bytes);
    }
    for (int32_t pc = 0; pc < columns; pc++) {
        own[k % rows * columns + pc] += h->u[pc].index_bytes + h->u[pc].value_bytes;
        h->u_index = fmax(h->u_index, h->u[pc].index_bytes);
        h->u_value = fmax(h->u_value, h->u[pc].value_bytes);
    }
}

/* A process keeps one more panel of each kind than it looks ahead. */
static struct sparse_memory memory_of(const struct holding *h, const double *own, int32_t pr,
                                      int32_t pc)
{
    const double square = h->supernode_max * h->supernode_max, panels = h->lookahead + 1;
    const struct extent *column = &h->column[pc];
    const double received = h->l_index + h->l_value + h->u_index + h->u_value;

    return (struct sparse_memory){
        .factors = own[pr * h->grid.columns + pc],
        .window = sparse_processes(h->grid) > 1 ? panels * received : 0,
        .product =
            8 * (column->longest * column->size + fmax(h->row[pr].size * column->size, square)),
        .gathered = 8 * square * panels + h->l_value + 8 * square,
    };
}

double sparse_memory_bytes(const struct sparse_memory *memory)
{
    return memory->factors + memory->window + memory->product + memory->gathered;
}

static void find_fullest(const struct holding *h, const double *own, struct sparse_memory *most)
{
    for (int32_t pr = 0; pr < h->grid.rows; pr++)
        for (int32_t pc = 0; pc < h->grid.columns; pc++) {
            const struct sparse_memory one = memory_of(h, own, pr, pc);

            if (sparse_memory_bytes(&one) > sparse_memory_bytes(most))
                *most = one;
        }
}

/* Each layer starts from its forest of level 0. */
static struct sparse_memory fullest(const struct holding *h)
{
    const int64_t ranks = sparse_processes(h->grid);
    const int32_t count = forests_of(h->forests);
    double *own = own_of(h, count);
    struct sparse_memory most = { 0 };

    for (int32_t z = 0; 2 * z < count; z++) {
        memcpy(own, own_of(h, z), (size_t)ranks * sizeof *own);
        for (int32_t f = z; f < count - 1;) {
            f = sparse_forest_above(h->forests, f);
            for (int64_t p = 0; p < ranks; p++)
                own[p] += own_of(h, f)[p];
        }
        find_fullest(h, own, &most);
    }
    return most;
}

/* The structure's own limit, or the library's default if the structure does not state one. */
static double supernode_max(const struct sparse_structure *s)
{
    return s->supernode_max > 0 ? (double)s->supernode_max
                                : fmax(SPARSE_SUPERNODE_MAX, (double)s->facts.widest);
}

int sparse_memory_find(const struct sparse_structure *s, struct sparse_grid grid,
                       const struct sparse_forests *forests, int64_t index_bytes, int32_t lookahead,
                       struct sparse_memory *out)
{
    const size_t rows = (size_t)grid.rows, columns = (size_t)grid.columns;
    const size_t own = ((size_t)forests_of(forests) + 1) * rows * columns;
    struct sparse_panel *panel = calloc(rows + columns, sizeof *panel);
    struct extent *extent = calloc(rows + columns, sizeof *extent);
    double *number = calloc(rows + columns + own, sizeof *number);
    const int code = panel && extent && number ? FR_OK : FR_NOMEM;

    if (code == FR_OK) {
        struct holding h = { .s = s,
                             .grid = grid,
                             .forests = forests,
                             .supernode_max = supernode_max(s),
                             .lookahead = lookahead,
                             .l = panel,
                             .u = panel + rows,
                             .row = extent,
                             .column = extent + rows,
                             .size = number,
                             .own = number + rows + columns };

        for (int32_t k = 0; k < s->supernodes; k++) {
            sparse_panels(s, grid, index_bytes, k, h.l, h.u);
            find_extents(&h, k);
            add_panels(&h, k);
        }
        *out = fullest(&h);
    }
    free(panel);
    free(extent);
    free(number);
    return code;
}
