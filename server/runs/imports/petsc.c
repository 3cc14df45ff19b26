/* petsc: the log of a PETSc program, `-log_view :FILE:ascii_csv`, with a row for each event, rank
 * and stage; or the text of `-log_view` (petsc_text.c).  Each stage with a solve is a run;
 * petsc_run.c separates computation from communication.  The output of `-ksp_view` before a log
 * names the method (petsc_view.c).
 */
#include "server/runs/imports/petsc.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* `operands` are moved per operation, `shared` vectors of a call are not told by its operations. */
static const struct event {
    const char *name;
    enum petsc_role role;
    double operands, shared;
    enum petsc_teller teller;
} events[] = {
    { "KSPSolve", PETSC_SOLVE, 0, 0, PETSC_TELLS_NOTHING },
    { "MatMult", PETSC_MATVEC, 0, 0, PETSC_TELLS_NOTHING },
    { "MatMultTranspose", PETSC_MATVEC, 0, 0, PETSC_TELLS_NOTHING },
    { "PCApply", PETSC_PRECONDITIONER, 0, 0, PETSC_TELLS_NOTHING },
    { "VecScatterBegin", PETSC_SCATTER_BEGIN, 0, 0, PETSC_TELLS_NOTHING },
    { "VecScatterEnd", PETSC_SCATTER_END, 0, 0, PETSC_TELLS_NOTHING },
    { "VecAXPY", PETSC_UPDATE, 1.5, 0, PETSC_AXPYS },
    { "VecAYPX", PETSC_UPDATE, 1.5, 0, PETSC_TELLS_NOTHING },
    { "VecAXPBYCZ", PETSC_UPDATE, 1, 0, PETSC_TELLS_NOTHING },
    { "VecWAXPY", PETSC_UPDATE, 1.5, 0, PETSC_TELLS_NOTHING },
    { "VecMAXPY", PETSC_UPDATE, 0.5, 2, PETSC_TELLS_NOTHING },
    { "VecScale", PETSC_ARITHMETIC, 0, 0, PETSC_TELLS_NOTHING },
    { "VecOps", PETSC_ARITHMETIC, 0, 0, PETSC_TELLS_NOTHING },
    { "VecReduceArith", PETSC_ARITHMETIC, 0, 0, PETSC_TELLS_NOTHING },
    { "VecCopy", PETSC_COPY, 0, 0, PETSC_TELLS_NOTHING },
    { "VecDot", PETSC_DOT, 1, 0, PETSC_TELLS_NOTHING },
    { "VecTDot", PETSC_DOT, 1, 0, PETSC_TELLS_NOTHING },
    { "VecDotNorm2", PETSC_DOT, 0.5, 0, PETSC_DOT_NORMS },
    { "VecMDot", PETSC_DOT, 0.5, 1, PETSC_MDOTS },
    { "VecMTDot", PETSC_DOT, 0.5, 1, PETSC_TELLS_NOTHING },
    { "VecNorm", PETSC_DOT, 0.5, 0, PETSC_TELLS_NOTHING },
    { "VecReduceComm", PETSC_REDUCTION, 0, 0, PETSC_TELLS_NOTHING },
    { "VecReduceBegin", PETSC_REDUCTION, 0, 0, PETSC_TELLS_NOTHING },
    { "VecReduceEnd", PETSC_REDUCTION, 0, 0, PETSC_TELLS_NOTHING },
    { "KSPSetUp", PETSC_KSP_SETUP, 0, 0, PETSC_TELLS_NOTHING },
    { "KSPSetup", PETSC_KSP_SETUP, 0, 0, PETSC_TELLS_NOTHING },
    { "PCSetUp", PETSC_PC_SETUP, 0, 0, PETSC_TELLS_NOTHING },
    { "PCSetUpOnBlocks", PETSC_BLOCK_SETUP, 0, 0, PETSC_TELLS_NOTHING },
    { "MatLUFactor", PETSC_FACTORIZATION, 0, 0, PETSC_TELLS_NOTHING },
    { "MatLUFactorSym", PETSC_FACTORIZATION, 0, 0, PETSC_TELLS_NOTHING },
    { "MatLUFactorNum", PETSC_FACTORIZATION, 0, 0, PETSC_TELLS_NOTHING },
    { "MatCholFctr", PETSC_FACTORIZATION, 0, 0, PETSC_TELLS_NOTHING },
    { "MatCholFctrSym", PETSC_FACTORIZATION, 0, 0, PETSC_TELLS_NOTHING },
    { "MatCholFctrNum", PETSC_FACTORIZATION, 0, 0, PETSC_TELLS_NOTHING },
    { "MatILUFactor", PETSC_FACTORIZATION, 0, 0, PETSC_TELLS_NOTHING },
    { "MatILUFactorSym", PETSC_FACTORIZATION, 0, 0, PETSC_TELLS_NOTHING },
    { "MatICCFactor", PETSC_FACTORIZATION, 0, 0, PETSC_TELLS_NOTHING },
    { "MatICCFactorSym", PETSC_FACTORIZATION, 0, 0, PETSC_TELLS_NOTHING },
};
static_assert(sizeof events / sizeof *events <= 64, "a bit for each");

