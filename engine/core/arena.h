/* An arena: the memory of a request, and a count of its work. */
#ifndef FR_CORE_ARENA_H
#define FR_CORE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct fr_arena;

/* Allocates an arena whose first chunk holds 64 KiB; allocations beyond `limit_bytes` fail.  NULL
 * if memory is short.  Free with fr_arena_free. */
struct fr_arena *fr_arena_new(size_t limit_bytes);
/* Frees everything that came from the arena.  Accepts NULL. */
void fr_arena_free(struct fr_arena *arena);
/* Returns `count` zeroed objects of `size` bytes, aligned for any type; NULL beyond the limit
 * (report FR_NOMEM). */
void *fr_arena_zeroed(struct fr_arena *arena, size_t count, size_t size);
/* The same, beginning with a copy of the first `kept` of `old`, which may be NULL where that is 0.
 */
void *fr_arena_longer(struct fr_arena *arena, const void *old, size_t kept, size_t count,
                      size_t size);
/* Returns a NUL-terminated copy of `length` bytes, or NULL beyond the limit. */
char *fr_arena_text(struct fr_arena *arena, const char *text, size_t length);
/* Counts work whose amount the client chooses, in steps of a few nanoseconds.  Returns false once
 * the request has taken more than FR_MAX_STEPS, which is a few seconds (report FR_NOMEM). */
#define FR_MAX_STEPS 4e8
bool fr_arena_spend(struct fr_arena *arena, double steps);
/* Another limit than FR_MAX_STEPS, or than the one before, which is returned. */
double fr_arena_limit_steps(struct fr_arena *arena, double most_steps);
/* Counts the steps only if the request can afford all of them, so that smaller work remains
 * possible. Negative steps return an allowance that was not used. */
bool fr_arena_afford(struct fr_arena *arena, double steps);
/* The steps that were counted, and those that are left. */
double fr_arena_spent(const struct fr_arena *arena);
double fr_arena_left(const struct fr_arena *arena);
/* Has `goes_on` called while work is counted, at least every FR_WATCH_STEPS steps; it must not
 * count work itself.  Once it returns false, the arena refuses every step, as at the limit.  NULL
 * ends the calls.  Borrows `context`. */
#define FR_WATCH_STEPS 1e6
void fr_arena_watch(struct fr_arena *arena, bool (*goes_on)(void *context), void *context);
/* Whether `goes_on` returned false: nobody waits for the answer. */
bool fr_arena_is_stopped(const struct fr_arena *arena);
/* Resets the count of steps and ends watching, for the next request or for work with an allowance
 * of its own. */
void fr_arena_renew(struct fr_arena *arena);
/* A position in the arena.  fr_arena_release frees everything allocated after the mark. */
struct fr_arena_mark {
    void *chunk;
    size_t used, total;
};
struct fr_arena_mark fr_arena_mark(const struct fr_arena *arena);
void fr_arena_release(struct fr_arena *arena, struct fr_arena_mark mark);

#endif
