/* Reads and appends the lines of a sample log.  A process may be killed while it writes, so the
 * last line, or the header, may be incomplete. */
#include "calibrations/calibrate/blocked/modeling.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/blocked/routine.h"

static const char header[] = "call,locality,threads,min_s,median_s,mean_s,max_s,std_s\n";

struct fr_sample_log_line {
    struct blocked_kernel kernel;
    int threads;
    bool is_cold;
    struct blocked_sample sample;
};

/* Returns 0, or -1 if the line is not a sample; the last one of an interrupted run may be cut. */
static int read_line(const char *text, struct fr_sample_log_line *out)
{
    char name[BLOCKED_CALL_BYTES], locality[16], why[BLOCKED_WHY_BYTES];
    double *time = out->sample.time_s;
    struct blocked_call call;
    int end = 0;

    if (sscanf(text, "%95[^,],%15[^,],%d,%lf,%lf,%lf,%lf,%lf%n", name, locality, &out->threads,
               &time[BLOCKED_MIN], &time[BLOCKED_MED], &time[BLOCKED_AVG], &time[BLOCKED_MAX],
               &time[BLOCKED_STD], &end) != 8 ||
        text[end] != '\n' || !blocked_call_read(name, NULL, NULL, &call, why))
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

static int refuse(const char *path, const char *reason, char why[160])
{
    snprintf(why, 160, "%.80s: %s", path, reason);
    return -1;
}

/* Checks the header; completes one that an interruption has cut. */
static int take_header(struct fr_sample_log *sample_log, const char *path, char why[160])
{
    char text[sizeof header] = "";
    const size_t length = fread(text, 1, sizeof header - 1, sample_log->file);

    if (memcmp(text, header, length) != 0)
        return refuse(path, "is not a file of samples; give the name of a new file", why);
    if (length == sizeof header - 1)
        return 0;
    if (ferror(sample_log->file) || fseek(sample_log->file, 0, SEEK_END) ||
        fputs(header + length, sample_log->file) < 0 || fflush(sample_log->file))
        return refuse(path, strerror(errno), why);
    return 0;
}

static int read_lines(struct fr_sample_log *sample_log, const char *path, char why[160])
{
    char text[400] = "\n";
    struct fr_sample_log_line line = { 0 };

    while (fgets(text, sizeof text, sample_log->file))
        if (!read_line(text, &line) && keep(sample_log, &line))
            return refuse(path, "out of memory", why);
    if (ferror(sample_log->file))
        return refuse(path, strerror(errno), why);
    /* Ends a cut line, so that it does not spoil the next one. */
    if (!strchr(text, '\n') && (fputs("?\n", sample_log->file) < 0 || fflush(sample_log->file)))
        return refuse(path, strerror(errno), why);
    return 0;
}

/* Devices and FIFOs are refused, because reading them may block. */
static bool is_regular(FILE *file)
{
    struct stat facts;

    return fstat(fileno(file), &facts) == 0 && S_ISREG(facts.st_mode);
}

int fr_sample_log_open(struct fr_sample_log *sample_log, const char *path, char why[160])
{
    int status;

    *sample_log = (struct fr_sample_log){ 0 };
    if (!path)
        return 0;
    sample_log->file = fopen(path, "a+");
    if (!sample_log->file) {
        snprintf(why, 160, "%.80s: %s; give a file that can be written", path, strerror(errno));
        return -1;
    }
    rewind(sample_log->file);
    if (!is_regular(sample_log->file))
        status = refuse(path, "is not a regular file; give the name of a new file", why);
    else
        status = take_header(sample_log, path, why) || read_lines(sample_log, path, why) ? -1 : 0;
    if (status)
        fr_sample_log_close(sample_log);
    return status;
}

void fr_sample_log_close(struct fr_sample_log *sample_log)
{
    if (sample_log->file)
        fclose(sample_log->file);
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

    if (!sample_log->file || sample_log->has_failed)
        return 0;
    memcpy(call.size, sample->at, sizeof call.size);
    blocked_call_print(&call, text);
    sample_log->has_failed =
        fprintf(sample_log->file, "%s,%s,%d,%.17g,%.17g,%.17g,%.17g,%.17g\n", text,
                is_cold ? "out_of_cache" : "in_cache", threads, sample->time_s[BLOCKED_MIN],
                sample->time_s[BLOCKED_MED], sample->time_s[BLOCKED_AVG],
                sample->time_s[BLOCKED_MAX], sample->time_s[BLOCKED_STD]) < 0 ||
        fflush(sample_log->file); /* the line survives an interruption */
    return sample_log->has_failed ? -1 : 0;
}
