/* GET /api/v1/matrices/{matrix}/mumps: the memory that MUMPS asks for
 * (docs/models/multifrontal.md). */
#include "server/http/handlers.h"
#include "server/matrices/matrix.h"

#include <math.h>
#include <string.h>

struct asked {
    int ordering;
    int64_t processes, icntl14;
    double memory_bytes, memory_limit_bytes_per_process; /* the same; the former is its old name */
};

const struct fr_param fr_mumps_params[] = {
    FR_CHOICE_OF(struct asked, ordering, .choices = sparse_orderings, .flags = FR_DEFAULT,
                 .fallback = SPARSE_ORDERING_metis, .doc = "The order of elimination."),
    FR_INT(struct asked, processes, .unit = "processes", .min = 1, .max = SPARSE_MUMPS_PROCESSES,
           .flags = FR_DEFAULT, .fallback = 1, .doc = "Number of processes: 1, 2, 4 or 8."),
    FR_INT(struct asked, icntl14, .unit = "percent", .min = 0, .max = SPARSE_MUMPS_RELAX_MOST,
           .flags = FR_DEFAULT, .fallback = SPARSE_MUMPS_RELAX,
           .doc = "ICNTL(14), the relaxation of the working space in percent."),
    FR_REAL(struct asked, memory_bytes, .unit = "bytes", .min = 1, .max = 1e18,
            .flags = FR_AUTOMATIC | FR_OPTIONAL,
            .doc = "Old name of memory_limit_bytes_per_process."),
    FR_REAL(struct asked, memory_limit_bytes_per_process, .unit = "bytes", .min = 1, .max = 1e18,
            .flags = FR_AUTOMATIC | FR_OPTIONAL, .doc = "Memory that a process may take."),
    FR_PARAMS_END,
};

static const double bytes_per_gib = 1073741824;

/* By the range of the errors seen: MUMPS may ask for `low` to `high`. */
static const char *judge(double limit, double low, double high)
{
    return limit >= high ? "enough" : limit < low ? "too_little" : "uncertain";
}

static void write_limit(struct fr_rows *rows, const struct sparse_mumps *found, double limit,
                        struct sparse_mumps_range range)
{
    const bool is_asked = !isnan(limit);
    const double missing = is_asked ? fmax(range.high - limit, 0) : (double)NAN;
    const int64_t most = is_asked ? sparse_mumps_relax(found, limit) : -1;

    fr_row_number(rows, "memory_limit_bytes", limit);
    fr_row_number(rows, "memory_limit_bytes_per_process", limit);
    fr_row_text(rows, "verdict", is_asked ? judge(limit, range.low, range.high) : NULL);
    fr_row_number(rows, "missing_bytes", missing);
    fr_row_number(rows, "missing_gib", missing / bytes_per_gib);
    fr_row_number(rows, "icntl14_most", most >= 0 ? (double)most : (double)NAN);
}

static void write_answer(struct fr_request *rq, struct fr_reply *reply, const char *matrix,
                         const struct sparse_mumps *found, const struct asked *asked)
{
    const struct sparse_mumps_memory memory = sparse_mumps_memory(found, asked->icntl14);
    const struct sparse_mumps_range range =
        sparse_mumps_errors(found, asked->ordering, asked->icntl14);
    struct fr_rows rows;

    fr_rows_begin(&rows, &reply->body, rq->format);
    fr_row_begin(&rows);
    fr_row_text(&rows, "matrix", matrix);
    fr_row_text(&rows, "ordering", sparse_orderings[asked->ordering]);
    fr_row_integer(&rows, "processes", asked->processes);
    fr_row_integer(&rows, "icntl14", asked->icntl14);
    fr_row_integer(&rows, "fronts", found->tree.fronts);
    fr_row_integer(&rows, "largest_front", found->tree.largest_front);
    fr_row_integer(&rows, "factor_entries", found->tree.factor_entries);
    fr_row_number(&rows, "flops", found->tree.flops);
    fr_row_number(&rows, "memory_bytes_per_process", memory.most);
    fr_row_number(&rows, "memory_low_bytes_per_process", range.low);
    fr_row_number(&rows, "memory_high_bytes_per_process", range.high);
    fr_row_number(&rows, "memory_bytes", memory.all);
    fr_row_number(&rows, "memory_bytes_of_all_processes", memory.all);
    write_limit(&rows, found, asked->memory_limit_bytes_per_process, range);
    fr_row_end(&rows);
    fr_rows_end(&rows);
}

/* Refuses an order without fronts. */
static int refuse(const struct fr_matrix_ordering *of, struct fr_faults *faults)
{
    if (of->status == FR_MATRIX_FAILED)
        return fr_fault(faults, FR_NOT_FOUND, "ordering", "the analysis with %s failed: %.200s",
                        of->ordering, of->reason ? of->reason : "unknown");
    if (of->status != FR_MATRIX_READY)
        return fr_fault(faults, FR_NOT_FOUND, "ordering",
                        "the analysis with %s is %s; ask again when it is ready", of->ordering,
                        fr_matrix_status_name(of->status));
    return fr_fault(faults, FR_NOT_FOUND, "ordering",
                    "the analysis with %s is of an older version and has no fronts; delete the "
                    "matrix and upload it again",
                    of->ordering);
}

static int refuse_without_fronts(const struct asked *asked, const struct fr_matrix_record *matrix,
                                 struct fr_faults *faults)
{
    const char *ordering = sparse_orderings[asked->ordering];

    for (size_t i = 0; i < matrix->ordering_count; i++)
        if (strcmp(matrix->ordering[i].ordering, ordering) == 0)
            return refuse(&matrix->ordering[i], faults);
    return fr_fault(faults, FR_NOT_FOUND, "ordering",
                    "the matrix has not been analyzed with %s; upload it with orderings=%s",
                    ordering, ordering);
}

/* Takes the limit by either of its names. */
static void check(struct asked *asked, struct fr_faults *faults)
{
    if (asked->processes & (asked->processes - 1))
        fr_fault(faults, FR_RANGE, "processes", "%lld is not 1, 2, 4 or 8",
                 (long long)asked->processes);
    if (isnan(asked->memory_limit_bytes_per_process))
        asked->memory_limit_bytes_per_process = asked->memory_bytes;
    else if (!isnan(asked->memory_bytes))
        fr_fault(faults, FR_RELATION, "memory_bytes",
                 "is the old name of memory_limit_bytes_per_process, which is given too; leave it "
                 "out");
}

int fr_get_matrix_mumps(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_matrix_record matrix;
    struct sparse_mumps found;
    struct fr_faults faults;
    struct asked asked;
    int status;

    faults.count = 0;
    fr_options_read(rq, rq->route->options, &asked, &faults);
    check(&asked, &faults);
    status = fr_matrix_find(rq, reply, &matrix);
    if (status)
        return status;
    if (faults.count)
        return fr_reply_faults(reply, &faults);
    status = fr_store_fronts_get(rq->store, matrix.id, sparse_orderings[asked.ordering],
                                 asked.processes, &found);
    if (status == FR_STORE_NONE)
        refuse_without_fronts(&asked, &matrix, &faults);
    if (faults.count)
        return fr_reply_faults(reply, &faults);
    if (status != FR_STORE_OK)
        return fr_reply_store_failed(rq, reply);
    write_answer(rq, reply, matrix.id, &found, &asked);
    return 200;
}
