/* Commands with a time limit: a server that hangs, or a network that loses everything, must not
 * hold a thread. */
#include "server/core/process.h"
#include "server/store/postgresql/postgresql.h"

#include <poll.h>
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

/* Milliseconds to wait for, until somebody has to look whether the process ends. */
static int pause_ms(struct timespec *until)
{
    int left_ms = fr_process_left_ms(until);

    if (left_ms > ENDING_MS && fr_postgresql_is_ending()) {
        *until = fr_process_deadline(ENDING_MS);
        left_ms = ENDING_MS;
    }
    return left_ms < LOOK_MS ? left_ms : LOOK_MS;
}

/* Sends what is left and reads, until PQgetResult does not wait; false when the time is up. */
static bool is_ready(struct fr_postgresql *pg, struct timespec *until)
{
    int unsent;

    while ((unsent = PQflush(pg->connection)) > 0 || PQisBusy(pg->connection)) {
        struct pollfd file = { .fd = PQsocket(pg->connection),
                               .events = (short)(POLLIN | (unsent > 0 ? POLLOUT : 0)) };
        const int wait_ms = pause_ms(until);

        if (wait_ms == 0)
            return false;
        poll(&file, 1, wait_ms);
        if (!PQconsumeInput(pg->connection))
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
                PQdb(pg->connection));
    else
        fr_logf(pg->base.log, FR_LOG_ERROR, "store_failed",
                "database %s: no answer within %u ms; the connection is given up",
                PQdb(pg->connection), most_ms);
    shutdown(PQsocket(pg->connection), SHUT_RDWR);
    PQconsumeInput(pg->connection); /* notices it */
    while ((result = PQgetResult(pg->connection)))
        PQclear(result);
    fr_postgresql_pause(pg);
}

PGresult *fr_postgresql_wait(struct fr_postgresql *pg, int is_sent, unsigned most_ms)
{
    struct timespec until = fr_process_deadline(most_ms);
    PGresult *last = NULL, *result;
    bool is_in_time;

    if (!is_sent)
        return NULL;
    while ((is_in_time = is_ready(pg, &until)) && (result = PQgetResult(pg->connection))) {
        PQclear(last);
        last = result;
    }
    if (is_in_time)
        return last;
    PQclear(last);
    give_up(pg, most_ms);
    return NULL;
}

PGresult *fr_postgresql_ask(struct fr_postgresql *pg, const char *commands)
{
    return fr_postgresql_wait(pg, PQsendQuery(pg->connection, commands), pg->most_ms);
}
