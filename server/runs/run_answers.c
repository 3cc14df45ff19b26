#include "server/runs/residuals.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT_ANSWERS = 64 };

struct kept {
    struct fr_cached cached;
    struct fr_run_answer answer; /* with a share of the calibration */
    struct fr_prediction prediction;
    unsigned char values[]; /* as asked, then resolved */
};

static bool is_it(const void *value, const void *key)
{
    const struct fr_run_answer *answer = &((const struct kept *)value)->answer, *question = key;

    return answer->loaded == question->loaded && answer->given == question->given &&
           memcmp(answer->asked, question->asked, answer->values_size) == 0;
}

static void free_kept(void *value)
{
    fr_cached_drop(((struct kept *)value)->answer.loaded);
    free(value);
}

struct fr_cache *fr_run_answers_new(void)
{
    return fr_cache_new(is_it, 0, KEPT_ANSWERS);
}

bool fr_run_answers_find(struct fr_cache *answers, const struct fr_run_answer *question,
                         void *resolved, struct fr_prediction *prediction, struct fr_spread *spread)
{
    struct kept *kept = fr_cache_find(answers, question);

    if (!kept)
        return false;
    memcpy(resolved, kept->answer.resolved, question->values_size);
    *prediction = kept->prediction;
    *spread = kept->answer.spread;
    fr_cached_drop(kept);
    return true;
}

void fr_run_answers_keep(struct fr_cache *answers, const struct fr_run_answer *answer)
{
    const size_t size = answer->values_size;
    struct kept *kept = malloc(sizeof *kept + 2 * size);

    if (!kept)
        return;
    kept->cached = (struct fr_cached){ .owners = 1, .free = free_kept };
    kept->answer = *answer;
    kept->prediction = *answer->prediction;
    kept->answer.loaded = fr_cached_share(answer->loaded);
    kept->answer.asked = memcpy(kept->values, answer->asked, size);
    kept->answer.resolved = memcpy(kept->values + size, answer->resolved, size);
    kept->answer.prediction = &kept->prediction;
    fr_cached_drop(fr_cache_keep(answers, answer, kept));
}
