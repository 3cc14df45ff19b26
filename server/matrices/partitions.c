/* Finds facts in the cache or in the store, or waits until they are there. */
#include "server/matrices/simulation.h"

#include "engine/krylov/partition/partition.h"
#include "server/http/server.h"
#include "server/matrices/analysis.h"
#include "server/matrices/files/matrix.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Facts that the request uses, under the name of the matrix in the request. */
struct held {
    struct held *next;
    char matrix[FR_MATRIX_NAME_BYTES];
    struct fr_kept_partition *kept; /* a share */
};

/* What a question needs, and the store does not know. */
struct noted {
    char id[FR_MATRIX_ID_BYTES];
    const char *partition; /* of krylov_partitions */
    int64_t processes;
};

struct fr_partitions {
    struct fr_partition_source source;
    struct fr_simulations *simulations;
    struct fr_store *store;
    struct fr_arena *arena;
    struct fr_waiting waiting; /* rq NULL: only what is stored is found */
    const char *where;
    struct held *first;
    size_t bytes; /* of the facts that are held */
    bool is_noting;
    struct noted noted[FR_PARTITIONS_AT_ONCE];
    size_t noted_count;
};

struct fr_partitions *fr_partitions_begin_stored(struct fr_simulations *simulations,
                                                 struct fr_store *store, struct fr_arena *arena)
{
    struct fr_partitions *of = malloc(sizeof *of);

    if (of)
        *of = (struct fr_partitions){ .source = { of, fr_partitions_find },
                                      .simulations = simulations,
                                      .store = store,
                                      .arena = arena,
                                      .where = "nodes" };
    return of;
}

struct fr_partitions *fr_partitions_begin(struct fr_request *rq, const char *where)
{
    struct fr_partitions *of =
        fr_partitions_begin_stored(rq->server->simulations, rq->store, rq->arena);

    if (of) {
        of->waiting.rq = rq;
        of->where = where;
    }
    return of;
}

const struct fr_partition_source *fr_partitions_source(const struct fr_partitions *of)
{
    return &of->source;
}

void fr_partitions_end(struct fr_partitions *of)
{
    if (!of)
        return;
    for (struct held *held = of->first, *next; held; held = next) {
        next = held->next;
        fr_cached_drop(held->kept);
        free(held);
    }
    free(of);
}

int fr_partition_possible(const char *matrix, int64_t rows, int64_t processes, const char *where,
                          struct fr_faults *faults)
{
    if (processes > KRYLOV_PARTITION_MOST_PROCESSES)
        return fr_fault(faults, FR_RANGE, where,
                        "%" PRId64 " processes; a matrix is divided among at most %d", processes,
                        KRYLOV_PARTITION_MOST_PROCESSES);
    if (processes > rows)
        return fr_fault(faults, FR_RELATION, where,
                        "%" PRId64 " processes for the %" PRId64 " rows of matrix %.64s; each "
                        "process needs a row, so use at most %" PRId64,
                        processes, rows, matrix, rows);
    return FR_OK;
}

/* New analyses count for the client that asks.  FR_OK, or FR_LIMITED with a fault. */
static int charge(struct fr_partitions *of, size_t count, struct fr_faults *faults)
{
    char why[240];

    if (!fr_request_take(of->waiting.rq, FR_LIMIT_ANALYSES, (double)count, why, sizeof why))
        return FR_OK;
    return fr_fault(faults, FR_LIMITED, of->where, "%s", why);
}

/* Queues a partition that is not known, if the request waits for it.  FR_OK if there may be facts
 * later, else the code of a fault. */
