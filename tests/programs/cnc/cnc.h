/* Concurrent Collections on MPI: a program consists of steps that get and put items; the items that
 * a step needs determine when and where it runs.
 *
 * Item collections hold values by tag, each put once.  Step collections have a function.  A tag put
 * into a tag collection prescribes one instance of every step collection attached to it.  A step
 * gets all its items before it puts any.  If an item is missing it returns, and it runs again when
 * the item is present.  An item that is never put blocks its steps forever.
 *
 * Every rank creates the same collections in the same order.  There are no threads: messages are
 * handled between steps and when a long step calls cnc_progress.
 */
#ifndef CNC_H
#define CNC_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cnc_tag {
    int32_t i, j, k;
};

struct cnc;
struct cnc_items;
struct cnc_steps;
struct cnc_tags;

/* The rank of an item or a step; the same on all ranks. */
struct cnc_place {
    int (*rank)(const void *context, struct cnc_tag tag);
    const void *context;
};

/* Without `moves_data` every get returns an item of zeros and puts are ignored: steps run, and only
 * tags are sent.  cnc_free frees all collections. */
struct cnc *cnc_new(MPI_Comm comm, bool moves_data);
void cnc_free(struct cnc *cnc);

/* A collection of items of `bytes` each.  A put sends an item to its home rank, and a get requests
 * it from there.  If items are used once, only their tags are kept afterwards. */
struct cnc_items *cnc_items_new(struct cnc *cnc, const char *name, size_t bytes, bool is_used_once,
                                struct cnc_place home);
/* Returns false if an item was missing. */
typedef bool cnc_step(struct cnc *cnc, struct cnc_tag tag, void *context);
struct cnc_steps *cnc_steps_new(struct cnc *cnc, const char *name, cnc_step *run, void *context,
                                struct cnc_place place);
struct cnc_tags *cnc_tags_new(struct cnc *cnc, const char *name);
void cnc_prescribe(struct cnc_tags *tags, struct cnc_steps *steps);

/* A tag may be put more than once but prescribes its steps once. */
void cnc_put_tag(struct cnc_tags *tags, struct cnc_tag tag);
/* Copies the value.  A second put of an item is refused: by false on its home rank, else by a
 * message of the home rank. */
bool cnc_put(struct cnc_items *items, struct cnc_tag tag, const void *value);
/* For steps: the value, valid until the step returns, or NULL if it has been requested. */
const void *cnc_get(struct cnc_items *items, struct cnc_tag tag);
void cnc_progress(struct cnc *cnc);

/* Collective: runs steps until none is left on any rank.  Returns the number of puts refused on all
 * ranks; cnc_fault describes the first one on this rank. */
int cnc_wait(struct cnc *cnc);
const char *cnc_fault(const struct cnc *cnc);
/* Bytes of items received from other ranks. */
double cnc_received_bytes(const struct cnc *cnc);

#endif
