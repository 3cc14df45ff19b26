/* The panel of Cholesky is turned and spread over the process columns, and each of them updates
 * (docs/models/block_cyclic.md#pdpotrf). */
#include "engine/block_cyclic/walk.h"

#include <math.h>

static int64_t columns_of(const struct cholesky *f, int64_t q)
{
    return cyclic_range_share(&f->right, q);
}

/* Process columns from the owner of the next panel to the first of a span. */
static int64_t distance_of(const struct cholesky *f, const struct cyclic_span *span)
{
    const int64_t distance = span->first - f->next_column;

    return distance < 0 ? distance + f->walk->columns : distance;
}

static bool is_square(const struct cholesky *f)
{
    return f->walk->rows == f->walk->columns && f->walk->rows > 1;
}

/* Seconds in which a column turns the panel that it received. */
static double turn_s(const struct cholesky *f, int64_t columns)
{
    const struct cyclic_walk *walk = f->walk;
    const bool is_whole = walk->rows == walk->columns || walk->rows == 1;
    const double blocks = (double)cyclic_blocks(columns, walk->block);

    return cyclic_turned_s(walk, (double)columns, (double)f->width,
                           (double)f->width * (is_whole ? 1 : fmax(1, blocks)));
}

/* On a square grid (i, j) and (j, i) exchange; the diagonal needs nobody. */
static void exchange(struct cholesky *f)
{
    struct cyclic_clocks *clocks = &f->walk->clocks;
    double most = 0;

    cholesky_lead_after(f, turn_s(f, columns_of(f, f->next_column)));
    cyclic_meet(clocks);
    for (size_t i = 0; i < f->spans.count; i++) {
        struct cyclic_span span = f->spans.of[i];
        const double bytes = 8 * (double)f->width * (double)span.share;

        /* Of few blocks those beyond the last need nobody either. */
        if (f->has_few_blocks)
            span.end = cyclic_least(span.end, span.first + f->blocks - 1 - distance_of(f, &span));
        if (span.first < span.end)
            cyclic_spend_each(clocks, &span, CYCLIC_BROADCAST,
                              cyclic_transpose_s(&f->walk->net, bytes));
        most = fmax(most, bytes);
    }
    cyclic_count(clocks, 1, most);
}

/* The owner of the next panel packs it and sends each column its rows. */
static void scatter(struct cholesky *f)
{
    struct cyclic_walk *walk = f->walk;
    const int64_t P = walk->rows, Q = walk->columns, c = f->next_column;
    const double rows = cyclic_most_rows(walk, walk->v->n, f->first + f->width);
    const double parts = (double)(P / f->divisor);
    double start_s;

    cyclic_spend_on(&walk->clocks, c, CYCLIC_COPY,
                    cyclic_packed_s(walk, rows, (double)f->width,
                                    (double)f->width * ceil(rows / (double)walk->block)));
    start_s = walk->clocks.of[c].now_s;
    for (size_t i = 0; i < f->spans.count; i++) {
        const struct cyclic_span *span = &f->spans.of[i];
        const double sent = fmin(parts, (double)cyclic_blocks(span->share, walk->block));
        const double bytes = 8 * (double)f->width * (double)span->share / sent;
        const double down_s =
            cyclic_column_s(&walk->net, (f->next_row + 1) % P, f->next_row, bytes);

        for (int64_t at = span->first; at < span->end; at++) {
            const int64_t q = at < Q ? at : at - Q;
            const double hop_s =
                q == c ? down_s : fmax(down_s, cyclic_row_s(&walk->net, c, q, bytes));

            cyclic_until(&walk->clocks.of[q], start_s);
            cyclic_spend_on(&walk->clocks, q, CYCLIC_BROADCAST, (sent - (q == c)) * hop_s);
        }
    }
}

/* The same out of step.  The processes of the owner pack and send one message after the other; of a
 * column whose rows the process row of the next diagonal block has, that process copies them. */
static void scatter_in_turn(struct cholesky *f)
{
    struct cyclic_walk *walk = f->walk;
    struct cyclic_clocks *clocks = &walk->clocks;
    const int64_t P = walk->rows, Q = walk->columns, g = f->divisor, c = f->next_column;
    const double start_s = clocks->of[c].now_s, jb = (double)f->width;
    double most_s = 0, own_s = 0;

    for (size_t i = 0; i < f->spans.count; i++) {
        const struct cyclic_span *span = &f->spans.of[i];
        const double sent = (double)cyclic_least(P / g, cyclic_blocks(span->share, walk->block));
        const double rows = (double)span->share / sent, bytes = 8 * jb * rows;
        const double pack_s =
            cyclic_packed_s(walk, rows, jb, jb * ceil(rows / (double)walk->block));
        const double down_s =
            cyclic_column_s(&walk->net, (f->next_row + 1) % P, f->next_row, bytes);

        for (int64_t at = span->first; at < span->end; at++) {
            const int64_t q = at < Q ? at : at - Q, d = q < c ? q - c + Q : q - c;
            const double received = sent - (d % g == 0);
            const double packed_s = pack_s * (double)(1 + (d % P ? d : d + Q) / P);

            if (received <= 0)
                continue;
            most_s = fmax(most_s, pack_s);
            if (d == 0) {
                own_s = packed_s + received * down_s;
                cyclic_spend_on(clocks, q, CYCLIC_COPY, packed_s);
                cyclic_spend_on(clocks, q, CYCLIC_BROADCAST, received * down_s);
                continue;
            }
            if (!clocks->is_bound)
                cyclic_until(&clocks->of[q], start_s + packed_s);
            cyclic_spend_on(clocks, q, CYCLIC_BROADCAST,
                            received * fmax(down_s, cyclic_row_s(&walk->net, c, q, bytes)));
        }
    }
    f->packing_s = (double)(Q / g) * most_s - own_s;
}

