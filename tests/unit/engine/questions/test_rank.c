/* Ranking: every combination of the open tunables, the best first. */
#include "tests/unit/support/golden.h"
#include "tests/unit/support/question.h"

#include <stdio.h>

struct field {
    struct fr_arena *arena;
    const struct fr_calibration *hopper, *round;
};

static int begin(void **state)
{
    static struct field field;
    json_t *golden = golden_load("dense-distributed.json");

    field.arena = fr_arena_new(1 << 27);
    field.hopper = golden_calibration(golden, "hopper-like", field.arena);
    field.round = calibration_of(round_machine, field.arena);
    json_decref(golden);
    *state = &field;
    return 0;
}

/* A question whose tunables are open but where the query gives them. */
static const struct fr_model *open_question(const struct field *field, const char *name,
                                            const char *query, void **values)
{
    struct fr_faults faults = { 0 };
    const struct fr_model *model = ask_open(name, query, field->arena, values, &faults);

    assert_int_equal(faults.count, 0);
    return model;
}

static bool count_one(void *context)
{
    ++*(size_t *)context;
    return true;
}

/* How many combinations a ranking has to try. */
static size_t combinations(const struct fr_model *model, void *values,
                           const struct fr_calibration *cal)
{
    size_t count = 0;

    fr_combinations_each(&(struct fr_combinations){
        .model = model, .cal = cal, .values = values, .visit = count_one, .context = &count });
    return count;
}

static struct fr_ranking ranked(void **state, const char *name, const char *query,
                                const struct fr_calibration *cal, enum fr_memory memory,
                                size_t keep)
{
    const struct field *field = *state;
    struct fr_faults faults = { 0 };
    struct fr_ranking ranking;
    void *values;
    const struct fr_model *model = open_question(field, name, query, &values);

    if (fr_rank(model, values, NULL, NULL, cal, memory, keep, field->arena, &ranking, &faults) !=
        FR_OK)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    assert_int_equal(faults.count, 0);
    assert_int_equal(ranking.tried, combinations(model, values, cal));
    return ranking;
}

static double value_of(const char *model, const char *name, const struct fr_ranked *row)
{
    return fr_param_get(fr_param_find(fr_model_find(model)->params, name), row->values);
}

#define CASE(name) TEST_OF(name, const struct field *field, NULL, NULL)

CASE(the_fastest_comes_first)
{
    const struct fr_ranking ranking = ranked(state, "cholesky", "n=65536&processes=4096&threads=6",
                                             field->hopper, FR_MEMORY_IGNORE, 1000);

    assert_true(ranking.count > 20);
    assert_int_equal(ranking.count, ranking.legal);
    for (size_t i = 1; i < ranking.count; i++)
        assert_true(ranking.row[i].prediction.time_s >= ranking.row[i - 1].prediction.time_s);
}

CASE(a_row_is_what_predict_says_of_its_parameters)
{
    const struct fr_model *model = fr_model_find("matmul");
    const struct fr_ranking ranking = ranked(state, "matmul", "n=65536&processes=4096&threads=6",
                                             field->hopper, FR_MEMORY_IGNORE, 1000);

    for (size_t i = 0; i < ranking.count; i++) {
        struct fr_faults faults = { 0 };
        struct fr_prediction out;

        assert_int_equal(fr_model_predict(model, ranking.row[i].values, field->hopper, field->arena,
                                          &out, &faults),
                         FR_OK);
        assert_true(out.time_s == ranking.row[i].prediction.time_s);
        for (size_t j = 0; j < i; j++)
            assert_memory_not_equal(ranking.row[i].values, ranking.row[j].values,
                                    model->values_size);
    }
}

/* 16 processes: 2d and 2d_ovlp; 2 layers make no square, and one layer of 25d is 2d. */
CASE(all_legal_combinations_are_there_and_no_other)
{
    struct fr_ranking ranking =
        ranked(state, "matmul", "n=64&processes=16&threads=2", field->round, FR_MEMORY_LIMIT, 1000);

    assert_int_equal(ranking.count, 2 * 2);
    /* 64 processes: 1 layer for two variants of each algorithm, 4 layers for the other two. */
    ranking =
        ranked(state, "matmul", "n=64&processes=64&threads=2", field->round, FR_MEMORY_LIMIT, 1000);
    assert_int_equal(ranking.count, 2 * (2 + 2));
    /* Overlap of these two needs no thread. */
    ranking =
        ranked(state, "matmul", "n=64&processes=16&threads=1", field->round, FR_MEMORY_LIMIT, 1000);
    assert_int_equal(ranking.count, 2 * 2);
}

