/* The golden cases of the look-ahead window, the solves, the layers and the memory. */
#ifndef FR_TEST_SPARSE_GOLDEN_H
#define FR_TEST_SPARSE_GOLDEN_H

#include "engine/sparse/clocks/clocks.h"
#include "engine/sparse/rates/rates.h"
#include "tests/unit/support/sparse.h"

/* Calls `check` for each case that is `what`, under a name for messages, and fails unless there are
 * so many. */
void sparse_golden_each(const char *what, size_t cases,
                        void (*check)(json_t *item, const char *id));

/* The inputs of a case. */
struct sparse_structure *sparse_golden_structure(json_t *item);
struct sparse_grid sparse_golden_grid(json_t *item);
struct sparse_network sparse_golden_network(json_t *item);
struct sparse_fit sparse_golden_fit(json_t *item);
struct sparse_tables sparse_golden_tables(json_t *item);
/* One rate for each routine, whatever the sizes. */
struct sparse_tables sparse_flat_tables(void);
/* The entry of a table of inputs that a case names. */
json_t *sparse_golden_named(json_t *item, const char *table, const char *key);

/* Whether a value is that of `wanted`, within 1e-9, or exactly; and a list of them. */
void sparse_golden_same(double got, json_t *wanted, const char *key, const char *id);
void sparse_golden_equal(double got, json_t *wanted, const char *key, const char *id);
void sparse_golden_list(const double *got, json_t *wanted, const char *key, const char *id);
/* Times, messages and bytes of `wanted`; the communication is a difference of its times. */
void sparse_golden_times(const struct sparse_times *got, json_t *wanted, const char *id);

#endif
