/* Levels of multigrid and their messages against those of PETSc and hypre, which
 * tests/validation/multigrid/record.sh recorded. */
#include "engine/krylov/multigrid/multigrid.h"
#include "tests/unit/support/machines.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static double number(json_t *object, const char *name)
{
    json_t *value = json_object_get(object, name);

    if (!json_is_number(value))
        fail_msg("the sample has no %s", name);
    return json_number_value(value);
}

static double sent(json_t *level, const char *operation, const char *what)
{
    return number(json_object_get(level, operation), what);
}

static struct fr_vector vector(json_t *object, const char *name)
{
    const char *at = json_string_value(json_object_get(object, name));
    struct fr_vector out = { .count = 0 };

    for (; at && *at; at += strspn(at, "x")) {
        out.at[out.count++] = strtoll(at, NULL, 10);
        at += strspn(at, "0123456789");
    }
    return out;
}

/* Calls `check` for each line of a sample; returns their number. */
static size_t each_line(const char *name, void (*check)(json_t *line, void *context), void *context)
{
    FILE *file = fopen(name, "r");
    char text[8192];
    size_t count = 0;

    if (!file)
        fail_msg("%s is missing", name);
    for (; fgets(text, sizeof text, file); count++) {
        json_t *line = json_loads(text, 0, NULL);

        if (!line)
            fail_msg("%s: line %zu is not JSON", name, count + 1);
        check(line, context);
        json_decref(line);
    }
    fclose(file);
    return count;
}

/* ---- PETSc ---------------------------------------------------------------------------------- */

/* Entries of a level that lie within the domain. */
static double nonzeros_of(const struct krylov_grid *grid)
{
    struct krylov_stencil whole = grid->stencil;
    struct fr_vector one = grid->points;

    whole.local_grid = grid->points;
    for (size_t d = 0; d < one.count; d++)
        one.at[d] = 1;
    return krylov_grid_holding(&whole, &one).diagonal;
}

static void check_levels(json_t *line, json_t *levels)
{
    const struct fr_vector points = vector(line, "global_grid");
    json_t *last = json_array_get(levels, json_array_size(levels) - 1);
    struct krylov_stencil stencil = {
        .dimensions = points.count,
        .is_full = strcmp(json_string_value(json_object_get(line, "stencil")), "box") == 0,
        .message_bytes = NAN,
        .values_per_point = 1,
    };
    const struct krylov_layout layout = {
        .dimensions = points.count,
        .process_grid = krylov_dims_create((int64_t)number(line, "ranks"), points.count),
    };
    const struct krylov_coarsening coarsening = { "", number(last, "rows"), false };
    struct fr_faults faults = { 0 };
    struct krylov_levels got;

    stencil.local_grid = krylov_divided_grid(&points, &layout.process_grid);
    assert_int_equal(krylov_find_levels(&layout, &stencil, &points, &coarsening, &got, &faults),
                     FR_OK);
    assert_int_equal(got.count, json_array_size(levels));
    for (size_t l = 0; l < got.count; l++) {
        const struct krylov_level *level = &got.level[l];
        json_t *want = json_array_get(levels, l);

        assert_close(level->rows, number(want, "rows"), 0);
        assert_close(nonzeros_of(&level->grid), number(want, "nonzeros"), 0);
        if (l + 1 < got.count)
            assert_close(level->transfer.entries / level->holding.rows * level->rows,
                         number(want, "transfer_nonzeros"), 1e-12);
    }
}

static bool take_level(void *context, const char *text, const double *row)
{
    double(**next)[2] = context;

    (void)text;
    (**next)[0] = row[4];
    (**next)[1] = row[5];
    ++*next;
    return true;
}

/* Messages and bytes of each level, as a prediction explains them. */
static void explain(json_t *line, json_t *last, const struct fr_calibration *cal, double (*out)[2])
{
    const struct fr_listing listing = { &out, take_level };
    char query[400];

    snprintf(query, sizeof query,
             "iterations=1&solver=pcg&preconditioner=multigrid&nodes=1&processes_per_node=%.0f"
             "&global_grid=%s&stencil=%s&smoother=%s&pre_sweeps=%.0f&post_sweeps=%.0f"
             "&coarsest_rows=%.0f",
             number(line, "ranks"), json_string_value(json_object_get(line, "global_grid")),
             json_string_value(json_object_get(line, "stencil")),
             json_string_value(json_object_get(line, "smoother")), number(line, "sweeps"),
             number(line, "sweeps"), number(last, "rows"));
    explained("solve", query, cal, &listing);
}

