/* The log that PETSc prints as text, `-log_view`: of each event the slowest process, and the ratio
 * of the slowest to the fastest.
 *
 * The process that computes longest waits least.  So what waits for other processes (exchanges and
 * reductions) counts with its fastest process, the rest with its slowest. */
#include "server/runs/imports/petsc.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

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

/* What follows the text, if the line has it; else nothing. */
static struct fr_slice after(struct fr_slice line, const char *text)
{
    const char *found = line.length ? memmem(line.at, line.length, text, strlen(text)) : NULL;

    if (!found)
        return (struct fr_slice){ line.at, 0 };
    found += strlen(text);
    return (struct fr_slice){ found, line.length - (size_t)(found - line.at) };
}

/* The number in front of a slice; 0 without one. */
static double leading(struct fr_slice slice)
{
    int64_t count = 0;

    for (size_t i = 0; i < slice.length; i++)
        if (!isdigit((unsigned char)slice.at[i]))
            slice.length = i;
    return fr_slice_count(slice, &count) ? (double)count : 0;
}

/* `./program on a linux named node1 with 2 processors, by …`; also `with 1 process and CUDA
 * architecture 80, by …`. */
static void take_processes(struct petsc_log *log, struct fr_slice line)
{
    struct fr_slice rest = after(line, " named "), word, count;

    while (rest.length && log->processes == 0) {
        rest = after(rest, " with ");
        count = rest;
        if (fr_slice_word(&count, &word) && leading(word) > 0 &&
            fr_slice_begins(fr_slice_trim(count), "process"))
            log->processes = leading(word);
    }
}

/* ---- the build ---- */

/* From 3.17 on, KSPSolve does not contain the set-up.  A revision without a version has a date;
 * 3.17 appeared in March 2022. */
static void take_version(struct petsc_log *log, struct fr_slice line)
{
    struct fr_slice version = after(line, "Version "), date = after(line, "Date: "), part;
    double major, minor;

    if (!version.length)
        version = after(line, "evision: v");
    if (fr_slice_field(&version, '.', &part) && (major = leading(part)) > 0) {
        minor = leading(version.at ? version : part);
        log->is_setup_apart = major > 3 || (major == 3 && minor >= 17);
    } else if (fr_slice_field(&date, '-', &part) && date.at) {
        log->is_setup_apart = leading(part) > 2022 || (leading(part) == 2022 && leading(date) > 3);
    }
}

/* Whether an option of configure is on: `--with-64-bit-indices`, with `=1`, `=yes` or `=true`. */
static bool is_on(struct fr_slice line, const char *option)
{
    struct fr_slice value = after(line, option);

    if (value.at == line.at)
        return false;
    return !value.length || isspace((unsigned char)value.at[0]) || fr_slice_begins(value, "=1") ||
           fr_slice_begins(value, "=yes") || fr_slice_begins(value, "=true");
}

static void take_sizes(struct petsc_log *log, struct fr_slice line)
{
    const double scalar = leading(after(line, "sizeof(PetscScalar) "));
    const double index = leading(after(line, "sizeof(PetscInt) "));

    if (scalar > 0 && scalar != 8)
        log->builds |= PETSC_OTHER_SCALAR;
    if (index == 8)
        log->builds |= PETSC_LONG_INDICES;
}

static void take_build(struct petsc_log *log, struct fr_slice line)
{
    const struct fr_slice precision = after(line, "--with-precision=");

    if (fr_slice_has(line, "compiled with a debugging option") || is_on(line, "--with-debugging"))
        log->builds |= PETSC_DEBUGGING;
    if (fr_slice_has(line, "run with logging synchronization"))
        log->builds |= PETSC_SYNCHRONIZED;
    if (fr_slice_has(line, "--with-scalar-type=complex") ||
        (precision.length && !fr_slice_begins(precision, "double")) ||
        fr_slice_has(line, "various complex numbers numerical") ||
        fr_slice_begins(line, "Compiled with single precision") ||
        fr_slice_begins(line, "Compiled with __float128"))
        log->builds |= PETSC_OTHER_SCALAR;
    if (is_on(line, "--with-64-bit-indices") || fr_slice_begins(line, "Compiled with 64 bit int") ||
        fr_slice_begins(line, "Compiled with 64 bit Petsc") ||
        fr_slice_begins(line, "Compiled with 64-bit Petsc"))
        log->builds |= PETSC_LONG_INDICES;
    take_sizes(log, line);
}

