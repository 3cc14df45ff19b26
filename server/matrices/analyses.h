/* What the files analysis*.c share: the records of the program, its output, its results, the
 * program, and the places of the queue.
 */
#ifndef FR_ANALYSES_H
#define FR_ANALYSES_H

#include "server/core/config.h"
#include "server/core/log.h"
#include "server/core/process.h"
#include "server/http/server.h"
#include "server/matrices/analysis.h"
#include "server/store/store.h"

#include <pthread.h>

/* ---- analysis record ------------------------------------------------------------------- */

/* A record of the output of forerun-analyze: one line of JSON. */

enum fr_record_kind {
    FR_RECORD_PROGRESS,
    FR_RECORD_FACTS,
    FR_RECORD_PERMUTATIONS,
    FR_RECORD_FRONTS,
    FR_RECORD_ORDERING,
    FR_RECORD_PARTITION,
    FR_RECORD_FAILED,
    FR_RECORD_END
};

enum { FR_RECORD_REASON = 240 };

/* Members that a record does not have are 0 or empty. */
struct fr_analysis_record {
    enum fr_record_kind kind;
    double fraction;
    char stage[32], reason[FR_RECORD_REASON], row_permutation[24];
    char ordering[16], status[16];
    char partition[16];
    double owners_s, messages_s; /* of a partition */
    int64_t n, nnz, structural_rank, processes;
    struct fr_matrix_ordering result; /* only its numbers */
    struct sparse_multifrontal tree;  /* of fronts; its operations are those of `result` */
    struct sparse_front_share share;
    int64_t bytes; /* bytes that follow the line */
};

/* Parses a line; false, with the reason in `why`, if it is not a record. */
bool fr_analysis_record_read(const char *line, size_t length, struct fr_analysis_record *out,
                             char *why, size_t why_size);

/* ---- analysis stream ------------------------------------------------------------------- */

/* Parses the output of forerun-analyze piece by piece: lines of JSON, some followed by bytes.
 *
 * The output is untrusted, because the libraries may have corrupted memory.  The length of lines,
 * the sum of all lines and the bytes of a structure are bounded.
 */

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
    unsigned char *permutations; /* as reported (matrices/files/matrix.h); or NULL */
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

/* ---- analysis results ------------------------------------------------------------------ */

/* Results of analyses: checked, stored, counted and logged. */

/* Where they go; borrowed. */
struct fr_analysis_results {
    struct fr_config *config;
    struct fr_log *log;
    struct fr_metrics *metrics;
    struct fr_store *store;
};

/* The result of a task with an ordering, and the facts of the matrix in its stream.  Returns what
 * the store says; FR_STORE_FAILED: it has nothing of it. */
int fr_analysis_keep_ordering(const struct fr_analysis_results *to,
                              const struct fr_analysis_stream *stream,
                              const struct fr_matrix_ordering *result, double time_s);
/* The same for a partition of a task: its facts are checked against the matrix and summarized. */
int fr_analysis_keep_partition(const struct fr_analysis_results *to,
                               const struct fr_matrix_task *task,
                               const struct fr_found_partition *found);

/* ---- analysis child -------------------------------------------------------------------- */

/* One process of forerun-analyze for one ordering of a matrix. */

enum { FR_LAST_WORDS = 512 };

struct fr_analysis_limits {
    struct fr_clock *clock;
    unsigned timeout_s;
    size_t memory_bytes, output_bytes;
    const char *folders; /* that the program may read (core/process.h); NULL: none */
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

/* ---- analysis place -------------------------------------------------------------------- */

/* The places of the queue of analyses, each of which runs one program at a time; and the state that
 * the files analysis*.c share.
 *
 * The analysis thread owns everything except the table of running analyses, which requests read
 * under a mutex.
 */

struct fr_analysis_place {
    struct fr_analysis *analysis;
    struct fr_analysis_child child;
    uint64_t begun_ns;
    bool is_taken;
    bool is_owed; /* the task, or what is left of it, goes back into the queue */
    size_t lost[FR_PARTITIONS_AT_ONCE]; /* parts that the store took no result of */
    size_t lost_count;
};

struct fr_analysis {
    struct fr_analysis_results results;
    pthread_t thread;
    /* Of all threads; a compiler may read the flags below together. */
    _Atomic bool is_stopping;
    int wake;               /* an eventfd */
    bool is_store_troubled; /* retry later */
    bool is_shared;         /* other daemons take analyses from the same store */
    struct fr_clock *clock;
    uint64_t look_ns; /* when to retry, and to look for analyses of daemons that are gone */
    unsigned count;   /* of places; the last two are for partitions, for which somebody waits, and
                         for natural orderings, which are not urgent */
    struct fr_analysis_place *place;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t settled;
    uint64_t settled_count;                              /* results so far */
    struct fr_analysis_progress shown[FR_ANALYSES_MOST]; /* by place; an empty id: free */
};

/* Starts the program; if it cannot start, the task fails. */
void fr_analysis_place_begin(struct fr_analysis *analysis, struct fr_analysis_place *place,
                             const struct fr_matrix_task *task);
/* The program has ended: keeps what it found, or why it failed. */
void fr_analysis_place_end(struct fr_analysis *analysis, struct fr_analysis_place *place);
/* Ends the program; what it would find is not wanted. */
void fr_analysis_place_drop(struct fr_analysis *analysis, struct fr_analysis_place *place);
/* Queues the task of a place again; a status of the store. */
int fr_analysis_place_give_back(struct fr_analysis_place *place);

/* Shows requests what place `i` does. */
void fr_analysis_show(struct fr_analysis *analysis, unsigned i);
/* Wakes the requests that wait for a result. */
void fr_analysis_settle(struct fr_analysis *analysis);

#endif
