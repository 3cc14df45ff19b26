/* Words and integers that MUMPS counts, each with its relaxation. */
#include "engine/multifrontal/multifrontal.h"

#include "engine/sparse/structure/structure.h"

#include <math.h>

enum { WORD_BYTES = 8, INTEGER_BYTES = 4 };
/* Integers of each process for each column and for each front, where MUMPS describes the tree. */
enum { OF_COLUMN = 6, OF_FRONT = 16 };
/* Rows of a front that a message holds, and the least size of a buffer. */
enum { MESSAGE_ROWS = 128, BUFFER_BYTES_LEAST = 100000 };
/* Integers and buffers are relaxed twice as much as words, by at least this. */
enum { INTEGER_RELAX_LEAST = 10, BUFFER_RELAX_LEAST = 2 };
/* Entries of the matrix that the host sends at a time. */
enum { RECORDS_MOST = 160000 };
/* What is sent may wait for as many messages. */
static const double messages_sent = 2.01;

static double relaxed(double count, double percent)
{
    return count + percent * (floor(count / 100) + 1);
}

/* Of one process: one buffer to receive, one to send. */
static double buffer_bytes(const struct sparse_mumps *m, double percent)
{
    const double factor = 1 + 2 * fmax(percent, BUFFER_RELAX_LEAST) / 100;
    const double rows = m->share.processes > 1 ? MESSAGE_ROWS : 1;
    const double message = rows * (double)m->tree.largest_front * WORD_BYTES;

    return factor *
           (fmax(message, BUFFER_BYTES_LEAST) + fmax(messages_sent * message, BUFFER_BYTES_LEAST));
}

/* While the host sends out the entries of the matrix: a list for each receiver. */
static double distribution_bytes(const struct sparse_mumps *m, bool is_host)
{
    const double records = fmin((double)m->entries, RECORDS_MOST);
    const double lists = is_host ? (double)(m->share.processes - 1) : 1;

    return lists * records * (WORD_BYTES + 2 * INTEGER_BYTES);
}

/* While factorizing: indices and messages. */
static double factorization_bytes(const struct sparse_mumps *m, double indices, double percent)
{
    return INTEGER_BYTES * relaxed(indices, 2 * fmax(percent, INTEGER_RELAX_LEAST)) +
           buffer_bytes(m, percent);
}

/* What `processes` of them hold all the time: factors, stack, a part of the matrix, the tree. */
static double lasting_bytes(const struct sparse_mumps *m, double processes, double entries,
                            double percent)
{
    const double part = processes / (double)m->share.processes;
    const double words = relaxed(entries, percent) + part * (double)m->entries;
    const double integers = part * (double)(m->entries + 2 * m->n) +
                            processes * (double)(OF_COLUMN * m->n + OF_FRONT * m->tree.fronts);

    return WORD_BYTES * words + INTEGER_BYTES * integers;
}

struct sparse_mumps_memory sparse_mumps_memory(const struct sparse_mumps *m, int64_t relax_percent)
{
    const double percent = (double)relax_percent, processes = (double)m->share.processes;
    const double most = factorization_bytes(m, (double)m->share.most_indices, percent);
    const double mean = factorization_bytes(m, (double)m->share.all_indices / processes, percent);
    const double host = distribution_bytes(m, true), other = distribution_bytes(m, false);

    return (struct sparse_mumps_memory){
        .most = lasting_bytes(m, 1, (double)m->share.most_entries, percent) + fmax(most, host),
        .all = lasting_bytes(m, processes, (double)m->share.all_entries, percent) +
               fmax(mean, host) + (processes - 1) * fmax(mean, other),
    };
}

int64_t sparse_mumps_relax(const struct sparse_mumps *m, double bytes)
{
    int64_t fits = -1, beyond = SPARSE_MUMPS_RELAX_MOST + 1;

    while (beyond - fits > 1) {
        const int64_t middle = (fits + beyond) / 2;

        if (sparse_mumps_memory(m, middle).most <= bytes)
            fits = middle;
        else
            beyond = middle;
    }
    return fits;
}

struct sparse_mumps_range sparse_mumps_errors(const struct sparse_mumps *m, int ordering,
                                              int64_t relax_percent)
{
    /* MUMPS over foreseen, on one process and on several; MUMPS rounds to a million bytes. */
    static const double low[][2] = { { 0.97, 0.97 }, { 0.8, 0.5 } };
    static const double high[][2] = { { 1.03, 1.35 }, { 1.4, 2.6 } };
    static const double rounding = 1e6;
    const double most = sparse_mumps_memory(m, relax_percent).most;
    const int several = m->share.processes > 1;
    const int other = ordering != SPARSE_ORDERING_metis && ordering != SPARSE_ORDERING_amd;

    return (struct sparse_mumps_range){ fmax(low[several][other] * most - rounding, 0),
                                        high[several][other] * most + rounding };
}
