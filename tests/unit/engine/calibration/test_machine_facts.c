/* What is known of a machine, compared with what was found on it. */
#include "tests/unit/support/question.h"

#include <math.h>
#include <string.h>

static struct fr_mismatches compared(struct fr_machine_facts known, struct fr_machine_facts found)
{
    struct fr_mismatches out;

    fr_facts_compare(&known, &found, &out);
    return out;
}

static struct fr_machine_facts cpu(const char *text)
{
    struct fr_machine_facts facts = fr_no_facts;

    facts.cpu = text;
    return facts;
}

static struct fr_machine_facts sizes(int64_t nodes, int64_t hosts, int64_t cores, double memory)
{
    struct fr_machine_facts facts = fr_no_facts;

    facts.nodes = nodes;
    facts.hosts = hosts;
    facts.cores_per_node = cores;
    facts.memory_bytes_per_node = memory;
    return facts;
}

TEST(what_one_side_does_not_state_agrees)
{
    assert_int_equal(compared(fr_no_facts, sizes(4, 4, 8, 1e9)).count, 0);
    assert_int_equal(compared(sizes(4, 4, 8, 1e9), fr_no_facts).count, 0);
    assert_int_equal(compared(cpu("AMD"), cpu(NULL)).count, 0);
}

TEST(less_differs_and_more_is_impossible)
{
    const struct fr_mismatches less = compared(sizes(8, 0, 24, 32e9), sizes(4, 4, 12, 30e9));
    const struct fr_mismatches more = compared(sizes(8, 0, 24, 32e9), sizes(9, 9, 48, 64e9));

    assert_int_equal(less.count, 1);
    assert_string_equal(less.row[0].fact, "cores_per_node");
    assert_string_equal(less.row[0].known, "24");
    assert_string_equal(less.row[0].found, "12");
    assert_false(less.row[0].is_impossible);
    assert_int_equal(more.count, 3);
    assert_string_equal(more.row[0].pointer, "/environment/hosts");
    assert_true(more.row[0].is_impossible && more.row[1].is_impossible);
    assert_string_equal(more.row[2].fact, "memory_bytes_per_node");
    assert_false(more.row[2].is_impossible);
}

TEST(texts_agree_by_their_words)
{
    static const struct {
        const char *known, *found;
        bool agree;
    } cases[] = {
        { "Intel Xeon E5-2680 v3", "Intel(R) Xeon(R) CPU E5-2680 v3 @ 2.50GHz", true },
        { "AMD EPYC 7763 64-Core Processor", "amd epyc 7763", true },
        { "Intel Xeon E5-2680 v3", "Intel(R) Xeon(R) CPU E5-2690 v3 @ 2.60GHz", false },
        { "Open MPI 4.1", "Open MPI v4.1.4", true },
        { "Open MPI 4.1", "Open MPI v4.10", false },
        { "Open MPI", "MPICH", false },
        { "", "MPICH", true },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(compared(cpu(cases[i].known), cpu(cases[i].found)).count, !cases[i].agree);
        assert_int_equal(compared(cpu(cases[i].found), cpu(cases[i].known)).count, !cases[i].agree);
    }
}

ARENA_TEST(a_calibration_states_its_facts)
{
    const struct fr_calibration *cal = calibration_of(
        "{'schema': 'forerun-calibration-1', 'machine': 'm', 'environment': {'hosts': 2,"
        " 'cpu': 'AMD', 'mpi': 'MPICH', 'blas': {'name': 'OpenBLAS', 'core': 'Zen'}},"
        " 'node': {'cores_per_node': 4, 'memory_bytes': 1e9, 'clock_hz': 2e9}}",
        arena);
    char blas[FR_FACT_BYTES];
    struct fr_machine_facts facts;

    fr_calibration_facts(cal, blas, &facts);
    assert_int_equal(facts.hosts, 2);
    assert_int_equal(facts.cores_per_node, 4);
    assert_close(facts.clock_hz, 2e9, 0);
    assert_string_equal(facts.blas, "OpenBLAS Zen");
    assert_string_equal(facts.cpu, "AMD");
    assert_null(facts.topology);
}

ARENA_TEST(a_prediction_beyond_the_machine_says_so)
{
    static const char query[] =
        "contention_model=paper&algorithm=cannon&variant=2d&n=2000&processes=16";
    struct fr_calibration cal = *calibration_of(round_machine, arena);
    struct fr_prediction out;

    cal.facts.nodes = 4;
    out = predicted("matmul", query, &cal);
    assert_false(has_warning(&out, FR_WARN_MACHINE, "nodes"));
    cal.facts.nodes = 3;
    cal.facts.memory_bytes_per_node = 1e6;
    out = predicted("matmul", query, &cal);
    assert_true(has_warning(&out, FR_WARN_MACHINE, "nodes"));
    assert_true(has_warning(&out, FR_WARN_MACHINE, "processes"));
    assert_true(has_warning(&out, FR_WARN_MACHINE, "memory_bytes_per_node"));
}
