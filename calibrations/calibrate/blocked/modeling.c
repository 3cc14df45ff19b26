#include "calibrations/calibrate/blocked/modeling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/core/value.h"

enum key {
    KEY_KERNELS = FR_MODELING_KEY,
    KEY_MODEL_SIZE,
    KEY_MODEL_BLOCK,
    KEY_LOCALITY,
    KEY_SAMPLES,
    KEY_BUDGET,
    KEY_STRATEGY,
    KEY_DIRECTION,
    KEY_SPLIT,
    KEY_GRID,
    KEY_MEASURE,
    KEY_REFERENCE,
    KEY_EPS,
    KEY_S_MIN,
    KEY_S_INI,
    KEY_OVERSAMPLING,
    KEY_DEGREE_EXTRA,
    KEY_ABSOLUTE,
};

const char *const fr_strategy_names[] = { "adaptive_refinement", "model_expansion", NULL };
const char *const fr_direction_names[] = { "toward_origin", "away_from_origin", NULL };
const char *const fr_split_names[] = { "all", "longest", NULL };
const char *const fr_grid_names[] = { "chebyshev", "cartesian", NULL };
const char *const fr_measure_names[] = { "max", "p90", "mean", NULL };
const char *const fr_statistic_names[] = { "min", "med", "avg", "max", "std", NULL };

static const struct argp_option table[] = {
    { "kernels", KEY_KERNELS, "NAMES", 0,
      "Of trinv, sylv, sylv_own (all they call), dtrsm:LLNN, trinv1_unb, ...; default trinv,sylv",
      0 },
    { "model-size", KEY_MODEL_SIZE, "N", 0, "Matrices up to N; default 1024", 0 },
    { "model-block", KEY_MODEL_BLOCK, "B", 0, "Blocks up to B; default 256", 0 },
    { "locality", KEY_LOCALITY, "NAMES", 0, "in_cache, out_of_cache or both; default in_cache", 0 },
    { "samples", KEY_SAMPLES, "FILE", 0,
      "Go on from the samples in FILE, and add the new ones to it", 0 },
    { "model-time", KEY_BUDGET, "SECONDS", 0, "Take the best models that so much time allows", 0 },
    { "strategy", KEY_STRATEGY, "NAME", 0, "adaptive_refinement (default) or model_expansion", 0 },
    { "direction", KEY_DIRECTION, "NAME", 0,
      "Of expansion: toward_origin (default) or away_from_origin", 0 },
    { "split", KEY_SPLIT, "NAME", 0, "Of refinement: longest (default) or all", 0 },
    { "grid", KEY_GRID, "NAME", 0, "chebyshev or cartesian", 0 },
    { "measure", KEY_MEASURE, "NAME", 0, "Error of a region: p90 (default), max or mean", 0 },
    { "reference", KEY_REFERENCE, "NAME", 0, "Statistic it is of: med (default), min or avg", 0 },
    { "eps", KEY_EPS, "F", 0, "Error that a region may have; default 0.08", 0 },
    { "s-min", KEY_S_MIN, "N", 0, "Shorter sides are not split; default 32, of dgemm 128", 0 },
    { "s-ini", KEY_S_INI, "N", 0, "Of expansion: first side, and step", 0 },
    { "oversampling", KEY_OVERSAMPLING, "N,...", 0,
      "Points of a side beyond degree + 1; default 2; 2,2,1: fewer of the third size", 0 },
    { "degree-extra", KEY_DEGREE_EXTRA, "N", 0, "Degrees beyond the operation count's, 0 to 2", 0 },
    { "absolute", KEY_ABSOLUTE, NULL, 0, "Fit absolute residuals, as the paper does", 0 },
    { 0 },
};

struct fr_modeling fr_modeling_default(void)
{
    return (struct fr_modeling){
        .kernels = "trinv,sylv", .is_warm = true, .budget_s = HUGE_VAL, .degree_extra = -1
    };
}

static int choose(struct argp_state *state, const char *option, const char *text,
                  const char *const *names, bool *is_given)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], text) == 0) {
            *is_given = true;
            return i;
        }
    argp_error(state, "%s: %s is none of its names; see --help", option, text);
    return 0;
}

