/* Memory of matrices, collectives on them, operands, and the check of results. */
#include "tests/programs/dense/dense.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/core/blas.h"
#include "tests/programs/program.h"

enum { TAG_GATHER = 13 };

double *memory_new(size_t words)
{
    double *memory = malloc((words ? words : 1) * sizeof *memory);

    if (!memory)
        program_fail("out of memory; use a smaller n");
    return memory;
}

void memory_free(double *memory)
{
    free(memory);
}

struct matrix matrix_new(const struct dense *d, size_t longest_message_words)
{
    const size_t all = (size_t)d->r * (size_t)d->r * words_of_block(d);

    return (struct matrix){ .at = memory_new(d->is_charged ? longest_message_words : all),
                            .stride = d->is_charged ? 0 : words_of_block(d),
                            .r = d->r };
}

void matrix_free(struct matrix *matrix)
{
    memory_free(matrix->at);
    matrix->at = NULL;
}

void copy_words(const struct dense *d, double *to, const double *from, size_t words)
{
    if (!d->is_charged)
        memcpy(to, from, words * sizeof *to);
}

void clear_words(const struct dense *d, double *at, size_t words)
{
    if (!d->is_charged)
        memset(at, 0, words * sizeof *at);
}

void broadcast(struct dense *d, int phase, double *data, size_t words, int root, MPI_Comm comm)
{
    const int before = phases_enter(&d->phases, phase);

    MPI_Bcast(data, (int)words, MPI_DOUBLE, root, comm);
    phases_enter(&d->phases, before);
}

void start_broadcast(struct dense *d, int phase, double *data, size_t words, int root,
                     MPI_Comm comm)
{
    queue_broadcast(&d->queue, phase, data, words, root, comm);
}

void finish_queue(struct dense *d)
{
    const int before = phases_enter(&d->phases, PHASE_NONE);

    queue_finish(&d->queue);
    phases_enter(&d->phases, before);
}

void reduce_layers(struct dense *d, int phase, double *data, size_t words)
{
    const int before = phases_enter(&d->phases, phase);

    MPI_Reduce(d->layer ? data : MPI_IN_PLACE, d->layer ? NULL : data, (int)words, MPI_DOUBLE,
               MPI_SUM, 0, d->through_layers);
    phases_enter(&d->phases, before);
}

enum which { OF_A, OF_B, OF_U, OF_DEFINITE };

/* In [-0.5, 0.5), a function of the position, so that every rank can compute any part. */
static double hash_of(uint64_t i, uint64_t j)
{
    uint64_t x = i * UINT64_C(0x9E3779B97F4A7C15) ^ (j + 1) * UINT64_C(0xC2B2AE3D27D4EB4F);

    x = (x ^ x >> 31) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return (double)((x ^ x >> 31) >> 11) * 0x1p-53 - 0.5;
}

static double element(const struct dense *d, enum which which, int i, int j)
{
    const int low = i < j ? i : j, high = i < j ? j : i;

    switch (which) {
    case OF_U:
        return i > j ? 0 : hash_of(low, high) + (i == j ? d->n : 0);
    case OF_DEFINITE:
        return hash_of(low, high) + (i == j ? d->n : 0);
    case OF_B:
        return hash_of(d->n + i, j);
    case OF_A:
    default:
        return hash_of(i, j);
    }
}

static void fill_block(const struct dense *d, enum which which, int I, int J, double *at)
{
    for (int i = 0; i < d->bs; i++)
        for (int j = 0; j < d->bs; j++)
            at[i * d->bs + j] = element(d, which, I * d->bs + i, J * d->bs + j);
}

static void fill(const struct dense *d, enum which which, const struct matrix *matrix)
{
    for (int i = 0; i < d->r; i++)
        for (int j = 0; j < d->r; j++)
            fill_block(d, which, i * d->q + d->row, j * d->q + d->column, block(matrix, i, j));
}

void operands_fill(const struct dense *d, enum algorithm algorithm, struct operands *o)
{
    const bool is_product = algorithm == CANNON || algorithm == SUMMA;
    const size_t all = (size_t)d->r * (size_t)d->r * words_of_block(d);

    if (d->is_charged)
        return;
    clear_words(d, o->a.at, all);
    clear_words(d, o->b.at, all);
    clear_words(d, o->c.at, all);
    if (d->layer)
        return;
    if (is_product) {
        fill(d, OF_A, &o->a);
        fill(d, OF_B, &o->b);
    } else if (algorithm == TRSM) {
        fill(d, OF_U, &o->a);
        fill(d, OF_B, &o->c);
    } else {
        fill(d, OF_DEFINITE, &o->c);
    }
}