/* The values of a list as a question has them: `name=a,b,c`. */
static struct fr_axis listed(const struct field *field, const struct fr_model *model,
                             const char *name, const char *text)
{
    struct fr_faults faults = { 0 };
    struct fr_axis axis = { 0 };

    assert_int_equal(
        fr_axis_parse(fr_param_find(model->params, name), text, field->arena, &axis, &faults),
        FR_OK);
    fr_axis_sort(&axis);
    return axis;
}

/* A ranking of two layer counts and two variants has the rows of four rankings of one of each, but
 * for one layer of 25d, which is 2d, whether rows are kept or not. */
CASE(lists_rank_what_single_values_rank)
{
    static const char *const variants[] = { "2d", "25d" }, *const layers[] = { "1", "4" };
    struct fr_faults faults = { 0 };
    struct fr_ranking both, one;
    void *values;
    const struct fr_model *model =
        open_question(field, "matmul", "n=4096&processes=64&threads=2", &values);
    const struct fr_axis lists[] = { listed(field, model, "replication", "4,1,4"),
                                     listed(field, model, "variant", "25d,2d") };
    const struct fr_restriction only = { lists, 2 };
    size_t rows = 0;

    assert_int_equal(lists[0].count, 2);
    for (size_t limit = 1; limit <= 100; limit += 99) {
        assert_int_equal(fr_rank(model, values, &only, NULL, field->round, FR_MEMORY_IGNORE, limit,
                                 field->arena, &both, &faults),
                         FR_OK);
        assert_int_equal(both.legal, 2 * 2);
        assert_int_equal(both.left_out_refused, 2 * 2);
    }
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < 2; j++) {
            char query[120];

            snprintf(query, sizeof query, "n=4096&processes=64&threads=2&variant=%s&replication=%s",
                     variants[i], layers[j]);
            open_question(field, "matmul", query, &values);
            fr_param_open(fr_param_find(model->params, "algorithm"), values);
            faults.count = 0;
            if (fr_rank(model, values, NULL, NULL, field->round, FR_MEMORY_IGNORE, 100,
                        field->arena, &one, &faults) != FR_OK)
                continue; /* 2d on four layers */
            assert_int_equal(one.legal, one.count);
            if (i == 1 && j == 0)
                continue; /* 25d on one layer */
            rows += one.count;
            for (size_t k = 0; k < one.count; k++) {
                size_t at = 0;

                while (at < both.count &&
                       memcmp(both.row[at].values, one.row[k].values, model->values_size) != 0)
                    at++;
                assert_true(at < both.count);
                assert_true(both.row[at].prediction.time_s == one.row[k].prediction.time_s);
            }
        }
    assert_int_equal(rows, 2 * 2);
    assert_int_equal(both.count, rows);
    for (size_t i = 1; i < both.count; i++)
        assert_true(both.row[i].prediction.time_s >= both.row[i - 1].prediction.time_s);
}

/* One billion combinations are not even counted to the end, of the tenth of its work that is left.
 */
CASE(combinations_are_bounded_by_the_work_of_a_question)
{
    struct fr_faults faults = { 0 };
    struct fr_ranking ranking;
    void *values;
    const struct fr_model *model =
        open_question(field, "hpl", "n=100000&processes=4096&process_rows=64", &values);
    const struct fr_axis lists[] = { listed(field, model, "lookahead_depth", "0..30000"),
                                     listed(field, model, "block_size", "1..30000") };
    const struct fr_restriction only = { lists, 2 };

    fr_arena_spend(field->arena, 0.9 * FR_MAX_STEPS);
    assert_int_equal(fr_rank(model, values, &only, NULL, field->hopper, FR_MEMORY_LIMIT, 100,
                             field->arena, &ranking, &faults),
                     FR_NOMEM);
    fr_arena_renew(field->arena);
}

CASE(what_is_given_is_not_varied)
{
    const struct fr_ranking ranking =
        ranked(state, "matmul", "n=64&processes=64&threads=2&variant=25d&replication=4",
               field->round, FR_MEMORY_LIMIT, 1000);

    assert_int_equal(ranking.count, 2); /* the two algorithms */
    for (size_t i = 0; i < ranking.count; i++) {
        assert_close(value_of("matmul", "replication", &ranking.row[i]), 4, 0);
        assert_close(value_of("matmul", "variant", &ranking.row[i]), 2, 0);
    }
}

