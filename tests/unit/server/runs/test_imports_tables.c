/* What is read from tables: Slurm's accounting, Extra-P's measurements and times alone.  The
 * samples follow the documented formats (sacct(1); the file formats of Extra-P). */
#include "tests/unit/support/imported.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- sacct ---- */

#define COLUMNS "JobID|JobName|State|ElapsedRaw|NNodes|NTasks|Start\n"

TEST(a_numbered_step_is_the_run_of_its_job_or_else_the_whole_job)
{
    static const struct {
        const char *job;
        double time_s;
    } wanted[] = {
        { "1207.0", 301 }, { "1210_1.0", 203 }, { "1210_2.0", 205 },
        { "1211.0", 95 },  { "1212", 50 },
    };
    struct import import = import_sample("sacct", "model=new", "sacct.txt");

    assert_int_equal(import.imported.runs, 5);
    assert_int_equal(import.imported.left_out, 2); /* 1208.0 failed, 1209 was cancelled */
    for (size_t i = 0; i < 5; i++) {
        json_t *run = json_array_get(import.runs, i);

        assert_string_equal(text_at(run, "job"), wanted[i].job);
        assert_close(number_at(run, "time_s"), wanted[i].time_s, 0);
        assert_false(has_part(run, "started_at"));
    }
    assert_close(number_at(import.runs, "/0/hosts"), 4, 0);
    assert_close(number_at(import.runs, "/0/parameters/processes"), 64, 0);
    assert_string_equal(text_at(import.runs, "/0/notes"), "Slurm step gemm, whole seconds");
    assert_string_equal(text_at(import.runs, "/4/notes"),
                        "Slurm job plain, whole seconds, the job's script included");
}

/* orted runs once on each other node: its NTasks and NNodes are not those of the program. */
TEST(a_launchers_step_tells_the_time_alone)
{
    json_t *runs = imported_sample("sacct", "model=new", "sacct.txt", 5);

    assert_holds(runs, "/3", "{'hosts': 2, 'parameters': {'processes': null}}");
}

/* hostname took 1 s, check.sh 12 s and gemm 640 s. */
TEST(which_of_several_steps_is_the_program_is_asked)
{
    struct import import = import_sample("sacct", "model=new", "sacct-steps.txt");
    json_t *runs;

    assert_int_equal(import.faults.count, 3); /* two components */
    assert_fault(&import.faults, FR_MISSING, "step",
                 "line 2: job 300 has 3 steps, and a job is one run: which is the program? Give "
                 "step=NAME or step=NUMBER of: 0 hostname 1 s, 1 check.sh 12 s, 2 gemm 640 s");
    import = import_sample("sacct", "model=new&step=batch", "sacct-steps.txt");
    assert_fault(&import.faults, FR_NOT_FOUND, "step",
                 "no step is called 'batch'; there are: 0 hostname 1 s");
    for (size_t i = 0; i < 3; i++) {
        static const char *const given[] = { "model=new&step=gemm", "model=new&step=2",
                                             "model=new&step=300.2" };

        runs = imported_sample("sacct", given[i], "sacct-steps.txt", 1);
        assert_holds(runs, "/0",
                     "{'time_s': 640, 'parameters': {'processes': 64, 'step': null}, "
                     "'job': '300.2', 'started_at': '2026-05-14T07:12:21Z'}");
    }
}

TEST(a_step_that_cannot_be_the_program_leaves_no_question)
{
    static const char failed[] = COLUMNS "7.0|gemm|FAILED|5|1|2|\n7.1|check|COMPLETED|9|1|2|\n";
    static const char twice[] = COLUMNS "7.0|gemm|COMPLETED|5|1|2|\n7.1|gemm|COMPLETED|9|1|2|\n";
    json_t *runs = imported_text("sacct", "model=new",
                                 COLUMNS "7.0|hostname|COMPLETED|0|1|2|\n"
                                         "7.1|gemm|COMPLETED|9|1|2|\n"
                                         "8.0|gemm|FAILED|5|1|2|\n8.1|gemm|COMPLETED|6|1|2|\n",
                                 2);

    assert_holds(runs, "", "[{'time_s': 9}, {'time_s': 6}]");
    assert_refused("sacct", "model=new", failed, FR_MISSING, "step", "0 gemm 5 s, 1 check 9 s");
    assert_refused("sacct", "model=new", twice, FR_MISSING, "step", "0 gemm 5 s, 1 gemm 9 s");
    assert_refused("sacct", "model=new&step=gemm", twice, FR_MISSING, "step",
                   "0 gemm 5 s, 1 gemm 9 s");
    runs = imported_text("sacct", "model=new&step=1", twice, 1);
    assert_close(number_at(runs, "/0/time_s"), 9, 0);
    imported_text("sacct", "model=new&step=1", failed, 1);
}

