/* The workers: threads that run what may take long, each with a store connection of its own. */
#ifndef FR_WORK_H
#define FR_WORK_H

#include <stdbool.h>
#include <stddef.h>

struct fr_log;
struct fr_pool;
struct fr_store;

/* Something to be done.  The owner embeds it; the pool uses `next` and `number`. */
struct fr_job {
    struct fr_job *next;
    unsigned long number;
    bool is_long; /* such jobs hold at most all workers but one */
    /* Called while the queue is locked, before a worker can see the job: sets the requester
     * aside, so that no worker wakes it before it sleeps. */
    void (*park)(struct fr_job *job);
    /* Called on a worker; `store` is NULL where the pool stops and the job is only to be ended. */
    void (*run)(struct fr_job *job, struct fr_store *store);
};

struct fr_pool_options {
    unsigned workers;
    size_t queue_limit; /* jobs that wait */
    const char *store_path;
};

/* Opens the stores and starts the threads; NULL on failure, logged.  End with fr_pool_free. */
struct fr_pool *fr_pool_new(const struct fr_pool_options *options, struct fr_log *log);
/* False where the queue is full or the pool stops: the job was not parked. */
bool fr_pool_submit(struct fr_pool *pool, struct fr_job *job);
void fr_pool_set_queue_limit(struct fr_pool *pool, size_t limit);

struct fr_pool_state {
    unsigned workers, busy;
    size_t queued;
};
struct fr_pool_state fr_pool_state(struct fr_pool *pool);

/* Refuses new jobs, ends the waiting ones (run with a NULL store), waits for the running ones,
 * joins the threads, closes the stores.  Others may still submit, and are refused. */
void fr_pool_stop(struct fr_pool *pool);
/* Stops the pool where it is not stopped, and frees it: nobody may use it any more. */
void fr_pool_free(struct fr_pool *pool);

#endif
