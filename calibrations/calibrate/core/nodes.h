/* A value measured on all nodes at once, and the differences between nodes. */
#ifndef FR_NODES_H
#define FR_NODES_H

struct fr_context;

struct fr_nodes {
    int count; /* nodes with a value */
    double median, lowest, highest;
};

/* Gathers the value of the first rank of each node; NAN means none.  Collective over all ranks; the
 * result is the same on all. */
struct fr_nodes fr_nodes_gather(const struct fr_context *context, double own);

/* (highest - lowest) / median; 0 for one node. */
double fr_nodes_difference(const struct fr_nodes *nodes);

enum { FR_NODES_TEXT_BYTES = 80 };
/* Writes ", median of 4 nodes that differ by 1.2 %" for a source; nothing for one node. */
const char *fr_nodes_text(const struct fr_nodes *nodes, char out[FR_NODES_TEXT_BYTES]);

/* Warns if nodes differ too much to be described by one document. */
void fr_nodes_check(struct fr_context *context, const char *what, const struct fr_nodes *nodes);

#endif
