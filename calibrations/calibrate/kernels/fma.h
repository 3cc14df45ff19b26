/* The fastest that a core can multiply and add: a loop that touches no memory. */
#ifndef FR_FMA_H
#define FR_FMA_H

#include <stdbool.h>

struct fr_fma {
    const char *name;
    int flops_per_pass; /* of all its lanes and chains */
    bool (*is_supported)(void);
    /* Returns something that depends on every result, so that nothing is optimised away. */
    double (*run)(long passes);
};

/* Ends with a name of NULL. */
extern const struct fr_fma fr_fma_loops[];

#endif
