/* Time that the process spends inside MPI, by purpose, and what it reduces.
 *
 * The program defines MPI's functions itself and passes them on to their profiling names (PMPI_),
 * as the standard provides: nothing that the library under test does is changed, and its blocking
 * reductions are seen too, whose wait PETSc logs as part of the dot product.
 */
#ifndef WAITS_H
#define WAITS_H

struct waits {
    double halo_s, reduction_s; /* since the program began */
    double reductions, reduction_bytes;
};

struct waits waits_now(void);

#endif