void fr_petsc_refuse_builds(struct fr_filter *filter, const struct petsc_log *log)
{
    static const struct {
        enum petsc_build build;
        const char *what, *remedy;
    } others[] = {
        { PETSC_DEBUGGING, "compiled for debugging, which is two or three times slower",
          "configured with --with-debugging=no" },
        { PETSC_OTHER_SCALAR,
          "compiled for complex numbers or another precision than double, not for scalars of 8 "
          "bytes",
          "configured with --with-scalar-type=real --with-precision=double" },
        { PETSC_LONG_INDICES, "compiled for indices of 64 bits",
          "configured with --with-64-bit-indices=0" },
        { PETSC_SYNCHRONIZED, "run with logging synchronization, which changes its times",
          "run without -log_sync" },
    };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (log->builds & others[i].build)
            fr_filter_fault(filter, log->line, FR_RELATION,
                            "this PETSc was %s: another program than the one that is modelled; "
                            "upload the log of a PETSc %s",
                            others[i].what, others[i].remedy);
}

/* ---- the table ---- */

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

/* The next number.  Older versions print no blank before a ratio of 10 or more: `4.4339e-03315.2`;
 * an exponent has two digits. */
static bool next_number(struct fr_slice *rest, struct fr_slice *word)
{
    enum { EXPONENT = 4 };
    const char *e;
    size_t length;

    if (!fr_slice_word(rest, word))
        return false;
    e = memchr(word->at, 'e', word->length);
    length = e ? (size_t)(e - word->at) + EXPONENT : word->length;
    if (length < word->length) {
        rest->at -= word->length - length;
        rest->length += word->length - length;
        word->length = length;
    }
    return true;
}

static void refuse_row(struct fr_filter *filter, struct fr_slice word)
{
    if (fr_slice_is(word, "n/a"))
        fr_filter_fault(filter, filter->line, FR_MISSING,
                        "the time is n/a: events on a GPU are timed with -log_view_gpu_time alone; "
                        "run with it");
    else
        fr_filter_fault(filter, filter->line, FR_SYNTAX,
                        "not a row of the log: event, count, ratio, time, ratio, flop, ratio, "
                        "messages, length, reductions");
}

/* The last column of a log with columns of a GPU. */
static double last_number(struct fr_slice rest)
{
    struct fr_slice word = { rest.at, 0 };
    double number = 0;

    while (fr_slice_word(&rest, &word))
        fr_slice_number(word, &number);
    return number;
}

static void take_event(struct fr_filter *filter, struct petsc_log *log, struct fr_slice event,
                       struct fr_slice rest)
{
    const enum petsc_role role = fr_petsc_role(event);
    struct fr_slice word = { rest.at, 0 };
    struct petsc_row row;
    double number[NUMBERS];

    for (size_t i = 0; i < NUMBERS; i++)
        if (!next_number(&rest, &word) || !fr_slice_number(word, &number[i]) || number[i] < 0 ||
            (i == COUNT && memchr(word.at, '.', word.length))) {
            refuse_row(filter, word);
            return;
        }
    row = (struct petsc_row){
        .count = number[COUNT],
        .time_s = number[TIME],
        .reductions = number[REDUCTIONS],
        .flops = number[FLOP],
        .least_s = number[TIME_RATIO] > 0 ? number[TIME] / number[TIME_RATIO] : 0,
        .least_flops = number[FLOP_RATIO] > 0 ? number[FLOP] / number[FLOP_RATIO] : 0,
    };
    if (waits(role, row.reductions))
        row.time_s = row.least_s;
    if (role == PETSC_SOLVE && log->has_gpu)
        log->gpu_percent = fmax(log->gpu_percent, last_number(rest));
    fr_petsc_add(filter, log, log->text_stage, event, 0, &row);
}

void fr_petsc_text(struct fr_filter *filter, struct petsc_log *log, struct fr_slice line)
{
    struct fr_slice rest = line, event;

    if (fr_slice_skip(&rest, "--- Event Stage"))
        take_stage(log, rest);
    else if (log->text_stage.length && fr_slice_word(&rest, &event) &&
             fr_petsc_role(event) != PETSC_ROLES)
        take_event(filter, log, event, rest);
    else if (fr_slice_begins(line, "====="))
        log->text_stage = (struct fr_slice){ 0 }; /* what follows is not of the stages */
    else if (fr_slice_begins(line, "Using P"))
        take_version(log, line);
    else if (fr_slice_begins(line, "Using ") && fr_slice_has(line, "OpenMP threads"))
        log->threads = leading(after(line, "Using "));
    else if (fr_slice_has(line, "CpuToGpu"))
        log->has_gpu = true;
    else
        take_build(log, line);
    if (log->processes == 0) {
        take_processes(log, line);
        log->processes_line = filter->line;
    }
}
