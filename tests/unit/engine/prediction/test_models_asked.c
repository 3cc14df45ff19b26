/* The contract of a model: what every entry of fr_models answers and refuses, whatever it
 * computes. */
#include "engine/krylov/partition/partition.h"

#include "tests/unit/support/blocked.h"
#include "tests/unit/support/documents.h"
#include "tests/unit/support/draws.h"
#include "tests/unit/support/question.h"
#include "tests/unit/support/sparse.h"

#include "server/calibrations/document.h"

#include <stdio.h>
#include <stdlib.h>

/* Of every kernel, in and out of the cache, on one and on two threads: a thing of round numbers. */
static void add_routine_models(struct fr_calibration *cal, struct fr_arena *arena)
{
    json_t *models = json_array(), *document;
    struct fr_calibration *routines = fr_arena_zeroed(arena, 1, sizeof *routines);
    struct fr_faults faults = { 0 };
    char id[17];

    for (const struct blocked_routine *r = blocked_routines; r->name; r++)
        for (double threads = 1; threads <= 2; threads++)
            for (int is_cold = 0; is_cold < 2; is_cold++)
                json_array_append_new(models, blocked_any_model(r, threads, is_cold));
    document = json_pack("{s:s,s:s,s:{s:o,s:f}}", "schema", "forerun-calibration-1", "machine", "x",
                         "kernels", "routine_models", models, "out_of_cache_weight", 0.25);
    if (fr_calibration_decode(document, arena, routines, id, &faults) != FR_OK)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    json_decref(document);
    cal->kernels.routine_models = routines->kernels.routine_models;
    cal->kernels.out_of_cache_weight = 0.25;
    cal->fitted = routines->fitted;
}

/* Of the kernels of sparse LU by their sizes: one rate each. */
static void add_rates(struct fr_calibration *cal)
{
    static struct fr_rate row[] = {
        { 4, 4, 4, 1e9 }, { 4, 4, 0, 8e8 }, { 4, 4, 0, 5e8 }, { 0, 4, 0, 2e8 }
    };
    static const enum fr_routine routine[] = { FR_DGEMM, FR_DTRSM, FR_DGER, FR_DTRSV };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cal->kernels.routine[routine[i]].rates.row = &row[i];
        cal->kernels.routine[routine[i]].rates.count = 1;
    }
}

/* A machine that every model can answer for: one of the dense golden cases, whose other groups are
 * those of the document that has them all. */
static const struct fr_calibration *machine(struct fr_arena *arena)
{
    json_t *golden = golden_load("dense-distributed.json"), *document = full_json();
    struct fr_calibration *cal = fr_arena_zeroed(arena, 1, sizeof *cal), full;
    struct fr_faults faults = { 0 };
    char id[17];

    if (fr_calibration_decode(document, arena, &full, id, &faults) != FR_OK)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    *cal = *golden_calibration(golden, "hopper-like", arena);
    cal->network.node_bandwidth_bytes_per_s = full.network.node_bandwidth_bytes_per_s;
    cal->network.stall_time_s = full.network.stall_time_s;
    cal->network.topology = full.network.topology;
    cal->memory = full.memory;
    cal->sparse = full.sparse;
    cal->network.message_bandwidth = full.network.message_bandwidth;
    add_rates(cal);
    cal->cnc = full.cnc;
    cal->groups = full.groups;
    add_routine_models(cal, arena);
    for (size_t i = 0; i < cal->network.protocols.count; i++)
        cal->network.protocols.row[i].on_node = cal->network.protocols.row[i].off_node;
    json_decref(golden);
    json_decref(document);
    return cal;
}

/* ---- random legal questions ---- */

static size_t choice_count(const struct fr_param *param)
{
    size_t count = 0;

    while (param->choices && param->choices[count])
        count++;
    return count;
}

static void draw_vector(const struct fr_param *param, void *values, uint64_t *random)
{
    struct fr_vector vector = { .count = (size_t)random_between(random, 1, 3) };

    for (size_t d = 0; d < vector.count; d++)
        vector.at[d] = random_between(random, 1, 8);
    fr_param_set_vector(param, values, &vector);
}