TEST(a_heterogeneous_job_is_no_run_and_named)
{
    static const char alone[] = COLUMNS "7+0|a|COMPLETED|9|1|2|\n7+0.0|a|COMPLETED|5|1|2|\n";
    struct import import = import_sample("sacct", "model=new&step=gemm", "sacct-steps.txt");
    struct fr_faults faults = import_refused("sacct", "model=new", alone);

    assert_int_equal(import.imported.left_out, 2);
    assert_fault(&import.imported.warnings, FR_RELATION, "line 8", "a heterogeneous job");
    assert_int_equal(import.imported.warnings.count, 2);
    assert_fault(&faults, FR_RELATION, "line 2", "a heterogeneous job");
    /* A step over several components is no whole job either. */
    assert_refused("sacct", "model=new",
                   COLUMNS "7|a|COMPLETED|9|1||\n7.0+0|a|COMPLETED|5|1|2|\n"
                           "7.0+1|a|COMPLETED|5|1|2|\n",
                   FR_RELATION, "line 2", "a heterogeneous job");
}

/* In the second row either text may contain the separators. */
TEST(a_separator_in_a_users_text_is_found_or_leaves_the_job_out)
{
    static const char text[] = "JobID|JobName|State|ElapsedRaw|NTasks|Comment|WorkDir|Start\n"
                               "7.0|a|b|c|COMPLETED|5|2|x|/w|Unknown\n"
                               "8.0|a|COMPLETED|5|2|x|y|/w|None\n"
                               "9.0|a|COMPLETED|5|2|x|/w|2026-05-14T09:12\n";
    static const char unclear[] = "JobID|Comment|State|ElapsedRaw|WorkDir\n"
                                  "7.0|x|COMPLETED|5|COMPLETED|6|/w\n"
                                  "7.1|x|COMPLETED|5|/w\n"
                                  "8.0|x|COMPLETED|5|/w\n";
    struct import import = import_text("sacct", "model=new&utc_offset=Z", text, sizeof text - 1);

    assert_int_equal(import.imported.runs, 3);
    assert_string_equal(text_at(import.runs, "/0/notes"), "Slurm step a|b|c, whole seconds");
    assert_string_equal(text_at(import.runs, "/2/started_at"), "2026-05-14T09:12:00Z");
    import = import_text("sacct", "model=new", unclear, sizeof unclear - 1);
    assert_int_equal(import.imported.runs, 1);
    assert_int_equal(import.imported.left_out, 1);
    assert_fault(&import.imported.warnings, FR_SYNTAX, "line 2", "which; the job is left out");
    assert_refused("sacct", "model=new", "JobID|State|ElapsedRaw\n7|COMPLETED|5|6\n", FR_SYNTAX,
                   "line 2", "4 fields, but the header has 3 columns");
}

TEST(a_start_is_read_or_refused_by_name)
{
    static const char *const refused[] = { "05/14-09:12",  "05/14-09:12:03", "Ystday 09:12",
                                           "14 May 09:12", "09:12:03",       "Tue May 14" };
    char text[300];
    struct import import;
    json_t *runs = imported_text("sacct", "model=new",
                                 COLUMNS "7.0|a|COMPLETED|5|1|2|1715677923\n"
                                         "8.0|a|COMPLETED|5|1|2|2024-05-14 09:12:03 +0200\n",
                                 2);

    assert_string_equal(text_at(runs, "/0/started_at"), "2024-05-14T09:12:03Z");
    assert_string_equal(text_at(runs, "/1/started_at"), "2024-05-14T07:12:03Z");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct fr_faults faults;

        snprintf(text, sizeof text, COLUMNS "7.0|a|COMPLETED|5|1|2|%s\n8.0|a|COMPLETED|5|1|2|%s\n",
                 refused[i], refused[i]);
        faults = import_refused("sacct", "model=new", text);
        assert_int_equal(faults.count, 1);
        assert_fault(&faults, FR_SYNTAX, "line 2", refused[i]);
        assert_fault(&faults, FR_SYNTAX, "line 2", "set SLURM_TIME_FORMAT=standard");
    }
    import = import_sample("sacct", "model=new", "sacct.txt");
    assert_int_equal(import.imported.warnings.count, 1);
    assert_fault(&import.imported.warnings, FR_MISSING, "line 5", "give utc_offset");
}

