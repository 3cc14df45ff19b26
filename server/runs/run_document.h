/* A saved run: from its text to what a model computes with and predictions are compared with. */
#ifndef FR_JSON_SAVED_RUN_H
#define FR_JSON_SAVED_RUN_H

#include "engine/forerun.h"
#include "server/json/writer.h"

#include "server/json/value.h"

/* The most numbers of one list: a phase of a thousand iterations by a thousand processes. */
enum { FR_MAX_RUN_NUMBERS = 1000000 };

/* Decodes and checks; everything it makes lives in `arena`.  Faults are pointers into the run.
 *
 * An upload says its model, all parameters that a prediction would need, and its time; of a run in
 * a request only what the model reads is needed, and the model may be the request's.  Where that
 * one is given, a run of another is refused. */
int fr_run_decode(json_t *root, const struct fr_model *model_or_null, bool is_upload,
                  struct fr_arena *arena, struct fr_saved_run *out, struct fr_faults *faults);
/* A document that was stored. */
int fr_run_read(const char *text, size_t length, struct fr_arena *arena, struct fr_saved_run *out,
                struct fr_faults *faults);

/* What the model has against the run's parameters on this machine; that the calibration lacks a
 * group is no fault: what was measured is welcome where nothing can be predicted.  `resolved` (room
 * for the model's values) becomes the run's with automatic choices made, where they can be. */
int fr_run_resolve(const struct fr_saved_run *run, const struct fr_calibration *cal_or_null,
                   void *resolved, struct fr_faults *faults);

/* All parameters as a prediction shows them, and the other ways in which the run gave some. */
void fr_run_write_parameters(struct fr_writer *w, const struct fr_saved_run *run,
                             const void *resolved);
/* What that wrote, back into values of the model; those it does not know are left out. */
void fr_run_read_parameters(const struct fr_model *model, const char *json, void *values);

#endif
