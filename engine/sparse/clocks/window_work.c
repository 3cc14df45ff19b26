/* Counts one supernode after the other: products within the window are single, the others are one
 * product for each process.  Destinations in other forests are beyond the window. */
#include "engine/sparse/clocks/clocks.h"
#include "engine/sparse/rates/rates.h"

#include <stdlib.h>
#include <string.h>

struct counting {
    struct sparse_window_work *work;
    const struct sparse_shares *shares;
    const struct sparse_structure *s;
    struct sparse_tables *tables;
    struct sparse_diagonals diagonals;
    struct sparse_products *products;
    int32_t k;                 /* the supernode */
    int32_t at, end, rows_end; /* its position; the last ones within its window, for U and for L */
    /* L blocks and U blocks of k, by share: numbers within k.  Groups of rows leave out a diagonal
     * block without others. */
    int32_t *row, *row_at, *column, *column_at, *next;
    const struct sparse_share **group;
    int32_t groups;
    int32_t *above;   /* by group: its rows with i < j */
    double *searched; /* sums of sparse_u_blocks over the rows before */
};

static const struct sparse_l_block *l_block(const struct counting *c, int32_t row)
{
    return &c->s->l[c->s->l_at[c->k] + c->row[row]];
}

static const struct sparse_u_block *u_block(const struct counting *c, int32_t column)
{
    return &c->s->u[c->s->u_at[c->k] + c->column[column]];
}

static bool is_ahead(const struct counting *c, int32_t j)
{
    const int32_t at = c->work->schedule->position[j];

    return at > c->at && at <= c->end;
}

/* Rows of later updates: one position more. */
static bool is_single(const struct counting *c, int32_t row)
{
    const int32_t at = c->work->schedule->position[l_block(c, row)->i];

    return at > c->at && at <= c->rows_end;
}

/* ---- blocks by process row and column ------------------------------------------------------- */

static void group_rows(struct counting *c)
{
    const struct sparse_structure *s = c->s;
    int32_t at = 0;

    c->groups = 0;
    for (int64_t i = c->shares->l_at[c->k]; i < c->shares->l_at[c->k + 1]; i++) {
        const struct sparse_share *share = &c->shares->l[i];

        if (share->blocks == 0)
            continue;
        c->group[c->groups] = share;
        c->row_at[c->groups++] = c->next[share->place] = at;
        at += share->blocks;
    }
    c->row_at[c->groups] = at;
    for (int64_t b = s->l_at[c->k]; b < s->l_at[c->k + 1]; b++)
        c->row[c->next[s->l[b].i % c->shares->grid.rows]++] = (int32_t)(b - s->l_at[c->k]);
}

static void group_columns(struct counting *c)
{
    const struct sparse_structure *s = c->s;
    const int64_t first = c->shares->u_at[c->k], last = c->shares->u_at[c->k + 1];
    int32_t at = 0;

    for (int64_t i = first; i < last; i++) {
        c->column_at[i - first] = c->next[c->shares->u[i].place] = at;
        at += c->shares->u[i].blocks;
    }
    c->column_at[last - first] = at;
    for (int64_t b = s->u_at[c->k]; b < s->u_at[c->k + 1]; b++)
        c->column[c->next[s->u[b].j % c->shares->grid.columns]++] = (int32_t)(b - s->u_at[c->k]);
}

/* ---- panels --------------------------------------------------------------------------------- */

static void count_panels(struct counting *c)
{
    const struct sparse_shares *shares = c->shares;
    struct sparse_window_work *work = c->work;
    const int32_t k = c->k, width = c->s->width[k];

    work->diagonal_s[k] = sparse_diagonal_s(&c->diagonals, c->tables, width);
    work->sums.panel_s += work->diagonal_s[k];
    for (int64_t i = shares->l_at[k]; i < shares->l_at[k + 1]; i++) {
        work->column_s[i] = sparse_dtrsm_s(c->tables, shares->l[i].size, width);
        work->sums.panel_s += work->column_s[i];
        work->sums.supernodes++;
    }
    for (int64_t i = shares->u_at[k]; i < shares->u_at[k + 1]; i++) {
        const int32_t *at = &c->column_at[i - shares->u_at[k]];

        for (int32_t b = at[0]; b < at[1]; b++)
            work->solve_s[i] += sparse_dtrsv_s(c->tables, u_block(c, b));
        work->sums.panel_s += work->solve_s[i];
        work->sums.supernodes += shares->u[i].place != k % shares->grid.columns;
    }
}