TEST(a_job_is_known_by_its_raw_number_too)
{
    json_t *runs = imported_text("sacct", "model=new",
                                 "JobIDRaw|JobName|State|Elapsed|NNodes|NTasks\n"
                                 "4975950|ladder|COMPLETED|00:09:11|256|\n",
                                 1);

    assert_holds(runs, "/0", "{'job': '4975950', 'time_s': 551, 'hosts': 256}");
}

/* Files that were put together, each with a byte order mark. */
TEST(each_table_of_a_text_has_its_columns)
{
    json_t *runs = imported_text("sacct", "model=new",
                                 "\xef\xbb\xbfJobID|State|ElapsedRaw|NNodes|NTasks\n"
                                 "7.0|COMPLETED|5|2|64\n"
                                 "\xef\xbb\xbfJobID|State|ElapsedRaw|NTasks|NNodes\n"
                                 "8.0|COMPLETED|5|64|2\n",
                                 2);

    assert_holds(runs, "", "[{'hosts': 2}, {'hosts': 2}]");
}

TEST(columns_may_stand_in_any_order_and_beside_others)
{
    json_t *runs = imported_text("sacct", "model=matmul",
                                 "User|Elapsed|NTasks|State|JobID|AllocNodes|\n"
                                 "|1-02:03:04|16|COMPLETED|7.0|4|\n"
                                 "|02:05|16|COMPLETED|8.0|4|\n",
                                 2);

    assert_holds(runs, "",
                 "[{'time_s': 93784, 'hosts': 4, 'parameters': {'processes': 16}, "
                 "'notes': 'Slurm step, whole seconds'}, {'time_s': 125}]");
}

TEST(a_job_is_one_run_in_any_order_of_its_rows)
{
    static const char turned[] = COLUMNS "8.1|plot|FAILED|1|1|1|\n8.0|a|COMPLETED|6|1|2|\n"
                                         "8|a|COMPLETED|9|1||\n7.0|a|COMPLETED|5|1|2|\n"
                                         "7.batch|batch|COMPLETED|9|1|1|\n7|a|COMPLETED|9|1||\n";
    static const char requeued[] = COLUMNS "7|a|REQUEUED|3|1||\n7.0|a|CANCELLED|2|1|2|\n"
                                           "8|a|COMPLETED|6|1||\n7|a|COMPLETED|9|1||\n"
                                           "7.0|a|COMPLETED|5|1|2|\n";
    static const char *const parted[] = {
        COLUMNS "7|a|COMPLETED|9|1||\n8|a|COMPLETED|9|1||\n7.0|a|COMPLETED|5|1|2|\n",
        COLUMNS "7.0|a|COMPLETED|5|1|2|\n8.0|a|COMPLETED|5|1|2|\n7|a|COMPLETED|9|1||\n",
        COLUMNS "7.0|a|COMPLETED|5|1|2|\n8.0|a|COMPLETED|5|1|2|\n7.1|b|COMPLETED|9|1|2|\n",
    };
    json_t *runs = imported_text("sacct", "model=new&step=a", turned, 2);

    assert_holds(runs, "", "[{'time_s': 6}, {'time_s': 5}]");
    runs = imported_text("sacct", "model=new", requeued, 2);
    assert_holds(runs, "", "[{'time_s': 6}, {'time_s': 5}]");
    for (size_t i = 0; i < sizeof parted / sizeof *parted; i++) {
        const struct fr_faults faults = import_refused("sacct", "model=new", parted[i]);

        assert_fault(&faults, FR_RELATION, "line 4", "other rows of this job stand elsewhere");
    }
}

TEST(a_start_is_taken_with_its_zone_or_that_of_the_request)
{
    static const char text[] = COLUMNS "7.0|a|COMPLETED|5|1|2|2024-05-14T09:12:18\n"
                                       "8.0|a|COMPLETED|5|1|2|2024-12-31T23:30:00-0100\n"
                                       "9.0|a|COMPLETED|5|1|2|Unknown\n";
    json_t *runs = imported_text("sacct", "model=new", text, 3);

    assert_holds(runs, "", "[{'started_at': null}, {'started_at': '2025-01-01T00:30:00Z'}]");
    runs = imported_text("sacct", "model=new&utc_offset=+02:00", text, 3);
    assert_string_equal(text_at(runs, "/0/started_at"), "2024-05-14T07:12:18Z");
    assert_string_equal(text_at(runs, "/1/started_at"), "2025-01-01T00:30:00Z");
    assert_false(has_part(runs, "/2/started_at"));
    assert_refused("sacct", "model=new&utc_offset=Z",
                   COLUMNS "7.0|a|COMPLETED|5|1|2|2024-02-30T09:12:18\n", FR_RANGE, "line 2",
                   "2024-02-30T09:12:18 is not a valid time");
    assert_refused("sacct", "model=new&utc_offset=Z",
                   COLUMNS "7.0|a|COMPLETED|5|1|2|2024-05-14T09:12:18.5\n", FR_SYNTAX, "line 2",
                   "'2024-05-14T09:12:18.5' is not a date");
}