enum { VALUES_BYTES = 32768 }; /* no model has more */

/* The texts that models take are lists of calls, matrices, and levels of multigrid. */
static void draw_text(const struct fr_param *param, void *values, uint64_t *random)
{
    static const char *const calls[] = { "dgemm NN 8 m 8 -1", "trinv1_unb 30 | trinv2_unb n",
                                         "dtrsm LLNN 5 5; dtrsm R L N U 2000 9 +1", "dgemm" };
    static const char *const matrices[] = { "small", "dissected", "no", "small" };
    static const char *const levels[] = { "40:200,8:30", "4:10", "1:1", "20" };
    const char *const *texts = strcmp(param->name, "matrix") == 0   ? matrices
                               : strcmp(param->name, "levels") == 0 ? levels
                                                                    : calls;
    struct fr_faults faults = { 0 };

    assert_int_equal(fr_param_read(param, texts[random_between(random, 0, 3)], values, &faults),
                     FR_OK);
}

/* A random value of a parameter, small sizes more often than large ones. */
static double random_value(const struct fr_param *param, double most, uint64_t *random)
{
    if (param->kind == FR_KIND_BOOL)
        return (double)random_between(random, 0, 1);
    if (param->kind == FR_KIND_CHOICE)
        return (double)random_between(random, 0, (int64_t)choice_count(param) - 1);
    if (param->kind == FR_KIND_SET)
        return (double)random_between(random, 0, (INT64_C(1) << choice_count(param)) - 1);
    if (param->kind == FR_KIND_REAL)
        return param->min > 0 ? random_size(random, param->min, param->max)
                              : param->min + random_share(random) * (param->max - param->min);
    return floor(random_size(random, fmax(param->min, 1), fmin(param->max, most)));
}

/* Process counts are drawn from those that make grids; legality is for the model to judge. */
static double random_count(uint64_t *random)
{
    const double q = floor(random_size(random, 1, 65));

    return q * q * (double)(INT64_C(1) << random_between(random, 0, 2));
}

/* The matrices that there are. */
static struct sparse_shelf shelf;

/* Partitions of a banded matrix, by number of processes less one: each exchanges a value with its
 * neighbours. */
enum { MOST_PARTS = 64 };
static struct krylov_partition *divided[MOST_PARTS];

static struct krylov_partition *divide(int64_t processes)
{
    struct krylov_partition *facts = krylov_partition_new(processes);
    struct fr_faults faults = { 0 };

    facts->message = calloc(2 * (size_t)processes, sizeof *facts->message);
    for (int32_t p = 0; p < processes; p++) {
        facts->rows[p] = 9;
        facts->diagonal[p] = 25;
        facts->offdiagonal[p] = (p > 0) + (p + 1 < processes);
        if (p > 0)
            facts->message[facts->message_count++] = (struct krylov_words){ p, p - 1, 1 };
        if (p + 1 < processes)
            facts->message[facts->message_count++] = (struct krylov_words){ p, p + 1, 1 };
    }
    assert_int_equal(krylov_partition_check(facts, &faults), FR_OK);
    return facts;
}

static const struct krylov_partition *find_partition(void *context, const char *matrix,
                                                     const char *partition, int64_t processes,
                                                     struct fr_faults *faults)
{
    (void)context;
    (void)partition;
    if (strcmp(matrix, "small") != 0 || processes > MOST_PARTS) {
        fr_fault(faults, FR_NOT_FOUND, "matrix", "there is no such partition");
        return NULL;
    }
    if (!divided[processes - 1])
        divided[processes - 1] = divide(processes);
    return divided[processes - 1];
}

static const struct fr_partition_source partitions = { NULL, find_partition };

static void clear(const struct fr_model *model, void *values)
{
    memset(values, 0, model->values_size);
    fr_params_clear(model->params, values);
    if (model->set_structures)
        model->set_structures(values, &shelf.source);
    if (model->set_partitions)
        model->set_partitions(values, &partitions);
}

