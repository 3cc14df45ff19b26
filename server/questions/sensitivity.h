/* The sensitivity of a prediction, for the answer and for its chart. */
#ifndef FR_SERVER_SENSITIVITY_H
#define FR_SERVER_SENSITIVITY_H

#include "engine/questions/sensitivity.h"
#include "server/questions/ask.h"

struct fr_sensitivity_options {
    double factor;
    int64_t limit;
    struct fr_look look; /* of the chart, as is the title */
    const char *title;   /* NULL if absent */
};
#define FR_SENSITIVITY_OPTIONS(usual_limit)                                                \
    FR_REAL(struct fr_sensitivity_options, factor, .unit = "1", .min = 1.001, .max = 1000, \
            .fallback = 2, .flags = FR_DEFAULT,                                            \
            .doc = "Each value is multiplied by it, and divided."),                        \
        FR_INT(struct fr_sensitivity_options, limit, .unit = "1", .min = 1,                \
               .max = FR_MOST_INFLUENCES, .fallback = usual_limit, .flags = FR_DEFAULT,    \
               .doc = "Maximum number of values, those that change the time most.")

/* Finds it, and keeps as many rows as the options allow.  FR_OK, or a code with faults. */
int fr_question_sensitivity(struct fr_request *rq, const struct fr_question *question,
                            const struct fr_sensitivity_options *options,
                            struct fr_sensitivity *out, struct fr_faults *faults);

#endif
