/* What requests see of the analyses: their progress, and that one has a result, for which they wait
 * as long as they may. */
#include "server/matrices/analyses.h"

#include "server/core/clock.h"
#include "server/http/client.h"
#include "server/http/server.h"
#include "server/matrices/simulation.h"

#include <string.h>

void fr_analysis_show(struct fr_analysis *analysis, unsigned i)
{
    const struct fr_analysis_place *place = &analysis->place[i];
    const struct fr_analysis_stream *stream = &place->child.stream;
    struct fr_analysis_progress shown = { .id = "" };

    if (place->is_taken) {
        memcpy(shown.id, place->child.task.id, sizeof shown.id);
        shown.ordering = place->child.task.ordering;
        shown.partition = place->child.task.partition;
        shown.fraction = stream->fraction;
        memcpy(shown.stage, stream->stage, sizeof shown.stage);
    }
    pthread_mutex_lock(&analysis->lock);
    analysis->shown[i] = shown;
    pthread_mutex_unlock(&analysis->lock);
}

void fr_analysis_settle(struct fr_analysis *analysis)
{
    pthread_mutex_lock(&analysis->lock);
    analysis->settled_count++;
    pthread_cond_broadcast(&analysis->settled);
    pthread_mutex_unlock(&analysis->lock);
}

size_t fr_analysis_look(struct fr_analysis *analysis, const char *id,
                        struct fr_analysis_progress out[FR_ANALYSES_MOST])
{
    size_t count = 0;

    pthread_mutex_lock(&analysis->lock);
    for (unsigned i = 0; i < analysis->count && count < FR_ANALYSES_MOST; i++)
        if (strcmp(analysis->shown[i].id, id) == 0)
            out[count++] = analysis->shown[i];
    pthread_mutex_unlock(&analysis->lock);
    return count;
}

uint64_t fr_analysis_settled(struct fr_analysis *analysis)
{
    uint64_t settled;

    pthread_mutex_lock(&analysis->lock);
    settled = analysis->settled_count;
    pthread_mutex_unlock(&analysis->lock);
    return settled;
}

void fr_analysis_wait(struct fr_analysis *analysis, uint64_t settled, unsigned most_ms)
{
    const uint64_t until_ns = fr_clock_in_ms(analysis->clock, most_ms);

    pthread_mutex_lock(&analysis->lock);
    while (analysis->settled_count == settled &&
           fr_clock_wait(analysis->clock, &analysis->settled, &analysis->lock, until_ns))
        continue;
    pthread_mutex_unlock(&analysis->lock);
}

/* ---- waiting ------------------------------------------------------------------------------ */

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