/* Models that follow each process through each step take longer for larger problems. */
static bool is_simulated(const struct fr_model *model)
{
    return model->set_structures || strcmp(model->family, "block_cyclic") == 0;
}

/* Of a model that sums over calls or steps, whose predictions take longer, an eighth. */
static int draws(const struct fr_model *model, int usual)
{
    return draws_of(is_simulated(model) || strcmp(model->family, "blocked") == 0 ? usual / 8
                                                                                 : usual);
}

static void draw(const struct fr_model *model, void *values, uint64_t *random)
{
    const double most = is_simulated(model) ? 300 : 1e6;
    const struct fr_param *one = NULL;
    int64_t ways = 0;

    clear(model, values);
    for (const struct fr_param *param = model->params; param->name; param++) {
        if (param->one_of) {
            if (random_between(random, 0, ways++) == 0)
                one = param;
        } else if (!(param->flags & (FR_DEFAULT | FR_AUTOMATIC)) ||
                   random_between(random, 0, 3) == 0) {
            double value;

            if (param->kind == FR_KIND_VECTOR) {
                draw_vector(param, values, random);
                continue;
            }
            if (param->kind == FR_KIND_TEXT) {
                draw_text(param, values, random);
                continue;
            }
            value = random_value(param, most, random);
            if (param->candidates && random_between(random, 0, 3))
                value = (double)random_between(random, 1, 4);
            if (strcmp(param->name, "threads") == 0)
                value = (double)random_between(random, 1, 25);
            if (param->flags & FR_LATE)
                value = (double)random_between(random, 0, 2);
            fr_param_set(param, values, value);
        }
    }
    if (one)
        fr_param_set(one, values,
                     is_simulated(model) ? (double)random_between(random, 1, 24)
                                         : random_count(random));
}

/* Draws until the model accepts; `values` come out resolved. */
static void draw_legal(const struct fr_model *model, const struct fr_calibration *cal, void *values,
                       uint64_t *random)
{
    for (int tries = 0; tries < 100000; tries++) {
        struct fr_faults faults;

        faults.count = 0;
        draw(model, values, random);
        if (fr_model_resolve(model, values, cal, &faults) == FR_OK && !faults.count)
            return;
        assert_true(faults.count > 0);
    }
    fail_msg("%s: no legal parameters found", model->name);
}

struct sample {
    struct fr_arena *arena;
    const struct fr_calibration *cal;
    uint64_t random;
    void *values, *other;
    struct fr_prediction out;
};

static int sample_begin(void **state)
{
    static struct sample sample;

    sample = (struct sample){ .arena = fr_arena_new(1 << 24), .random = draws_from(20240229) };
    sample.cal = machine(sample.arena);
    sample.values = fr_arena_zeroed(sample.arena, 1, VALUES_BYTES);
    sample.other = fr_arena_zeroed(sample.arena, 1, VALUES_BYTES);
    sparse_shelf_begin(&shelf);
    sparse_shelf_add(&shelf, "small", "metis", sparse_valid(sparse_random(3, 6, 4, 9)));
    sparse_shelf_add(&shelf, "small", "amd", sparse_valid(sparse_random(4, 6, 4, 9)));
    sparse_shelf_add(&shelf, "dissected", NULL, sparse_valid(sparse_dissected(3, 4)));
    *state = &sample;
    return 0;
}

static int sample_end(void **state)
{
    fr_arena_free(((struct sample *)*state)->arena);
    assert_int_equal(shelf.lent, 0);
    for (size_t i = 0; i < shelf.count; i++)
        sparse_structure_free((struct sparse_structure *)(uintptr_t)shelf.of[i].s);
    for (size_t i = 0; i < MOST_PARTS; i++) {
        krylov_partition_free(divided[i]);
        divided[i] = NULL;
    }
    return 0;
}

static void predict(struct sample *sample, const struct fr_model *model, const void *values,
                    struct fr_prediction *out)
{
    const struct fr_arena_mark mark = fr_arena_mark(sample->arena);
    struct fr_faults faults = { 0 };

