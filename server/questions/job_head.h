/* The head of a job script, or the reference of its test, as a format of answers about one
 * configuration. */
#ifndef FR_JOB_HEAD_H
#define FR_JOB_HEAD_H

#include "server/questions/ask.h"

/* Writes the head of a script for the scheduler that the format names, up to the line that starts
 * the program.  Its time limit is that of `quantile`, 0.95 if the question has none.  FR_REFRAME:
 * the `reference` of a performance test.  `resolved` are the values of the prediction, whose
 * warnings may get shares. */
void fr_job_head_write(struct fr_writer *w, enum fr_format format,
                       const struct fr_question *question, const void *resolved,
                       struct fr_prediction *prediction, const struct fr_spread *spread);

#endif
