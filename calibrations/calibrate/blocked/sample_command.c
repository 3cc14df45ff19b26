/* `--sample`: reads calls, one a line, measures them with the Sampler and writes a CSV table. */
#include "calibrations/calibrate/blocked/sample_command.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/blocked/sampler.h"
#include "calibrations/calibrate/core/blas.h"
#include "calibrations/calibrate/core/document.h"
#include "calibrations/calibrate/core/environment.h"
#include "calibrations/calibrate/core/sample.h"
#include "server/json/writer.h"

enum { LINE_BYTES = 400, CALLS_MAX = 10000, REFUSALS_MAX = 20, MISUSE = 64 };

/* The calls of a file. */
struct listing {
    const char *name; /* of the file, for messages */
    struct blocked_call *call;
    struct fr_layout *layout;
    char **text; /* as written */
    size_t count;
    int refusals;
};

static void refuse(struct listing *listing, int line, const char *text, const char *why)
{
    if (++listing->refusals <= REFUSALS_MAX)
        fprintf(stderr, "forerun-calibrate: %s: line %d: \"%s\": %s\n", listing->name, line, text,
                why);
}

/* Adds the call of a line, given without its end and surrounding blanks. */
static int take_line(struct listing *listing, int line, const char *text)
{
    struct blocked_call call;
    struct fr_layout layout;
    char why[BLOCKED_WHY_BYTES];

    if (!*text || *text == '#')
        return 0;
    if (fr_call_parse(text, &call, &layout, why)) {
        refuse(listing, line, text, why);
        return 0;
    }
    if (blocked_call_is_empty(&call)) {
        refuse(listing, line, text, "a call with a size of 0 takes no time; remove it");
        return 0;
    }
    if (listing->count == CALLS_MAX) {
        refuse(listing, line, text, "too many calls; at most 10000 are sampled at once");
        return 0;
    }
    listing->text[listing->count] = strdup(text);
    if (!listing->text[listing->count])
        return -1;
    listing->call[listing->count] = call;
    listing->layout[listing->count++] = layout;
    return 0;
}

/* Removes surrounding blanks and replaces bytes that a terminal cannot show. */
static const char *clean(char *text)
{
    size_t length = strlen(text);

    while (length && strchr(" \t\r\n", text[length - 1]))
        text[--length] = '\0';
    for (size_t i = 0; i < length; i++)
        if (text[i] < ' ' || text[i] > '~')
            text[i] = text[i] == '\t' ? ' ' : '?';
    return text + strspn(text, " ");
}

/* A line: its start if it is too long, its text up to a NUL if it has one. */
struct line {
    char text[LINE_BYTES];
    bool is_cut, has_nul;
};

/* Returns 0, or -1 at the end of the file. */
static int next_line(FILE *file, struct line *line)
{
    size_t length = 0;
    int c = getc(file);

    *line = (struct line){ .is_cut = false };
    if (c == EOF)
        return -1;
    for (; c != '\n' && c != EOF; c = getc(file)) {
        line->has_nul = line->has_nul || c == '\0';
        if (length + 1 < sizeof line->text)
            line->text[length++] = (char)c;
        else
            line->is_cut = true;
    }
    return 0;
}

static int read_lines(struct listing *listing, FILE *file)
{
    struct line line;

    for (int number = 1; next_line(file, &line) == 0; number++) {
        if (line.has_nul || line.is_cut) {
            line.text[40] = '\0';
            refuse(listing, number, clean(line.text),
                   line.has_nul ? "contains a NUL; a call is text"
                                : "too long; a call is one short line");
        } else if (take_line(listing, number, clean(line.text))) {
            return fr_command_fail(listing->name, "out of memory");
        }
    }
    return ferror(file) ? fr_command_fail(listing->name, strerror(errno)) : EXIT_SUCCESS;
}

static int read_listing(const char *path, struct listing *listing)
{
    const bool is_input = !path || strcmp(path, "-") == 0;
    FILE *file = is_input ? stdin : fopen(path, "r");
    int status;

    *listing = (struct listing){ .name = is_input ? "standard input" : path,
                                 .call = calloc(CALLS_MAX, sizeof *listing->call),
                                 .layout = calloc(CALLS_MAX, sizeof *listing->layout),
                                 .text = calloc(CALLS_MAX, sizeof *listing->text) };
    if (!file)
        return fr_command_fail(path, strerror(errno));
    status = listing->call && listing->layout && listing->text
                 ? read_lines(listing, file)
                 : fr_command_fail(listing->name, "out of memory");
    if (!is_input)
        fclose(file);
    if (listing->refusals > REFUSALS_MAX)
        fprintf(stderr, "forerun-calibrate: %s: and %d more\n", listing->name,
                listing->refusals - REFUSALS_MAX);
    if (!status && !listing->refusals && !listing->count)
        return fr_command_fail(listing->name, "no call in it; a call is 'dtrsm LLNN 100 200 -1'");
    return listing->refusals ? EXIT_FAILURE : status;
}

static void free_listing(struct listing *listing)
{
    for (size_t i = 0; i < listing->count; i++)
        free(listing->text[i]);
    free(listing->text);
    free(listing->call);
    free(listing->layout);
}

static void write_cell(struct fr_writer *out, double value)
{
    fr_writer_text(out, ",");
    if (!isnan(value))
        fr_writer_number(out, value);
}

/* What was measured; each_s: `stride` times of every call, or NULL. */
struct table {
    const struct fr_sampled *row;
    const double *each_s;
    size_t stride;
    const bool *metrics;
};

