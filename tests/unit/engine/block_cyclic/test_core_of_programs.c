/* What the programs ask of a core beside the formulas: models of dtrsm by the flags of the call,
 * rows of a matrix in memory, and warnings of values outside what was measured. */
#include "engine/lookup/lookup.h"
#include "engine/prediction/prediction.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/question.h"

#include <string.h>

struct field {
    struct fr_arena *arena;
    json_t *golden;
};

static int begin(void **state)
{
    static struct field field;

    field.golden = golden_load("block-cyclic.json");
    field.arena = fr_arena_new(1 << 27);
    *state = &field;
    return 0;
}

static int end(void **state)
{
    const struct field *field = *state;

    json_decref(field->golden);
    fr_arena_free(field->arena);
    return 0;
}

static json_t *fitted(const struct field *field)
{
    return json_object_get(json_object_get(field->golden, "calibrations"), "fitted");
}

/* Adds a copy of the model of dtrsm LLNN under other flags, ten times as slow. */
static void add_slow_dtrsm(const struct field *field, const char *side, const char *uplo,
                           const char *trans)
{
    json_t *models = json_object_get(json_object_get(fitted(field), "kernels"), "routine_models");
    size_t i, at;
    json_t *model, *copy = NULL, *region, *term;

    json_array_foreach(models, i,
                       model) if (!strcmp(json_string_value(json_object_get(model, "routine")),
                                          "dtrsm")) copy = json_deep_copy(model);
    assert_non_null(copy);
    json_object_set_new(
        copy, "flags",
        json_pack("{s:s, s:s, s:s, s:s}", "side", side, "uplo", uplo, "trans", trans, "diag", "N"));
    json_array_foreach(json_object_get(copy, "regions"), i, region)
        json_array_foreach(json_object_get(json_object_get(region, "coef"), "med"), at, term)
            json_real_set(term, 10 * json_number_value(term));
    json_array_append_new(models, copy);
}

static double phase_s(const struct fr_prediction *prediction, const char *name)
{
    for (size_t i = 0; i < prediction->phase_count; i++)
        if (!strcmp(prediction->phase[i].name, name))
            return prediction->phase[i].time_s;
    return 0;
}

static struct fr_prediction predicted_fitted(const struct field *field, const char *model,
                                             const char *question)
{
    return predicted(model, question, golden_calibration(field->golden, "fitted", field->arena));
}

static double trsm_s(const struct field *field, const char *model, const char *parameters)
{
    char question[160];
    struct fr_prediction prediction;

    snprintf(question, sizeof question, "n=600&block_size=32&process_columns=1&%s", parameters);
    prediction = predicted_fitted(field, model, question);
    return phase_s(&prediction, "trsm");
}

static const struct {
    const char *model, *parameters, *side, *uplo, *trans;
} solves[] = {
    { "pdpotrf", "process_rows=1", "R", "L", "T" },
    { "pdpotrf", "process_rows=1&uplo=U", "L", "U", "T" },
    { "pdtrsm", "process_rows=1&m=600&side=R", "R", "L", "N" },
    { "pdtrsm", "process_rows=1&m=600&uplo=U", "L", "U", "N" },
    { "pdtrsm", "process_rows=1&m=600&side=R&trans=T", "R", "L", "T" },
    { "pdtrsm", "process_rows=1&m=16&side=R&trans=T", "R", "U", "N" },        /* turned */
    { "pdtrsm", "process_rows=4&m=16&side=R&trans=T&uplo=U", "L", "U", "N" }, /* B alone */
    { "hpl", "process_rows=2", "R", "U", "N" },
    { "hpl", "process_rows=1", "L", "U", "T" },
};

#define CASE(name) TEST_OF(name, const struct field *field, NULL, NULL)

/* Solves of other flags keep their model. */
CASE(solves_are_priced_by_their_flags)
{
    enum { SOLVES = sizeof solves / sizeof solves[0] };
    json_t *before = json_deep_copy(fitted(field));
    double own_s[SOLVES], lu_s = trsm_s(field, "pdgetrf", "process_rows=1&m=600");

    for (int i = 0; i < SOLVES; i++)
        own_s[i] = trsm_s(field, solves[i].model, solves[i].parameters);
    for (int i = 0; i < SOLVES; i++) {
        add_slow_dtrsm(field, solves[i].side, solves[i].uplo, solves[i].trans);
        assert_true(trsm_s(field, solves[i].model, solves[i].parameters) > 2 * own_s[i]);
        assert_close(trsm_s(field, "pdgetrf", "process_rows=1&m=600"), lu_s, 1e-12);
        json_object_set_new(json_object_get(field->golden, "calibrations"), "fitted",
                            json_deep_copy(before));
    }
    json_decref(before);
}

