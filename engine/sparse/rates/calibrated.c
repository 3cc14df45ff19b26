/* The rows of a step are summed by process row, its columns by process column; a process multiplies
 * two such sums. */
#include "engine/sparse/rates/rates.h"

#include <stdlib.h>
#include <string.h>

enum {
    PANEL_TERMS = SPARSE_CALIBRATED_PANEL_TERMS,
    UPDATE_TERMS = SPARSE_CALIBRATED_UPDATE_TERMS,
};

/* ---- a step --------------------------------------------------------------------------------- */

/* The blocks of L(:,k) off the diagonal in one process row. */
struct own_rows {
    double blocks, rows;
};
/* Some blocks of U(k,:) in one process column. */
struct own_columns {
    double blocks, columns, longest;
};

struct counting {
    struct sparse_work_counts *counts;
    const struct sparse_structure *s;
    struct sparse_tables *tables;
    struct sparse_grid grid;
    struct sparse_diagonals diagonals;
    struct own_rows *row, *next_row; /* of step k, and of k + 1; by process row */
    struct own_columns *next, *rest; /* j = k + 1, the others; by process column */
    double *solve_s;                 /* by process column */
    int code;
};

static void sum_rows(const struct counting *c, int32_t k, struct own_rows *row)
{
    memset(row, 0, (size_t)c->grid.rows * sizeof *row);
    for (int64_t b = c->s->l_at[k]; b < c->s->l_at[k + 1]; b++) {
        struct own_rows *own = &row[c->s->l[b].i % c->grid.rows];

        own->blocks++;
        own->rows += c->s->l[b].rows;
    }
}

static void sum_columns(const struct counting *c, int32_t k)
{
    const size_t columns = (size_t)c->grid.columns;

    memset(c->next, 0, columns * sizeof *c->next);
    memset(c->rest, 0, columns * sizeof *c->rest);
    memset(c->solve_s, 0, columns * sizeof *c->solve_s);
    for (int64_t b = c->s->u_at[k]; b < c->s->u_at[k + 1]; b++) {
        const struct sparse_u_block *u = &c->s->u[b];
        const int32_t pc = u->j % c->grid.columns;
        struct own_columns *own = u->j == k + 1 ? &c->next[pc] : &c->rest[pc];

        own->blocks++;
        own->columns += u->cols;
        own->longest = u->max > own->longest ? u->max : own->longest;
        c->solve_s[pc] += sparse_dtrsv_s(c->tables, u);
    }
}

/* Stores an operation and adds it to the sums of the process. */
static void keep(struct counting *c, int64_t rank, int32_t k, enum sparse_operation operation,
                 const struct sparse_sums *sums)
{
    struct sparse_process *process = &c->counts->process[rank];
    const double panel[PANEL_TERMS] = { sums->panel_s, sums->supernodes };
    const double update[UPDATE_TERMS] = { sums->gemm_s, sums->elements, sums->pairs, sums->columns,
                                          sums->supernodes };
    const bool is_panel = operation == SPARSE_FACTOR || operation == SPARSE_SOLVE;

    process->sums.gemm_s += sums->gemm_s;
    process->sums.panel_s += sums->panel_s;
    process->sums.elements += sums->elements;
    process->sums.pairs += sums->pairs;
    process->sums.columns += sums->columns;
    process->sums.supernodes += sums->supernodes;
    if (c->code == FR_OK)
        c->code = sparse_process_add(process, k, operation, is_panel ? panel : update,
                                     is_panel ? PANEL_TERMS : UPDATE_TERMS);
}

/* 1 for the first work of a process on supernode k, to which c6 applies; otherwise 0. */
static double first_of(const struct counting *c, int64_t rank, int32_t k)
{
    return c->counts->process[rank].has[k] == 0;
}

static void factor(struct counting *c, int32_t k, const struct own_rows *row)
{
    const int32_t width = c->s->width[k], pc = k % c->grid.columns;

    for (int32_t pr = 0; pr < c->grid.rows; pr++) {
        const bool has_diagonal = k % c->grid.rows == pr;
        const int64_t rank = (int64_t)pr * c->grid.columns + pc;

        if (!has_diagonal && row[pr].blocks == 0)
            continue;
        keep(
            c, rank, k, SPARSE_FACTOR,
            &(struct sparse_sums){
                .panel_s = (has_diagonal ? sparse_diagonal_s(&c->diagonals, c->tables, width) : 0) +
                           sparse_dtrsm_s(c->tables, row[pr].rows, width),
                .supernodes = first_of(c, rank, k) });
    }
}

static void solve(struct counting *c, int32_t k)
{
    for (int32_t pc = 0; pc < c->grid.columns; pc++) {
        const int64_t rank = (int64_t)(k % c->grid.rows) * c->grid.columns + pc;

        if (c->next[pc].blocks + c->rest[pc].blocks > 0)
            keep(c, rank, k, SPARSE_SOLVE,
                 &(struct sparse_sums){ .panel_s = c->solve_s[pc],
                                        .supernodes = first_of(c, rank, k) });
    }
}