CASE(only_the_best_are_kept_but_all_are_counted)
{
    const struct fr_ranking all = ranked(state, "trsm", "n=65536&processes=4096&threads=6",
                                         field->hopper, FR_MEMORY_IGNORE, 1000);
    static const size_t keeps[] = { 1, 2, 7 };

    for (size_t i = 0; i < sizeof keeps / sizeof keeps[0]; i++) {
        const struct fr_ranking best = ranked(state, "trsm", "n=65536&processes=4096&threads=6",
                                              field->hopper, FR_MEMORY_IGNORE, keeps[i]);

        assert_int_equal(best.count, keeps[i]);
        assert_int_equal(best.legal, all.legal);
        for (size_t j = 0; j < keeps[i]; j++) {
            assert_true(best.row[j].prediction.time_s == all.row[j].prediction.time_s);
            assert_memory_equal(best.row[j].values, all.row[j].values,
                                fr_model_find("trsm")->values_size);
        }
    }
}

/* Round machine, 4 MB a node.  25d with 4 layers needs twice the memory of one layer. */
CASE(what_does_not_fit_is_left_out_and_counted)
{
    const char *query = "n=1024&processes=64&algorithm=cannon";
    const struct fr_ranking every =
        ranked(state, "matmul", query, field->round, FR_MEMORY_IGNORE, 1000);
    const struct fr_ranking fitting =
        ranked(state, "matmul", query, field->round, FR_MEMORY_LIMIT, 1000);

    /* 5 (1024/8)^2 doubles are 0.66 MB, 4 layers 2.6 MB; a process has 1 MB. */
    assert_int_equal(every.count, 4);
    assert_int_equal(every.left_out_memory, 0);
    assert_int_equal(fitting.legal, 4);
    assert_int_equal(fitting.left_out_memory, 2);
    assert_int_equal(fitting.count, 2);
    assert_close(fitting.least_memory_bytes, 8 * 5 * 256.0 * 256, 0);
    assert_close(fitting.memory_limit_bytes, 1e6, 0);
    for (size_t i = 0; i < fitting.count; i++) {
        assert_true(fitting.row[i].prediction.memory_bytes_per_process <= 1e6);
        assert_false(has_warning(&fitting.row[i].prediction, FR_WARN_MEMORY, NULL));
    }
}

CASE(what_fits_to_the_last_byte_is_kept)
{
    const char *query = "n=1024&processes=64&algorithm=cannon&variant=2d";
    struct fr_calibration cal = *field->round;

    cal.node.memory_bytes = 4 * 8 * 5 * 128.0 * 128; /* four processes of 5 (1024/8)^2 doubles */
    assert_int_equal(ranked(state, "matmul", query, &cal, FR_MEMORY_LIMIT, 10).count, 1);
    cal.node.memory_bytes -= 1;
    assert_int_equal(ranked(state, "matmul", query, &cal, FR_MEMORY_LIMIT, 10).count, 0);
    assert_int_equal(ranked(state, "matmul", query, &cal, FR_MEMORY_IGNORE, 10).count, 1);
}

CASE(where_nothing_fits_the_nearest_miss_is_told)
{
    const struct fr_ranking ranking = ranked(state, "matmul", "n=4096&processes=4&algorithm=cannon",
                                             field->round, FR_MEMORY_LIMIT, 1000);

    assert_int_equal(ranking.count, 0);
    assert_true(ranking.legal > 0);
    assert_int_equal(ranking.left_out_memory, ranking.legal);
    assert_close(ranking.least_memory_bytes, 8 * 5 * 2048.0 * 2048, 0);
}

/* A machine whose memory is not stated has no limit. */
CASE(unknown_memory_limits_nothing)
{
    struct fr_calibration unknown = *field->round;

    unknown.node.memory_bytes = NAN;
    assert_true(ranked(state, "matmul", "n=4096&processes=4", &unknown, FR_MEMORY_LIMIT, 10).count >
                0);
}

