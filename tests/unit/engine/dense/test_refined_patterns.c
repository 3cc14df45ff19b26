/* Optional patterns: if they were measured they replace coarser ones. */
#include "tests/unit/support/question.h"

#include <stdio.h>
#include <string.h>

static struct fr_arena *arena;

static int begin(void **state)
{
    *state = arena = fr_arena_new(1 << 24);
    return 0;
}

#define SQUARE "{ 'square': [{ 'threads': 1, 'n': 100, 'time_s': 1 }] }"
#define ROW(pattern, layers, processes, seconds)                                \
    "{ 'pattern': '" pattern "', 'processes': " processes ", 'layers': " layers \
    ", 'message_bytes': 80000, 'average_s': 0.5, 'maximum_s': " seconds " }"
#define COMMON                                                                         \
    ROW("broadcast_row_rotating", "1", "16", "3")                                      \
    "," ROW("broadcast_column_rotating", "1", "16", "5") "," ROW(                      \
        "broadcast_row", "1", "16",                                                    \
        "10") "," ROW("broadcast_column", "1", "16",                                   \
                      "12") "," ROW("broadcast_column_diagonal", "1", "16",            \
                                    "14") "," ROW("broadcast_column_alone", "1", "16", \
                                                  "4") "," ROW("distribute", "2", "32", "20")

/* The answer on a machine with these patterns.  Blocks of order 100 have 80,000 bytes; dgemm takes
 * that time and another kernel 1 s. */
static struct fr_prediction answer_with(double dgemm_s, const char *more, const char *model,
                                        const char *query)
{
    static const char machine[] =
        "{ 'schema': 'forerun-calibration-1', 'machine': 'm',"
        " 'node': { 'cores_per_node': 1, 'peak_flops_per_s': 1e9 },"
        " 'kernels': { 'dgemm': { 'square': [{ 'threads': 1, 'n': 100, 'time_s': %g }] },"
        " 'dtrsm': " SQUARE ", 'dsyrk': " SQUARE ", 'dpotrf': " SQUARE " },"
        " 'network': { 'protocols': [{ 'name': 'all', 'max_message_bytes': null,"
        " 'off_node': { 'latency_s': 1e-6, 'inverse_bandwidth_s_per_byte': 1e-9 } }] },"
        " 'contention': { 'message_bytes': 80000, 'average': [{ 'distance': 1, 'factor': 1 }],"
        " 'maximum': [{ 'processes': 16, 'distance': 1, 'factor': 1 }],"
        " 'patterns': [ " COMMON "%s ] } }";
    char document[sizeof machine + 1000];

    snprintf(document, sizeof document, machine, dgemm_s, more);
    return predicted(model, query, calibration_of(document, arena));
}

static struct fr_prediction answer(const char *more, const char *model, const char *query)
{
    return answer_with(1, more, model, query);
}

static double time_of_phase_s(const struct fr_prediction *out, const char *phase)
{
    const struct fr_phase *found = phase_of(out, phase);

    assert_non_null(found);
    return found->time_s;
}

/* Of blocks of order 100, one per process. */
static double phase_s(const char *more, const char *model, const char *query, const char *phase)
{
    struct fr_prediction out;
    char asked[300];

    snprintf(asked, sizeof asked, "n=400&%s", query);
    out = answer(more, model, asked);
    return time_of_phase_s(&out, phase);
}

TEST(a_step_of_summa_takes_as_long_as_both_broadcasts_in_turn)
{
    static const char query[] = "algorithm=summa&variant=2d&processes=16";
    static const char both[] = "," ROW("broadcast_both", "1", "16", "6");

    assert_close(phase_s("", "matmul", query, "broadcast_a"), 4 * 3, 1e-12);
    assert_close(phase_s("", "matmul", query, "broadcast_b"), 4 * 5, 1e-12);
    assert_close(phase_s(both, "matmul", query, "broadcast_a"), 4 * 6 * 3 / 8.0, 1e-12);
    assert_close(phase_s(both, "matmul", query, "broadcast_b"), 4 * 6 * 5 / 8.0, 1e-12);
}

TEST(summa_copies_to_the_layers_without_skew)
{
    static const char query[] = "algorithm=summa&variant=25d&processes=32&replication=2";
    static const char copies[] = "," ROW("replicate_layers", "2", "32", "7");

    assert_close(phase_s("", "matmul", query, "replicate"), 20, 1e-12);
    assert_close(phase_s(copies, "matmul", query, "replicate"), 7, 1e-12);
}