static int whole(struct argp_state *state, const char *option, const char *text, int low, int high)
{
    char *end;
    const long value = strtol(text, &end, 10);

    if (end == text || *end || value < low || value > high)
        argp_error(state, "%s: %s is no whole number from %d to %d", option, text, low, high);
    return (int)value;
}

/* One number for each size; the last holds for those that follow, too. */
static void take_oversampling(struct argp_state *state, const char *text, struct fr_modeling *m)
{
    const char *const option = "--oversampling";
    char part[16];
    size_t d = 0;

    for (const char *at = text; at; at = strchr(at, ',')) {
        at += at != text;
        if (d == BLOCKED_MAX_SIZES) {
            argp_error(state, "%s: %s has more than %d numbers", option, text, BLOCKED_MAX_SIZES);
            return;
        }
        snprintf(part, sizeof part, "%.*s", (int)strcspn(at, ","), at);
        m->oversampling[d++] = whole(state, option, part, 1, 20);
    }
    for (; d < BLOCKED_MAX_SIZES; d++)
        m->oversampling[d] = m->oversampling[d - 1];
}

static void take_localities(struct argp_state *state, const char *text, struct fr_modeling *m)
{
    m->is_warm = strcmp(text, "in_cache") == 0 || strcmp(text, "in_cache,out_of_cache") == 0;
    m->is_cold = strcmp(text, "out_of_cache") == 0 || strcmp(text, "in_cache,out_of_cache") == 0;
    if (!m->is_warm && !m->is_cold)
        argp_error(state,
                   "--locality: %s is none of in_cache, out_of_cache, "
                   "in_cache,out_of_cache",
                   text);
}

static void take_positive(struct argp_state *state, const char *option, const char *text,
                          double *out)
{
    if (fr_value_positive(text, out))
        argp_error(state, "%s: %s is no number above 0", option, text);
}