static void write_row(struct fr_writer *out, const char *text, const struct table *table, size_t i)
{
    const struct fr_sampled *row = &table->row[i];

    /* A call has no quotation marks; a tuple has commas. */
    fr_writer_printf(out, strchr(text, ',') ? "\"%s\"" : "%s", text);
    write_cell(out, row->min_s);
    write_cell(out, row->median_s);
    write_cell(out, row->mean_s);
    write_cell(out, row->max_s);
    write_cell(out, row->std_s);
    fr_writer_printf(out, ",%d", row->repetitions);
    for (int k = 0; k < FR_METRICS; k++)
        if (table->metrics[k])
            write_cell(out, row->metric[k]);
    for (int k = 0; table->each_s && k < row->repetitions; k++) {
        fr_writer_text(out, k ? " " : ",");
        fr_writer_number(out, table->each_s[i * table->stride + (size_t)k]);
    }
    fr_writer_text(out, "\n");
}

static int write_table(const struct fr_calibrate_options *options, const struct listing *listing,
                       const struct table *table)
{
    struct fr_writer out;
    int status = EXIT_SUCCESS;

    fr_writer_init(&out);
    fr_writer_text(&out, "call,min_s,median_s,mean_s,max_s,std_s,repetitions");
    for (int k = 0; k < FR_METRICS; k++)
        if (table->metrics[k])
            fr_writer_printf(&out, ",%s", fr_metric_names[k]);
    fr_writer_text(&out, table->each_s ? ",times_s\n" : "\n");
    for (size_t i = 0; i < listing->count; i++)
        if (table->row[i].repetitions)
            write_row(&out, listing->text[i], table, i);
    if (out.failed)
        status = fr_command_fail(options->output, "out of memory");
    else if (fr_output_write(options->output, out.text, out.length))
        status = fr_command_fail(options->output, strerror(errno));
    fr_writer_free(&out);
    return status;
}

/* Binds the process to cores, so that the system does not move it. */
static int bind(const struct fr_calibrate_options *options, int threads)
{
    struct fr_cores *cores = calloc(1, sizeof *cores);
    int count;

    if (!cores)
        return fr_command_fail("--sample", "out of memory");
    fr_cores_find(cores);
    count = cores->count;
    if (threads <= count && !options->is_unpinned)
        fr_binding_set(cores, 0, threads);
    free(cores);
    if (threads <= count)
        return EXIT_SUCCESS;
    fprintf(stderr,
            "forerun-calibrate: --threads: %d; there are %d cores, so at most %d would do\n",
            threads, count, count);
    return EXIT_FAILURE;
}

static int settle(const struct fr_calibrate_options *options, const bool metrics[FR_METRICS])
{
    const int threads = options->threads.count ? (int)options->threads.value[0] : 1;
    bool is_counted = false;

    for (int k = FR_INSTRUCTIONS; k < FR_METRICS; k++)
        is_counted = is_counted || metrics[k];
    if (is_counted && threads > 1)
        fprintf(stderr, "forerun-calibrate: events are counted on one of the %d threads\n",
                threads);
    if (!fr_blas_set_threads(threads))
        return fr_command_fail("--threads",
                               "this BLAS reads them from OMP_NUM_THREADS only; set that variable");
    return bind(options, threads);
}

static void tell_left_out(const struct fr_sampled *measured, size_t count)
{
    size_t left_out = 0;

    for (size_t i = 0; i < count; i++)
        left_out += measured[i].repetitions == 0;
    fprintf(stderr, "forerun-calibrate: %zu of %zu calls skipped, the time limit was reached\n",
            left_out, count);
}

static int measure(const struct fr_calibrate_options *options, const struct listing *listing,
                   const bool metrics[FR_METRICS])
{
    struct fr_sampled *measured = calloc(listing->count, sizeof *measured);
    const size_t stride = (size_t)options->kernel_repetitions;
    double *each_s = options->is_each ? calloc(listing->count, stride * sizeof *each_s) : NULL;
    struct fr_extent extent = { 0 };
    struct fr_sampler sampler;
    char why[BLOCKED_WHY_BYTES];
    size_t done;
    int status;

    for (size_t i = 0; i < listing->count; i++)
        fr_extent_add(&extent, &listing->call[i], &listing->layout[i]);
    snprintf(why, sizeof why, "out of memory");
    if (!measured || !each_s != !options->is_each ||
        fr_sampler_open(&sampler, &extent, metrics, why)) {
        free(measured);
        free(each_s);
        return fr_command_fail("--sample", why);
    }
    sampler.is_cold = options->is_cold;
    sampler.repetitions = options->kernel_repetitions;
    sampler.tolerance = options->tolerance;
    sampler.each_s = each_s;
    sampler.deadline_s = fr_stopwatch_s() + options->time_limit_s;
    done = fr_sampler_take(&sampler, listing->call, listing->layout, measured, listing->count);
    if (done < listing->count)
        tell_left_out(measured, listing->count);
    status = write_table(options, listing, &(struct table){ measured, each_s, stride, metrics });
    fr_sampler_close(&sampler);
    free(measured);
    free(each_s);
    return status;
}

int fr_sample_command(const struct fr_calibrate_options *options, const char *file)
{
    struct listing listing = { 0 };
    bool metrics[FR_METRICS] = { false };
    char why[BLOCKED_WHY_BYTES];
    int status;

    if (options->metrics && fr_metrics_read(options->metrics, metrics, why)) {
        fr_command_fail("--metrics", why);
        return MISUSE;
    }
    status = read_listing(file, &listing);
    if (!status)
        status = settle(options, metrics);
    if (!status)
        status = measure(options, &listing, metrics);
    free_listing(&listing);
    return status;
}
