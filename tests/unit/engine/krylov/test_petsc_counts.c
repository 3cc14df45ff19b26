/* The operations that the model counts, against those that PETSc performed: products,
 * preconditioner applications, words of vector work, reductions by size, and each message of a halo
 * exchange (tests/validation/krylov_counts/). */
#include "engine/krylov/communication/krylov.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/machines.h"
#include "tests/unit/support/solver_counts.h"

#include <stdio.h>
#include <string.h>

enum { RESTART = 4, MOST_RANKS = 8 };

/* Calls `check` with each recorded solve; returns their number. */
static size_t each_record(void (*check)(json_t *record, const char *id))
{
    FILE *file = fopen("tests/validation/krylov_counts/petsc-3.18.5.ndjson", "r");
    size_t count = 0;
    json_t *record;

    assert_non_null(file);
    while ((record = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL))) {
        char id[80];

        snprintf(id, sizeof id, "%s, %s, %g processes", golden_text(record, "solver"),
                 golden_text(record, "preconditioner"), golden_number(record, "processes"));
        check(record, id);
        json_decref(record);
        count++;
    }
    fclose(file);
    return count;
}

/* ---- what a solve performs ---- */

static struct solver_counts counted_by_the_model(json_t *record)
{
    return solver_counts(solver_named(golden_text(record, "solver")),
                         (int64_t)golden_number(record, "iterations"), RESTART);
}

static double calls_of(json_t *record, const char *kernel)
{
    json_t *calls = json_object_get(json_object_get(record, "kernels"), kernel);

    return json_number_value(json_is_array(calls) ? json_array_get(calls, 0) : calls);
}

static void check_equal(double got, double want, const char *what, const char *id)
{
    if (got != want)
        fail_msg("%s: %g %s in PETSc, %g in the model", id, got, what, want);
}

static void check_operations(json_t *record, const char *id)
{
    const struct solver_counts model = counted_by_the_model(record);

    check_equal(calls_of(record, "MatMult") + calls_of(record, "MatMultTranspose"), model.matvecs,
                "products", id);
    check_equal(calls_of(record, "PCApply"), model.preconditioners, "applications", id);
    json_decref(model.reductions);
}

TEST(products_and_applications_are_petscs)
{
    assert_int_equal(each_record(check_operations), 4 * (14 * 4 + 6));
}

/* On one process PETSc leaves most of them out.  The first of pipecg's reductions has only one of
 * the two values (docs/models/krylov_problem.md#evidence). */
static void check_reductions(json_t *record, const char *id)
{
    struct solver_counts model = counted_by_the_model(record);
    json_t *recorded = json_object_get(record, "reductions"), *count;
    const char *size;

    if (strcmp(golden_text(record, "solver"), "pipecg") == 0) {
        json_object_set_new(model.reductions, "i8",
                            json_real(golden_number(model.reductions, "i8") + 1));
        json_object_set_new(model.reductions, "i16",
                            json_real(golden_number(model.reductions, "i16") - 1));
    }
    if (golden_number(record, "processes") > 1) {
        assert_int_equal(json_object_size(recorded), json_object_size(model.reductions));
        json_object_foreach(recorded, size, count)
            check_equal(json_number_value(count), golden_number(model.reductions, size), size, id);
    }
    json_decref(model.reductions);
}

TEST(reductions_are_petscs_by_size_and_kind)
{
    assert_int_equal(each_record(check_reductions), 4 * (14 * 4 + 6));
}

/* Words of a call; VecMDot and VecMAXPY take a number of vectors beside the one that they share. */
static const struct {
    const char *kernel;
    double words, words_per_vector;
} kernels[] = {
    { "VecDot", 2, 0 },         { "VecTDot", 2, 0 },  { "VecDotNorm2", 2, 0 }, { "VecNorm", 1, 0 },
    { "VecAXPY", 3, 0 },        { "VecAYPX", 3, 0 },  { "VecAXPBYCZ", 4, 0 },  { "VecWAXPY", 3, 0 },
    { "VecCopy", 2, 0 },        { "VecScale", 2, 0 }, { "VecMDot", 1, 1 },     { "VecMAXPY", 2, 1 },
    { "VecReduceArith", 1, 1 },
};

static double words_of(json_t *record)
{
    json_t *calls = json_object_get(record, "kernels");
    double words = 0;

    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        words +=
            kernels[i].words * calls_of(record, kernels[i].kernel) +
            kernels[i].words_per_vector *
                json_number_value(json_array_get(json_object_get(calls, kernels[i].kernel), 1));
    if (strcmp(golden_text(record, "preconditioner"), "none") == 0)
        words -= 2 * calls_of(record, "PCApply"); /* its copy is no vector work */
    return words;
}

/* What the first iteration, of pgmres that of each cycle, saves; the model does not.  pipe2cg and
 * ibcgs have loops of their own, which PETSc does not log. */
static const struct {
    const char *solver;
    double words;
} saved[] = {
    { "pcg", 1 },       { "sapcg", 4 },  { "nbpcg", 6 },  { "pipecg", 6 },
    { "cr", 6 },        { "pipecr", 9 }, { "minres", 8 }, { "bcgs", 0 },
    { "pipebcgs", 16 }, { "gmres", 0 },  { "fgmres", 0 }, { "pgmres", 6 },
};

