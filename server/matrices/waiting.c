#include "server/matrices/waiting.h"

#include "server/http/client.h"
#include "server/http/http.h"
#include "server/http/server.h"
#include "server/matrices/analysis.h"
#include "server/matrices/simulation_cache.h"

/* As long as a request may count; how often it looks whether its client has left. */
enum { MOST_WAIT_S = 8, LOOK_MS = 200 };

bool fr_waiting_goes_on(struct fr_waiting *waiting, uint64_t settled)
{
    struct fr_server *server = waiting->rq->server;

    if (waiting->until_s == 0)
        waiting->until_s = fr_counting_clock_s() + MOST_WAIT_S;
    fr_analysis_wait(server->analysis, settled, LOOK_MS);
    return fr_counting_clock_s() < waiting->until_s && !fr_client_has_left(waiting->rq->client) &&
           !fr_simulations_are_stopping(server->simulations);
}
