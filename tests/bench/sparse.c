/* The speed of the simulation of sparse LU on one core.
 *
 * Prints `name value` lines: block updates counted per second on one process and on 64, the time
 * for a grid whose counts are cached, both also with a look-ahead window, and the memory of a
 * count. With an argument, reads the structure that forerun-analyze writes from standard input, and
 * prints the time to simulate it on 64 processes under that name.
 */
#include "engine/core/statistics.h"
#include "engine/sparse/clocks/clocks.h"
#include "engine/sparse/counts/work_counts.h"
#include "server/matrices/files/blocks.h"
#include "tests/unit/support/sparse_patterns.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 5 };

/* A grid of 37^3 points, as large as the matrix ecl32 of the paper. */
static const struct {
    const char *name;
    int32_t widest;
} cases[] = { { "narrow", 16 }, { "wide", 128 } };

/* The machine of the paper: two cache levels, lines of 128 bytes. */
static const struct sparse_machine machine = {
    .flop_s = 0.25 / 375e6,
    .memory_latency_s = 139 / 375e6,
    .levels = 2,
    .level = { { 32768, 128, SPARSE_FIFO, 0.5 / 375e6 }, { 8388608, 128, SPARSE_LRU, 9 / 375e6 } },
    .index_bytes = 4,
    .dgemm_block = { 32, 48, 48 },
    .dgemm_unroll = { 4, 2 },
    .dger_unroll = 4,
    .dtrsv_unroll = 4,
    .dtrsv_loads_linear = 2,
};
static const struct sparse_network network = {
    .latency_s = 8e-6,
    .points = 2,
    .point = { { 10, 1e6 }, { 1e6, 437e6 } },
    .index_bytes = 4,
    .messages_per_panel = 1,
};

static _Noreturn void fail(const struct fr_faults *faults)
{
    for (size_t i = 0; i < fr_faults_kept(faults); i++)
        fprintf(stderr, "bench: %s: %s\n", faults->fault[i].where, faults->fault[i].message);
    exit(EXIT_FAILURE);
}

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double median(double *value, size_t count)
{
    fr_sort(value, count);
    return value[count / 2];
}

static double allocated_bytes(void)
{
    const struct mallinfo2 info = mallinfo2();

    return (double)info.uordblks + (double)info.hblkhd;
}

/* The memory of the structure, one counter and the counts, relative to 40 bytes per block and 32
 * per step and process. */
static void weigh(const char *name, const struct sparse_structure *s, struct sparse_grid grid)
{
    const double blocks = (double)(s->facts.l_blocks + s->facts.u_blocks + s->facts.supernodes);
    const double steps = (double)s->supernodes * (double)sparse_processes(grid);
    double bytes = -allocated_bytes();
    struct sparse_counter *counter;
    struct sparse_work_counts *counts;
    struct fr_faults faults;

    faults.count = 0;
    counts = sparse_work_counts_paper(s, grid, &machine, &faults);
    if (!counts || sparse_work_counts_count_all(counts, &faults) != FR_OK)
        fail(&faults);
    counter = sparse_counter_new(counts);
    bytes += allocated_bytes();
    sparse_counter_free(counter);
    sparse_work_counts_free(counts);
    printf("sparse_%s_p%d_bytes_of_aim %.4g\n", name, (int)sparse_processes(grid),
           bytes / (40 * blocks + 32 * steps));
}

