/* Predictions per second on one core.
 *
 *   engine FOLDER_OF_SETS [--once]
 *
 * Prints `name value` lines: for each case the rate of resolve and predict together, as in a
 * request, and of predict alone; for walks of 1,000 panels the milliseconds of one prediction; for
 * rankings their time in seconds. A rate is the median of several rounds. Each round runs all cases
 * in turn, so that a disturbance affects all of them alike. With --once each case runs once,
 * without the rankings that take long, for counts.sh.
 */
#include "engine/forerun.h"
#include "server/calibrations/document.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 9, MOST_BYTES = 16 * 1024 * 1024 };
static size_t rounds = ROUNDS;
static int batch = 16;
static double round_s = 0.1;

/* A question to a shipped machine, as name=value words. */
struct bench_case {
    const char *name, *set, *model, *question;
};
static const struct bench_case cases[] = {
    { "matmul_2d", "hopper", "matmul",
      "n=32768 processes=1024 threads=6 algorithm=cannon variant=2d" },
    { "matmul_25d_ovlp", "hopper", "matmul",
      "n=32768 processes=1024 threads=6 algorithm=cannon variant=25d_ovlp replication=4" },
    { "matmul_summa_25d_ovlp", "hopper", "matmul",
      "n=32768 processes=1024 threads=6 algorithm=summa variant=25d_ovlp replication=4" },
    { "trsm_4096", "hopper", "trsm",
      "n=131072 processes=4096 threads=6 variant=25d_ovlp replication=4 blocks_per_process=4" },
    { "cholesky_4096", "hopper", "cholesky",
      "n=131072 processes=4096 threads=6 variant=25d_ovlp replication=4 blocks_per_process=4" },
    { "trsm_4096_refined", "hopper", "trsm",
      "n=131072 processes=4096 threads=6 variant=25d_ovlp replication=4 blocks_per_process=4 "
      "contention_model=refined" },
    { "cholesky_4096_refined", "hopper", "cholesky",
      "n=131072 processes=4096 threads=6 variant=25d_ovlp replication=4 blocks_per_process=4 "
      "contention_model=refined" },
    { "trinv_1000_96", "example", "trinv", "n=1000 variant=3 block_size=96" },
    { "sylv_480_96", "example", "sylv", "m=480 n=480 variant=16 block_size=96" },
    { "cnc_matmul", "osu-e5630", "cnc_matmul",
      "algorithm=cannon n=2000 block_size=200 processes=32" },
    { "allreduce_4096", "blue-waters", "allreduce",
      "nodes=4096 processes_per_node=16 message_bytes=8" },
    { "halo_exchange_4096", "blue-waters", "halo_exchange",
      "nodes=4096 processes_per_node=16 message_bytes=4096" },
    /* blocks of 16 ranks are boxes of the process grid, blocks of 36 are not */
    { "cg_4096_boxes", "blue-waters", "cg",
      "nodes=4096 processes_per_node=16 local_grid=16x16x16 iterations=20" },
    { "cg_4096_no_boxes", "piz-daint", "cg",
      "nodes=4096 processes_per_node=36 local_grid=16x16x16 iterations=20" },
    { "solve_16384", "blue-waters", "solve",
      "solver=pcg nodes=16384 processes_per_node=16 local_grid=16x16x16 iterations=100 "
      "link_sharing=false" },
    { "solve_gmres_64", "example", "solve",
      "solver=gmres nodes=64 processes_per_node=2 local_grid=16x16x16 iterations=100 "
      "link_sharing=false" },
    { "solve_links_16384", "blue-waters", "solve",
      "solver=pcg nodes=16384 processes_per_node=16 local_grid=16x16x16 iterations=100" },
    /* more nodes than any shipped machine has */
    { "solve_32768", "blue-waters", "solve",
      "solver=pcg nodes=32768 processes_per_node=16 local_grid=16x16x16 iterations=100 "
      "link_sharing=false" },
    { "solve_links_32768", "blue-waters", "solve",
      "solver=pcg nodes=32768 processes_per_node=16 local_grid=16x16x16 iterations=100 "
      "link_sharing=true" },
    { "solve_scattered_32768", "blue-waters", "solve",
      "solver=pcg nodes=32768 processes_per_node=16 local_grid=16x16x16 iterations=100 "
      "link_sharing=true placement=scattered" },
    { "solve_multigrid_32768", "blue-waters", "solve",
      "solver=pcg nodes=32768 processes_per_node=16 local_grid=16x16x16 iterations=100 "
      "link_sharing=true placement=scattered preconditioner=multigrid" },
};
/* 1,000 panels, or slices of 32, on 64 x 64 processes: the time of one prediction in milliseconds.
 */
