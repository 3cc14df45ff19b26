/* An arena: the memory of a request, and a count of its work. */
#ifndef FR_CORE_ARENA_H
#define FR_CORE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct fr_arena;

/* The first 64 KiB come with the arena.  NULL where memory is short.  Free with fr_arena_free. */
struct fr_arena *fr_arena_new(size_t limit_bytes);
void fr_arena_free(struct fr_arena *arena);
/* Zeroed, aligned for any type; NULL beyond the limit (report FR_NOMEM). */
void *fr_arena_zeroed(struct fr_arena *arena, size_t count, size_t size);
char *fr_arena_text(struct fr_arena *arena, const char *text, size_t length);
/* Counts work whose amount the client chooses, in steps of some nanoseconds; false once the request
 * has taken more than FR_MAX_STEPS, some seconds' worth (report FR_NOMEM). */
#define FR_MAX_STEPS 4e8
bool fr_arena_spend(struct fr_arena *arena, double steps);
/* The same, but what there is not enough for is not counted: smaller work may still be done.
 * Negative steps give back what was not done after all. */
bool fr_arena_afford(struct fr_arena *arena, double steps);
/* Counts from nothing: for another request, or a thing that has its own share. */
void fr_arena_renew(struct fr_arena *arena);
/* A mark, and a return to it: what was allocated since is given back. */
struct fr_arena_mark {
    void *chunk;
    size_t used, total;
};
struct fr_arena_mark fr_arena_mark(const struct fr_arena *arena);
void fr_arena_release(struct fr_arena *arena, struct fr_arena_mark mark);

#endif
