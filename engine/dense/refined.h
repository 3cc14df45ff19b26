/* The refined contention model: messages that share the network, collectives made of them, measured
 * times of whole communication patterns, and the Cholesky factorizations made of patterns
 * (docs/models/dense.md#the-refined-contention-model).
 *
 * Costs are of one process; `words` is the whole vector of a collective.  Lookups record tables
 * and warnings in d->run->out.
 */
#ifndef FR_DENSE_REFINED_H
#define FR_DENSE_REFINED_H

#include "engine/dense/dense.h"
#include "engine/lookup/lookup.h"

/* The mean over the processes, or the slowest process. */
enum refined_statistic { REFINED_AVERAGE, REFINED_MAXIMUM };

/* The contention factor C of all processes sending over `distance` ranks; 1 without contention. */
double refined_factor(const struct dense *d, double distance, enum refined_statistic statistic);
/* T(words; C) (docs/models/dense.md#messages-under-contention). */
struct cost refined_message(const struct dense *d, double words, double factor);

/* Collectives made of messages, while all groups of the machine do the same; in `_alone` one group
 * only, at factor 1.  A group of one costs nothing
 * (docs/models/dense.md#communication-patterns). */
struct cost refined_scatter(const struct dense *d, double group, double words, double distance,
                            enum refined_statistic statistic);
struct cost refined_gather(const struct dense *d, double group, double words, double distance,
                           enum refined_statistic statistic);
struct cost refined_gather_alone(const struct dense *d, double group, double words,
                                 double distance);
struct cost refined_broadcast(const struct dense *d, double group, double words, double distance,
                              enum refined_statistic statistic);
struct cost refined_broadcast_alone(const struct dense *d, double group, double words,
                                    double distance);

/* A pattern at its measured time; made of messages, with a warning, if it was not measured
 * (docs/models/dense.md#interpolation-of-measured-patterns). */
struct cost refined_pattern(const struct dense *d, enum fr_pattern_kind pattern, double words,
                            enum refined_statistic statistic);
/* As refined_pattern, of the slowest process, without the warning. */
struct cost refined_optional_pattern(const struct dense *d, enum fr_pattern_kind pattern,
                                     double words);
/* Whether the calibration has times of the pattern for this number of layers. */
bool refined_is_measured(const struct dense *d, enum fr_pattern_kind pattern);

/* The mean cost of one of `blocks` broadcasts of panel blocks by `pattern`; `alone` is the same
 * pattern in one row or column (docs/models/dense.md#broadcasts-of-the-last-panels). */
struct cost refined_panel(const struct dense *d, enum fr_pattern_kind pattern,
                          enum fr_pattern_kind alone, double words, double blocks);

/* The phases of a Cholesky factorization, each in total. */
struct cholesky_phases {
    struct cost reduce_layers, diagonal_layers, diagonal, row, column;
    double diagonal_hidden_s, row_hidden_s, column_hidden_s;
    double dpotrf_s, dtrsm_s, dsyrk_s, dgemm_s, imbalance_s;
};
/* docs/models/dense.md#refined-cholesky; `is_chain` prices look-ahead along the chain of panels,
 * which needs one layer. */
struct cholesky_phases refined_cholesky(const struct dense *d, bool is_chain);
/* docs/models/dense.md#cholesky-by-big-block-columns, for more than one layer. */
struct cholesky_phases refined_cholesky_layers(const struct dense *d);

/* Blocks of each operand in a step of the patterns `_FOUR`. */
enum { REFINED_STEP_BLOCKS = 4 };
/* Times of broadcasts in steps with changing roots, relative to those of broadcasts in a row: of
 * the first block in each step, and of each block that follows it. */
struct refined_steps {
    double first, pace;
};
/* From the measured sequence `one` with one block of each operand in a step, and `four` with four
 * of them; without the latter `pace` is 1.  Broadcasts in a row take `once_s` for what a step has
 * once and `block_s` for one block of each operand, as means over q steps.  q > 1; `one` is
 * measured. */
struct refined_steps refined_steps(const struct dense *d, enum fr_pattern_kind one,
                                   enum fr_pattern_kind four, double words, double once_s,
                                   double block_s);
/* Whether the steps of a factorization were measured, with overlap if it has that; and their
 * prices, from broadcasts in a row of a diagonal block and of a block of the panel in rows and
 * columns.  q > 1. */
bool refined_has_factor_steps(const struct dense *d);
struct refined_steps refined_factor_steps(const struct dense *d, double diagonal_s, double panel_s);

#endif
