/* Saved run of a solve (docs/saved_runs.md#the-document). */
#ifndef REPORT_H
#define REPORT_H

#include "server/json/writer.h"
#include "tests/programs/krylov/solve.h"

/* Collective; the first rank writes the members of `run`. */
void report_solve(const struct solve *solve, const struct job *job, struct fr_writer *run);

#endif
