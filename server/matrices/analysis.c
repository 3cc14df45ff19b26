/* The analysis thread owns everything except the table of running analyses, which requests read
 * under a mutex.
 */
#include "server/matrices/analysis.h"
#include "server/store/store.h"

#include "server/core/spool.h"
#include "server/matrices/analysis_child.h"
#include "server/matrices/analysis_results.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { RETRY_MS = 2000, LOOK_MS = 200, FILES_OF_CHILD = 3 };

struct place {
    struct fr_analysis *analysis;
    struct fr_analysis_child child;
    struct timespec begun;
    bool is_taken;
    bool is_owed; /* the task, or what is left of it, goes back into the queue */
    /* What the store took no result of: numbers of processes, or one 0 for an ordering. */
    int64_t lost[FR_PARTITIONS_AT_ONCE];
    size_t lost_count;
};

struct fr_analysis {
    struct fr_analysis_results results;
    pthread_t thread;
    /* Of all threads; a compiler may read the flags below together. */
    _Atomic bool is_stopping;
    int wake;               /* an eventfd */
    bool is_store_troubled; /* retry later */
    bool is_shared;         /* other daemons take analyses from the same store */
    struct timespec look;   /* when to retry, and to look for analyses of daemons that are gone */
    unsigned count; /* of places; the last two are for partitions, for which somebody waits, and
                       for natural orderings, which are not urgent */
    struct place *place;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t settled;
    uint64_t settled_count;                              /* results so far */
    struct fr_analysis_progress shown[FR_ANALYSES_MOST]; /* by place; an empty id: free */
};

/* ---- progress ----------------------------------------------------------------------------- */

static void show(struct fr_analysis *analysis, unsigned i)
{
    const struct place *place = &analysis->place[i];
    const struct fr_analysis_stream *stream = &place->child.stream;
    struct fr_analysis_progress shown = { .id = "" };

    if (place->is_taken) {
        memcpy(shown.id, place->child.task.id, sizeof shown.id);
        shown.ordering = place->child.task.ordering;
        shown.partition = place->child.task.partition;
        shown.fraction = stream->fraction;
        memcpy(shown.stage, stream->stage, sizeof shown.stage);
    }
    pthread_mutex_lock(&analysis->lock);
    analysis->shown[i] = shown;
    pthread_mutex_unlock(&analysis->lock);
}

size_t fr_analysis_look(struct fr_analysis *analysis, const char *id,
                        struct fr_analysis_progress out[FR_ANALYSES_MOST])
{
    size_t count = 0;

    pthread_mutex_lock(&analysis->lock);
    for (unsigned i = 0; i < analysis->count && count < FR_ANALYSES_MOST; i++)
        if (strcmp(analysis->shown[i].id, id) == 0)
            out[count++] = analysis->shown[i];
    pthread_mutex_unlock(&analysis->lock);
    return count;
}

uint64_t fr_analysis_settled(struct fr_analysis *analysis)
{
    uint64_t settled;

    pthread_mutex_lock(&analysis->lock);
    settled = analysis->settled_count;
    pthread_mutex_unlock(&analysis->lock);
    return settled;
}

void fr_analysis_wait(struct fr_analysis *analysis, uint64_t settled, unsigned most_ms)
{
    const struct timespec until = fr_process_deadline(most_ms);

    pthread_mutex_lock(&analysis->lock);
    while (analysis->settled_count == settled &&
           pthread_cond_clockwait(&analysis->settled, &analysis->lock, CLOCK_MONOTONIC, &until) ==
               0)
        continue;
    pthread_mutex_unlock(&analysis->lock);
}

static void count_matrices(struct fr_analysis *analysis)
{
    int64_t count[FR_MATRIX_STATUSES];

    if (fr_store_matrix_count(analysis->results.store, count) == FR_STORE_OK)
        fr_metrics_matrices(analysis->results.metrics, count);
}

/* ---- one analysis ------------------------------------------------------------------------- */

static double seconds_since(const struct timespec *then)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) * 1e-9;
}

