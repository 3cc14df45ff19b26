/* A request to compare two calibrations, and the predictions with both for the same questions. */
#ifndef FR_API_COMPARISON_H
#define FR_API_COMPARISON_H

#include "server/comparison/comparison.h"
#include "server/questions/ask.h"
#include "server/store/store.h"

/* One question and its two answers. */
struct fr_effect {
    const char *name;
    const struct fr_model *model;
    const void *values; /* bound, not resolved */
    uint64_t given;
    bool is_asked;           /* by the request, not a standard question */
    double time_s[FR_SIDES]; /* NaN if it cannot be computed */
    bool is_extrapolated;    /* at least one lies outside the measured range */
    const char *reason;      /* why a time is NaN; NULL if none is */
};
struct fr_effects {
    struct fr_effect *row;
    size_t count;
};

enum { FR_MOST_EFFECTS = 32 };

/* Predicts with both calibrations, without saved runs: first the question of the request, then a
 * few standard questions for each model.  Returns FR_TOO_MANY_POINTS with a fault if the request
 * has more than FR_MOST_EFFECTS questions. */
int fr_effects_predict(struct fr_request *rq, struct fr_loaded *const loaded[FR_SIDES],
                       const struct fr_question *asked, struct fr_effects *out,
                       struct fr_faults *faults);

/* The tables of a comparison. */
enum fr_comparison_table {
    FR_TABLE_CHANGES,
    FR_TABLE_FIELDS,
    FR_TABLE_EFFECTS,
    FR_TABLE_CONDITIONS
};
extern const char *const fr_comparison_tables[];

struct fr_comparison_options {
    int64_t limit;
    int table;                     /* enum fr_comparison_table */
    const char *from, *to, *model; /* as given; NULL if absent */
};

/* A parsed request.  End it with fr_comparison_question_end. */
struct fr_comparison_question {
    struct fr_comparison_options options;
    struct fr_stored_calibration stored[FR_SIDES];
    struct fr_loaded *loaded[FR_SIDES]; /* shared references */
    /* Beside the standard questions; its model is NULL if there is none. */
    struct fr_question asked;
};
extern const char *const fr_side_names[FR_SIDES];

/* Reads the query and finds the two calibrations.  Returns an enum fr_store_result and appends all
 * faults. */
int fr_comparison_ask(struct fr_request *rq, const struct fr_machine *machine,
                      struct fr_comparison_question *out, struct fr_faults *faults);
void fr_comparison_question_end(struct fr_comparison_question *question);

#endif
