/* Finds facts in the store, or waits until they are there. */
#include "server/matrices/partitions.h"

#include "engine/krylov/partitions.h"
#include "server/http/client.h"
#include "server/http/http.h"
#include "server/http/server.h"
#include "server/matrices/analysis.h"
#include "server/matrices/files/partition.h"
#include "server/matrices/simulation_cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As long as a request may count; how often it looks whether its client has left. */
enum { MOST_WAIT_S = 8, LOOK_MS = 200 };

enum { NAME_BYTES = 80 };

/* Facts that the request has read.  Not in its arena: a sweep releases that after each point. */
struct held {
    struct held *next;
    char matrix[NAME_BYTES], partition[16];
    struct krylov_partition *facts;
};

struct fr_partitions {
    struct fr_partition_source source;
    struct fr_request *rq;
    const char *where;
    struct held *first;
    double until_s; /* 0: nothing was waited for yet */
    double bytes;   /* of the facts that are held */
};

struct fr_partitions *fr_partitions_begin(struct fr_request *rq, const char *where)
{
    struct fr_partitions *of = malloc(sizeof *of);

    if (of)
        *of = (struct fr_partitions){ .source = { of, fr_partitions_find },
                                      .rq = rq,
                                      .where = where };
    return of;
}

const struct fr_partition_source *fr_partitions_source(const struct fr_partitions *of)
{
    return &of->source;
}

void fr_partitions_end(struct fr_partitions *of)
{
    while (of && of->first) {
        struct held *held = of->first;

        of->first = held->next;
        krylov_partition_free(held->facts);
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

/* Whether the request may go on waiting. */
static bool may_wait(struct fr_partitions *of)
{
    const double now_s = fr_counting_clock_s();

    if (of->until_s == 0)
        of->until_s = now_s + MOST_WAIT_S;
    return now_s < of->until_s && !fr_client_has_left(of->rq->client) &&
           !fr_simulations_are_stopping(of->rq->server->simulations);
}

/* Queues a partition that is not known.  FR_OK if there may be facts later, else the code of a
 * fault. */
static int request(struct fr_partitions *of, const struct fr_matrix_record *matrix,
                   const char *partition, int64_t processes, struct fr_faults *faults)
{
    struct fr_store *store = of->rq->store;
    struct fr_partition_record record;
    int result =
        fr_store_partition_get(store, matrix->id, partition, processes, of->rq->arena, &record);

    if (result == FR_STORE_NONE || (result == FR_STORE_OK && record.status == FR_MATRIX_READY)) {
        result = fr_store_partition_queue(store, matrix->id, partition, &processes, 1, true);
        record.status = FR_MATRIX_QUEUED;
        fr_analysis_wake(of->rq->server->analysis);
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

/* Waits for the text of facts, which the caller frees; NULL with a fault. */
static char *wait_for_text(struct fr_partitions *of, const struct fr_matrix_record *matrix,
                           const char *partition, int64_t processes, size_t *length,
                           struct fr_faults *faults)
{
    struct fr_analysis *analysis = of->rq->server->analysis;
    char *text = NULL;

    do {
        const uint64_t settled = fr_analysis_partitions(analysis);

        if (fr_store_partition_facts(of->rq->store, matrix->id, partition, processes, &text,
                                     length) == FR_STORE_OK)
            return text;
        if (request(of, matrix, partition, processes, faults) != FR_OK)
            return NULL;
        fr_analysis_wait(analysis, settled, LOOK_MS);
    } while (may_wait(of));
    fr_fault(faults, FR_TOO_LONG, of->where,
             "dividing matrix %s (%s) among %" PRId64 " processes takes a while and goes on; ask "
             "again, or see /api/v1/matrices/%s/partitions",
             matrix->name, partition, processes, matrix->id);
    return NULL;
}

/* The same for a matrix by id or name. */
static char *text_of(struct fr_partitions *of, const char *matrix, const char *partition,
                     int64_t processes, size_t *length, struct fr_faults *faults)
{
    const struct fr_arena_mark mark = fr_arena_mark(of->rq->arena);
    struct fr_matrix_record record;
    char *text = NULL;

    if (strlen(matrix) >= NAME_BYTES ||
        fr_store_matrix_get(of->rq->store, matrix, of->rq->arena, &record) != FR_STORE_OK)
        fr_fault(faults, FR_NOT_FOUND, "matrix", "there is no matrix '%.64s'; %s", matrix,
                 strchr(matrix, ',') ? "only sweeps, charts and forecasts take several"
                                     : "see /api/v1/matrices");
    else if (fr_partition_possible(record.name, record.n, processes, of->where, faults) == FR_OK)
        text = wait_for_text(of, &record, partition, processes, length, faults);
    fr_arena_release(of->rq->arena, mark);
    return text;
}

static double bytes_of(const struct krylov_partition *facts)
{
    return 3. * sizeof *facts->rows * (double)facts->processes +
           (double)facts->message_count * sizeof *facts->message;
}

/* Takes ownership of facts; NULL with a fault if there are too many. */
static const struct krylov_partition *hold(struct fr_partitions *of, const char *matrix,
                                           const char *partition, struct krylov_partition *facts,
                                           struct fr_faults *faults)
{
    const double most = (double)atomic_load(&of->rq->server->config.structure_cache_bytes);
    struct held *held = malloc(sizeof *held);

    of->bytes += bytes_of(facts);
    if (held && of->bytes <= most) {
        held->next = of->first;
        snprintf(held->matrix, sizeof held->matrix, "%s", matrix);
        snprintf(held->partition, sizeof held->partition, "%s", partition);
        held->facts = facts;
        of->first = held;
        return facts;
    }
    free(held);
    krylov_partition_free(facts);
    fr_fault(
        faults, FR_NOMEM, of->where,
        "the facts of all partitions of this question need more than %.6g bytes; ask for fewer "
        "or smaller numbers of processes",
        most);
    return NULL;
}

const struct krylov_partition *fr_partitions_find(void *context, const char *matrix,
                                                  const char *partition, int64_t processes,
                                                  struct fr_faults *faults)
{
    struct fr_partitions *of = context;
    struct krylov_partition *facts;
    size_t length = 0;
    char *text;

    for (struct held *held = of->first; held; held = held->next)
        if (held->facts->processes == processes && strcmp(held->matrix, matrix) == 0 &&
            strcmp(held->partition, partition) == 0)
            return held->facts;
    text = text_of(of, matrix, partition, processes, &length, faults);
    if (!text)
        return NULL;
    facts = fr_partition_read(text, length, faults);
    free(text);
    return facts ? hold(of, matrix, partition, facts, faults) : NULL;
}

const char *fr_partitions_text(struct fr_partitions *of, const char *matrix, const char *partition,
                               int64_t processes, size_t *length, struct fr_faults *faults)
{
    char *text = text_of(of, matrix, partition, processes, length, faults);
    const char *copy = text ? fr_arena_text(of->rq->arena, text, *length) : NULL;

    if (text && !copy)
        fr_fault(faults, FR_NOMEM, of->where,
                 "the facts need more memory than a request may take; the operator may raise "
                 "request_memory_bytes");
    free(text);
    return copy;
}