/* A hop of a turned panel down a column.  The panel reaches the columns one after the other, two at
 * a time, so that few of them are in step unless the hop takes long in comparison. */
static double spread_s(const struct cholesky *f, double bytes)
{
    const struct cyclic_walk *walk = f->walk;
    const int64_t from = f->next_row, next = (from + 1) % walk->rows;
    const double Q = (double)walk->columns, one_s = cholesky_alone_s(f, from, bytes);
    const double panel_bytes =
        8 * (double)f->width * cyclic_most_rows(walk, walk->v->n, f->first + f->width);
    const double in_step = fmin(Q, 2 * bytes / panel_bytes);

    if (!cholesky_is_out_of_step(f) || in_step <= 1)
        return one_s;
    return one_s +
           (cyclic_column_s(&walk->net, from, next, bytes) - one_s) * (in_step - 1) / (Q - 1);
}

/* When the process `a` rows further has the panel of a column. */
static double received_s(const struct cholesky *f, int64_t a, double bytes)
{
    const struct cyclic_walk *walk = f->walk;
    const int64_t P = walk->rows, half = P / 2;
    int64_t hops;

    if (P == 1 || is_square(f) || (f->has_few_blocks && f->blocks == 1))
        return 0;
    if (!f->is_forced)
        return cyclic_broadcast_s(&walk->net, bytes);
    if (a == 0)
        hops = cyclic_least(2, P - 1);
    else if (a <= half)
        hops = a + (a < half);
    else
        hops = 1 + (P - a) + (P - a < P - 1 - half);
    return (double)hops * spread_s(f, bytes);
}

/* Of four processes of the column the one that ends last counts. */
enum { CANDIDATES = 4 };
struct candidates {
    int64_t of[CANDIDATES]; /* process rows from that of the first trailing block */
};

static struct candidates candidates_of(const struct cholesky *f)
{
    const int64_t P = f->walk->rows, last = (f->blocks - 1) % P, half = P / 2;

    return (struct candidates){ { 0, cyclic_least(last, half), cyclic_most(last, half), P - 1 } };
}

/* The columns of a span from the one at distance b on that update alike. */
static int64_t alike(const struct cholesky *f, const struct candidates *rows, int64_t b)
{
    int64_t least = f->has_few_blocks ? 1 : f->walk->columns;

    for (size_t i = 0; i < CANDIDATES; i++) {
        const int64_t a = rows->of[i], left = a + f->divisor * cyclic_triangle_offset(f, a, b) - b;

        /* The last one of these has diagonal blocks. */
        least = cyclic_least(least, cholesky_is_out_of_step(f) && left > 0 ? left : left + 1);
    }
    return least;
}

static void update_columns(struct cholesky *f, const struct candidates *rows,
                           const struct cyclic_span *span, double turned_s)
{
    struct cyclic_clocks *clocks = &f->walk->clocks;
    const int64_t b = distance_of(f, span), columns = span->share;
    const double bytes = 8 * (double)f->width * (double)columns;
    double most_received_s = 0, most_update_s = -1;

    cyclic_spend_each(clocks, span, CYCLIC_COPY, turned_s);
    for (size_t i = 0; i < CANDIDATES; i++) {
        const double packing_s = b == 0 && rows->of[i] > 0 ? f->packing_s - turned_s : 0;
        const double at_s = fmax(received_s(f, rows->of[i], bytes), packing_s);
        const double one_s = cyclic_triangle_s(f, rows->of[i], b, columns);

        if (b == 0 && i == 0 && !is_square(f))
            cholesky_lead_after(f, at_s);
        if (b == 0 && i == 0) {
            clocks->lead_s += one_s;
            clocks->lead_path_s += one_s;
        }
        if (at_s + one_s > most_received_s + most_update_s) {
            most_received_s = at_s;
            most_update_s = one_s;
        }
    }
    cyclic_spend_each(clocks, span, CYCLIC_BROADCAST, most_received_s);
    cyclic_spend_each(clocks, span, CYCLIC_UPDATE, most_update_s);
    clocks->steps += 10 * CANDIDATES;
}

void cyclic_update_triangle(struct cholesky *f)
{
    struct cyclic_walk *walk = f->walk;
    const struct candidates rows = candidates_of(f);
    const int64_t Q = walk->columns;
    const double P = (double)walk->rows;
    double most = 0;

    if (is_square(f))
        exchange(f);
    else if (walk->rows > 1 && cholesky_is_out_of_step(f))
        scatter_in_turn(f);
    else if (walk->rows > 1)
        scatter(f);
    for (size_t i = 0; i < f->spans.count; i++) {
        const struct cyclic_span *span = &f->spans.of[i];
        const double turned_s = turn_s(f, span->share);
        struct cyclic_span part = *span;

        most = fmax(most, (double)span->share);
        for (int64_t first = span->first; first < span->end; first += part.end - part.first) {
            part.first = first < Q ? first : first - Q;
            part.end = part.first +
                       cyclic_least(alike(f, &rows, distance_of(f, &part)), span->end - first);
            update_columns(f, &rows, &part, turned_s);
        }
    }
    if (!is_square(f) && walk->rows > 1)
        cyclic_count(&walk->clocks, 1 + (P - 1) / P, 8 * (double)f->width * most);
}
