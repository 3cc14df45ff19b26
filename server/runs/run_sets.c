/* A bounded table of sets of runs, in one arena. */
#include "server/runs/residuals.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETS = 64, SETS_BYTES = 16 * 1024 * 1024 };

struct fr_run_sets {
    pthread_mutex_t lock; /* protects all that follows, but not what is in a set */
    struct fr_arena *arena;
    const struct fr_run_set *set[MOST_SETS];
    size_t count;
};

struct fr_run_sets *fr_run_sets_new(void)
{
    struct fr_run_sets *sets = calloc(1, sizeof *sets);

    if (!sets)
        return NULL;
    sets->arena = fr_arena_new(SETS_BYTES);
    if (!sets->arena) {
        free(sets);
        return NULL;
    }
    pthread_mutex_init(&sets->lock, NULL);
    return sets;
}

void fr_run_sets_free(struct fr_run_sets *sets)
{
    if (!sets)
        return;
    fr_arena_free(sets->arena);
    pthread_mutex_destroy(&sets->lock);
    free(sets);
}

static const struct fr_run_set *find(const struct fr_run_sets *sets,
                                     const struct fr_indexed_run *const *of, size_t matching)
{
    for (size_t i = 0; i < sets->count; i++)
        if (sets->set[i]->matching == matching &&
            memcmp(sets->set[i]->of, of, matching * sizeof *of) == 0)
            return sets->set[i];
    return NULL;
}

const struct fr_run_set *fr_run_sets_find(struct fr_run_sets *sets,
                                          const struct fr_indexed_run *const *of, size_t matching)
{
    const struct fr_run_set *found;

    pthread_mutex_lock(&sets->lock);
    found = find(sets, of, matching);
    pthread_mutex_unlock(&sets->lock);
    return found;
}

static const struct fr_saved_run *copy_run(struct fr_arena *arena, const struct fr_saved_run *run)
{
    struct fr_saved_run *copy = fr_arena_zeroed(arena, 1, sizeof *copy);
    void *values = fr_arena_zeroed(arena, 1, run->model->values_size);

    if (!copy || !values)
        return NULL;
    *copy = *run;
    copy->values = memcpy(values, run->values, run->model->values_size);
    copy->document = NULL;
    copy->outputs = NULL;
    return copy;
}

static const struct fr_run_set *copy_set(struct fr_arena *arena,
                                         const struct fr_indexed_run *const *of, size_t matching,
                                         const struct fr_saved_run *const *run, size_t count)
{
    struct fr_run_set *set = fr_arena_zeroed(arena, 1, sizeof *set);

    if (!set || !(set->of = fr_arena_zeroed(arena, matching, sizeof *set->of)) ||
        !(set->run = fr_arena_zeroed(arena, count, sizeof *set->run)))
        return NULL;
    memcpy(set->of, of, matching * sizeof *of);
    set->matching = matching;
    for (; set->count < count; set->count++)
        if (!(set->run[set->count] = copy_run(arena, run[set->count])))
            return NULL;
    return set;
}

void fr_run_sets_keep(struct fr_run_sets *sets, const struct fr_indexed_run *const *of,
                      size_t matching, const struct fr_saved_run *const *run, size_t count)
{
    pthread_mutex_lock(&sets->lock);
    if (sets->count < MOST_SETS && !find(sets, of, matching)) {
        const struct fr_arena_mark mark = fr_arena_mark(sets->arena);
        const struct fr_run_set *set = copy_set(sets->arena, of, matching, run, count);

        if (set)
            sets->set[sets->count++] = set;
        else
            fr_arena_release(sets->arena, mark);
    }
    pthread_mutex_unlock(&sets->lock);
}
