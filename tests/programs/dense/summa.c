/* SUMMA: step j broadcasts block column j of A along the rows and block row j of B along the
 * columns, and all ranks multiply.  With c layers each does its part of the steps on copies. */
#include "tests/programs/dense/dense.h"

enum { REPLICATE, BROADCAST_A, BROADCAST_B, MULTIPLY, REDUCE };
const char *const summa_phases[] = { "replicate", "broadcast_a", "broadcast_b",
                                     "dgemm",     "reduce",      NULL };
enum { TAG_COPY = 1 };

/* The panels of the current and the next step. */
struct panels {
    double *a[2], *b[2];
};

static size_t words_of_panel(const struct dense *d)
{
    return (size_t)d->r * words_of_block(d);
}

static void replicate(struct dense *d, double *a, double *b)
{
    const int words = d->r * d->r * d->bs * d->bs;
    MPI_Request request[2 * MEMBERS_MAX];
    int requests = 0;

    phases_enter(&d->phases, REPLICATE);
    if (d->layer) {
        MPI_Irecv(a, words, MPI_DOUBLE, 0, TAG_COPY, d->through_layers, &request[requests++]);
        MPI_Irecv(b, words, MPI_DOUBLE, 0, TAG_COPY, d->through_layers, &request[requests++]);
    }
    for (int layer = 1; layer < d->c && !d->layer; layer++) {
        MPI_Isend(a, words, MPI_DOUBLE, layer, TAG_COPY, d->through_layers, &request[requests++]);
        MPI_Isend(b, words, MPI_DOUBLE, layer, TAG_COPY, d->through_layers, &request[requests++]);
    }
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
}

/* The owners copy their blocks into the panels. */
static void fill_panels(const struct dense *d, const struct operands *o, int j, double *a,
                        double *b)
{
    for (int k = 0; k < d->r; k++) {
        if (j % d->q == d->column)
            copy_words(d, a + (size_t)k * words_of_block(d), block(&o->a, k, j / d->q),
                       words_of_block(d));
        if (j % d->q == d->row)
            copy_words(d, b + (size_t)k * words_of_block(d), block(&o->b, j / d->q, k),
                       words_of_block(d));
    }
}

static void send_panels(struct dense *d, const struct operands *o, int j, double *a, double *b,
                        bool is_hidden)
{
    void (*const send)(struct dense *, int, double *, size_t, int, MPI_Comm) =
        is_hidden ? start_broadcast : broadcast;

    fill_panels(d, o, j, a, b);
    send(d, BROADCAST_A, a, words_of_panel(d), j % d->q, d->along_row);
    send(d, BROADCAST_B, b, words_of_panel(d), j % d->q, d->along_column);
}

static void multiply(struct dense *d, const struct matrix *c, const double *a, const double *b)
{
    phases_enter(&d->phases, MULTIPLY);
    for (int i = 0; i < d->r; i++)
        for (int j = 0; j < d->r; j++)
            add_product(d, block(c, i, j), a + (size_t)i * words_of_block(d),
                        b + (size_t)j * words_of_block(d));
    phases_enter(&d->phases, PHASE_NONE);
}

static void all_steps(struct dense *d, struct operands *o, struct panels *panels)
{
    const int first = d->layer * d->m / d->c, end = (d->layer + 1) * d->m / d->c;

    slice(d, DGEMM, d->r * d->r);
    if (d->is_overlapped && first < end)
        send_panels(d, o, first, panels->a[0], panels->b[0], false);
    for (int j = first; j < end; j++) {
        const int now = (j - first) % 2, next = 1 - now;

        if (!d->is_overlapped)
            send_panels(d, o, j, panels->a[now], panels->b[now], false);
        else if (j + 1 < end)
            send_panels(d, o, j + 1, panels->a[next], panels->b[next], true);
        multiply(d, &o->c, panels->a[now], panels->b[now]);
        finish_queue(d);
    }
}

void summa(struct dense *d, struct operands *o)
{
    struct panels panels;

    for (int i = 0; i < 2; i++) {
        panels.a[i] = memory_new(words_of_panel(d));
        panels.b[i] = memory_new(words_of_panel(d));
    }
    if (d->c > 1)
        replicate(d, o->a.at, o->b.at);
    phases_enter(&d->phases, PHASE_NONE);
    all_steps(d, o, &panels);
    if (d->c > 1)
        reduce_layers(d, REDUCE, o->c.at, (size_t)d->r * words_of_panel(d));
    for (int i = 0; i < 2; i++) {
        memory_free(panels.a[i]);
        memory_free(panels.b[i]);
    }
}
