/* The workers: threads for requests that take long, each with a connection to the store. */
#ifndef FR_WORK_H
#define FR_WORK_H

#include <stdbool.h>
#include <stddef.h>

struct fr_log;
struct fr_pool;
struct fr_store;

/* A job.  The owner embeds it; the pool uses `next` and `number`. */
struct fr_job {
    struct fr_job *next;
    unsigned long number;
    bool is_long; /* such jobs use at most all workers but one */
    /* Called while the queue is locked, before a worker can take the job: suspends the
     * connection, so that no worker resumes it before that. */
    void (*park)(struct fr_job *job);
    /* Called on a worker; `store` is NULL if the pool stops: then the job only has to end. */
    void (*run)(struct fr_job *job, struct fr_store *store);
};

struct fr_pool_options {
    unsigned workers;
    size_t queue_limit; /* jobs that wait */
    const char *store_path;
};

/* Opens the stores and starts the threads; NULL on failure, logged.  End with fr_pool_free. */
struct fr_pool *fr_pool_new(const struct fr_pool_options *options, struct fr_log *log);
/* False if the queue is full or the pool stops: the job was not parked. */
bool fr_pool_submit(struct fr_pool *pool, struct fr_job *job);
void fr_pool_set_queue_limit(struct fr_pool *pool, size_t limit);

struct fr_pool_state {
    unsigned workers, busy;
    size_t queued;
};
struct fr_pool_state fr_pool_state(struct fr_pool *pool);

/* Refuses new jobs, runs the waiting ones with a NULL store, waits for the running ones, joins the
 * threads and closes the stores.  Later calls of fr_pool_submit return false. */
void fr_pool_stop(struct fr_pool *pool);
/* Stops the pool if necessary and frees it; NULL is allowed. */
void fr_pool_free(struct fr_pool *pool);

#endif
