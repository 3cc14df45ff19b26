/* Non-negative least squares with few unknowns: every subset of constants is tried. */
#include "calibrations/calibrate/core/sample.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The columns of a set of constants, divided by the times, normalized and orthogonalized by
 * modified Gram-Schmidt. */
struct columns {
    int count, which[FR_CONSTANTS];
    double scale[FR_CONSTANTS];
    double q[FR_CONSTANTS][FR_EQUATIONS_MAX], r[FR_CONSTANTS][FR_CONSTANTS];
};

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Returns false if the column is zero or linearly dependent on the earlier ones. */
static bool add_column(struct columns *c, const struct fr_equation *equation, int equations,
                       int which)
{
    double *q = c->q[c->count], length;

    for (int i = 0; i < equations; i++)
        q[i] = equation[i].amount[which] / equation[i].time_s;
    length = sqrt(dot(q, q, equations));
    if (!(length > 0) || isinf(length))
        return false;
    for (int i = 0; i < equations; i++)
        q[i] /= length;
    c->scale[c->count] = length;
    for (int j = 0; j < c->count; j++) {
        c->r[j][c->count] = dot(c->q[j], q, equations);
        for (int i = 0; i < equations; i++)
            q[i] -= c->r[j][c->count] * c->q[j][i];
    }
    length = sqrt(dot(q, q, equations));
    if (length < 1e-9)
        return false;
    for (int i = 0; i < equations; i++)
        q[i] /= length;
    c->r[c->count][c->count] = length;
    c->which[c->count++] = which;
    return true;
}

/* Unconstrained least squares for a set.  Returns false if the constants are not determined. */
static bool solve(const struct fr_equation *equation, int equations, unsigned set, double *constant)
{
    struct columns c = { .count = 0 };
    double x[FR_CONSTANTS], left[FR_EQUATIONS_MAX];

    for (int which = 0; which < FR_CONSTANTS; which++)
        if ((set >> which & 1) && !add_column(&c, equation, equations, which))
            return false;
    for (int i = 0; i < equations; i++)
        left[i] = 1;
    for (int j = 0; j < c.count; j++) {
        x[j] = dot(c.q[j], left, equations);
        for (int i = 0; i < equations; i++)
            left[i] -= x[j] * c.q[j][i];
    }
    memset(constant, 0, FR_CONSTANTS * sizeof *constant);
    for (int j = c.count - 1; j >= 0; j--) {
        for (int k = j + 1; k < c.count; k++)
            x[j] -= c.r[j][k] * x[k];
        x[j] /= c.r[j][j];
        constant[c.which[j]] = x[j] / c.scale[j];
    }
    return true;
}

double fr_equation_s(const struct fr_equation *equation, const double constant[FR_CONSTANTS])
{
    return dot(equation->amount, constant, FR_CONSTANTS);
}

static double squares(const struct fr_equation *equation, int equations, const double *constant)
{
    double sum = 0;

    for (int i = 0; i < equations; i++) {
        const double error = fr_equation_s(&equation[i], constant) / equation[i].time_s - 1;

        sum += error * error;
    }
    return sum;
}

/* The constrained minimum is the unconstrained one over the set of its positive constants. */
int fr_nonnegative_fit(const struct fr_equation *equation, int equations,
                       double constant[FR_CONSTANTS], double *root_mean_square)
{
    double least = equations;
    int above = 0;

    memset(constant, 0, FR_CONSTANTS * sizeof *constant);
    for (unsigned set = 1; set < 1u << FR_CONSTANTS; set++) {
        double tried[FR_CONSTANTS], sum;
        bool is_allowed = solve(equation, equations, set, tried);

        for (int i = 0; i < FR_CONSTANTS && is_allowed; i++)
            is_allowed = tried[i] >= 0;
        if (!is_allowed || (sum = squares(equation, equations, tried)) >= least)
            continue;
        least = sum;
        memcpy(constant, tried, sizeof tried);
    }
    for (int i = 0; i < FR_CONSTANTS; i++)
        above += constant[i] > 0;
    *root_mean_square = equations > 0 ? sqrt(least / equations) : 0;
    return above;
}
