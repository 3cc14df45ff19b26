/* The kernels to model and their ranges of sizes (docs/models/kernel_models.md#domains). */
#include <stdio.h>
#include <string.h>

#include "calibrations/calibrate/blocked/modeling.h"

/* The unblocked variants of sylv walk through about n^2 empty steps: large ones take seconds. */
enum { SMALLEST = 8, LARGEST_OWN = 128 };

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

static void add(struct list *list, const char *routine, const char *flags, bool is_whole)
{
    struct fr_domain domain = { .kernel = { .routine = blocked_routine_find(routine) } };

    snprintf(domain.kernel.flags, sizeof domain.kernel.flags, "%s", flags);
    for (int i = 0; i < list->count; i++)
        if (blocked_kernel_equal(&list->domain[i].kernel, &domain.kernel))
            return;
    if (list->count == FR_KERNELS_MAX) {
        list->left_out++;
        return;
    }
    domain.alpha = strcmp(routine, "dgemm") == 0 || strcmp(routine, "dtrsm") == 0 ? -1 : 1;
    find_boxes(list->modeling, &domain, is_whole);
    list->domain[list->count++] = domain;
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
