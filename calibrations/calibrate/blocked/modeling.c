/* The options of routine models.  One list describes each option: its entry of --help, how its
 * value is read and which member of struct fr_modeling it sets.
 */
#include "calibrations/calibrate/blocked/modeling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/core/value.h"

enum { SIZE_MIN = 16, SIZE_MAX_N = 16384, SIDE_MIN = 8, SIDE_MAX = 1 << 20, OVERSAMPLING_MAX = 20 };

const char *const fr_strategy_names[] = { "adaptive_refinement", "model_expansion", NULL };
const char *const fr_direction_names[] = { "toward_origin", "away_from_origin", NULL };
const char *const fr_split_names[] = { "all", "longest", NULL };
const char *const fr_grid_names[] = { "chebyshev", "cartesian", NULL };
const char *const fr_measure_names[] = { "max", "p90", "mean", NULL };
const char *const fr_statistic_names[] = { "min", "med", "avg", "max", "std", NULL };
static const char *const reference_names[] = { "min", "med", "avg", NULL };
enum { IN_CACHE, OUT_OF_CACHE };
static const char *const locality_names[] = {
    [IN_CACHE] = "in_cache", [OUT_OF_CACHE] = "out_of_cache", "in_cache,out_of_cache", NULL
};

enum kind { TEXT, CHOICE, WHOLE, POSITIVE, FLAG, OVERSAMPLING };
#define AT(of, member) .kind = of, .offset = offsetof(struct fr_modeling, member)
#define AS(member, list) AT(CHOICE, member), .names = list
#define FROM(member, low, high) AT(WHOLE, member), .min = low, .max = high

/* X(key, name, argument, help, how it is read) */
#define OPTIONS(X)                                                                                 \
    X(KERNELS, "kernels", "NAMES",                                                                 \
      "Of trinv, sylv, sylv_own (all they call), dtrsm:LLNN, trinv1_unb, ...; default trinv,sylv", \
      AT(TEXT, kernels))                                                                           \
    X(MODEL_SIZE, "model-size", "N", "Matrices up to N; default 1024",                             \
      FROM(size, SIZE_MIN, SIZE_MAX_N))                                                            \
    X(MODEL_BLOCK, "model-block", "B", "Blocks up to B; default 256",                              \
      FROM(block, SIZE_MIN, SIZE_MAX_N))                                                           \
    X(LOCALITY, "locality", "NAMES", "in_cache, out_of_cache or both; default in_cache",           \
      AS(locality, locality_names))                                                                \
    X(SAMPLES, "samples", "FILE", "Resume from the samples in FILE, and add the new ones to it",   \
      AT(TEXT, samples))                                                                           \
    X(MODEL_TIME, "model-time", "SECONDS", "Build the best models possible in this time",          \
      AT(POSITIVE, budget_s))                                                                      \
    X(STRATEGY, "strategy", "NAME", "adaptive_refinement (default) or model_expansion",            \
      AS(strategy, fr_strategy_names))                                                             \
    X(DIRECTION, "direction", "NAME",                                                              \
      "For expansion: toward_origin (default) or away_from_origin",                                \
      AS(direction, fr_direction_names))                                                           \
    X(SPLIT, "split", "NAME", "For refinement: longest (default) or all",                          \
      AS(split, fr_split_names))                                                                   \
    X(GRID, "grid", "NAME", "chebyshev or cartesian", AS(grid, fr_grid_names))                     \
    X(MEASURE, "measure", "NAME", "Error of a region: p90 (default), max or mean",                 \
      AS(measure, fr_measure_names))                                                               \
    X(REFERENCE, "reference", "NAME", "Statistic of that error: med (default), min or avg",        \
      AS(reference, reference_names))                                                              \
    X(EPS, "eps", "F", "Largest error of a region; default 0.08", AT(POSITIVE, eps))               \
    X(S_MIN, "s-min", "N", "For refinement: shorter sides are not split; default 32, dgemm 128",   \
      FROM(s_min, SIDE_MIN, SIDE_MAX))                                                             \
    X(S_INI, "s-ini", "N", "For expansion: first side, and step", FROM(s_ini, SIDE_MIN, SIDE_MAX)) \
    X(OVERSAMPLING, "oversampling", "N,...",                                                       \
      "Points of a side beyond degree + 1; default 2; 2,2,1: fewer of the third size",             \
      AT(OVERSAMPLING, oversampling), .min = 1, .max = OVERSAMPLING_MAX)                           \
    X(DEGREE_EXTRA, "degree-extra", "N", "Degrees beyond those of the operation count, 0 to 2",    \
      FROM(degree_extra, 0, 2))                                                                    \
    X(ABSOLUTE, "absolute", NULL, "Fit absolute residuals, as in the paper", AT(FLAG, is_absolute))

