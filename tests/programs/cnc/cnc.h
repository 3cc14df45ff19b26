/* Concurrent Collections on MPI: a program is steps that get and put items; when a step runs and
 * where follows from what it needs.
 *
 * Item collections hold values under tags, each put once.  Step collections have a function.  A tag
 * put into a tag collection prescribes one instance of every step collection behind it.  A step
 * gets all that it needs before it puts anything: where something is missing it returns, and is run
 * again once that is there.  An item that nobody puts leaves its steps waiting for ever.
 *
 * Every rank makes the same collections in the same order.  There are no threads: messages are
 * looked after between steps, and wherever a long step calls cnc_progress.
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

/* Which rank an item or a step belongs to, the same on all ranks. */
struct cnc_place {
    int (*rank)(const void *context, struct cnc_tag tag);
    const void *context;
};

/* Without `moves_data` every get finds an item of zeros at once and what is put is forgotten: steps
 * run and nothing is sent but tags.  Freeing frees all collections. */
struct cnc *cnc_new(MPI_Comm comm, bool moves_data);
void cnc_free(struct cnc *cnc);

/* Items of `bytes` each.  They are sent to their home when they are put, and from there to those
 * who get them.  Of a collection whose items are used once only the tag is kept after that. */
struct cnc_items *cnc_items_new(struct cnc *cnc, const char *name, size_t bytes, bool is_used_once,
                                struct cnc_place home);
/* Returns false where a get failed. */
typedef bool cnc_step(struct cnc *cnc, struct cnc_tag tag, void *context);
struct cnc_steps *cnc_steps_new(struct cnc *cnc, const char *name, cnc_step *run, void *context,
                                struct cnc_place place);
struct cnc_tags *cnc_tags_new(struct cnc *cnc, const char *name);
void cnc_prescribe(struct cnc_tags *tags, struct cnc_steps *steps);

/* A tag may be put more than once, and prescribes once. */
void cnc_put_tag(struct cnc_tags *tags, struct cnc_tag tag);
/* Copies the value.  A second put of an item is refused: here with false, or by the item's home. */
bool cnc_put(struct cnc_items *items, struct cnc_tag tag, const void *value);
/* Within steps: the value, which stays until the step returns; NULL: it is on its way. */
const void *cnc_get(struct cnc_items *items, struct cnc_tag tag);
void cnc_progress(struct cnc *cnc);

/* Collective: runs steps until none is left anywhere.  Returns how many puts were refused on all
 * ranks; the first on this rank is worded in cnc_fault. */
int cnc_wait(struct cnc *cnc);
const char *cnc_fault(const struct cnc *cnc);
/* Bytes of items that came from other ranks. */
double cnc_received_bytes(const struct cnc *cnc);

#endif
