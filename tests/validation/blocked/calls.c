/* Records kernel calls: the linker replaces NAME by __wrap_NAME and names the original __real_NAME.
 */
#include "tests/validation/blocked/calls.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/blocked/unblocked.h"
#include "calibrations/calibrate/core/blas.h"

#define WRAPPED(name) extern __typeof__(name) __real_##name, __wrap_##name;
WRAPPED(dgemm_)
WRAPPED(dtrsm_)
WRAPPED(dtrmm_)
WRAPPED(fr_unblocked_trinv)
WRAPPED(fr_unblocked_sylv)
WRAPPED(fr_unblocked_sylv_own)

static struct calls *recording;

void calls_record(struct calls *calls)
{
    recording = calls;
}

/* Adds a call; alpha 0 marks a call that no model describes. */
static int sign_of(double alpha)
{
    return alpha == 1 ? 1 : alpha == -1 ? -1 : 0;
}

/* Records where in which matrix an operand of the last call begins. */
static void add_operand(const double *at)
{
    struct blocked_call *call = &recording->call[recording->count - 1];

    for (int k = 0; k < BLOCKED_MATRICES; k++) {
        const uintptr_t from = (uintptr_t)recording->matrix[k];
        const size_t offset = ((uintptr_t)at - from) / sizeof *at;

        if (!from || (uintptr_t)at < from || offset >= recording->elements)
            continue;
        call->operand[call->operands++] =
            (struct blocked_operand){ .matrix = k,
                                      .row = (int64_t)offset % recording->leading,
                                      .column = (int64_t)offset / recording->leading };
    }
}

static void add(const char *routine, const char *flags, int first, int second, int third, int alpha)
{
    struct blocked_call *call;

    if (recording->count == recording->capacity) {
        recording->capacity = recording->capacity ? 2 * recording->capacity : 1024;
        recording->call = realloc(recording->call, recording->capacity * sizeof *recording->call);
        if (!recording->call)
            abort();
    }
    call = &recording->call[recording->count++];
    *call = (struct blocked_call){ .kernel = { .routine = blocked_routine_find(routine) },
                                   .size = { first, second, third },
                                   .alpha = alpha };
    snprintf(call->kernel.flags, sizeof call->kernel.flags, "%s", flags);
}

static void add_triangle(const char *routine, const char *side, const char *uplo, const char *trans,
                         const char *diag, int m, int n, double alpha, const double *a,
                         const double *b)
{
    const char flags[] = { *side, *uplo, *trans, *diag, '\0' };

    add(routine, flags, m, n, 0, sign_of(alpha));
    add_operand(a);
    add_operand(b);
}

static void add_leaf(const char *family, int variant, int m, int n)
{
    char name[32];

    if (variant)
        snprintf(name, sizeof name, "%s%d_unb", family, variant);
    else
        snprintf(name, sizeof name, "%s_unb", family);
    add(name, "", m, n, 0, 1);
}

static void add_sylv(int variant, int m, int n, const double *l, const double *u, const double *x)
{
    add_leaf("sylv", variant, m, n);
    add_operand(l);
    add_operand(u);
    add_operand(x);
}

void __wrap_dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
                   const double *alpha, const double *a, const int *lda, const double *b,
                   const int *ldb, const double *beta, double *c, const int *ldc, size_t length_a,
                   size_t length_b)
{
    const char flags[] = { *transa, *transb, '\0' };

    if (recording) {
        add("dgemm", flags, *m, *n, *k, *beta == 1 ? sign_of(*alpha) : 0);
        add_operand(a);
        add_operand(b);
        add_operand(c);
    }
    __real_dgemm_(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, length_a, length_b);
}

void __wrap_dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag,
                   const int *m, const int *n, const double *alpha, const double *a, const int *lda,
                   double *b, const int *ldb, size_t length_side, size_t length_uplo,
                   size_t length_trans, size_t length_diag)
{
    if (recording)
        add_triangle("dtrsm", side, uplo, trans, diag, *m, *n, *alpha, a, b);
    __real_dtrsm_(side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, length_side, length_uplo,
                  length_trans, length_diag);
}

void __wrap_dtrmm_(const char *side, const char *uplo, const char *trans, const char *diag,
                   const int *m, const int *n, const double *alpha, const double *a, const int *lda,
                   double *b, const int *ldb, size_t length_side, size_t length_uplo,
                   size_t length_trans, size_t length_diag)
{
    if (recording)
        add_triangle("dtrmm", side, uplo, trans, diag, *m, *n, *alpha, a, b);
    __real_dtrmm_(side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, length_side, length_uplo,
                  length_trans, length_diag);
}

void __wrap_fr_unblocked_trinv(int variant, int n, double *l, int ldl)
{
    if (recording) {
        add_leaf("trinv", variant, n, 0);
        add_operand(l);
    }
    __real_fr_unblocked_trinv(variant, n, l, ldl);
}

void __wrap_fr_unblocked_sylv(int m, int n, const double *l, int ldl, const double *u, int ldu,
                              double *x, int ldx)
{
    if (recording)
        add_sylv(0, m, n, l, u, x);
    __real_fr_unblocked_sylv(m, n, l, ldl, u, ldu, x, ldx);
}

void __wrap_fr_unblocked_sylv_own(int variant, int m, int n, const double *l, int ldl,
                                  const double *u, int ldu, double *x, int ldx)
{
    if (recording)
        add_sylv(variant, m, n, l, u, x);
    __real_fr_unblocked_sylv_own(variant, m, n, l, ldl, u, ldu, x, ldx);
}

struct comparison {
    const struct calls *made;
    size_t at;
    char *why;
    size_t why_bytes;
};

static bool is_same(const struct blocked_call *a, const struct blocked_call *b)
{
    return blocked_kernel_equal(&a->kernel, &b->kernel) && a->alpha == b->alpha &&
           memcmp(a->size, b->size, sizeof a->size) == 0;
}

static bool is_same_place(const struct blocked_call *made, const struct blocked_call *expected)
{
    for (size_t i = 0; i < made->operands; i++)
        if (made->operand[i].matrix != expected->operand[i].matrix ||
            made->operand[i].row != expected->operand[i].row ||
            made->operand[i].column != expected->operand[i].column)
            return false;
    return !made->operands || made->operands == expected->operands;
}

static bool compare(void *context, const struct blocked_call *expected)
{
    struct comparison *comparison = context;
    char wanted[BLOCKED_CALL_BYTES], got[BLOCKED_CALL_BYTES] = "missing";

    if (blocked_call_is_empty(expected))
        return true;
    if (comparison->at < comparison->made->count) {
        const struct blocked_call *call = &comparison->made->call[comparison->at++];

        if (is_same(call, expected) && is_same_place(call, expected))
            return true;
        blocked_call_print(call, got);
        if (is_same(call, expected))
            strcpy(got, "on other operands");
    }
    blocked_call_print(expected, wanted);
    snprintf(comparison->why, comparison->why_bytes, "call %zu is %s, predicted is %s",
             comparison->at, got, wanted);
    return false;
}

bool calls_agree(const struct calls *made, calls_walk *walk, const void *arguments, char *why,
                 size_t why_bytes)
{
    struct comparison comparison = { made, 0, why, why_bytes };

    if (!walk(arguments, compare, &comparison))
        return false;
    if (comparison.at == made->count)
        return true;
    snprintf(why, why_bytes, "%zu calls were made, %zu are predicted", made->count, comparison.at);
    return false;
}