TEST(a_table_without_what_is_needed_is_refused)
{
    struct fr_faults faults = import_refused("sacct", "model=new", "\nJobName|NNodes\na|4\n");

    assert_int_equal(faults.count, 3);
    assert_fault(&faults, FR_MISSING, "line 2", "no column JobID; use sacct --parsable2");
    faults = import_refused("sacct", "model=new",
                            COLUMNS "1.0|a|COMPLETED|5|1|2\n2.0|a|COMPLETED|5 s|1|2|\n"
                                    "3.0|a|COMPLETED|5|1|many|\n");
    assert_int_equal(faults.count, 3);
    assert_fault(&faults, FR_SYNTAX, "line 2", "6 fields, but the header has 7 columns");
    assert_fault(&faults, FR_TYPE, "line 3", "'5 s' is not an elapsed time");
    assert_fault(&faults, FR_TYPE, "line 4", "NTasks 'many' is not a whole number");
    faults = import_refused("sacct", "model=new",
                            "JobID|State|Elapsed\n1.0|COMPLETED|00:61:00\n2.0|COMPLETED|1-02:03\n");
    assert_int_equal(faults.count, 2);
    assert_fault(&faults, FR_TYPE, "line 2", "'00:61:00' is not an elapsed time");
    assert_fault(&faults, FR_TYPE, "line 3", "'1-02:03' is not an elapsed time");
    assert_refused("sacct", "model=new", COLUMNS "1.0|a|FAILED|5|1|2|\n1.1|a|COMPLETED|0|1|2|",
                   FR_SYNTAX, "", "no completed job or step of a second or more");
}

TEST(bytes_that_are_no_characters_are_marked)
{
    static const char text[] = COLUMNS "7.0|na\xc3\xaf\x01\xff\xc3|COMPLETED|5|1|2|\n";
    json_t *runs = imported_text("sacct", "model=new", text, 1);

    assert_string_equal(text_at(runs, "/0/notes"), "Slurm step na\xc3\xaf???, whole seconds");
}

TEST(two_times_of_a_job_are_the_same)
{
    static const char text[] = "JobID|State|Elapsed|ElapsedRaw|NTasks\n"
                               "1.0|COMPLETED|00:05:01|301|64\n2.0|COMPLETED|00:05:01|302|64\n";
    const struct fr_faults faults = import_refused("sacct", "model=matmul&n=4096", text);

    assert_int_equal(faults.count, 1);
    assert_fault(&faults, FR_RELATION, "line 3", "ElapsedRaw '302' and Elapsed");
}

/* ---- Extra-P ---- */

TEST(values_of_the_same_params_are_repetitions)
{
    json_t *runs = imported_sample("extrap", "model=matmul&variant=2d", "extrap.jsonl", 2);

    assert_holds(runs, "/0",
                 "{'model': 'matmul', 'parameters': {'variant': '2d', 'n': 1024, 'processes': 4}}");
    assert_close(number_at(runs, "/0/time_s"), 1.625, 0); /* of 1.25, 1.5, 1.75 and 9 */
    assert_int_equal(json_array_size(part(runs, "/0/repetitions")), 4);
    assert_close(number_at(runs, "/0/repetitions/0"), 1.5, 0);
    assert_close(number_at(runs, "/0/repetitions/3"), 9, 0);
    assert_holds(runs, "", "[{'notes': 'callpath main'}, {'time_s': 2.5, 'repetitions': null}]");
}

/* Runs come in the order of their first value, whatever their parameters. */
TEST(an_extrap_line_needs_no_more_than_params_and_value)
{
    static const char text[] = "{\"params\":{\"p\":9},\"value\":3}\n"
                               "{\"params\":{\"p\":2,\"kind\":\"a\"},\"value\":2}\n"
                               "{\"params\":{\"p\":9},\"value\":4,\"comment\":\"a\"}\n"
                               "{\"params\":{\"p\":9},\"value\":8,\"unit\":\"ms\"}\n";
    struct import import = import_text("extrap", "model=new", text, sizeof text - 1);
    json_t *runs = import.runs;

    assert_int_equal(import.imported.warnings.count, 1);
    assert_fault(&import.imported.warnings, FR_UNKNOWN_KEY, "line 3", "'comment' is not read");
    assert_holds(runs, "",
                 "[{'parameters': {'p': 9}, 'time_s': 4}, {'parameters': {'kind': 'a'}, "
                 "'notes': null}]");
}

