/* Items, each put once, and the steps and ranks that wait for them. */
#include "tests/programs/cnc/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "calibrations/calibrate/core/document.h"
#include "tests/programs/program.h"

static struct cnc_item *find(struct cnc_items *items, struct cnc_tag tag)
{
    return cnc_table_find(&items->table, tag, sizeof(struct cnc_item));
}

static void refuse(struct cnc_items *items, struct cnc_tag tag)
{
    struct cnc *cnc = items->cnc;

    if (!cnc->refused++)
        snprintf(cnc->fault, sizeof cnc->fault,
                 "item %s(%" PRId32 ",%" PRId32 ",%" PRId32 ") is put a second time", items->name,
                 tag.i, tag.j, tag.k);
}

/* An item that is used once is freed after its first use. */
static void drop(struct cnc *cnc, struct cnc_item *item)
{
    cnc_mail_free(cnc, item->mail);
    item->mail = NULL;
    item->state = CNC_GONE;
}

static void answer(struct cnc_items *items, struct cnc_item *item, int rank)
{
    cnc_mail_send(items->cnc,
                  cnc_mail_new(items->cnc, CNC_COPY, items->number, item->tag, item->mail->value,
                               items->bytes),
                  rank);
}

/* Queues the steps that wait for an item and answers the ranks that requested it. */
static void serve(struct cnc_items *items, struct cnc_item *item)
{
    struct cnc *cnc = items->cnc;

    while (item->blocked.first) {
        struct cnc_instance *instance = item->blocked.first;

        item->blocked.first = instance->next;
        cnc->blocked--;
        cnc_queue_add(&cnc->ready, instance);
    }
    for (int i = 0; i < item->askings; i++)
        answer(items, item, item->asking[i]);
    if (item->askings && items->is_used_once)
        drop(cnc, item);
    fr_record_free(item->asking);
    item->asking = NULL;
    item->askings = 0;
}

void cnc_item_arrive(struct cnc_items *items, struct cnc_tag tag, struct cnc_mail *mail)
{
    struct cnc_item *item = find(items, tag);

    if (item->state != CNC_ABSENT) {
        refuse(items, tag);
        cnc_mail_free(items->cnc, mail);
        return;
    }
    item->state = CNC_PRESENT;
    item->mail = mail;
    serve(items, item);
}

void cnc_item_ask(struct cnc_items *items, struct cnc_tag tag, int rank)
{
    struct cnc_item *item = find(items, tag);

    if (item->state == CNC_PRESENT) {
        answer(items, item, rank);
        if (items->is_used_once)
            drop(items->cnc, item);
        return;
    }
    if (!item->asking)
        item->asking = cnc_room((size_t)items->cnc->size, sizeof *item->asking);
    item->asking[item->askings++] = rank;
}

void cnc_item_release(struct cnc *cnc, struct cnc_item *item)
{
    drop(cnc, item);
}

bool cnc_put(struct cnc_items *items, struct cnc_tag tag, const void *value)
{
    struct cnc *cnc = items->cnc;
    const int home = items->home.rank(items->home.context, tag), before = cnc->refused;
    struct cnc_mail *mail;

    if (!cnc->moves_data)
        return true;
    cnc_mail_begin(cnc);
    mail = cnc_mail_new(cnc, CNC_ITEM, items->number, tag, value, items->bytes);
    if (home == cnc->rank)
        cnc_item_arrive(items, tag, mail);
    else
        cnc_mail_send(cnc, mail, home);
    return cnc->refused == before;
}

const void *cnc_get(struct cnc_items *items, struct cnc_tag tag)
{
    struct cnc *cnc = items->cnc;
    const int home = items->home.rank(items->home.context, tag);
    struct cnc_item *item;

    if (!cnc->moves_data)
        return cnc->zeros;
    item = find(items, tag);
    if (item->state == CNC_PRESENT) {
        if (items->is_used_once && cnc->gots < CNC_GETS_MAX)
            cnc->got[cnc->gots++] = item;
        return item->mail->value;
    }
    if (item->state == CNC_GONE)
        program_fail("item %s(%" PRId32 ",%" PRId32 ",%" PRId32
                     ") was used already and may be used once",
                     items->name, tag.i, tag.j, tag.k);
    if (home != cnc->rank && !item->is_requested)
        cnc_mail_send(cnc, cnc_mail_new(cnc, CNC_REQUEST, items->number, tag, NULL, 0), home);
    item->is_requested = true;
    if (!cnc->missing)
        cnc->missing = item;
    return NULL;
}

void cnc_items_free(struct cnc_items *items)
{
    for (size_t i = 0; i < items->table.capacity; i++) {
        struct cnc_item *item = items->table.slot[i];

        if (item) {
            fr_record_free(item->mail);
            fr_record_free(item->asking);
        }
    }
    cnc_table_free(&items->table);
    fr_record_free(items);
}