TEST(transfers_over_the_layers_have_the_measured_cost)
{
    static const char query[] = "variant=25d&processes=32&replication=2";
    static const char layers[] = "," ROW("broadcast_layers", "2", "32", "3") "," ROW(
        "broadcast_layers_alone", "2", "32",
        "2") "," ROW("scatter_layers", "2", "32", "5") "," ROW("gather_layers", "2", "32", "7");

    assert_true(phase_s("", "trsm", query, "scatter_x") < 0.1); /* made of messages */
    assert_close(phase_s(layers, "trsm", query, "replicate_u"), 3, 1e-12);
    assert_close(phase_s(layers, "trsm", query, "scatter_x"), 5, 1e-12);
    assert_close(phase_s(layers, "trsm", query, "gather_x"), 7, 1e-12);
    assert_true(phase_s("", "cholesky", query, "broadcast_diagonal_layers") < 0.1);
    assert_close(phase_s(layers, "cholesky", query, "broadcast_diagonal_layers"), 3 * 2, 1e-12);
}

/* In the last steps g of q = 4 rows or columns broadcast: alone + (all - alone)(g - 1)/3. */
TEST(the_last_panels_have_less_contention)
{
    static const char query[] = "variant=2d&processes=16";
    static const char alone[] = "," ROW("broadcast_row_alone", "1", "16", "1");

    assert_close(phase_s("", "trsm", query, "broadcast_u"), 4 * 12, 1e-12);
    assert_close(phase_s(alone, "trsm", query, "broadcast_u"), 12 + 28 / 3.0 + 20 / 3.0 + 4, 1e-12);
    assert_close(phase_s("", "cholesky", query, "broadcast_panel_row"), 3 * 10, 1e-12);
    assert_close(phase_s(alone, "cholesky", query, "broadcast_panel_row"), 7 + 4 + 1, 1e-12);
    assert_close(phase_s(alone, "cholesky", query, "broadcast_panel_column"),
                 32 / 3.0 + 22 / 3.0 + 4, 1e-12);
    assert_close(phase_s(alone, "cholesky", query, "broadcast_diagonal"), 3 * 4, 1e-12);
}

/* Four steps with a product of 1 s.  Both shifts of a step take (20 - 8)/3 s. */
TEST(cannon_takes_as_long_as_all_its_messages_together)
{
    static const char apart[] = "n=400&algorithm=cannon&processes=16&variant=2d";
    static const char ahead[] = "n=400&algorithm=cannon&processes=16&variant=2d_ovlp";
    static const char barriers[] =
        "n=400&algorithm=cannon&processes=16&variant=2d&step_barriers=true";
    static const char slow[] = "," ROW("cannon", "1", "16", "30") "," ROW(
        "cannon_pairs", "1", "16", "20") "," ROW("cannon_hidden", "1", "16", "8");
    static const char fast[] = "," ROW("cannon", "1", "16", "30") "," ROW(
        "cannon_pairs", "1", "16", "9.5") "," ROW("cannon_hidden", "1", "16", "8");

    assert_close(answer(slow, "matmul", apart).time_s, 30 + 4, 1e-12);
    assert_close(answer(slow, "matmul", ahead).time_s, 20 + 1, 1e-12);
    assert_close(answer(fast, "matmul", ahead).time_s, 8 + 4, 1e-12);
    assert_close(
        phase_s(slow, "matmul", "algorithm=cannon&processes=16&variant=2d", "initial_shift"), 8,
        1e-12);
    assert_close(answer(slow, "matmul", barriers).time_s, answer("", "matmul", barriers).time_s,
                 1e-12);
}

/* Four steps of 6 s, or 21 s together: 3 s pass during the next step, however many there are. */
TEST(summa_saves_what_its_messages_save_together)
{
    static const char one[] = "n=400&algorithm=summa&processes=16&variant=2d";
    static const char both[] = "," ROW("broadcast_both", "1", "16", "6");
    static const char all[] =
        "," ROW("broadcast_both", "1", "16", "6") "," ROW("summa", "1", "16", "21");

    assert_close(answer(both, "matmul", one).time_s, 4 * 6 + 4, 1e-12);
    assert_close(answer(all, "matmul", one).time_s, 21 + 4, 1e-12);
}

/* The first step takes 6 s, the other three as long as the panels sent ahead, or the product. */
TEST(summa_sends_panels_ahead)
{
    static const char one[] =
        "n=400&algorithm=summa&processes=16&variant=2d_ovlp&communication_threads=0";
    static const char ahead[] =
        "," ROW("broadcast_both", "1", "16", "6") "," ROW("broadcast_both_ahead", "1", "16", "3");

    assert_close(answer(ahead, "matmul", one).time_s, 6 + 3 * 3 + 1, 1e-12);
    assert_close(answer(ahead, "matmul", one).hidden_s, 3 * 1, 1e-12);
    assert_close(answer_with(5, ahead, "matmul", one).time_s, 6 + 3 * 5 + 5, 1e-12);
}

