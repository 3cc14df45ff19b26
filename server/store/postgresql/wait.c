/* Commands with a time limit: a server that hangs, or a network that loses everything, must not
 * hold a thread. */
#include "server/core/process.h"
#include "server/store/postgresql/postgresql.h"

#include <poll.h>
#include <sys/socket.h>

/* Sends what is left and reads, until PQgetResult does not wait; false when the time is up. */
static bool is_ready(struct fr_postgresql *pg, const struct timespec *until)
{
    int unsent;

    while ((unsent = PQflush(pg->connection)) > 0 || PQisBusy(pg->connection)) {
        struct pollfd file = { .fd = PQsocket(pg->connection),
                               .events = (short)(POLLIN | (unsent > 0 ? POLLOUT : 0)) };
        const int left_ms = fr_process_left_ms(until);

        if (left_ms == 0)
            return false;
        poll(&file, 1, left_ms);
        if (!PQconsumeInput(pg->connection))
            return true; /* the connection is lost, as the result says */
    }
    return true;
}

/* Ends a connection: the server may answer yet, but no one knows when. */
static void give_up(struct fr_postgresql *pg, unsigned most_ms)
{
    PGresult *result;

    fr_logf(pg->base.log, FR_LOG_ERROR, "store_failed",
            "database %s: no answer within %u ms; the connection is given up", PQdb(pg->connection),
            most_ms);
    shutdown(PQsocket(pg->connection), SHUT_RDWR);
    PQconsumeInput(pg->connection); /* notices it */
    while ((result = PQgetResult(pg->connection)))
        PQclear(result);
    fr_postgresql_pause(pg);
}

PGresult *fr_postgresql_wait(struct fr_postgresql *pg, int is_sent, unsigned most_ms)
{
    const struct timespec until = fr_process_deadline(most_ms);
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
