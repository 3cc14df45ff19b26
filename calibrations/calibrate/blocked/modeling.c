/* The table of the options of routine models, the rules between them, and the Modeler's settings
 * that follow for each kernel.
 */
#include "calibrations/calibrate/blocked/modeling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const fr_strategy_names[] = { "adaptive_refinement", "model_expansion", NULL };
const char *const fr_direction_names[] = { "toward_origin", "away_from_origin", NULL };
const char *const fr_split_names[] = { "all", "longest", "best", NULL };
const char *const fr_grid_names[] = { "chebyshev", "cartesian", NULL };
const char *const fr_measure_names[] = { "max", "p90", "mean", NULL };
const char *const fr_statistic_names[] = { "min", "med", "avg", "max", "std", NULL };

static const char *const reference_names[] = { "min", "med", "avg", NULL };
enum { BOTH_LOCALITIES = 2 };
static const char *const locality_names[] = { "in_cache", "out_of_cache", "in_cache,out_of_cache",
                                              NULL };

struct fr_modeling fr_modeling_default(void)
{
    return (struct fr_modeling){ .kernels = "trinv,sylv",
                                 .locality = BOTH_LOCALITIES,
                                 .budget_s = HUGE_VAL,
                                 .strategy = -1,
                                 .direction = -1,
                                 .split = -1,
                                 .grid = -1,
                                 .measure = -1,
                                 .reference = -1,
                                 .degree_extra = -1 };
}

/* One number for each size; the last holds for all further sizes. */
static int take_oversampling(const char *text, void *values, char why[FR_OPTION_WHY_BYTES])
{
    struct fr_modeling *m = values;
    char part[16];
    size_t d = 0;

    for (const char *at = text; at; at = strchr(at, ',')) {
        at += at != text;
        if (d == BLOCKED_MAX_SIZES)
            return fr_option_refuse(why, "%.80s has more than %d numbers", text, BLOCKED_MAX_SIZES);
        snprintf(part, sizeof part, "%.*s", (int)strcspn(at, ","), at);
        if (fr_value_whole(part, 1, 20, &m->oversampling[d++]))
            return fr_option_refuse(why, "%s is not a whole number from 1 to 20", part);
    }
    for (; d < BLOCKED_MAX_SIZES; d++)
        m->oversampling[d] = m->oversampling[d - 1];
    return 0;
}

enum { ORDER_MAX = 16384, SIDE_MAX = 1 << 20 };

#define ROW(type, member, ...)                                      \
    {                                                               \
        .kind = FR_OPTION_##type, .flags = FR_OPTION_RECORDED,      \
        .offset = offsetof(struct fr_modeling, member), __VA_ARGS__ \
    }
#define NAME_ROW(member, ...) ROW(NAME, member, .name = #member, .argument = "NAME", __VA_ARGS__)