TEST(several_callpaths_or_metrics_are_chosen_from)
{
    static const char text[] =
        "{\"params\":{\"p\":1},\"metric\":\"time\",\"callpath\":\"main\",\"value\":3}\n"
        "{\"params\":{\"p\":1},\"metric\":\"time\",\"callpath\":\"main->solve\",\"value\":2}\n"
        "{\"params\":{\"p\":1},\"metric\":\"wall\",\"callpath\":\"main\",\"value\":4}\n";
    struct fr_faults faults = import_refused("extrap", "model=new", text);
    json_t *runs = imported_text("extrap", "model=new&callpath=main", text, 1);

    assert_fault(&faults, FR_RELATION, "line 2", "callpath 'main->solve' here but 'main' before");
    assert_holds(runs, "/0", "{'time_s': 3, 'parameters': {'callpath': null}}");
    runs = imported_text("extrap", "model=new&metric=wall", text, 1);
    assert_close(number_at(runs, "/0/time_s"), 4, 0);
    assert_refused("extrap", "model=new",
                   "{\"params\":{\"p\":1},\"value\":3}\n"
                   "{\"params\":{\"p\":1},\"metric\":\"runtime\",\"value\":2}\n",
                   FR_RELATION, "line 2", "metric 'runtime' here but '' before");
    assert_refused("extrap", "model=new",
                   "{\"params\":{\"p\":1},\"metric\":\"visits\",\"value\":3}\n", FR_NOT_FOUND,
                   "metric", "for example of 'visits'");
}

TEST(a_broken_extrap_line_is_refused_by_its_number)
{
    struct fr_faults faults = import_refused("extrap", "model=new",
                                             "{\"params\":{\"p\":1},\"value\":3}\n"
                                             "{\"params\":{\"p\":1},\"value\":}\n"
                                             "[1]\n"
                                             "{\"params\":{\"p\":1}}\n"
                                             "{\"params\":{\"p\":1},\"value\":-1}\n"
                                             "{\"params\":{\"p\":[1]},\"value\":1}\n"
                                             "{\"params\":{},\"value\":1}\n"
                                             "{\"value\":1}\n"
                                             "{\"params\":{\"p\":1},\"value\":1,\"metric\":1}\n"
                                             "{\"params\":{\"p\":1},\"value\":1e40}\n");

    assert_fault(&faults, FR_SYNTAX, "line 2", "column ");
    assert_fault(&faults, FR_SYNTAX, "line 3", "not an object");
    assert_fault(&faults, FR_MISSING, "line 4", "no value");
    assert_fault(&faults, FR_TYPE, "line 5", "seconds above 0");
    assert_fault(&faults, FR_TYPE, "line 6", "numbers and texts");
    assert_fault(&faults, FR_MISSING, "line 7", "no params");
    assert_fault(&faults, FR_MISSING, "line 8", "no params");
    assert_fault(&faults, FR_TYPE, "line 9", "must be texts");
    assert_fault(&faults, FR_TYPE, "line 10", "seconds above 0");
    assert_int_equal(faults.count, 9);
}

TEST(a_name_that_the_model_does_not_have_is_refused_by_the_line)
{
    const struct fr_faults faults =
        import_refused("extrap", "model=matmul",
                       "{\"params\":{\"n\":8,\"p\":4},\"value\":3}\n{\"params\":{\"n\":8,"
                       "\"proceses\":4},\"value\":3}");

    assert_fault(&faults, FR_UNKNOWN_PARAMETER, "line 1", "'p' is not a parameter of matmul");
    assert_fault(&faults, FR_UNKNOWN_PARAMETER, "line 2", "did you mean processes");
}

TEST(one_letter_is_taken_for_no_other_one)
{
    const struct fr_faults faults =
        import_refused("extrap", "model=pdpotrf", "{\"params\":{\"x\":4},\"value\":3}\n");

    assert_fault(&faults, FR_UNKNOWN_PARAMETER, "line 1",
                 "'x' is not a parameter of pdpotrf; write the model's name for it");
}

TEST(the_number_of_processes_is_named)
{
    const struct fr_faults faults = import_refused("extrap", "model=pdpotrf&block_size=64",
                                                   "{\"params\":{\"p\":4,\"n\":8},\"value\":3}\n"
                                                   "{\"params\":{\"NP\":4,\"n\":8},\"value\":3}\n");

    assert_fault(&faults, FR_UNKNOWN_PARAMETER, "line 1",
                 "'p' is not a parameter of pdpotrf; did you mean processes");
    assert_fault(&faults, FR_UNKNOWN_PARAMETER, "line 2", "did you mean processes");
}

