/* One value of each node: what was measured on all of them at once, and how far they differ. */
#ifndef FR_NODES_H
#define FR_NODES_H

struct fr_context;

struct fr_nodes {
    int count; /* nodes that had a value */
    double median, lowest, highest;
};

/* Collective over all ranks; the first rank of a node speaks for it, NAN is no value.  The result
 * is the same on all ranks. */
struct fr_nodes fr_nodes_gather(const struct fr_context *context, double own);

/* (highest - lowest) / median; 0 for one node. */
double fr_nodes_difference(const struct fr_nodes *nodes);

enum { FR_NODES_TEXT_BYTES = 80 };
/* ", median of 4 nodes that differ by 1.2 %" for a source; empty for one node. */
const char *fr_nodes_text(const struct fr_nodes *nodes, char out[FR_NODES_TEXT_BYTES]);

/* Warns where nodes differ so much that one document cannot stand for all. */
void fr_nodes_check(struct fr_context *context, const char *what, const struct fr_nodes *nodes);

#endif