#define KEY(key, name, argument, help, ...) KEY_##key,
enum key { KEY_BEFORE = FR_MODELING_KEY - 1, OPTIONS(KEY) KEY_END };
#define ENTRY(key, name, argument, help, ...) { name, KEY_##key, argument, 0, help, 0 },
static const struct argp_option entries[] = { OPTIONS(ENTRY){ 0 } };
#define ROW(key, text, argument, help, ...) { .name = "--" text, __VA_ARGS__ },
static const struct modeling_option {
    const char *name;
    enum kind kind;
    size_t offset;
    const char *const *names;
    int min, max;
} options[] = { OPTIONS(ROW) };

struct fr_modeling fr_modeling_default(void)
{
    return (struct fr_modeling){ .kernels = "trinv,sylv",
                                 .budget_s = HUGE_VAL,
                                 .strategy = -1,
                                 .direction = -1,
                                 .split = -1,
                                 .grid = -1,
                                 .measure = -1,
                                 .reference = -1,
                                 .degree_extra = -1,
                                 .is_warm = true };
}

static bool is_given(const struct fr_modeling *m, enum key key)
{
    return m->given >> (key - FR_MODELING_KEY) & 1;
}

static void choose(struct argp_state *state, const struct modeling_option *option, const char *text,
                   int *out)
{
    char names[120] = "";
    size_t used = 0;

    for (int i = 0; option->names[i]; i++) {
        if (strcmp(option->names[i], text) == 0) {
            *out = i;
            return;
        }
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                 option->names[i]);
    }
    argp_error(state, "%s: %s is not one of %s", option->name, text, names);
}

static int whole(struct argp_state *state, const struct modeling_option *option, const char *text)
{
    char *end;
    const long value = strtol(text, &end, 10);

    if (end == text || *end || value < option->min || value > option->max)
        argp_error(state, "%s: %s is not a whole number from %d to %d", option->name, text,
                   option->min, option->max);
    return (int)value;
}

/* One number for each size; the last holds for all further sizes. */
static void take_oversampling(struct argp_state *state, const struct modeling_option *option,
                              const char *text, int *out)
{
    char part[16];
    size_t d = 0;

    for (const char *at = text; at; at = strchr(at, ',')) {
        at += at != text;
        if (d == BLOCKED_MAX_SIZES) {
            argp_error(state, "%s: %s has more than %d numbers", option->name, text,
                       BLOCKED_MAX_SIZES);
            return;
        }
        snprintf(part, sizeof part, "%.*s", (int)strcspn(at, ","), at);
        out[d++] = whole(state, option, part);
    }
    for (; d < BLOCKED_MAX_SIZES; d++)
        out[d] = out[d - 1];
}

static void take(struct argp_state *state, const struct modeling_option *option, char *text,
                 void *out)
{
    switch (option->kind) {
    case TEXT:
        *(const char **)out = text;
        break;
    case CHOICE:
        choose(state, option, text, out);
        break;
    case WHOLE:
        *(int *)out = whole(state, option, text);
        break;
    case POSITIVE:
        if (fr_value_positive(text, out))
            argp_error(state, "%s: %s is not a number above 0", option->name, text);
        break;
    case FLAG:
        *(bool *)out = true;
        break;
    case OVERSAMPLING:
        take_oversampling(state, option, text, out);
    }
}

