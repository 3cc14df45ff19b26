/* The workers: threads for requests that take long, each with a connection to the store. */
#ifndef FR_WORK_H
#define FR_WORK_H

#include <stdbool.h>
#include <stddef.h>

struct fr_log;
struct fr_pool;
struct fr_store;

/* A job.  The owner embeds it; the pool uses `next`, `number` and `expected_s`. */
struct fr_job {
    struct fr_job *next;
    unsigned long number;
    double expected_s;
    bool is_long;    /* such jobs use at most all workers but one */
    bool is_urgent;  /* never refused, and taken before all others */
    unsigned client; /* below FR_POOL_CLIENTS: who gets a share of the workers */
    /* Called while the queue is locked, before a worker can take the job: suspends the
     * connection, so that no worker resumes it before that. */
    void (*park)(struct fr_job *job);
    /* Called on a worker; `store` is NULL if the pool stops: then the job only has to end. */
    void (*run)(struct fr_job *job, struct fr_store *store);
};

enum { FR_POOL_CLIENTS = 4096 };

struct fr_pool_options {
    unsigned workers;
    size_t queue_limit, long_queue_limit; /* jobs that wait: quick ones, long ones */
    const char *store_path;
    double (*spent_s)(void); /* processor time of the calling thread; NULL: as the system has it */
};

/* Opens the stores and starts the threads; NULL on failure, logged.  End with fr_pool_free. */
struct fr_pool *fr_pool_new(const struct fr_pool_options *options, struct fr_log *log);
/* What comes of a job; it is parked only if it was taken. */
enum fr_submitted {
    FR_POOL_TAKEN,
    FR_POOL_FULL,  /* too many jobs of its kind wait, or the pool stops */
    FR_POOL_SHARE, /* half of those that may wait are this client's */
};
/* Clients that wait share the processor time of the workers alike, whatever the number of jobs that
 * each has waiting. */
enum fr_submitted fr_pool_submit(struct fr_pool *pool, struct fr_job *job);
void fr_pool_set_queue_limits(struct fr_pool *pool, size_t quick, size_t slow);

struct fr_pool_state {
    unsigned workers, busy;
    size_t queued, queued_long; /* all, and the long ones of them */
};
struct fr_pool_state fr_pool_state(struct fr_pool *pool);

/* Whether long jobs wait for a worker. */
bool fr_pool_has_long_waiting(const struct fr_pool *pool);

/* Refuses new jobs, runs the waiting ones with a NULL store, waits for the running ones, joins the
 * threads and closes the stores.  Later calls of fr_pool_submit return false. */
void fr_pool_stop(struct fr_pool *pool);
/* Stops the pool if necessary and frees it; NULL is allowed. */
void fr_pool_free(struct fr_pool *pool);

#endif
