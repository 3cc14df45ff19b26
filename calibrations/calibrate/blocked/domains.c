/* The kernels to model and their ranges of sizes (docs/models/kernel_models.md#domains). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/blocked/modeling.h"

/* The unblocked variants of sylv walk through about n^2 empty steps: large ones take seconds. */
enum { SMALLEST = 8, LARGEST_OWN = 128 };
/* Of a model of two and of three sizes by default, so that a noisy machine does not refine for
 * ever. */
enum { SAMPLES_OF_TWO = 400, SAMPLES_OF_THREE = 1000 };

struct list {
    const struct fr_modeling *modeling;
    struct fr_domain *domain;
    int count, left_out;
};

/* Adds a box from 8 to the matrix size ('N') or block size ('B'), one letter of `high` per size. */
static void add_box(const struct fr_modeling *m, struct fr_domain *domain, const char *high)
{
    struct blocked_box *box = &domain->box[domain->boxes++];
    const char *name = domain->kernel.routine->name;
    const bool is_own = strncmp(name, "sylv", 4) == 0 && strcmp(name, "sylv_unb") != 0;

    for (size_t d = 0; high[d]; d++) {
        box->min[d] = SMALLEST;
        box->max[d] = high[d] == 'N' ? m->size : m->block;
        if (is_own && box->max[d] > LARGEST_OWN)
            box->max[d] = LARGEST_OWN;
    }
}

/* The boxes of a kernel: the sizes that occur in the algorithms, or `is_whole`, all up to N. */
static void find_boxes(const struct fr_modeling *m, struct fr_domain *domain, bool is_whole)
{
    const char *name = domain->kernel.routine->name, *flags = domain->kernel.flags;

    if (is_whole) {
        add_box(m, domain, &"NNN"[3 - domain->kernel.routine->sizes]);
    } else if (strcmp(name, "dgemm") == 0) {
        add_box(m, domain, "NNB");
        add_box(m, domain, "NBN");
        add_box(m, domain, "BNN");
    } else if (strcmp(name, "dtrsm") == 0) {
        add_box(m, domain, flags[0] == 'L' ? "BN" : "NB");
        if (flags[0] == 'L')
            add_box(m, domain, "NB");
    } else if (strcmp(name, "dtrmm") == 0) {
        add_box(m, domain, flags[0] == 'L' ? "NB" : "BN");
    } else {
        add_box(m, domain, &"BB"[2 - domain->kernel.routine->sizes]);
    }
}

static bool has_box(const struct fr_domain *domain, const struct blocked_box *box)
{
    for (size_t i = 0; i < domain->boxes; i++) {
        bool is_inside = true;

        for (size_t d = 0; d < domain->kernel.routine->sizes; d++)
            is_inside = is_inside && domain->box[i].min[d] <= box->min[d] &&
                        domain->box[i].max[d] >= box->max[d];
        if (is_inside)
            return true;
    }
    return false;
}

/* Adds a domain.  A kernel that is in the list has one model over the boxes of both. */
static void add_domain(struct list *list, const struct fr_domain *domain)
{
    for (int i = 0; i < list->count; i++) {
        struct fr_domain *old = &list->domain[i];

        if (!blocked_kernel_equal(&old->kernel, &domain->kernel))
            continue;
        for (size_t k = 0; k < domain->boxes; k++)
            if (old->boxes < FR_BOXES_MAX && !has_box(old, &domain->box[k]))
                old->box[old->boxes++] = domain->box[k];
        return;
    }
    if (list->count == FR_KERNELS_MAX) {
        list->left_out++;
        return;
    }
    list->domain[list->count++] = *domain;
}

static struct fr_domain domain_of(const struct fr_modeling *m, const char *routine,
                                  const char *flags)
{
    struct fr_domain domain = {
        .kernel = { .routine = blocked_routine_find(routine) },
        .alpha = strcmp(routine, "dgemm") == 0 || strcmp(routine, "dtrsm") == 0 ? -1 : 1
    };

    snprintf(domain.kernel.flags, sizeof domain.kernel.flags, "%s", flags);
    if (m->most_samples)
        domain.most_samples = (size_t)m->most_samples;
    else if (domain.kernel.routine->sizes > 1)
        domain.most_samples = domain.kernel.routine->sizes == 3 ? SAMPLES_OF_THREE : SAMPLES_OF_TWO;
    return domain;
}

