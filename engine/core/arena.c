/* A bump arena: chunks in a list, the newest first.  The last chunk that was released is kept: work
 * that marks and releases in a loop would otherwise allocate the same one each time. */
#include "engine/core/arena.h"

#include <math.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(from, bytes) ((void)(from), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(from, bytes) ((void)(from), (void)(bytes))
#endif

enum { FIRST_BYTES = 64 * 1024 };

struct chunk {
    struct chunk *older;
    size_t capacity, used;
    alignas(max_align_t) char bytes[];
};

struct fr_arena {
    size_t limit, total; /* total: bytes in all chunks */
    double spent, most;  /* steps */
    bool (*goes_on)(void *context);
    void *context;
    double unwatched; /* steps since the last call of `goes_on` */
    bool is_stopped;
    struct chunk *newest, *spare; /* spare: in no list, and not in `total`; NULL: none */
};

static struct chunk *chunk_new(size_t capacity, struct chunk *older)
{
    struct chunk *chunk = malloc(sizeof *chunk + capacity);

    if (chunk) {
        chunk->older = older;
        chunk->capacity = capacity;
        chunk->used = 0;
        ASAN_POISON_MEMORY_REGION(chunk->bytes, capacity);
    }
    return chunk;
}

/* A chunk with room for so many bytes within the limit, the newest from now on.  NULL: none. */
static struct chunk *grow(struct fr_arena *arena, size_t bytes)
{
    const size_t left = arena->limit - arena->total, doubled = 2 * arena->newest->capacity;
    const size_t capacity = bytes > doubled ? bytes : doubled;
    struct chunk *chunk = arena->spare;

    if (bytes > left)
        return NULL;
    arena->spare = NULL;
    if (chunk && chunk->capacity >= bytes && chunk->capacity <= left) {
        chunk->older = arena->newest;
    } else {
        free(chunk);
        chunk = chunk_new(capacity > left ? bytes : capacity, arena->newest);
    }
    if (!chunk)
        return NULL;
    arena->total += chunk->capacity;
    return arena->newest = chunk;
}

struct fr_arena *fr_arena_new(size_t limit_bytes)
{
    struct fr_arena *arena = malloc(sizeof *arena);

    if (!arena)
        return NULL;
    arena->limit = limit_bytes > FIRST_BYTES ? limit_bytes : FIRST_BYTES;
    arena->total = FIRST_BYTES;
    arena->most = FR_MAX_STEPS;
    arena->spare = NULL;
    fr_arena_renew(arena);
    arena->newest = chunk_new(FIRST_BYTES, NULL);
    if (!arena->newest) {
        free(arena);
        return NULL;
    }
    return arena;
}

void fr_arena_free(struct fr_arena *arena)
{
    if (!arena)
        return;
    fr_arena_release(arena, (struct fr_arena_mark){ 0 });
    free(arena->spare);
    free(arena);
}

void *fr_arena_zeroed(struct fr_arena *arena, size_t count, size_t size)
{
    const size_t grain = alignof(max_align_t);
    struct chunk *chunk = arena->newest;
    size_t bytes;
    void *memory;

    if (size && count > (SIZE_MAX - grain) / size)
        return NULL;
    bytes = (count * size + grain - 1) / grain * grain;
    if (bytes > chunk->capacity - chunk->used && !(chunk = grow(arena, bytes)))
        return NULL;
    memory = chunk->bytes + chunk->used;
    chunk->used += bytes;
    ASAN_UNPOISON_MEMORY_REGION(memory, count * size);
    return memset(memory, 0, count * size);
}

void *fr_arena_longer(struct fr_arena *arena, const void *old, size_t kept, size_t count,
                      size_t size)
{
    void *longer = fr_arena_zeroed(arena, count, size);

    return longer && kept ? memcpy(longer, old, kept * size) : longer;
}

void fr_arena_watch(struct fr_arena *arena, bool (*goes_on)(void *context), void *context)
{
    arena->goes_on = goes_on;
    arena->context = context;
}

/* Whether work may go on by so many steps. */
static bool may_go_on(struct fr_arena *arena, double steps)
{
    arena->unwatched += steps > 0 ? steps : 0;
    if (arena->goes_on && !arena->is_stopped && arena->unwatched >= FR_WATCH_STEPS) {
        arena->unwatched = 0;
        arena->is_stopped = !arena->goes_on(arena->context);
    }
    return !arena->is_stopped;
}

bool fr_arena_spend(struct fr_arena *arena, double steps)
{
    arena->spent += steps;
    return may_go_on(arena, steps) && arena->spent <= arena->most;
}

double fr_arena_limit_steps(struct fr_arena *arena, double most_steps)
{
    const double before = arena->most;

    arena->most = most_steps;
    return before;
}

bool fr_arena_is_stopped(const struct fr_arena *arena)
{
    return arena->is_stopped;
}

double fr_arena_spent(const struct fr_arena *arena)
{
    return arena->spent;
}

double fr_arena_left(const struct fr_arena *arena)
{
    return fmax(arena->most - arena->spent, 0);
}

bool fr_arena_afford(struct fr_arena *arena, double steps)
{
    if (!may_go_on(arena, steps) || arena->spent + steps > arena->most)
        return false;
    arena->spent += steps;
    return true;
}

void fr_arena_renew(struct fr_arena *arena)
{
    arena->spent = arena->unwatched = 0;
    arena->is_stopped = false;
    fr_arena_watch(arena, NULL, NULL);
}

char *fr_arena_text(struct fr_arena *arena, const char *text, size_t length)
{
    char *copy = fr_arena_zeroed(arena, length + 1, 1);

    return copy && length ? memcpy(copy, text, length) : copy;
}

struct fr_arena_mark fr_arena_mark(const struct fr_arena *arena)
{
    return (struct fr_arena_mark){ arena->newest, arena->newest->used, arena->total };
}

void fr_arena_release(struct fr_arena *arena, struct fr_arena_mark mark)
{
    while (arena->newest && arena->newest != mark.chunk) {
        struct chunk *released = arena->newest;

        arena->newest = released->older;
        free(arena->spare);
        arena->spare = released;
        released->used = 0;
        ASAN_POISON_MEMORY_REGION(released->bytes, released->capacity);
    }
    if (arena->newest) {
        ASAN_POISON_MEMORY_REGION(arena->newest->bytes + mark.used,
                                  arena->newest->used - mark.used);
        arena->newest->used = mark.used;
    }
    arena->total = mark.total;
}
