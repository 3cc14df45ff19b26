/* Follows the chain of panels along blocks of L and U at transposed places. */
#include "engine/sparse/clocks/clocks.h"

#include <math.h>
#include <stdlib.h>

int sparse_critical_path_init(struct sparse_critical_path *path, const struct sparse_structure *s,
                              struct sparse_grid grid, const struct sparse_forests *forests)
{
    const size_t columns = (size_t)grid.columns, supernodes = (size_t)s->supernodes;
    double *number = calloc(supernodes + 2 * columns, sizeof *number);

    *path = (struct sparse_critical_path){ .forests = forests, .end_s = number };
    if (!number)
        return FR_NOMEM;
    path->solved_s = number + supernodes;
    path->received_s = path->solved_s + columns;
    return FR_OK;
}

void sparse_critical_path_free(struct sparse_critical_path *path)
{
    free(path->end_s);
    *path = (struct sparse_critical_path){ 0 };
}

void sparse_critical_path_factor(struct sparse_critical_path *path, int32_t k, double factor_s)
{
    path->end_s[k] += factor_s;
    path->longest_s = fmax(path->longest_s, path->end_s[k]);
}

static bool is_reached(const struct sparse_forests *forests, int32_t k, int32_t j)
{
    return !forests || sparse_forest_reaches(forests, forests->of[k], forests->of[j]);
}

void sparse_critical_path_solve(struct sparse_critical_path *path, const struct sparse_structure *s,
                                struct sparse_grid grid, int32_t k)
{
    int64_t l = s->l_at[k];

    for (int64_t u = s->u_at[k]; u < s->u_at[k + 1]; u++) {
        const int32_t j = s->u[u].j, pc = j % grid.columns;
        double at_s = path->end_s[k] + path->solved_s[pc];

        while (l < s->l_at[k + 1] && s->l[l].i < j)
            l++;
        if (l == s->l_at[k + 1] || s->l[l].i != j || !is_reached(path->forests, k, j))
            continue;
        if (j % grid.rows != k % grid.rows)
            at_s += path->received_s[pc];
        path->end_s[j] = fmax(path->end_s[j], at_s);
    }
}
