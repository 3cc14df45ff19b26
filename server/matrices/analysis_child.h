/* One process of forerun-analyze for one ordering of a matrix. */
#ifndef FR_ANALYSIS_CHILD_H
#define FR_ANALYSIS_CHILD_H

#include "server/core/process.h"
#include "server/matrices/analysis_stream.h"

enum { FR_LAST_WORDS = 512 };

struct fr_analysis_limits {
    struct fr_clock *clock;
    unsigned timeout_s;
    size_t memory_bytes, output_bytes;
    const char *folders; /* that the program may read (core/sandbox.h); NULL: none */
};

struct fr_analysis_child {
    pid_t pid; /* 0: none */
    struct fr_matrix_task task;
    int out, complaint, end; /* its standard output and error, -1 once closed; its pidfd or -1 */
    unsigned timeout_s;
    struct fr_clock *clock;
    uint64_t deadline_ns;
    bool is_late;
    struct fr_analysis_stream stream;
    char words[FR_LAST_WORDS]; /* the end of its standard error */
    size_t word_count;
};

/* What the program reads; borrowed. */
struct fr_analysis_files {
    int source;       /* the matrix */
    int permutations; /* that are known; 0: none */
};

/* Starts the program.  False with a reason for the user. */
bool fr_analysis_child_start(struct fr_analysis_child *child, const char *program,
                             const struct fr_matrix_task *task,
                             const struct fr_analysis_files *files,
                             const struct fr_analysis_limits *limits, char *reason,
                             size_t reason_size);
/* Reads its output without blocking; true if it is done, dead or late, or its output is invalid. */
bool fr_analysis_child_hear(struct fr_analysis_child *child);
/* Ends the process.  *result is ready, with a valid structure in child->stream.bytes, or failed
 * with a reason that the child owns.  Call fr_analysis_child_free afterwards. */
void fr_analysis_child_end(struct fr_analysis_child *child, struct fr_matrix_ordering *result);
/* Ends the process if it runs, and frees everything. */
void fr_analysis_child_free(struct fr_analysis_child *child);

#endif
