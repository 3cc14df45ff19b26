/* hpl: the result lines of HPL (HPL.out, hpccoutf.txt).
 *
 *     SWAP   : Mix (threshold = 64)
 *     T/V                N    NB     P     Q               Time                 Gflops
 *     WR11C2R4         400    32     1     2               0.00              5.461e+01
 *     ||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=        0.0059226 ...... PASSED
 *
 * Each result is a run of the model hpl.  Time has two decimals, but Gflops has four digits or
 * more: for a short run it gives a more accurate time.  SWAP stands before the results and holds
 * for all of them.  Results of programs that are not HPL on processors look alike; they are named.
 */
#include "server/runs/imports/filter.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct result {
    bool is_open, is_checked, has_failed;
    struct fr_import_run run;
};

/* Programs by the words that name them, whatever their case. */
static const struct other {
    const char *mark, *program;
    bool is_alike; /* what follows may look like results of HPL */
} others[] = {
    { "HPL-NVIDIA", "HPL-NVIDIA, which computes on GPUs", true },
    { "NVIDIA HPL", "HPL-NVIDIA, which computes on GPUs", true },
    { "HPL-GPU", "HPL-GPU, which computes on GPUs", true },
    { "rocHPL", "rocHPL, which computes on GPUs", true },
    { "HPL-AI", "HPL-AI, which computes in mixed precision", true },
    { "HPL_AI", "HPL-AI, which computes in mixed precision", true },
    { "HPL-MxP", "HPL-MxP, which computes in mixed precision", true },
    { "HPL_MxP", "HPL-MxP, which computes in mixed precision", true },
    { "HPCG", "HPCG", false },
};
static const struct other on_gpus = { "", "HPL on GPUs, with rates per GPU", true };
/* What no line of HPL's own has, from the banner to the results. */
static const char *const gpu_words[] = {
    "CUDA",        "ROCm",         "HIP",         "GPU",          "GPUs",
    "cuBLAS",      "hipBLAS",      "rocBLAS",     "OpenCL",       "SYCL",
    "coprocessor", "coprocessors", "accelerator", "accelerators", "offload",
};
static const struct other with_gpus = { "", "HPL on GPUs or coprocessors, by its banner", true };
static const struct other rochpl = { "", "rocHPL, which computes on GPUs", true };

struct log {
    struct result result;
    size_t results, failed;
    const struct other *other;   /* that the text has named, until its end */
    bool has_banner;             /* of the tests that have not ended */
    bool is_scanned, has_checks; /* of these tests, which HPL checks all or not at all */
    const char *swap;            /* the model's name of SWAP; NULL: the text does not give it */
    int64_t threshold;           /* 0: not given */
    size_t swap_line;
    bool has_noted_start;
};

static bool is_variant(struct fr_slice word)
{
    return word.length > 2 && (fr_slice_begins(word, "WR") || fr_slice_begins(word, "WC")) &&
           isdigit((unsigned char)word.at[2]);
}

/* `WR11C2R4`: mapping, DEPTH, BCAST (one digit), RFACT, NDIV, PFACT, NBMIN.  False for anything
 * else. */
static bool read_variant(struct fr_slice word, struct fr_import_run *run)
{
    const struct fr_param *broadcast = fr_param_find(fr_model_find("hpl")->params, "broadcast");
    char text[FR_IMPORT_TEXT_BYTES], mapping, depth[9], rfact, ndiv[9], pfact, nbmin[9];
    size_t digits, choices = 0;
    int end = 0;

    fr_slice_print(word, text, sizeof text);
    if (sscanf(text, "W%c%8[0-9]%c%8[0-9]%c%8[0-9]%n", &mapping, depth, &rfact, ndiv, &pfact, nbmin,
               &end) != 6 ||
        text[end] || !strchr("LCR", rfact) || !strchr("LCR", pfact))
        return false;
    while (broadcast->choices[choices])
        choices++;
    digits = strlen(depth) - 1;
    if (!digits || (size_t)(depth[digits] - '0') >= choices)
        return false;
    fr_run_set_text(run, "mapping", mapping == 'R' ? "row" : "column");
    fr_run_set_text(run, "broadcast", broadcast->choices[depth[digits] - '0']);
    depth[digits] = '\0';
    fr_run_set(run, "lookahead_depth", atof(depth));
    fr_run_set(run, "ndiv", atof(ndiv));
    fr_run_set(run, "nbmin", atof(nbmin));
    fr_run_note(run, "HPL %s", text);
    return true;
}

