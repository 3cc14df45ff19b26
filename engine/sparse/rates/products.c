/* A direct-mapped cache of looked-up products: a slot keeps its last sizes. */
#include "engine/sparse/rates/rates.h"

#include <stdlib.h>

enum { SLOT_BITS = 13 };

struct sparse_products {
    struct {
        int32_t m, n, k; /* 0: empty */
        double time_s;
    } slot[1 << SLOT_BITS];
};

struct sparse_products *sparse_products_new(void)
{
    return calloc(1, sizeof(struct sparse_products));
}

void sparse_products_free(struct sparse_products *products)
{
    free(products);
}

double sparse_product_s(struct sparse_products *products, struct sparse_tables *tables, int32_t m,
                        int32_t n, int32_t k)
{
    const uint64_t sizes = (uint64_t)m << 32 ^ (uint64_t)n << 16 ^ (uint64_t)k;
    const uint64_t golden = 0x9E3779B97F4A7C15; /* 2^64 over the golden ratio spreads the sizes */
    const size_t at = (size_t)(sizes * golden >> (64 - SLOT_BITS));

    if (products->slot[at].m == m && products->slot[at].n == n && products->slot[at].k == k) {
        sparse_rates_note(&tables->dgemm, (const double[]){ m, n, k }, products->slot[at].time_s);
        return products->slot[at].time_s;
    }
    products->slot[at].m = m;
    products->slot[at].n = n;
    products->slot[at].k = k;
    products->slot[at].time_s = sparse_dgemm_s(tables, m, n, k);
    return products->slot[at].time_s;
}