const struct fr_option fr_modeling_options[] = {
    { .help = "Routine models" },
    ROW(TEXT, kernels, .name = "kernels", .argument = "NAMES",
        .help = "Of trinv, sylv, sylv_own (all kernels that they call), dtrsm:LLNN, trinv1_unb, "
                "...; default trinv,sylv"),
    ROW(WHOLE, size, .name = "model-size", .argument = "N", .min = 16, .max = ORDER_MAX,
        .help = "Matrices up to N; default 1024"),
    ROW(WHOLE, block, .name = "model-block", .argument = "B", .min = 16, .max = ORDER_MAX,
        .help = "Blocks up to B; default 256"),
    ROW(WHOLE, most_samples, .name = "model-samples", .argument = "N", .min = 1, .max = 10000000,
        .help =
            "Most samples of a model, such as 227820 as in the paper; default 400 of two sizes, "
            "1000 of three"),
    ROW(NAME, locality, .name = "locality", .argument = "NAMES", .names = locality_names,
        .help = "in_cache, out_of_cache or both; default in_cache,out_of_cache"),
    { .kind = FR_OPTION_TEXT,
      .offset = offsetof(struct fr_modeling, samples),
      .name = "samples",
      .argument = "FILE",
      .help = "Resume from the samples in FILE, and add the new ones to it" },
    ROW(NUMBER, budget_s, .name = "model-time", .argument = "SECONDS",
        .help = "Build the best models possible in this time"),
    NAME_ROW(strategy, .names = fr_strategy_names,
             .help = "adaptive_refinement (default) or model_expansion"),
    NAME_ROW(direction, .names = fr_direction_names,
             .help = "For expansion: toward_origin (default) or away_from_origin"),
    NAME_ROW(split, .names = fr_split_names,
             .help = "For refinement: the side to split: best (default), longest or all"),
    NAME_ROW(grid, .names = fr_grid_names, .help = "chebyshev or cartesian"),
    NAME_ROW(measure, .names = fr_measure_names,
             .help = "Error of a region: p90 (default), max or mean"),
    NAME_ROW(reference, .names = reference_names,
             .help = "Statistic of that error: min (default), med or avg"),
    ROW(NUMBER, eps, .name = "eps", .argument = "F",
        .help = "Largest error of a region; default 0.03, dgemm 0.05, out of cache 0.08"),
    ROW(WHOLE, s_min, .name = "s-min", .argument = "N", .min = 8, .max = SIDE_MAX,
        .help = "For refinement: shorter sides are not split; default 32, dgemm out of cache "
                "128"),
    ROW(WHOLE, s_fine, .name = "s-fine", .argument = "N", .min = 8, .max = SIDE_MAX,
        .help = "For refinement: shortest side where errors are largest; default 8 in cache, "
                "otherwise or where --s-min is given as --s-min"),
    ROW(WHOLE, s_ini, .name = "s-ini", .argument = "N", .min = 8, .max = SIDE_MAX,
        .help = "For expansion: first side, and step; default 128"),
    ROW(OTHER, oversampling, .name = "oversampling", .argument = "N,...",
        .parse = take_oversampling,
        .help = "Points of a side beyond degree + 1; default 2, in cache 6 for one size and 3 for "
                "two; 2,2,1: fewer of the third size"),
    ROW(WHOLE, degree_extra, .name = "degree-extra", .argument = "N", .min = 0, .max = 2,
        .help = "Degrees beyond those of the operation count, 0 (default) to 2"),
    ROW(FLAG, is_absolute, .name = "absolute",
        .help = "Fit absolute residuals instead of relative ones"),
    { 0 },
};

static void fill_sizes(struct fr_modeling *m)
{
    m->has_size = m->size;
    m->has_block = m->block;
    if (!m->size)
        m->size = m->block > 1024 ? m->block : 1024;
    if (!m->block)
        m->block = m->size < 256 ? m->size : 256;
}

void fr_modeling_hurry(struct fr_modeling *m)
{
    if (!m->has_size)
        m->size = m->has_block && m->block > 128 ? m->block : 128;
    if (!m->has_block)
        m->block = m->size < 64 ? m->size : 64;
}

/* Refuses options that the chosen strategy would ignore. */
static int check_strategy(const struct fr_modeling *m, char *why)
{
    const bool is_expansion = m->strategy == BLOCKED_EXPANSION;
    const char *const name = is_expansion ? "--split" : "--direction";
    const char *const side = is_expansion ? "--s-min" : "--s-ini";
    const bool has_name = (is_expansion ? m->split : m->direction) >= 0;
    const bool has_side = is_expansion ? m->s_min || m->s_fine : m->s_ini;

    if (!has_name && !has_side)
        return 0;
    return fr_option_refuse(why, "%s%s%s: for %s only; add --strategy=%s or leave out",
                            has_name ? name : "", has_name && has_side ? ", " : "",
                            has_side ? side : "", is_expansion ? "refinement" : "expansion",
                            fr_strategy_names[!is_expansion]);
}