static void add(struct list *list, const char *routine, const char *flags, bool is_whole)
{
    struct fr_domain domain = domain_of(list->modeling, routine, flags);

    find_boxes(list->modeling, &domain, is_whole);
    add_domain(list, &domain);
}

static void add_unblocked(struct list *list, const char *of, int variants)
{
    char name[32];

    for (int v = 1; v <= variants; v++) {
        snprintf(name, sizeof name, "%s%d_unb", of, v);
        add(list, name, "", false);
    }
}

/* Adds a kernel given as `dtrsm:LLNN`. */
static int add_kernel(struct list *list, const char *text, char why[160])
{
    char name[32];
    const size_t length = strcspn(text, ":");
    const char *flags = text[length] ? text + length + 1 : "";
    const struct blocked_routine *routine;

    snprintf(name, sizeof name, "%.*s", (int)(length < 31 ? length : 31), text);
    routine = blocked_routine_find(name);
    if (!routine) {
        snprintf(why, 160, "%s is not trinv, sylv, sylv_own or a routine", name);
        return -1;
    }
    if (strlen(flags) != routine->flags) {
        snprintf(why, 160, "%s takes %zu flags; dtrsm takes four, dtrsm:LLNN", name,
                 routine->flags);
        return -1;
    }
    for (size_t i = 0; i < routine->flags; i++)
        if (!strchr(routine->flag_letters[i], flags[i])) {
            snprintf(why, 160, "%s: flag %s must be one of %s, not %c", name,
                     routine->flag_names[i], routine->flag_letters[i], flags[i]);
            return -1;
        }
    add(list, name, flags, routine->sizes > 1);
    return 0;
}

static int add_named(struct list *list, const char *name, char why[160])
{
    const bool is_trinv = strcmp(name, "trinv") == 0, is_own = strcmp(name, "sylv_own") == 0;

    if (strcmp(name, "panels") == 0) {
        snprintf(why, 160, "panels is replaced by the benchmark calls: --only=calls");
        return -1;
    }
    if (is_trinv) {
        add_unblocked(list, "trinv", 4);
        add(list, "dtrsm", "LLNN", false);
        add(list, "dtrsm", "RLNN", false);
        add(list, "dtrmm", "RLNN", false);
    } else if (strcmp(name, "sylv") == 0) {
        add(list, "sylv_unb", "", false);
    } else if (is_own) {
        add_unblocked(list, "sylv", 16);
    } else {
        return add_kernel(list, name, why);
    }
    add(list, "dgemm", "NN", false);
    return 0;
}

/* dgemm takes longest.  It is last, so that a time limit affects no other kernel. */
static void put_last(struct list *list, const char *routine)
{
    for (int i = 0; i + 1 < list->count; i++)
        if (strcmp(list->domain[i].kernel.routine->name, routine) == 0) {
            const struct fr_domain moved = list->domain[i];

            memmove(&list->domain[i], &list->domain[i + 1],
                    (size_t)(list->count - i - 1) * sizeof moved);
            list->domain[list->count - 1] = moved;
            return;
        }
}

int fr_domains_find(const struct fr_modeling *modeling, struct fr_domain domain[FR_KERNELS_MAX],
                    char why[160])
{
    struct list list = { modeling, domain, 0, 0 };
    char name[64];

    for (const char *at = modeling->kernels; at; at = strchr(at, ',')) {
        at += *at == ',';
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        if (add_named(&list, name, why))
            return -1;
    }
    if (list.left_out) {
        snprintf(why, 160, "%d kernels more than the limit of %d; leave some out", list.left_out,
                 FR_KERNELS_MAX);
        return -1;
    }
    put_last(&list, "dgemm");
    return list.count;
}

bool fr_domains_has(const char *name)
{
    struct fr_modeling modeling = fr_modeling_default();
    struct fr_domain *domain = calloc(FR_KERNELS_MAX, sizeof *domain);
    char why[160];
    bool has;

    modeling.kernels = name;
    modeling.size = modeling.block = SMALLEST;
    has = domain && fr_domains_find(&modeling, domain, why) > 0;
    free(domain);
    return has;
}