/* One dgemm for all blocks of a process, then the scatter of its result. */
static void update(struct counting *c, int32_t k, const struct own_columns *columns,
                   enum sparse_operation operation)
{
    for (int32_t pc = 0; pc < c->grid.columns; pc++) {
        const struct own_columns *u = &columns[pc];

        for (int32_t pr = 0; pr < c->grid.rows && u->blocks > 0; pr++) {
            const struct own_rows *l = &c->row[pr];
            const int64_t rank = (int64_t)pr * c->grid.columns + pc;

            if (l->blocks == 0)
                continue;
            keep(c, rank, k, operation,
                 &(struct sparse_sums){
                     .gemm_s = sparse_dgemm_s(c->tables, l->rows, u->columns, u->longest),
                     .elements = l->rows * u->columns,
                     .pairs = l->blocks * u->blocks,
                     .columns = l->blocks * u->columns,
                     .supernodes = first_of(c, rank, k) });
        }
    }
}

static void walk(struct counting *c)
{
    const int32_t supernodes = c->s->supernodes;

    sum_rows(c, 0, c->row);
    factor(c, 0, c->row);
    for (int32_t k = 0; k < supernodes && c->code == FR_OK; k++) {
        struct own_rows *row = c->row;

        sum_columns(c, k);
        solve(c, k);
        update(c, k, c->next, SPARSE_UPDATE_NEXT);
        if (k + 1 < supernodes) {
            sum_rows(c, k + 1, c->next_row);
            factor(c, k + 1, c->next_row);
        }
        update(c, k, c->rest, SPARSE_UPDATE_REST);
        c->row = c->next_row;
        c->next_row = row;
    }
}

static int count_all(struct sparse_work_counts *counts, struct sparse_tables *tables)
{
    const size_t rows = (size_t)counts->grid.rows, columns = (size_t)counts->grid.columns;
    struct own_rows *row = calloc(2 * rows, sizeof *row);
    struct own_columns *column = calloc(2 * columns, sizeof *column);
    double *solve_s = calloc(columns, sizeof *solve_s);
    struct counting c = {
        .counts = counts, .s = counts->s, .tables = tables, .grid = counts->grid
    };

    c.code = sparse_diagonals_init(&c.diagonals, counts->s->facts.widest);
    if (!row || !column || !solve_s)
        c.code = FR_NOMEM;
    for (int64_t p = 0; p < sparse_processes(counts->grid); p++)
        sparse_process_begin(&counts->process[p]);
    if (c.code == FR_OK) {
        c.row = row;
        c.next_row = row + rows;
        c.next = column;
        c.rest = column + columns;
        c.solve_s = solve_s;
        walk(&c);
    }
    free(row);
    free(column);
    free(solve_s);
    sparse_diagonals_free(&c.diagonals);
    return c.code;
}

struct sparse_work_counts *sparse_work_counts_calibrated(const struct sparse_structure *s,
                                                         struct sparse_grid grid,
                                                         struct sparse_tables *tables,
                                                         struct fr_faults *faults)
{
    struct sparse_work_counts *counts =
        sparse_work_counts_new(s, grid, PANEL_TERMS, UPDATE_TERMS, faults);

    if (!counts || count_all(counts, tables) == FR_OK)
        return counts;
    fr_fault(faults, FR_NOMEM, "grid", "the simulation does not fit into memory");
    sparse_work_counts_free(counts);
    return NULL;
}

struct sparse_costs sparse_costs_calibrated(const struct sparse_fit *fit)
{
    return (struct sparse_costs){
        .panel_terms = PANEL_TERMS,
        .update_terms = UPDATE_TERMS,
        .panel = { fit->panel, fit->supernode_s },
        .update = { fit->gemm, fit->scatter_s, fit->block_s, fit->column_s, fit->supernode_s },
    };
}

/* ---- a single process ----------------------------------------------------------------------- */

int sparse_calibrated_sums(const struct sparse_structure *s, struct sparse_tables *tables,
                           struct sparse_sums *out, struct fr_faults *faults)
{
    struct sparse_work_counts *counts =
        sparse_work_counts_calibrated(s, (struct sparse_grid){ 1, 1 }, tables, faults);

    if (!counts)
        return FR_NOMEM;
    *out = counts->process[0].sums;
    sparse_work_counts_free(counts);
    return FR_OK;
}

double sparse_sums_s(const struct sparse_sums *sums, const struct sparse_fit *fit)
{
    return sums->gemm_s * fit->gemm + sums->panel_s * fit->panel + sums->elements * fit->scatter_s +
           sums->pairs * fit->block_s + sums->columns * fit->column_s +
           sums->supernodes * fit->supernode_s;
}
