/* Private declarations of the layer. */
#ifndef PARTS_H
#define PARTS_H

#include "tests/programs/cnc/cnc.h"

enum { CNC_COLLECTIONS_MAX = 16, CNC_GETS_MAX = 8, CNC_SLOTS = 4 };

/* A hash table by tag; entries start with their tag. */
struct cnc_table {
    void **slot;
    size_t capacity, count;
};
/* The entry of a tag; a new entry of `size` zeroed bytes if there is none. */
void *cnc_table_find(struct cnc_table *table, struct cnc_tag tag, size_t size);
void cnc_table_free(struct cnc_table *table);

enum cnc_kind { CNC_ITEM, CNC_COPY, CNC_REQUEST, CNC_INSTANCE, CNC_PROBE, CNC_REPLY, CNC_END };

struct cnc_mail {
    struct cnc_head {
        int32_t kind, collection, from, bytes;
        struct cnc_tag tag;
        int32_t spare;
    } head;
    char value[];
};

struct cnc_post {
    size_t bytes; /* of the largest value */
    int count, capacity;
    MPI_Request *request; /* CNC_SLOTS receives, then the pending sends */
    struct cnc_mail **mail;
    struct cnc_mail **spare; /* free buffers */
    int spares, spares_max;
};

struct cnc_instance {
    struct cnc_steps *steps;
    struct cnc_tag tag;
    struct cnc_instance *next;
};
struct cnc_queue {
    struct cnc_instance *first, *last;
};

enum cnc_state { CNC_ABSENT, CNC_PRESENT, CNC_GONE };
struct cnc_item {
    struct cnc_tag tag;
    enum cnc_state state;
    bool is_requested;
    struct cnc_mail *mail;    /* its value */
    struct cnc_queue blocked; /* waiting instances of this rank */
    int *asking, askings;     /* ranks that requested it */
};

struct cnc_items {
    struct cnc *cnc;
    int number;
    const char *name;
    size_t bytes;
    bool is_used_once;
    struct cnc_place home;
    struct cnc_table table;
};
struct cnc_steps {
    struct cnc *cnc;
    int number;
    const char *name;
    cnc_step *run;
    void *context;
    struct cnc_place place;
    struct cnc_table prescribed;
};
struct cnc_tags {
    struct cnc *cnc;
    const char *name;
    struct cnc_steps *steps[CNC_COLLECTIONS_MAX];
    int count;
};

struct cnc {
    MPI_Comm comm;
    int rank, size;
    bool moves_data;
    struct cnc_items *items[CNC_COLLECTIONS_MAX];
    struct cnc_steps *steps[CNC_COLLECTIONS_MAX];
    struct cnc_tags *tags[CNC_COLLECTIONS_MAX];
    int items_count, steps_count, tags_count;
    void *zeros;
    struct cnc_post post;
    struct cnc_queue ready;
    int blocked;
    /* State of the running step. */
    struct cnc_item *missing, *got[CNC_GETS_MAX];
    int gots;
    /* Termination by Mattern's four counters: messages sent and received, and rounds of rank 0. */
    int64_t sent, received;
    int64_t sum_sent, sum_received, last_sum;
    int replies;
    bool is_asked, is_asking, has_ended;
    double received_bytes;
    int refused;
    char fault[200];
};

void cnc_queue_add(struct cnc_queue *queue, struct cnc_instance *instance);
void cnc_make_ready(struct cnc_steps *steps, struct cnc_tag tag);

/* items.c: handle an item that arrived, and a request for an item. */
void cnc_item_arrive(struct cnc_items *items, struct cnc_tag tag, struct cnc_mail *mail);
void cnc_item_ask(struct cnc_items *items, struct cnc_tag tag, int rank);
void cnc_item_release(struct cnc *cnc, struct cnc_item *item);
void cnc_items_free(struct cnc_items *items);

/* mail.c */
struct cnc_mail *cnc_mail_new(struct cnc *cnc, enum cnc_kind kind, int collection,
                              struct cnc_tag tag, const void *value, size_t bytes);
void cnc_mail_free(struct cnc *cnc, struct cnc_mail *mail);
void cnc_mail_send(struct cnc *cnc, struct cnc_mail *mail, int rank);
void cnc_mail_begin(struct cnc *cnc);
/* Handles received messages, or waits for one; false if there was none. */
bool cnc_mail_take(struct cnc *cnc, bool waits);
void cnc_mail_end(struct cnc *cnc);
/* cnc.c: handles a message; returns whether its buffer is kept. */
bool cnc_handle(struct cnc *cnc, struct cnc_mail *mail);

void *cnc_room(size_t count, size_t size);

#endif