    fr_arena_renew(sample->arena);
    if (fr_model_predict(model, values, sample->cal, sample->arena, out, &faults) != FR_OK)
        fail_msg("%s: %s", model->name, faults.fault[0].message);
    fr_arena_release(sample->arena, mark);
}

static void check_prediction(const struct fr_model *model, const struct fr_prediction *out)
{
    /* one process alone communicates nothing, and penalties may be nothing */
    const bool is_krylov = strcmp(model->family, "krylov") == 0;
    const bool may_be_nothing =
        is_krylov || strcmp(model->family, "cnc") == 0 || strcmp(model->family, "sparse") == 0;
    double sum = 0, computation = 0, communication = 0, hidden = 0;

    if (!(out->time_s >= 0 && isfinite(out->time_s)) || (out->time_s == 0 && !is_krylov))
        fail_msg("%s: takes %g s", model->name, out->time_s);
    for (size_t i = 0; i < out->phase_count; i++) {
        const struct fr_phase *phase = &out->phase[i];

        if (!(phase->time_s >= phase->hidden_s * (1 - 1e-12) && phase->hidden_s >= 0 &&
              (phase->time_s > 0 || (phase->time_s == 0 && may_be_nothing))))
            fail_msg("%s: %s takes %.17g s and hides %.17g s", model->name, phase->name,
                     phase->time_s, phase->hidden_s);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(out->phase[j].name, phase->name);
        sum += phase->time_s - phase->hidden_s;
        hidden += phase->hidden_s;
        *(phase->kind == FR_COMPUTATION ? &computation : &communication) += phase->time_s;
    }
    assert_close(sum, out->time_s, 1e-12);
    assert_close(computation, out->computation_s, 1e-12);
    assert_close(communication, out->communication_s, 1e-12);
    assert_close(hidden, out->hidden_s, 1e-12);
    /* what is hidden may be far larger than the time */
    assert_true(fabs(computation + communication - hidden - out->time_s) <=
                1e-12 * (computation + communication));
    for (const struct fr_output *output = model->outputs; output->name; output++) {
        const double value = fr_output_get(output, out);

        if (isinf(value) || value < 0)
            fail_msg("%s: %s is %g", model->name, output->name, value);
    }
}

#define CASE(name) TEST_OF(name, struct sample *sample, NULL, NULL)

CASE(a_breakdown_adds_up_to_a_positive_time)
{
    for (const struct fr_model *const *model = fr_models; *model; model++) {
        assert_true((*model)->values_size <= VALUES_BYTES);
        for (int i = 0; i < draws(*model, 4000); i++) {
            draw_legal(*model, sample->cal, sample->values, &sample->random);
            predict(sample, *model, sample->values, &sample->out);
            check_prediction(*model, &sample->out);
        }
    }
}

CASE(a_prediction_depends_on_nothing_but_its_question)
{
    for (const struct fr_model *const *model = fr_models; *model; model++) {
        for (int i = 0; i < draws_of(200); i++) {
            struct fr_prediction again;

            draw_legal(*model, sample->cal, sample->values, &sample->random);
            predict(sample, *model, sample->values, &sample->out);
            memset(&again, 0xa5, sizeof again);
            predict(sample, *model, sample->values, &again);
            assert_true(again.time_s == sample->out.time_s);
            assert_int_equal(again.phase_count, sample->out.phase_count);
            assert_int_equal(again.warning_count, sample->out.warning_count);
            assert_true(again.used == sample->out.used);
            for (const struct fr_output *output = (*model)->outputs; output->name; output++)
                assert_close(fr_output_get(output, &again), fr_output_get(output, &sample->out), 0);
        }
    }
}

static bool is_legal(const struct fr_param *param, const void *values)
{
    struct fr_faults faults = { 0 };

    if (param->kind == FR_KIND_VECTOR)
        return fr_param_check_vector(param, fr_param_vector(param, values), &faults) == FR_OK;
    return fr_param_check(param, fr_param_get(param, values), &faults) == FR_OK;
}

