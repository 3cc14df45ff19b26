/* A result that cannot be stored becomes a failure that says so. */
#include "server/matrices/analyses.h"

#include "server/matrices/files/matrix.h"

#include <inttypes.h>
#include <stdio.h>

/* Another writer may hold the database.  A full disk fails at once; the record of that failure is
 * smaller and may still fit. */
enum { TRIES = 3 };
static const char lost[] =
    "the result could not be stored, perhaps because the disk of the database is full; upload the "
    "file again";

static int store_ordering(const struct fr_analysis_results *to,
                          const struct fr_analysis_stream *stream,
                          const struct fr_matrix_ordering *result)
{
    /* The facts of the matrix are those of the row permutation that it gets by default. */
    const bool is_usual =
        stream->task->row_permutation == sparse_row_permutations[SPARSE_ROWS_AUTO];
    const int64_t rank = stream->has_facts && is_usual ? stream->structural_rank : -1;
    int stored = FR_STORE_FAILED;

    for (int i = 0; i < TRIES && stored == FR_STORE_FAILED; i++)
        stored = fr_store_analysis_end(to->store, stream->task, result, rank,
                                       stream->row_permutation, stream->bytes, stream->length);
    if (stored == FR_STORE_FAILED && result->status == FR_MATRIX_READY)
        stored = fr_store_analysis_end(to->store, stream->task,
                                       &(struct fr_matrix_ordering){ .ordering = result->ordering,
                                                                     .status = FR_MATRIX_FAILED,
                                                                     .reason = lost },
                                       rank, stream->row_permutation, NULL, 0);
    return stored;
}

/* Stores the permutations for structures with other limits.  Without them these are found again. */
static void keep_permutations(const struct fr_analysis_results *to,
                              const struct fr_analysis_stream *stream)
{
    const struct fr_matrix_task *task = stream->task;
    struct fr_permutations found = { 0 };
    struct fr_faults faults;

    faults.count = 0;
    if (!stream->permutations)
        return;
    if (fr_permutations_read(stream->permutations, stream->permutations_length, task->n, &found,
                             &faults) == FR_OK)
        fr_store_permutations_add(to->store, task, stream->permutations,
                                  stream->permutations_length);
    else
        fr_log(to->log, FR_LOG_WARNING, "analysis", "matrix", task->id, "ordering", task->ordering,
               "error", faults.fault[0].message, NULL);
    fr_permutations_free(&found);
}

/* Stores the fronts with the usual row permutation.  Without them only they cannot be asked for. */
static void keep_fronts(const struct fr_analysis_results *to,
                        const struct fr_analysis_stream *stream)
{
    const struct fr_matrix_task *task = stream->task;

    if (task->row_permutation == sparse_row_permutations[SPARSE_ROWS_AUTO])
        fr_store_fronts_add(to->store, task->id, task->ordering, stream->fronts,
                            stream->front_counts);
}

/* Logs and counts a result; `processes` of a partition, else NULL; `reason` of a failure. */
static void tell(const struct fr_analysis_results *to, const struct fr_matrix_task *task,
                 const char *processes, const char *reason, double time_s, int stored)
{
    char time_text[32];

    snprintf(time_text, sizeof time_text, "%.3f", time_s);
    fr_metrics_analysis(to->metrics, !reason, time_s);
    fr_log(to->log, reason ? FR_LOG_WARNING : FR_LOG_INFO, "analysis", "matrix", task->id,
           task->ordering ? "ordering" : "partition",
           task->ordering ? task->ordering : task->partition, "status",
           fr_matrix_status_name(reason ? FR_MATRIX_FAILED : FR_MATRIX_READY), "time_s", time_text,
           "is_kept", stored == FR_STORE_OK ? "true" : "false",
           processes ? "processes"
           : reason  ? "reason"
                     : NULL,
           processes ? processes : reason, processes && reason ? "reason" : NULL, reason, NULL);
}

int fr_analysis_keep_ordering(const struct fr_analysis_results *to,
                              const struct fr_analysis_stream *stream,
                              const struct fr_matrix_ordering *result, double time_s)
{
    int stored;

    if (result->status == FR_MATRIX_READY)
        keep_fronts(to, stream); /* before others see that it is ready */
    stored = store_ordering(to, stream, result);
    keep_permutations(to, stream);
    tell(to, stream->task, NULL, result->reason, time_s, stored);
    return stored;
}

/* Reads the facts; false with a reason if they are not those of this partition. */
static bool summarize(const struct fr_matrix_task *task, const struct fr_found_partition *found,
                      struct krylov_partition_summary *out, char *reason, size_t size)
{
    struct fr_faults faults;
    struct krylov_partition *facts;
    bool is_sound = false;

    faults.count = 0;
    facts = fr_partition_read(found->text, found->length, &faults);
    if (!facts)
        snprintf(reason, size, "its facts are not valid: %.60s %.120s", faults.fault[0].where,
                 faults.fault[0].message);
    else if (krylov_partition_summarize(facts, out) != FR_OK)
        snprintf(reason, size, "the daemon has no memory for its facts");
    else if (facts->processes != task->processes[found->part] || out->rows != task->n)
        snprintf(reason, size, "its facts belong to another matrix");
    else
        is_sound = true;
    krylov_partition_free(facts);
    return is_sound;
}

static int store_partition(const struct fr_analysis_results *to, const struct fr_matrix_task *task,
                           struct fr_partition_record *record,
                           const struct fr_found_partition *found)
{
    const int64_t most_bytes = (int64_t)atomic_load(&to->config->analysis_output_bytes);
    int stored = FR_STORE_FAILED;

    for (int i = 0; i < TRIES && stored == FR_STORE_FAILED; i++)
        stored = fr_store_partition_end(to->store, task, found->part, record, found->text,
                                        record->reason ? 0 : found->length, most_bytes);
    if (stored != FR_STORE_FAILED || record->reason)
        return stored;
    record->status = FR_MATRIX_FAILED;
    record->reason = lost;
    return fr_store_partition_end(to->store, task, found->part, record, NULL, 0, most_bytes);
}

int fr_analysis_keep_partition(const struct fr_analysis_results *to,
                               const struct fr_matrix_task *task,
                               const struct fr_found_partition *found)
{
    struct fr_partition_record record = { .partition = task->partition,
                                          .processes = task->processes[found->part],
                                          .reason = found->reason,
                                          .seconds = found->seconds };
    char reason[FR_RECORD_REASON], processes[24];
    int stored;

    if (!record.reason && !summarize(task, found, &record.summary, reason, sizeof reason))
        record.reason = reason;
    record.status = record.reason ? FR_MATRIX_FAILED : FR_MATRIX_READY;
    stored = store_partition(to, task, &record, found);
    snprintf(processes, sizeof processes, "%" PRId64, record.processes);
    tell(to, task, processes, record.reason, found->seconds, stored);
    return stored;
}