static int request(struct fr_partitions *of, const struct fr_matrix_record *matrix,
                   const char *partition, int64_t processes, struct fr_faults *faults)
{
    struct fr_partition_record record;
    int result =
        fr_store_partition_get(of->store, matrix->id, partition, processes, of->arena, &record);

    if (!of->waiting.rq && (result != FR_STORE_OK || record.status != FR_MATRIX_FAILED))
        return fr_fault(faults, FR_NOT_FOUND, "matrix",
                        "matrix %s is not divided (%s) among %" PRId64 " processes yet; ask for "
                        "/api/v1/matrices/%s/partitions?partition=%s&processes=%" PRId64,
                        matrix->name, partition, processes, matrix->id, partition, processes);
    if (result == FR_STORE_NONE && charge(of, 1, faults) != FR_OK)
        return FR_LIMITED;
    if (result == FR_STORE_NONE || (result == FR_STORE_OK && record.status == FR_MATRIX_READY)) {
        result = fr_store_partition_queue(of->store, matrix->id, partition, &processes, 1, true);
        record.status = FR_MATRIX_QUEUED;
        fr_analysis_wake(of->waiting.rq->server->analysis);
    }
    if (result != FR_STORE_OK)
        return fr_fault(faults, FR_NOT_FOUND, "matrix",
                        "the partition cannot be stored; try again later");
    if (record.status == FR_MATRIX_FAILED)
        return fr_fault(faults, FR_RELATION, of->where,
                        "dividing matrix %s (%s) among %" PRId64 " processes failed: %.200s",
                        matrix->name, partition, processes,
                        record.reason ? record.reason : "unknown reason");
    return FR_OK;
}

/* The text of facts, which the caller frees; waits for it.  NULL with a fault. */
static char *text_of(struct fr_partitions *of, const struct fr_matrix_record *matrix,
                     const char *partition, int64_t processes, size_t *length,
                     struct fr_faults *faults)
{
    struct fr_analysis *analysis = of->waiting.rq ? of->waiting.rq->server->analysis : NULL;
    uint64_t settled;
    char *text = NULL;

    if (fr_partition_possible(matrix->name, matrix->n, processes, of->where, faults) != FR_OK)
        return NULL;
    do {
        settled = analysis ? fr_analysis_settled(analysis) : 0;
        if (fr_store_partition_facts(of->store, matrix->id, partition, processes, &text, length) ==
            FR_STORE_OK)
            return text;
        if (request(of, matrix, partition, processes, faults) != FR_OK)
            return NULL;
    } while (fr_waiting_goes_on(&of->waiting, settled));
    of->waiting.rq->is_partial = true;
    fr_fault(faults, FR_TOO_LONG, of->where,
             "dividing matrix %s (%s) among %" PRId64 " processes takes a while and goes on; ask "
             "again, or see /api/v1/matrices/%s/partitions",
             matrix->name, partition, processes, matrix->id);
    return NULL;
}

/* Decodes facts that are not in the cache, and adds them to it: a share, or NULL. */
static struct fr_kept_partition *load(struct fr_partitions *of,
                                      const struct fr_matrix_record *matrix, const char *partition,
                                      int64_t processes, struct fr_faults *faults)
{
    struct fr_kept_partition *kept = NULL;
    struct krylov_partition *facts;
    size_t length = 0;
    char *text = text_of(of, matrix, partition, processes, &length, faults);

    if (!text)
        return NULL;
    facts = fr_partition_read(text, length, faults);
    free(text);
    if (!facts)
        return NULL;
    facts->structural_symmetry = matrix->structural_symmetry;
    facts->zero_diagonals = matrix->zero_diagonals;
    kept = fr_kept_partition_new(matrix->id, partition, facts);
    if (!kept) {
        fr_fault(faults, FR_NOMEM, of->where, "memory is short");
        return NULL;
    }
    return fr_cache_keep(of->simulations->partitions,
                         &(struct fr_partition_key){ matrix->id, partition, processes }, kept);
}

/* Takes over a share, until the end; NULL with a fault if the request holds too many. */
static const struct krylov_partition *hold(struct fr_partitions *of, const char *matrix,
                                           struct fr_kept_partition *kept, struct fr_faults *faults)
{
    const size_t most = fr_cache_most_cost(of->simulations->partitions);
    struct held *held = malloc(sizeof *held);

    of->bytes += kept->cached.cost;
    if (held && of->bytes <= most) {
        *held = (struct held){ .next = of->first, .kept = kept };
        snprintf(held->matrix, sizeof held->matrix, "%s", matrix);
        of->first = held;
        return kept->facts;
    }
    free(held);
    fr_cached_drop(kept);
    fr_fault(faults, FR_NOMEM, of->where,
             "the facts of all partitions of this question need more than %zu bytes; ask for fewer "
             "or smaller numbers of processes",
             most);
    return NULL;
}

/* ---- many at once ------------------------------------------------------------------------- */

