/* What the levels of hypre's BoomerAMG are, and what the rank that sends most sends for a product
 * and for an interpolation on each.
 *
 * The problem is hypre's own Laplacian of 7 or 27 points on nx x ny x nz points, in boxes of
 * px x py x pz ranks; the options are BoomerAMG's defaults.  The result is a line of JSON:
 *
 *     mpirun -n 4 hypre_levels 32 32 32 2 2 1 27
 */
#include <_hypre_parcsr_ls.h>

#include <stdio.h>
#include <stdlib.h>

static void print_sent(const char *name, hypre_ParCSRMatrix *matrix)
{
    hypre_ParCSRCommPkg *sent;
    HYPRE_Int most[2] = { 0, 0 };

    if (!hypre_ParCSRMatrixCommPkg(matrix))
        hypre_MatvecCommPkgCreate(matrix);
    sent = hypre_ParCSRMatrixCommPkg(matrix);
    most[0] = hypre_ParCSRCommPkgNumSends(sent);
    most[1] = 8 * hypre_ParCSRCommPkgSendMapStart(sent, most[0]);
    MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    hypre_ParPrintf(MPI_COMM_WORLD, "\"%s\":{\"messages\":%d,\"bytes\":%d}", name, most[0],
                    most[1]);
}

static void print_levels(hypre_ParAMGData *amg)
{
    const HYPRE_Int levels = hypre_ParAMGDataNumLevels(amg);

    for (HYPRE_Int l = 0; l < levels; l++) {
        hypre_ParCSRMatrix *A = hypre_ParAMGDataAArray(amg)[l];

        hypre_ParCSRMatrixSetDNumNonzeros(A);
        hypre_ParPrintf(MPI_COMM_WORLD, "%s{\"rows\":%d,\"nonzeros\":%.0f,", l ? "," : "",
                        (int)hypre_ParCSRMatrixGlobalNumRows(A), hypre_ParCSRMatrixDNumNonzeros(A));
        print_sent("product", A);
        if (l + 1 < levels) {
            hypre_ParCSRMatrix *P = hypre_ParAMGDataPArray(amg)[l];

            hypre_ParCSRMatrixSetDNumNonzeros(P);
            hypre_ParPrintf(MPI_COMM_WORLD, ",\"transfer_nonzeros\":%.0f,",
                            hypre_ParCSRMatrixDNumNonzeros(P));
            print_sent("interpolation", P);
        }
        hypre_ParPrintf(MPI_COMM_WORLD, "}");
    }
}

int main(int argc, char **argv)
{
    HYPRE_Int at[7], place[3], rank, ranks;
    HYPRE_Real value[4] = { 6, -1, -1, -1 };
    HYPRE_ParCSRMatrix A;
    HYPRE_ParVector b, x;
    HYPRE_Solver solver;

    MPI_Init(&argc, &argv);
    HYPRE_Init();
    for (int i = 0; i < 7; i++)
        at[i] = argc == 8 ? atoi(argv[i + 1]) : 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    place[0] = rank % at[3];
    place[1] = rank / at[3] % at[4];
    place[2] = rank / at[3] / at[4];
    if (at[6] == 27) {
        value[0] = 26;
        A = GenerateLaplacian27pt(MPI_COMM_WORLD, at[0], at[1], at[2], at[3], at[4], at[5],
                                  place[0], place[1], place[2], value);
    } else {
        A = GenerateLaplacian(MPI_COMM_WORLD, at[0], at[1], at[2], at[3], at[4], at[5], place[0],
                              place[1], place[2], value);
    }
    b = hypre_ParVectorInDomainOf((hypre_ParCSRMatrix *)A);
    x = hypre_ParVectorInDomainOf((hypre_ParCSRMatrix *)A);
    HYPRE_BoomerAMGCreate(&solver);
    HYPRE_BoomerAMGSetup(solver, A, b, x);
    hypre_ParPrintf(MPI_COMM_WORLD,
                    "{\"ranks\":%d,\"global_grid\":\"%dx%dx%d\",\"process_grid\":\"%dx%dx%d\","
                    "\"points\":%d,\"levels\":[",
                    ranks, at[0], at[1], at[2], at[3], at[4], at[5], at[6]);
    print_levels((hypre_ParAMGData *)solver);
    hypre_ParPrintf(MPI_COMM_WORLD, "]}\n");
    HYPRE_BoomerAMGDestroy(solver);
    HYPRE_Finalize();
    MPI_Finalize();
    return 0;
}