/* Each row that pdgetrf moves is read and written, in place or for a message. */
CASE(rows_in_memory_cost_their_elements)
{
    json_t *memory = json_object_get(fitted(field), "memory");

    for (int rows = 1; rows <= 2; rows++) {
        double swap_s[3];

        for (int i = 0; i < 3; i++) {
            char question[120];
            struct fr_prediction prediction;

            json_object_set_new(memory, "row_element_s", json_real(i * 1e-6 + 1e-12));
            snprintf(question, sizeof question,
                     "m=600&n=600&block_size=32&process_columns=1&process_rows=%d", rows);
            prediction = predicted_fitted(field, "pdgetrf", question);
            swap_s[i] = phase_s(&prediction, "swap");
        }
        /* Of 600 columns, those beside the panel; of two rows, half are moved by messages. */
        assert_true(swap_s[1] - swap_s[0] > 0.3);
        assert_close(swap_s[2] - swap_s[1], swap_s[1] - swap_s[0], 1e-9);
        json_object_del(memory, "row_element_s");
    }
}

static const struct fr_warning *extrapolated(const struct fr_prediction *prediction,
                                             const char *what)
{
    for (size_t i = 0; i < prediction->warning_count; i++)
        if (prediction->warning[i].code == FR_WARN_EXTRAPOLATED &&
            !strcmp(prediction->warning[i].what, what))
            return &prediction->warning[i];
    return NULL;
}

/* They go by what a process has of the matrix: 600 x 600 numbers, or half of them. */
CASE(rows_cost_by_the_size_of_the_matrix)
{
    json_t *memory = json_object_get(fitted(field), "memory");
    double swap_s[2];

    json_object_set_new(memory, "row_swaps",
                        json_pack("[{s:i, s:f}, {s:n, s:f}]", "max_matrix_bytes", 2000000,
                                  "element_s", 1e-6, "max_matrix_bytes", "element_s", 3e-6));
    for (int columns = 1; columns <= 2; columns++) {
        char question[120];
        struct fr_prediction prediction;

        snprintf(question, sizeof question,
                 "m=600&n=600&block_size=60&process_rows=1&process_columns=%d", columns);
        prediction = predicted_fitted(field, "pdgetrf", question);
        swap_s[columns - 1] = phase_s(&prediction, "swap");
    }
    /* 600 rows, each exchanged on the 540 columns beside its panel: twice 3 us an element. */
    assert_close(swap_s[0], 2 * 600 * 540 * 3e-6, 1e-3);
    assert_true(swap_s[1] < swap_s[0] / 3);
    json_object_del(memory, "row_swaps");
}

/* Of 600 rows half come by message, each on the 540 columns beside its panel. */
CASE(rows_of_messages_are_packed)
{
    static const char question[] = "m=600&n=600&block_size=60&process_rows=2&process_columns=1";
    json_t *memory = json_object_get(fitted(field), "memory");
    json_t *rows = json_pack("[{s:n, s:f}]", "max_matrix_bytes", "element_s", 1e-6);
    struct fr_prediction swapped, packed;

    json_object_set_new(memory, "row_swaps", rows);
    swapped = predicted_fitted(field, "pdgetrf", question);
    json_object_set_new(json_array_get(rows, 0), "packed_element_s", json_real(5e-6));
    packed = predicted_fitted(field, "pdgetrf", question);
    assert_close(phase_s(&packed, "swap") - phase_s(&swapped, "swap"), 300 * 540 * 4e-6, 1e-9);
    json_object_del(memory, "row_swaps");
}

static double pdgetrf_swap_s(const struct field *field, int n, int block)
{
    char question[100];
    struct fr_prediction prediction;

    snprintf(question, sizeof question, "m=%d&n=%d&block_size=%d&process_rows=2&process_columns=1",
             n, n, block);
    prediction = predicted_fitted(field, "pdgetrf", question);
    return phase_s(&prediction, "swap");
}

