/* The two algorithms as collections of steps, the placement of blocks on ranks, and the
 * verification of the product. */
#include "tests/programs/cnc/algorithms.h"

#include <string.h>

#include "calibrations/calibrate/core/document.h"
#include "tests/programs/program.h"

const char *const algorithm_names[] = { "cannon", "johnson", NULL };

static int share(const struct product *product, int64_t place, int64_t places)
{
    return (int)(place * product->ranks / places);
}

static int rank_in_plane(const void *context, struct cnc_tag tag)
{
    const struct product *product = context;
    const int64_t blocks = product->blocks;

    return share(product, tag.i * blocks + tag.j, blocks * blocks);
}

static int rank_in_cube(const void *context, struct cnc_tag tag)
{
    const struct product *product = context;
    const int64_t blocks = product->blocks;

    return share(product, (tag.i * blocks + tag.j) * blocks + tag.k, blocks * blocks * blocks);
}

/* The sum of k products is used by the step that adds product k; the last sum stays on its rank. */
static int rank_of_sum(const void *context, struct cnc_tag tag)
{
    const struct product *product = context;

    if (tag.k == product->blocks)
        tag.k--;
    return rank_in_cube(context, tag);
}

static int first_rank(const void *context, struct cnc_tag tag)
{
    (void)context;
    (void)tag;
    return 0;
}

/* Small multiples of 1/8, whose products single precision adds exactly. */
static float entry(int which, int64_t row, int64_t column)
{
    return (float)((row * (which ? 5 : 7) + column * (which ? 2 : 3)) % 11 - 5) / 8;
}

static void fill_block(const struct product *product, int which, int i, int j, float *out)
{
    const int order = product->kernel.order;

    for (int row = 0; row < order; row++)
        for (int column = 0; column < order; column++)
            out[(size_t)row * order + column] =
                entry(which, (int64_t)i * order + row, (int64_t)j * order + column);
}

static size_t block_bytes(const struct product *product)
{
    return (size_t)product->kernel.order * (size_t)product->kernel.order * sizeof(float);
}

static void multiply(struct product *product, const float *a, const float *b, float *c)
{
    const double began_s = MPI_Wtime();

    if (product->computes)
        kernel_multiply(&product->kernel, a, b, c);
    product->computing_s += MPI_Wtime() - began_s;
}

static bool multiply_and_shift(struct cnc *cnc, struct cnc_tag tag, void *context)
{
    struct product *product = context;
    const int b = product->blocks;
    const float *a_block = cnc_get(product->a, tag);
    const float *b_block = cnc_get(product->b, tag);
    const float *c_block = cnc_get(product->c, tag);
    const struct cnc_tag next = { tag.i, tag.j, tag.k + 1 };
    const struct cnc_tag left = { tag.i, (tag.j + b - 1) % b, tag.k + 1 };
    const struct cnc_tag above = { (tag.i + b - 1) % b, tag.j, tag.k + 1 };

    if (!a_block || !b_block || !c_block)
        return false;
    if (next.k < b) {
        cnc_put(product->a, left, a_block);
        cnc_put(product->b, above, b_block);
    }
    cnc_progress(cnc);
    memcpy(product->scratch, c_block, block_bytes(product));
    multiply(product, a_block, b_block, product->scratch);
    cnc_put(product->c, next, product->scratch);
    if (next.k < b)
        cnc_put_tag(product->tags, next);
    return true;
}

static void make_cannon(struct product *product)
{
    const struct cnc_place place = { rank_in_plane, product };
    const size_t bytes = block_bytes(product);

    product->a = cnc_items_new(product->cnc, "A", bytes, true, place);
    product->b = cnc_items_new(product->cnc, "B", bytes, true, place);
    product->c = cnc_items_new(product->cnc, "C", bytes, true, place);
    product->tags = cnc_tags_new(product->cnc, "products");
    cnc_prescribe(product->tags,
                  cnc_steps_new(product->cnc, "multiply", multiply_and_shift, product, place));
}

/* Rank 0 puts each block where it is used first; every rank starts with sums of zero. */
static void begin_cannon(struct product *product)
{
    const int b = product->blocks;

    for (int i = 0; i < b; i++)
        for (int j = 0; j < b; j++) {
            const struct cnc_tag tag = { i, j, 0 };

            if (product->rank == 0) {
                fill_block(product, 0, i, (i + j) % b, product->scratch);
                cnc_put(product->a, tag, product->scratch);
                fill_block(product, 1, (i + j) % b, j, product->scratch);
                cnc_put(product->b, tag, product->scratch);
            }
            if (rank_in_plane(product, tag) != product->rank)
                continue;
            memset(product->scratch, 0, block_bytes(product));
            cnc_put(product->c, tag, product->scratch);
            cnc_put_tag(product->tags, tag);
        }
}

static bool multiply_pair(struct cnc *cnc, struct cnc_tag tag, void *context)
{
    struct product *product = context;
    const float *a_block = cnc_get(product->a, (struct cnc_tag){ tag.i, tag.k, 0 });
    const float *b_block = cnc_get(product->b, (struct cnc_tag){ tag.k, tag.j, 0 });

    (void)cnc;
    if (!a_block || !b_block)
        return false;
    memset(product->scratch, 0, block_bytes(product));
    multiply(product, a_block, b_block, product->scratch);
    cnc_put(product->parts, tag, product->scratch);
    return true;
}

