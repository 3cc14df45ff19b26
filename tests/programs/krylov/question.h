/* The model and its parameters.  The engine itself reads and resolves them, so that a saved run
 * states the parameters of a prediction.
 *
 * The calibration is a reference: its topology and memory bandwidth are those of the job, its
 * message times are arbitrary.  Only quantities that do not depend on the latter are read from a
 * prediction: message counts and kernel times.
 */
#ifndef QUESTION_H
#define QUESTION_H

#include <argp.h>

#include "engine/forerun.h"
#include "engine/krylov/communication/krylov.h"
#include "server/json/writer.h"
#include "tests/programs/krylov/job.h"

enum { GIVEN_MAX = 24, GIVEN_VALUES_MAX = 64, TORUS_MAX = 3 };

/* A parameter and its list of values. */
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
    struct fr_calibration reference;
    void *values; /* of the model's struct, resolved */
    struct fr_arena *arena;
    struct fr_prediction counts; /* of the average process */
};

void question_init(struct question *question);
void question_free(struct question *question);

/* Reads MODEL, then NAME=VALUE[,VALUE...]; ends the program if they are refused. */
void question_take(struct question *question, const char *text, struct argp_state *state);
/* Reads torus:4x4x4[:NODES], dragonfly:CHASSISxROUTERS:NODES or uniform; 0, or -1 if it is none. */
int question_take_topology(struct question *question, const char *text);

/* The number of combinations of values; question_resolve prepares number `which` of them. */
int question_cases(const struct question *question);
void question_resolve(struct question *question, const struct job *job, int which,
                      double memory_rate);

/* The value of a parameter, NaN if it is open; and an output predicted with the reference. */
double question_value(const struct question *question, const char *name);
double question_output(const struct question *question, const char *name);
/* Write the parameters of a run, and the grids beside them, as members of an object. */
void question_write_parameters(const struct question *question, struct fr_writer *run);
void question_write_grids(const struct question *question, const struct job *job,
                          struct fr_writer *run);

#endif