static const struct bench_case walks[] = {
    { "pdgemm", "example", "pdgemm", "m=32000 n=32000 k=32000 block_size=64" },
    { "pdtrsm", "example", "pdtrsm", "m=32000 n=32000 block_size=64" },
    { "pdpotrf", "example", "pdpotrf", "n=128000 block_size=128" },
    { "pdgetrf", "example", "pdgetrf", "m=128000 n=128000 block_size=128" },
    { "pdgeqrf", "example", "pdgeqrf", "m=128000 n=128000 block_size=128" },
    { "hpl", "example", "hpl", "n=128000 block_size=128" },
};
enum { WALKS = sizeof walks / sizeof walks[0] };
static const char grid[] = " process_rows=64 process_columns=64";
/* A ranking varies the parameters that its question leaves open, the block sizes of a list if it
 * has one. A measurement runs `orders` rankings in sequence, for the matrix orders 8, 16, 24, … */
static const struct bench_ranking {
    const char *name, *set, *model, *question, *order;
    int orders;
    const char *block_sizes; /* or NULL */
    bool is_long;
} rankings[] = {
    { "trinv_1000_block_sizes", "example", "trinv", "n=1000 variant=3", "n", 0, NULL, false },
    { "trinv_1000_all", "example", "trinv", "n=1000", "n", 0, NULL, false },
    { "sylv_variants_32_orders", "example", "sylv", "n=8 m=8 block_size=32", "nm", 32, NULL,
      false },
    { "sylv_variants_128_orders", "example", "sylv", "n=8 m=8 block_size=96", "nm", 128, NULL,
      true },
    /* all grids, broadcasts and depths, with so many block sizes */
    { "hpl_64_all", "example", "hpl", "n=20000 processes=64", "n", 0, "64..256..64", false },
    { "hpl_1024_all", "example", "hpl", "n=100000 processes=1024", "n", 0, "64..384..32,448",
      true },
};
enum { RANKINGS = sizeof rankings / sizeof rankings[0] };
enum { CASES = sizeof cases / sizeof cases[0], MOST_VALUES_BYTES = 1 << 15 };

/* A function of its own in the program, whose instructions counts.sh has counted. */
#define COUNTED __attribute__((noipa))

/* A prepared case: the values as a request binds them, and after resolve. */
struct bench_subject {
    const struct fr_model *model;
    const struct fr_calibration *cal;
    struct fr_arena *arena;
    _Alignas(max_align_t) char bound[MOST_VALUES_BYTES];
    _Alignas(max_align_t) char resolved[MOST_VALUES_BYTES];
};

static _Noreturn void fail(const char *what, const struct fr_faults *faults)
{
    fprintf(stderr, "bench: %s\n", what);
    for (size_t i = 0; i < fr_faults_kept(faults); i++)
        fprintf(stderr, "    %s: %s\n", faults->fault[i].where, faults->fault[i].message);
    exit(EXIT_FAILURE);
}

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const struct fr_calibration *load(const char *folder, const char *set,
                                         struct fr_arena *arena)
{
    static struct {
        const char *set;
        struct fr_calibration *cal;
    } known[8];
    char *text, path[4096], id[17];
    struct fr_faults faults;
    FILE *file;
    size_t i = 0;

