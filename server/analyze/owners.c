/* The partitions of engine/krylov/partition/partition.h. */
#include "server/analyze/analyze.h"

#include "engine/krylov/partition/partition.h"
#include "server/analyze/graph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Consecutive rows; the first processes have one more if they do not divide evenly, as PETSc does
 * by default. */
static int own_contiguous(struct fr_divided *of, int32_t processes, int32_t *owner,
                          struct fr_faults *faults)
{
    const int64_t few = of->matrix->n / processes, longer = of->matrix->n % processes;
    int64_t row = 0;

    (void)faults;
    for (int32_t p = 0; p < processes; p++)
        for (const int64_t end = row + few + (p < longer); row < end; row++)
            owner[row] = p;
    return FR_OK;
}

/* METIS_PartGraphKway with its default options, whose random numbers start from a fixed seed. */
static int own_metis(struct fr_divided *of, int32_t processes, int32_t *owner,
                     struct fr_faults *faults)
{
    idx_t options[METIS_NOPTIONS], constraints = 1, parts = processes, cut = 0;
    int status;

    _Static_assert(sizeof(idx_t) == sizeof(int32_t), "METIS with 32-bit indices is needed");
    if (processes == 1)
        return own_contiguous(of, processes, owner, faults);
    if (!of->graph && !(of->graph = fr_graph_make(of->matrix, faults)))
        return FR_NOMEM;
    METIS_SetDefaultOptions(options);
    status = METIS_PartGraphKway(&of->graph->n, &constraints, of->graph->at, of->graph->neighbour,
                                 of->graph->weight, NULL, NULL, &parts, NULL, NULL, options, &cut,
                                 owner);
    if (status == METIS_ERROR_MEMORY)
        return fr_fault(faults, FR_NOMEM, "/", "METIS has too little memory");
    if (status != METIS_OK)
        return fr_fault(faults, FR_RELATION, "/", "METIS fails with status %d", status);
    return FR_OK;
}

#define FUNCTION(name) own_##name
static int (*const functions[])(struct fr_divided *of, int32_t processes, int32_t *owner,
                                struct fr_faults *faults) = { KRYLOV_PARTITIONS(FUNCTION) };

/* Each process has rows. */
static int check(const struct fr_divided *of, int32_t processes, const int32_t *owner,
                 struct fr_faults *faults)
{
    int64_t *rows = calloc((size_t)processes, sizeof *rows);
    int32_t p = 0;

    if (!rows)
        return fr_fault(faults, FR_NOMEM, "/", "no memory to check the parts");
    for (int64_t i = 0; i < of->matrix->n; i++) {
        if (owner[i] < 0 || owner[i] >= processes) {
            free(rows);
            return fr_fault(faults, FR_RELATION, "/", "row %" PRId64 " is in no part", i + 1);
        }
        rows[owner[i]]++;
    }
    while (p < processes && rows[p])
        p++;
    free(rows);
    if (p == processes)
        return FR_OK;
    return fr_fault(faults, FR_RELATION, "/",
                    "part %d of %d has no rows; use fewer processes, or the partition contiguous",
                    p, processes);
}

int fr_owners_find(struct fr_divided *of, const char *partition, int32_t processes, int32_t *owner,
                   struct fr_faults *faults)
{
    int code = FR_RELATION;

    if (processes > of->matrix->n)
        return fr_fault(faults, FR_RELATION, "/",
                        "%d processes for %" PRId64
                        " rows; each needs a row, so use at most %" PRId64,
                        processes, of->matrix->n, of->matrix->n);
    for (int i = 0; i < KRYLOV_PARTITION_COUNT; i++)
        if (strcmp(partition, krylov_partitions[i]) == 0)
            code = functions[i](of, processes, owner, faults);
    return code == FR_OK ? check(of, processes, owner, faults) : code;
}

void fr_divided_end(struct fr_divided *of)
{
    fr_graph_free(of->graph);
    of->graph = NULL;
}