/* 512 rows come by message and as many are exchanged in place, left and right of panels of 64, in
 * columns of 512 numbers; columns of 500 are as before. */
CASE(rows_of_columns_on_pages_take_longer)
{
    json_t *memory = json_object_get(fitted(field), "memory");
    json_t *row = json_pack("{s:n, s:f, s:f}", "max_matrix_bytes", "element_s", 1e-6,
                            "packed_element_s", 2e-6);
    double apart_s, on_pages_s, last_s;

    json_object_set_new(memory, "row_swaps", json_pack("[o]", row));
    apart_s = pdgetrf_swap_s(field, 1000, 50);
    on_pages_s = pdgetrf_swap_s(field, 1024, 64);
    last_s = pdgetrf_swap_s(field, 1012, 100); /* 512 rows of the first, 500 of the second */
    json_object_set_new(row, "page_element_s", json_real(4e-6));
    assert_close(pdgetrf_swap_s(field, 1024, 64) - on_pages_s, 512 * 960 * 2 * 3e-6, 1e-9);
    json_object_set_new(row, "page_packed_element_s", json_real(9e-6));
    assert_close(pdgetrf_swap_s(field, 1024, 64) - on_pages_s, 512 * 960 * (2 * 3e-6 + 7e-6), 1e-9);
    assert_close(pdgetrf_swap_s(field, 1000, 50), apart_s, 1e-12);
    assert_true(pdgetrf_swap_s(field, 1012, 100) > last_s);
    json_object_del(memory, "row_swaps");
}

static json_t *cost(const char *call, int max_width, int max_depth, double multiply_add_s)
{
    json_t *row =
        json_pack("{s:s, s:i, s:n, s:n, s:i, s:f, s:f, s:f, s:f, s:f}", "call", call, "threads", 1,
                  "max_width", "max_depth", "max_size", 1000, "call_s", 1e-6, "multiply_add_s",
                  multiply_add_s, "a_element_s", 2e-9, "b_element_s", 3e-9, "c_element_s", 5e-9);

    if (max_width)
        json_object_set_new(row, "max_width", json_integer(max_width));
    if (max_depth)
        json_object_set_new(row, "max_depth", json_integer(max_depth));
    return row;
}

static double hpl_swap_s(const struct field *field)
{
    const struct fr_prediction prediction =
        predicted_fitted(field, "hpl", "n=1000&block_size=50&process_rows=1&process_columns=1");

    return phase_s(&prediction, "swap");
}

/* Where calls are priced by where their operands lie, rows of HPL come from where 8 MB do, not from
 * where a piece of 400 kB does: four lines for each of 50 x 950, 50 x 900, ... elements, and
 * the right-hand side.  They cost no more than exchanged row after row. */
CASE(rows_of_hpl_lie_where_the_matrix_does)
{
    json_t *memory = json_object_get(fitted(field), "memory");
    json_t *kernels = json_object_get(fitted(field), "kernels");
    json_t *before = json_deep_copy(memory);
    const double elements = 50.0 * 50 * 190 + 1000;
    double piece_s, matrix_s, rows_s;

    json_object_set_new(memory, "streams",
                        json_pack("[{s:i, s:f}, {s:n, s:f}]", "max_operand_bytes", 1000000,
                                  "bandwidth_bytes_per_s", 5e10, "max_operand_bytes",
                                  "bandwidth_bytes_per_s", 1e10));
    json_object_set_new(memory, "call_s", json_integer(0));
    piece_s = hpl_swap_s(field);
    json_object_set_new(kernels, "calls", json_pack("[o]", cost("dgemm", 0, 0, 5e-11)));
    matrix_s = hpl_swap_s(field);
    json_object_set_new(memory, "row_swaps",
                        json_pack("[{s:i, s:f}, {s:n, s:f}]", "max_matrix_bytes", 9000000,
                                  "element_s", 1e-9, "max_matrix_bytes", "element_s", 1e-6));
    rows_s = hpl_swap_s(field);
    assert_close(piece_s, 4 * 64 * elements / 5e10, 1e-12);
    assert_close(matrix_s, 5 * piece_s, 1e-12);
    assert_close(rows_s, 2 * elements * 1e-9, 1e-12);
    json_object_set_new(json_array_get(json_object_get(memory, "row_swaps"), 0), "element_s",
                        json_real(1e-6));
    assert_close(hpl_swap_s(field), matrix_s, 1e-12);
    json_object_del(kernels, "calls");
    json_object_clear(memory);
    json_object_update(memory, before);
    json_decref(before);
}

