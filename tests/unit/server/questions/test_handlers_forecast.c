/* Forecast tables, through the handler, and the escaping of texts for LaTeX. */
#include "tests/unit/support/handler_fixture.h"

#include "server/questions/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORECAST "/api/v1/forecast/{model}"
#define RANK "/api/v1/rank/{model}"

static json_t *cell_at(struct handler_fixture *fixture, size_t index)
{
    json_t *cell = json_array_get(fixture_at(fixture, "/cells"), index);

    assert_non_null(cell);
    return cell;
}

static double number_of(json_t *cell, const char *key)
{
    assert_true(json_is_number(json_object_get(cell, key)));
    return json_number_value(json_object_get(cell, key));
}

static bool is_true(json_t *cell, const char *key)
{
    assert_true(json_is_boolean(json_object_get(cell, key)));
    return json_is_true(json_object_get(cell, key));
}

/* The order of the lists in the query does not matter: rows and columns set the layout. */
DESK_TEST(the_query_says_what_runs_down)
{
    fixture_get(fixture, 200, FORECAST, "matmul",
                "machine=round&contention_model=paper&variant=2d,2d_ovlp&algorithm=cannon&n=4,8&"
                "processes=1,4&y=time_s"
                "&rows=processes");
    assert_string_equal(fixture_string(fixture, "/columns"), "n");
    assert_int_equal(json_array_size(fixture_at(fixture, "/cells")), 8);
    assert_close(number_of(cell_at(fixture, 2), "n"), 8, 0);
    assert_close(number_of(cell_at(fixture, 2), "value"), 1024, 1e-15);
    assert_close(number_of(cell_at(fixture, 4), "processes"), 4, 0);
    assert_close(number_of(cell_at(fixture, 4), "value"), 72, 1e-15);
}

/* Parameters other than row, column and `by` are chosen as in a ranking, of 25d with more than one
 * layer: 64 processes make 4. */
DESK_TEST(open_tunables_take_the_best)
{
    static const char *const variants[] = { "2d", "2d_ovlp", "25d&replication=4",
                                            "25d_ovlp&replication=4" };
    double least = INFINITY, value[4];
    bool is_best[4];

    fixture_get(fixture, 200, FORECAST, "matmul",
                "machine=round&n=64&processes=64&y=time_s&rows=n"
                "&columns=processes");
    for (size_t i = 0; i < 4; i++) {
        value[i] = number_of(cell_at(fixture, i), "value");
        is_best[i] = is_true(cell_at(fixture, i), "best");
        least = fmin(least, value[i]);
    }
    for (size_t i = 0; i < 4; i++) {
        char query[160];

        snprintf(query, sizeof query, "machine=round&n=64&processes=64&variant=%s", variants[i]);
        fixture_get(fixture, 200, RANK, "matmul", query);
        assert_close(fixture_number(fixture, "/rows/0/time_s"), value[i], 1e-15);
        assert_true(!is_best[i] || value[i] == least);
    }
    assert_int_equal(is_best[0] + is_best[1] + is_best[2] + is_best[3], 1);
}

/* The blocks of a process are chosen too. */
DESK_TEST(each_cell_has_the_best_blocks)
{
    double time_s[2];

    fixture_get(fixture, 200, FORECAST, "cholesky",
                "machine=round&n=512&processes=16&variant=2d,2d_ovlp&threads=2&rows=n"
                "&columns=processes&y=time_s");
    for (size_t i = 0; i < 2; i++) {
        json_t *chosen = json_object_get(cell_at(fixture, i), "tunables");

        time_s[i] = number_of(cell_at(fixture, i), "time_s");
        assert_true(number_of(chosen, "blocks_per_process") > 1);
    }
    for (size_t i = 0; i < 2; i++) {
        char query[200];

        for (int r = 1; r <= 64; r *= 2) {
            snprintf(query, sizeof query,
                     "machine=round&n=512&processes=16&threads=2&replication=1&variant=%s&"
                     "blocks_per_process=%d",
                     i ? "2d_ovlp" : "2d", r);
            fixture_get(fixture, 200, RANK, "cholesky", query);
            assert_true(fixture_number(fixture, "/rows/0/time_s") >= time_s[i]);
        }
    }
}

