#include "engine/dense/look_ahead.h"

#include "engine/dense/quadratic.h"

double look_ahead_hidden_s(const struct update *u, double panel_s, double last)
{
    const struct quadratic panels = { -panel_s, panel_s, 0 };
    const struct quadratic updates = { 0, u->diagonal_s - u->product_s / 2, u->product_s / 2 };

    return dense_quadratic_minima(panels, updates, 1, last);
}
