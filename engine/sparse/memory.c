/* Memory of a process: the largest over all steps of each buffer, and the sum of own blocks. */
#include "engine/sparse/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rows of L in a process row, or the columns of U in a process column, that one dgemm takes. */
struct extent {
    double size;   /* rows or columns: of the largest block, or of all */
    double source; /* U: doubles of the operand that dgemm reads */
};

struct holding {
    const struct sparse_structure *s;
    struct sparse_grid grid;
    bool is_one_dgemm;
    struct sparse_panel *l, *u;    /* of step k, by process row and by process column */
    struct extent *row, *column;   /* of step k, by process row and by process column */
    double *largest_l, *largest_u; /* bytes of sent panels, by process row and by process column */
    double *largest_source;        /* by process column */
    double *own, *product;         /* by rank */
};

static void find_extents(struct holding *h, int32_t k)
{
    const struct sparse_structure *s = h->s;
    double longest = 0;

    memset(h->row, 0, (size_t)h->grid.rows * sizeof *h->row);
    memset(h->column, 0, (size_t)h->grid.columns * sizeof *h->column);
    for (int64_t b = s->l_at[k]; b < s->l_at[k + 1]; b++) {
        double *size = &h->row[s->l[b].i % h->grid.rows].size;

        *size = h->is_one_dgemm ? *size + s->l[b].rows : fmax(*size, s->l[b].rows);
    }
    for (int64_t b = s->u_at[k]; b < s->u_at[k + 1]; b++) {
        const struct sparse_u_block *u = &s->u[b];
        struct extent *column = &h->column[u->j % h->grid.columns];

        longest = fmax(longest, u->max);
        column->size = h->is_one_dgemm ? column->size + u->cols : fmax(column->size, u->cols);
        column->source = fmax(column->source, (double)u->max * u->cols);
    }
    for (int32_t pc = 0; pc < h->grid.columns && h->is_one_dgemm; pc++)
        h->column[pc].source = h->column[pc].size * longest;
}

static double panel_bytes(const struct sparse_panel *panel)
{
    return panel->index_bytes + panel->value_bytes;
}

/* Whether a process other than the owner needs a panel, because it has blocks of the other one. */
static bool is_sent(const struct sparse_panel *other, int32_t count, int32_t owner)
{
    for (int32_t i = 0; i < count; i++)
        if (i != owner && other[i].is_off)
            return true;
    return false;
}

static void add_step(struct holding *h, int32_t k)
{
    const int32_t rows = h->grid.rows, columns = h->grid.columns;
    const bool is_l_sent = is_sent(h->u, columns, k % columns);
    const bool is_u_sent = is_sent(h->l, rows, k % rows);

    for (int32_t pr = 0; pr < rows; pr++) {
        h->own[pr * columns + k % columns] += panel_bytes(&h->l[pr]);
        if (is_l_sent)
            h->largest_l[pr] = fmax(h->largest_l[pr], panel_bytes(&h->l[pr]));
    }
    for (int32_t pc = 0; pc < columns; pc++) {
        h->own[k % rows * columns + pc] += panel_bytes(&h->u[pc]);
        if (is_u_sent)
            h->largest_u[pc] = fmax(h->largest_u[pc], panel_bytes(&h->u[pc]));
        h->largest_source[pc] = fmax(h->largest_source[pc], h->column[pc].source);
        for (int32_t pr = 0; pr < rows && h->column[pc].size > 0; pr++) {
            double *product = &h->product[pr * columns + pc];

            *product = fmax(*product, h->row[pr].size * h->column[pc].size);
        }
    }
}

static double most_bytes(const struct holding *h)
{
    double most = 0;

    for (int32_t pr = 0; pr < h->grid.rows; pr++)
        for (int32_t pc = 0; pc < h->grid.columns; pc++) {
            const int32_t rank = pr * h->grid.columns + pc;
            const double l = h->largest_l[pr], u = h->largest_u[pc];

            most = fmax(most,
                        h->own[rank] + 2 * l + u + 8 * (h->product[rank] + h->largest_source[pc]));
        }
    return most;
}

int sparse_memory_find(const struct sparse_structure *s, struct sparse_grid grid,
                       int64_t index_bytes, bool is_one_dgemm, double *bytes)
{
    const size_t rows = (size_t)grid.rows, columns = (size_t)grid.columns, ranks = rows * columns;
    struct sparse_panel *panel = calloc(rows + columns, sizeof *panel);
    struct extent *extent = calloc(rows + columns, sizeof *extent);
    double *number = calloc(rows + 2 * columns + 2 * ranks, sizeof *number);
    const int code = panel && extent && number ? FR_OK : FR_NOMEM;

    if (code == FR_OK) {
        struct holding h = { .s = s,
                             .grid = grid,
                             .is_one_dgemm = is_one_dgemm,
                             .l = panel,
                             .u = panel + rows,
                             .row = extent,
                             .column = extent + rows,
                             .largest_l = number,
                             .largest_u = number + rows,
                             .largest_source = number + rows + columns,
                             .own = number + rows + 2 * columns,
                             .product = number + rows + 2 * columns + ranks };

        for (int32_t k = 0; k < s->supernodes; k++) {
            sparse_panels(s, grid, index_bytes, k, h.l, h.u);
            find_extents(&h, k);
            add_step(&h, k);
        }
        *bytes = most_bytes(&h);
    }
    free(panel);
    free(extent);
    free(number);
    return code;
}