DESK_TEST(chosen_tunables_are_shown_on_request)
{
    static const char query[] = "machine=round&n=64&processes=16,64&y=time_s&rows=n";
    char asked[160];

    snprintf(asked, sizeof asked, "%s&tunables=true", query);
    fixture_ask(fixture, "GET", FORECAST, "trsm", query, NULL, FR_CSV);
    assert_null(strstr(fixture->text, "tunables"));
    fixture_ask(fixture, "GET", FORECAST, "trsm", asked, NULL, FR_CSV);
    assert_non_null(
        strstr(fixture->text, "same_as,tunables_replication,tunables_blocks_per_process,"));
    fixture_ask(fixture, "GET", FORECAST, "trsm", query, NULL, FR_TEX);
    assert_null(strstr(fixture->text, "scriptsize"));
    fixture_ask(fixture, "GET", FORECAST, "trsm", asked, NULL, FR_TEX);
    assert_non_null(
        strstr(fixture->text, "In parentheses: replication, blocks\\_per\\_process.}\n"));
    assert_non_null(strstr(fixture->text, " {\\scriptsize (4, "));
    assert_non_null(strstr(fixture->text, " & -- & --"));
    fixture_ask(fixture, "GET", FORECAST, "trsm",
                "machine=round&n=64&processes=16,64&rows=n&replication=1&blocks_per_process=1&"
                "tunables=true",
                NULL, FR_TEX);
    assert_null(strstr(fixture->text, "parentheses"));
    assert_null(strstr(fixture->text, "scriptsize"));
}

/* A single process sends no messages, so these cells have a time and no value. */
DESK_TEST(what_has_no_value_ties_with_nothing)
{
    fixture_get(
        fixture, 200, FORECAST, "matmul",
        "machine=round&contention_model=paper&algorithm=cannon&replication=1&n=64,96&processes=1,16"
        "&y=breakdown_shift_row_time_s");
    for (size_t i = 0; i < 4; i++) {
        assert_true(json_is_null(json_object_get(cell_at(fixture, i), "value")));
        assert_true(number_of(cell_at(fixture, i), "time_s") > 0);
        assert_false(is_true(cell_at(fixture, i), "tie"));
    }
    assert_true(number_of(cell_at(fixture, 4), "value") > 0);
}

DESK_TEST(what_makes_no_table_is_refused)
{
    static const struct {
        const char *query, *code, *where;
    } wrong[] = {
        { "n=4,8&processes=4", "required", "columns" },
        { "n=4&processes=4", "required", "rows" },
        { "n=4,8&processes=1,4&threads=1,2", "impossible_combination", "threads" },
        { "n=4,8&processes=1,4&rows=n&columns=n", "impossible_combination", "columns" },
        { "n=4,8&processes=1,4&rows=variant", "impossible_combination", "rows" },
        { "n=4,8&processes=1,4&rows=cores", "unknown_choice", "rows" },
        { "n=4,8&processes=1,4&by=n", "unknown_choice", "by" },
        { "n=4,8&processes=1,4&by=replication", "required", "replication" },
        { "n=4,8&processes=1,4&y=time", "unknown_choice", "y" },
        { "n=4,8&processes=1,4&y=breakdown_nothing_time_s", "unknown_choice", "y" },
        { "n=4,8&processes=2,3", "impossible_combination", "processes" },
        { "n=4,..8&processes=1,4&rows=n", "syntax", "n" },
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char query[240];

        snprintf(query, sizeof query, "machine=round&contention_model=paper&algorithm=cannon&%s",
                 wrong[i].query);
        fixture_ask(fixture, "GET", FORECAST, "matmul", query, NULL, FR_JSON);
        fixture_refuses(fixture, wrong[i].code, wrong[i].where);
        if (fixture_error_count(fixture) != 1)
            fail_msg("%s: %s", query, fixture->text);
    }
    fixture_get(fixture, 422, FORECAST, "matmul",
                "machine=round,full&contention_model=paper&algorithm=cannon&n=4,8&processes=1,4");
    fixture_refuses(fixture, "impossible_combination", "machine");
}