    while (known[i].set && strcmp(known[i].set, set) != 0)
        i++;
    if (known[i].set)
        return known[i].cal;
    snprintf(path, sizeof path, "%s/%s.json", folder, set);
    faults.count = 0;
    file = fopen(path, "r");
    text = malloc(MOST_BYTES);
    known[i].set = set;
    known[i].cal = fr_arena_zeroed(arena, 1, sizeof *known[i].cal);
    if (!file || !text || !known[i].cal ||
        fr_calibration_read(text, fread(text, 1, MOST_BYTES, file), arena, known[i].cal, id,
                            &faults) != FR_OK)
        fail(path, &faults);
    fclose(file);
    free(text);
    return known[i].cal;
}

/* No shipped machine has this table: every pattern at nine sizes on 1024 and 16384 processes in
 * four layers, so that 4096 processes need interpolation. The times are invented; the benchmark
 * measures only the lookup. */
static const struct fr_calibration *with_patterns(const struct fr_calibration *cal,
                                                  struct fr_arena *arena)
{
    enum { SIZES = 9, COUNTS = 2, PATTERNS = FR_BARRIER };
    struct fr_calibration *copy = fr_arena_zeroed(arena, 1, sizeof *copy);
    struct fr_pattern *row = fr_arena_zeroed(arena, (size_t)PATTERNS * COUNTS * SIZES, sizeof *row);
    struct fr_faults faults;

    faults.count = 0;
    if (!copy || !row)
        fail("no memory", &faults);
    *copy = *cal;
    copy->contention.patterns.row = row;
    copy->contention.patterns.count = (size_t)PATTERNS * COUNTS * SIZES;
    for (int i = 0; i < PATTERNS * COUNTS * SIZES; i++, row++) {
        const double bytes = 512 * pow(4, i % SIZES), time_s = 1e-5 + bytes * 1e-9;

        *row = (struct fr_pattern){
            .pattern = i / SIZES / COUNTS,
            .processes = i / SIZES % COUNTS ? 16384 : 1024,
            .layers = 4,
            .message_bytes = bytes,
            .average_s = time_s,
            .maximum_s = time_s,
        };
    }
    if (fr_calibration_prepare(copy, arena, &faults) != FR_OK)
        fail("patterns", &faults);
    return copy;
}

/* Blue Waters with 65,536 nodes and two bursts of 524,288 processes; the times are invented. */
static const struct fr_calibration *with_large_torus(const struct fr_calibration *cal,
                                                     struct fr_arena *arena)
{
    enum { BURSTS = 2, DIMENSIONS = 3, ROUTERS = 32 };
    struct fr_calibration *copy = fr_arena_zeroed(arena, 1, sizeof *copy);
    struct fr_burst *burst = fr_arena_zeroed(arena, BURSTS, sizeof *burst);
    double *dimension = fr_arena_zeroed(arena, DIMENSIONS, sizeof *dimension);
    struct fr_faults faults;

    faults.count = 0;
    if (!copy || !burst || !dimension)
        fail("no memory", &faults);
    *copy = *cal;
    for (int d = 0; d < DIMENSIONS; d++)
        dimension[d] = ROUTERS;
    copy->network.topology.dimensions = (fr_numbers){ dimension, DIMENSIONS };
    for (int i = 0; i < BURSTS; i++)
        burst[i] = (struct fr_burst){ 524288, 64 * pow(64, i), 1e-5 * (1 + i) };
    copy->contention.burst.row = burst;
    copy->contention.burst.count = BURSTS;
    if (fr_calibration_prepare(copy, arena, &faults) != FR_OK)
        fail("large torus", &faults);
    return copy;
}

static void bind_words(const char *name, const char *model, const char *question,
                       struct bench_subject *subject)
{
    struct fr_faults faults;
    char words[256], *rest = NULL;

