/* Memory bandwidth of this node, as the group `memory` of a calibration document.
 *
 *     mpirun -n CORES triad MACHINE > memory.json
 *
 * a = b + s c on vectors far larger than the caches, 24 bytes per element as in the vector work of
 * the model cg: by all processes at once (the node), then by one while the others sleep (a core).
 * Runs on one node.  The best pass counts, because other work on the machine only delays a pass.
 */
#include <petscsys.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ELEMENTS = 1 << 23, PASSES = 12 };

static double pass_s(double *a, const double *b, const double *c, double scale)
{
    const double began_s = MPI_Wtime();

    for (int i = 0; i < ELEMENTS; i++)
        a[i] = b[i] + scale * c[i];
    return MPI_Wtime() - began_s;
}

/* A pass takes as long as its slowest process. */
static double best_together_s(double *a, const double *b, const double *c)
{
    double best_s = 1e30;

    for (int i = 0; i < PASSES; i++) {
        double mine_s, slowest_s;

        MPI_Barrier(MPI_COMM_WORLD);
        mine_s = pass_s(a, b, c, 1 + i);
        MPI_Allreduce(&mine_s, &slowest_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        best_s = slowest_s < best_s ? slowest_s : best_s;
    }
    return best_s;
}

static double best_alone_s(double *a, const double *b, const double *c, int rank)
{
    double best_s = 1e30;
    MPI_Request request;
    int done = 0;

    for (int i = 0; rank == 0 && i < PASSES; i++) {
        const double took_s = pass_s(a, b, c, 1 + i);

        best_s = took_s < best_s ? took_s : best_s;
    }
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
        usleep(10000);
    return best_s;
}

int main(int argc, char **argv)
{
    const double bytes = 3.0 * sizeof(double) * ELEMENTS;
    double *a, *b, *c, node_s, core_s;
    int rank, processes;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    a = malloc(sizeof *a * ELEMENTS);
    b = malloc(sizeof *b * ELEMENTS);
    c = malloc(sizeof *c * ELEMENTS);
    if (argc != 2 || !a || !b || !c) {
        fprintf(stderr, argc == 2 ? "triad: out of memory\n" : "usage: triad MACHINE\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < ELEMENTS; i++) {
        a[i] = 0;
        b[i] = i;
        c[i] = 1;
    }
    node_s = best_together_s(a, b, c);
    core_s = best_alone_s(a, b, c, rank);
    if (rank == 0)
        printf(
            "{\"schema\":\"forerun-calibration-1\",\"machine\":\"%s\",\"memory\":{"
            "\"node_bandwidth_bytes_per_s\":%.4e,\"core_bandwidth_bytes_per_s\":%.4e,"
            "\"index_bytes\":%d},\"sources\":{\"/memory/node_bandwidth_bytes_per_s\":"
            "\"measured: triad of %d processes, vectors of %d MiB, best of %d passes\","
            "\"/memory/core_bandwidth_bytes_per_s\":\"measured: triad of one process, likewise\","
            "\"/memory/index_bytes\":\"measured: the size of a PetscInt\"}}\n",
            argv[1], processes * bytes / node_s, bytes / core_s, (int)sizeof(PetscInt), processes,
            (int)(sizeof(double) * ELEMENTS >> 20), PASSES);
    free(a);
    free(b);
    free(c);
    MPI_Finalize();
    return 0;
}