DESK_TEST(latex_has_a_cell_for_each_number)
{
    fixture_ask(fixture, "GET", FORECAST, "matmul",
                "machine=round&contention_model=paper&algorithm=cannon&replication=1&n=4,8&"
                "processes=3,4&y=time_s"
                "&variant=2d",
                NULL, FR_TEX);
    assert_int_equal(fixture->status, 200);
    assert_non_null(strstr(fixture->text, "\\begin{tabular}{r|r|r}\n"));
    assert_non_null(strstr(fixture->text, " & \\multicolumn{1}{|c}{processes = 3}"
                                          " & \\multicolumn{1}{|c}{processes = 4} \\\\\n"));
    assert_non_null(strstr(fixture->text, "n & 2d & 2d \\\\\n"));
    assert_non_null(strstr(fixture->text, "\n4 & -- & \\textbf{72.0} \\\\\n"));
    assert_non_null(strstr(fixture->text, "\n8 & -- & \\textbf{392} \\\\\n"));
    assert_non_null(strstr(fixture->text, "\\end{tabular}\n\\end{table}\n"));
}

DESK_TEST(an_output_is_asked_for_once)
{
    fixture_get(fixture, 422, FORECAST, "matmul",
                "machine=round&n=4,8&processes=1,4&algorithm=cannon&y=time_s,gflops,time_s");
    assert_non_null(strstr(fixture->text, "'time_s' is given twice"));
}

/* A table of one number for a machine whose name a client could not upload. */
static void write_one(const char *machine, const char *text, struct fr_writer *out)
{
    static double place[] = { 4 };
    const struct fr_model *model = fr_model_find("matmul");
    struct fr_forecast_value value = { .value = 1, .time_s = 1, .is_best = true };
    struct fr_calibration *cal = calloc(1, sizeof *cal);
    struct fr_question *question = calloc(1, sizeof *question);
    struct fr_axis axis[3];
    struct fr_forecast forecast = { .question = question,
                                    .rows = &axis[0],
                                    .columns = &axis[1],
                                    .by = &axis[2],
                                    .y = { .name = { "time_s" }, .count = 1 },
                                    .value = &value };

    for (size_t i = 0; i < 3; i++)
        axis[i] = (struct fr_axis){ fr_param_find(model->params, i ? "processes" : "n"), place,
                                    NULL, 1, NULL };
    cal->machine = machine;
    question->model = model;
    question->target[0].cal = cal;
    question->target_count = 1;
    snprintf(value.text, sizeof value.text, "%s", text);
    fr_forecast_write_tex(out, &forecast);
    fr_writer_append(out, "", 1);
    assert_false(out->failed);
    free(question);
    free(cal);
}

TEST(strangers_texts_are_no_commands)
{
    struct fr_writer out;

    fr_writer_init(&out);
    write_one("a_b#c$d%e&f{g}h~i^j\\input k\nl", "1.00", &out);
    assert_non_null(strstr(out.text, "on a\\_b\\#c\\$d\\%e\\&f\\{g\\}h\\textasciitilde{}i"
                                     "\\textasciicircum{}j\\textbackslash{}input k l, by"));
    fr_writer_free(&out);
}

TEST(exponents_are_powers_of_ten)
{
    static const char *const texts[][2] = {
        { "1.23e+04", "\\textbf{1.23$\\cdot 10^{4}$}" },
        { "1.23e-05", "\\textbf{1.23$\\cdot 10^{-5}$}" },
        { "1.00e+10", "\\textbf{1.00$\\cdot 10^{10}$}" },
        { "1.00e+120", "\\textbf{1.00$\\cdot 10^{120}$}" },
        { "0.0123", "\\textbf{0.0123}" },
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct fr_writer out;

        fr_writer_init(&out);
        write_one("round", texts[i][0], &out);
        assert_non_null(strstr(out.text, texts[i][1]));
        fr_writer_free(&out);
    }
}