static void measure(const char *name, const struct sparse_structure *s, struct sparse_grid grid)
{
    const struct sparse_costs costs = sparse_costs_paper(&machine);
    double count_s[ROUNDS], walk_s[ROUNDS];
    struct fr_faults faults;

    faults.count = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start_s = now_s();
        struct sparse_work_counts *counts = sparse_work_counts_paper(s, grid, &machine, &faults);
        struct sparse_times times;

        if (!counts || sparse_work_counts_count_all(counts, &faults) != FR_OK)
            fail(&faults);
        count_s[round] = now_s() - start_s;
        start_s = now_s();
        if (sparse_clocks(counts, &costs, &network, &times, NULL, NULL) != FR_OK)
            fail(&faults);
        walk_s[round] = now_s() - start_s;
        sparse_work_counts_free(counts);
    }
    printf("sparse_%s_p%d_updates_per_s %.4g\n", name, (int)sparse_processes(grid),
           s->facts.updates / median(count_s, ROUNDS));
    printf("sparse_%s_p%d_walk_s %.4g\n", name, (int)sparse_processes(grid),
           median(walk_s, ROUNDS));
}

/* Rates that grow with the size of the operands. */
static struct sparse_tables make_tables(void)
{
    static const struct fr_rate dgemm[] = {
        { 1, 1, 1, 1e8 },   { 1, 1, 512, 4e8 },   { 1, 512, 1, 4e8 },   { 1, 512, 512, 1e9 },
        { 512, 1, 1, 4e8 }, { 512, 1, 512, 1e9 }, { 512, 512, 1, 2e9 }, { 512, 512, 512, 2e10 },
    };
    static const struct fr_rate two[] = {
        { 1, 1, 0, 1e8 }, { 1, 512, 0, 4e8 }, { 512, 1, 0, 4e8 }, { 512, 512, 0, 1e10 }
    };
    static const struct fr_rate one[] = { { .n = 1, .rate_flops_per_s = 1e8 },
                                          { .n = 512, .rate_flops_per_s = 2e9 } };
    struct fr_kernel kernel[FR_ROUTINES] = { 0 };
    struct fr_faults faults = { 0 };
    struct sparse_tables tables;

#define RATES(routine, rows)                                         \
    kernel[routine].rates.row = (struct fr_rate *)(uintptr_t)(rows); \
    kernel[routine].rates.count = sizeof(rows) / sizeof *(rows)
    RATES(FR_DGEMM, dgemm);
    RATES(FR_DTRSM, two);
    RATES(FR_DGER, two);
    RATES(FR_DTRSV, one);
#undef RATES
    if (sparse_tables_init(&tables, kernel, &faults) != FR_OK)
        fail(&faults);
    return tables;
}

/* The library's default window; work and clocks apart, because clocks can be walked again. */
static void measure_window(const char *name, const struct sparse_structure *s,
                           struct sparse_grid grid)
{
    const struct sparse_fit fit = { 1, 1.7, 4.5e-10, 3.9e-8, 6e-9, 2.8e-6 };
    struct sparse_tables tables = make_tables();
    const int processes = (int)sparse_processes(grid);
    double count_s[ROUNDS], walk_s[ROUNDS];

    for (int round = 0; round < ROUNDS; round++) {
        struct sparse_schedule schedule;
        struct sparse_shares shares;
        struct sparse_window_work work;
        struct sparse_times times;
        double start_s = now_s();

        if (sparse_schedule_init(&schedule, s, true, NULL) != FR_OK ||
            sparse_shares_init(&shares, s, grid, network.index_bytes) != FR_OK ||
            sparse_window_work_init(&work, &shares, &schedule, 10, &tables) != FR_OK)
            fail(&(struct fr_faults){ 0 });
        count_s[round] = now_s() - start_s;
        start_s = now_s();
        if (sparse_window_clocks(&work, &fit, &network, &times, NULL, NULL) != FR_OK)
            fail(&(struct fr_faults){ 0 });
        walk_s[round] = now_s() - start_s;
        sparse_window_work_free(&work);
        sparse_shares_free(&shares);
        sparse_schedule_free(&schedule);
    }
    sparse_tables_free(&tables);
    printf("sparse_%s_window_p%d_updates_per_s %.4g\n", name, processes,
           s->facts.updates / median(count_s, ROUNDS));
    printf("sparse_%s_window_p%d_walk_s %.4g\n", name, processes, median(walk_s, ROUNDS));
}