static const char header[] = "Stage Name,Event Name,Rank,Count,Time,Num Messages,Message Length,"
                             "Num Reductions,FLOP";
enum { STAGE, EVENT, RANK, COUNT, TIME, MESSAGES, MESSAGE_LENGTH, REDUCTIONS, FLOP, FIELDS };

static const struct event *find_event(struct fr_slice name)
{
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        if (fr_slice_is(name, events[i].name))
            return &events[i];
    return NULL;
}

static struct petsc_stage *find_stage(struct petsc_log *log, struct fr_slice name)
{
    for (size_t i = 0; i < log->stage_count; i++)
        if (fr_slice_equal(log->stage[i].name, name))
            return &log->stage[i];
    if (log->stage_count == PETSC_MAX_STAGES)
        return NULL;
    log->stage[log->stage_count] = (struct petsc_stage){ .name = name };
    return &log->stage[log->stage_count++];
}

/* The sums of a rank; NULL if out of memory. */
static struct petsc_rank *find_rank(struct fr_arena *arena, struct petsc_stage *stage, size_t rank)
{
    if (rank >= stage->capacity) {
        const size_t capacity = rank < 8 ? 8 : 2 * rank;
        struct petsc_rank *grown =
            fr_arena_longer(arena, stage->rank, stage->capacity, capacity, sizeof *grown);

        if (!grown)
            return NULL;
        stage->rank = grown;
        stage->capacity = capacity;
    }
    return &stage->rank[rank];
}

/* A norm and an inner product are two operations for each row. */
static double rows_of(const struct event *event, double count, double flops)
{
    const bool is_single =
        event->role == PETSC_DOT && strcmp(event->name, "VecDotNorm2") != 0 && event->shared == 0;

    return is_single ? ceil(flops / count / 2) : 0;
}

/* False if the event has had its row: two logs are mixed. */
static bool add(struct petsc_rank *sums, const struct event *event, const struct petsc_row *row)
{
    const uint64_t bit = UINT64_C(1) << (event - events);

    if (sums->events & bit)
        return false;
    sums->events |= bit;
    sums->count[event->role] += row->count;
    sums->time_s[event->role] += row->time_s;
    sums->flops[event->role] += row->flops;
    sums->least_s[event->role] += row->least_s;
    sums->least_flops[event->role] += row->least_flops;
    sums->told[event->teller] += row->count;
    sums->rows = fmax(sums->rows, rows_of(event, row->count, row->flops));
    if (event->role == PETSC_UPDATE) {
        sums->update_operands += row->flops * event->operands;
        sums->update_shared += row->count * event->shared;
    }
    if (event->role == PETSC_DOT && row->reductions > 0) {
        sums->reduced_operands += row->flops * event->operands;
        sums->reduced_shared += row->count * event->shared;
        sums->reduced_s += row->time_s;
    }
    return true;
}

enum petsc_role fr_petsc_role(struct fr_slice event)
{
    const struct event *found = find_event(event);

    return found ? found->role : PETSC_ROLES;
}

void fr_petsc_add(struct fr_filter *filter, struct petsc_log *log, struct fr_slice stage_name,
                  struct fr_slice event, size_t rank, const struct petsc_row *row)
{
    struct petsc_stage *stage;
    struct petsc_rank *sums;

