/* What forerun-analyze writes, as it comes: lines of JSON, some followed by bytes.
 *
 * It is the output of libraries that may be in any state, so nothing of it is believed: lines,
 * bytes and their sum are bounded.
 */
#ifndef FR_ANALYSIS_STREAM_H
#define FR_ANALYSIS_STREAM_H

#include "server/matrices/analysis_record.h"

enum { FR_STREAM_LINE_BYTES = 4096, FR_STREAM_LINES_BYTES = 4 << 20 };

struct fr_analysis_stream {
    const char *ordering; /* the one that was asked for */
    int64_t n;            /* of the matrix */
    size_t most_bytes;    /* of the structure */

    double fraction;
    char stage[32];
    bool has_facts; /* the next two */
    int64_t structural_rank;
    char row_permutation[24];
    bool has_result; /* ready with a structure of `length` bytes, or failed with a reason */
    struct fr_matrix_ordering result;
    unsigned char *bytes; /* owned by the stream */
    size_t length;
    bool has_ended;
    bool is_broken; /* it is no such output; `reason` says why */
    char reason[FR_RECORD_REASON];

    size_t wanted, room; /* bytes still to come; of `bytes` */
    size_t lines;        /* bytes of all lines */
    size_t line_length;
    char line[FR_STREAM_LINE_BYTES];
};

void fr_analysis_stream_begin(struct fr_analysis_stream *stream, const struct fr_matrix_task *task,
                              size_t most_bytes);
/* Takes a piece; what comes behind the end, or once it is broken, is ignored. */
void fr_analysis_stream_take(struct fr_analysis_stream *stream, const char *piece, size_t length);
void fr_analysis_stream_free(struct fr_analysis_stream *stream);

#endif