/* Three steps broadcast 12 s of U and 10 s of X, the last one U only: 19.5 s on average, measured
 * as 2 s.  r = 2 has 8 steps, and 4 more blocks of U and 7 more of X; with four blocks in a step
 * they take half as long. */
TEST(steps_of_trsm_have_their_measured_time)
{
    static const char one[] = "n=400&processes=16&variant=2d&blocks_per_process=1";
    static const char two[] = "n=800&processes=16&variant=2d&blocks_per_process=2";
    static const char steps[] = "," ROW("solve_steps", "1", "16", "2");
    static const char pace[] =
        "," ROW("solve_steps", "1", "16", "2") "," ROW("solve_steps_four", "1", "16", "31.25");
    const struct fr_prediction few = answer(steps, "trsm", one), many = answer(steps, "trsm", two);
    const struct fr_prediction fast = answer(pace, "trsm", two);

    assert_close(time_of_phase_s(&few, "broadcast_u"), 4 * 12 * 2 / 19.5, 1e-12);
    assert_close(time_of_phase_s(&few, "broadcast_x"), 3 * 10 * 2 / 19.5, 1e-12);
    assert_close(time_of_phase_s(&many, "broadcast_u"), 8 * 12 * 2 / 19.5 + 4 * 12, 1e-12);
    assert_close(time_of_phase_s(&many, "broadcast_x"), 7 * 10 * 2 / 19.5 + 7 * 10, 1e-12);
    assert_close(time_of_phase_s(&fast, "broadcast_u"), 8 * 12 * 2 / 19.5 + 4 * 6, 1e-12);
    assert_close(time_of_phase_s(&fast, "broadcast_x"), 7 * 10 * 2 / 19.5 + 7 * 5, 1e-12);
}

/* Of 4 times 6 s the first block of U takes 12 s; so X takes 4 s in each of three steps. */
TEST(steps_of_trsm_hide_the_next_row)
{
    static const char one[] = "n=400&processes=16&variant=2d_ovlp&communication_threads=0";
    static const char two[] =
        "n=800&processes=16&variant=2d_ovlp&communication_threads=0&blocks_per_process=2";
    static const char steps[] = "," ROW("solve_steps", "1", "16", "2") "," ROW(
        "solve_steps_four", "1", "16", "31.25") "," ROW("solve_steps_ahead", "1", "16", "6");
    static const char ahead[] =
        "," ROW("broadcast_both", "1", "16", "6") "," ROW("broadcast_both_ahead", "1", "16", "3");

    assert_close(phase_s(steps, "trsm", one, "broadcast_x"), 3 * 4, 1e-12);
    assert_close(phase_s(steps, "trsm", two, "broadcast_x"), 7 * (4 + 5), 1e-12);
    assert_close(phase_s(ahead, "trsm", one, "broadcast_u"), 4 * 12 / 2.0, 1e-12);
}

/* Three of four steps broadcast 4, 10 and 14 s: 21 s on average, measured as 2 s.  Where dgemm
 * takes 6 s, the others of the column update for 5 s more than the process on the diagonal in 2
 * steps.  They may do so for 1 s of dpotrf, and for (2 - 1) 4/(4 - 2) s because they receive the
 * diagonal block one after another. */
TEST(steps_of_cholesky_have_their_measured_time)
{
    static const char one[] = "n=400&processes=16&variant=2d&blocks_per_process=1";
    static const char two[] = "n=800&processes=16&variant=2d&blocks_per_process=2";
    static const char steps[] =
        "," ROW("factor_steps", "1", "16", "2") "," ROW("factor_steps_late", "1", "16", "1");
    static const char pace[] = "," ROW("factor_steps", "1", "16", "2") "," ROW(
        "factor_steps_late", "1", "16", "1") "," ROW("factor_steps_four", "1", "16", "29");
    const struct fr_prediction few = answer(steps, "cholesky", one);
    const struct fr_prediction many = answer(steps, "cholesky", two);
    const struct fr_prediction late = answer_with(6, steps, "cholesky", one);

    assert_close(time_of_phase_s(&few, "broadcast_diagonal"), 8 * 4 / 28.0, 1e-12);
    assert_close(time_of_phase_s(&few, "broadcast_panel_row"), 8 * 10 / 28.0, 1e-12);
    assert_close(time_of_phase_s(&few, "broadcast_panel_column"), 8 * 14 / 28.0, 1e-12);
    assert_close(time_of_phase_s(&late, "update_imbalance"), 2 * (5 - 1 - 2), 1e-12);
    assert_close(time_of_phase_s(&many, "broadcast_diagonal"), 7 * 4 * 2 / 21.0, 1e-12);
    assert_close(time_of_phase_s(&many, "broadcast_panel_row"), 7 * 10 * 2 / 21.0 + 3 * 10, 1e-12);
    assert_close(phase_s(pace, "cholesky", two, "broadcast_panel_row"),
                 7 * 10 * 2 / 21.0 + 3 * 10 / 2.0, 1e-12);
}