/* Adds a product of this rank to the partial sum of another rank. */
static bool add_part(struct cnc *cnc, struct cnc_tag tag, void *context)
{
    struct product *product = context;
    const size_t floats = block_bytes(product) / sizeof(float);
    const float *part = cnc_get(product->parts, tag);
    const float *sum = tag.k ? cnc_get(product->c, tag) : NULL;

    (void)cnc;
    if (!part || (tag.k && !sum))
        return false;
    memcpy(product->scratch, part, block_bytes(product));
    for (size_t i = 0; sum && i < floats; i++)
        product->scratch[i] += sum[i];
    cnc_put(product->c, (struct cnc_tag){ tag.i, tag.j, tag.k + 1 }, product->scratch);
    return true;
}

static void make_johnson(struct product *product)
{
    const struct cnc_place place = { rank_in_cube, product };
    const size_t bytes = block_bytes(product);

    product->a =
        cnc_items_new(product->cnc, "A", bytes, false, (struct cnc_place){ first_rank, NULL });
    product->b =
        cnc_items_new(product->cnc, "B", bytes, false, (struct cnc_place){ first_rank, NULL });
    product->parts = cnc_items_new(product->cnc, "P", bytes, true, place);
    product->c =
        cnc_items_new(product->cnc, "C", bytes, true, (struct cnc_place){ rank_of_sum, product });
    product->tags = cnc_tags_new(product->cnc, "products");
    cnc_prescribe(product->tags,
                  cnc_steps_new(product->cnc, "multiply", multiply_pair, product, place));
    cnc_prescribe(product->tags, cnc_steps_new(product->cnc, "add", add_part, product, place));
}

static void begin_johnson(struct product *product)
{
    const int b = product->blocks;

    for (int i = 0; i < b; i++)
        for (int j = 0; j < b; j++) {
            if (product->rank == 0) {
                fill_block(product, 0, i, j, product->scratch);
                cnc_put(product->a, (struct cnc_tag){ i, j, 0 }, product->scratch);
                fill_block(product, 1, i, j, product->scratch);
                cnc_put(product->b, (struct cnc_tag){ i, j, 0 }, product->scratch);
            }
            for (int k = 0; k < b; k++)
                if (rank_in_cube(product, (struct cnc_tag){ i, j, k }) == product->rank)
                    cnc_put_tag(product->tags, (struct cnc_tag){ i, j, k });
        }
}

static const struct {
    void (*make)(struct product *), (*begin)(struct product *);
} algorithms[] = {
    [ALGORITHM_CANNON] = { make_cannon, begin_cannon },
    [ALGORITHM_JOHNSON] = { make_johnson, begin_johnson },
};

static void make_progress(void *cnc)
{
    cnc_progress(cnc);
}

void product_init(struct product *product)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &product->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &product->ranks);
    product->cnc = cnc_new(MPI_COMM_WORLD, product->moves_data);
    product->kernel.progress = make_progress;
    product->kernel.context = product->cnc;
    product->scratch = fr_record_new(1, block_bytes(product));
    if (!product->scratch)
        program_fail("no memory for a block of order %d", product->kernel.order);
    algorithms[product->algorithm].make(product);
}

void product_free(struct product *product)
{
    cnc_free(product->cnc);
    fr_record_free(product->scratch);
}

void product_run(struct product *product)
{
    algorithms[product->algorithm].begin(product);
    if (cnc_wait(product->cnc))
        program_fail("rank %d: %s", product->rank, cnc_fault(product->cnc));
}

static double element(const struct product *product, int64_t row, int64_t column)
{
    const int64_t n = (int64_t)product->blocks * product->kernel.order;
    double sum = 0;

    for (int64_t k = 0; k < n; k++)
        sum += (double)entry(0, row, k) * (double)entry(1, k, column);
    return sum;
}

static bool compare(struct cnc *cnc, struct cnc_tag tag, void *context)
{
    struct product *product = context;
    const int order = product->kernel.order;
    const float *block = cnc_get(product->c, (struct cnc_tag){ tag.i, tag.j, product->blocks });

    (void)cnc;
    if (!block)
        return false;
    for (int row = 0; row < order; row++)
        for (int column = 0; column < order; column++) {
            const double wanted =
                element(product, (int64_t)tag.i * order + row, (int64_t)tag.j * order + column);

            if ((double)block[(size_t)row * order + column] != wanted)
                program_fail("block (%d,%d), row %d, column %d: %g instead of %g", tag.i, tag.j,
                             row, column, (double)block[(size_t)row * order + column], wanted);
        }
    product->verified++;
    return true;
}

void product_verify(struct product *product)
{
    struct cnc_tags *tags = cnc_tags_new(product->cnc, "comparisons");

    cnc_prescribe(tags, cnc_steps_new(product->cnc, "compare", compare, product,
                                      (struct cnc_place){ first_rank, NULL }));
    for (int i = 0; product->rank == 0 && i < product->blocks; i++)
        for (int j = 0; j < product->blocks; j++)
            cnc_put_tag(tags, (struct cnc_tag){ i, j, 0 });
    cnc_wait(product->cnc);
    if (product->rank == 0 && product->verified != product->blocks * product->blocks)
        program_fail("%d of %d blocks were compared", product->verified,
                     product->blocks * product->blocks);
}
