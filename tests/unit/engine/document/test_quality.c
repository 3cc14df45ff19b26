/* The quality of a calibration: what its sources say, what models lack, and what to run. */
#include "tests/unit/support/documents.h"

#include <string.h>

static const char today[] = "2026-11-23";

/* The quality of the round machine with these members and sources (JSON with single quotes). */
static struct fr_quality quality_of(void **state, const char *const (*puts)[2],
                                    const struct fr_calibration **cal)
{
    struct fr_quality quality;
    json_t *document = json_of(round_machine);

    json_object_set_new(document, "sources", json_object());
    for (; (*puts)[0]; puts++)
        put(document, (*puts)[0], (*puts)[1]);
    *cal = accepted(*state, document);
    fr_quality_find(*cal, today, &quality);
    return quality;
}

#define QUALITY(...) \
    quality_of(state, (const char *const[][2]){ __VA_ARGS__ __VA_OPT__(, ){ NULL, NULL } }, &cal)

static const struct fr_part *part_of(const struct fr_quality *quality, const char *pointer,
                                     const char *kernels)
{
    for (size_t i = 0; i < quality->parts; i++) {
        const struct fr_part *part = &quality->part[i];

        if (strcmp(part->pointer, pointer) == 0 &&
            (kernels ? part->kernels && strcmp(part->kernels, kernels) == 0 : !part->kernels))
            return part;
    }
    return NULL;
}

static bool is_of(uint64_t models, const char *name)
{
    for (size_t i = 0; fr_models[i]; i++)
        if (strcmp(fr_models[i]->name, name) == 0)
            return models >> i & 1;
    fail_msg("no model %s", name);
    return false;
}

TEST(the_sources_of_a_part_are_summed_up)
{
    const struct fr_calibration *cal;
    const struct fr_quality quality = QUALITY(
        { "/created_at", "'2026-11-20T12:00:00Z'" },
        { "/sources", "{'/kernels/dgemm':'measured: samples of 10 ms (48 samples, spread 3.5 %, at "
                      "most 25.1 %); on 2026-10-24',"
                      "'/node/cores_per_node':'published: a title',"
                      "'/node/memory_bytes':'measured: MemTotal (1 sample)',"
                      "'/kernels/dtrsm':'assumed: as dgemm'}" });
    const struct fr_part *dgemm = part_of(&quality, "/kernels/dgemm/square", NULL);
    const struct fr_part *memory = part_of(&quality, "/node/memory_bytes", NULL);

    assert_int_equal(dgemm->provenance, FR_FROM_MEASURED);
    assert_close(dgemm->samples, 48, 0);
    assert_close(dgemm->spread_fraction, 0.035, 1e-12);
    assert_close(dgemm->age_days, 30, 0); /* its own day, not the document's */
    assert_false(fr_part_is_doubtful(dgemm));
    assert_close(memory->samples, 1, 0);
    assert_true(isnan(memory->spread_fraction));
    assert_close(memory->age_days, 3, 0);
    assert_int_equal(part_of(&quality, "/node/cores_per_node", NULL)->provenance,
                     FR_FROM_PUBLISHED);
    assert_true(isnan(part_of(&quality, "/node/cores_per_node", NULL)->age_days));
    assert_int_equal(part_of(&quality, "/kernels/dtrsm/square", NULL)->provenance, FR_FROM_ASSUMED);
    assert_int_equal(part_of(&quality, "/kernels/dsyrk/square", NULL)->provenance,
                     FR_FROM_UNSTATED);
}

/* Rates of 1, 2 and 1 flop/s: the middle one, left out, is looked up as 1. */
TEST(a_table_that_does_not_predict_itself_says_so)
{
    const struct fr_calibration *cal;
    const struct fr_quality quality =
        QUALITY({ "/kernels/dgemm/square", "[{'threads':1,'n':1,'time_s':2},"
                                           "{'threads':1,'n':2,'time_s':8},"
                                           "{'threads':1,'n':4,'time_s':128}]" });

    assert_close(part_of(&quality, "/kernels/dgemm/square", NULL)->error_fraction, 1, 1e-12);
    assert_true(isnan(part_of(&quality, "/network/protocols", NULL)->error_fraction));
    assert_true(isnan(part_of(&quality, "/contention/patterns", NULL)->error_fraction));
}

TEST(noise_and_load_make_a_part_doubtful)
{
    const struct fr_calibration *cal;
    const struct fr_quality quality = QUALITY(
        { "/sources", "{'/kernels/dgemm':'measured: x (9 samples, spread 10.1 %)',"
                      "'/kernels/dtrsm':'measured: x (9 samples, spread 10.0 %)',"
                      "'/kernels/dsyrk':'measured: x (9 samples, spread 1 %); on 2026-11-22; "
                      "loaded: other work on 1.1 cores'}" });
    const struct fr_part *loaded = part_of(&quality, "/kernels/dsyrk/square", NULL);

    assert_true(fr_part_is_doubtful(part_of(&quality, "/kernels/dgemm/square", NULL)));
    assert_false(fr_part_is_doubtful(part_of(&quality, "/kernels/dtrsm/square", NULL)));
    assert_true(fr_part_is_doubtful(loaded));
    assert_string_equal(loaded->load, "other work on 1.1 cores");
    assert_close(loaded->age_days, 1, 0);
}