/* The samples have the same three runs. */
TEST(the_formats_of_extrap_tell_the_same)
{
    static const char *const names[] = { "extrap-text.txt", "extrap.json", "extrap-ids.json",
                                         "extrap-talpas.txt" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        json_t *runs = imported_sample("extrap", "model=matmul&callpath=main", names[i], 3);

        assert_holds(runs, "/0", "{'parameters': {'n': 1024, 'processes': 4}, 'time_s': 1.5}");
        assert_int_equal(json_array_size(part(runs, "/0/repetitions")), 3);
        assert_close(number_at(runs, "/0/repetitions/1"), 1.4, 0);
        assert_holds(runs, "",
                     "[{'notes': 'callpath main'}, {'parameters': {'n': 2048}, 'time_s': 9.5}, "
                     "{'parameters': {'processes': 16}}]");
        assert_close(number_at(runs, "/2/time_s"), 0.45, 1e-15);
    }
}

TEST(points_of_extraps_text_are_written_in_several_ways)
{
    static const char *const texts[] = {
        "PARAMETER n processes\nPOINTS (8 4)(16 4)\nDATA 1\nDATA 2\n",
        "PARAMETER n processes\nPOINTS ((8) (4)) ( (16) (4) )\nDATA 1\nDATA 2\n",
        "PARAMETER\tn\tprocesses \nPOINTS\t( 8\t4 )\n#\nPOINTS ( 16 4 )\nDATA\t1\nDATA 2\n",
        "PARAMETER n\nPOINTS 8 16\nREGION r\nDATA 1\nDATA 2\n",
        "PARAMETER n\nPOINTS (8) (16)\nMETRIC runtime\nDATA 1\nDATA 2\n",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        json_t *runs = imported_text("extrap", "model=matmul", texts[i], 2);

        assert_holds(runs, "",
                     "[{'parameters': {'n': 8}}, {'parameters': {'n': 16}, 'time_s': 2}]");
        assert_int_equal(has_part(runs, "/0/parameters/processes"), i < 3);
    }
}

