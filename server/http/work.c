/* The workers.  One mutex guards the two queues, the counts and the stop flag; handlers run
 * outside it.  Two queues, so that a long job that must wait does not hold up the quick ones behind
 * it; numbers keep the order of arrival between them.
 *
 * In a queue, the job of the client that has used the least processor time is next, and of one
 * client the oldest.  What a client used before it had to wait counts no more than that of the
 * client whose job was taken last (start-time fair queueing: Goyal, Vin and Cheng 1996).  While a
 * job runs it counts as much as the last one of its client.
 */
#include "server/http/call.h"

#include "server/core/log.h"
#include "server/store/store.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

struct queue {
    struct fr_job *first;  /* the urgent ones, then by arrival */
    _Atomic size_t length; /* read without the lock too */
    size_t limit;
    double now_s; /* what the client had used whose job was taken last */
    struct account {
        double used_s, last_s;
        size_t waiting;
    } of[FR_POOL_CLIENTS];
};

/* Of a client's first job. */
static const double least_s = 1e-3;

struct worker {
    struct fr_pool *pool;
    struct fr_store *store;
    pthread_t thread;
};

struct fr_pool {
    pthread_mutex_t lock;
    pthread_cond_t has_job;
    struct queue quick, slow;
    unsigned long next_number;
    unsigned busy, busy_long, most_long;
    double (*spent_s)(void);
    bool is_stopping;
    unsigned count; /* threads that run */
    struct worker worker[];
};

static void push(struct queue *queue, struct fr_job *job)
{
    struct account *account = &queue->of[job->client];
    struct fr_job **at = &queue->first;

    if (!account->waiting++)
        account->used_s = fmax(account->used_s, queue->now_s);
    while (*at && (!job->is_urgent || (*at)->is_urgent))
        at = &(*at)->next;
    job->next = *at;
    *at = job;
    queue->length++;
}

/* Where the next job of a queue is linked. */
static struct fr_job **next_of(struct queue *queue)
{
    struct fr_job **next = &queue->first;

    for (struct fr_job **at = next; *at && !(*next)->is_urgent; at = &(*at)->next)
        if (queue->of[(*at)->client].used_s < queue->of[(*next)->client].used_s)
            next = at;
    return next;
}

static struct fr_job *take(struct queue *queue, struct fr_job **at)
{
    struct fr_job *job = *at;
    struct account *account = &queue->of[job->client];

    *at = job->next;
    queue->length--;
    account->waiting--;
    if (!job->is_urgent) {
        queue->now_s = fmax(queue->now_s, account->used_s);
        job->expected_s = fmax(least_s, account->last_s);
        account->used_s += job->expected_s;
    }
    return job;
}

/* Of the next in each queue, the one that has waited longest and may run now, or NULL; an urgent
 * one is first.  Called locked. */
static struct fr_job *next_job(struct fr_pool *pool)
{
    struct fr_job **quick = next_of(&pool->quick), **slow = next_of(&pool->slow);
    const bool may_be_long = pool->busy_long < pool->most_long || pool->is_stopping;

    if (*slow && may_be_long &&
        (!*quick || (!(*quick)->is_urgent && (*slow)->number < (*quick)->number)))
        return take(&pool->slow, slow);
    return *quick ? take(&pool->quick, quick) : NULL;
}

/* A job of a client has ended after so much processor time.  Called locked. */
static void settle(struct account *account, double expected_s, double spent_s)
{
    account->used_s += spent_s - expected_s;
    account->last_s = spent_s;
}

static double thread_s(void)
{
    struct timespec spent;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return (double)spent.tv_sec + 1e-9 * (double)spent.tv_nsec;
}

static void count_running(struct fr_pool *pool, bool is_long, int change)
{
    pool->busy += (unsigned)change;
    if (is_long)
        pool->busy_long += (unsigned)change;
}

