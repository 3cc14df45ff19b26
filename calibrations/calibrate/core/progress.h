/* Progress of a benchmark on standard error. */
#ifndef FR_PROGRESS_H
#define FR_PROGRESS_H

#include <stdbool.h>

struct fr_context;

struct fr_progress {
    const struct fr_context *context;
    const char *what;
    double total; /* work in any unit */
    double done;
    double started_s, shown_s;
};

struct fr_progress fr_progress_begin(const struct fr_context *context, const char *what,
                                     double total);
/* Adds work done; prints a line at most once a second. */
void fr_progress_add(struct fr_progress *progress, double work);
/* For a benchmark that knows the seconds left: whether a line is due, a second after the last one;
 * and the line. */
bool fr_progress_is_due(const struct fr_progress *progress);
void fr_progress_show(struct fr_progress *progress, double left_s);
void fr_progress_end(struct fr_progress *progress);

#endif
