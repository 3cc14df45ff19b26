/* Bounded least squares with a prior: each combination of bounds is tried, and the best solution
 * that keeps them is the minimum, because the objective is strictly convex. */
#include "calibrations/calibrate/sparse/prior_fit.h"

#include <math.h>
#include <string.h>

enum { NONE_LEFT_OUT = -1, BOUNDS = 3, COMBINATIONS = 729 /* BOUNDS to the power FR_CONSTANTS */ };

/* Of constants relative to their prior. */
static const double range[BOUNDS] = { [FR_AT_FLOOR] = 0.1, [FR_AT_CEILING] = 10 };
static const double part_weight = 0.5, ridge = 0.003;

/* The objective x' a x - 2 b' x over constants relative to their prior. */
struct objective {
    double a[FR_CONSTANTS][FR_CONSTANTS], b[FR_CONSTANTS];
    double ridge;
};

static void add_part(struct objective *o, int j, double share, double measured_share)
{
    if (isnan(measured_share))
        return;
    o->a[j][j] += part_weight * share * share;
    o->b[j] += part_weight * share * measured_share;
}

static void add_sample(struct objective *o, const struct fr_fit_sample *sample, const double *prior)
{
    const double time_s = sample->equation.time_s;
    double share[FR_CONSTANTS];

    for (int j = 0; j < FR_CONSTANTS; j++)
        share[j] = sample->equation.amount[j] * prior[j] / time_s;
    for (int j = 0; j < FR_CONSTANTS; j++) {
        for (int k = 0; k < FR_CONSTANTS; k++)
            o->a[j][k] += share[j] * share[k];
        o->b[j] += share[j];
    }
    for (int j = 0; j < FR_CONSTANTS; j++)
        add_part(o, j, share[j], sample->part_s[j] / time_s);
    o->ridge += ridge;
}

static struct objective objective_of(const struct fr_fit_sample *sample, int count,
                                     const double *prior, int left_out)
{
    struct objective o = { .ridge = 0 };

    for (int i = 0; i < count; i++)
        if (sample[i].matrix != left_out)
            add_sample(&o, &sample[i], prior);
    for (int j = 0; j < FR_CONSTANTS; j++) {
        o.a[j][j] += o.ridge;
        o.b[j] += o.ridge;
    }
    return o;
}

/* Solves a x = b by Cholesky's method over those that are `free`; the others keep their x. */
static void solve(const struct objective *o, const bool *free, double *x)
{
    double l[FR_CONSTANTS][FR_CONSTANTS], y[FR_CONSTANTS];
    int which[FR_CONSTANTS], count = 0;

    for (int j = 0; j < FR_CONSTANTS; j++)
        if (free[j])
            which[count++] = j;
    for (int i = 0; i < count; i++) {
        y[i] = o->b[which[i]];
        for (int j = 0; j < FR_CONSTANTS; j++)
            y[i] -= free[j] ? 0 : o->a[which[i]][j] * x[j];
        for (int j = 0; j <= i; j++) {
            double sum = o->a[which[i]][which[j]];

            for (int k = 0; k < j; k++)
                sum -= l[i][k] * l[j][k];
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
            if (j < i)
                y[i] -= l[i][j] * y[j];
        }
        y[i] /= l[i][i];
    }
    for (int i = count - 1; i >= 0; i--) {
        for (int k = i + 1; k < count; k++)
            y[i] -= l[k][i] * y[k];
        y[i] /= l[i][i];
        x[which[i]] = y[i];
    }
}

static double value_of(const struct objective *o, const double *x)
{
    double sum = 0;

    for (int j = 0; j < FR_CONSTANTS; j++) {
        sum -= 2 * o->b[j] * x[j];
        for (int k = 0; k < FR_CONSTANTS; k++)
            sum += o->a[j][k] * x[j] * x[k];
    }
    return sum;
}

static void minimize(const struct objective *o, double *best, enum fr_bound *bound)
{
    double least = INFINITY;

    for (int combination = 0; combination < COMBINATIONS; combination++) {
        enum fr_bound at[FR_CONSTANTS];
        bool free[FR_CONSTANTS], is_allowed = true;
        double x[FR_CONSTANTS], value;

        for (int j = 0, rest = combination; j < FR_CONSTANTS; j++, rest /= BOUNDS) {
            at[j] = (enum fr_bound)(rest % BOUNDS);
            free[j] = at[j] == FR_WITHIN;
            x[j] = range[at[j]];
        }
        solve(o, free, x);
        for (int j = 0; j < FR_CONSTANTS; j++)
            is_allowed &= x[j] >= range[FR_AT_FLOOR] && x[j] <= range[FR_AT_CEILING];
        if (!is_allowed || (value = value_of(o, x)) >= least)
            continue;
        least = value;
        memcpy(best, x, sizeof x);
        memcpy(bound, at, sizeof at);
    }
}

/* The share of the prior in each constant: the diagonal of the inverse, times the ridge. */
static void find_shares(const struct objective *o, double *share)
{
    static const bool all[FR_CONSTANTS] = { true, true, true, true, true, true };

    for (int j = 0; j < FR_CONSTANTS; j++) {
        struct objective unit = *o;
        double x[FR_CONSTANTS];

        memset(unit.b, 0, sizeof unit.b);
        unit.b[j] = 1;
        solve(&unit, all, x);
        share[j] = o->ridge * x[j];
    }
}

static void fit(const struct objective *o, const double *prior, double *constant,
                enum fr_bound *bound)
{
    minimize(o, constant, bound);
    for (int j = 0; j < FR_CONSTANTS; j++)
        constant[j] *= prior[j];
}

static double factor_of(const struct fr_equation *equation, const double *constant)
{
    return exp(fabs(log(fr_equation_s(equation, constant) / equation->time_s)));
}

/* The median and the largest of the factors, which are left as they are. */
static void summarize(const double *factor, int count, double *median, double *worst)
{
    double sorted[FR_EQUATIONS_MAX];

    memcpy(sorted, factor, (size_t)count * sizeof *sorted);
    *median = fr_sample_median(sorted, count);
    *worst = sorted[count - 1];
}

/* The factor of a sample, if its matrix is not used for the fit. */
static bool leave_out(const struct fr_fit_sample *sample, int count, const double *prior, int which,
                      double *factor)
{
    const struct objective o = objective_of(sample, count, prior, sample[which].matrix);
    enum fr_bound bound[FR_CONSTANTS];
    double constant[FR_CONSTANTS];

    if (!(o.ridge > 0))
        return false;
    fit(&o, prior, constant, bound);
    *factor = factor_of(&sample[which].equation, constant);
    return true;
}

void fr_prior_fit(const struct fr_fit_sample *sample, int count, const double prior[FR_CONSTANTS],
                  struct fr_prior_fit *out)
{
    const struct objective o = objective_of(sample, count, prior, NONE_LEFT_OUT);
    double left_out[FR_EQUATIONS_MAX];
    bool has_others = true;

    fit(&o, prior, out->constant, out->bound);
    find_shares(&o, out->prior_share);
    for (int i = 0; i < count; i++) {
        out->factor[i] = factor_of(&sample[i].equation, out->constant);
        has_others &= leave_out(sample, count, prior, i, &left_out[i]);
    }
    summarize(out->factor, count, &out->median, &out->worst);
    out->left_out_median = out->left_out_worst = NAN;
    if (has_others)
        summarize(left_out, count, &out->left_out_median, &out->left_out_worst);
}
