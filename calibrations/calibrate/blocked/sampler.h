/* Calls of routines, executed and timed. */
#ifndef FR_SAMPLER_H
#define FR_SAMPLER_H

#include "calibrations/calibrate/core/sample.h"
#include "engine/blocked/routine.h"

/* ---- sampler --------------------------------------------------------------------------- */

/* Sampling calls of kernels: operands, caches, counters. */

/* ---- execute --------------------------------------------------------------------------- */

/* Executes one call of a kernel.  A table maps each routine to its function of BLAS, LAPACK or
 * unblocked.h and to the shapes of its operands.
 */

enum { FR_OPERANDS_MAX = 3 };

struct fr_execution;

struct fr_operand {
    double *at;
    int rows, columns, leading;
};

/* An operand as it is stored: its rows and columns are sizes of the call, by index.  FR_SIDE is the
 * order of the operand on the side of the first flag. */
enum { FR_SIDE = -1 };
struct fr_shape {
    const char *name;
    int rows, columns;
    int trans; /* 1 + the index of a flag that exchanges them unless it is 'N'; 0: none */
};

/* A row of the table.  The last operand is overwritten. */
struct fr_executor {
    const char *name; /* of the routine, or the common start of several names */
    struct fr_shape shape[FR_OPERANDS_MAX];
    size_t operands;
    bool has_beta; /* a second scalar, 1, precedes the last operand */
    bool uses_up;  /* cannot run on its own result: each execution needs a fresh operand */
    void (*run)(const struct fr_execution *execution);
};

/* A call prepared for execution, so that nothing is looked up or converted while it is timed. */
struct fr_execution {
    const struct fr_executor *executor;
    char flags[BLOCKED_MAX_FLAGS + 1];
    int size[BLOCKED_MAX_SIZES];
    double alpha;
    int variant; /* of an unblocked kernel; 0: common to all */
    struct fr_operand operand[FR_OPERANDS_MAX];
    int *pivots;
};

/* The executor of a routine, or NULL.  Every routine of blocked_routines has one. */
const struct fr_executor *fr_executor_find(const struct blocked_routine *routine);

/* Prepares a call except for the addresses and leading dimensions of its operands. */
struct fr_execution fr_execution_of(const struct blocked_call *call);

/* Executes a call whose operands have been placed (operands.h). */
static inline void fr_execution_run(const struct fr_execution *execution)
{
    execution->executor->run(execution);
}

/* ---- operands -------------------------------------------------------------------------- */

/* Memory for the operands of sampled calls (docs/models/kernel_models.md#sampler).
 *
 * A call has up to three operands: two that are read and one that is overwritten.  Each place has
 * memory for the largest operand announced.  An element depends on its row and column only.
 * Matrices are symmetric, with a diagonal near 1 and off-diagonal elements of the order 0.1/n:
 * either triangle can be solved with, and squares are positive definite and diagonally dominant.
 */

/* The leading dimension (docs/models/kernel_models.md#decision-leading-dimensions). */
enum { FR_LEADING = 2500 };

/* Leading dimensions of a call's operands, in its order; 0: the default. */
struct fr_layout {
    int leading[FR_OPERANDS_MAX];
};

/* The largest operands of all announced calls. */
struct fr_extent {
    int largest; /* rows or columns of any operand */
    /* By place: operands that are read, then the operand that is overwritten. */
    struct {
        int rows, columns;   /* of any operand */
        int default_columns; /* of operands with the default leading dimension */
        size_t elements;     /* of the largest with another, gaps between columns included */
        size_t bytes;        /* of the pages that the largest touches */
    } place[FR_OPERANDS_MAX];
};

/* Announces a call.  `layout` may be NULL here and below. */
void fr_extent_add(struct fr_extent *extent, const struct blocked_call *call,
                   const struct fr_layout *layout);

/* The default leading dimension if `largest` is the largest size. */
int fr_leading_default(int largest);

/* Memory of one place. */
struct fr_operand_room {
    double *at;
    size_t elements;
    int leading; /* of the present contents */
    int *filled; /* number of rows set in each column */
    int columns;
};

struct fr_operand_memory {
    int leading;                                  /* the default */
    double scale;                                 /* of the elements beside the diagonal */
    struct fr_operand_room room[FR_OPERANDS_MAX]; /* by place, the last is overwritten */
    int *pivots;
    void *pages;
    size_t bytes;
};

/* Takes pages from the system, because a simulator may share memory of malloc between its
 * processes. Calls may touch at most half of the memory of the computer.  Returns 0, or -1 with an
 * error message in `why`; fr_operand_memory_close frees the memory. */
int fr_operand_memory_open(struct fr_operand_memory *memory, const struct fr_extent *extent,
                           char why[BLOCKED_WHY_BYTES]);
void fr_operand_memory_close(struct fr_operand_memory *memory);

/* Sets the operands of a call, which must have been announced.  The operand that is overwritten
 * keeps its contents. */
void fr_operand_memory_place(struct fr_operand_memory *memory, const struct fr_layout *layout,
                             struct fr_execution *execution);
/* Restores the operand that the call overwrites. */
void fr_operand_memory_refresh(const struct fr_operand_memory *memory,
                               const struct fr_execution *execution);

/* ---- cold ------------------------------------------------------------------------------ */

/* Removes operands from every cache before a timed execution. */

/* Operands are flushed line by line if the processor has an instruction for it, else by writing
 * through a buffer of several times the last-level cache. */
struct fr_cold {
    void (*flush)(const void *at); /* the line of an address; NULL: through the buffer */
    unsigned char *buffer;
    size_t bytes;
};

