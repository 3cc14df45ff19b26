/* The places of the nodes of the job in the network. */
#ifndef FR_HOPS_H
#define FR_HOPS_H

struct fr_context;

/* The rank on another node that is the fewest links from rank 0, the first one if several are or if
 * no topology is given; -1 if there is no other node. */
int fr_hops_nearest(const struct fr_context *context);
/* The links on a minimal route between the nodes of two ranks; NaN where no topology is given, or
 * where it has no such node. */
double fr_hops_between(const struct fr_context *context, int rank, int other);

#endif
