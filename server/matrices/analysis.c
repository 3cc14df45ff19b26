/* The analysis thread: it fills its places from the queue in the store (analysis_place.c), hears
 * what their programs write, and looks for what other daemons left.
 */
#include "server/matrices/analyses.h"
#include "server/store/store.h"

#include "server/core/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { RETRY_MS = 2000, LOOK_MS = 200, FILES_OF_CHILD = 3 };

static void count_matrices(struct fr_analysis *analysis)
{
    int64_t count[FR_MATRIX_STATUSES];

    if (fr_store_matrix_count(analysis->results.store, count) == FR_STORE_OK)
        fr_metrics_matrices(analysis->results.metrics, count);
}

static enum fr_task_queue queue_of(const struct fr_analysis *analysis, unsigned i)
{
    return i + 2 == analysis->count   ? FR_TASKS_PARTITIONS
           : i + 1 == analysis->count ? FR_TASKS_NATURAL
                                      : FR_TASKS_ORDERINGS;
}

/* Gives tasks to a place until it works on one or the queue is empty; a status of the store. */
static int fill(struct fr_analysis *analysis, unsigned i)
{
    struct fr_analysis_place *place = &analysis->place[i];
    struct fr_matrix_task task;
    int result = FR_STORE_OK;

    while (!place->is_taken && !atomic_load(&analysis->is_stopping) && result == FR_STORE_OK) {
        if (place->is_owed && fr_analysis_place_give_back(place) == FR_STORE_FAILED)
            return FR_STORE_FAILED;
        result = fr_store_task_take(analysis->results.store, queue_of(analysis, i), &task);
        if (result == FR_STORE_OK)
            fr_analysis_place_begin(analysis, place, &task);
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

/* Ends analyses whose matrix was deleted, or that another daemon has taken over. */
static void drop_unwanted(struct fr_analysis *analysis)
{
    for (unsigned i = 0; i < analysis->count; i++)
        if (analysis->place[i].is_taken &&
            !fr_store_task_is_wanted(analysis->results.store, &analysis->place[i].child.task))
            fr_analysis_place_drop(analysis, &analysis->place[i]);
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
    const uint64_t look_ns = fr_clock_in_ms(analysis->clock, LOOK_MS);
    uint64_t until_ns = looks(analysis) ? analysis->look_ns : UINT64_MAX;
    nfds_t count = 1;
    uint64_t wakes;

    for (unsigned i = 0; i < analysis->count; i++) {
        const struct fr_analysis_child *child = &analysis->place[i].child;

        if (!analysis->place[i].is_taken)
            continue;
        file[count++] = (struct pollfd){ .fd = child->out, .events = POLLIN };
        file[count++] = (struct pollfd){ .fd = child->complaint, .events = POLLIN };
        file[count++] = (struct pollfd){ .fd = child->end, .events = POLLIN };
        if (child->deadline_ns < until_ns)
            until_ns = child->deadline_ns;
        if (child->end < 0 && look_ns < until_ns) /* an old kernel without pidfds: poll */
            until_ns = look_ns;
    }
    fr_clock_poll(analysis->clock, file, count, until_ns);
    return file[0].revents && read(analysis->wake, &wakes, sizeof wakes) == sizeof wakes;
}

/* Reads from all programs; true if one ended. */
static bool hear(struct fr_analysis *analysis)
{
    bool is_free = false;

    for (unsigned i = 0; i < analysis->count; i++) {
        struct fr_analysis_place *place = &analysis->place[i];

        if (!place->is_taken)
            continue;
        if (fr_analysis_child_hear(&place->child)) {
            fr_analysis_place_end(analysis, place);
            is_free = true;
        } else {
            fr_analysis_show(analysis, i);
        }
    }
    return is_free;
}

/* What is done now and then. */
static void look_after(struct fr_analysis *analysis)
{
    if (analysis->is_shared)
        fr_store_task_restart(analysis->results.store); /* of daemons that are gone */
    if (analysis->is_store_troubled)
        fill_places(analysis);
    analysis->look_ns = fr_clock_in_ms(analysis->clock, RETRY_MS);
}

static void stop_place(struct fr_analysis *analysis, struct fr_analysis_place *place)
{
    fr_analysis_place_give_back(place);
    if (place->is_taken)
        fr_analysis_place_drop(analysis, place);
}

static void *work(void *argument)
{
    struct fr_analysis *analysis = argument;

    fr_store_claim(analysis->results.store); /* a failure has been logged, and is mended */
    fr_store_task_restart(analysis->results.store);
    fill_places(analysis);
    while (!atomic_load(&analysis->is_stopping)) {
        const bool is_woken = wait_for_news(analysis);
        const bool is_free = hear(analysis);

        if (is_woken)
            drop_unwanted(analysis);
        if (is_woken || is_free)
            fill_places(analysis);
        if (looks(analysis) && fr_clock_ns(analysis->clock) >= analysis->look_ns)
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

struct fr_analysis *fr_analysis_start(struct fr_config *config, struct fr_clock *clock,
                                      struct fr_log *log, struct fr_metrics *metrics)
{
    struct fr_analysis *analysis = calloc(1, sizeof *analysis);

    if (!analysis)
        return NULL;
    analysis->clock = clock;
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
