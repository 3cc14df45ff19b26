/* What is run: a model of the engine and its parameters, read and laid out by the engine itself, so
 * that a saved run says what a prediction would be asked.
 *
 * The calibration behind it is a ruler: its topology and the rate of its memory are the job's, the
 * times of its messages are not, and only what does not depend on them is read from a prediction:
 * counts of messages, and times of kernels.
 */
#ifndef QUESTION_H
#define QUESTION_H

#include <argp.h>

#include "engine/forerun.h"
#include "engine/krylov/krylov.h"
#include "server/json/writer.h"
#include "tests/programs/krylov/job.h"

enum { GIVEN_MAX = 24, GIVEN_VALUES_MAX = 64, TORUS_MAX = 3 };

/* A parameter and the values that it takes one after the other. */
struct given {
    const struct fr_param *param;
    int count;
    const char *value[GIVEN_VALUES_MAX];
};

struct question {
    const struct fr_model *model;
    int givens;
    struct given given[GIVEN_MAX];
    double torus[TORUS_MAX];
    struct fr_protocol protocol[2];
    struct fr_calibration ruler;
    void *values; /* of the model's struct, resolved */
    struct fr_arena *arena;
    struct fr_prediction counts; /* of the average process */
};

void question_init(struct question *question);
void question_free(struct question *question);

/* MODEL, then NAME=VALUE[,VALUE...]; ends the program where that is refused. */
void question_take(struct question *question, const char *text, struct argp_state *state);
/* As for the calibrator: torus:4x4x4[:NODES], dragonfly:CHASSISxROUTERS:NODES or uniform; returns 0
 * or -1. */
int question_take_topology(struct question *question, const char *text);

/* How many combinations the values make, and the one of them that is asked now. */
int question_cases(const struct question *question);
void question_resolve(struct question *question, const struct job *job, int which,
                      double memory_rate);

/* A parameter's value, NaN where it is open; and what the ruler makes of an output. */
double question_value(const struct question *question, const char *name);
double question_output(const struct question *question, const char *name);
/* The parameters that tell runs apart, as members of an object; the grids beside them. */
void question_write_parameters(const struct question *question, struct fr_writer *run);
void question_write_grids(const struct question *question, const struct job *job,
                          struct fr_writer *run);

#endif
