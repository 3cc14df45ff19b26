/* Asks MUMPS for its estimates and for what it used, with the permutations of forerun-analyze, and
 * prints beside them what forerun foresees.
 *
 *     mpirun -n RANKS probe --orderings NAME,... [--generate TEXT | FILE]
 *
 * The rows are permuted as forerun-analyze does, MUMPS permutes and scales nothing of its own
 * (ICNTL(6) = ICNTL(8) = 0), and takes the order of elimination from PERM_IN (ICNTL(7) = 1).
 * A line for each ordering.  With ANALYSIS_ONLY in the environment nothing is factorized. */
#include "engine/multifrontal/multifrontal.h"
#include "server/analyze/analyze.h"

#include <dmumps_c.h>
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MUMPS's job codes. */
enum { START = -1, ANALYZE = 1, FACTORIZE = 2, END = -2 };

static void call(DMUMPS_STRUC_C *mumps, int job)
{
    mumps->job = job;
    dmumps_c(mumps);
}

static void start(DMUMPS_STRUC_C *mumps)
{
    *mumps = (DMUMPS_STRUC_C){ .comm_fortran = MPI_Comm_c2f(MPI_COMM_WORLD), .par = 1 };
    call(mumps, START);
    for (int i = 0; i < 3; i++)
        mumps->icntl[i] = -1;
    mumps->icntl[3] = 0;
    mumps->icntl[5] = 0;  /* ICNTL(6): no column permutation */
    mumps->icntl[6] = 1;  /* ICNTL(7): PERM_IN */
    mumps->icntl[7] = 0;  /* ICNTL(8): no scaling */
    mumps->icntl[27] = 1; /* ICNTL(28): sequential analysis */
}

/* The entries of the matrix with permuted rows, numbered from 1. */
static void fill(DMUMPS_STRUC_C *mumps, const struct fr_matrix *matrix, const int *row_to,
                 const int *place)
{
    const size_t nnz = (size_t)matrix->nnz, n = (size_t)matrix->n;
    int64_t e = 0;

    mumps->n = (MUMPS_INT)matrix->n;
    mumps->nnz = matrix->nnz;
    mumps->irn = malloc(nnz * sizeof *mumps->irn);
    mumps->jcn = malloc(nnz * sizeof *mumps->jcn);
    mumps->a = malloc(nnz * sizeof *mumps->a);
    mumps->perm_in = malloc(n * sizeof *mumps->perm_in);
    if (!mumps->irn || !mumps->jcn || !mumps->a || !mumps->perm_in)
        abort();
    for (int64_t j = 0; j < matrix->n; j++) {
        mumps->perm_in[j] = place[j] + 1;
        for (; e < matrix->column_at[j + 1]; e++) {
            mumps->irn[e] = (row_to ? row_to[matrix->row[e]] : matrix->row[e]) + 1;
            mumps->jcn[e] = (MUMPS_INT)j + 1;
            mumps->a[e] = matrix->value ? matrix->value[e] : 1;
        }
    }
}

/* What forerun foresees for as many processes, beside what MUMPS says. */
static void foresee(const struct fr_sparsity *pattern, const int *place, int64_t processes,
                    int64_t relax_percent)
{
    struct fr_faults faults = { 0 };
    struct sparse_mumps found = { .n = pattern->n, .entries = pattern->nnz };
    struct sparse_mumps_memory memory;
    struct sparse_fronts fronts;

    if (sparse_fronts_make(&fronts, pattern->n, pattern->column_at, pattern->row, place, &faults) !=
            FR_OK ||
        sparse_fronts_share(&fronts, processes, &found.share, &faults) != FR_OK)
        abort();
    found.tree = sparse_multifrontal_count(&fronts);
    memory = sparse_mumps_memory(&found, relax_percent);
    printf(" foreseen_fronts=%" PRId64 " foreseen_front=%" PRId64 " foreseen_entries=%" PRId64
           " foreseen_flops=%.17g foreseen_peak=%" PRId64 " foreseen_most_mb=%.1f"
           " foreseen_all_mb=%.1f",
           found.tree.fronts, found.tree.largest_front, found.tree.factor_entries, found.tree.flops,
           found.share.most_entries, memory.most / 1e6, memory.all / 1e6);
    sparse_fronts_free(&fronts);
}

static void print(const DMUMPS_STRUC_C *mumps, const char *when, const int *number)
{
    for (; *number; number++)
        printf(" %s_infog%d=%d", when, *number, mumps->infog[*number - 1]);
}

static void probe(const struct fr_matrix *matrix, const struct fr_permuted *permuted,
                  const char *ordering, int rank, int ranks)
{
    static const int analyzed[] = { 1, 3, 5, 6, 16, 17, 20, 0 };
    static const int factorized[] = { 1, 2, 18, 19, 21, 22, 29, 0 };
    struct fr_faults faults = { 0 };
    int *place = malloc((size_t)matrix->n * sizeof *place);
    static DMUMPS_STRUC_C mumps;

    if (!place || fr_ordering_find(ordering, &permuted->pattern, place, &faults) != FR_OK)
        abort();
    start(&mumps);
    if (rank == 0)
        fill(&mumps, matrix, permuted->rows.row_to, place);
    call(&mumps, ANALYZE);
    if (rank == 0) {
        printf("ordering=%s ranks=%d n=%" PRId64 " nnz=%" PRId64 " icntl14=%d", ordering, ranks,
               matrix->n, matrix->nnz, mumps.icntl[13]);
        print(&mumps, "analyzed", analyzed);
        printf(" info8=%d rinfog1=%.17g", mumps.info[7], mumps.rinfog[0]);
        foresee(&permuted->pattern, place, ranks, mumps.icntl[13]);
    }
    if (!getenv("ANALYSIS_ONLY")) {
        call(&mumps, FACTORIZE);
        if (rank == 0) {
            print(&mumps, "factorized", factorized);
            printf(" rinfog2=%.17g rinfog3=%.17g", mumps.rinfog[1], mumps.rinfog[2]);
        }
    }
    if (rank == 0)
        printf("\n");
    fflush(stdout);
    call(&mumps, END);
    free(place);
}

int main(int count, char **arguments)
{
    struct fr_analyze_options options;
    struct fr_permuted permuted;
    struct fr_faults faults = { 0 };
    struct fr_matrix *matrix;
    int rank, ranks;

    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    fr_options_parse(&options, count, arguments);
    matrix = fr_source_open(&options, &faults);
    if (!matrix || fr_permuted_make(&permuted, matrix, SPARSE_ROWS_AUTO, &faults) != FR_OK) {
        fprintf(stderr, "probe: %s\n", faults.fault[0].message);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        return EXIT_FAILURE;
    }
    for (int i = 0; i < options.ordering_count; i++)
        probe(matrix, &permuted, options.orderings[i], rank, ranks);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
