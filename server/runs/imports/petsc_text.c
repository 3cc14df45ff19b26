/* The log that PETSc prints as text, `-log_view`: of each event the slowest process, and the ratio
 * of the slowest to the fastest.
 *
 * The process that computes longest waits least.  So what waits for other processes (exchanges and
 * reductions) counts with its fastest process, the rest with its slowest. */
#include "server/runs/imports/petsc.h"

#include <math.h>

static const char title[] = "PETSc Performance Summary:";
/* A row: event, count, ratio, time, ratio, flop, ratio, messages, length, reductions, percents. */
enum {
    COUNT,
    COUNT_RATIO,
    TIME,
    TIME_RATIO,
    FLOP,
    FLOP_RATIO,
    MESSAGES,
    LENGTH,
    REDUCTIONS,
    NUMBERS
};

bool fr_petsc_is_text(struct fr_slice line)
{
    return fr_slice_begins(line, "---") && fr_slice_has(line, title);
}

/* `./program on a linux named node1 with 2 processors, by …` */
static void take_processes(struct petsc_log *log, struct fr_slice line)
{
    struct fr_slice rest = line, word, count = { 0 };
    int64_t processes;

    while (fr_slice_word(&rest, &word)) {
        if (fr_slice_begins(word, "processor") && fr_slice_count(count, &processes))
            log->processes = (double)processes;
        count = word;
    }
}

/* `--- Event Stage 2: Solve` */
static void take_stage(struct petsc_log *log, struct fr_slice rest)
{
    struct fr_slice number;

    log->text_stage = fr_slice_field(&rest, ':', &number) ? rest : (struct fr_slice){ 0 };
    log->text_stage = fr_slice_trim(log->text_stage);
}

static bool waits(enum petsc_role role, double reductions)
{
    return role == PETSC_SCATTER_BEGIN || role == PETSC_SCATTER_END || role == PETSC_REDUCTION ||
           (role == PETSC_DOT && reductions > 0);
}

static void take_event(struct fr_filter *filter, struct petsc_log *log, struct fr_slice event,
                       struct fr_slice rest)
{
    const enum petsc_role role = fr_petsc_role(event);
    struct fr_slice word;
    double number[NUMBERS];

    for (size_t i = 0; i < NUMBERS; i++)
        if (!fr_slice_word(&rest, &word) || !fr_slice_number(word, &number[i]) || number[i] < 0) {
            fr_filter_fault(filter, filter->line, FR_SYNTAX,
                            "not a row of the log: event, count, ratio, time, ratio, flop, ratio, "
                            "messages, length, reductions");
            return;
        }
    if (waits(role, number[REDUCTIONS]))
        number[TIME] = number[TIME_RATIO] > 0 ? number[TIME] / number[TIME_RATIO] : 0;
    fr_petsc_add(
        filter, log, log->text_stage, event, 0,
        &(struct petsc_row){ number[COUNT], number[TIME], number[REDUCTIONS], number[FLOP] });
}

void fr_petsc_text(struct fr_filter *filter, struct petsc_log *log, struct fr_slice line)
{
    struct fr_slice rest = line, event;

    if (fr_slice_skip(&rest, "--- Event Stage"))
        take_stage(log, rest);
    else if (log->processes == 0)
        take_processes(log, line);
    else if (log->text_stage.length && fr_slice_word(&rest, &event) &&
             fr_petsc_role(event) != PETSC_ROLES)
        take_event(filter, log, event, rest);
    else if (fr_slice_begins(line, "====="))
        log->text_stage = (struct fr_slice){ 0 }; /* what follows is not of the stages */
}