/* Refuses options that the chosen strategy would ignore. */
static void check_strategy(struct argp_state *state, const struct fr_modeling *m)
{
    static const enum key of[][2] = { { KEY_SPLIT, KEY_S_MIN }, { KEY_DIRECTION, KEY_S_INI } };
    static const char *const needed[] = { "refinement", "expansion" };
    const enum blocked_strategy other =
        m->strategy == BLOCKED_EXPANSION ? BLOCKED_REFINEMENT : BLOCKED_EXPANSION;
    char names[40] = "";

    for (size_t i = 0; i < 2; i++)
        if (is_given(m, of[other][i]))
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                     *names ? ", " : "", options[of[other][i] - FR_MODELING_KEY].name);
    if (*names)
        argp_error(state, "%s: for %s only; add --strategy=%s or leave out", names, needed[other],
                   fr_strategy_names[other]);
}

static void finish(struct argp_state *state, struct fr_modeling *m)
{
    struct fr_domain domain[FR_KERNELS_MAX];
    char why[160];

    check_strategy(state, m);
    m->is_warm = m->locality != OUT_OF_CACHE;
    m->is_cold = m->locality != IN_CACHE;
    if (!m->size)
        m->size = m->block > 1024 ? m->block : 1024;
    if (!m->block)
        m->block = m->size < 256 ? m->size : 256;
    if (m->block > m->size)
        argp_error(state, "--model-block: %d exceeds --model-size %d", m->block, m->size);
    if (fr_domains_find(m, domain, why) < 0)
        argp_error(state, "--kernels: %s", why);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct fr_modeling *m = state->input;

    if (key == ARGP_KEY_END)
        finish(state, m);
    else if (key <= KEY_BEFORE || key >= KEY_END)
        return ARGP_ERR_UNKNOWN;
    else {
        const struct modeling_option *option = &options[key - FR_MODELING_KEY];

        m->given |= UINT64_C(1) << (key - FR_MODELING_KEY);
        take(state, option, text, (char *)m + option->offset);
    }
    return 0;
}

const struct argp fr_modeling_argp = { .options = entries, .parser = parse };

void fr_modeling_hurry(struct fr_modeling *m)
{
    const bool has_block = is_given(m, KEY_MODEL_BLOCK);

    if (!is_given(m, KEY_MODEL_SIZE))
        m->size = has_block && m->block > 128 ? m->block : 128;
    if (!has_block)
        m->block = m->size < 64 ? m->size : 64;
}

struct blocked_build fr_modeling_build(const struct fr_modeling *m,
                                       const struct blocked_kernel *kernel)
{
    struct blocked_build build = blocked_build_default(kernel);

    if (m->strategy == BLOCKED_EXPANSION)
        build.grid = BLOCKED_CARTESIAN;
    if (m->strategy >= 0)
        build.strategy = (enum blocked_strategy)m->strategy;
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
    if (m->s_min)
        build.s_min = m->s_min;
    if (m->s_ini)
        build.s_ini = m->s_ini;
    for (size_t d = 0; d < BLOCKED_MAX_SIZES && m->oversampling[d]; d++)
        build.oversampling[d] = m->oversampling[d];
    if (m->degree_extra >= 0)
        build.degree_extra = m->degree_extra;
    build.is_relative = !m->is_absolute;
    return build;
}

void fr_modeling_print(const struct fr_modeling *m, char *out, size_t size)
{
    snprintf(out, size, " models %.500s %d:%d %d%d %g %d,%d,%d,%d,%d,%d %d %g %d,%d %d,%d,%d,%d",
             m->kernels, m->size, m->block, m->is_warm, m->is_cold, m->budget_s, m->strategy,
             m->direction, m->split, m->grid, m->measure, m->reference, m->is_absolute, m->eps,
             m->s_min, m->s_ini, m->degree_extra, m->oversampling[0], m->oversampling[1],
             m->oversampling[2]);
}
