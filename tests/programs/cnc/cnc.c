/* Collections, the queue of ready steps, and the detection of termination. */
#include "tests/programs/cnc/parts.h"

#include <assert.h>

#include "calibrations/calibrate/core/document.h"
#include "tests/programs/program.h"

void *cnc_room(size_t count, size_t size)
{
    void *room = fr_record_new(count ? count : 1, size ? size : 1);

    if (!room)
        program_fail("no memory for %zu x %zu bytes", count, size);
    return room;
}

struct cnc *cnc_new(MPI_Comm comm, bool moves_data)
{
    struct cnc *cnc = cnc_room(1, sizeof *cnc);

    MPI_Comm_dup(comm, &cnc->comm);
    MPI_Comm_rank(comm, &cnc->rank);
    MPI_Comm_size(comm, &cnc->size);
    cnc->moves_data = moves_data;
    cnc->last_sum = -1;
    return cnc;
}

void cnc_free(struct cnc *cnc)
{
    cnc_mail_end(cnc);
    for (int i = 0; i < cnc->items_count; i++)
        cnc_items_free(cnc->items[i]);
    for (int i = 0; i < cnc->steps_count; i++) {
        cnc_table_free(&cnc->steps[i]->prescribed);
        fr_record_free(cnc->steps[i]);
    }
    for (int i = 0; i < cnc->tags_count; i++)
        fr_record_free(cnc->tags[i]);
    MPI_Comm_free(&cnc->comm);
    fr_record_free(cnc);
}

struct cnc_items *cnc_items_new(struct cnc *cnc, const char *name, size_t bytes, bool is_used_once,
                                struct cnc_place home)
{
    struct cnc_items *items = cnc_room(1, sizeof *items);

    assert(cnc->items_count < CNC_COLLECTIONS_MAX && !cnc->post.count);
    *items = (struct cnc_items){ cnc,  cnc->items_count, name, bytes, is_used_once,
                                 home, { NULL, 0, 0 } };
    return cnc->items[cnc->items_count++] = items;
}

struct cnc_steps *cnc_steps_new(struct cnc *cnc, const char *name, cnc_step *run, void *context,
                                struct cnc_place place)
{
    struct cnc_steps *steps = cnc_room(1, sizeof *steps);

    assert(cnc->steps_count < CNC_COLLECTIONS_MAX);
    *steps = (struct cnc_steps){ cnc, cnc->steps_count, name, run, context, place, { NULL, 0, 0 } };
    return cnc->steps[cnc->steps_count++] = steps;
}

struct cnc_tags *cnc_tags_new(struct cnc *cnc, const char *name)
{
    struct cnc_tags *tags = cnc_room(1, sizeof *tags);

    assert(cnc->tags_count < CNC_COLLECTIONS_MAX);
    tags->cnc = cnc;
    tags->name = name;
    return cnc->tags[cnc->tags_count++] = tags;
}

void cnc_prescribe(struct cnc_tags *tags, struct cnc_steps *steps)
{
    assert(tags->count < CNC_COLLECTIONS_MAX);
    tags->steps[tags->count++] = steps;
}

void cnc_queue_add(struct cnc_queue *queue, struct cnc_instance *instance)
{
    instance->next = NULL;
    if (queue->first)
        queue->last->next = instance;
    else
        queue->first = instance;
    queue->last = instance;
}

/* An entry in the table of a step collection: whether the tag has prescribed an instance. */
struct prescribed {
    struct cnc_tag tag;
    bool is_made;
};

void cnc_make_ready(struct cnc_steps *steps, struct cnc_tag tag)
{
    struct prescribed *prescribed =
        cnc_table_find(&steps->prescribed, tag, sizeof(struct prescribed));
    struct cnc_instance *instance;

    if (prescribed->is_made)
        return;
    prescribed->is_made = true;
    instance = cnc_room(1, sizeof *instance);
    instance->steps = steps;
    instance->tag = tag;
    cnc_queue_add(&steps->cnc->ready, instance);
}

void cnc_put_tag(struct cnc_tags *tags, struct cnc_tag tag)
{
    struct cnc *cnc = tags->cnc;

    cnc_mail_begin(cnc);
    for (int i = 0; i < tags->count; i++) {
        struct cnc_steps *steps = tags->steps[i];
        const int rank = steps->place.rank(steps->place.context, tag);

        if (rank == cnc->rank)
            cnc_make_ready(steps, tag);
        else
            cnc_mail_send(cnc, cnc_mail_new(cnc, CNC_INSTANCE, steps->number, tag, NULL, 0), rank);
    }
}