/* With at most two processes in a dimension a rank at the corner has the largest box, and no rank
 * sends in both transfers of a level.  Else those in the middle, whose boxes are taken to be as
 * large, do. */
static void check_petsc(json_t *line, void *context)
{
    const struct fr_vector points = vector(line, "global_grid");
    const struct fr_vector processes =
        krylov_dims_create((int64_t)number(line, "ranks"), points.count);
    json_t *levels = json_object_get(line, "levels");
    const size_t count = json_array_size(levels);
    const double sweeps = number(line, "sweeps");
    const bool is_narrow = processes.at[0] <= 2;
    double got[KRYLOV_MOST_LEVELS][2], one_way = 0, both_ways = 0;

    check_levels(line, levels);
    explain(line, json_array_get(levels, count - 1), context, got);
    for (size_t l = 0; l + 1 < count; l++) {
        json_t *want = json_array_get(levels, l);
        const double smoothing = 2 * sweeps * sent(want, "product", "messages");
        const double transfer = sent(want, "interpolation", "messages");
        double bytes;

        assert_close(sent(want, "restriction", "messages"), transfer, 0);
        assert_close(got[l][0], smoothing + 2 * transfer, 0);
        bytes =
            2 * sweeps * sent(want, "product", "bytes") + 2 * sent(want, "interpolation", "bytes");
        assert_true(got[l][1] >= bytes && got[l][1] <= (is_narrow ? 1 : 1.15) * bytes);
        one_way += smoothing + transfer;
        both_ways += smoothing + 2 * transfer;
    }
    if (is_narrow)
        assert_close(number(json_object_get(line, "cycle"), "messages"), one_way, 0);
    else
        assert_true(number(json_object_get(line, "cycle"), "messages") <= both_ways);
}

TEST(levels_of_a_grid_are_those_of_petsc)
{
    const struct machines *m = *state;

    assert_int_equal(each_line("tests/validation/multigrid/petsc-3.18.5.ndjson", check_petsc,
                               (void *)(uintptr_t)m->uniform),
                     24);
}

/* ---- hypre ---------------------------------------------------------------------------------- */

/* The levels below the finest as the parameter gives them. */
static void print_levels(json_t *levels, char *out, size_t size)
{
    json_t *level;
    size_t l, used = 0;

    json_array_foreach(levels, l, level)
    {
        if (l)
            used += (size_t)snprintf(out + used, size - used, "%s%.0f:%.0f", l > 1 ? "," : "",
                                     number(level, "rows"), number(level, "nonzeros"));
        assert_true(used < size);
    }
}

/* Exchanges of a level are estimated from its size: neighbors within one, bytes within these
 * factors; see docs/models/multigrid.md#evidence. */
static void check_hypre(json_t *line, void *context)
{
    const struct fr_vector points = vector(line, "global_grid");
    const struct krylov_layout layout = { .dimensions = 3,
                                          .process_grid = vector(line, "process_grid") };
    const struct krylov_stencil stencil = {
        .dimensions = 3,
        .is_full = number(line, "points") == 27,
        .message_bytes = NAN,
        .values_per_point = 1,
        .local_grid = krylov_divided_grid(&points, &layout.process_grid),
    };
    json_t *levels = json_object_get(line, "levels");
    struct fr_faults faults = { 0 };
    struct krylov_levels got;
    char text[400];

    (void)context;
    print_levels(levels, text, sizeof text);
    assert_int_equal(krylov_find_levels(&layout, &stencil, &points,
                                        &(struct krylov_coarsening){ text, 1, true }, &got,
                                        &faults),
                     FR_OK);
    assert_int_equal(got.count, json_array_size(levels));
    for (size_t l = 1; l < got.count; l++) {
        const struct krylov_level *level = &got.level[l], *finer = level - 1;
        json_t *want = json_array_get(levels, l), *above = json_array_get(levels, l - 1);
        const double bytes = sent(want, "product", "bytes");
        const double entries = finer->transfer.entries / finer->holding.rows * finer->rows;

        assert_true(fabs(level->messages - sent(want, "product", "messages")) <= 1);
        assert_true(8 * level->holding.sent >= 0.55 * bytes);
        assert_true(8 * level->holding.sent <= 1.45 * bytes);
        if (finer->rows > 1000)
            assert_close(entries, number(above, "transfer_nonzeros"), 0.011);
    }
}

TEST(given_levels_come_close_to_those_of_hypre)
{
    assert_int_equal(each_line("tests/validation/multigrid/hypre-2.26.0.ndjson", check_hypre, NULL),
                     12);
}

GROUP(machines_begin, place_end)