/* Whether this processor can flush single lines. */
bool fr_cold_has_lines(void);
/* Returns 0, or -1 without memory for the buffer; fr_cold_close frees it. */
int fr_cold_open(struct fr_cold *cold, bool by_lines);
void fr_cold_close(struct fr_cold *cold);

/* Removes the operands of an execution, which must have been placed (operands.h). */
void fr_cold_make(const struct fr_cold *cold, const struct fr_execution *execution);

/* ---- counters -------------------------------------------------------------------------- */

/* Hardware counters of the processor during a call, if the kernel gives access to them. */

enum fr_metric {
    FR_TICKS,        /* of the time stamp counter */
    FR_INSTRUCTIONS, /* in user mode, as all below */
    FR_LOADS,        /* reads from the level-1 data cache */
    FR_STORES,       /* writes to the level-1 data cache */
    FR_CACHE_MISSES, /* of the last-level cache */
    FR_TLB_MISSES,   /* data TLB misses of reads */
    FR_METRICS
};

extern const char *const fr_metric_names[FR_METRICS];

/* Reads a list such as "ticks,loads".  "seconds" is accepted and ignored, because times are always
 * measured.  Returns 0, or -1 with an error message in `why`. */
int fr_metrics_read(const char *list, bool wanted[FR_METRICS], char why[BLOCKED_WHY_BYTES]);

/* Counters of the calling thread alone. */
struct fr_counters {
    bool is_open[FR_METRICS]; /* wanted and available */
    int file[FR_METRICS];     /* of those that are open, except ticks */
    struct fr_count {
        uint64_t value, enabled_ns, running_ns;
    } begun[FR_METRICS];
};

/* Opens the wanted counters; reports on standard error those that are not available. */
void fr_counters_open(struct fr_counters *counters, const bool wanted[FR_METRICS]);
void fr_counters_close(struct fr_counters *counters);

void fr_counters_begin(struct fr_counters *counters);
/* Writes the counts since begin; NAN for a counter that is not open or did not run. */
void fr_counters_end(const struct fr_counters *counters, double value[FR_METRICS]);

/* ---- sampler --------------------------------------------------------------------------- */

/* The Sampler: measures the times of kernel calls in batches
 * (docs/models/kernel_models.md#sampler).
 *
 * The caller sets the threads of the BLAS and binds them to cores.
 */

enum { FR_SAMPLER_REPETITIONS = 10, FR_SAMPLER_REPETITIONS_MAX = 999 };
#define FR_SAMPLER_TOLERANCE 0.01

/* Times of one call in seconds; all 0 for a call with an empty operand, which is not executed. */
struct fr_sampled {
    double min_s, median_s, mean_s, max_s, std_s; /* std: of a sample; 0 for one repetition */
    int repetitions;
    double metric[FR_METRICS]; /* medians; NAN: not counted */
};

struct fr_sampler {
    struct fr_operand_memory memory;
    struct fr_cold cold;
    struct fr_counters counters;
    struct fr_random random;
    int64_t overhead_ns; /* of an empty measurement */
    double overhead[FR_METRICS];

    /* May be changed between batches. */
    bool is_cold;          /* whether operands are removed from the caches */
    int repetitions;       /* maximum for a call, 1 to FR_SAMPLER_REPETITIONS_MAX */
    double tolerance;      /* of a settled median (sampler.c); 0: all repetitions */
    double *each_s;        /* times of every call in their order, `repetitions` apart; or NULL */
    double deadline_s;     /* on the clock, for the start of a repetition; HUGE_VAL: none */
    bool (*is_over)(void); /* if true, no repetition starts; NULL: never */
    int64_t (*clock_ns)(void);                         /* fr_stopwatch_ns */
    void (*run)(const struct fr_execution *execution); /* fr_execution_run */
};

/* Opens a sampler for the calls of `extent` and all with smaller operands, with the default
 * repetitions and tolerance, in cache, without a deadline.  `metrics` may be NULL.  Returns 0, or
 * -1 with an error message in `why`; fr_sampler_close frees what it holds. */
int fr_sampler_open(struct fr_sampler *sampler, const struct fr_extent *extent,
                    const bool metrics[FR_METRICS], char why[BLOCKED_WHY_BYTES]);
void fr_sampler_close(struct fr_sampler *sampler);

/* Measures calls, interleaved in random order.  Returns the number of calls, counted from the
 * first, with at least one repetition: fewer than `count` if the deadline passed (later calls may
 * be measured too; those that are not have 0 repetitions), 0 without memory.  `layout` has that of
 * each call; NULL: the default. */
size_t fr_sampler_take(struct fr_sampler *sampler, const struct blocked_call *call,
                       const struct fr_layout *layout, struct fr_sampled *out, size_t count);

/* Reads a call for the Sampler: the short form `dtrsm LLNN 100 200 -1`, or a tuple of all
 * arguments,
 * `(dtrsm, L, L, N, N, 100, 200, 1.0, 10000, 2500, 20000, 2500)`.
 *
 * In a tuple each operand is given by its size in elements, or its name, in the place of its
 * address, and its leading dimension.  The scalars are alpha and, before the operand that is
 * overwritten, beta (1) if the routine has one; work space, pivots and results are omitted.
 */

/* Reads a text that is one call.  `layout` gets the leading dimensions of a tuple, or zeros.
 * Returns 0, or -1 with an error message in `why` and the other outputs unchanged. */
int fr_call_parse(const char *text, struct blocked_call *call, struct fr_layout *layout,
                  char why[BLOCKED_WHY_BYTES]);

#endif