TEST(what_extraps_formats_leave_open_is_refused_by_its_line)
{
    static const struct {
        enum fr_code code;
        const char *text, *where, *message;
    } cases[] = {
        { FR_SYNTAX, "PARAMETER n p\nPOINTS (1 2) (3 4 5) (6)\nDATA 1\n", "line 2",
          "a bracket of 2 numbers" },
        { FR_SYNTAX, "PARAMETER n p\nPOINTS 1 2 3 4\nDATA 1\n", "line 2", "a bracket of 2" },
        { FR_SYNTAX, "PARAMETER n\nPOINTS (1) (2\nDATA 1\n", "line 2", "a bracket of 1" },
        { FR_SYNTAX, "POINTS 1 2\nDATA 1\nDATA 2\n", "line 1", "a bracket of 0 numbers" },
        { FR_RELATION, "PARAMETER n\nPOINTS 1\nPARAMETER p\nDATA 1\n", "line 3", "behind" },
        { FR_RELATION, "PARAMETER n\nPOINTS 1 2\nDATA 1\nREGION r\nDATA 1\nDATA 2\n", "line 4",
          "1 DATA for 2 POINTS" },
        { FR_RELATION, "PARAMETER n\nPOINTS 1 2\nDATA 1\n", "line 3", "1 DATA for 2 POINTS" },
        { FR_RELATION, "PARAMETER n\nPOINTS 1\nDATA 1\nDATA 2\n", "line 4", "more DATA" },
        { FR_TYPE, "PARAMETER n\nPOINTS 1\nDATA 1 -2\n", "line 3", "seconds above 0" },
        { FR_MISSING, "PARAMETER n\nPOINTS 1\nDATA\n", "line 3", "no value" },
        { FR_SYNTAX, "PARAMETER n\nPOINTS 1\nDATUM 2\n", "line 3", "'DATUM 2' is not a line" },
        { FR_REPEATED, "PARAMETER n n\nPOINTS (1 1)\nDATA 2\n", "line 3", "'n' twice" },
        { FR_RELATION,
          "{\"parameters\": [\"n\", \"p\"],\n \"measurements\": {\"main\": {\"time\": [\n"
          "{\"point\": [1], \"values\": [2]}]}}}",
          "line 3", "1 coordinates for 2 parameters" },
        { FR_SYNTAX, "{\n\"parameters\": [\"n\"],\n \"measurements\": {}},\n", "", "line 3" },
        { FR_NOT_FOUND, "{\"parameters\": [\"n\"], \"measurements\": {}}\n", "", "no measurement" },
        { FR_NOT_FOUND,
          "{\"callpaths\": [], \"metrics\": [],\n \"measurements\": [{\n\"value\": 1, "
          "\"metric_id\": 2}]}",
          "line 3", "metric_id 2: metrics have no such id" },
        { FR_SYNTAX, "{\"Extra-P\": \"4.0\", \"measurements\": {}}\n", "line 1", ".extra-p" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct fr_faults faults = import_refused("extrap", "model=new", cases[i].text);

        assert_fault(&faults, cases[i].code, cases[i].where, cases[i].message);
    }
}

TEST(too_many_values_and_params_are_refused)
{
    enum { VALUES = 200000 };
    char *text = malloc(VALUES * 2 + 100), params[1000] = "{\"params\":{";
    size_t used = (size_t)sprintf(text, "{\"params\":{\"p\":1},\"value\":[1");
    struct import import;

    for (size_t i = 0; i < VALUES; i++)
        used += (size_t)sprintf(text + used, ",1");
    used += (size_t)sprintf(text + used, "]}\n");
    import = import_text("extrap", "model=new", text, used);
    assert_fault(&import.faults, FR_NOMEM, "line 1", "too many values");
    free(text);
    for (int i = 0; i < 17; i++)
        sprintf(params + strlen(params), "\"p%d\":1%s", i, i < 16 ? "," : "},\"value\":1}");
    import = import_text("extrap", "model=new", params, strlen(params));
    assert_fault(&import.faults, FR_NOMEM, "line 1", "too many params");
}

/* ---- samples ---- */

TEST(a_row_with_other_cells_than_the_header_is_refused)
{
    const struct fr_faults faults = import_refused("samples", "",
                                                   "call,min_s,median_s,max_s\n"
                                                   "dpotrf L 96,0,001,0,002,0,003\n"
                                                   "dpotrf L 96,0.001,0.002\n");

    assert_fault(&faults, FR_SYNTAX, "line 2", "7 cells, but the header has 4 columns");
    assert_fault(&faults, FR_SYNTAX, "line 3", "3 cells, but the header has 4 columns");
}

TEST(a_sample_is_a_run_of_its_call_written_with_letters)
{
    json_t *runs = imported_sample("samples", "", "samples.csv", 7);

    assert_holds(runs, "/0", "{'notes': 'median of 10, ticks 364'}");
    assert_holds(runs, "/1",
                 "{'model': 'calls', 'parameters': {'calls': 'dtrsm LLNN m n -1', 'm': 96, "
                 "'n': 104, 'k': null, 'threads': 1, 'locality': 'in_cache'}, "
                 "'time_s': 0.000029224, 'outputs': {'time_min_s': 0.000028743, "
                 "'time_average_s': 0.000029087, 'time_max_s': 0.000029294, "
                 "'time_std_s': 2.999616642172805e-7}}");
    assert_holds(runs, "/3", "{'parameters': {'calls': 'dgemm NN m n k +1', 'k': 48}}");
    assert_holds(runs, "/4", "{'parameters': {'calls': 'trinv3_unb n'}}");
    assert_holds(runs, "/6", "{'parameters': {'calls': 'dpotrf L n'}}");
}

TEST(the_request_says_of_samples_what_their_text_does_not)
{
    json_t *runs = imported_sample("samples", "threads=2&locality=out_of_cache", "samples.csv", 7);
    struct import import;

    assert_holds(runs, "/0", "{'parameters': {'threads': 2, 'locality': 'out_of_cache'}}");
    import = import_sample("samples", "locality=out_of_cache", "samples-journal.csv");
    assert_fault(&import.faults, FR_RELATION, "line 2",
                 "locality is in_cache here, but out_of_cache in the request");
    import = import_sample("samples", "", "samples-journal.csv");
    assert_int_equal(import.imported.left_out, 1); /* a cut line */
}

TEST(columns_of_samples_are_found_by_name)
{
    json_t *runs = imported_text("samples", "",
                                 "threads,ticks,median_s,locality,call\n"
                                 "4,7,0.5,out_of_cache,dgemm NT 8 16 24\n\n"
                                 "1,7,0.25,in_cache,\"sylv_unb 8 16\"\n"
                                 "1,7,,in_cache,sylv_unb 8 24\n"
                                 "1,7,0.5,in_cache,sylv_unb 8 0\n",
                                 2);

    assert_holds(runs, "",
                 "[{'parameters': {'threads': 4, 'calls': 'dgemm NT m n k +1', "
                 "'locality': 'out_of_cache'}}, {'time_s': 0.25, "
                 "'outputs': null}]");
}

TEST(samples_that_are_none_are_refused_by_line)
{
    static const struct {
        const char *line;
        enum fr_code code;
        const char *message;
    } wrong[] = {
        { "dtrsn LLNN 8 8,1,in_cache,1,", FR_SYNTAX, "dtrsn is not a known routine" },
        { "dtrsm LLNN 8 n,1,in_cache,1,", FR_SYNTAX, "'dtrsm LLNN 8 n'" },
        { "dtrsm LLNN 8 8; sylv_unb 8 8,1,in_cache,1,", FR_SYNTAX, "not one call" },
        { "\"(dtrsm,L,L,N,N,8)\",1,in_cache,1,", FR_SYNTAX, "dtrsm takes 2 sizes, not 1" },
        { "\"(dtrsn\",1,in_cache,1,", FR_SYNTAX, "dtrsn is not a known routine" },
        { "\"((,)\",1,in_cache,1,", FR_SYNTAX, "'((,)'" },
        { "\"(,)\",1,in_cache,1,", FR_SYNTAX, "empty" },
        { "\"(dtrsm,L,L,N,N,8,8,1,A,8,B,8);dpotrf L 8\",1,in_cache,1,", FR_SYNTAX, "8);dpotrf" },
        { "sylv_unb 8 8,0,in_cache,1,", FR_RANGE, "median_s is not a time in seconds above 0" },
        { "sylv_unb 8 8,nan,in_cache,1,", FR_RANGE, "median_s is not a time" },
        { "sylv_unb 8 8,1,warm,1,", FR_CHOICE, "locality 'warm' is not one of in_cache" },
        { "sylv_unb 8 8,1,in_cache,0,", FR_SYNTAX, "threads is not a number" },
        { "sylv_unb 8 8,1,in_cache,1,1 0 2", FR_RANGE, "times_s are not times in seconds above 0" },
        { "sylv_unb 8 8,1,in_cache,1,1;2", FR_RANGE, "times_s are not times" },
    };
    char text[1000] = "call,median_s,locality,threads,times_s\n";
    struct fr_faults faults;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        strcat(text, wrong[i].line);
        strcat(text, "\n");
    }
    faults = import_refused("samples", "", text);
    assert_int_equal(faults.count, sizeof wrong / sizeof *wrong);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char line[20];

        snprintf(line, sizeof line, "line %zu", i + 2);
        assert_fault(&faults, wrong[i].code, line, wrong[i].message);
    }
    faults = import_refused("samples", "", "min_s,max_s\n1,2\n");
    assert_fault(&faults, FR_MISSING, "line 1", "no column call");
    assert_fault(&faults, FR_MISSING, "line 1", "no column median_s");
    assert_refused("samples", "model=trinv", "call,median_s\ntrinv1_unb 8,1\n", FR_RELATION,
                   "model", "are always runs of calls");
}