/* What the row of its width and depth says. */
CASE(a_call_costs_what_it_computes_and_touches)
{
    static const struct {
        double m, n, k, multiply_add_s; /* of the row that prices it */
    } calls[] = {
        { 300, 200, 90, 7e-11 }, { 300, 64, 100, 4e-11 }, { 64, 300, 100, 4e-11 },
        { 300, 65, 100, 7e-11 }, { 300, 64, 101, 7e-11 }, { 1001, 64, 64, 4e-11 },
    };
    json_t *kernels = json_object_get(fitted(field), "kernels");
    struct fr_prediction out = { 0 };
    struct fr_evaluation run = { .out = &out };
    struct fr_call_costs costs;

    json_object_set_new(kernels, "calls",
                        json_pack("[o, o, o, o]", cost("dgemm", 64, 100, 4e-11),
                                  cost("dgemm", 0, 0, 7e-11), cost("dsyrk", 0, 0, 1e-10),
                                  cost("dtrsm_LLN", 0, 0, 2e-10)));
    run.cal = golden_calibration(field->golden, "fitted", field->arena);
    costs = fr_call_costs_find(run.cal, FR_CALL_DGEMM, 1);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const double m = calls[i].m, n = calls[i].n, k = calls[i].k;

        assert_null(extrapolated(&out, "kernels.calls"));
        assert_close(fr_call_s(&run, &costs, m, n, k),
                     1e-6 + m * n * k * calls[i].multiply_add_s + m * k * 2e-9 + k * n * 3e-9 +
                         m * n * 5e-9,
                     1e-12);
    }
    assert_non_null(extrapolated(&out, "kernels.calls")); /* of the last one: 1001 rows */
    /* Half a product; a triangle of 50 and 20 right-hand sides. */
    costs = fr_call_costs_find(run.cal, FR_CALL_DSYRK, 1);
    assert_close(fr_call_s(&run, &costs, 40, 40, 10), 1e-6 + 8000 * 1e-10 + 400 * 2e-9 + 800 * 5e-9,
                 1e-12);
    costs = fr_call_costs_find(run.cal, FR_CALL_DTRSM_LLN, 1);
    assert_close(fr_call_s(&run, &costs, 50, 20, 50),
                 1e-6 + 25000 * 2e-10 + 1250 * 2e-9 + 1e3 * 3e-9, 1e-12);
    assert_int_equal(fr_call_costs_find(run.cal, FR_CALL_DTRSM_RUN, 1).count, 0);
    assert_int_equal(fr_call_costs_find(run.cal, FR_CALL_DGEMM, 2).count, 0);
    json_object_del(kernels, "calls");
}

/* Remainders of 31, 32 and 64 by three; depths up to 256 that are multiples of 64 and of 128. */
CASE(widths_and_depths_cost_extra_columns)
{
    static const struct {
        double n, k, extra;
    } calls[] = {
        { 30, 90, 0 },     { 31, 90, 1 },  { 32, 128, 5 + 7 }, { 64, 192, 1 + 2 },
        { 64, 64, 1 + 2 }, { 65, 256, 7 }, { 31.5, 90, 0 },
    };
    json_t *kernels = json_object_get(fitted(field), "kernels");
    struct fr_prediction out = { 0 };
    struct fr_evaluation run = { .out = &out };

    json_object_set_new(kernels, "calls", json_pack("[o]", cost("dgemm", 0, 0, 5e-11)));
    json_object_set_new(kernels, "extra_columns",
                        json_pack("{s:[i, i, i], s:i, s:i}", "by_remainder", 0, 1, 5, "depth_64", 2,
                                  "depth_128", 7));
    run.cal = golden_calibration(field->golden, "fitted", field->arena);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const struct fr_call_costs costs = fr_call_costs_find(run.cal, FR_CALL_DGEMM, 1);
        const double m = 300, n = calls[i].n, k = calls[i].k;
        const double seconds = 1e-6 + m * (n + calls[i].extra) * k * 5e-11 + m * k * 2e-9 +
                               k * n * 3e-9 + m * n * 5e-9;

        assert_close(fr_call_s(&run, &costs, m, n, k), seconds, 1e-12);
        assert_true(fr_call_least_s(&costs, m, n, k) < seconds);
    }
    json_object_del(kernels, "extra_columns");
    json_object_del(kernels, "calls");
}