/* ---- updates -------------------------------------------------------------------------------- */

/* The blocks U(k,j) in one process column. */
struct columns {
    const struct sparse_share *share;
    int32_t first, last;          /* in `column` */
    int32_t earliest;             /* j within the window, by position; or -1 */
    int32_t longest, size, width; /* beyond the window: K, segments, columns of destinations */
    struct sparse_update *rest;   /* by group */
};

static void find_columns(const struct counting *c, struct columns *of)
{
    const int32_t *position = c->work->schedule->position;

    of->earliest = -1;
    for (int32_t b = of->first; b < of->last; b++) {
        const struct sparse_u_block *u = u_block(c, b);

        if (is_ahead(c, u->j)) {
            if (of->earliest < 0 || position[u->j] < position[of->earliest])
                of->earliest = u->j;
            continue;
        }
        of->longest = u->max > of->longest ? u->max : of->longest;
        of->size += u->cols;
        of->width += c->s->width[u->j];
    }
}

/* The blocks of U(i,:) in this process column, summed over the rows before each. */
static void sum_searched(struct counting *c, int32_t column)
{
    c->searched[0] = 0;
    for (int32_t row = 0; row < c->row_at[c->groups]; row++)
        c->searched[row + 1] =
            c->searched[row] + sparse_u_blocks(c->shares, l_block(c, row)->i, column);
    memset(c->above, 0, (size_t)c->groups * sizeof *c->above);
}

/* The destinations (i,j) of a group, each with half of the blocks among which it is searched, one
 * after the other; each of these costs a sixteenth. */
static double destinations(struct counting *c, int32_t g, int32_t j)
{
    const int32_t first = c->row_at[g], count = c->row_at[g + 1] - first;
    double searched;

    while (c->above[g] < count && l_block(c, first + c->above[g])->i < j)
        c->above[g]++;
    searched = c->searched[first + c->above[g]] - c->searched[first];
    if (c->above[g] < count)
        searched +=
            (count - c->above[g]) * (double)sparse_l_blocks(c->shares, j, c->group[g]->place);
    return count + searched / 32;
}

/* A process pays for a supernode with its first work on it, which is an update if it has neither
 * factored nor solved. */
static bool is_paid_by_update(const struct counting *c, int32_t g, const struct columns *of)
{
    return c->group[g]->place != c->k % c->shares->grid.rows &&
           of->share->place != c->k % c->shares->grid.columns;
}

static struct sparse_update *update_ahead(const struct counting *c, int32_t j)
{
    const struct sparse_window_work *work = c->work;
    int64_t at = work->ahead.at[c->k];

    while (work->ahead.j[at] != j)
        at++;
    return work->update + work->update_at[c->k] +
           (size_t)(at - work->ahead.at[c->k]) * (size_t)c->groups;
}

/* Each row block by itself. */
static void count_ahead(struct counting *c, const struct columns *of,
                        const struct sparse_u_block *u)
{
    struct sparse_update *update = update_ahead(c, u->j);

    for (int32_t g = 0; g < c->groups; g++) {
        const int32_t blocks = c->row_at[g + 1] - c->row_at[g];
        double gemm_s = 0;

        for (int32_t row = c->row_at[g]; row < c->row_at[g + 1]; row++)
            gemm_s +=
                sparse_product_s(c->products, c->tables, l_block(c, row)->rows, u->cols, u->max);
        update[g] = (struct sparse_update){
            .gemm_s = gemm_s,
            .elements = u->cols * ((double)u->max + c->group[g]->size),
            .blocks = destinations(c, g, u->j),
            .columns = (double)blocks * c->s->width[u->j],
            .supernodes = is_paid_by_update(c, g, of) && u->j == of->earliest,
        };
        c->work->updates_ahead += blocks;
    }
}

