/* Messages and progress on standard error, and the time limit. */
#include "calibrations/calibrate/core/bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fr_bench_is_late(const struct fr_context *context, MPI_Comm comm)
{
    int is_late =
        MPI_Wtime() - context->started_s > context->options->time_limit_s || fr_interrupt_came();

    MPI_Bcast(&is_late, 1, MPI_INT, 0, comm);
    return is_late;
}

double fr_bench_no_time_s(const struct fr_context *context)
{
    (void)context;
    return 0;
}

void fr_bench_say(const struct fr_context *context, const char *format, ...)
{
    va_list arguments;

    if (context->world->rank)
        return;
    fputs("forerun-calibrate: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void fr_bench_missing(struct fr_context *context, const char *what, const char *format, ...)
{
    char why[200], end[210];
    size_t used = strlen(context->missing);
    va_list arguments;

    if (context->world->rank)
        return;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    fr_bench_say(context, "%s: left out, %s", what, why);
    /* Items with the same reason share it. */
    snprintf(end, sizeof end, " (%s)", why);
    if (used > strlen(end) && strcmp(context->missing + used - strlen(end), end) == 0)
        used -= strlen(end);
    snprintf(context->missing + used, sizeof context->missing - used, "%s%s%s", used ? ", " : "",
             what, end);
}

void fr_bench_missing_processes(struct fr_context *context, const char *bench, int64_t processes)
{
    char what[FR_PLAN_WHAT_BYTES];

    fr_plan_name(bench, processes, what);
    fr_bench_missing(context, what, "the job has %d", context->world->size);
}

static int descending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x < y) - (x > y);
}

bool fr_bench_processes(struct fr_context *context, const char *bench, struct fr_list *out)
{
    struct fr_list asked = context->options->processes;

    if (!asked.count)
        fr_value_doublings(context->world->size, &asked);
    out->count = 0;
    for (int i = 0; i < asked.count; i++) {
        if (asked.value[i] > context->world->size && bench)
            fr_bench_missing_processes(context, bench, asked.value[i]);
        else if (asked.value[i] > 1 && asked.value[i] <= context->world->size)
            out->value[out->count++] = asked.value[i];
    }
    qsort(out->value, (size_t)out->count, sizeof *out->value, descending);
    return out->count;
}

const char *fr_bench_in_all(const struct fr_context *context, double left_s,
                            char out[FR_IN_ALL_BYTES])
{
    const double limit_s = context->options->time_limit_s - (MPI_Wtime() - context->started_s);

    *out = '\0';
    if (context->left)
        snprintf(out, FR_IN_ALL_BYTES, ", %s%.0f s in all",
                 context->is_later_open ? "more than " : "",
                 fmax(0, fmin(left_s + context->later_s, limit_s)));
    return out;
}

static void show(struct fr_progress *p, double now_s, double left_s)
{
    const double spent_s = now_s - p->started_s;
    char in_all[FR_IN_ALL_BYTES];

    p->shown_s = now_s;
    fr_bench_say(p->context, "%s: %.0f %%, about %.0f s left%s", p->what,
                 100 * spent_s / fmax(spent_s + left_s, 1e-9), left_s,
                 fr_bench_in_all(p->context, left_s, in_all));
}

struct fr_progress fr_progress_begin(const struct fr_context *context, const char *what,
                                     double total)
{
    const double now_s = MPI_Wtime();

    return (struct fr_progress){ context, what, total, 0, now_s, now_s };
}

void fr_progress_add(struct fr_progress *p, double work)
{
    const double now_s = MPI_Wtime();

    p->done += work;
    if (now_s - p->shown_s < 1 || !(p->done > 0))
        return;
    show(p, now_s, (now_s - p->started_s) * (p->total - p->done) / p->done);
}

bool fr_progress_is_due(const struct fr_progress *p)
{
    return MPI_Wtime() - p->shown_s >= 1;
}

void fr_progress_show(struct fr_progress *p, double left_s)
{
    show(p, MPI_Wtime(), left_s);
}

void fr_progress_end(struct fr_progress *p)
{
    fr_bench_say(p->context, "%s: done in %.1f s", p->what, MPI_Wtime() - p->started_s);
}
