/* Cannon: q steps, each multiplies two blocks and shifts both.  With c layers each layer does its
 * part of the steps, on blocks from layer 0 that are skewed for its first step. */
#include "tests/programs/dense/dense.h"

enum { INITIAL_SHIFT, REPLICATE, SHIFT_ROW, SHIFT_COLUMN, MULTIPLY, REDUCE, BARRIER };
const char *const cannon_phases[] = { "initial_shift", "replicate", "shift_row", "shift_column",
                                      "dgemm",         "reduce",    "barrier",   NULL };
enum { TAG_A = 1, TAG_B };

/* The current blocks, and those of the next step. */
struct blocks {
    double *a, *b, *next_a, *next_b;
};

static int around(const struct dense *d, int place)
{
    return (place % d->q + d->q) % d->q;
}

static void swap(double **one, double **other)
{
    double *kept = *one;

    *one = *other;
    *other = kept;
}

static int first_step(const struct dense *d, int layer)
{
    return layer * d->q / d->c;
}

static int rank_at(const struct dense *d, int layer, int row, int column)
{
    return (layer * d->q + around(d, row)) * d->q + around(d, column);
}

/* A rank copies a block of its own. */
static void receive(struct dense *d, int from, int tag, const double *own, double *to,
                    MPI_Request *request)
{
    *request = MPI_REQUEST_NULL;
    if (from == rank_at(d, d->layer, d->row, d->column))
        copy_words(d, to, own, words_of_block(d));
    else
        MPI_Irecv(to, (int)words_of_block(d), MPI_DOUBLE, from, tag, d->world, request);
}

static void send(struct dense *d, int to, int tag, const double *own, MPI_Request *request)
{
    *request = MPI_REQUEST_NULL;
    if (to != rank_at(d, d->layer, d->row, d->column))
        MPI_Isend(own, (int)words_of_block(d), MPI_DOUBLE, to, tag, d->world, request);
}

/* Step s multiplies A(row, row + column + s) with B(row + column + s, column). */
static void distribute(struct dense *d, struct blocks *at)
{
    const int row = d->row, column = d->column, from = row + column + first_step(d, d->layer);
    MPI_Request request[2 + 2 * MEMBERS_MAX];
    int requests = 0;

    receive(d, rank_at(d, 0, row, from), TAG_A, at->a, at->next_a, &request[requests++]);
    receive(d, rank_at(d, 0, from, column), TAG_B, at->b, at->next_b, &request[requests++]);
    for (int layer = 0; layer < d->c && !d->layer; layer++) {
        const int step = first_step(d, layer);

        send(d, rank_at(d, layer, row, column - row - step), TAG_A, at->a, &request[requests++]);
        send(d, rank_at(d, layer, row - column - step, column), TAG_B, at->b, &request[requests++]);
    }
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
    swap(&at->a, &at->next_a);
    swap(&at->b, &at->next_b);
}

static void shift(struct dense *d, struct blocks *at)
{
    const int words = (int)words_of_block(d);

    phases_enter(&d->phases, SHIFT_ROW);
    MPI_Sendrecv(at->a, words, MPI_DOUBLE, around(d, d->column - 1), TAG_A, at->next_a, words,
                 MPI_DOUBLE, around(d, d->column + 1), TAG_A, d->along_row, MPI_STATUS_IGNORE);
    phases_enter(&d->phases, SHIFT_COLUMN);
    MPI_Sendrecv(at->b, words, MPI_DOUBLE, around(d, d->row - 1), TAG_B, at->next_b, words,
                 MPI_DOUBLE, around(d, d->row + 1), TAG_B, d->along_column, MPI_STATUS_IGNORE);
}

static void start_shift(struct dense *d, struct blocks *at)
{
    const int words = (int)words_of_block(d);

    MPI_Irecv(at->next_a, words, MPI_DOUBLE, around(d, d->column + 1), TAG_A, d->along_row,
              &d->shift[0]);
    MPI_Irecv(at->next_b, words, MPI_DOUBLE, around(d, d->row + 1), TAG_B, d->along_column,
              &d->shift[1]);
    MPI_Isend(at->a, words, MPI_DOUBLE, around(d, d->column - 1), TAG_A, d->along_row,
              &d->shift[2]);
    MPI_Isend(at->b, words, MPI_DOUBLE, around(d, d->row - 1), TAG_B, d->along_column,
              &d->shift[3]);
    d->is_shifting = true;
}

/* The two shifts ran at the same time; each has half of it. */
static void finish_shift(struct dense *d, double began_s)
{
    phases_enter(&d->phases, PHASE_NONE);
    if (d->is_shifting) {
        MPI_Waitall(4, d->shift, MPI_STATUSES_IGNORE);
        d->is_shifting = false;
        d->shifted_s = MPI_Wtime();
    }
    phases_add(&d->phases, SHIFT_ROW, (d->shifted_s - began_s) / 2);
    phases_add(&d->phases, SHIFT_COLUMN, (d->shifted_s - began_s) / 2);
}

static void one_step(struct dense *d, struct blocks *at, double *c, bool is_last)
{
    const bool is_hidden = d->is_overlapped && !is_last;
    const double began_s = is_hidden ? MPI_Wtime() : 0;

    if (is_hidden) {
        slice(d, DGEMM, 1);
        start_shift(d, at);
    }
    phases_enter(&d->phases, MULTIPLY);
    add_product(d, c, at->a, at->b);
    if (is_hidden)
        finish_shift(d, began_s);
    else if (!is_last)
        shift(d, at);
    if (!is_last) {
        swap(&at->a, &at->next_a);
        swap(&at->b, &at->next_b);
    }
    if (d->has_step_barriers && d->q > 1) {
        phases_enter(&d->phases, BARRIER);
        MPI_Barrier(d->along_row);
        MPI_Barrier(d->along_column);
    }
}

void cannon(struct dense *d, struct operands *o)
{
    const size_t w = words_of_block(d);
    double *spare_a = memory_new(w), *spare_b = memory_new(w);
    struct blocks at = { o->a.at, o->b.at, spare_a, spare_b };
    const int end = first_step(d, d->layer + 1);

    phases_enter(&d->phases, d->c > 1 ? REPLICATE : INITIAL_SHIFT);
    if (d->p > 1)
        distribute(d, &at);
    for (int step = first_step(d, d->layer); step < end; step++)
        one_step(d, &at, o->c.at, step == end - 1 || d->q == 1);
    if (d->c > 1)
        reduce_layers(d, REDUCE, o->c.at, w);
    phases_enter(&d->phases, PHASE_NONE);
    memory_free(spare_a);
    memory_free(spare_b);
}
