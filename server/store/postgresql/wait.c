/* Commands with a time limit: a server that hangs, or a network that loses everything, must not
 * hold a thread. */
#include "server/core/clock.h"
#include "server/store/postgresql/postgresql.h"

#include <stdatomic.h>
#include <sys/socket.h>

enum { LOOK_MS = 200, ENDING_MS = 2000 };

/* Of the process, as its end is: it reaches the threads that wait already. */
static _Atomic bool is_ending;

void fr_postgresql_hurry(bool ends)
{
    atomic_store(&is_ending, ends);
}

bool fr_postgresql_is_ending(void)
{
    return atomic_load(&is_ending);
}

/* The end of the process is not waited for as long. */
static void hasten(uint64_t *until_ns)
{
    const uint64_t ending_ns = fr_clock_in_ms(NULL, ENDING_MS);

    if (fr_postgresql_is_ending() && *until_ns > ending_ns)
        *until_ns = ending_ns;
}

/* Sends what is left and reads, until PQgetResult does not wait; false when the time is up. */
static bool is_ready(struct fr_postgresql *pg, uint64_t *until_ns)
{
    int unsent;

    while ((unsent = fr_pq.flush(pg->connection)) > 0 || fr_pq.isBusy(pg->connection)) {
        struct pollfd file = { .fd = fr_pq.socket(pg->connection),
                               .events = (short)(POLLIN | (unsent > 0 ? POLLOUT : 0)) };
        const uint64_t look_ns = fr_clock_in_ms(NULL, LOOK_MS); /* whether the process ends */

        hasten(until_ns);
        if (fr_clock_ns(NULL) >= *until_ns)
            return false;
        fr_clock_poll(NULL, &file, 1, look_ns < *until_ns ? look_ns : *until_ns);
        if (!fr_pq.consumeInput(pg->connection))
            return true; /* the connection is lost, as the result says */
    }
    return true;
}

/* Ends a connection: the server may answer yet, but no one knows when. */
static void give_up(struct fr_postgresql *pg, unsigned most_ms)
{
    PGresult *result;

    if (fr_postgresql_is_ending())
        fr_logf(pg->base.log, FR_LOG_ERROR, "store_failed",
                "database %s: no answer, and the daemon stops; the connection is given up",
                fr_pq.db(pg->connection));
    else
        fr_logf(pg->base.log, FR_LOG_ERROR, "store_failed",
                "database %s: no answer within %u ms; the connection is given up",
                fr_pq.db(pg->connection), most_ms);
    shutdown(fr_pq.socket(pg->connection), SHUT_RDWR);
    fr_pq.consumeInput(pg->connection); /* notices it */
    while ((result = fr_pq.getResult(pg->connection)))
        fr_pq.clear(result);
    fr_postgresql_pause(pg);
}

PGresult *fr_postgresql_wait(struct fr_postgresql *pg, int is_sent, unsigned most_ms)
{
    uint64_t until_ns = fr_clock_in_ms(NULL, most_ms);
    PGresult *last = NULL, *result;
    bool is_in_time;

    if (!is_sent)
        return NULL;
    while ((is_in_time = is_ready(pg, &until_ns)) && (result = fr_pq.getResult(pg->connection))) {
        fr_pq.clear(last);
        last = result;
    }
    if (is_in_time)
        return last;
    fr_pq.clear(last);
    give_up(pg, most_ms);
    return NULL;
}

PGresult *fr_postgresql_ask(struct fr_postgresql *pg, const char *commands)
{
    return fr_postgresql_wait(pg, fr_pq.sendQuery(pg->connection, commands), pg->most_ms);
}