/* Wakes the requests that wait for a result. */
static void settle(struct fr_analysis *analysis)
{
    pthread_mutex_lock(&analysis->lock);
    analysis->settled_count++;
    pthread_cond_broadcast(&analysis->settled);
    pthread_mutex_unlock(&analysis->lock);
}

static void lose(struct place *place, int64_t processes)
{
    place->lost[place->lost_count++] = processes;
    place->is_owed = true;
}

static void keep_ordering(struct fr_analysis *analysis, struct place *place,
                          const struct fr_matrix_ordering *result, double time_s)
{
    if (fr_analysis_keep_ordering(&analysis->results, &place->child.stream, result, time_s) ==
        FR_STORE_FAILED)
        lose(place, 0);
    settle(analysis);
}

/* Called for each partition while the output of the program is read. */
static void take_partition(void *context, const struct fr_found_partition *found)
{
    struct place *place = context;
    struct fr_analysis *analysis = place->analysis;

    if (fr_analysis_keep_partition(&analysis->results, &place->child.task, found) ==
        FR_STORE_FAILED)
        lose(place, found->processes);
    settle(analysis);
}

/* The partition that the program was about to find has failed; the others are queued again. */
static void fail_partition(struct place *place, const char *reason)
{
    const struct fr_matrix_task *task = &place->child.task;
    const size_t next = place->child.stream.partitions;

    if (next == task->process_counts)
        return;
    take_partition(place, &(struct fr_found_partition){ .processes = task->processes[next],
                                                        .reason = reason });
    place->is_owed = true;
}

