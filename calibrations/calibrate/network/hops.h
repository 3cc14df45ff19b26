/* Where the nodes of the job are in the network. */
#ifndef FR_HOPS_H
#define FR_HOPS_H

struct fr_context;

/* The rank on another node that is the fewest links from rank 0, the first of them where several
 * are or where no topology is given; -1 where there is no other node. */
int fr_hops_nearest(const struct fr_context *context);

#endif