/* ---- seconds ---- */

TEST(times_alone_are_the_repetitions_of_one_run)
{
    json_t *runs = imported_text("seconds",
                                 "model=matmul&n=4096&variant=2d&job=1207.hopper"
                                 "&started_at=2026-05-14T09:12:18Z",
                                 "42.5\n\n 44\n4.3e1\n", 1);

    assert_close(number_at(runs, "/0/time_s"), 43, 0);
    assert_close(number_at(runs, "/0/repetitions/1"), 44, 0);
    assert_holds(runs, "/0",
                 "{'parameters': {'n': 4096, 'variant': '2d', 'job': null}, "
                 "'job': '1207.hopper', 'started_at': '2026-05-14T09:12:18Z'}");
    runs = imported_text("seconds", "model=matmul&n=4096", "42.5", 1);
    assert_holds(runs, "/0", "{'repetitions': null, 'job': null}");
}

TEST(what_is_no_time_is_refused_by_its_line)
{
    struct fr_faults faults = import_refused(
        "seconds", "model=matmul&started_at=2026-05-14T09:12:18.1234567Z", "42.5\n00:42\n-\n");

    assert_int_equal(faults.count, 3);
    assert_fault(&faults, FR_RANGE, "started_at", "has more than 23 bytes");
    assert_fault(&faults, FR_TYPE, "line 2", "'00:42' is not a time in seconds");
    assert_fault(&faults, FR_TYPE, "line 3", "'-' is not");
    assert_refused("seconds", "model=matmul", "\n\n", FR_MISSING, "", "no time in 2 lines");
}
