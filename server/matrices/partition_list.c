/* GET /api/v1/matrices/{matrix}/partitions: what is known of a matrix divided among numbers of
 * processes, and …/partitions/facts: everything about one of them. */
#include "engine/krylov/partition/partition.h"
#include "engine/questions/rank.h"
#include "server/http/handlers.h"
#include "server/http/server.h"
#include "server/matrices/analysis.h"
#include "server/matrices/matrix.h"
#include "server/matrices/simulation.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct asked {
    int partition;
    int64_t processes;
};

/* `processes` of a list is read as an axis. */
const struct fr_param fr_partition_params[] = {
    FR_CHOICE_OF(struct asked, partition, .choices = krylov_partitions, .flags = FR_DEFAULT,
                 .fallback = KRYLOV_PARTITION_contiguous, .doc = "How the rows are divided."),
    FR_INT(struct asked, processes, .unit = "processes", .min = 1,
           .max = KRYLOV_PARTITION_MOST_PROCESSES, .flags = FR_REQUIRED,
           .doc = "Number of processes."),
    FR_PARAMS_END,
};
static const struct fr_param *const processes_param = &fr_partition_params[1];

/* ---- the list ----------------------------------------------------------------------------- */

static const double word_bytes = 8;

static void write_count(struct fr_rows *rows, bool is_ready, const char *name, double value)
{
    fr_row_number(rows, name, is_ready ? value : (double)NAN);
}

static void write_row(struct fr_rows *rows, const struct fr_partition_record *record,
                      const struct fr_analysis_progress *running)
{
    const struct krylov_partition_summary *s = &record->summary;
    const bool is_ready = record->status == FR_MATRIX_READY;
    const bool is_running = record->status == FR_MATRIX_ANALYZING && running;

    fr_row_begin(rows);
    fr_row_text(rows, "partition", record->partition);
    fr_row_integer(rows, "processes", record->processes);
    fr_row_text(rows, "status", fr_matrix_status_name(record->status));
    fr_row_number(rows, "progress_fraction",
                  is_running ? running->fraction : record->status >= FR_MATRIX_READY);
    fr_row_text(rows, "stage", is_running ? running->stage : NULL);
    fr_row_text(rows, "reason", record->reason);
    write_count(rows, is_ready, "messages", (double)s->messages);
    write_count(rows, is_ready, "bytes", word_bytes * (double)s->words);
    write_count(rows, is_ready, "most_neighbours", (double)s->most_neighbours);
    write_count(rows, is_ready, "most_bytes", word_bytes * (double)s->most_words);
    write_count(rows, is_ready, "largest_message_bytes", word_bytes * (double)s->largest_message);
    write_count(rows, is_ready, "most_rows", (double)s->most_rows);
    write_count(rows, is_ready, "load_balance_factor", s->imbalance);
    write_count(rows, is_ready, "time_s", record->seconds);
    fr_row_end(rows);
}

/* The running analysis of partitions of this matrix; NULL: none. */
static const struct fr_analysis_progress *
running_of(struct fr_request *rq, const char *id, struct fr_analysis_progress out[FR_ANALYSES_MOST])
{
    const size_t count = fr_analysis_look(rq->server->analysis, id, out);

    for (size_t i = 0; i < count; i++)
        if (out[i].partition)
            return &out[i];
    return NULL;
}

static bool is_asked(const struct fr_partition_record *record, const int64_t *processes,
                     size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (processes[i] == record->processes)
            return true;
    return count == 0;
}

/* The numbers of processes in the query; FR_OK, or faults. */
static int read_processes(struct fr_request *rq, const char *text,
                          const struct fr_matrix_record *matrix, int64_t out[FR_PARTITIONS_AT_ONCE],
                          size_t *count, struct fr_faults *faults)
{
    struct fr_axis axis;
    int code;

    *count = 0;
    if (!text)
        return FR_OK;
    code = fr_axis_parse(processes_param, text, rq->arena, &axis, faults);
    if (code != FR_OK)
        return code;
    if (axis.count > FR_PARTITIONS_AT_ONCE)
        return fr_fault(faults, FR_TOO_MANY_POINTS, "processes",
                        "%zu numbers of processes; at most %d at a time", axis.count,
                        FR_PARTITIONS_AT_ONCE);
    for (size_t i = 0; i < axis.count; i++) {
        out[i] = (int64_t)axis.value[i];
        code |= fr_partition_possible(matrix->name, matrix->n, out[i], "processes", faults);
    }
    *count = code == FR_OK ? axis.count : 0;
    return code;
}

struct listed {
    const char *partition, *processes;
};
const struct fr_param fr_partition_list_params[] = {
    FR_BORROWED(struct listed, partition,
                .doc = "Only this partition; default contiguous with `processes`, else all."),
    FR_BORROWED(struct listed, processes,
                .doc = "Numbers of processes, a list or range such as `1..64..*2`; at most 64, "
                       "each at most 65536 and the rows of the matrix."),
    FR_PARAMS_END,
};