/* Every answer's parameters, asked again, are the same question. */
CASE(resolving_what_is_resolved_changes_nothing)
{
    for (const struct fr_model *const *model = fr_models; *model; model++) {
        for (int i = 0; i < draws_of(1000); i++) {
            struct fr_faults faults = { 0 };

            draw_legal(*model, sample->cal, sample->values, &sample->random);
            clear(*model, sample->other);
            for (const struct fr_param *param = (*model)->params; param->name; param++) {
                if (!fr_param_is_open(param, sample->values) && !is_legal(param, sample->values))
                    fail_msg("%s is beyond its range", param->name);
                fr_param_copy(param, sample->values, sample->other);
            }
            if (fr_model_resolve(*model, sample->other, sample->cal, &faults) != FR_OK)
                fail_msg("%s: %s: %s", (*model)->name, faults.fault[0].where,
                         faults.fault[0].message);
            for (const struct fr_param *param = (*model)->params; param->name; param++) {
                assert_true(fr_param_is_open(param, sample->values) ==
                            fr_param_is_open(param, sample->other));
                assert_true(fr_param_is_open(param, sample->values) ||
                            fr_param_equal(param, sample->values, sample->other));
            }
        }
    }
}

/* What finds the memory alone finds that of the prediction. */
CASE(the_memory_is_that_of_the_prediction)
{
    for (const struct fr_model *const *model = fr_models; *model; model++) {
        for (int i = 0; (*model)->memory && i < draws_of(500); i++) {
            struct fr_faults faults = { 0 };
            struct fr_prediction alone;
            struct fr_evaluation run = {
                .cal = sample->cal, .arena = sample->arena, .out = &alone, .faults = &faults
            };
            const struct fr_arena_mark mark = fr_arena_mark(sample->arena);

            draw_legal(*model, sample->cal, sample->values, &sample->random);
            predict(sample, *model, sample->values, &sample->out);
            fr_prediction_clear(&alone);
            (*model)->memory(sample->values, &run);
            assert_int_equal(faults.count, 0);
            assert_close(alone.memory_bytes_per_process, sample->out.memory_bytes_per_process, 0);
            assert_close(alone.memory_limit_bytes_per_process,
                         sample->out.memory_limit_bytes_per_process, 0);
            assert_true(alone.memory_bytes_per_process > 0);
            fr_arena_release(sample->arena, mark);
        }
    }
}

CASE(what_an_answer_shows_is_never_left_open)
{
    for (const struct fr_model *const *model = fr_models; *model; model++) {
        for (int i = 0; i < draws_of(500); i++) {
            draw_legal(*model, sample->cal, sample->values, &sample->random);
            for (const struct fr_param *param = (*model)->params; param->name; param++)
                if (!(param->flags & (FR_INPUT_ONLY | FR_OPTIONAL)) &&
                    fr_param_is_open(param, sample->values))
                    fail_msg("%s: %s is open after resolve", (*model)->name, param->name);
        }
    }
}

static void check_growth(struct sample *sample, const struct fr_model *model,
                         const struct fr_param *param)
{
    const double value = fr_param_get(param, sample->values);
    const double larger = floor(value * (1 + random_share(&sample->random))) + 1;
    struct fr_faults faults = { 0 };
    struct fr_prediction more;

    if (isnan(value) || larger > param->max)
        return;
    memcpy(sample->other, sample->values, model->values_size);
    fr_param_set(param, sample->other, larger);
    if (fr_model_resolve(model, sample->other, sample->cal, &faults) != FR_OK)
        return;
    predict(sample, model, sample->values, &sample->out);
    predict(sample, model, sample->other, &more);
    if (more.time_s < sample->out.time_s * (1 - 1e-12))
        fail_msg("%s: %s %.17g takes %.17g s, but %.17g takes %.17g s", model->name, param->name,
                 value, sample->out.time_s, larger, more.time_s);
}