/* What a block column beyond the window adds: its destinations, and products with single rows that
 * are within the window at the next position. */
static void add_rest(struct counting *c, const struct columns *of, const struct sparse_u_block *u)
{
    for (int32_t g = 0; g < c->groups; g++) {
        struct sparse_update *update = &of->rest[g];

        update->blocks += destinations(c, g, u->j);
        for (int32_t row = c->row_at[g]; row < c->row_at[g + 1]; row++) {
            const struct sparse_l_block *l = l_block(c, row);

            if (is_single(c, row))
                update->gemm_s +=
                    sparse_product_s(c->products, c->tables, l->rows, u->cols, of->longest);
        }
    }
}

/* One product of the other rows with all block columns beyond the window. */
static void finish_rest(struct counting *c, const struct columns *of)
{
    for (int32_t g = 0; g < c->groups && of->size > 0; g++) {
        struct sparse_update *update = &of->rest[g];
        const double rows = c->group[g]->size;
        int32_t others = 0;

        for (int32_t row = c->row_at[g]; row < c->row_at[g + 1]; row++)
            if (!is_single(c, row))
                others += l_block(c, row)->rows;
        if (others > 0)
            update->gemm_s +=
                sparse_product_s(c->products, c->tables, others, of->size, of->longest);
        update->elements = rows * of->size + of->longest * (rows + of->size);
        update->columns = (double)(c->row_at[g + 1] - c->row_at[g]) * of->width;
        update->supernodes = is_paid_by_update(c, g, of) && of->earliest < 0;
    }
}

static void count_columns(struct counting *c, struct columns *of)
{
    find_columns(c, of);
    sum_searched(c, of->share->place);
    for (int32_t b = of->first; b < of->last; b++) {
        const struct sparse_u_block *u = u_block(c, b);

        if (is_ahead(c, u->j))
            count_ahead(c, of, u);
        else
            add_rest(c, of, u);
    }
    finish_rest(c, of);
}

static void count_updates(struct counting *c)
{
    struct sparse_window_work *work = c->work;
    const int64_t first = c->shares->u_at[c->k], last = c->shares->u_at[c->k + 1];
    const size_t begin = work->update_at[c->k];
    const size_t ahead = (size_t)(work->ahead.at[c->k + 1] - work->ahead.at[c->k]);
    const size_t groups = (size_t)c->groups;

    work->update_at[c->k + 1] = begin + (ahead + (size_t)(last - first)) * groups;
    for (int64_t i = first; i < last && groups > 0; i++) {
        struct columns of = { .share = &c->shares->u[i],
                              .first = c->column_at[i - first],
                              .last = c->column_at[i - first + 1],
                              .rest =
                                  work->update + begin + (ahead + (size_t)(i - first)) * groups };

        count_columns(c, &of);
    }
    for (size_t i = begin; i < work->update_at[c->k + 1]; i++) {
        work->sums.gemm_s += work->update[i].gemm_s;
        work->sums.elements += work->update[i].elements;
        work->sums.pairs += work->update[i].blocks;
        work->sums.columns += work->update[i].columns;
        work->sums.supernodes += work->update[i].supernodes;
    }
}

/* ---- all supernodes ------------------------------------------------------------------------- */

static void count_all(struct counting *c)
{
    struct sparse_window_work *work = c->work;
    const struct sparse_schedule *schedule = work->schedule;

    for (c->k = 0; c->k < c->s->supernodes; c->k++) {
        const double rows = (double)(c->s->l_at[c->k + 1] - c->s->l_at[c->k]);

        c->at = schedule->position[c->k];
        c->end = sparse_window_end(schedule, c->k, work->window);
        c->rows_end = sparse_window_end(schedule, c->k, work->window + 1);
        group_rows(c);
        group_columns(c);
        count_panels(c);
        count_updates(c);
        work->updates += rows * (double)(c->s->u_at[c->k + 1] - c->s->u_at[c->k]);
    }
}