static void finish(struct fr_filter *filter, struct log *log)
{
    struct result *result = &log->result;

    if (!result->is_open)
        return;
    result->is_open = false;
    if (result->has_failed) {
        filter->imported.left_out++;
        log->failed++;
        return;
    }
    if (!result->is_checked && log->has_checks) {
        fr_filter_warn(filter, result->run.line, FR_RELATION,
                       "no residual check follows, as it does behind other results: the text is "
                       "mixed or cut off; the result is left out");
        filter->imported.left_out++;
        return;
    }
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

/* N, NB, P and Q. */
enum { SIZES = 4 };

static bool scan_sizes(struct fr_slice *rest, int64_t size[SIZES])
{
    struct fr_slice word;

    for (size_t i = 0; i < SIZES; i++)
        if (!fr_slice_word(rest, &word) || !fr_slice_count(word, &size[i]) || !size[i])
            return false;
    return true;
}

/* The sizes, Time and Gflops. */
static bool read_numbers(struct fr_filter *filter, struct fr_slice rest, struct fr_import_run *run)
{
    static const char *const names[] = { "n", "block_size", "process_rows", "process_columns" };
    struct fr_slice time, rate;
    int64_t size[SIZES];

    if (!scan_sizes(&rest, size) || !fr_slice_word(&rest, &time) || !fr_slice_word(&rest, &rate) ||
        rest.length)
        return false;
    for (size_t i = 0; i < SIZES; i++)
        fr_run_set(run, names[i], (double)size[i]);
    if (!fr_time_beside_rate(time, operations((double)size[0]), rate, 1e9, &run->time_s))
        fr_filter_fault(filter, filter->line, FR_RELATION,
                        "Time and Gflops do not belong to the same run of order %g",
                        (double)size[0]);
    return true;
}

static bool has_checks(struct fr_slice rest)
{
    static const char *const ends[] = { "End of Tests", "HPLinpack" }; /* or of another output */

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const char *at =
            rest.length ? memmem(rest.at, rest.length, ends[i], strlen(ends[i])) : NULL;

        if (at)
            rest.length = (size_t)(at - rest.at);
    }
    return fr_slice_has(rest, "...... PASSED") || fr_slice_has(rest, "...... FAILED");
}

static void read_result(struct fr_filter *filter, struct fr_slice variant, struct fr_slice rest,
                        struct log *log)
{
    const struct other *other = log->other && log->other->is_alike ? log->other : NULL;
    struct fr_import_run run = { .line = filter->line };

    log->results++;
    if (!log->is_scanned)
        log->has_checks = has_checks(filter->rest);
    log->is_scanned = true;
    if (!other && fr_slice_has(rest, "(")) /* the rate of a GPU, behind that of all */
        other = &on_gpus;
    if (other) {
        fr_filter_warn(filter, filter->line, FR_RELATION,
                       "a result of %s: the models are of HPL on processors; it is left out",
                       other->program);
        filter->imported.left_out++;
        return;
    }
    if (!read_variant(variant, &run) || !read_numbers(filter, rest, &run)) {
        fr_filter_fault(
            filter, filter->line, FR_SYNTAX,
            "not a result of HPL 2: T/V such as WR11C2R4 (WC0 is HPL-NVIDIA, which computes "
            "on GPUs), N, NB, P, Q, Time, Gflops, and nothing behind");
        return;
    }
    if (log->swap)
        fr_run_set_text(&run, "swap", log->swap)->line = log->swap_line;
    if (log->threshold)
        fr_run_set(&run, "swap_threshold", (double)log->threshold)->line = log->swap_line;
    log->result = (struct result){ .is_open = true, .run = run };
}

