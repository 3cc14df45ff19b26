/* Analyzes in the first process, factorizes in all of them, and reports times and sizes. */
#include "server/analyze/analyze.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The matrix is diagonally dominant; a larger residual means a wrong solution
 * (docs/models/sparse_lu.md#values-of-timed-factorizations). */
static const double MOST_RESIDUAL = 1e-10;

/* Found by the first process; the others receive the pattern and the order of its columns. */
struct problem {
    struct fr_permuted permuted;
    struct fr_symbolic symbolic;
    int *place;
};

static int prepare(struct problem *p, const struct fr_analyze_options *options,
                   struct fr_faults *faults)
{
    struct fr_matrix *matrix = fr_source_open(options, faults);
    int *sorted = NULL, code = FR_SYNTAX;

    if (matrix)
        code = fr_permuted_make(&p->permuted, matrix, SPARSE_ROWS_AUTO, faults);
    if (code == FR_OK) {
        const size_t size = (size_t)matrix->n * sizeof *p->place;

        p->place = malloc(size);
        sorted = malloc(size);
        if (!p->place || !sorted)
            code = fr_fault(faults, FR_NOMEM, "/", "no memory for the order of the columns");
        if (code == FR_OK)
            code = fr_ordering_find(options->orderings[0], &p->permuted.pattern, p->place, faults);
        if (code == FR_OK)
            memcpy(sorted, p->place, size);
    }
    if (code == FR_OK)
        code = fr_symbolic_find(&p->permuted.pattern, sorted, options->supernodes, &p->symbolic,
                                faults);
    free(sorted);
    fr_matrix_free(matrix);
    return code;
}

/* Sends the pattern and the order to the other processes. */
static void share(struct problem *p)
{
    struct fr_sparsity *pattern = &p->permuted.pattern;
    int sizes[2] = { pattern->n, pattern->nnz }, rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(sizes, 2, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank > 0) {
        *pattern = (struct fr_sparsity){ .n = sizes[0], .nnz = sizes[1] };
        pattern->column_at = malloc(((size_t)sizes[0] + 1) * sizeof *pattern->column_at);
        pattern->row = malloc((size_t)sizes[1] * sizeof *pattern->row);
        p->place = malloc((size_t)sizes[0] * sizeof *p->place);
        if (!pattern->column_at || !pattern->row || !p->place)
            MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    MPI_Bcast(pattern->column_at, sizes[0] + 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(pattern->row, sizes[1], MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(p->place, sizes[0], MPI_INT, 0, MPI_COMM_WORLD);
}

/* The grid of the options, or a nearly square one with at least as many columns as rows. */
static int choose_grid(const struct fr_analyze_options *options, int grid[2],
                       struct fr_faults *faults)
{
    int processes;

    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    grid[0] = options->grid_rows;
    grid[1] = options->grid_columns;
    if (!grid[0]) {
        for (grid[0] = (int)sqrt(processes); processes % grid[0]; grid[0]--)
            ;
        grid[1] = processes / grid[0];
    }
    if ((int64_t)grid[0] * grid[1] == processes)
        return FR_OK;
    return fr_fault(faults, FR_RELATION, "grid", "%dx%d on %d processes; %d are needed", grid[0],
                    grid[1], processes, grid[0] * grid[1]);
}

static void write_structure(struct fr_writer *w, const struct fr_symbolic *symbolic)
{
    const struct sparse_facts *facts = &symbolic->structure->facts;

    fr_json_pair_object(w, "structure");
    fr_json_pair_integer(w, "supernodes", facts->supernodes);
    fr_json_pair_number(w, "nnz_lu", facts->nnz);
    fr_json_pair_number(w, "nnz_lu_unrelaxed", symbolic->nnz_unrelaxed);
    fr_json_pair_number(w, "flops", facts->useful_flops);
    fr_json_pair_number(w, "updates", facts->updates);
    fr_json_object_end(w);
}

/* Parts of the time of each factorization in the first process. */
static void write_blas(struct fr_writer *w, const struct fr_numeric *runs, int count)
{
    fr_json_pair_array(w, "gemm_s");
    for (int i = 0; i < count; i++)
        fr_json_number(w, runs[i].blas.gemm_s);
    fr_json_array_end(w);
    fr_json_pair_array(w, "panel_s");
    for (int i = 0; i < count; i++)
        fr_json_number(w, runs[i].blas.panel_s);
    fr_json_array_end(w);
}

/* The numbers of right-hand sides, and the least time of all repetitions for each. */
static void write_solves(struct fr_writer *w, const struct fr_analyze_options *options,
                         const struct fr_numeric *runs)
{
    fr_json_pair_array(w, "solve_nrhs");
    for (int i = 0; i < options->solves; i++)
        fr_json_integer(w, options->nrhs[i]);
    fr_json_array_end(w);
    fr_json_pair_array(w, "solve_s");
    for (int i = 0; i < options->solves; i++) {
        double least_s = INFINITY;

        for (int k = 0; k < options->repetitions; k++)
            least_s = fmin(least_s, runs[k].solve_s[i]);
        fr_json_number(w, least_s);
    }
    fr_json_array_end(w);
}

static void report(const struct problem *p, const struct fr_analyze_options *options,
                   const int grid[2], const struct fr_numeric *runs)
{
    const struct fr_numeric *last = &runs[options->repetitions - 1];
    const double processes = (double)grid[0] * grid[1];
    double residual = 0;
    struct fr_writer w;

    fr_record(&w, "factorization");
    fr_json_pair_integer(&w, "n", p->permuted.pattern.n);
    fr_json_pair_integer(&w, "nnz", p->permuted.pattern.nnz);
    fr_json_pair(&w, "ordering", options->orderings[0]);
    fr_json_pair(&w, "row_permutation", p->permuted.rows.is_identity ? "identity" : "transversal");
    fr_json_pair_integer(&w, "supernode_max", options->supernodes.max);
    fr_json_pair_integer(&w, "supernode_relax", options->supernodes.relax);
    fr_json_pair_integer(&w, "lookahead", options->lookahead);
    fr_json_pair_integer(&w, "process_rows", grid[0]);
    fr_json_pair_integer(&w, "process_columns", grid[1]);
    fr_json_pair_array(&w, "factorization_s");
    for (int i = 0; i < options->repetitions; i++) {
        fr_json_number(&w, runs[i].factor_s);
        residual = fmax(residual, runs[i].residual);
    }
    fr_json_array_end(&w);
    if (options->times_blas)
        write_blas(&w, runs, options->repetitions);
    if (options->solves)
        write_solves(&w, options, runs);
    fr_json_pair_number(&w, "supernodes", last->supernodes);
    fr_json_pair_number(&w, "nnz_lu", last->nnz);
    fr_json_pair_number(&w, "flops", last->flops);
    fr_json_pair_number(&w, "flops_per_process_max", last->flops_most);
    fr_json_pair_number(&w, "flops_per_process_mean", last->flops / processes);
    fr_json_pair_number(&w, "memory_per_process_max_bytes", last->memory_bytes_most);
    fr_json_pair_number(&w, "memory_per_process_mean_bytes", last->memory_bytes / processes);
    fr_json_pair_number(&w, "tiny_pivots", last->tiny_pivots);
    fr_json_pair_number(&w, "residual", residual);
    write_structure(&w, &p->symbolic);
    fr_record_end(&w, NULL, 0);
}

/* Rejects a run with a wrong solution or another structure than was analyzed. */
static int check(const struct problem *p, const struct fr_numeric *run, int info,
                 struct fr_faults *faults)
{
    const struct sparse_facts *facts = &p->symbolic.structure->facts;

    if (info != 0)
        return fr_fault(faults, FR_INFEASIBLE, "/", "the library's factorization returned %d",
                        info);
    if (!(run->residual <= MOST_RESIDUAL))
        return fr_fault(faults, FR_INFEASIBLE, "/", "the solution is wrong: residual %.3g",
                        run->residual);
    if ((double)facts->supernodes != run->supernodes || facts->nnz != run->nnz)
        return fr_fault(faults, FR_RELATION, "/",
                        "the library has %.0f supernodes with %.0f nonzeros; the structure has "
                        "%.0f with %.0f",
                        run->supernodes, run->nnz, (double)facts->supernodes, facts->nnz);
    return FR_OK;
}

static int measure(const struct problem *p, const struct fr_analyze_options *options,
                   const int grid[2], bool is_first, struct fr_faults *faults)
{
    struct fr_numeric runs[FR_REPETITIONS_MOST] = { 0 };
    struct fr_distributed a;
    gridinfo_t processes;
    int code = FR_OK;

    if (options->times_blas)
        fr_blas_times_want();
    superlu_gridinit(MPI_COMM_WORLD, grid[0], grid[1], &processes);
    if (!fr_distributed_make(&a, &p->permuted.pattern))
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    for (int i = 0; i < options->repetitions && code == FR_OK; i++) {
        const int info = fr_numeric_run(&a, p->place, options, &processes, &runs[i]);

        if (is_first)
            code = check(p, &runs[i], info, faults);
        MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (is_first && code == FR_OK)
        report(p, options, grid, runs);
    fr_distributed_free(&a);
    superlu_gridexit(&processes);
    return code;
}

int fr_factorization_run(const struct fr_analyze_options *options)
{
    struct problem problem = { 0 };
    struct fr_faults faults = { 0 };
    int grid[2], rank, code;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    code = choose_grid(options, grid, &faults);
    if (rank == 0 && code == FR_OK)
        code = prepare(&problem, options, &faults);
    MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (code == FR_OK) {
        share(&problem);
        code = measure(&problem, options, grid, rank == 0, &faults);
    }
    if (rank == 0 && code != FR_OK)
        fr_record_failed(NULL, &faults);
    fr_permuted_free(&problem.permuted);
    sparse_structure_free(problem.symbolic.structure);
    free(problem.place);
    return code == FR_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