CASE(more_of_it_never_takes_less_time)
{
    for (const struct fr_model *const *model = fr_models; *model; model++)
        for (const char *const *name = (*model)->grows_with; name && *name; name++)
            for (int i = 0; i < draws(*model, 3000); i++) {
                draw_legal(*model, sample->cal, sample->values, &sample->random);
                check_growth(sample, *model, fr_param_find((*model)->params, *name));
            }
}

/* ---- what a model reads ---- */

/* The shipped set that serves every model, without one part and its sources; `use` FR_USE_COUNT:
 * whole.  NULL if the set lacks the part. */
static const struct fr_calibration *example_without(json_t *set, size_t use, struct fr_arena *arena)
{
    struct fr_calibration *cal = fr_arena_zeroed(arena, 1, sizeof *cal);
    json_t *document = json_deep_copy(set), *at = document;
    struct fr_faults faults = { 0 };
    char pointer[FR_WHERE_BYTES] = "", id[17];
    char *key = pointer;

    json_object_del(document, "sources");
    if (use < FR_USE_COUNT)
        snprintf(pointer, sizeof pointer, "%s", fr_use_pointers[use] + 1);
    for (char *slash; (slash = strchr(key, '/')); key = slash + 1) {
        *slash = '\0';
        at = json_object_get(at, key);
    }
    if (use < FR_USE_COUNT && json_object_del(at, key) != 0)
        cal = NULL;
    if (cal && fr_calibration_decode(document, arena, cal, id, &faults) != FR_OK)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    json_decref(document);
    return cal;
}

static bool is_refused(struct sample *sample, const struct fr_model *model,
                       const struct fr_calibration *cal)
{
    const struct fr_arena_mark mark = fr_arena_mark(sample->arena);
    struct fr_prediction out;
    struct fr_faults faults;

    faults.count = 0;
    memcpy(sample->other, sample->values, model->values_size);
    fr_arena_renew(sample->arena);
    if (fr_model_resolve(model, sample->other, cal, &faults) == FR_OK)
        fr_model_predict(model, sample->other, cal, sample->arena, &out, &faults);
    fr_arena_release(sample->arena, mark);
    return faults.count > 0;
}

/* The parts that are read where a preferred one is missing. */
static fr_uses replacing(const struct fr_reads *reads)
{
    return reads->either[0].instead | reads->either[0].beside | reads->either[1].instead |
           reads->either[1].beside | reads->older;
}

/* The parts that no calibration needs while another is there, and those needed in any case. */
static fr_uses replaceable(const struct fr_reads *reads)
{
    return reads->helpful | reads->either[0].preferred | reads->either[1].preferred |
           replacing(reads);
}

/* Leaves the options of drawn values at their defaults. */
static bool is_default_question(const struct fr_model *model, void *values, uint64_t *random,
                                const struct fr_calibration *cal)
{
    struct fr_faults faults;

    faults.count = 0;
    draw(model, values, random);
    for (const struct fr_param *param = model->params; param->name; param++)
        if (param->flags & (FR_DEFAULT | FR_AUTOMATIC) && !param->one_of &&
            !fr_param_is_open(param, values))
            return false;
    return fr_model_resolve(model, values, cal, &faults) == FR_OK;
}

/* What random questions of a model read, and what those that leave options at their defaults read
 * and are refused without. */
struct found {
    fr_uses used, by_default, refused;
};

/* Whether each part of the calibration that the descriptor names was read, and each required one
 * missed. */
static bool is_all_found(const struct fr_reads *reads, const struct found *found, fr_uses has)
{
    const fr_uses declared = (reads->required | replaceable(reads)) & has;

    return !(declared & ~(found->used | replacing(reads))) &&
           !(reads->required & found->by_default & ~found->refused);
}