/* Copies a block into the whole matrix, stored by rows. */
static void place_block(const struct dense *d, const double *from, int I, int J, double *whole)
{
    for (int i = 0; i < d->bs; i++)
        memcpy(whole + (size_t)(I * d->bs + i) * (size_t)d->n + (size_t)(J * d->bs),
               from + i * d->bs, (size_t)d->bs * sizeof *from);
}

/* Gathers the matrix of layer 0 on rank 0. */
static void gather(const struct dense *d, const struct matrix *matrix, double *whole)
{
    const int words = d->r * d->r * d->bs * d->bs;
    struct matrix part = { .stride = words_of_block(d), .r = d->r };
    int rank;

    MPI_Comm_rank(d->world, &rank);
    if (rank) {
        if (!d->layer)
            MPI_Send(matrix->at, words, MPI_DOUBLE, 0, TAG_GATHER, d->world);
        return;
    }
    part.at = memory_new((size_t)words);
    for (int from = 0; from < d->q * d->q; from++) {
        if (from)
            MPI_Recv(part.at, words, MPI_DOUBLE, from, TAG_GATHER, d->world, MPI_STATUS_IGNORE);
        for (int i = 0; i < d->r; i++)
            for (int j = 0; j < d->r; j++)
                place_block(d, block(from ? &part : matrix, i, j), i * d->q + from / d->q,
                            j * d->q + from % d->q, whole);
    }
    memory_free(part.at);
}

static double *make_whole(const struct dense *d, enum which which)
{
    double *whole = memory_new((size_t)d->n * (size_t)d->n);

    for (int i = 0; i < d->n; i++)
        for (int j = 0; j < d->n; j++)
            whole[(size_t)i * (size_t)d->n + (size_t)j] = element(d, which, i, j);
    return whole;
}

/* The result of one call on one rank; the caller frees it. */
static double *expected(const struct dense *d, enum algorithm algorithm)
{
    const double one = 1, zero = 0;
    const int *n = &d->n;
    int info = 0;
    double *result;

    if (algorithm == CHOLESKY) {
        result = make_whole(d, OF_DEFINITE);
        dpotrf_("U", n, result, n, &info, 1);
    } else if (algorithm == TRSM) {
        double *u = make_whole(d, OF_U);

        result = make_whole(d, OF_B);
        dtrsm_("L", "L", "N", "N", n, n, &one, u, n, result, n, 1, 1, 1, 1);
        memory_free(u);
    } else {
        double *a = make_whole(d, OF_A), *b = make_whole(d, OF_B);

        result = memory_new((size_t)d->n * (size_t)d->n);
        dgemm_("N", "N", n, n, n, &one, b, n, a, n, &zero, result, n, 1, 1);
        memory_free(a);
        memory_free(b);
    }
    return result;
}

/* The largest difference over the largest element, for Cholesky of the lower triangle. */
static double difference(const struct dense *d, enum algorithm algorithm, const double *got,
                         const double *wanted)
{
    double largest = 0, apart = 0;

    for (int i = 0; i < d->n; i++)
        for (int j = 0; j < (algorithm == CHOLESKY ? i + 1 : d->n); j++) {
            const size_t at = (size_t)i * (size_t)d->n + (size_t)j;

            const double off = fabs(got[at] - wanted[at]);

            largest = fmax(largest, fabs(wanted[at]));
            if (!isnan(apart) && !(off <= apart))
                apart = off; /* a NaN stays */
        }
    return apart / largest;
}

bool is_result_right(const struct dense *d, enum algorithm algorithm, const struct operands *o,
                     double *residual)
{
    double *got = NULL, *wanted = NULL;
    int rank;

    MPI_Comm_rank(d->world, &rank);
    if (!rank)
        got = memory_new((size_t)d->n * (size_t)d->n);
    gather(d, &o->c, got);
    if (!rank) {
        wanted = expected(d, algorithm);
        *residual = difference(d, algorithm, got, wanted);
        memory_free(got);
        memory_free(wanted);
    }
    MPI_Bcast(residual, 1, MPI_DOUBLE, 0, d->world);
    return *residual < 1e-12 * d->n;
}
