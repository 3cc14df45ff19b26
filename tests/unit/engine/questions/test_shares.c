/* Shares of warnings: what part of the time rests on what is extrapolated or left out. */
#include "engine/forerun.h"
#include "engine/questions/answer.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/question.h"

#include <string.h>

static struct fr_prediction weighed(void **state, const char *model, const char *query,
                                    const char *document)
{
    const struct fr_calibration *cal = calibration_of(document, *state);
    void *values;
    const struct fr_model *asked = resolved(model, query, cal, *state, &values);
    struct fr_prediction out = predicted_of(asked, values, cal, *state);

    fr_extrapolation_find(asked, values, cal, *state, &out);
    return out;
}

static const struct fr_warning *warning_of(const struct fr_prediction *out, const char *what)
{
    for (size_t i = 0; i < out->warning_count; i++)
        if (out->warning[i].what && strcmp(out->warning[i].what, what) == 0)
            return &out->warning[i];
    fail_msg("no warning of %s", what);
    return NULL;
}

#define MACHINE(factors)                                                            \
    "{'schema':'forerun-calibration-1','machine':'m',"                              \
    "'node':{'cores_per_node':4,'peak_flops_per_s':4},"                             \
    "'network':{'protocols':[{'name':'all','max_message_bytes':null,"               \
    "'off_node':{'latency_s':1,'inverse_bandwidth_s_per_byte':0.125}}]},"           \
    "'kernels':{'dgemm':{'square':[{'n':1,'threads':1,'efficiency_fraction':1}]}}," \
    "'contention':{'message_bytes':8,'average':[{'distance':1,'factor':1}],"        \
    "'maximum':[{'processes':4,'distance':1,'factor':" factors "}]}}"

ARENA_TEST(a_share_is_the_part_of_the_time)
{
    /* One process multiplies: all of the time is that of a product of order 8. */
    const struct fr_prediction alone =
        weighed(state, "matmul",
                "algorithm=cannon&variant=2d&n=8&processes=1&contention_model=paper", MACHINE("2"));
    /* Four: products of order 4, 2 (2 4^3) = 256 s, and messages of 16 words in 17 s. */
    const struct fr_prediction four =
        weighed(state, "matmul",
                "algorithm=cannon&variant=2d&n=8&processes=4&contention_model=paper", MACHINE("2"));
    const double product_s = 256;

    assert_close(warning_of(&alone, "kernels.dgemm.n")->share_fraction, 1, 2e-6);
    assert_close(warning_of(&four, "kernels.dgemm.n")->share_fraction, product_s / four.time_s,
                 1e-5);
}

/* Messages of 8 bytes take 2 s; exchanges of two processes take 3 s. */
#define NETWORK(stalls)                                                         \
    "{'schema':'forerun-calibration-1','machine':'m',"                          \
    "'node':{'cores_per_node':1,'peak_flops_per_s':1},"                         \
    "'network':{" stalls "'protocols':[{'name':'all','max_message_bytes':null," \
    "'off_node':{'latency_s':1,'inverse_bandwidth_s_per_byte':0.125}}]},"       \
    "'contention':{'message_bytes':8,"                                          \
    "'exchange':[{'processes':2,'distance':1,'message_bytes':8,'average_s':3}]}}"

static const struct fr_warning *stall_rate(const struct fr_prediction *out)
{
    for (size_t i = 0; i < out->warning_count; i++)
        if (out->warning[i].code == FR_WARN_STALL_RATE)
            return &out->warning[i];
    return NULL;
}

ARENA_TEST(a_missing_stall_rate_is_weighed_by_one_stall_a_byte)
{
    static const char with[] = NETWORK("'stall_time_s':0.25,");
    const struct fr_prediction unknown =
        weighed(state, "allreduce",
                "nodes=2&processes_per_node=1&message_bytes=8&penalties=congestion", with);
    const struct fr_prediction one = weighed(state, "allreduce",
                                             "nodes=2&processes_per_node=1&message_bytes=8&"
                                             "penalties=congestion&stalls_per_byte=1",
                                             with);
    char text[600];

    assert_null(stall_rate(&one));
    assert_true(one.time_s > unknown.time_s);
    assert_close(stall_rate(&unknown)->share_fraction, one.time_s / unknown.time_s - 1, 1e-5);
    fr_warning_print(stall_rate(&unknown), &unknown, calibration_of(with, *state), text,
                     sizeof text);
    assert_non_null(strstr(text, "; with one stall a byte the time would be "));
}

ARENA_TEST(stalls_without_a_price_are_missed_where_congestion_is_named)
{
    static const char without[] = NETWORK("");
    const struct fr_prediction open =
        weighed(state, "allreduce", "nodes=2&processes_per_node=1&message_bytes=8", without);
    const struct fr_prediction named =
        weighed(state, "allreduce",
                "nodes=2&processes_per_node=1&message_bytes=8&penalties=congestion", without);

    assert_null(stall_rate(&open));
    assert_non_null(stall_rate(&named));
    assert_true(isnan(stall_rate(&named)->share_fraction));
}

ARENA_TEST(the_sentence_says_the_share)
{
    static const struct {
        double share;
        size_t sizes;
        const char *end;
    } warnings[] = {
        { 0.3, 0, "12 % of that; an error of 10 % there changes the time by 3 %" },
        { 1e-5, 0, "12 % of that; an error of 10 % there changes the time by less than 0.001 %" },
        { 0, 0, "12 % of that; the time does not depend on it" },
        { NAN, 0, "12 % of that" },
        { 0.003, 2, "12 % of that; all calls outside take 0.3 % of the time" },
        { 1, 2, "12 % of that; all calls outside take 100 % of the time" },
        { 1e-5, 2, "12 % of that; all calls outside take less than 0.01 % of the time" },
    };
    const struct fr_calibration *cal = calibration_of(MACHINE("2"), *state);

    for (size_t i = 0; i < sizeof warnings / sizeof *warnings; i++) {
        const struct fr_warning warning = { .code = FR_WARN_EXTRAPOLATED,
                                            .what = "kernels.routine_models.dtrsm",
                                            .value = 1,
                                            .low = 8,
                                            .high = 16,
                                            .sizes = warnings[i].sizes,
                                            .size = { 1, 1 },
                                            .share_fraction = warnings[i].share,
                                            .expected_error_fraction = NAN };
        struct fr_prediction out;
        char text[600];

        fr_prediction_clear(&out);
        fr_warning_print(&warning, &out, cal, text, sizeof text);
        assert_non_null(strstr(text, warnings[i].end));
        assert_string_equal(strstr(text, "12 %"), warnings[i].end);
    }
}