/* The bytes after the record of an ordering, which come after those of the permutations. */
static struct sparse_structure *read_structure(void)
{
    struct sparse_structure *s = NULL;
    struct fr_faults faults = { 0 };
    char line[8192];

    while (!s && fgets(line, sizeof line, stdin)) {
        const char *announced = strstr(line, "\"bytes\":");
        const bool is_structure = strstr(line, "\"record\":\"ordering\"") != NULL;
        const size_t length = announced ? strtoul(announced + 8, NULL, 10) : 0;
        unsigned char *bytes = malloc(length + 1);

        if (length && bytes && fread(bytes, 1, length, stdin) == length && is_structure)
            s = fr_blocks_read(bytes, length, &faults);
        free(bytes);
        if (length && is_structure && !s)
            fail(&faults);
    }
    return s;
}

/* The time of a prediction for 64 processes without its sequential reference. */
static int simulate(const struct sparse_structure *s, struct fr_faults *faults)
{
    const struct sparse_grid grid = { 8, 8 };
    const struct sparse_costs costs = sparse_costs_paper(&machine);
    struct sparse_work_counts *counts = sparse_work_counts_paper(s, grid, &machine, faults);
    struct sparse_memory memory;
    struct sparse_times times;
    int code = FR_NOMEM;

    if (counts)
        code = sparse_work_counts_count_all(counts, faults);
    if (code == FR_OK)
        code = sparse_clocks(counts, &costs, &network, &times, NULL, NULL);
    if (code == FR_OK)
        code = sparse_memory_find(s, grid, NULL, machine.index_bytes, 1, &memory);
    sparse_work_counts_free(counts);
    return code;
}

static int measure_given(const char *name)
{
    struct sparse_structure *s = read_structure();
    struct fr_faults faults = { 0 };
    double least_s = INFINITY;

    if (!s) {
        fputs("bench: forerun-analyze sent no structure\n", stderr);
        return EXIT_FAILURE;
    }
    for (int round = 0; round < ROUNDS; round++) {
        const double start_s = now_s();

        if (simulate(s, &faults) != FR_OK)
            fail(&faults);
        least_s = fmin(least_s, now_s() - start_s);
    }
    printf("sparse_%s_updates %.0f\n", name, s->facts.updates);
    printf("sparse_%s_p64_simulation_s %.4g\n", name, least_s);
    sparse_structure_free(s);
    return EXIT_SUCCESS;
}

int main(int count, char **arguments)
{
    if (count > 1)
        return measure_given(arguments[1]);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double before_bytes = allocated_bytes();
        struct sparse_structure *s = sparse_dissected(37, cases[i].widest);
        const double bytes = allocated_bytes() - before_bytes;
        struct fr_faults faults;

        faults.count = 0;
        if (sparse_structure_check(s, 1e12, &faults) != FR_OK)
            fail(&faults);
        printf("sparse_%s_structure_bytes_per_block %.4g\n", cases[i].name,
               bytes / (double)(s->facts.l_blocks + s->facts.u_blocks + s->facts.supernodes));
        printf("sparse_%s_updates %.0f\n", cases[i].name, s->facts.updates);
        printf("sparse_%s_supernodes %lld\n", cases[i].name, (long long)s->facts.supernodes);
        measure(cases[i].name, s, (struct sparse_grid){ 1, 1 });
        measure(cases[i].name, s, (struct sparse_grid){ 8, 8 });
        measure_window(cases[i].name, s, (struct sparse_grid){ 1, 1 });
        measure_window(cases[i].name, s, (struct sparse_grid){ 8, 8 });
        weigh(cases[i].name, s, (struct sparse_grid){ 1, 1 });
        weigh(cases[i].name, s, (struct sparse_grid){ 8, 8 });
        sparse_structure_free(s);
    }
    return 0;
}
