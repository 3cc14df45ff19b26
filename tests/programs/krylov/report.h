/* What of a solve goes into a saved run (krylov.md 2.2). */
#ifndef REPORT_H
#define REPORT_H

#include "server/json/writer.h"
#include "tests/programs/krylov/solve.h"

/* Collective; `run` is written on the first rank. */
void report_solve(const struct solve *solve, const struct job *job, struct fr_writer *run);

#endif