/* Each of the 300 rows that come by message does so left and right of its panel, of the first and
 * the last panel on one side; HPL calls MPI itself. */
CASE(messages_of_the_blacs_take_longer)
{
    static const char *const models[] = { "pdgetrf", "hpl" };
    static const double longer_s[] = { (2 * 300 - 60) * 1e-3, 0 };
    json_t *network = json_object_get(fitted(field), "network");

    for (int i = 0; i < 2; i++) {
        char question[120];
        double swap_s[2];

        snprintf(question, sizeof question,
                 "%sn=600&block_size=60&process_rows=2&process_columns=1", i ? "" : "m=600&");
        for (int has_blacs = 0; has_blacs < 2; has_blacs++) {
            struct fr_prediction prediction;

            if (has_blacs)
                json_object_set_new(network, "blacs_message_s", json_real(1e-3));
            prediction = predicted_fitted(field, models[i], question);
            swap_s[has_blacs] = phase_s(&prediction, "swap");
        }
        assert_close(swap_s[1] - swap_s[0], longer_s[i], 1e-9);
        json_object_del(network, "blacs_message_s");
    }
}

static double time_s(const struct field *field, const char *model, const char *question)
{
    return predicted_fitted(field, model, question).time_s;
}

/* MPI_Bcast takes it once along a row and down a column, of however many processes, also where
 * latencies by distance let each process go on by itself: a column of a panel is searched in lg P
 * messages, its pivot row is exchanged with another process or not, and both are told to all. */
CASE(broadcasts_of_the_blacs_take_it_once)
{
    static const char *const one[] = {
        "m=2000&n=2000&k=32&block_size=64&process_rows=1&process_columns=8",
        "m=2000&n=2000&k=32&block_size=64&process_rows=2&process_columns=1",
    };
    static const char panels[] =
        "m=640&n=640&block_size=640&process_rows=8&process_columns=1&ranks_per_node=1";
    json_t *network = json_object_get(fitted(field), "network");
    json_t *row =
        json_pack("[{s:i, s:n, s:f}]", "distance", 1, "max_message_bytes", "latency_s", 1e-6);

    for (int i = 0; i < 2; i++) {
        const double before_s = time_s(field, "pdgemm", one[i]);

        json_object_set_new(network, "blacs_message_s", json_real(1));
        assert_close(time_s(field, "pdgemm", one[i]) - before_s, 1, 1e-9);
        json_object_del(network, "blacs_message_s");
    }
    for (int by_distance = 0; by_distance < 2; by_distance++) {
        double before_s;

        if (by_distance)
            json_object_set(network, "latency_by_distance", row);
        before_s = time_s(field, "pdgetrf", panels);
        json_object_set_new(network, "blacs_message_s", json_real(1));
        /* 3 + 7/8 + 2 for each column; the last one needs a broadcast less */
        assert_close((time_s(field, "pdgetrf", panels) - before_s) / 640, 3 + 7.0 / 8 + 2, 0.02);
        json_object_del(network, "blacs_message_s");
    }
    json_object_del(network, "latency_by_distance");
    json_decref(row);
}

static double b_alone_update_s(const struct field *field)
{
    const struct fr_prediction prediction = predicted_fitted(
        field, "pdtrsm", "m=1000&n=1000&block_size=50&process_rows=1&process_columns=2");

    return phase_s(&prediction, "update");
}

/* Each slice of B reads the triangle, 2 MB on a process, from where streams of as many bytes come
 * from. */