    if (row->count == 0)
        return;
    stage = find_stage(log, stage_name);
    sums = stage ? find_rank(filter->arena, stage, rank) : NULL;
    if (sums && !stage->line && fr_petsc_role(event) == PETSC_SOLVE)
        stage->line = filter->line;
    if (sums && !add(sums, find_event(event), row))
        fr_filter_fault(filter, filter->line, FR_REPEATED,
                        "%s again in this stage: the text is of several programs; send each log "
                        "alone",
                        find_event(event)->name);
    else if (!sums)
        fr_filter_fault(filter, filter->line, FR_NOMEM,
                        "too many stages or ranks; at most %d stages", PETSC_MAX_STAGES);
}

static void take_event(struct fr_filter *filter, struct petsc_log *log,
                       const struct fr_slice *field, size_t rank)
{
    struct petsc_row row;
    int64_t count;

    if (!fr_slice_count(field[COUNT], &count) || !fr_slice_number(field[TIME], &row.time_s) ||
        !fr_slice_number(field[REDUCTIONS], &row.reductions) ||
        !fr_slice_number(field[FLOP], &row.flops) || row.time_s < 0 || row.flops < 0) {
        fr_filter_fault(filter, filter->line, FR_TYPE,
                        "count, time, reductions and flop of %s must be numbers of 0 or more",
                        find_event(field[EVENT])->name);
        return;
    }
    row.count = (double)count;
    row.least_s = row.time_s;
    row.least_flops = row.flops;
    fr_petsc_add(filter, log, field[STAGE], field[EVENT], rank, &row);
}

static void take_row(struct fr_filter *filter, struct petsc_log *log, struct fr_slice line)
{
    struct fr_slice field[FIELDS], other, rest = line;
    int64_t rank;
    size_t count = 0;

    while (count < FIELDS && fr_slice_field(&rest, ',', &field[count]))
        count++;
    while (fr_slice_field(&rest, ',', &other))
        count++;
    if ((count != FIELDS && count != log->columns) || !fr_slice_count(field[RANK], &rank)) {
        fr_filter_fault(filter, filter->line, FR_SYNTAX, "not a row of the log: %s", header);
        return;
    }
    if (rank >= PETSC_MAX_RANKS) {
        fr_filter_fault(filter, filter->line, FR_NOMEM, "rank %g; at most %d ranks", (double)rank,
                        PETSC_MAX_RANKS);
        return;
    }
    if ((size_t)rank >= log->ranks)
        log->ranks = (size_t)rank + 1;
    if (fr_petsc_role(field[EVENT]) != PETSC_ROLES)
        take_event(filter, log, field, (size_t)rank);
}

/* The names of columns, of which rows have the first nine or all; then the number of processes. */
static void take_header(struct petsc_log *log, struct fr_slice line)
{
    struct fr_slice field;
    int64_t processes;

    while (fr_slice_field(&line, ',', &field))
        if (line.at || !fr_slice_count(field, &processes))
            log->columns++;
        else
            log->ranks = (size_t)processes;
}

static void finish(struct fr_filter *filter, const struct petsc_log *log)
{
    const char *wanted = fr_filter_given(filter, "stage");

    if (filter->faults->count > log->faults)
        return; /* of its rows: the sums lack them */
    if (log->is_text && log->processes == 0) {
        fr_filter_fault(filter, log->line, FR_MISSING,
                        "the log lacks the line that says its processes: `PROGRAM on a ARCH named "
                        "HOST with N processes, by USER`");
        return;
    }
    if (fr_petsc_views_differ(&log->view)) {
        fr_filter_fault(filter, log->line, FR_RELATION,
                        "the views before the log are of different solves, whose times it mixes; "
                        "leave the view of one, and give the stage that has it alone");
        return;
    }
    fr_petsc_refuse_builds(filter, log);
    for (size_t i = 0; i < log->stage_count; i++) {
        double solves = 0;

        for (size_t rank = 0; rank < log->stage[i].capacity; rank++)
            solves += log->stage[i].rank[rank].count[PETSC_SOLVE];
        if (solves > 0 && (!wanted || fr_slice_is(log->stage[i].name, wanted)))
            fr_petsc_write(filter, log, &log->stage[i]);
    }
}

