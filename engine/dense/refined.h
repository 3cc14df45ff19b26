/* The refined model of contention (dense-distributed.md 14): what a message costs while others
 * share its way, and measured times of whole communication patterns. */
#ifndef FR_DENSE_REFINED_H
#define FR_DENSE_REFINED_H

#include "engine/dense/dense.h"
#include "engine/lookup/timing.h"

/* Whose time counts: the mean over the processes, or the slowest's. */
enum refined_statistic { REFINED_AVERAGE, REFINED_MAXIMUM };

/* C of all processes sending over `distance` ranks; 1 without contention. */
double refined_factor(const struct dense *d, double distance, enum refined_statistic statistic);
/* T(w; C). */
struct cost refined_message(const struct dense *d, double words, double factor);
/* The pattern as measured; from messages where it was not. */
struct cost refined_pattern(const struct dense *d, enum fr_pattern_kind pattern, double words,
                            enum refined_statistic statistic);

/* Whether the calibration has it for this number of layers. */
bool refined_is_measured(const struct dense *d, enum fr_pattern_kind pattern);

/* A pattern among the layers that need not be measured: then from messages, without a warning. */
struct cost refined_layers(const struct dense *d, enum fr_pattern_kind pattern, double words);

/* One of `blocks` broadcasts of a panel, their mean.  In the last q steps a block goes out in ever
 * fewer rows or columns of the grid, and contention is between all of them and that of one alone,
 * in proportion to how many there are; where one row alone was measured. */
struct cost refined_panel(const struct dense *d, enum fr_pattern_kind pattern,
                          enum fr_pattern_kind alone, double words, double blocks);

/* From messages alone; `words` is the whole vector, a group of one costs nothing. */
struct cost refined_broadcast(const struct dense *d, double group, double words, double distance,
                              enum refined_statistic statistic);
/* The same where no other group communicates. */
struct cost refined_broadcast_alone(const struct dense *d, double group, double words,
                                    double distance);
/* Halving from w/2 on over groups in all of the machine; doubling up to w/2. */
struct cost refined_scatter(const struct dense *d, double group, double words, double distance,
                            enum refined_statistic statistic);
struct cost refined_gather(const struct dense *d, double group, double words, double distance,
                           enum refined_statistic statistic);
struct cost refined_gather_alone(const struct dense *d, double group, double words,
                                 double distance);

/* The phases of whole algorithms (14.4). */
void refined_trsm(const struct dense *d);
/* `is_chain` prices look-ahead by what the data depend on (chain.c), of one layer. */
void refined_cholesky(const struct dense *d, bool is_chain);
/* By big block columns, of several layers (refined_cholesky_layers.c). */
void refined_cholesky_layers(const struct dense *d);

#endif