CASE(slices_of_b_read_the_triangle_where_it_lies)
{
    static const struct {
        int cached_bytes, middle_bytes;
        double share;
    } lies[] = { { 5000000, 6000000, 0 }, { 1000000, 5000000, 0.25 }, { 1000000, 1500000, 1 } };
    json_t *memory = json_object_get(fitted(field), "memory");
    json_t *kernels = json_object_get(fitted(field), "kernels");
    json_t *before = json_deep_copy(memory);
    double cached_s, memory_s;

    json_object_set_new(kernels, "calls", json_pack("[o]", cost("dgemm", 0, 0, 5e-11)));
    cached_s = b_alone_update_s(field);
    json_array_append_new(json_object_get(kernels, "calls"), cost("dgemm_memory", 0, 0, 9e-11));
    json_object_del(memory, "streams");
    json_object_set_new(memory, "core_bandwidth_bytes_per_s", json_real(1e10));
    memory_s = b_alone_update_s(field);
    assert_true(memory_s > 1.1 * cached_s);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        json_object_set_new(memory, "streams",
                            json_pack("[{s:i, s:f}, {s:i, s:f}, {s:n, s:f}]", "max_operand_bytes",
                                      lies[i].cached_bytes, "bandwidth_bytes_per_s", 5e10,
                                      "max_operand_bytes", lies[i].middle_bytes,
                                      "bandwidth_bytes_per_s", 2.5e10, "max_operand_bytes",
                                      "bandwidth_bytes_per_s", 1e10));
        assert_close(b_alone_update_s(field), cached_s + lies[i].share * (memory_s - cached_s),
                     1e-9);
    }
    json_object_del(kernels, "calls");
    json_object_clear(memory);
    json_object_update(memory, before);
    json_decref(before);
}

/* Of other calls, models stay. */
CASE(costs_of_calls_stand_for_their_models)
{
    json_t *kernels = json_object_get(fitted(field), "kernels");
    const double solve_s = trsm_s(field, "pdgetrf", "process_rows=1&m=600");

    json_object_set_new(kernels, "calls", json_pack("[o]", cost("dgemm", 0, 0, 4e-11)));
    assert_close(trsm_s(field, "pdgetrf", "process_rows=1&m=600"), solve_s, 1e-12);
    json_array_append_new(json_object_get(kernels, "calls"), cost("dtrsm_LLN", 0, 0, 1e-7));
    assert_true(trsm_s(field, "pdgetrf", "process_rows=1&m=600") > 10 * solve_s);
    json_object_del(kernels, "calls");
}

/* However the columns of a call are divided. */
CASE(no_division_of_a_call_is_below_its_least)
{
    static const double widths[] = { 1, 7, 64, 65, 200 };
    json_t *kernels = json_object_get(fitted(field), "kernels");
    struct fr_prediction out = { 0 };
    struct fr_evaluation run = { .out = &out };
    struct fr_call_costs costs;

    json_object_set_new(kernels, "calls",
                        json_pack("[o, o, o]", cost("dgemm", 64, 100, 9e-11),
                                  cost("dgemm", 0, 100, 4e-11), cost("dgemm", 0, 0, 7e-11)));
    run.cal = golden_calibration(field->golden, "fitted", field->arena);
    costs = fr_call_costs_find(run.cal, FR_CALL_DGEMM, 1);
    assert_int_equal(costs.count, 3);
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        for (double k = 50; k < 200; k += 50) {
            const double calls = 400 / widths[i];

            assert_true(fr_call_least_s(&costs, 300, 400, k) <=
                        calls * fr_call_s(&run, &costs, 300, widths[i], k));
        }
    assert_true(fr_call_least_s(&costs, 300, 400, 50) > 300 * 400 * 50 * 3.9e-11);
    json_object_del(kernels, "calls");
}

/* The largest region of dgemm has 8192 rows: more lie outside, though their operations do not. */
CASE(a_size_outside_all_regions_is_named)
{
    static const char question[] = "m=%d&n=64&k=64&block_size=32&process_rows=1&process_columns=1";
    json_t *models = json_object_get(json_object_get(fitted(field), "kernels"), "routine_models");
    json_t *regions = json_object_get(json_array_get(models, 0), "regions");
    json_t *low = json_array_get(json_object_get(json_array_get(regions, 1), "min"), 0);
    const struct fr_calibration *cal;
    const struct fr_warning *warning;
    struct fr_prediction inside, outside;
    char query[160], sentence[600];

    json_integer_set(low, 512); /* the largest region begins where the other ends */
    cal = golden_calibration(field->golden, "fitted", field->arena);
    json_integer_set(low, 1);
    snprintf(query, sizeof query, question, 8192);
    inside = predicted("pdgemm", query, cal);
    assert_null(extrapolated(&inside, "kernels.routine_models.dgemm"));
    snprintf(query, sizeof query, question, 16384);
    outside = predicted("pdgemm", query, cal);
    warning = extrapolated(&outside, "kernels.routine_models.dgemm");
    assert_non_null(warning);
    assert_close(warning->value, 16384, 0);
    assert_close(warning->low, 1, 0);
    assert_close(warning->high, 8192, 0);
    fr_warning_print(warning, &outside, cal, sentence, sizeof sentence);
    assert_string_equal(sentence,
                        "a dgemm of 16384 x 64 x 64: its sizes are measured up to 8192, and 16384 "
                        "is 2 times that");
}