/* Makes the partition a name of krylov_partitions or NULL. */
static void read_query(const struct fr_request *rq, struct listed *listed, struct fr_faults *faults)
{
    struct asked asked;

    fr_options_read(rq, rq->route->options, listed, faults);
    if (listed->partition &&
        fr_param_read(&fr_partition_params[0], listed->partition, &asked, faults) == FR_OK)
        listed->partition = krylov_partitions[asked.partition];
    else if (listed->processes && !listed->partition)
        listed->partition = krylov_partitions[0];
}

static int write_list(struct fr_request *rq, struct fr_reply *reply,
                      const struct fr_matrix_record *matrix, const char *partition,
                      const int64_t *processes, size_t count)
{
    struct fr_analysis_progress all[FR_ANALYSES_MOST];
    const struct fr_analysis_progress *running = running_of(rq, matrix->id, all);
    struct fr_partition_record *known = NULL;
    struct fr_rows rows;
    size_t known_count = 0;
    int status = 200;

    if (fr_store_partition_list(rq->store, matrix->id, partition, rq->arena, &known,
                                &known_count) != FR_STORE_OK)
        return fr_reply_store_failed(rq, reply);
    fr_rows_begin(&rows, &reply->body, rq->format);
    if (rq->format == FR_JSON) {
        fr_json_object(&reply->body);
        fr_json_pair_array(&reply->body, "items");
    }
    for (size_t i = 0; i < known_count; i++) {
        if (!is_asked(&known[i], processes, count))
            continue;
        if (known[i].status < FR_MATRIX_READY)
            status = 202;
        write_row(&rows, &known[i], running);
    }
    if (rq->format == FR_JSON) {
        fr_json_array_end(&reply->body);
        fr_json_object_end(&reply->body);
    }
    fr_rows_end(&rows);
    return status;
}

/* How many of them nobody has asked for before; all if the store does not answer. */
static size_t new_ones(struct fr_request *rq, const char *matrix, const char *partition,
                       const int64_t *processes, size_t count)
{
    struct fr_partition_record record;
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        found += fr_store_partition_get(rq->store, matrix, partition, processes[i], rq->arena,
                                        &record) == FR_STORE_OK;
    return count - found;
}

int fr_get_partitions(struct fr_request *rq, struct fr_reply *reply)
{
    int64_t processes[FR_PARTITIONS_AT_ONCE];
    struct fr_matrix_record matrix;
    struct fr_faults faults;
    struct listed listed;
    size_t count = 0;
    int status;

    faults.count = 0;
    read_query(rq, &listed, &faults);
    status = fr_matrix_find(rq, reply, &matrix);
    if (status)
        return status;
    read_processes(rq, listed.processes, &matrix, processes, &count, &faults);
    if (faults.count)
        return fr_reply_faults(reply, &faults);
    status = fr_request_charge(rq, FR_LIMIT_ANALYSES,
                               (double)new_ones(rq, matrix.id, listed.partition, processes, count),
                               reply);
    if (status)
        return status;
    if (count && fr_store_partition_queue(rq->store, matrix.id, listed.partition, processes, count,
                                          false) != FR_STORE_OK)
        return fr_reply_store_failed(rq, reply);
    if (count)
        fr_analysis_wake(rq->server->analysis);
    return write_list(rq, reply, &matrix, listed.partition, processes, count);
}

/* ---- the facts ---------------------------------------------------------------------------- */

int fr_get_partition_facts(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_partitions *partitions;
    struct fr_matrix_record matrix;
    struct fr_faults faults;
    struct asked asked;
    const char *text = NULL;
    size_t length = 0;
    char key[120];
    int status;

    faults.count = 0;
    fr_options_read(rq, rq->route->options, &asked, &faults);
    status = fr_matrix_find(rq, reply, &matrix);
    if (status)
        return status;
    if (!faults.count)
        fr_partition_possible(matrix.name, matrix.n, asked.processes, "processes", &faults);
    if (faults.count)
        return fr_reply_faults(reply, &faults);
    snprintf(key, sizeof key, "partition %s %s %" PRId64, matrix.id,
             krylov_partitions[asked.partition], asked.processes);
    if (fr_reply_is_known(rq, reply, key, strlen(key)))
        return 304;
    partitions = fr_partitions_begin(rq, "processes");
    if (partitions)
        text = fr_partitions_text(partitions, &matrix, krylov_partitions[asked.partition],
                                  asked.processes, &length, &faults);
    fr_partitions_end(partitions);
    if (!text)
        return fr_reply_faults(reply, &faults);
    fr_json_raw(&reply->body, text, length);
    return 200;
}
