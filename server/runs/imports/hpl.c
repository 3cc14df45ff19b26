/* hpl: the result lines of HPL (HPL.out, hpccoutf.txt).
 *
 *     T/V                N    NB     P     Q               Time                 Gflops
 *     WR11C2R4         400    32     1     2               0.00              5.461e+01
 *     ||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=        0.0059226 ...... PASSED
 *
 * Each result is a run: n = N, processes = P Q.  Time has two decimals, but Gflops has four digits
 * or more: for a short run it gives a more accurate time.  Uploads are
 * refused: the variant is not read as parameters of the model hpl.
 */
#include "server/runs/imports/filter.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct result {
    bool is_open, is_checked;
    struct fr_import_run run;
};

/* `WR11C2R4`: the order of the processes, then digits and letters of the variant. */
static bool is_variant(struct fr_slice word)
{
    if (word.length < 8 || !(fr_slice_begins(word, "WR") || fr_slice_begins(word, "WC")))
        return false;
    for (size_t i = 2; i < word.length; i++)
        if (!isalnum((unsigned char)word.at[i]))
            return false;
    return isdigit((unsigned char)word.at[2]);
}

static void finish(struct fr_filter *filter, struct result *result)
{
    if (!result->is_open)
        return;
    result->is_open = false;
    if (!result->is_checked)
        fr_run_note(&result->run, ", residual not checked");
    fr_run_begin(filter, &result->run);
    fr_run_end(filter);
}

/* The operation count of HPL. */
static double operations(double n)
{
    return n * n * (2.0 / 3 * n + 1.5);
}

static void read_result(struct fr_filter *filter, struct fr_slice variant, struct fr_slice rest,
                        struct result *result)
{
    struct fr_slice word[6];
    struct fr_import_run *run = &result->run;
    int64_t n, nb, p, q;
    char name[FR_IMPORT_TEXT_BYTES];
    bool is_whole = true;

    for (size_t i = 0; i < 6; i++)
        is_whole = fr_slice_word(&rest, &word[i]) && is_whole;
    if (!is_whole || !fr_slice_count(word[0], &n) || !fr_slice_count(word[1], &nb) ||
        !fr_slice_count(word[2], &p) || !fr_slice_count(word[3], &q) || !(n && nb && p && q)) {
        fr_filter_fault(filter, filter->line, FR_SYNTAX,
                        "not a result of HPL: T/V, N, NB, P, Q, Time, Gflops");
        return;
    }
    *result = (struct result){ .is_open = true, .run.line = filter->line };
    if (!fr_time_beside_rate(word[4], operations((double)n), word[5], 1e9, &run->time_s))
        fr_filter_fault(filter, filter->line, FR_RELATION,
                        "Time and Gflops do not belong to the same run of order %g", (double)n);
    fr_run_set(run, "n", (double)n);
    fr_run_set_size(filter, run, (double)p * (double)q, 0);
    fr_slice_print(variant, name, sizeof name);
    fr_run_note(run, "HPL %s, NB %g, P %g, Q %g", name, (double)nb, (double)p, (double)q);
}

/* `Mon Nov 29 13:12:56 2021`, in the local time of the machine. */
static void read_start(struct fr_filter *filter, struct fr_slice rest, struct result *result)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const char *offset = fr_filter_given(filter, FR_UTC_OFFSET), *at;
    char text[40], month[4];
    struct tm time = { 0 };

    if (!offset || !result->is_open)
        return;
    fr_slice_print(rest, text, sizeof text);
    if (sscanf(text, "%*3s %3s %2d %2d:%2d:%2d %4d", month, &time.tm_mday, &time.tm_hour,
               &time.tm_min, &time.tm_sec, &time.tm_year) != 6 ||
        !(at = strstr(months, month)) || strlen(month) != 3 || (at - months) % 3)
        return;
    time.tm_mon = (int)(at - months) / 3;
    time.tm_year -= 1900;
    if (!fr_time_utc(&time, offset, result->run.started_at))
        fr_fault(filter->faults, FR_RANGE, FR_UTC_OFFSET,
                 "%.40s is not a time zone such as +02:00, or %.40s is not a valid time", offset,
                 text);
}

static void read_results(struct fr_filter *filter)
{
    struct result result = { 0 };
    struct fr_slice line, rest, word;
    size_t results = 0;

    while (fr_filter_line(filter, &line)) {
        rest = line;
        if (fr_slice_skip(&rest, "HPL_pdgesv() start time")) {
            read_start(filter, rest, &result);
        } else if (fr_slice_word(&rest, &word) && is_variant(word)) {
            finish(filter, &result);
            results++;
            read_result(filter, word, rest, &result);
        } else if (result.is_open && fr_slice_begins(line, "||Ax-b||")) {
            result.is_checked = true;
            if (!fr_slice_has(line, "PASSED"))
                fr_filter_fault(filter, filter->line, FR_RELATION,
                                "the result of line %zu failed its check; leave both lines out",
                                result.run.line);
        }
    }
    finish(filter, &result);
    if (!results)
        fr_fault(filter->faults, FR_SYNTAX, "",
                 "no result of HPL in %zu lines; results begin with WR or WC and the variant",
                 filter->line);
}

static const struct fr_import_option options[] = {
    FR_UTC_OFFSET_OPTION,
    { .name = NULL },
};

const struct fr_import fr_import_hpl = {
    .name = "hpl",
    .summary = "Results of the HPL benchmark: HPL.out, or the output file of HPC Challenge.",
    .no_model = "the output of HPL is not read as runs of the model hpl yet; upload its results as "
                "saved runs of hpl, in forerun-run-1; nothing is stored",
    .options = options,
    .read = read_results,
};
