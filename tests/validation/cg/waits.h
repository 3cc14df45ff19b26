/* Time inside MPI by purpose, and the number and bytes of reductions.
 *
 * The program defines functions of MPI and forwards them to their profiling names (PMPI_), as the
 * standard provides.  This also times blocking reductions, whose wait PETSc logs as part of the dot
 * product.
 */
#ifndef WAITS_H
#define WAITS_H

struct waits {
    double halo_s, reduction_s; /* since the program began */
    double reductions, reduction_bytes;
};

/* The sums since the program began. */
struct waits waits_now(void);

#endif
