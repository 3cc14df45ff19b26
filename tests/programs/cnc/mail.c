/* Messages of the layer: a header and at most one value, received from any rank. */
#include "tests/programs/cnc/parts.h"

#include <string.h>

#include "calibrations/calibrate/core/document.h"

enum { TAG_MAIL = 7 };

static size_t buffer_bytes(const struct cnc *cnc)
{
    return sizeof(struct cnc_head) + cnc->post.bytes;
}

static struct cnc_mail *buffer(struct cnc *cnc)
{
    struct cnc_post *post = &cnc->post;

    return post->spares ? post->spare[--post->spares] : cnc_room(1, buffer_bytes(cnc));
}

static void *grown(void *from, int count, int capacity, size_t size)
{
    void *to = cnc_room((size_t)capacity, size);

    if (count)
        memcpy(to, from, (size_t)count * size);
    fr_record_free(from);
    return to;
}

void cnc_mail_free(struct cnc *cnc, struct cnc_mail *mail)
{
    struct cnc_post *post = &cnc->post;

    if (post->spares == post->spares_max) {
        post->spares_max = 2 * post->spares_max + 16;
        post->spare = grown(post->spare, post->spares, post->spares_max, sizeof(void *));
    }
    post->spare[post->spares++] = mail;
}

struct cnc_mail *cnc_mail_new(struct cnc *cnc, enum cnc_kind kind, int collection,
                              struct cnc_tag tag, const void *value, size_t bytes)
{
    struct cnc_mail *mail = buffer(cnc);

    mail->head = (struct cnc_head){ .kind = (int32_t)kind,
                                    .collection = collection,
                                    .from = cnc->rank,
                                    .bytes = (int32_t)bytes,
                                    .tag = tag };
    if (bytes)
        memcpy(mail->value, value, bytes);
    return mail;
}

void cnc_mail_send(struct cnc *cnc, struct cnc_mail *mail, int rank)
{
    struct cnc_post *post = &cnc->post;

    if (post->count == post->capacity) {
        post->capacity = 2 * post->capacity + 64;
        post->request = grown(post->request, post->count, post->capacity, sizeof(MPI_Request));
        post->mail = grown(post->mail, post->count, post->capacity, sizeof(void *));
    }
    cnc->sent += mail->head.kind <= CNC_INSTANCE;
    post->mail[post->count] = mail;
    MPI_Isend(mail, (int)sizeof mail->head + mail->head.bytes, MPI_CHAR, rank, TAG_MAIL, cnc->comm,
              &post->request[post->count++]);
}

static void listen(struct cnc *cnc, int slot)
{
    MPI_Irecv(cnc->post.mail[slot], (int)buffer_bytes(cnc), MPI_CHAR, MPI_ANY_SOURCE, TAG_MAIL,
              cnc->comm, &cnc->post.request[slot]);
}

/* Posts the receives; afterwards no collection with larger items can be added. */
void cnc_mail_begin(struct cnc *cnc)
{
    struct cnc_post *post = &cnc->post;

    if (post->count)
        return;
    for (int i = 0; i < cnc->items_count; i++)
        if (cnc->items[i]->bytes > post->bytes)
            post->bytes = cnc->items[i]->bytes;
    cnc->zeros = cnc_room(1, post->bytes);
    post->capacity = 2 * CNC_SLOTS;
    post->request = cnc_room((size_t)post->capacity, sizeof(MPI_Request));
    post->mail = cnc_room((size_t)post->capacity, sizeof(void *));
    for (post->count = 0; post->count < CNC_SLOTS; post->count++) {
        post->mail[post->count] = buffer(cnc);
        listen(cnc, post->count);
    }
}

static void receive(struct cnc *cnc, int slot)
{
    struct cnc_mail *mail = cnc->post.mail[slot];

    cnc->received += mail->head.kind <= CNC_INSTANCE;
    cnc->post.mail[slot] = buffer(cnc);
    listen(cnc, slot);
    if (!cnc_handle(cnc, mail))
        cnc_mail_free(cnc, mail);
}

static void forget_sent(struct cnc *cnc, int i)
{
    struct cnc_post *post = &cnc->post;

    cnc_mail_free(cnc, post->mail[i]);
    post->count--;
    post->request[i] = post->request[post->count];
    post->mail[i] = post->mail[post->count];
}

/* Tests receives one by one, because on a simulated cluster every unsuccessful MPI_Testany takes
 * longer than the last one.  Tests one send, so that completed sends do not accumulate. */
static int find_done(struct cnc_post *post)
{
    const int looked_at = post->count < CNC_SLOTS + 1 ? post->count : CNC_SLOTS + 1;
    int is_done = 0;

    for (int i = 0; i < looked_at; i++) {
        MPI_Test(&post->request[i], &is_done, MPI_STATUS_IGNORE);
        if (is_done)
            return i;
    }
    return -1;
}

bool cnc_mail_take(struct cnc *cnc, bool waits)
{
    struct cnc_post *post = &cnc->post;
    int which;

    if (waits)
        MPI_Waitany(post->count, post->request, &which, MPI_STATUS_IGNORE);
    else
        which = find_done(post);
    if (which < 0)
        return false;
    if (which < CNC_SLOTS)
        receive(cnc, which);
    else
        forget_sent(cnc, which);
    return true;
}

/* Completes the receives of a rank by messages to itself, after all other messages. */
void cnc_mail_end(struct cnc *cnc)
{
    struct cnc_post *post = &cnc->post;
    struct cnc_head last = { .kind = CNC_END };

    if (!post->count)
        return;
    MPI_Waitall(post->count - CNC_SLOTS, post->request + CNC_SLOTS, MPI_STATUSES_IGNORE);
    MPI_Barrier(cnc->comm);
    for (int i = 0; i < CNC_SLOTS; i++)
        MPI_Send(&last, sizeof last, MPI_CHAR, cnc->rank, TAG_MAIL, cnc->comm);
    MPI_Waitall(CNC_SLOTS, post->request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < post->count; i++)
        fr_record_free(post->mail[i]);
    for (int i = 0; i < post->spares; i++)
        fr_record_free(post->spare[i]);
    fr_record_free(post->request);
    fr_record_free(post->mail);
    fr_record_free(post->spare);
    fr_record_free(cnc->zeros);
}
