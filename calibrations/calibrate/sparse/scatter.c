/* Scatters columns of a product into blocks, as the update of a block does: y[index[i]] -= v[i],
 * with blocks in a random order in 8 MB of destinations, and every other row of a block. */
#include "calibrations/calibrate/sparse/sparse_kernels.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#include "calibrations/calibrate/core/world.h"

enum { LONG = 128, SHORT = 2, COLUMNS = 32, SAMPLES = 25, REPEATED = 16 };
enum { HEIGHT = 2 * LONG, BLOCK = HEIGHT * COLUMNS, BLOCKS = (8 << 20) / (8 * BLOCK) };

static const double least_column_s = 1e-9;

struct operands {
    double *block; /* BLOCKS of COLUMNS columns of HEIGHT elements */
    double *product;
    int index[LONG];
    int order[BLOCKS];
};

/* Seconds of a column with so many rows. */
static double sample(struct operands *o, int rows)
{
    const double began_s = MPI_Wtime();

    for (int repeated = 0; repeated < REPEATED; repeated++)
        for (int b = 0; b < BLOCKS; b++)
            for (int column = 0; column < COLUMNS; column++) {
                double *y = o->block + (size_t)o->order[b] * BLOCK + (size_t)column * HEIGHT;
                const double *v = o->product + (size_t)column * rows;

                for (int i = 0; i < rows; i++)
                    y[o->index[i]] -= v[i];
            }
    return (MPI_Wtime() - began_s) / ((double)REPEATED * BLOCKS * COLUMNS);
}

static void prepare(struct operands *o, struct fr_random *random)
{
    o->block = calloc((size_t)BLOCKS * BLOCK, sizeof *o->block);
    o->product = calloc(LONG * COLUMNS, sizeof *o->product);
    if (!o->block || !o->product)
        fr_world_out_of_memory();
    for (int i = 0; i < LONG * COLUMNS; i++)
        o->product[i] = fr_random_centred(random);
    for (int i = 0; i < LONG; i++)
        o->index[i] = 2 * i;
    fr_random_order(random, o->order, BLOCKS);
}

struct fr_scatter fr_scatter_measure(struct fr_random *random)
{
    double longs_s[SAMPLES], shorts_s[SAMPLES];
    struct operands o;
    struct fr_scatter found;

    prepare(&o, random);
    sample(&o, LONG); /* touches all pages */
    for (int i = 0; i < SAMPLES; i++) {
        longs_s[i] = sample(&o, LONG);
        shorts_s[i] = sample(&o, SHORT);
    }
    found.scatter_s = fr_sample_median(longs_s, SAMPLES) / LONG;
    found.column_s =
        fmax(fr_sample_median(shorts_s, SAMPLES) - SHORT * found.scatter_s, least_column_s);
    free(o.block);
    free(o.product);
    return found;
}
