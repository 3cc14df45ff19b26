/* The matrix to analyze: from a file, from standard input, or generated. */
#ifndef FR_ANALYZE_SOURCE_H
#define FR_ANALYZE_SOURCE_H

#include "server/analyze/options.h"
#include "server/matrices/files/read.h"

/* The matrix of the options.  NULL with faults; free with fr_matrix_free. */
struct fr_matrix *fr_source_open(const struct fr_analyze_options *options,
                                 struct fr_faults *faults);

/* A generated matrix, always the same for the same text:
 *
 *     cd3d:NX,NY,NZ,SEED          convection-diffusion on a 3-D grid, 7 points, first order upwind
 *     cfd2d:NX,NY,DOF,SEED        a 2-D grid, 9 points, DOF coupled unknowns per node
 *     econ:BLOCKS,SIZE,FILL,SEED  blocks of random entries, nearly unsymmetric, zeros on the
 * diagonal circuit:N,DEGREE,HUBS,SEED  near neighbours, half of them unsymmetric, and some hubs
 *
 * NULL with faults; free with fr_matrix_free.
 */
struct fr_matrix *fr_generate(const char *what, struct fr_faults *faults);

#endif
