/* Parses the output of forerun-analyze piece by piece: lines of JSON, some followed by bytes.
 *
 * The output is untrusted, because the libraries may have corrupted memory.  The length of lines,
 * the sum of all lines and the bytes of a structure are bounded.
 */
#ifndef FR_ANALYSIS_STREAM_H
#define FR_ANALYSIS_STREAM_H

#include "server/matrices/analysis_record.h"

enum { FR_STREAM_LINE_BYTES = 4096, FR_STREAM_LINES_BYTES = 4 << 20, FR_STREAM_FRONTS = 8 };

/* A partition as the program found it. */
struct fr_found_partition {
    size_t part;        /* of the task */
    const char *reason; /* of a failure; NULL: the facts follow */
    const char *text;
    size_t length;
    double seconds;
};
typedef void fr_take_partition(void *context, const struct fr_found_partition *found);

struct fr_analysis_stream {
    const struct fr_matrix_task *task; /* what is expected */
    size_t most_bytes; /* limit for the structure, or for the facts of a partition */
    /* Takes each partition when it is complete. */
    fr_take_partition *take_partition;
    void *context;
    size_t partitions; /* complete ones, in the order of the task */
    double seconds;    /* of the current one */

    double fraction;
    char stage[32];
    bool has_facts; /* the next two are set */
    int64_t structural_rank;
    char row_permutation[24];
    struct sparse_mumps fronts[FR_STREAM_FRONTS]; /* without order and entries of the matrix */
    size_t front_counts;
    /* Ready with a structure of `length` bytes, or failed with a reason; all partitions were
     * passed on. */
    bool has_result;
    struct fr_matrix_ordering result;
    unsigned char *bytes; /* owned by the stream */
    size_t length;
    unsigned char *permutations; /* as reported (matrices/files/permutations.h); or NULL */
    size_t permutations_length;
    bool has_ended;
    bool is_broken; /* the output is invalid; `reason` says why */
    char reason[FR_RECORD_REASON];

    bool is_permuting;   /* what is still to come are the permutations */
    size_t wanted, room; /* bytes still to come; capacity of `bytes` */
    size_t lines;        /* total bytes of lines */
    size_t line_length;
    char line[FR_STREAM_LINE_BYTES];
};

/* Starts a stream for a task, which it borrows.  For partitions, set take_partition and context.
 * Free with fr_analysis_stream_free. */
void fr_analysis_stream_begin(struct fr_analysis_stream *stream, const struct fr_matrix_task *task,
                              size_t most_bytes);
/* Parses a piece.  Ignores everything after the record `end` and once is_broken. */
void fr_analysis_stream_take(struct fr_analysis_stream *stream, const char *piece, size_t length);
void fr_analysis_stream_free(struct fr_analysis_stream *stream);

#endif
