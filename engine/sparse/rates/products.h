/* Products of single blocks, whose sizes repeat and whose look-ups would take most of a count. */
#ifndef FR_SPARSE_PRODUCTS_H
#define FR_SPARSE_PRODUCTS_H

#include "engine/sparse/rates/tables.h"

struct sparse_products;

/* NULL if memory is short; free with sparse_products_free, which accepts NULL. */
struct sparse_products *sparse_products_new(void);
void sparse_products_free(struct sparse_products *products);
/* As sparse_dgemm_s. */
double sparse_product_s(struct sparse_products *products, struct sparse_tables *tables, int32_t m,
                        int32_t n, int32_t k);

#endif