/* Three steps share 4 times 7 s.  Each further block of a panel takes a quarter of 10 + 14 s, and
 * so much of a step counts as the broadcast of the panel. */
TEST(steps_of_cholesky_with_look_ahead_follow_the_chain)
{
    static const char query[] = "n=400&processes=16&variant=2d_ovlp&communication_threads=0";
    static const char chain[] =
        "n=400&processes=16&variant=2d_ovlp&communication_threads=0&panel_pricing=chain";
    static const char steps[] = "," ROW("factor_steps_ahead", "1", "16",
                                        "7") "," ROW("factor_steps_ahead_four", "1", "16", "20.5");
    const struct fr_prediction automatic = answer(steps, "cholesky", query);

    assert_close(time_of_phase_s(&automatic, "broadcast_diagonal"), 28 - 3 * 6, 1e-12);
    assert_close(time_of_phase_s(&automatic, "broadcast_panel_row"), 3 * 2.5, 1e-12);
    assert_close(time_of_phase_s(&automatic, "broadcast_panel_column"), 3 * 3.5, 1e-12);
    assert_close(automatic.time_s, answer(steps, "cholesky", chain).time_s, 1e-12);
    assert_close(phase_s("", "cholesky", query, "broadcast_panel_row"), 3 * 10, 1e-12);
}

/* Seconds of a broadcast of 64 words in rows of 8, measured at 4 KiB and at 64 KiB. */
static double broadcast_s(int word_bytes, const char *broadcast)
{
    static const char machine[] =
        "{ 'schema': 'forerun-calibration-1', 'machine': 'm',"
        " 'node': { 'cores_per_node': 1, 'peak_flops_per_s': 1e9 },"
        " 'kernels': { 'dgemm': " SQUARE " },"
        " 'network': { 'protocols': [{ 'name': 'all', 'max_message_bytes': null,"
        " 'off_node': { 'latency_s': 1e-5, 'inverse_bandwidth_s_per_byte': 1e-10 } }]%s },"
        " 'contention': { 'message_bytes': 80000, 'average': [{ 'distance': 1, 'factor': 1 }],"
        " 'maximum': [{ 'processes': 64, 'distance': 1, 'factor': 1 }], 'patterns': ["
        "{ 'pattern': 'broadcast_row_rotating', 'processes': 64, 'layers': 1,"
        "  'message_bytes': 4096, 'average_s': 4e-5, 'maximum_s': 4e-5 },"
        "{ 'pattern': 'broadcast_row_rotating', 'processes': 64, 'layers': 1,"
        "  'message_bytes': 65536, 'average_s': 7e-5, 'maximum_s': 7e-5 } ] } }";
    char document[sizeof machine + 200], query[200];
    struct fr_prediction out;

    snprintf(document, sizeof document, machine, broadcast);
    snprintf(query, sizeof query,
             "algorithm=summa&variant=2d&n=64&processes=64&word_bytes=%d&contention_model=refined",
             word_bytes);
    out = predicted("matmul", query, calibration_of(document, arena));
    return phase_of(&out, "broadcast_a")->time_s / 8;
}

TEST(measured_broadcasts_do_not_jump_at_an_assumed_limit)
{
    static const char stated[] = ", 'broadcast': [{'max_message_bytes': 12288, 'algorithm':"
                                 " 'binomial'}, {'max_message_bytes': null, 'algorithm':"
                                 " 'scatter_allgather'}]";

    assert_close(broadcast_s(64, ""), 4e-5, 1e-12);
    assert_close(broadcast_s(1024, ""), 7e-5, 1e-12);
    assert_close(broadcast_s(193, ""), broadcast_s(192, ""), 1e-2); /* 12288 bytes is the limit */
    assert_true(broadcast_s(193, stated) > 1.5 * broadcast_s(192, stated));
}

GROUP(begin, arena_end)
