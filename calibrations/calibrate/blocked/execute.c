/* Calls of all kernels; the table of executors, with the shapes of operands, is at the end. */
#include "calibrations/calibrate/blocked/sampler.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/blocked/unblocked.h"
#include "calibrations/calibrate/core/blas.h"

static const double one = 1;

static void run_dgemm(const struct fr_execution *e)
{
    const struct fr_operand *a = &e->operand[0], *b = &e->operand[1], *c = &e->operand[2];

    dgemm_(&e->flags[0], &e->flags[1], &e->size[0], &e->size[1], &e->size[2], &e->alpha, a->at,
           &a->leading, b->at, &b->leading, &one, c->at, &c->leading, 1, 1);
}

#define RUN_TRIANGLE(name)                                                                        \
    static void run_##name(const struct fr_execution *e)                                          \
    {                                                                                             \
        const struct fr_operand *a = &e->operand[0], *b = &e->operand[1];                         \
                                                                                                  \
        name##_(&e->flags[0], &e->flags[1], &e->flags[2], &e->flags[3], &e->size[0], &e->size[1], \
                &e->alpha, a->at, &a->leading, b->at, &b->leading, 1, 1, 1, 1);                   \
    }
RUN_TRIANGLE(dtrsm)
RUN_TRIANGLE(dtrmm)

static void run_dsyrk(const struct fr_execution *e)
{
    const struct fr_operand *a = &e->operand[0], *c = &e->operand[1];

    dsyrk_(&e->flags[0], &e->flags[1], &e->size[0], &e->size[1], &e->alpha, a->at, &a->leading,
           &one, c->at, &c->leading, 1, 1);
}

static void run_dsymm(const struct fr_execution *e)
{
    const struct fr_operand *a = &e->operand[0], *b = &e->operand[1], *c = &e->operand[2];

    dsymm_(&e->flags[0], &e->flags[1], &e->size[0], &e->size[1], &e->alpha, a->at, &a->leading,
           b->at, &b->leading, &one, c->at, &c->leading, 1, 1);
}

static void run_dpotrf(const struct fr_execution *e)
{
    const struct fr_operand *a = &e->operand[0];
    int info;

    dpotrf_(&e->flags[0], &e->size[0], a->at, &a->leading, &info, 1);
    assert(info == 0);
}

static void run_dtrtri(const struct fr_execution *e)
{
    const struct fr_operand *a = &e->operand[0];
    int info;

    dtrtri_(&e->flags[0], &e->flags[1], &e->size[0], a->at, &a->leading, &info, 1, 1);
    assert(info == 0);
}

static void run_dgetrf(const struct fr_execution *e)
{
    const struct fr_operand *a = &e->operand[0];
    int info;

    dgetrf_(&e->size[0], &e->size[1], a->at, &a->leading, e->pivots, &info);
    assert(info == 0);
}

static void run_trinv(const struct fr_execution *e)
{
    fr_unblocked_trinv(e->variant, e->size[0], e->operand[0].at, e->operand[0].leading);
}

static void run_sylv(const struct fr_execution *e)
{
    const struct fr_operand *l = &e->operand[0], *u = &e->operand[1], *x = &e->operand[2];

    if (e->variant)
        fr_unblocked_sylv_own(e->variant, e->size[0], e->size[1], l->at, l->leading, u->at,
                              u->leading, x->at, x->leading);
    else
        fr_unblocked_sylv(e->size[0], e->size[1], l->at, l->leading, u->at, u->leading, x->at,
                          x->leading);
}

static const struct fr_executor executors[] = {
    { .name = "dgemm",
      .shape = { { "A", 0, 2, 1 }, { "B", 2, 1, 2 }, { "C", 0, 1, 0 } },
      .operands = 3,
      .has_beta = true,
      .run = run_dgemm },
    { .name = "dtrsm",
      .shape = { { "A", FR_SIDE, FR_SIDE, 0 }, { "B", 0, 1, 0 } },
      .operands = 2,
      .run = run_dtrsm },
    { .name = "dtrmm",
      .shape = { { "A", FR_SIDE, FR_SIDE, 0 }, { "B", 0, 1, 0 } },
      .operands = 2,
      .run = run_dtrmm },
    { .name = "dsyrk",
      .shape = { { "A", 0, 1, 2 }, { "C", 0, 0, 0 } },
      .operands = 2,
      .has_beta = true,
      .run = run_dsyrk },
    { .name = "dsymm",
      .shape = { { "A", FR_SIDE, FR_SIDE, 0 }, { "B", 0, 1, 0 }, { "C", 0, 1, 0 } },
      .operands = 3,
      .has_beta = true,
      .run = run_dsymm },
    { .name = "dpotrf",
      .shape = { { "A", 0, 0, 0 } },
      .operands = 1,
      .uses_up = true,
      .run = run_dpotrf },
    { .name = "dgetrf",
      .shape = { { "A", 0, 1, 0 } },
      .operands = 1,
      .uses_up = true,
      .run = run_dgetrf },
    { .name = "dtrtri",
      .shape = { { "A", 0, 0, 0 } },
      .operands = 1,
      .uses_up = true,
      .run = run_dtrtri },
    { .name = "trinv",
      .shape = { { "L", 0, 0, 0 } },
      .operands = 1,
      .uses_up = true,
      .run = run_trinv },
    { .name = "sylv",
      .shape = { { "L", 0, 0, 0 }, { "U", 1, 1, 0 }, { "X", 0, 1, 0 } },
      .operands = 3,
      .uses_up = true,
      .run = run_sylv },
};

enum { EXECUTORS = sizeof executors / sizeof *executors };

const struct fr_executor *fr_executor_find(const struct blocked_routine *routine)
{
    for (int i = 0; i < EXECUTORS; i++)
        if (strncmp(routine->name, executors[i].name, strlen(executors[i].name)) == 0)
            return &executors[i];
    return NULL;
}

static int size_of(const struct fr_execution *e, int index)
{
    return e->size[index == FR_SIDE ? e->flags[0] != 'L' : index];
}

static void set_shapes(struct fr_execution *e)
{
    for (size_t i = 0; i < e->executor->operands; i++) {
        const struct fr_shape *shape = &e->executor->shape[i];
        const bool is_transposed = shape->trans && e->flags[shape->trans - 1] != 'N';

        e->operand[i].rows = size_of(e, is_transposed ? shape->columns : shape->rows);
        e->operand[i].columns = size_of(e, is_transposed ? shape->rows : shape->columns);
    }
}

struct fr_execution fr_execution_of(const struct blocked_call *call)
{
    const struct blocked_routine *routine = call->kernel.routine;
    struct fr_execution execution = { .executor = fr_executor_find(routine), .alpha = call->alpha };

    assert(execution.executor);
    memcpy(execution.flags, call->kernel.flags, sizeof execution.flags);
    for (size_t d = 0; d < routine->sizes; d++)
        execution.size[d] = (int)call->size[d];
    /* 16 of "sylv16_unb"; other names have no digit there, which gives 0. */
    execution.variant = atoi(routine->name + strlen(execution.executor->name));
    set_shapes(&execution);
    return execution;
}
