/* The matrix: a file, standard input, or made here. */
#ifndef FR_ANALYZE_SOURCE_H
#define FR_ANALYZE_SOURCE_H

#include "server/analyze/options.h"
#include "server/matrices/files/read.h"

/* NULL with faults; free with fr_matrix_free. */
struct fr_matrix *fr_source_open(const struct fr_analyze_options *options,
                                 struct fr_faults *faults);

/* cd3d:NX,NY,NZ,SEED    convection and diffusion on a 3-D grid, 7 points, first order upwind
 * cfd2d:NX,NY,DOF,SEED  a 2-D grid, 9 points with DOF unknowns each, all coupled
 * econ:BLOCKS,SIZE,FILL,SEED  blocks of random entries, almost unsymmetric, holes in the diagonal
 * circuit:N,DEGREE,HUBS,SEED  a graph of near neighbours, half of them one-sided, and some hubs
 */
struct fr_matrix *fr_generate(const char *what, struct fr_faults *faults);

#endif