/* The most blocks of any supernode. */
static size_t most_blocks(const int64_t *at, int32_t supernodes)
{
    int64_t most = 0;

    for (int32_t k = 0; k < supernodes; k++)
        most = at[k + 1] - at[k] > most ? at[k + 1] - at[k] : most;
    return (size_t)most;
}

static int count_with(struct counting *c)
{
    const struct sparse_structure *s = c->s;
    const size_t rows = most_blocks(s->l_at, s->supernodes);
    const size_t columns = most_blocks(s->u_at, s->supernodes);
    const size_t pr = (size_t)c->shares->grid.rows, pc = (size_t)c->shares->grid.columns;
    int32_t *number = calloc(rows + columns + 3 * pr + 2 * pc + 2, sizeof *number);

    c->products = sparse_products_new();
    c->group = calloc(pr, sizeof(struct sparse_share *));
    c->searched = calloc(rows + 1, sizeof *c->searched);
    c->row = number;
    if (!number || !c->products || !c->group || !c->searched ||
        sparse_diagonals_init(&c->diagonals, s->facts.widest) != FR_OK)
        return FR_NOMEM;
    c->column = c->row + rows;
    c->row_at = c->column + columns;
    c->above = c->row_at + pr + 1;
    c->column_at = c->above + pr;
    c->next = c->column_at + pc + 1;
    count_all(c);
    return FR_OK;
}

static size_t updates_of(const struct sparse_window_work *work)
{
    const struct sparse_shares *shares = work->shares;
    size_t sum = 0;

    for (int32_t k = 0; k < shares->s->supernodes; k++) {
        const int64_t columns =
            work->ahead.at[k + 1] - work->ahead.at[k] + shares->u_at[k + 1] - shares->u_at[k];

        for (int64_t i = shares->l_at[k]; i < shares->l_at[k + 1]; i++)
            sum += shares->l[i].blocks > 0 ? (size_t)columns : 0;
    }
    return sum;
}

static int allocate(struct sparse_window_work *work)
{
    const size_t supernodes = (size_t)work->shares->s->supernodes;

    if (sparse_ahead_init(&work->ahead, work->shares->s, work->schedule, work->window) != FR_OK)
        return FR_NOMEM;
    work->diagonal_s = calloc(supernodes, sizeof *work->diagonal_s);
    work->column_s = calloc((size_t)work->shares->l_at[supernodes], sizeof *work->column_s);
    work->solve_s = calloc((size_t)work->shares->u_at[supernodes] + 1, sizeof *work->solve_s);
    work->update_at = calloc(supernodes + 1, sizeof *work->update_at);
    work->update = calloc(updates_of(work) + 1, sizeof *work->update);
    return work->diagonal_s && work->column_s && work->solve_s && work->update_at && work->update
               ? FR_OK
               : FR_NOMEM;
}

int sparse_window_work_init(struct sparse_window_work *work, const struct sparse_shares *shares,
                            const struct sparse_schedule *schedule, int32_t window,
                            struct sparse_tables *tables)
{
    struct counting c = { .work = work, .shares = shares, .s = shares->s, .tables = tables };
    int code;

    *work = (struct sparse_window_work){ .shares = shares, .schedule = schedule, .window = window };
    code = allocate(work);
    if (code == FR_OK)
        code = count_with(&c);
    free(c.row);
    free(c.group);
    free(c.searched);
    sparse_products_free(c.products);
    sparse_diagonals_free(&c.diagonals);
    if (code != FR_OK)
        sparse_window_work_free(work);
    return code;
}

void sparse_window_work_free(struct sparse_window_work *work)
{
    sparse_ahead_free(&work->ahead);
    free(work->diagonal_s);
    free(work->column_s);
    free(work->solve_s);
    free(work->update_at);
    free(work->update);
    *work = (struct sparse_window_work){ 0 };
}
