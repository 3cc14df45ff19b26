/* A ring of answers. */
#include "server/runs/run_answers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_ANSWERS = 64 };

struct kept {
    struct fr_loaded *loaded; /* a share */
    uint64_t given;
    struct fr_spread spread;
    struct fr_prediction prediction;
    unsigned char values[]; /* as asked, then resolved */
};

struct fr_run_answers {
    size_t values_size;
    pthread_mutex_t lock; /* protects all that follows */
    struct kept *kept[KEPT_ANSWERS];
    size_t next;
};

struct fr_run_answers *fr_run_answers_new(size_t values_size)
{
    struct fr_run_answers *answers = calloc(1, sizeof *answers);

    if (answers) {
        answers->values_size = values_size;
        pthread_mutex_init(&answers->lock, NULL);
    }
    return answers;
}

static void drop(struct kept *kept)
{
    if (kept)
        fr_loaded_drop(kept->loaded);
    free(kept);
}

void fr_run_answers_free(struct fr_run_answers *answers)
{
    if (!answers)
        return;
    for (size_t i = 0; i < KEPT_ANSWERS; i++)
        drop(answers->kept[i]);
    pthread_mutex_destroy(&answers->lock);
    free(answers);
}

bool fr_run_answers_find(struct fr_run_answers *answers, const struct fr_loaded *loaded,
                         uint64_t given, void *values, struct fr_prediction *prediction,
                         struct fr_spread *spread)
{
    const size_t size = answers->values_size;
    bool is_found = false;

    pthread_mutex_lock(&answers->lock);
    for (size_t i = 0; i < KEPT_ANSWERS && answers->kept[i] && !is_found; i++) {
        const struct kept *kept = answers->kept[i];

        is_found = kept->loaded == loaded && kept->given == given &&
                   memcmp(kept->values, values, size) == 0;
        if (!is_found)
            continue;
        memcpy(values, kept->values + size, size);
        *prediction = kept->prediction;
        *spread = kept->spread;
    }
    pthread_mutex_unlock(&answers->lock);
    return is_found;
}

void fr_run_answers_keep(struct fr_run_answers *answers, const struct fr_run_answer *answer)
{
    const size_t size = answers->values_size;
    struct kept *kept = malloc(sizeof *kept + 2 * size), *old;

    if (!kept)
        return;
    kept->loaded = fr_loaded_share(answer->loaded);
    kept->given = answer->given;
    kept->spread = answer->spread;
    kept->prediction = *answer->prediction;
    memcpy(kept->values, answer->asked, size);
    memcpy(kept->values + size, answer->resolved, size);
    pthread_mutex_lock(&answers->lock);
    old = answers->kept[answers->next];
    answers->kept[answers->next] = kept;
    answers->next = (answers->next + 1) % KEPT_ANSWERS;
    pthread_mutex_unlock(&answers->lock);
    drop(old);
}