/* Rare options need more questions than usual. */
static struct found found_by_asking(struct sample *sample, const struct fr_model *model,
                                    const struct fr_calibration *const *without)
{
    enum { QUESTIONS = 400 };
    struct found found = { 0 };

    for (int i = 0; i < QUESTIONS; i++) {
        if (i >= draws_of(QUESTIONS) && is_all_found(&model->reads, &found, sample->cal->has))
            break;
        draw_legal(model, sample->cal, sample->values, &sample->random);
        predict(sample, model, sample->values, &sample->out);
        found.used |= sample->out.used;
        if (!is_default_question(model, sample->values, &sample->random, sample->cal))
            continue;
        predict(sample, model, sample->values, &sample->out);
        found.by_default |= sample->out.used;
        found.used |= sample->out.used;
        for (size_t use = 0; use < FR_USE_COUNT; use++)
            if (without[use] && sample->out.used & ~found.refused & FR_USE_OF(use) &&
                is_refused(sample, model, without[use]))
                found.refused |= FR_USE_OF(use);
    }
    return found;
}

static void check_reads(const struct fr_model *model, const struct found *found, fr_uses has)
{
    const struct fr_reads *reads = &model->reads;

    for (size_t use = 0; use < FR_USE_COUNT; use++) {
        const fr_uses bit = FR_USE_OF(use);
        const bool is_required = reads->required & bit;
        const bool is_declared = is_required || replaceable(reads) & bit;
        const char *const part = fr_use_pointers[use];

        if (found->used & bit && !is_declared)
            fail_msg("%s reads %s, which its descriptor does not say", model->name, part);
        if (is_declared && has & bit && !((found->used | replacing(reads)) & bit))
            fail_msg("%s never reads %s", model->name, part);
        if (is_required && found->by_default & bit && !(found->refused & bit))
            fail_msg("%s is answered without %s", model->name, part);
        if (!is_required && found->refused & bit)
            fail_msg("%s is refused without %s", model->name, part);
    }
}

CASE(a_model_reads_what_its_descriptor_says)
{
    const struct fr_calibration *const usual = sample->cal, *without[FR_USE_COUNT];
    struct fr_arena *arena = fr_arena_new((size_t)1 << 29);
    json_error_t error;
    json_t *set = json_load_file("calibrations/sets/example.json", JSON_DECODE_INT_AS_REAL, &error);

    for (size_t use = 0; use < FR_USE_COUNT; use++)
        without[use] = example_without(set, use, arena);
    sample->cal = example_without(set, FR_USE_COUNT, arena);
    for (const struct fr_model *const *model = fr_models; *model; model++) {
        const struct found found = found_by_asking(sample, *model, without);

        check_reads(*model, &found, sample->cal->has);
    }
    sample->cal = usual;
    json_decref(set);
    fr_arena_free(arena);
}

/* ---- refusals ---- */

CASE(a_missing_group_is_refused_by_its_name)
{
    for (const struct fr_model *const *model = fr_models; *model; model++) {
        draw_legal(*model, sample->cal, sample->values, &sample->random);
        for (unsigned bit = 1; bit <= FR_CAL_CNC; bit *= 2) {
            const unsigned needs =
                (*model)->needs ? (*model)->needs(sample->values) : (*model)->groups;
            struct fr_calibration without = *sample->cal;
            struct fr_faults faults = { 0 };

            assert_false(needs & ~(*model)->groups);
            without.groups &= ~bit;
            memcpy(sample->other, sample->values, (*model)->values_size);
            fr_model_resolve(*model, sample->other, &without, &faults);
            if (needs & bit)
                assert_fault(&faults, FR_GROUP_MISSING, "calibration", fr_group_name(bit));
            else
                assert_int_equal(faults.count, 0);
        }
    }
}

/* An empty group is as good as none: refused, not read. */
CASE(an_empty_group_is_refused_as_missing)
{
    static const struct fr_calibration nothing;

    for (const struct fr_model *const *model = fr_models; *model; model++) {
        struct fr_calibration empty = nothing;
        struct fr_faults faults = { 0 };

        fr_calibration_clear(&empty);
        empty.groups = ~0u;
        draw_legal(*model, sample->cal, sample->values, &sample->random);
        assert_int_not_equal(fr_model_resolve(*model, sample->values, &empty, &faults), FR_OK);
        for (size_t i = 0; i < fr_faults_kept(&faults); i++)
            assert_int_equal(faults.fault[i].code, FR_GROUP_MISSING);
        assert_true(faults.count > 0);
    }
}

