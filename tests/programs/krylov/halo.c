/* Messages of a halo exchange, from the stencil and the layout of the engine. */
#include "tests/programs/krylov/halo.h"

#include <math.h>
#include <string.h>

#include "calibrations/calibrate/core/document.h"
#include "tests/programs/program.h"

static void steps_of(int direction, int out[3])
{
    out[0] = direction / 9 - 1;
    out[1] = direction / 3 % 3 - 1;
    out[2] = direction % 3 - 1;
}

/* Whether the stencil sends in this direction; bit d of `leaves` is set if dimension d changes. */
static bool is_sent(const struct krylov_stencil *stencil, int direction, unsigned *leaves)
{
    const size_t front = 3 - stencil->dimensions;
    int step[3], count = 0;

    steps_of(direction, step);
    *leaves = 0;
    for (size_t d = 0; d < 3; d++) {
        if (step[d] && d < front)
            return false;
        count += step[d] != 0;
        if (step[d])
            *leaves |= 1u << (d - front);
    }
    return stencil->is_full ? count > 0 : count == 1;
}

static void add_message(struct halo *halo, const struct layout *layout,
                        const struct krylov_stencil *stencil, int direction, unsigned leaves)
{
    const struct job *job = layout->job;
    struct neighbor_message *message = &halo->message[halo->messages];
    const double bytes = krylov_message_bytes(stencil, leaves);
    int step[3], peer;

    if (bytes > MESSAGE_BYTES_MAX)
        job_refuse("a face of %g bytes: messages have at most 1 GiB; use a smaller local_grid",
                   bytes);
    steps_of(direction, step);
    peer = layout_neighbour(layout, job->rank, step + 3 - stencil->dimensions);
    if (peer < 0)
        return;
    message->direction = direction;
    message->peer = peer;
    message->is_on_node = peer / job->per_node == job->rank / job->per_node;
    message->count = (int)(bytes / 8);
    message->sent = job_room((size_t)message->count, sizeof(double));
    message->received = job_room((size_t)message->count, sizeof(double));
    halo->messages++;
}

void halo_init(struct halo *halo, const struct layout *layout, const struct krylov_stencil *stencil)
{
    unsigned leaves;

    memset(halo, 0, sizeof *halo);
    for (int direction = 0; direction < HALO_DIRECTIONS; direction++)
        if (is_sent(stencil, direction, &leaves))
            add_message(halo, layout, stencil, direction, leaves);
}

void halo_free(struct halo *halo)
{
    for (int i = 0; i < halo->messages; i++) {
        fr_record_free(halo->message[i].sent);
        fr_record_free(halo->message[i].received);
    }
}

/* The tag of a message is its direction. */
void halo_begin(struct halo *halo)
{
    halo->pending = 0;
    for (int i = 0; i < halo->messages; i++) {
        const struct neighbor_message *message = &halo->message[i];

        MPI_Irecv(message->received, message->count, MPI_DOUBLE, message->peer,
                  2 * HALO_MIDDLE - message->direction, MPI_COMM_WORLD, &halo->request[i]);
    }
    for (int i = 0; i < halo->messages; i++) {
        const struct neighbor_message *message = &halo->message[i];

        MPI_Isend(message->sent, message->count, MPI_DOUBLE, message->peer, message->direction,
                  MPI_COMM_WORLD, &halo->request[halo->messages + i]);
        *(message->is_on_node ? &halo->on_node : &halo->off_node) += 1;
        *(message->is_on_node ? &halo->on_node_bytes : &halo->off_node_bytes) += 8 * message->count;
    }
}

/* Each call of MPI makes progress on all requests; on a simulated cluster each tested request costs
 * time. */
void halo_progress(struct halo *halo)
{
    int is_done = 1;

    while (is_done && halo->pending < 2 * halo->messages) {
        MPI_Test(&halo->request[halo->pending], &is_done, MPI_STATUS_IGNORE);
        halo->pending += is_done;
    }
}

void halo_wait(struct halo *halo)
{
    MPI_Waitall(2 * halo->messages, halo->request, MPI_STATUSES_IGNORE);
}

static double mark(int rank, int direction, int place)
{
    return rank + (direction + 1) / 32.0 + place * 0x1p-26;
}

void halo_verify(struct halo *halo, const struct layout *layout)
{
    for (int i = 0; i < halo->messages; i++) {
        const struct neighbor_message *message = &halo->message[i];

        for (int k = 0; k < message->count; k++) {
            message->sent[k] = mark(layout->job->rank, message->direction, k);
            message->received[k] = NAN;
        }
    }
    halo_begin(halo);
    halo_wait(halo);
    for (int i = 0; i < halo->messages; i++) {
        const struct neighbor_message *message = &halo->message[i];

        for (int k = 0; k < message->count; k++)
            if (message->received[k] !=
                mark(message->peer, 2 * HALO_MIDDLE - message->direction, k))
                program_fail("rank %d: value %d from direction %d does not come from rank %d",
                             layout->job->rank, k, message->direction, message->peer);
    }
}
