/* The products of the paper (cnc.md) as CnC programs: Cannon's, whose blocks move round a plane,
 * and Johnson's, which multiplies all pairs at once and adds the products one after the other.
 *
 * All blocks begin on rank 0.  Cannon's step (i,j,k) is on the rank of (i,j), Johnson's on that of
 * (i,j,k): ranks have consecutive places of the plane or cube, as many each as they can.
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
    bool computes, moves_data; /* one of them may be left out */
    struct kernel kernel;
    /* What follows is the product's own. */
    struct cnc *cnc;
    struct cnc_items *a, *b, *c, *parts;
    struct cnc_tags *tags;
    float *scratch;
    double computing_s;
    int verified; /* blocks that were right */
};

/* Collective. */
void product_init(struct product *product);
void product_free(struct product *product);
void product_run(struct product *product);
/* After a run that computed and moved: rank 0 gets all blocks and compares them with a sequential
 * product.  Ends the program if one is wrong. */
void product_verify(struct product *product);

#endif