    faults.count = 0;
    subject->model = fr_model_find(model);
    if (!subject->model || subject->model->values_size > MOST_VALUES_BYTES)
        fail(name, &faults);
    fr_params_clear(subject->model->params, subject->bound);
    snprintf(words, sizeof words, "%s", question);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *text = strchr(word, '=');
        const struct fr_param *param;

        *text++ = '\0';
        param = fr_param_find(subject->model->params, word);
        if (!param || fr_param_read(param, text, subject->bound, &faults) != FR_OK)
            fail(name, &faults);
    }
}

static void bind(const struct bench_case *c, struct bench_subject *subject)
{
    struct fr_faults faults;

    faults.count = 0;
    bind_words(c->name, c->model, c->question, subject);
    memcpy(subject->resolved, subject->bound, subject->model->values_size);
    if (fr_model_resolve(subject->model, subject->resolved, subject->cal, &faults) != FR_OK)
        fail(c->name, &faults);
}

/* Runs a batch of predictions. The result prevents the compiler from removing them. */
static COUNTED double run_whole(const struct bench_subject *subject)
{
    struct fr_prediction out;
    struct fr_faults faults;
    double sum = 0;

    faults.count = 0;
    for (int i = 0; i < batch; i++) {
        const struct fr_arena_mark mark = fr_arena_mark(subject->arena);
        _Alignas(max_align_t) char values[MOST_VALUES_BYTES];

        fr_arena_renew(subject->arena); /* each ranking is a separate request */

        memcpy(values, subject->bound, subject->model->values_size);
        fr_model_resolve(subject->model, values, subject->cal, &faults);
        fr_model_predict(subject->model, values, subject->cal, subject->arena, &out, &faults);
        fr_arena_release(subject->arena, mark);
        sum += out.time_s;
    }
    if (faults.count)
        fail("a prediction is refused", &faults);
    return sum;
}

static double run_predict(const struct bench_subject *subject)
{
    struct fr_prediction out;
    struct fr_faults faults;
    double sum = 0;

    faults.count = 0;
    for (int i = 0; i < batch; i++) {
        const struct fr_arena_mark mark = fr_arena_mark(subject->arena);

        fr_arena_renew(subject->arena);
        fr_model_predict(subject->model, subject->resolved, subject->cal, subject->arena, &out,
                         &faults);
        fr_arena_release(subject->arena, mark);
        sum += out.time_s;
    }
    if (faults.count)
        fail("a prediction is refused", &faults);
    return sum;
}

static double rate(double (*run)(const struct bench_subject *), const struct bench_subject *subject)
{
    const double begun_s = now_s();
    double count = 0, elapsed_s;
    volatile double sink = 0;

    do {
        sink = sink + run(subject);
        count += batch;
        elapsed_s = now_s() - begun_s;
    } while (elapsed_s < round_s);
    return count / elapsed_s;
}

static double median(double *values, size_t count)
{
    fr_sort(values, count);
    return values[count / 2];
}

static struct fr_axis block_sizes(const struct bench_ranking *ranking,
                                  const struct bench_subject *subject)
{
    struct fr_axis axis = { 0 };
    struct fr_faults faults;

    faults.count = 0;
    if (fr_axis_parse(fr_param_find(subject->model->params, "block_size"), ranking->block_sizes,
                      subject->arena, &axis, &faults) != FR_OK)
        fail(ranking->name, &faults);
    return axis;
}

/* Time in seconds of all rankings of the case. */
static COUNTED double time_ranking(const struct bench_ranking *ranking,
                                   struct bench_subject *subject, const struct fr_restriction *only)
{
    const double begun_s = now_s();