static error_t parse_build(int key, char *text, struct argp_state *state, struct fr_modeling *m)
{
    switch (key) {
    case KEY_STRATEGY:
        m->build.strategy = (enum blocked_strategy)choose(state, "--strategy", text,
                                                          fr_strategy_names, &m->has_strategy);
        return 0;
    case KEY_DIRECTION:
        m->build.direction = (enum blocked_direction)choose(state, "--direction", text,
                                                            fr_direction_names, &m->has_direction);
        return 0;
    case KEY_SPLIT:
        m->build.split =
            (enum blocked_split)choose(state, "--split", text, fr_split_names, &m->has_split);
        return 0;
    case KEY_GRID:
        m->build.grid =
            (enum blocked_grid)choose(state, "--grid", text, fr_grid_names, &m->has_grid);
        return 0;
    case KEY_MEASURE:
        m->build.measure = (enum blocked_measure)choose(state, "--measure", text, fr_measure_names,
                                                        &m->has_measure);
        return 0;
    case KEY_REFERENCE:
        m->build.reference = (enum blocked_statistic)choose(state, "--reference", text,
                                                            fr_statistic_names, &m->has_reference);
        if (m->build.reference > BLOCKED_AVG)
            argp_error(state, "--reference: only min, med or avg can be judged");
        return 0;
    case KEY_EPS:
        take_positive(state, "--eps", text, &m->build.eps);
        return 0;
    case KEY_S_MIN:
        m->build.s_min = whole(state, "--s-min", text, 8, 1 << 20);
        return 0;
    case KEY_S_INI:
        m->build.s_ini = whole(state, "--s-ini", text, 8, 1 << 20);
        return 0;
    case KEY_OVERSAMPLING:
        take_oversampling(state, text, m);
        return 0;
    case KEY_DEGREE_EXTRA:
        m->degree_extra = whole(state, "--degree-extra", text, 0, 2);
        return 0;
    case KEY_ABSOLUTE:
        m->is_absolute = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

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

/* What the other strategy would pass over. */
static void check_strategy(struct argp_state *state, const struct fr_modeling *m)
{
    const bool is_expansion = m->has_strategy && m->build.strategy == BLOCKED_EXPANSION;

    if (!is_expansion && (m->has_direction || m->build.s_ini))
        argp_error(state, "%s: of expansion alone; add --strategy=model_expansion or leave out",
                   !m->build.s_ini    ? "--direction"
                   : m->has_direction ? "--direction, --s-ini"
                                      : "--s-ini");
    if (is_expansion && (m->has_split || m->build.s_min))
        argp_error(state, "%s: of refinement alone; leave out, or --strategy=model_expansion",
                   !m->build.s_min ? "--split"
                   : m->has_split  ? "--split, --s-min"
                                   : "--s-min");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    enum { SIZE_MAX_N = 16384 };
    struct fr_modeling *m = state->input;
    struct fr_domain domain[FR_KERNELS_MAX];
    char why[160];

    if (key >= KEY_KERNELS && key <= KEY_ABSOLUTE)
        m->given |= UINT64_C(1) << (key - FR_MODELING_KEY);
    switch (key) {
    case KEY_KERNELS:
        m->kernels = text;
        return 0;
    case KEY_MODEL_SIZE:
        m->size = whole(state, "--model-size", text, 16, SIZE_MAX_N);
        return 0;
    case KEY_MODEL_BLOCK:
        m->block = whole(state, "--model-block", text, 16, SIZE_MAX_N);
        return 0;
    case KEY_LOCALITY:
        take_localities(state, text, m);
        return 0;
    case KEY_SAMPLES:
        m->samples = text;
        return 0;
    case KEY_BUDGET:
        take_positive(state, "--model-time", text, &m->budget_s);
        return 0;
    case ARGP_KEY_END:
        check_strategy(state, m);
        fill_sizes(m);
        if (m->block > m->size)
            argp_error(state, "--model-block: %d exceeds --model-size %d", m->block, m->size);
        if (fr_domains_find(m, domain, why) < 0)
            argp_error(state, "--kernels: %s", why);
        return 0;
    default:
        return parse_build(key, text, state, m);
    }
}

const struct argp fr_modeling_argp = { .options = table, .parser = parse };

struct blocked_build fr_modeling_build(const struct fr_modeling *m,
                                       const struct blocked_kernel *kernel)
{
    struct blocked_build build = blocked_build_default(kernel);

    if (m->has_strategy)
        build.strategy = m->build.strategy;
    if (build.strategy == BLOCKED_EXPANSION)
        build.grid = BLOCKED_CARTESIAN;
    if (m->has_direction)
        build.direction = m->build.direction;
    if (m->has_split)
        build.split = m->build.split;
    if (m->has_grid)
        build.grid = m->build.grid;
    if (m->has_measure)
        build.measure = m->build.measure;
    if (m->has_reference)
        build.reference = m->build.reference;
    if (m->build.eps > 0)
        build.eps = m->build.eps;
    if (m->build.s_min)
        build.s_min = m->build.s_min;
    if (m->build.s_ini)
        build.s_ini = m->build.s_ini;
    for (size_t d = 0; d < BLOCKED_MAX_SIZES && m->oversampling[d]; d++)
        build.oversampling[d] = m->oversampling[d];
    if (m->degree_extra >= 0)
        build.degree_extra = m->degree_extra;
    build.is_relative = !m->is_absolute;
    return build;
}

void fr_modeling_print(const struct fr_modeling *m, char *out, size_t size)
{
    const struct blocked_build *b = &m->build;
    size_t used = (size_t)snprintf(
        out, size, " models %.500s %d:%d %d%d %g %d,%d,%d,%d,%d,%d %d %g %lld,%lld %d", m->kernels,
        m->size, m->block, m->is_warm, m->is_cold, m->budget_s,
        m->has_strategy ? (int)b->strategy : -1, m->has_direction ? (int)b->direction : -1,
        m->has_split ? (int)b->split : -1, m->has_grid ? (int)b->grid : -1,
        m->has_measure ? (int)b->measure : -1, m->has_reference ? (int)b->reference : -1,
        m->is_absolute, b->eps, (long long)b->s_min, (long long)b->s_ini, m->degree_extra);

    for (int d = 0; d < BLOCKED_MAX_SIZES && used < size; d++)
        used += (size_t)snprintf(out + used, size - used, ",%d", m->oversampling[d]);
}