static void run_one(struct cnc *cnc)
{
    struct cnc_instance *instance = cnc->ready.first;

    cnc->ready.first = instance->next;
    cnc->missing = NULL;
    cnc->gots = 0;
    if (instance->steps->run(cnc, instance->tag, instance->steps->context)) {
        for (int i = 0; i < cnc->gots; i++)
            cnc_item_release(cnc, cnc->got[i]);
        fr_record_free(instance);
        return;
    }
    if (!cnc->missing)
        program_fail("step %s(%d,%d,%d) returned although no item was missing",
                     instance->steps->name, instance->tag.i, instance->tag.j, instance->tag.k);
    /* The item may have arrived while the step returned. */
    if (cnc->missing->state == CNC_PRESENT) {
        cnc_queue_add(&cnc->ready, instance);
        return;
    }
    cnc_queue_add(&cnc->missing->blocked, instance);
    cnc->blocked++;
}

void cnc_progress(struct cnc *cnc)
{
    while (cnc_mail_take(cnc, false))
        ;
}

/* Idle ranks answer rank 0 with their counts of messages.  The program has terminated when as many
 * messages were received as sent in two consecutive rounds. */
static void tell_all(struct cnc *cnc, enum cnc_kind kind)
{
    const struct cnc_tag none = { 0, 0, 0 };

    for (int i = 1; i < cnc->size; i++)
        cnc_mail_send(cnc, cnc_mail_new(cnc, kind, 0, none, NULL, 0), i);
}

static void answer_round(struct cnc *cnc)
{
    const struct cnc_tag counts = { (int32_t)cnc->sent, (int32_t)cnc->received, 0 };

    cnc_mail_send(cnc, cnc_mail_new(cnc, CNC_REPLY, 0, counts, NULL, 0), 0);
    cnc->is_asked = false;
}

static void judge_round(struct cnc *cnc)
{
    const bool is_even = cnc->sum_sent == cnc->sum_received;

    cnc->is_asking = false;
    cnc->has_ended = is_even && cnc->last_sum == cnc->sum_sent;
    cnc->last_sum = is_even ? cnc->sum_sent : -1;
    if (cnc->has_ended)
        tell_all(cnc, CNC_END);
}

static void begin_round(struct cnc *cnc)
{
    cnc->is_asking = true;
    cnc->replies = 0;
    cnc->sum_sent = cnc->sent;
    cnc->sum_received = cnc->received;
    tell_all(cnc, CNC_PROBE);
    if (cnc->size == 1)
        judge_round(cnc);
}

/* Handles the state in which no step is ready. */
static void come_to_rest(struct cnc *cnc)
{
    if (cnc->blocked && cnc->size == 1)
        program_fail("%d steps wait for items that are never put", cnc->blocked);
    if (cnc->blocked)
        return;
    if (cnc->is_asked)
        answer_round(cnc);
    if (cnc->rank == 0 && !cnc->is_asking)
        begin_round(cnc);
}

static void take_reply(struct cnc *cnc, const struct cnc_head *head)
{
    cnc->sum_sent += head->tag.i;
    cnc->sum_received += head->tag.j;
    if (++cnc->replies == cnc->size - 1)
        judge_round(cnc);
}

bool cnc_handle(struct cnc *cnc, struct cnc_mail *mail)
{
    const struct cnc_head head = mail->head;

    switch ((enum cnc_kind)head.kind) {
    case CNC_ITEM:
    case CNC_COPY:
        cnc->received_bytes += head.bytes;
        cnc_item_arrive(cnc->items[head.collection], head.tag, mail);
        return true;
    case CNC_REQUEST:
        cnc_item_ask(cnc->items[head.collection], head.tag, head.from);
        return false;
    case CNC_INSTANCE:
        cnc_make_ready(cnc->steps[head.collection], head.tag);
        return false;
    case CNC_PROBE:
        cnc->is_asked = true;
        return false;
    case CNC_REPLY:
        take_reply(cnc, &head);
        return false;
    case CNC_END:
        cnc->has_ended = true;
        return false;
    }
    return false;
}

int cnc_wait(struct cnc *cnc)
{
    int refused;

    cnc_mail_begin(cnc);
    cnc->has_ended = false;
    cnc->last_sum = -1;
    for (;;) {
        cnc_progress(cnc);
        if (cnc->ready.first) {
            run_one(cnc);
            continue;
        }
        if (!cnc->has_ended)
            come_to_rest(cnc);
        if (cnc->has_ended)
            break;
        if (cnc->size > 1)
            cnc_mail_take(cnc, true);
    }
    MPI_Allreduce(&cnc->refused, &refused, 1, MPI_INT, MPI_SUM, cnc->comm);
    return refused;
}

const char *cnc_fault(const struct cnc *cnc)
{
    return cnc->fault;
}

double cnc_received_bytes(const struct cnc *cnc)
{
    return cnc->received_bytes;
}