static void refuse(struct place *place, const struct fr_matrix_task *task, const char *reason)
{
    const struct fr_matrix_ordering result = { .ordering = task->ordering,
                                               .status = FR_MATRIX_FAILED,
                                               .reason = reason };

    place->child.task = *task;
    fr_analysis_stream_begin(&place->child.stream, &place->child.task, 0);
    if (task->partition)
        fail_partition(place, reason);
    else
        keep_ordering(place->analysis, place, &result, 0);
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

static void begin(struct fr_analysis *analysis, struct place *place,
                  const struct fr_matrix_task *task)
{
    struct fr_config *config = analysis->results.config;
    const struct fr_analysis_limits limits = {
        .timeout_s = (unsigned)atomic_load(&config->analysis_timeout_s),
        .memory_bytes = (size_t)atomic_load(&config->analysis_memory_bytes),
        .output_bytes = (size_t)atomic_load(&config->analysis_output_bytes),
        .folders = config->child_folders,
    };
    char reason[FR_RECORD_REASON];
    const struct fr_analysis_files files = { fetch(analysis, task, reason, sizeof reason),
                                             fetch_permutations(analysis, task) };

    clock_gettime(CLOCK_MONOTONIC, &place->begun);
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
    show(analysis, (unsigned)(place - analysis->place));
}

static void end(struct fr_analysis *analysis, struct place *place)
{
    struct fr_matrix_ordering result;

    fr_analysis_child_end(&place->child, &result);
    if (place->child.task.partition)
        fail_partition(place, result.reason);
    else
        keep_ordering(analysis, place, &result, seconds_since(&place->begun));
    fr_analysis_child_free(&place->child);
    place->is_taken = false;
    show(analysis, (unsigned)(place - analysis->place));
}

static void drop(struct fr_analysis *analysis, struct place *place)
{
    fr_analysis_child_free(&place->child);
    place->is_taken = false;
    show(analysis, (unsigned)(place - analysis->place));
}

/* ---- the thread --------------------------------------------------------------------------- */

/* The next task for a place; a status of the store. */
static int take(struct fr_analysis *analysis, unsigned i, struct fr_matrix_task *task)
{
    if (i + 2 == analysis->count)
        return fr_store_partition_take(analysis->results.store, task);
    return fr_store_analysis_take(analysis->results.store, i + 1 == analysis->count, task);
}

/* Counts the attempts whose results are lost; a status of the store. */
static int count_lost(struct place *place)
{
    struct fr_store *store = place->analysis->results.store;
    const struct fr_matrix_task *task = &place->child.task;
    int result = FR_STORE_OK;

    while (place->lost_count && result != FR_STORE_FAILED) {
        const int64_t processes = place->lost[place->lost_count - 1];

        result = task->partition ? fr_store_partition_lost(store, task, processes)
                                 : fr_store_analysis_lost(store, task);
        if (result != FR_STORE_FAILED)
            place->lost_count--;
    }
    return result;
}

/* Queues the task of a place again; a status of the store. */
static int give_back(struct place *place)
{
    struct fr_store *store = place->analysis->results.store;
    const struct fr_matrix_task *task = &place->child.task;
    int result = count_lost(place);

    if (result != FR_STORE_FAILED) /* what is left was not tried */
        result = task->partition ? fr_store_partition_return(store, task)
                                 : fr_store_analysis_return(store, task);
    place->is_owed = result == FR_STORE_FAILED;
    return result;
}

/* Gives tasks to a place until it works on one or the queue is empty; a status of the store. */
static int fill(struct fr_analysis *analysis, unsigned i)
{
    struct place *place = &analysis->place[i];
    struct fr_matrix_task task;
    int result = FR_STORE_OK;

    while (!place->is_taken && !atomic_load(&analysis->is_stopping) && result == FR_STORE_OK) {
        if (place->is_owed && give_back(place) == FR_STORE_FAILED)
            return FR_STORE_FAILED;
        result = take(analysis, i, &task);
        if (result == FR_STORE_OK)
            begin(analysis, place, &task);
    }
    return result;
}

static void fill_places(struct fr_analysis *analysis)
{
    analysis->is_store_troubled = false;
    for (unsigned i = 0; i < analysis->count && !analysis->is_store_troubled; i++)
        analysis->is_store_troubled = fill(analysis, i) == FR_STORE_FAILED;
    count_matrices(analysis);
}

/* Queues the analyses of daemons that are gone. */
static void take_over(struct fr_analysis *analysis)
{
    fr_store_analysis_restart(analysis->results.store);
    fr_store_partition_restart(analysis->results.store);
}

static bool is_wanted(struct fr_analysis *analysis, const struct fr_matrix_task *task)
{
    return task->partition ? fr_store_partition_is_wanted(analysis->results.store, task)
                           : fr_store_analysis_is_wanted(analysis->results.store, task);
}

/* Ends analyses whose matrix was deleted, or that another daemon has taken over. */
static void drop_unwanted(struct fr_analysis *analysis)
{
    for (unsigned i = 0; i < analysis->count; i++)
        if (analysis->place[i].is_taken && !is_wanted(analysis, &analysis->place[i].child.task))
            drop(analysis, &analysis->place[i]);
}

static bool looks(const struct fr_analysis *analysis)
{
    return analysis->is_shared || analysis->is_store_troubled;
}

/* Waits until a program writes or ends, its time is up, or fr_analysis_wake; true for the latter.
 */
static bool wait_for_news(struct fr_analysis *analysis)
{
    struct pollfd file[1 + FILES_OF_CHILD * FR_ANALYSES_MOST] = {
        { .fd = analysis->wake, .events = POLLIN },
    };
    int timeout_ms = looks(analysis) ? fr_process_left_ms(&analysis->look) + 1 : -1;
    nfds_t count = 1;
    uint64_t wakes;

    for (unsigned i = 0; i < analysis->count; i++) {
        const struct fr_analysis_child *child = &analysis->place[i].child;
        int left_ms;

        if (!analysis->place[i].is_taken)
            continue;
        file[count++] = (struct pollfd){ .fd = child->out, .events = POLLIN };
        file[count++] = (struct pollfd){ .fd = child->complaint, .events = POLLIN };
        file[count++] = (struct pollfd){ .fd = child->end, .events = POLLIN };
        left_ms = fr_process_left_ms(&child->deadline) + 1;
        if (child->end < 0 && left_ms > LOOK_MS) /* an old kernel without pidfds: poll */
            left_ms = LOOK_MS;
        if (timeout_ms < 0 || left_ms < timeout_ms)
            timeout_ms = left_ms;
    }
    poll(file, count, timeout_ms);
    return file[0].revents && read(analysis->wake, &wakes, sizeof wakes) == sizeof wakes;
}

/* Reads from all programs; true if one ended. */
static bool hear(struct fr_analysis *analysis)
{
    bool is_free = false;

    for (unsigned i = 0; i < analysis->count; i++) {
        struct place *place = &analysis->place[i];

        if (!place->is_taken)
            continue;
        if (fr_analysis_child_hear(&place->child)) {
            end(analysis, place);
            is_free = true;
        } else {
            show(analysis, i);
        }
    }
    return is_free;
}

/* What is done now and then. */
static void look_after(struct fr_analysis *analysis)
{
    if (analysis->is_shared)
        take_over(analysis);
    if (analysis->is_store_troubled)
        fill_places(analysis);
    analysis->look = fr_process_deadline(RETRY_MS);
}

static void stop_place(struct fr_analysis *analysis, struct place *place)
{
    give_back(place);
    if (place->is_taken)
        drop(analysis, place);
}

static void *work(void *argument)
{
    struct fr_analysis *analysis = argument;

    fr_store_claim(analysis->results.store); /* a failure has been logged, and is mended */
    take_over(analysis);
    fill_places(analysis);
    while (!atomic_load(&analysis->is_stopping)) {
        const bool is_woken = wait_for_news(analysis);
        const bool is_free = hear(analysis);

        if (is_woken)
            drop_unwanted(analysis);
        if (is_woken || is_free)
            fill_places(analysis);
        if (looks(analysis) && fr_process_left_ms(&analysis->look) == 0)
            look_after(analysis);
    }
    for (unsigned i = 0; i < analysis->count; i++)
        if (analysis->place[i].is_taken || analysis->place[i].is_owed)
            stop_place(analysis, &analysis->place[i]);
    return NULL;
}

static void free_all(struct fr_analysis *analysis)
{
    fr_store_close(analysis->results.store);
    if (analysis->wake >= 0)
        close(analysis->wake);
    pthread_cond_destroy(&analysis->settled);
    pthread_mutex_destroy(&analysis->lock);
    free(analysis->place);
    free(analysis);
}

struct fr_analysis *fr_analysis_start(struct fr_config *config, struct fr_log *log,
                                      struct fr_metrics *metrics)
{
    struct fr_analysis *analysis = calloc(1, sizeof *analysis);

    if (!analysis)
        return NULL;
    analysis->results =
        (struct fr_analysis_results){ .config = config, .log = log, .metrics = metrics };
    analysis->count = (unsigned)atomic_load(&config->analyses_at_once) + 2;
    analysis->place = calloc(analysis->count, sizeof *analysis->place);
    for (unsigned i = 0; analysis->place && i < analysis->count; i++)
        analysis->place[i].analysis = analysis;
    analysis->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_mutex_init(&analysis->lock, NULL);
    pthread_cond_init(&analysis->settled, NULL);
    analysis->results.store = fr_store_open(config->db, log);
    analysis->is_shared = analysis->results.store && fr_store_is_shared(analysis->results.store);
    if (analysis->place && analysis->wake >= 0 && analysis->results.store &&
        pthread_create(&analysis->thread, NULL, work, analysis) == 0)
        return analysis;
    fr_log(log, FR_LOG_ERROR, "analysis", "error", "the thread cannot start", NULL);
    free_all(analysis);
    return NULL;
}

void fr_analysis_wake(struct fr_analysis *analysis)
{
    const uint64_t one = 1;

    /* EAGAIN: the counter is full, so that the thread is awake already. */
    if (write(analysis->wake, &one, sizeof one) != sizeof one && errno != EAGAIN)
        fr_log(analysis->results.log, FR_LOG_ERROR, "analysis", "error", "it cannot be woken",
               NULL);
}

void fr_analysis_stop(struct fr_analysis *analysis)
{
    if (!analysis)
        return;
    atomic_store(&analysis->is_stopping, true);
    fr_analysis_wake(analysis);
    pthread_join(analysis->thread, NULL);
    free_all(analysis);
}
