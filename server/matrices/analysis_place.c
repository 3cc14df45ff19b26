/* One analysis: its files, its program, and what the program found.  A result that the store does
 * not take is lost; its task is owed to the queue.
 */
#include "server/matrices/analyses.h"

#include "server/core/clock.h"
#include "server/core/process.h"
#include "server/store/store.h"

#include <stdio.h>
#include <unistd.h>

static void lose(struct fr_analysis_place *place, size_t part)
{
    place->lost[place->lost_count++] = part;
    place->is_owed = true;
}

static void keep_ordering(struct fr_analysis_place *place, const struct fr_matrix_ordering *result,
                          double time_s)
{
    struct fr_analysis *analysis = place->analysis;

    if (fr_analysis_keep_ordering(&analysis->results, &place->child.stream, result, time_s) ==
        FR_STORE_FAILED)
        lose(place, 0);
    fr_analysis_settle(analysis);
}

/* Called for each partition while the output of the program is read. */
static void take_partition(void *context, const struct fr_found_partition *found)
{
    struct fr_analysis_place *place = context;
    struct fr_analysis *analysis = place->analysis;

    if (fr_analysis_keep_partition(&analysis->results, &place->child.task, found) ==
        FR_STORE_FAILED)
        lose(place, found->part);
    fr_analysis_settle(analysis);
}

/* The partition that the program was about to find has failed; the others are queued again. */
static void fail_partition(struct fr_analysis_place *place, const char *reason)
{
    const size_t next = place->child.stream.partitions;

    if (next == place->child.task.parts)
        return;
    take_partition(place, &(struct fr_found_partition){ .part = next, .reason = reason });
    place->is_owed = true;
}

/* What the program has found or failed to find, apart from what was taken already. */
static void keep_rest(struct fr_analysis_place *place, const struct fr_matrix_ordering *result,
                      double time_s)
{
    if (place->child.task.partition)
        fail_partition(place, result->reason);
    else
        keep_ordering(place, result, time_s);
}

static void refuse(struct fr_analysis_place *place, const struct fr_matrix_task *task,
                   const char *reason)
{
    place->child.task = *task;
    fr_analysis_stream_begin(&place->child.stream, &place->child.task, 0);
    keep_rest(place,
              &(struct fr_matrix_ordering){
                  .ordering = task->ordering, .status = FR_MATRIX_FAILED, .reason = reason },
              0);
}

/* Copies the matrix file for the program to read; -1 with the reason. */
static int fetch(struct fr_analysis *analysis, const struct fr_matrix_task *task, char *reason,
                 size_t reason_size)
{
    const int file = fr_spool_open(analysis->results.config->db);
    int result = FR_STORE_FAILED;

    if (file >= 0)
        result = fr_store_matrix_source(analysis->results.store, task->id, file);
    if (result == FR_STORE_OK)
        return file;
    if (file >= 0)
        close(file);
    snprintf(reason, reason_size,
             "the file could not be copied from the database, perhaps because its disk is full; "
             "upload it again");
    return -1;
}

/* The permutations that an earlier analysis stored; 0: none, so that the program finds them. */
static int fetch_permutations(struct fr_analysis *analysis, const struct fr_matrix_task *task)
{
    const int file = task->ordering ? fr_spool_open(analysis->results.config->db) : -1;

    if (file < 0)
        return 0;
    if (fr_store_permutations_give(analysis->results.store, task, file) == FR_STORE_OK)
        return file;
    close(file);
    return 0;
}

void fr_analysis_place_begin(struct fr_analysis *analysis, struct fr_analysis_place *place,
                             const struct fr_matrix_task *task)
{
    struct fr_config *config = analysis->results.config;
    const struct fr_analysis_limits limits = {
        .clock = analysis->clock,
        .timeout_s = (unsigned)atomic_load(&config->analysis_timeout_s),
        .memory_bytes = (size_t)atomic_load(&config->analysis_memory_bytes),
        .output_bytes = (size_t)atomic_load(&config->analysis_output_bytes),
        .folders = config->child_folders,
    };
    char reason[FR_RECORD_REASON];
    const struct fr_analysis_files files = { fetch(analysis, task, reason, sizeof reason),
                                             fetch_permutations(analysis, task) };

    place->begun_ns = fr_clock_ns(analysis->clock);
    place->is_taken =
        files.source >= 0 && fr_analysis_child_start(&place->child, config->analyze_program, task,
                                                     &files, &limits, reason, sizeof reason);
    place->child.stream.take_partition = take_partition;
    place->child.stream.context = place;
    if (files.source >= 0)
        close(files.source);
    if (files.permutations)
        close(files.permutations);
    if (!place->is_taken)
        refuse(place, task, reason);
    fr_analysis_show(analysis, (unsigned)(place - analysis->place));
}

void fr_analysis_place_end(struct fr_analysis *analysis, struct fr_analysis_place *place)
{
    struct fr_matrix_ordering result;

    fr_analysis_child_end(&place->child, &result);
    keep_rest(place, &result, (double)(fr_clock_ns(analysis->clock) - place->begun_ns) * 1e-9);
    fr_analysis_place_drop(analysis, place);
}

void fr_analysis_place_drop(struct fr_analysis *analysis, struct fr_analysis_place *place)
{
    fr_analysis_child_free(&place->child);
    place->is_taken = false;
    fr_analysis_show(analysis, (unsigned)(place - analysis->place));
}

/* Counts the attempts whose results are lost; a status of the store. */
static int count_lost(struct fr_analysis_place *place)
{
    struct fr_store *store = place->analysis->results.store;
    int result = FR_STORE_OK;

    while (place->lost_count && result != FR_STORE_FAILED) {
        result = fr_store_task_lost(store, &place->child.task, place->lost[place->lost_count - 1]);
        if (result != FR_STORE_FAILED)
            place->lost_count--;
    }
    return result;
}

int fr_analysis_place_give_back(struct fr_analysis_place *place)
{
    int result = count_lost(place);

    if (result != FR_STORE_FAILED) /* what is left was not tried */
        result = fr_store_task_return(place->analysis->results.store, &place->child.task);
    place->is_owed = result == FR_STORE_FAILED;
    return result;
}