/* `Binary-exchange`, `Spread-roll (long)` or `Mix (threshold = 64)`. */
static void read_swap(struct fr_filter *filter, struct fr_slice rest, struct log *log)
{
    int64_t threshold = 0;

    log->threshold = 0;
    log->swap_line = filter->line;
    if (fr_slice_is(rest, "Binary-exchange")) {
        log->swap = "binary_exchange";
    } else if (fr_slice_is(rest, "Spread-roll (long)")) {
        log->swap = "spread_roll";
    } else if (fr_slice_skip(&rest, "Mix (threshold =") && rest.length > 1 &&
               rest.at[--rest.length] == ')' && fr_slice_count(rest, &threshold)) {
        log->swap = "mix";
        log->threshold = threshold;
    } else {
        fr_filter_fault(filter, filter->line, FR_SYNTAX,
                        "SWAP is not Binary-exchange, Spread-roll (long) or Mix (threshold = 64)");
    }
}

/* `Mon Nov 29 13:12:56 2021`, in the local time of the machine.  Where that is not known, the text
 * goes into the notes: equal results that began at different times are not the same run. */
static void read_start(struct fr_filter *filter, struct fr_slice rest, struct log *log)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const char *offset = fr_filter_given(filter, FR_UTC_OFFSET), *at;
    struct result *result = &log->result;
    char text[40], month[4];
    struct tm time = { 0 };

    if (!result->is_open)
        return;
    if (!offset && !log->has_noted_start)
        fr_filter_warn(filter, filter->line, FR_MISSING,
                       "start times have no time zone and go into the notes, so that no drift is "
                       "dated by them; give " FR_UTC_OFFSET ", such as +02:00");
    log->has_noted_start = true;
    fr_slice_print(rest, text, sizeof text);
    if (!offset ||
        sscanf(text, "%*3s %3s %2d %2d:%2d:%2d %4d", month, &time.tm_mday, &time.tm_hour,
               &time.tm_min, &time.tm_sec, &time.tm_year) != 6 ||
        !(at = strstr(months, month)) || strlen(month) != 3 || (at - months) % 3) {
        fr_run_note(&result->run, ", started %s", text);
        return;
    }
    time.tm_mon = (int)(at - months) / 3;
    time.tm_year -= 1900;
    result->run.start_line = filter->line;
    if (!fr_time_utc(&time, offset, result->run.started_at))
        fr_fault(filter->faults, FR_RANGE, FR_UTC_OFFSET,
                 "%.40s is not a time zone such as +02:00, or %.40s is not a valid time", offset,
                 text);
}

static void read_check(struct fr_slice line, struct result *result)
{
    result->is_checked = true;
    if (!fr_slice_has(line, "PASSED"))
        result->has_failed = true;
}

/* Skips `SWAP   :`; the width of the labels differs between versions. */
static bool skip_label(struct fr_slice *rest, const char *label)
{
    struct fr_slice behind = *rest;

    if (!fr_slice_skip(&behind, label) || !fr_slice_skip(&behind, ":"))
        return false;
    *rest = behind;
    return true;
}

/* `p      :        2.`: rocHPL prints the grid of a node, and HPL's banner. */
static bool is_node_grid(struct fr_slice line)
{
    double number;

    return skip_label(&line, "p") && line.length && line.at[line.length - 1] == '.' &&
           fr_slice_number(line, &number);
}

/* Whether the text has the word, whatever its case, not within a longer one. */
static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = text; (at = strcasestr(at, word)); at++)
        if ((at == text || !isalpha((unsigned char)at[-1])) && !isalpha((unsigned char)at[length]))
            return true;
    return false;
}

static const struct other *program_of(struct fr_slice line, bool has_banner)
{
    char text[200];

    fr_slice_print(line, text, sizeof text);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcasestr(text, others[i].mark))
            return &others[i];
    if (is_node_grid(line))
        return &rochpl;
    for (size_t i = 0; has_banner && i < sizeof gpu_words / sizeof *gpu_words; i++)
        if (has_word(text, gpu_words[i]) && !fr_slice_has(line, "GF_per="))
            return &with_gpus;
    return fr_slice_has(line, "GF_per=") ||
                   (fr_slice_begins(line, "T/V") && fr_slice_has(line, "GPU"))
               ? &on_gpus
               : NULL;
}