static void check_words(json_t *record, const char *id)
{
    const struct solver_counts model = counted_by_the_model(record);
    const double iterations = golden_number(record, "iterations");

    json_decref(model.reductions);
    for (size_t i = 0; i < sizeof saved / sizeof *saved; i++) {
        const bool is_pgmres = strcmp(saved[i].solver, "pgmres") == 0;
        /* Its norms are logged as inner products. */
        const double norms = is_pgmres ? iterations : 0;
        const double firsts = is_pgmres ? ceil(iterations / RESTART) : 1;

        if (strcmp(golden_text(record, "solver"), saved[i].solver) == 0)
            check_equal(words_of(record) - norms, model.words - saved[i].words * firsts, "words",
                        id);
    }
}

TEST(words_of_vector_work_are_petscs_but_for_first_iterations)
{
    assert_int_equal(each_record(check_words), 4 * (14 * 4 + 6));
}

/* ---- messages ---- */

static struct fr_vector vector(json_t *record, const char *name)
{
    json_t *list = json_object_get(record, name);
    struct fr_vector out = { .count = json_array_size(list) };

    for (size_t d = 0; d < out.count; d++)
        out.at[d] = (int64_t)json_number_value(json_array_get(list, d));
    return out;
}

/* The rank at a step from `rank`, whose first coordinate grows fastest; -1 outside the grid.
 * `directions` becomes the set of dimensions of the step. */
static int neighbor(const struct fr_vector *grid, int rank, int step, unsigned *directions)
{
    int stride = 1, to = 0;

    *directions = 0;
    for (size_t d = 0; d < grid->count; d++, step /= 3) {
        const int extent = (int)grid->at[d], at = rank / stride % extent + step % 3 - 1;

        if (at < 0 || at >= extent)
            return -1;
        if (step % 3 != 1)
            *directions |= 1u << d;
        to += stride * at;
        stride *= extent;
    }
    return to;
}

/* The bytes that each rank sends to each other. */
struct sent {
    double bytes[MOST_RANKS][MOST_RANKS];
};

static struct sent sent_by_the_model(json_t *record)
{
    const struct fr_vector grid = vector(record, "process_grid"),
                           points = vector(record, "global_grid");
    const struct krylov_stencil stencil = {
        .dimensions = grid.count,
        .is_full = strcmp(golden_text(record, "stencil"), "box") == 0,
        .message_bytes = NAN,
        .values_per_point = golden_number(record, "dof"),
        .local_grid = krylov_divided_grid(&points, &grid),
    };
    const int steps = grid.count == 1 ? 3 : grid.count == 2 ? 9 : 27;
    struct sent out = { { { 0 } } };

    for (int rank = 0; rank < (int)golden_number(record, "processes"); rank++)
        for (int step = 0; step < steps; step++) {
            unsigned directions;
            const int to = neighbor(&grid, rank, step, &directions);

            if (to >= 0 && directions && (stencil.is_full || !(directions & (directions - 1))))
                out.bytes[rank][to] += krylov_message_bytes(&stencil, directions);
        }
    return out;
}

/* The messages and bytes of the rank that sends most are those of the prediction. */
static void check_prediction(json_t *record, const struct sent *sent, const char *id)
{
    const struct fr_vector grid = vector(record, "process_grid"),
                           points = vector(record, "global_grid");
    double most_messages = 0, most_bytes = 0;
    char query[400], processes[80], extents[80];
    struct machines *machines = NULL;
    struct fr_prediction got;

    for (int rank = 0; rank < MOST_RANKS; rank++) {
        double messages = 0, bytes = 0;

        for (int to = 0; to < MOST_RANKS; to++) {
            messages += sent->bytes[rank][to] > 0;
            bytes += sent->bytes[rank][to];
        }
        most_messages = fmax(most_messages, messages);
        most_bytes = fmax(most_bytes, bytes);
    }
    fr_vector_print(&grid, processes, sizeof processes);
    fr_vector_print(&points, extents, sizeof extents);
    snprintf(query, sizeof query,
             "nodes=1&processes_per_node=%g&iterations=9&solver=pcg&global_grid=%s&process_grid=%s&"
             "stencil=%s&dof=%g",
             golden_number(record, "processes"), extents, processes, golden_text(record, "stencil"),
             golden_number(record, "dof"));
    machines_begin((void **)&machines);
    got = predicted("solve", query, machines->uniform);
    check_equal(most_messages, output_of("solve", "halo.on_node_messages", &got), "messages", id);
    check_equal(most_bytes, output_of("solve", "halo.on_node_bytes", &got), "bytes", id);
    place_end((void **)&machines);
}

/* Only grids that the processes divide evenly. */
static void check_messages(json_t *record, const char *id)
{
    json_t *messages = json_object_get(record, "messages"), *message;
    struct sent sent;
    size_t i;

    if ((int)json_number_value(json_array_get(json_object_get(record, "global_grid"), 0)) == 9)
        return;
    sent = sent_by_the_model(record);
    check_prediction(record, &sent, id);
    json_array_foreach(messages, i, message)
    {
        const int from = (int)json_integer_value(json_array_get(message, 0));
        const int to = (int)json_integer_value(json_array_get(message, 1));

        check_equal(json_number_value(json_array_get(message, 2)), sent.bytes[from][to], "bytes",
                    id);
        sent.bytes[from][to] = 0;
    }
    for (int from = 0; from < MOST_RANKS; from++)
        for (int to = 0; to < MOST_RANKS; to++)
            check_equal(0, sent.bytes[from][to], "bytes of a message", id);
}

TEST(messages_are_petscs_one_by_one)
{
    assert_int_equal(each_record(check_messages), 4 * (14 * 4 + 6));
}
