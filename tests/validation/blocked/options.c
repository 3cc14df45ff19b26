/* Options of blocked, by argp. */
#include "tests/validation/blocked/options.h"

#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/blocked/routine.h"

enum { ORDER_MAX = 8192, THREADS_MAX = 1024 };
enum key {
    KEY_OPERATION = 256,
    KEY_VARIANTS,
    KEY_N,
    KEY_BLOCK_SIZE,
    KEY_LEAF,
    KEY_REPETITIONS,
    KEY_THREADS,
    KEY_TIME_LIMIT,
};

static const struct argp_option table[] = {
    { "operation", KEY_OPERATION, "NAME", 0, "trinv (the default) or sylv", 0 },
    { "variants", KEY_VARIANTS, "V,...", 0, "Default all: 1 to 4 of trinv, 1 to 16 of sylv", 0 },
    { "n", KEY_N, "N,...", 0, "Orders, for sylv of both L and U; default 250,500", 0 },
    { "block-size", KEY_BLOCK_SIZE, "B,...", 0, "Default 96", 0 },
    { "leaf", KEY_LEAF, "NAME", 0, "Unblocked solver of sylv: common (the default) or own", 0 },
    { "repetitions", KEY_REPETITIONS, "COUNT", 0, "Repetitions of each algorithm; default 5", 0 },
    { "threads", KEY_THREADS, "COUNT", 0, "Threads of the BLAS; default 1", 0 },
    { "time-limit", KEY_TIME_LIMIT, "SECONDS", 0,
      "Stop measuring after this time and write the results", 0 },
    { 0 },
};

/* Index of a word among two, or -1. */
static int choice(const char *text, const char *zero, const char *one)
{
    return strcmp(text, zero) == 0 ? 0 : strcmp(text, one) == 0 ? 1 : -1;
}

static int take_one(const char *text, int64_t max, int *out)
{
    struct fr_list list;

    if (fr_value_list(text, max, &list) || list.count != 1)
        return -1;
    *out = (int)list.value[0];
    return 0;
}

static error_t refuse(struct argp_state *state, const char *name, const char *value,
                      const char *instead)
{
    argp_error(state, "--%s %s: %s", name, value, instead);
    return EINVAL;
}

static error_t take_choice(struct argp_state *state, const char *name, const char *text,
                           const char *zero, const char *one, int *out)
{
    *out = choice(text, zero, one);
    if (*out >= 0)
        return 0;
    argp_error(state, "--%s %s: it is %s or %s", name, text, zero, one);
    return EINVAL;
}

static error_t take(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case KEY_OPERATION:
        return take_choice(state, "operation", text, "trinv", "sylv", &options->is_sylv);
    case KEY_LEAF:
        return take_choice(state, "leaf", text, "common", "own", &options->has_own_leaf);
    case KEY_VARIANTS:
        if (fr_value_list(text, SYLV_VARIANTS, &options->variants))
            return refuse(state, "variants", text, "numbers from 1 with commas, each once");
        return 0;
    case KEY_N:
        if (fr_value_list(text, ORDER_MAX, &options->n))
            return refuse(state, "n", text, "up to 64 orders from 1 to 8192 with commas");
        return 0;
    case KEY_BLOCK_SIZE:
        if (fr_value_list(text, ORDER_MAX, &options->block_sizes))
            return refuse(state, "block-size", text, "up to 64 sizes from 1 to 8192 with commas");
        return 0;
    case KEY_REPETITIONS:
        if (take_one(text, REPETITIONS_MAX, &options->repetitions))
            return refuse(state, "repetitions", text, "a whole number from 1 to 99");
        return 0;
    case KEY_THREADS:
        if (take_one(text, THREADS_MAX, &options->threads))
            return refuse(state, "threads", text, "a whole number from 1 to 1024");
        return 0;
    case KEY_TIME_LIMIT:
        if (fr_value_positive(text, &options->time_limit_s))
            return refuse(state, "time-limit", text, "a number of seconds above 0");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* All variants if none is given. */
static void settle_variants(struct options *options, int most)
{
    for (int i = 0; i < options->variants.count; i++)
        if (options->variants.value[i] > most) {
            fprintf(stderr, "blocked: --variants: trinv has %d, sylv %d\n", TRINV_VARIANTS,
                    SYLV_VARIANTS);
            exit(64);
        }
    if (options->variants.count)
        return;
    for (int variant = 1; variant <= most; variant++)
        options->variants.value[options->variants.count++] = variant;
}

void options_parse(int argc, char **argv, struct options *options)
{
    static const struct argp argp = {
        .options = table,
        .parser = take,
        .doc = "Checks and times blocked algorithms, and writes saved runs (NDJSON).",
    };

    *options = (struct options){
        .n = { 2, { 250, 500 } },
        .block_sizes = { 1, { 96 } },
        .repetitions = 5,
        .threads = 1,
        .time_limit_s = HUGE_VAL,
    };
    argp_err_exit_status = 64;
    argp_parse(&argp, argc, argv, 0, NULL, options);
    if (options->has_own_leaf && !options->is_sylv) {
        fputs("blocked: --leaf own: for --operation sylv only; trinv always uses its own\n",
              stderr);
        exit(64);
    }
    settle_variants(options, options->is_sylv ? SYLV_VARIANTS : TRINV_VARIANTS);
}
