/* Broadcasts as lists of steps, one list for each member, and the queue that runs them. */
#include "tests/programs/dense/transfer.h"

#include "calibrations/calibrate/core/document.h"
#include "tests/programs/program.h"

const char *const broadcast_names[] = { "binomial", "scatter_allgather", "scatter_ring",
                                        "by_length", NULL };

enum { TAG = 11, SHORT_BYTES = 12288, LONG_BYTES = 524288, FEW_MEMBERS = 8 };

struct queue queue_new(struct phases *phases, enum broadcast_algorithm algorithm)
{
    struct queue queue = { .algorithm = algorithm, .phases = phases };

    queue.transfer = fr_record_new(TRANSFERS_MAX, sizeof *queue.transfer);
    if (!queue.transfer)
        program_fail("out of memory");
    return queue;
}

void queue_free(struct queue *queue)
{
    fr_record_free(queue->transfer);
    queue->transfer = NULL;
}

/* A broadcast from the view of one member; places are ranks relative to the root. */
struct view {
    struct transfer *transfer;
    int members, root, place;
    size_t words, piece;
};

static int rank_of(const struct view *view, int place)
{
    return (place + view->root) % view->members;
}

/* The first word of a piece. */
static size_t offset_of(const struct view *view, int piece)
{
    const size_t at = (size_t)piece * view->piece;

    return at < view->words ? at : view->words;
}

static void add_step(struct view *view, int to, int to_first, int to_end, int from, int from_first,
                     int from_end)
{
    struct step *step = &view->transfer->step[view->transfer->steps++];

    step->to = to < 0 ? MPI_PROC_NULL : rank_of(view, to);
    step->from = from < 0 ? MPI_PROC_NULL : rank_of(view, from);
    step->out = offset_of(view, to_first);
    step->out_words = offset_of(view, to_end) - step->out;
    step->in = offset_of(view, from_first);
    step->in_words = offset_of(view, from_end) - step->in;
}

/* A binomial tree: of the whole vector, or with is_scatter of the pieces of each subtree. */
static void add_tree(struct view *view, bool is_scatter)
{
    const int members = view->members, place = view->place;
    int mask = 1;

    while (mask < members && !(place & mask))
        mask *= 2;
    if (place) {
        const int end = place + mask < members ? place + mask : members;

        add_step(view, -1, 0, 0, place - mask, is_scatter ? place : 0, is_scatter ? end : members);
    }
    for (mask /= 2; mask > 0; mask /= 2) {
        const int to = place + mask, end = to + mask < members ? to + mask : members;

        if (to < members)
            add_step(view, to, is_scatter ? to : 0, is_scatter ? end : members, -1, 0, 0);
    }
}

static void add_ring(struct view *view)
{
    const int members = view->members, place = view->place;

    for (int i = 0; i < members - 1; i++) {
        const int out = (place - i + members) % members, in = (out - 1 + members) % members;

        add_step(view, (place + 1) % members, out, out + 1, (place - 1 + members) % members, in,
                 in + 1);
    }
}

static void add_doubling(struct view *view)
{
    for (int mask = 1; mask < view->members; mask *= 2) {
        const int partner = view->place ^ mask;
        const int own = view->place / mask * mask, other = partner / mask * mask;

        add_step(view, partner, own, own + mask, partner, other, other + mask);
    }
}

static enum broadcast_algorithm choose_by_length(const struct view *view)
{
    const size_t bytes = view->words * sizeof(double);
    const bool is_power = (view->members & (view->members - 1)) == 0;

    if (bytes < SHORT_BYTES || view->members < FEW_MEMBERS)
        return BINOMIAL;
    return bytes < LONG_BYTES && is_power ? SCATTER_ALLGATHER : SCATTER_RING;
}

static void add_steps(struct view *view, enum broadcast_algorithm algorithm)
{
    const bool is_power = (view->members & (view->members - 1)) == 0;

    view->piece = (view->words + (size_t)view->members - 1) / (size_t)view->members;
    if (algorithm == BY_LENGTH)
        algorithm = choose_by_length(view);
    add_tree(view, algorithm != BINOMIAL);
    if (algorithm == SCATTER_ALLGATHER && is_power)
        add_doubling(view);
    else if (algorithm != BINOMIAL)
        add_ring(view);
}

void queue_broadcast(struct queue *queue, int phase, double *data, size_t words, int root,
                     MPI_Comm comm)
{
    struct view view = { .root = root, .words = words };
    int rank;

    MPI_Comm_size(comm, &view.members);
    MPI_Comm_rank(comm, &rank);
    if (view.members < 2)
        return;
    if (queue->count == TRANSFERS_MAX || view.members > MEMBERS_MAX)
        program_fail("at most %d broadcasts at once among at most %d ranks", TRANSFERS_MAX,
                     MEMBERS_MAX);
    view.place = (rank - root + view.members) % view.members;
    view.transfer = &queue->transfer[queue->count++];
    *view.transfer = (struct transfer){ .comm = comm, .data = data, .phase = phase };
    add_steps(&view, queue->algorithm);
    queue_advance(queue);
}

static void post(struct queue *queue, const struct transfer *transfer)
{
    const struct step *step = &transfer->step[queue->step];

    MPI_Irecv(transfer->data + step->in, (int)step->in_words, MPI_DOUBLE, step->from, TAG,
              transfer->comm, &queue->request[0]);
    MPI_Isend(transfer->data + step->out, (int)step->out_words, MPI_DOUBLE, step->to, TAG,
              transfer->comm, &queue->request[1]);
    queue->is_under_way = true;
}

/* The current step has ended. */
static void end_step(struct queue *queue)
{
    const struct transfer *transfer = &queue->transfer[queue->current];

    queue->is_under_way = false;
    if (++queue->step < transfer->steps)
        return;
    phases_add(queue->phases, transfer->phase, MPI_Wtime() - queue->since_s);
    queue->step = 0;
    queue->current++;
}

static bool is_empty(struct queue *queue)
{
    if (queue->current < queue->count)
        return false;
    queue->current = queue->count = 0;
    return true;
}

static void begin_step(struct queue *queue)
{
    if (queue->is_under_way)
        return;
    if (!queue->step)
        queue->since_s = MPI_Wtime();
    post(queue, &queue->transfer[queue->current]);
}

bool queue_advance(struct queue *queue)
{
    while (!is_empty(queue)) {
        int is_complete;

        begin_step(queue);
        MPI_Testall(2, queue->request, &is_complete, MPI_STATUSES_IGNORE);
        if (!is_complete)
            return false;
        end_step(queue);
    }
    return true;
}

void queue_progress(void *queue)
{
    queue_advance(queue);
}

void queue_finish(struct queue *queue)
{
    while (!is_empty(queue)) {
        begin_step(queue);
        MPI_Waitall(2, queue->request, MPI_STATUSES_IGNORE);
        end_step(queue);
    }
}