void fr_partitions_note(struct fr_partitions *of)
{
    of->is_noting = true;
    of->noted_count = 0;
}

static bool is_noted(const struct fr_partitions *of, const char *id, const char *partition,
                     int64_t processes)
{
    for (size_t i = 0; i < of->noted_count; i++)
        if (of->noted[i].processes == processes && of->noted[i].partition == partition &&
            strcmp(of->noted[i].id, id) == 0)
            return true;
    return false;
}

/* Always appends a fault, so that nothing is predicted. */
static void note(struct fr_partitions *of, const struct fr_matrix_record *matrix,
                 const char *partition, int64_t processes, struct fr_faults *faults)
{
    struct fr_partition_record record;

    if (fr_partition_possible(matrix->name, matrix->n, processes, of->where, faults) != FR_OK)
        return;
    fr_fault(faults, FR_TOO_LONG, of->where, "its partition is only noted");
    if (of->noted_count == FR_PARTITIONS_AT_ONCE ||
        is_noted(of, matrix->id, partition, processes) ||
        fr_store_partition_get(of->store, matrix->id, partition, processes, of->arena, &record) !=
            FR_STORE_NONE)
        return;
    of->noted[of->noted_count] = (struct noted){ .partition = partition, .processes = processes };
    snprintf(of->noted[of->noted_count++].id, FR_MATRIX_ID_BYTES, "%s", matrix->id);
}

/* Queues those of the matrix and the partition of the first that is left, and drops them. */
static void queue_alike(struct fr_partitions *of)
{
    const struct noted first = of->noted[0];
    int64_t processes[FR_PARTITIONS_AT_ONCE];
    struct fr_faults faults = { 0 };
    size_t count = 0, left = 0;

    for (size_t i = 0; i < of->noted_count; i++)
        if (of->noted[i].partition == first.partition && strcmp(of->noted[i].id, first.id) == 0)
            processes[count++] = of->noted[i].processes;
        else
            of->noted[left++] = of->noted[i];
    of->noted_count = left;
    /* what could not be queued is queued when it is asked for, which reports the failure */
    if (charge(of, count, &faults) == FR_OK)
        fr_store_partition_queue(of->store, first.id, first.partition, processes, count, true);
}

void fr_partitions_queue(struct fr_partitions *of)
{
    of->is_noting = false;
    if (!of->waiting.rq || !of->noted_count)
        return;
    while (of->noted_count)
        queue_alike(of);
    fr_analysis_wake(of->waiting.rq->server->analysis);
}

const struct krylov_partition *fr_partitions_find(void *context, const char *matrix,
                                                  const char *partition, int64_t processes,
                                                  struct fr_faults *faults)
{
    struct fr_partitions *of = context;
    const struct fr_arena_mark mark = fr_arena_mark(of->arena);
    struct fr_kept_partition *kept = NULL;
    struct fr_matrix_record record;
    bool is_there;

    for (struct held *held = of->first; held; held = held->next)
        if (held->kept->facts->processes == processes && strcmp(held->matrix, matrix) == 0 &&
            strcmp(held->kept->partition, partition) == 0)
            return held->kept->facts;
    is_there = fr_matrix_named(of->store, of->arena, matrix, &record, faults) == FR_OK;
    if (is_there && of->is_noting) {
        note(of, &record, partition, processes, faults);
    } else if (is_there) {
        kept = fr_cache_find(of->simulations->partitions,
                             &(struct fr_partition_key){ record.id, partition, processes });
        if (!kept)
            kept = load(of, &record, partition, processes, faults);
    }
    fr_arena_release(of->arena, mark);
    return kept ? hold(of, matrix, kept, faults) : NULL;
}

const char *fr_partitions_text(struct fr_partitions *of, const struct fr_matrix_record *matrix,
                               const char *partition, int64_t processes, size_t *length,
                               struct fr_faults *faults)
{
    char *text = text_of(of, matrix, partition, processes, length, faults);
    const char *copy = text ? fr_arena_text(of->arena, text, *length) : NULL;

    if (text && !copy)
        fr_fault(faults, FR_NOMEM, of->where,
                 "the facts need more memory than a request may take; the operator may raise "
                 "request_memory_bytes");
    free(text);
    return copy;
}