static void take_printed(struct petsc_printed *printed, int64_t iterations, size_t line)
{
    printed->differ = printed->differ || (printed->lines && printed->iterations != iterations);
    printed->iterations = iterations;
    printed->line = line;
    printed->lines++;
}

/* A line before a log; what a program printed besides is passed over. */
static void take_head(struct petsc_log *log, struct fr_slice line, size_t number, size_t indent)
{
    int64_t iterations;

    if (fr_petsc_iterations(line, &iterations))
        take_printed(&log->printed, iterations, number);
    else
        fr_petsc_view(&log->view, line, number, indent);
}

/* A view, or the iterations of another solve, end the log before them. */
static void take_line(struct fr_filter *filter, struct petsc_log *log, struct fr_slice line,
                      size_t indent)
{
    const bool is_text = fr_petsc_is_text(line);
    int64_t iterations;

    if (is_text || fr_slice_begins(line, header)) {
        struct petsc_log before = { .line = 0 };

        if (log->line)
            finish(filter, log);
        else
            before = *log;
        *log = (struct petsc_log){ .line = filter->line,
                                   .is_text = is_text,
                                   .view = before.view,
                                   .printed = before.printed,
                                   .faults = filter->faults->count,
                                   .ranks = is_text };
        if (!is_text)
            take_header(log, line);
    } else if (log->line &&
               (fr_slice_begins(line, "KSP Object:") || fr_petsc_iterations(line, &iterations))) {
        finish(filter, log);
        *log = (struct petsc_log){ .line = 0 };
        take_head(log, line, filter->line, indent);
    } else if (log->is_text) {
        fr_petsc_text(filter, log, line);
    } else if (log->line) {
        take_row(filter, log, line);
    } else {
        take_head(log, line, filter->line, indent);
    }
}

/* The blanks before a line of the text. */
static size_t indent_of(const char *text, struct fr_slice line)
{
    size_t indent = 0;

    while (line.at - indent > text && line.at[-1 - (ptrdiff_t)indent] == ' ')
        indent++;
    return indent;
}

/* A text may contain several logs, each with its header. */
static void read_logs(struct fr_filter *filter)
{
    const char *text = filter->rest.at;
    struct petsc_log log = { .line = 0 };
    const size_t before = filter->faults->count;
    bool has_log = false;
    struct fr_slice line;

    while (fr_filter_line(filter, &line)) {
        if (line.length)
            take_line(filter, &log, line, indent_of(text, line));
        has_log = has_log || log.line;
    }
    if (log.line)
        finish(filter, &log);
    if (!has_log)
        fr_filter_fault(filter, 1, FR_SYNTAX,
                        "not a log of PETSc; write one with -log_view :FILE:ascii_csv, or give "
                        "what -log_view prints");
    else if (!filter->imported.runs && filter->faults->count == before)
        fr_fault(filter->faults, FR_NOT_FOUND, fr_filter_given(filter, "stage") ? "stage" : "",
                 "no KSPSolve in the stages of the log");
}

/* Logs that name their method, other methods than those of cg, and parameters that cg does not have
 * are of solve. */
static const char *model_of(const char *text, size_t length, const struct fr_import_given *given)
{
    static const char view[] = "KSP Object:";
    const struct fr_model *cg = fr_model_find("cg"), *solve = fr_model_find("solve");

    for (size_t i = 0; i < given->count; i++)
        if (fr_param_find(solve->params, given->pair[i].name) &&
            !fr_param_find(cg->params, given->pair[i].name))
            return "solve";
    return memmem(text, length, view, sizeof view - 1) || fr_petsc_is_beyond_cg(given) ? "solve"
                                                                                       : "cg";
}

static const struct fr_import_option options[] = {
    { "stage", "The stage of the log to read; without it every stage with a solve is a run." },
    { "setup",
      "inside or outside: whether KSPSolve contains KSPSetUp and PCSetUp, where the log does "
      "not tell." },
    { .name = NULL },
};

const struct fr_import fr_import_petsc = {
    .name = "petsc",
    .summary =
        "Log of a PETSc solve: -log_view :FILE:ascii_csv, or the text of -log_view; after the "
        "output of -ksp_view.",
    .model_of = model_of,
    .options = options,
    .read = read_logs,
};