int fr_modeling_check(const struct fr_command_line *line, void *values,
                      char why[FR_OPTION_WHY_BYTES])
{
    struct fr_modeling *m = values;
    struct fr_domain domain[FR_KERNELS_MAX];
    char reason[160];

    (void)line;
    if (check_strategy(m, why))
        return -1;
    m->is_warm = strstr(locality_names[m->locality], "in_cache") != NULL;
    m->is_cold = strstr(locality_names[m->locality], "out_of_cache") != NULL;
    fill_sizes(m);
    if (m->block > m->size)
        return fr_option_refuse(why, "--model-block: %d exceeds --model-size %d", m->block,
                                m->size);
    return fr_domains_find(m, domain, reason) < 0 ? fr_option_refuse(why, "--kernels: %s", reason)
                                                  : 0;
}

/* docs/models/kernel_models.md#decision-configuration-of-the-calibrator */
static struct blocked_build default_of(const struct fr_domain *domain, bool is_cold)
{
    struct blocked_build build = blocked_build_default(&domain->kernel);
    const size_t sizes = domain->kernel.routine->sizes;

    build.split = BLOCKED_SPLIT_BEST;
    build.reference = BLOCKED_MIN;
    build.most_samples = domain->most_samples;
    if (is_cold)
        return build;
    build.eps = sizes == 3 ? 0.05 : 0.03;
    build.s_min = 32;
    build.s_fine = 8;
    for (size_t d = 0; sizes < 3 && d < sizes; d++)
        build.oversampling[d] = sizes == 1 ? 6 : 3;
    return build;
}

struct blocked_build fr_modeling_build(const struct fr_modeling *m, const struct fr_domain *domain,
                                       bool is_cold)
{
    struct blocked_build build = default_of(domain, is_cold);

    if (m->strategy >= 0)
        build.strategy = (enum blocked_strategy)m->strategy;
    if (build.strategy == BLOCKED_EXPANSION)
        build.grid = BLOCKED_CARTESIAN;
    if (m->direction >= 0)
        build.direction = (enum blocked_direction)m->direction;
    if (m->split >= 0)
        build.split = (enum blocked_split)m->split;
    if (m->grid >= 0)
        build.grid = (enum blocked_grid)m->grid;
    if (m->measure >= 0)
        build.measure = (enum blocked_measure)m->measure;
    if (m->reference >= 0)
        build.reference = (enum blocked_statistic)m->reference;
    if (m->eps > 0)
        build.eps = m->eps;
    if (m->s_min) {
        build.s_min = m->s_min;
        build.s_fine = 0;
    }
    if (m->s_fine)
        build.s_fine = m->s_fine;
    if (m->s_ini)
        build.s_ini = m->s_ini;
    for (size_t d = 0; d < BLOCKED_MAX_SIZES && m->oversampling[d]; d++)
        build.oversampling[d] = m->oversampling[d];
    if (m->degree_extra >= 0)
        build.degree_extra = m->degree_extra;
    build.is_relative = !m->is_absolute;
    return build;
}

/* Operations of the calls of the first grids, each once, and the number of those calls. */
static double first_flops(const struct fr_modeling *m, const struct fr_domain *domain, bool is_cold,
                          double *samples)
{
    const struct blocked_build build = fr_modeling_build(m, domain, is_cold);
    int exponent[BLOCKED_MAX_TERMS][BLOCKED_MAX_SIZES], degree[BLOCKED_MAX_SIZES];
    double sum = 0;

    *samples = 0;
    blocked_basis(&domain->kernel, build.degree_extra, exponent, degree);
    for (size_t i = 0; i < domain->boxes; i++) {
        double points = 1;
        int64_t middle[BLOCKED_MAX_SIZES] = { 0 };

        for (size_t d = 0; d < domain->kernel.routine->sizes; d++) {
            points *= degree[d] + 1 + build.oversampling[d];
            middle[d] = (domain->box[i].min[d] + domain->box[i].max[d]) / 2;
        }
        *samples += points;
        sum += points * blocked_flops(&domain->kernel, middle);
    }
    return sum;
}

double fr_modeling_flops(const struct fr_modeling *m, const struct fr_domain *domain, bool is_cold)
{
    const double refinement = 1.5;
    double samples, first = first_flops(m, domain, is_cold, &samples);

    /* In cache a kernel of several sizes is refined until it may take no more samples. */
    return domain->most_samples && !is_cold
               ? first * fmax(1, (double)domain->most_samples / samples)
               : first * refinement;
}
