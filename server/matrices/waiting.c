#include "server/matrices/waiting.h"

#include "server/http/client.h"
#include "server/http/http.h"
#include "server/http/server.h"
#include "server/matrices/analysis.h"
#include "server/matrices/simulation.h"

/* As long as a request may count; how often it looks whether its client has left. */
enum { MOST_WAIT_MS = 8000, LOOK_MS = 200 };

bool fr_waiting_goes_on(struct fr_waiting *waiting, uint64_t settled)
{
    struct fr_server *server = waiting->rq->server;

    if (waiting->until_ns == 0)
        waiting->until_ns = fr_clock_in_ms(server->clock, MOST_WAIT_MS);
    fr_analysis_wait(server->analysis, settled, LOOK_MS);
    return fr_clock_ns(server->clock) < waiting->until_ns &&
           !fr_client_has_left(waiting->rq->client) &&
           !fr_simulations_are_stopping(server->simulations);
}
