/* Shapes and calls of all kernels; the table of executors is at the end. */
#include "calibrations/calibrate/blocked/execute.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/blocked/unblocked.h"
#include "calibrations/calibrate/core/blas.h"

static const double one = 1;

static void set_shape(struct fr_execution *e, size_t operand, int rows, int columns)
{
    e->operand[operand].rows = rows;
    e->operand[operand].columns = columns;
}

/* The stored shape: rows and columns are exchanged if the operand is transposed. */
static void set_stored(struct fr_execution *e, size_t operand, char trans, int rows, int columns)
{
    if (trans == 'N')
        set_shape(e, operand, rows, columns);
    else
        set_shape(e, operand, columns, rows);
}

static void shape_dgemm(struct fr_execution *e)
{
    const int m = e->size[0], n = e->size[1], k = e->size[2];

    set_stored(e, 0, e->flags[0], m, k);
    set_stored(e, 1, e->flags[1], k, n);
    set_shape(e, 2, m, n);
}

static void run_dgemm(const struct fr_execution *e)
{
    const struct fr_operand *a = &e->operand[0], *b = &e->operand[1], *c = &e->operand[2];

    dgemm_(&e->flags[0], &e->flags[1], &e->size[0], &e->size[1], &e->size[2], &e->alpha, a->at,
           &a->leading, b->at, &b->leading, &one, c->at, &c->leading, 1, 1);
}

/* dtrsm, dtrmm: the triangle is on the side of the first flag. */
static void shape_triangle(struct fr_execution *e)
{
    const int m = e->size[0], n = e->size[1], order = e->flags[0] == 'L' ? m : n;

    set_shape(e, 0, order, order);
    set_shape(e, 1, m, n);
}

static void run_dtrsm(const struct fr_execution *e)
{
    const struct fr_operand *a = &e->operand[0], *b = &e->operand[1];

    dtrsm_(&e->flags[0], &e->flags[1], &e->flags[2], &e->flags[3], &e->size[0], &e->size[1],
           &e->alpha, a->at, &a->leading, b->at, &b->leading, 1, 1, 1, 1);
}

static void run_dtrmm(const struct fr_execution *e)
{
    const struct fr_operand *a = &e->operand[0], *b = &e->operand[1];

    dtrmm_(&e->flags[0], &e->flags[1], &e->flags[2], &e->flags[3], &e->size[0], &e->size[1],
           &e->alpha, a->at, &a->leading, b->at, &b->leading, 1, 1, 1, 1);
}

static void shape_dsyrk(struct fr_execution *e)
{
    const int n = e->size[0], k = e->size[1];

    set_stored(e, 0, e->flags[1], n, k);
    set_shape(e, 1, n, n);
}

static void run_dsyrk(const struct fr_execution *e)
{
    const struct fr_operand *a = &e->operand[0], *c = &e->operand[1];

    dsyrk_(&e->flags[0], &e->flags[1], &e->size[0], &e->size[1], &e->alpha, a->at, &a->leading,
           &one, c->at, &c->leading, 1, 1);
}

static void shape_dsymm(struct fr_execution *e)
{
    const int m = e->size[0], n = e->size[1], order = e->flags[0] == 'L' ? m : n;

    set_shape(e, 0, order, order);
    set_shape(e, 1, m, n);
    set_shape(e, 2, m, n);
}

static void run_dsymm(const struct fr_execution *e)
{
    const struct fr_operand *a = &e->operand[0], *b = &e->operand[1], *c = &e->operand[2];

    dsymm_(&e->flags[0], &e->flags[1], &e->size[0], &e->size[1], &e->alpha, a->at, &a->leading,
           b->at, &b->leading, &one, c->at, &c->leading, 1, 1);
}

static void shape_square(struct fr_execution *e)
{
    set_shape(e, 0, e->size[0], e->size[0]);
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

static void shape_dgetrf(struct fr_execution *e)
{
    set_shape(e, 0, e->size[0], e->size[1]);
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

static void shape_sylv(struct fr_execution *e)
{
    const int m = e->size[0], n = e->size[1];

    set_shape(e, 0, m, m);
    set_shape(e, 1, n, n);
    set_shape(e, 2, m, n);
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
      .operand_names = { "A", "B", "C" },
      .operands = 3,
      .has_beta = true,
      .shape = shape_dgemm,
      .run = run_dgemm },
    { .name = "dtrsm",
      .operand_names = { "A", "B" },
      .operands = 2,
      .shape = shape_triangle,
      .run = run_dtrsm },
    { .name = "dtrmm",
      .operand_names = { "A", "B" },
      .operands = 2,
      .shape = shape_triangle,
      .run = run_dtrmm },
    { .name = "dsyrk",
      .operand_names = { "A", "C" },
      .operands = 2,
      .has_beta = true,
      .shape = shape_dsyrk,
      .run = run_dsyrk },
    { .name = "dsymm",
      .operand_names = { "A", "B", "C" },
      .operands = 3,
      .has_beta = true,
      .shape = shape_dsymm,
      .run = run_dsymm },
    { .name = "dpotrf",
      .operand_names = { "A" },
      .operands = 1,
      .uses_up = true,
      .shape = shape_square,
      .run = run_dpotrf },
    { .name = "dgetrf",
      .operand_names = { "A" },
      .operands = 1,
      .uses_up = true,
      .shape = shape_dgetrf,
      .run = run_dgetrf },
    { .name = "dtrtri",
      .operand_names = { "A" },
      .operands = 1,
      .uses_up = true,
      .shape = shape_square,
      .run = run_dtrtri },
    { .name = "trinv",
      .operand_names = { "L" },
      .operands = 1,
      .uses_up = true,
      .shape = shape_square,
      .run = run_trinv },
    { .name = "sylv",
      .operand_names = { "L", "U", "X" },
      .operands = 3,
      .uses_up = true,
      .shape = shape_sylv,
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
    execution.executor->shape(&execution);
    return execution;
}