CASE(a_sentence_says_where_the_value_lies)
{
    static const struct {
        double value, low, high;
        const char *sentence;
    } warnings[] = {
        { 192, 1, 64, "rates.n is measured up to 64, and 192 is 3 times that" },
        { 192, 1, 1, "rates.n is measured at 1 alone, and 192 is 192 times that" },
        { 65, 1, 64, "rates.n is measured up to 64, and 65 is 1.02 times that" },
        { 4097, 1, 4096, "rates.n is measured up to 4096, and 4097 is more" },
        { 0, 1, 64, "rates.n is measured from 1 on, and 0 is less" },
        { 2, 0, 0, "rates.n is measured at 0 alone, and 2 is more" },
        { 24, 16, 64, "24 of rates.n lies between measured values, 16 to 64: the nearest serves" },
    };
    const struct fr_calibration *cal = golden_calibration(field->golden, "fitted", field->arena);

    for (size_t i = 0; i < sizeof warnings / sizeof *warnings; i++) {
        struct fr_prediction out;
        char sentence[600];

        fr_prediction_clear(&out);
        fr_warn(&out, FR_WARN_EXTRAPOLATED, "rates.n", warnings[i].value, warnings[i].low,
                warnings[i].high);
        fr_warning_print(&out.warning[0], &out, cal, sentence, sizeof sentence);
        assert_string_equal(sentence, warnings[i].sentence);
    }
}

/* Products move slices of 32, so that larger blocks take as many steps. */
/* Kernels that are faster than the peak are a contradiction of the calibration. */
CASE(more_than_the_peak_is_said)
{
    static const char slow[] =
        "{'schema':'forerun-calibration-1','machine':'slow','node':{'cores_per_node':1,"
        "'peak_flops_per_s':1e9},'network':{'protocols':[{'name':'all','max_message_bytes':null,"
        "'pipelined':true,'on_node':{'latency_s':1e-6,'inverse_bandwidth_s_per_byte':1e-9}}]},"
        "'kernels':{'dgemm':{'square':[{'threads':1,'n':100,'time_s':1e-3}]},"
        "'dtrsm':{'square':[{'threads':1,'n':100,'time_s':5e-4}]}},"
        "'memory':{'core_bandwidth_bytes_per_s':1e10}}";
    static const char *const asked[][2] = {
        { "pdgemm", "m=1000&n=1000&k=1000" },
        { "pdgeqrf", "m=1000&n=1000" },
        { "hpl", "n=1000" },
    };
    const struct fr_calibration *cal = calibration_of(slow, field->arena);

    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        char query[200];
        struct fr_prediction out;

        snprintf(query, sizeof query, "%s&block_size=64&process_rows=1&process_columns=1",
                 asked[i][1]);
        out = predicted(asked[i][0], query, cal);
        assert_int_equal(out.percent_of_peak > 100, has_warning(&out, FR_WARN_BELOW_BOUND, "work"));
        assert_true(i > 0 || out.percent_of_peak > 100);
    }
}

CASE(too_many_steps_name_what_helps)
{
    const struct fr_calibration *cal = golden_calibration(field->golden, "fitted", field->arena);
    const struct fr_faults product = refused(
        "pdgemm", "m=32&n=32&k=1e9&block_size=64&process_rows=1&process_columns=1&walk=exact", cal);
    const struct fr_faults factors = refused(
        "pdgetrf", "m=1e9&n=1e9&block_size=64&process_rows=1&process_columns=1&walk=exact", cal);

    assert_fault(&product, FR_RANGE, "k", "40000000; fewer processes or a smaller problem");
    assert_fault(&factors, FR_RANGE, "block_size", "40000000; larger blocks, fewer processes");
}

GROUP(begin, end)
