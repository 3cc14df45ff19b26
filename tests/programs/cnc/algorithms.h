/* Matrix products as CnC programs (docs/models/cnc.md): Cannon's algorithm, which shifts blocks on
 * a plane, and Johnson's, which multiplies all pairs of blocks at the same time and adds the
 * products one after the other.
 *
 * All blocks start on rank 0.  Step (i,j,k) runs on the rank of (i,j) in Cannon's algorithm and on
 * the rank of (i,j,k) in Johnson's.  Ranks have equal consecutive parts of the plane or cube.
 */
#ifndef ALGORITHMS_H
#define ALGORITHMS_H

#include "tests/programs/cnc/cnc.h"
#include "tests/programs/cnc/kernel.h"

enum algorithm { ALGORITHM_CANNON, ALGORITHM_JOHNSON };
extern const char *const algorithm_names[];

struct product {
    enum algorithm algorithm;
    int blocks; /* in a dimension */
    int rank, ranks;
    bool computes, moves_data; /* one of them may be false */
    struct kernel kernel;
    /* Private. */
    struct cnc *cnc;
    struct cnc_items *a, *b, *c, *parts;
    struct cnc_tags *tags;
    float *scratch;
    double computing_s;
    int verified; /* blocks found right */
};

/* Computes the product; collective. */
void product_init(struct product *product);
void product_free(struct product *product);
void product_run(struct product *product);
/* After a full run: rank 0 gets all blocks and compares them with a sequential product.  Ends the
 * program if a block is wrong. */
void product_verify(struct product *product);

#endif
