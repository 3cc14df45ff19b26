/* One forerun-analyze at work on one ordering of a matrix: started, heard, judged. */
#ifndef FR_ANALYSIS_CHILD_H
#define FR_ANALYSIS_CHILD_H

#include "server/core/process.h"
#include "server/matrices/analysis_stream.h"

enum { FR_LAST_WORDS = 512 };

struct fr_analysis_limits {
    unsigned timeout_s;
    size_t memory_bytes, output_bytes;
};

struct fr_analysis_child {
    pid_t pid; /* 0: none */
    struct fr_matrix_task task;
    int out, complaint, end; /* its standard output and error, -1 where closed; its pidfd or -1 */
    unsigned timeout_s;
    struct timespec deadline;
    bool is_late;
    struct fr_analysis_stream stream;
    char words[FR_LAST_WORDS]; /* what it said last on standard error */
    size_t word_count;
};

/* Starts it with the file, which is read from its beginning, as its standard input.  False, and
 * `reason` says why and what to do. */
bool fr_analysis_child_start(struct fr_analysis_child *child, const char *program,
                             const struct fr_matrix_task *task, int source,
                             const struct fr_analysis_limits *limits, char *reason,
                             size_t reason_size);
/* Reads what there is without waiting; true where it is done, dead, broken or late. */
bool fr_analysis_child_hear(struct fr_analysis_child *child);
/* Ends it and judges: *result is ready, with a structure in child->stream.bytes that holds, or
 * failed with a reason that lives in the child.  Then fr_analysis_child_free. */
void fr_analysis_child_end(struct fr_analysis_child *child, struct fr_matrix_ordering *result);
/* Ends it where it runs, and frees what it held. */
void fr_analysis_child_free(struct fr_analysis_child *child);

#endif
