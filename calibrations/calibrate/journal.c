#include "journal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "blocked/call.h"

static const char header[] = "call,locality,threads,min_s,median_s,mean_s,max_s,std_s\n";

struct fr_journal_line {
    struct blocked_kernel kernel;
    int threads;
    bool is_cold;
    struct blocked_sample sample;
};

/* Returns 0; -1: the line is none (the last one of an interrupted run may be cut). */
static int read_line(const char *text, struct fr_journal_line *out)
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

static int keep(struct fr_journal *journal, const struct fr_journal_line *line)
{
    if (journal->lines == journal->capacity) {
        const size_t capacity = journal->capacity ? 2 * journal->capacity : 1024;
        struct fr_journal_line *longer = realloc(journal->line, capacity * sizeof *longer);

        if (!longer)
            return -1;
        journal->line = longer;
        journal->capacity = capacity;
    }
    journal->line[journal->lines++] = *line;
    return 0;
}

static int read_all(struct fr_journal *journal, const char *path, char why[160])
{
    char text[400] = "\n";
    size_t number = 0;
    int status = 0;

    rewind(journal->file);
    while (!status && fgets(text, sizeof text, journal->file)) {
        struct fr_journal_line line = { 0 };

        if (!number++ && strcmp(text, header) != 0) {
            snprintf(why, 160, "%.80s: is no file of samples", path);
            return -1;
        }
        if (number > 1 && !read_line(text, &line))
            status = keep(journal, &line);
    }
    if (status)
        snprintf(why, 160, "%.80s: out of memory", path);
    else if (!number)
        fputs(header, journal->file);
    else if (!strchr(text, '\n'))
        fputs("?\n", journal->file); /* a cut line stays none, and spoils none that is added */
    return status;
}

int fr_journal_open(struct fr_journal *journal, const char *path, char why[160])
{
    int status = 0;

    *journal = (struct fr_journal){ 0 };
    if (!path)
        return 0;
    journal->file = fopen(path, "a+");
    if (!journal->file) {
        snprintf(why, 160, "%.80s: %s", path, strerror(errno));
        return -1;
    }
    setvbuf(journal->file, NULL, _IOLBF, BUFSIZ); /* whatever ends the run, its lines are there */
    status = read_all(journal, path, why);
    if (status)
        fr_journal_close(journal);
    return status;
}

void fr_journal_close(struct fr_journal *journal)
{
    if (journal->file)
        fclose(journal->file);
    free(journal->line);
    *journal = (struct fr_journal){ 0 };
}

struct blocked_sample *fr_journal_find(const struct fr_journal *journal,
                                       const struct blocked_kernel *kernel, int threads,
                                       bool is_cold, size_t *count)
{
    struct blocked_sample *found = journal->lines ? malloc(journal->lines * sizeof *found) : NULL;

    *count = 0;
    for (size_t i = 0; found && i < journal->lines; i++) {
        const struct fr_journal_line *line = &journal->line[i];

        if (line->threads == threads && line->is_cold == is_cold &&
            blocked_kernel_equal(&line->kernel, kernel))
            found[(*count)++] = line->sample;
    }
    return found;
}

void fr_journal_add(struct fr_journal *journal, const struct blocked_kernel *kernel, int threads,
                    bool is_cold, const struct blocked_sample *sample)
{
    struct blocked_call call = { .kernel = *kernel, .alpha = 1 };
    char text[BLOCKED_CALL_BYTES];

    if (!journal->file)
        return;
    memcpy(call.size, sample->at, sizeof call.size);
    blocked_call_print(&call, text);
    fprintf(journal->file, "%s,%s,%d,%.17g,%.17g,%.17g,%.17g,%.17g\n", text,
            is_cold ? "out_of_cache" : "in_cache", threads, sample->time_s[BLOCKED_MIN],
            sample->time_s[BLOCKED_MED], sample->time_s[BLOCKED_AVG], sample->time_s[BLOCKED_MAX],
            sample->time_s[BLOCKED_STD]);
}