/* The round machine serves dense models with square blocks, and nothing else. */
TEST(what_is_missing_is_told_for_each_model)
{
    const struct fr_calibration *cal;
    const struct fr_quality quality = QUALITY();
    const struct fr_part *patterns = part_of(&quality, "/contention/patterns", NULL);
    const struct fr_part *trinv = part_of(&quality, "/kernels/routine_models", "trinv");
    const struct fr_part *calls = part_of(&quality, "/kernels/calls", NULL);
    const struct fr_part *stalls = part_of(&quality, "/network/stall_time_s", NULL);

    assert_false(patterns->is_present);
    assert_true(is_of(patterns->helped, "matmul") && !patterns->refused);
    assert_true(is_of(trinv->refused, "trinv") && !is_of(trinv->refused, "sylv"));
    /* Rates of square operands replace costs of calls. */
    assert_true(is_of(calls->helped, "hpl") && !calls->refused);
    assert_string_equal(calls->benchmark->name, "calls");
    assert_string_equal(patterns->benchmark->name, "patterns");
    assert_null(stalls->benchmark);
    assert_null(part_of(&quality, "/kernels/dgemm/square", "dgemm"));
    assert_true(part_of(&quality, "/kernels/dgemm/square", NULL)->is_present);
}

TEST(a_part_whose_substitute_is_missing_too_is_required)
{
    const struct fr_calibration *cal;
    const struct fr_quality quality = QUALITY({ "/kernels/dtrsm", NULL });
    const struct fr_part *calls = part_of(&quality, "/kernels/calls", NULL);

    assert_true(is_of(calls->refused, "hpl"));
    assert_true(is_of(calls->helped, "pdgemm") && !is_of(calls->refused, "pdgemm"));
}

/* The document has no memory bandwidth. With sizes of the sparse kernels nobody asks for it. */
TEST(what_stands_beside_a_substitute_is_missed_only_with_it)
{
    const struct fr_calibration *cal;
    const struct fr_quality lacking = QUALITY();
    const struct fr_part *sizes = part_of(&lacking, "/kernels/sparse_matvec/by_size", NULL);
    const struct fr_part *core = part_of(&lacking, "/memory/core_bandwidth_bytes_per_s", NULL);

    assert_true(is_of(sizes->refused, "cg") && is_of(sizes->refused, "solve"));
    assert_string_equal(sizes->benchmark->name, "krylov_kernels");
    assert_true(is_of(core->helped, "cg") && !is_of(core->refused, "cg"));

    const struct fr_quality complete =
        QUALITY({ "/kernels/sparse_matvec", "{'by_size':[{'processes':1,'working_set_bytes':1e6,"
                                            "'bandwidth_bytes_per_s':2e10}]}" });

    assert_true(part_of(&complete, "/kernels/sparse_matvec/by_size", NULL)->is_present);
    assert_null(part_of(&complete, "/memory/core_bandwidth_bytes_per_s", NULL));
}

TEST(missing_parts_that_refuse_come_first)
{
    const struct fr_calibration *cal;
    const struct fr_quality quality = QUALITY();
    bool has_helpful = false;

    for (size_t i = 0; i < quality.parts; i++) {
        const struct fr_part *part = &quality.part[i];

        assert_true(part->is_present == (i < quality.present));
        assert_true(part->is_present || part->refused || part->helped);
        assert_false(!part->is_present && part->refused && has_helpful);
        has_helpful = has_helpful || (!part->is_present && !part->refused);
    }
    assert_true(has_helpful);
}

TEST(a_command_measures_one_part_or_all)
{
    const struct fr_calibration *cal;
    struct fr_quality quality =
        QUALITY({ "/environment", "{'hosts':16,'processes':64}" },
                { "/sources", "{'/kernels/dgemm':'measured: x (9 samples, spread 30 %)'}" });
    char command[FR_QUALITY_COMMAND_BYTES];

    fr_quality_command(cal, &quality, part_of(&quality, "/kernels/routine_models", "trinv"), false,
                       command);
    assert_string_equal(command,
                        "mpirun -n 4 forerun-calibrate --machine=round --only=routine_models "
                        "--kernels=trinv -o node.json");
    fr_quality_command(cal, &quality, part_of(&quality, "/network/topology", NULL), false, command);
    assert_string_equal(command, "mpirun -n 64 forerun-calibrate --machine=round --only=hops "
                                 "--topology=T -o network.json");
    fr_quality_command(cal, &quality, part_of(&quality, "/network/stall_time_s", NULL), false,
                       command);
    assert_string_equal(command, "");
    fr_quality_command(cal, &quality, NULL, false, command);
    assert_non_null(strstr(command, ",dgemm,")); /* noisy */
    assert_null(strstr(command, "dtrsm"));
    assert_non_null(strstr(command, "--kernels=sylv,trinv -o node.json"));
    fr_quality_command(cal, &quality, NULL, true, command);
    assert_null(strstr(command, "pingpong"));
    assert_non_null(strstr(command, "patterns,exchange,burst --topology=T -o network.json"));
}

/* Between any two days, as the calendar counts them. */
TEST(days_are_those_of_the_calendar)
{
    assert_close(fr_days_between("2024-02-28", "2024-03-01"), 2, 0);
    assert_close(fr_days_between("2026-02-28T23:59:59Z", "2026-03-01T00:00:00Z"), 1, 0);
    assert_close(fr_days_between("2000-01-01", "2026-11-23"), 9823, 0);
    assert_close(fr_days_between("1900-01-01", "1901-01-01"), 365, 0);
    assert_close(fr_days_between("2026-11-23", "2026-11-20"), -3, 0);
    assert_true(isnan(fr_days_between("yesterday", "2026-11-23")));
    assert_true(isnan(fr_days_between("2026-13-01", "2026-11-23")));
    assert_true(isnan(fr_days_between(NULL, "2026-11-23")));
}

GROUP(documents_begin, documents_end)
