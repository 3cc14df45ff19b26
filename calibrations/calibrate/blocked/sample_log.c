/* Reads and appends the lines of a sample log. */
#include "calibrations/calibrate/blocked/modeling.h"

#include <stdlib.h>
#include <string.h>

#include "engine/blocked/routine.h"

static const char header[] = "call,locality,threads,min_s,median_s,mean_s,max_s,std_s";

struct fr_sample_log_line {
    struct blocked_kernel kernel;
    int threads;
    bool is_cold;
    struct blocked_sample sample;
};

/* Returns 0, or -1 if the line is not a sample. */
static int read_line(const char *text, const char *end, struct fr_sample_log_line *out)
{
    char name[BLOCKED_CALL_BYTES], locality[16], why[BLOCKED_WHY_BYTES];
    double *time = out->sample.time_s;
    struct blocked_call call;
    int used = 0;

    if (sscanf(text, "%95[^,],%15[^,],%d,%lf,%lf,%lf,%lf,%lf%n", name, locality, &out->threads,
               &time[BLOCKED_MIN], &time[BLOCKED_MED], &time[BLOCKED_AVG], &time[BLOCKED_MAX],
               &time[BLOCKED_STD], &used) != 8 ||
        text + used != end || !blocked_call_read(name, NULL, NULL, &call, why))
        return -1;
    out->kernel = call.kernel;
    out->is_cold = strcmp(locality, "out_of_cache") == 0;
    if (!out->is_cold && strcmp(locality, "in_cache") != 0)
        return -1;
    memcpy(out->sample.at, call.size, sizeof call.size);
    return 0;
}

static int keep(struct fr_sample_log *sample_log, const struct fr_sample_log_line *line)
{
    if (sample_log->lines == sample_log->capacity) {
        const size_t capacity = sample_log->capacity ? 2 * sample_log->capacity : 1024;
        struct fr_sample_log_line *longer = realloc(sample_log->line, capacity * sizeof *longer);

        if (!longer)
            return -1;
        sample_log->line = longer;
        sample_log->capacity = capacity;
    }
    sample_log->line[sample_log->lines++] = *line;
    return 0;
}

/* Keeps the samples among the lines; returns -1 if memory runs out. */
static int read_lines(struct fr_sample_log *sample_log)
{
    const struct fr_journal *journal = &sample_log->journal;
    struct fr_sample_log_line line = { 0 };
    char *end;

    for (char *at = journal->text; at; at = end + 1) {
        end = memchr(at, '\n', journal->length - (size_t)(at - journal->text));
        if (!end)
            break;
        *end = '\0';
        if (!read_line(at, end, &line) && keep(sample_log, &line))
            return -1;
    }
    return 0;
}

int fr_sample_log_open(struct fr_sample_log *sample_log, const char *path, char why[160])
{
    int status;

    *sample_log = (struct fr_sample_log){ 0 };
    status = fr_journal_open(&sample_log->journal, path, header, why, 160);
    if (status > 0) {
        snprintf(why, 160, "%.80s: is not a file of samples; give the name of a new file", path);
    } else if (!status && read_lines(sample_log)) {
        status = -1;
        snprintf(why, 160, "%.80s: out of memory", path);
    }
    if (status)
        fr_sample_log_close(sample_log);
    return status ? -1 : 0;
}

void fr_sample_log_close(struct fr_sample_log *sample_log)
{
    fr_journal_close(&sample_log->journal);
    free(sample_log->line);
    *sample_log = (struct fr_sample_log){ 0 };
}

struct blocked_sample *fr_sample_log_find(const struct fr_sample_log *sample_log,
                                          const struct blocked_kernel *kernel, int threads,
                                          bool is_cold, size_t *count)
{
    struct blocked_sample *found =
        sample_log->lines ? malloc(sample_log->lines * sizeof *found) : NULL;

    *count = 0;
    for (size_t i = 0; found && i < sample_log->lines; i++) {
        const struct fr_sample_log_line *line = &sample_log->line[i];

        if (line->threads == threads && line->is_cold == is_cold &&
            blocked_kernel_equal(&line->kernel, kernel))
            found[(*count)++] = line->sample;
    }
    return found;
}

int fr_sample_log_add(struct fr_sample_log *sample_log, const struct blocked_kernel *kernel,
                      int threads, bool is_cold, const struct blocked_sample *sample)
{
    struct blocked_call call = { .kernel = *kernel, .alpha = 1 };
    char text[BLOCKED_CALL_BYTES];

    if (!sample_log->journal.file || sample_log->has_failed)
        return 0;
    memcpy(call.size, sample->at, sizeof call.size);
    blocked_call_print(&call, text);
    sample_log->has_failed =
        fr_journal_add(&sample_log->journal, "%s,%s,%d,%.17g,%.17g,%.17g,%.17g,%.17g\n", text,
                       is_cold ? "out_of_cache" : "in_cache", threads, sample->time_s[BLOCKED_MIN],
                       sample->time_s[BLOCKED_MED], sample->time_s[BLOCKED_AVG],
                       sample->time_s[BLOCKED_MAX], sample->time_s[BLOCKED_STD]) != 0;
    return sample_log->has_failed ? -1 : 0;
}