static void *work(void *argument)
{
    struct worker *self = argument;
    struct fr_pool *pool = self->pool;

    pthread_mutex_lock(&pool->lock);
    for (;;) {
        struct fr_job *job = next_job(pool);

        if (job) {
            /* Read before it runs: afterwards the job belongs to its owner again. */
            const bool is_long = job->is_long, is_urgent = job->is_urgent;
            struct account *account = &(is_long ? &pool->slow : &pool->quick)->of[job->client];
            const double expected_s = job->expected_s, began_s = pool->spent_s();
            struct fr_store *store = pool->is_stopping ? NULL : self->store;

            count_running(pool, is_long, 1);
            pthread_mutex_unlock(&pool->lock);
            job->run(job, store);
            pthread_mutex_lock(&pool->lock);
            count_running(pool, is_long, -1);
            if (!is_urgent)
                settle(account, expected_s, pool->spent_s() - began_s);
            /* A long job that had to wait may run now. */
            if (is_long && pool->slow.first)
                pthread_cond_signal(&pool->has_job);
        } else if (pool->is_stopping) {
            break;
        } else {
            pthread_cond_wait(&pool->has_job, &pool->lock);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static bool start_worker(struct fr_pool *pool, const char *store_path, struct fr_log *log)
{
    struct worker *worker = &pool->worker[pool->count];

    worker->pool = pool;
    worker->store = fr_store_open(store_path, log);
    if (!worker->store)
        return false;
    if (pthread_create(&worker->thread, NULL, work, worker) == 0) {
        pool->count++;
        return true;
    }
    fr_logf(log, FR_LOG_ERROR, "pool", "worker %u of the pool cannot start", pool->count);
    fr_store_close(worker->store);
    return false;
}

struct fr_pool *fr_pool_new(const struct fr_pool_options *options, struct fr_log *log)
{
    struct fr_pool *pool = calloc(1, sizeof *pool + options->workers * sizeof pool->worker[0]);

    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->has_job, NULL);
    pool->quick.limit = options->queue_limit;
    pool->slow.limit = options->long_queue_limit;
    pool->most_long = options->workers > 1 ? options->workers - 1 : 1;
    pool->spent_s = options->spent_s ? options->spent_s : thread_s;
    for (unsigned i = 0; i < options->workers; i++)
        if (!start_worker(pool, options->store_path, log)) {
            fr_pool_free(pool);
            return NULL;
        }
    return pool;
}

static enum fr_submitted admit(const struct fr_pool *pool, const struct queue *queue,
                               const struct fr_job *job)
{
    if (pool->is_stopping)
        return FR_POOL_FULL;
    if (job->is_urgent)
        return FR_POOL_TAKEN;
    if (queue->length >= queue->limit)
        return FR_POOL_FULL;
    return queue->of[job->client].waiting < (queue->limit + 1) / 2 ? FR_POOL_TAKEN : FR_POOL_SHARE;
}

enum fr_submitted fr_pool_submit(struct fr_pool *pool, struct fr_job *job)
{
    struct queue *queue = job->is_long ? &pool->slow : &pool->quick;
    enum fr_submitted submitted;

    pthread_mutex_lock(&pool->lock);
    submitted = admit(pool, queue, job);
    if (submitted == FR_POOL_TAKEN) {
        job->number = pool->next_number++;
        job->park(job);
        push(queue, job);
        pthread_cond_signal(&pool->has_job);
    }
    pthread_mutex_unlock(&pool->lock);
    return submitted;
}

void fr_pool_set_queue_limits(struct fr_pool *pool, size_t quick, size_t slow)
{
    pthread_mutex_lock(&pool->lock);
    pool->quick.limit = quick;
    pool->slow.limit = slow;
    pthread_mutex_unlock(&pool->lock);
}

struct fr_pool_state fr_pool_state(struct fr_pool *pool)
{
    struct fr_pool_state state;

    pthread_mutex_lock(&pool->lock);
    state = (struct fr_pool_state){ pool->count, pool->busy, pool->quick.length + pool->slow.length,
                                    pool->slow.length };
    pthread_mutex_unlock(&pool->lock);
    return state;
}

bool fr_pool_has_long_waiting(const struct fr_pool *pool)
{
    return atomic_load(&pool->slow.length) > 0;
}

void fr_pool_stop(struct fr_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->is_stopping = true;
    pthread_cond_broadcast(&pool->has_job);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->count; i++) {
        pthread_join(pool->worker[i].thread, NULL);
        fr_store_close(pool->worker[i].store);
    }
    pthread_mutex_lock(&pool->lock);
    pool->count = 0;
    pthread_mutex_unlock(&pool->lock);
}

void fr_pool_free(struct fr_pool *pool)
{
    if (!pool)
        return;
    fr_pool_stop(pool);
    pthread_cond_destroy(&pool->has_job);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}