    for (int i = 0; i < (ranking->orders ? ranking->orders : 1); i++) {
        const struct fr_arena_mark mark = fr_arena_mark(subject->arena);
        struct fr_ranking out;
        struct fr_faults faults;

        faults.count = 0;
        fr_arena_renew(subject->arena);
        for (const char *name = ranking->order; ranking->orders && *name; name++)
            fr_param_set(fr_param_find(subject->model->params, (char[]){ *name, '\0' }),
                         subject->bound, 8.0 * (i + 1));
        if (fr_rank(subject->model, subject->bound, only, NULL, subject->cal, FR_MEMORY_LIMIT, 16,
                    subject->arena, &out, &faults) != FR_OK)
            fail(ranking->name, &faults);
        fr_arena_release(subject->arena, mark);
    }
    return now_s() - begun_s;
}

static void print_walks(const char *folder, struct fr_arena *arena)
{
    for (size_t i = 0; i < WALKS; i++) {
        static struct bench_subject subject;
        struct bench_case whole = walks[i];
        double time_s[ROUNDS];
        char question[256];

        snprintf(question, sizeof question, "%s%s", whole.question, grid);
        whole.question = question;
        subject.cal = load(folder, whole.set, arena);
        subject.arena = arena;
        bind(&whole, &subject);
        for (size_t round = 0; round < rounds; round++) {
            const double begun_s = now_s();

            run_whole(&subject);
            time_s[round] = (now_s() - begun_s) / batch;
        }
        printf("engine_panels_1000_%s %.3f\n", whole.name, 1e3 * median(time_s, rounds));
    }
}

static void print_rankings(const char *folder, struct fr_arena *arena)
{
    for (size_t i = 0; i < RANKINGS; i++) {
        static struct bench_subject subject;
        struct fr_axis list;
        struct fr_restriction only = { &list, rankings[i].block_sizes != NULL };
        double time_s[ROUNDS];

        if (rankings[i].is_long && rounds == 1)
            continue;
        subject.cal = load(folder, rankings[i].set, arena);
        subject.arena = arena;
        bind_words(rankings[i].name, rankings[i].model, rankings[i].question, &subject);
        if (only.count)
            list = block_sizes(&rankings[i], &subject);
        for (size_t round = 0; round < rounds; round++)
            time_s[round] = time_ranking(&rankings[i], &subject, &only);
        printf("engine_rank_%s %.6f\n", rankings[i].name, median(time_s, rounds));
    }
}

int main(int argc, char **argv)
{
    static struct bench_subject subjects[CASES];
    static double whole[CASES][ROUNDS], predict[CASES][ROUNDS];
    struct fr_arena *arena = fr_arena_new(MOST_BYTES);

    if (argc < 2 || !arena) {
        fprintf(stderr, "usage: engine FOLDER_OF_SETS [--once]\n");
        return 2;
    }
    if (argc > 2) {
        rounds = 1;
        batch = 1;
        round_s = 0;
    }
    for (size_t i = 0; i < CASES; i++) {
        subjects[i].cal = load(argv[1], cases[i].set, arena);
        if (strstr(cases[i].question, "contention_model=refined"))
            subjects[i].cal = with_patterns(subjects[i].cal, arena);
        if (strstr(cases[i].question, "nodes=32768"))
            subjects[i].cal = with_large_torus(subjects[i].cal, arena);
        subjects[i].arena = arena;
        bind(&cases[i], &subjects[i]);
    }
    for (size_t round = 0; round < rounds; round++) {
        for (size_t i = 0; i < CASES; i++) {
            whole[i][round] = rate(run_whole, &subjects[i]);
            predict[i][round] = rounds > 1 ? rate(run_predict, &subjects[i]) : 0;
        }
    }
    for (size_t i = 0; i < CASES; i++) {
        printf("engine_%s %.0f\n", cases[i].name, median(whole[i], rounds));
        if (rounds > 1)
            printf("engine_%s_predict_only %.0f\n", cases[i].name, median(predict[i], rounds));
    }
    print_walks(argv[1], arena);
    print_rankings(argv[1], arena);
    fr_arena_free(arena);
    return EXIT_SUCCESS;
}