CASE(refusals_name_parameters_and_say_something)
{
    int seen = 0;

    for (const struct fr_model *const *model = fr_models; *model; model++) {
        for (int i = 0; i < draws_of(3000); i++) {
            struct fr_faults faults;

            faults.count = 0;
            draw(*model, sample->values, &sample->random);
            if (fr_model_resolve(*model, sample->values, sample->cal, &faults) == FR_OK)
                continue;
            seen++;
            assert_true(faults.count > 0);
            for (size_t j = 0; j < fr_faults_kept(&faults); j++) {
                const char *message = faults.fault[j].message;

                if (!fr_param_find((*model)->params, faults.fault[j].where) &&
                    faults.fault[j].code != FR_GROUP_MISSING)
                    fail_msg("%s: '%s' is no parameter", (*model)->name, faults.fault[j].where);
                assert_true(strlen(message) > 5);
                assert_int_not_equal(message[strlen(message) - 1], '.');
            }
        }
    }
    assert_true(seen > 1000);
}

CASE(what_is_required_is_asked_for)
{
    for (const struct fr_model *const *model = fr_models; *model; model++) {
        struct fr_faults faults = { 0 }, given = { 0 }; /* the model's own among them */
        const struct fr_param *asking = NULL;

        clear(*model, sample->values);
        if ((*model)->check_given)
            (*model)->check_given(sample->values, &given);
        fr_model_resolve(*model, sample->values, sample->cal, &faults);
        for (const struct fr_param *param = (*model)->params; param->name; param++) {
            if (param->one_of && asking)
                assert_fault(&faults, FR_MISSING, asking->name, param->name);
            if ((param->one_of && asking) || param->flags & (FR_DEFAULT | FR_AUTOMATIC))
                assert_true(!fault_at(&faults, param->name) == !fault_at(&given, param->name));
            else
                assert_fault(&faults, FR_MISSING, param->name, "required");
            if (param->one_of && !asking)
                asking = param;
        }
        for (size_t i = 0; i < faults.count; i++) {
            const char *message = faults.fault[i].message;

            assert_true(message[strlen(message) - 1] != '.');
        }
    }
}

CASE(one_of_several_ways_is_enough_and_two_are_too_many)
{
    for (const struct fr_model *const *model = fr_models; *model; model++) {
        struct fr_faults faults = { 0 };
        const struct fr_param *second = NULL;
        int ways = 0;

        draw_legal(*model, sample->cal, sample->values, &sample->random);
        for (const struct fr_param *param = (*model)->params; param->name; param++) {
            if (!param->one_of)
                continue;
            fr_param_set(param, sample->values, 4);
            second = param;
            ways++;
        }
        if (ways < 2)
            continue;
        fr_model_resolve(*model, sample->values, sample->cal, &faults);
        assert_int_equal(faults.count, 1);
        assert_fault(&faults, FR_RELATION, second->name, "leave one of them out");
    }
}

/* ---- node counts ---- */

CASE(the_node_counts_offered_ascend_and_keep_to_the_limit)
{
    static const int64_t limits[] = { 1, 2, 3, 10, 64, 1000, 16384 };

    for (const struct fr_model *const *model = fr_models; *model; model++) {
        for (size_t i = 0; (*model)->node_counts && i < sizeof limits / sizeof limits[0]; i++) {
            static int64_t counts[2048];
            size_t count;

            draw_legal(*model, sample->cal, sample->values, &sample->random);
            count = (*model)->node_counts(sample->values, sample->cal, limits[i], counts, 2048);
            assert_true(count > 0);
            for (size_t j = 0; j < count; j++) {
                assert_in_range(counts[j], 1, limits[i]);
                if (j)
                    assert_true(counts[j] > counts[j - 1]);
            }
            (*model)->set_nodes(sample->values, counts[count - 1]);
        }
    }
}

GROUP(sample_begin, sample_end)