/* Notes when the text names another program. */
static void see_program(struct fr_filter *filter, struct fr_slice line, struct log *log)
{
    const bool is_banner =
        fr_slice_begins(line, "HPLinpack") || fr_slice_has(line, "High-Performance Linpack");
    const bool is_end = fr_slice_begins(line, "End of Tests");
    const struct other *found = program_of(line, log->has_banner || is_banner);

    log->has_banner = (log->has_banner || is_banner) && !is_end;
    if (is_end)
        log->other = NULL;
    if (is_banner || is_end) {
        log->swap = NULL; /* of other tests */
        log->threshold = 0;
    }
    log->is_scanned = log->is_scanned && !is_end && !is_banner;
    /* A rate per GPU, or a word, says less than a name. */
    if (!found || found == log->other ||
        ((found == &on_gpus || found == &with_gpus) && log->other && log->other->is_alike))
        return;
    log->other = found;
    fr_filter_warn(filter, filter->line, FR_RELATION,
                   "the output of %s: another program than HPL on processors", found->program);
}

enum { MOST_PREFIXED = 500 }; /* bytes of a line that is worth the search */

/* A result behind something else, such as a file's name from grep or mpirun's --tag-output. */
static void see_prefix(struct fr_filter *filter, struct fr_slice line, struct log *log)
{
    char text[FR_IMPORT_TEXT_BYTES];
    int64_t size[SIZES];

    for (size_t i = 1; i < line.length && line.length <= MOST_PREFIXED; i++) {
        struct fr_slice rest = { line.at + i, line.length - i }, word;

        if (isalnum((unsigned char)rest.at[-1]) || !fr_slice_word(&rest, &word) ||
            !is_variant(word) || !scan_sizes(&rest, size))
            continue;
        fr_slice_print((struct fr_slice){ line.at, i }, text, sizeof text);
        fr_filter_warn(filter, filter->line, FR_SYNTAX,
                       "'%s' stands before a result, which is left out; send it without (grep -h, "
                       "mpirun without --tag-output, srun without --label)",
                       text);
        filter->imported.left_out++;
        log->results++;
        return;
    }
}

static void read_line(struct fr_filter *filter, struct fr_slice line, struct log *log)
{
    struct fr_slice rest = line, word;

    see_program(filter, line, log);
    if (fr_slice_skip(&rest, "HPL_pdgesv() start time")) {
        read_start(filter, rest, log);
    } else if (skip_label(&rest, "SWAP")) {
        read_swap(filter, rest, log);
    } else if (log->result.is_open && fr_slice_begins(line, "||Ax-b||") &&
               fr_slice_has(line, "......")) {
        read_check(line, &log->result);
    } else if (fr_slice_begins(line, ">>> Error code returned by solve")) {
        log->result.has_failed = true; /* the matrix was singular: there is no residual */
    } else if (fr_slice_word(&rest, &word) && is_variant(word)) {
        finish(filter, log);
        read_result(filter, word, rest, log);
    } else {
        see_prefix(filter, line, log);
    }
}

static void read_results(struct fr_filter *filter)
{
    struct log log = { 0 };
    struct fr_slice line;

    while (fr_filter_line(filter, &line))
        read_line(filter, line, &log);
    finish(filter, &log);
    if (!log.results)
        fr_fault(filter->faults, FR_SYNTAX, "",
                 "no result of HPL in %zu lines; results begin with WR or WC and the variant",
                 filter->line);
    else if (!filter->imported.runs && log.failed == log.results)
        fr_fault(filter->faults, FR_RELATION, "",
                 "all %zu results failed their residual checks; nothing is stored", log.results);
    else if (!filter->imported.runs && filter->imported.left_out == log.results)
        fr_fault(filter->faults, FR_RELATION, "",
                 "none of %zu results can be taken; nothing is stored", log.results);
}

static const struct fr_import_option options[] = {
    FR_UTC_OFFSET_OPTION,
    { .name = NULL },
};

const struct fr_import fr_import_hpl = {
    .name = "hpl",
    .summary = "Results of the HPL benchmark: HPL.out, or the output file of HPC Challenge.",
    .model = "hpl",
    .options = options,
    .read = read_results,
};