CASE(where_no_combination_is_legal_the_reason_is_told)
{
    static const struct {
        const char *query, *where;
    } cases[] = {
        { "n=64&processes=12", "processes" },
        { "processes=16", "n" },
        { "n=2&processes=16", "n" },
        { "n=64&processes=16&threads=5", "threads" },
        { "n=64&processes=16&replication=2", "processes" }, /* 16 / 2 is no square */
        { "n=64&cores=17&threads=2", "cores" },
        { "n=64", "processes" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fr_faults faults = { 0 };
        struct fr_ranking ranking;
        void *values;
        const struct fr_model *model = open_question(field, "cholesky", cases[i].query, &values);

        assert_int_not_equal(fr_rank(model, values, NULL, NULL, field->round, FR_MEMORY_LIMIT, 10,
                                     field->arena, &ranking, &faults),
                             FR_OK);
        if (faults.count != 1 || !fault_at(&faults, cases[i].where))
            fail_msg("%s: %zu faults, first %s: %s", cases[i].query, faults.count,
                     faults.fault[0].where, faults.fault[0].message);
    }
}

/* In turn: a value and a relation, and three values, which are missing. */
static int refuse(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    static size_t combination;

    (void)values, (void)cal;
    fr_fault(faults, FR_GROUP_MISSING, "calibration", "one is missing");
    if (combination++ % 2 == 0)
        return fr_fault(faults, FR_RELATION, "threads", "do not go together");
    fr_fault(faults, FR_GROUP_MISSING, "calibration", "another is missing");
    return fr_fault(faults, FR_GROUP_MISSING, "calibration", "a third is missing");
}

CASE(what_lacks_values_alone_speaks_for_all)
{
    struct fr_faults faults = { 0 };
    struct fr_ranking ranking;
    void *values;
    struct fr_model model = *open_question(field, "cholesky", "n=64&processes=16", &values);

    model.resolve = refuse;
    assert_int_not_equal(fr_rank(&model, values, NULL, NULL, field->round, FR_MEMORY_LIMIT, 10,
                                 field->arena, &ranking, &faults),
                         FR_OK);
    assert_int_equal(faults.count, 3);
    for (size_t i = 0; i < faults.count; i++)
        assert_int_equal(faults.fault[i].code, FR_GROUP_MISSING);
}

CASE(more_processes_turn_the_best_from_2d_to_25d)
{
    const char *algorithms[] = { "cannon", "summa" };

    for (size_t i = 0; i < 2; i++) {
        char query[100];

        snprintf(query, sizeof query, "n=65536&processes=4096&threads=6&algorithm=%s",
                 algorithms[i]);
        assert_close(
            value_of("matmul", "variant",
                     &ranked(state, "matmul", query, field->hopper, FR_MEMORY_LIMIT, 1).row[0]),
            1, 0);
        snprintf(query, sizeof query, "n=65536&processes=65536&threads=6&algorithm=%s",
                 algorithms[i]);
        assert_close(
            value_of("matmul", "variant",
                     &ranked(state, "matmul", query, field->hopper, FR_MEMORY_LIMIT, 1).row[0]),
            3, 0);
    }
}

/* With no work left. */
CASE(too_much_work_names_what_is_open)
{
    struct fr_faults faults = { 0 };
    struct fr_ranking ranking;
    void *values;
    const struct fr_model *model =
        open_question(field, "cholesky", "n=65536&processes=4096&threads=6&variant=2d", &values);

    fr_arena_spend(field->arena, FR_MAX_STEPS);
    assert_int_equal(fr_rank(model, values, NULL, NULL, field->hopper, FR_MEMORY_IGNORE, 10,
                             field->arena, &ranking, &faults),
                     FR_NOMEM);
    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_NOMEM, "",
                 "too many configurations; give values, or fewer values, of some of these: "
                 "replication");
    assert_null(strstr(faults.fault[0].message, "variant"));
    fr_arena_renew(field->arena);
}

CASE(too_many_rows_for_the_memory_of_a_request_are_refused)
{
    struct fr_arena *small = fr_arena_new(0);
    struct fr_faults faults = { 0 };
    struct fr_ranking ranking;
    void *values;
    const struct fr_model *model = open_question(field, "matmul", "n=64&processes=16", &values);

    assert_int_equal(fr_rank(model, values, NULL, NULL, field->round, FR_MEMORY_LIMIT, 1000, small,
                             &ranking, &faults),
                     FR_NOMEM);
    assert_int_equal(faults.count, 1);
    fr_arena_free(small);
}

GROUP(begin, place_end)
