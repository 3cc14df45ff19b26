/* Reads a matrix once, then divides it among one number of processes after the other. */
#include "server/analyze/analyze.h"

#include "server/analyze/clock.h"
#include "server/matrices/files/matrix.h"

#include <stdio.h>
#include <stdlib.h>

/* Starts the record of a partition. */
static void record(struct fr_writer *w, const char *partition, int64_t processes,
                   const char *status)
{
    fr_record(w, "partition");
    fr_json_pair(w, "partition", partition);
    fr_json_pair_integer(w, "processes", processes);
    fr_json_pair(w, "status", status);
}

static int record_facts(const char *partition, const struct krylov_partition *facts,
                        double owners_s, double messages_s, struct fr_faults *faults)
{
    struct fr_writer body, w;

    fr_writer_init(&body);
    fr_partition_write(&body, facts);
    if (body.failed) {
        fr_writer_free(&body);
        return fr_fault(faults, FR_NOMEM, "/", "no memory to write %zu messages",
                        facts->message_count);
    }
    record(&w, partition, facts->processes, "ready");
    fr_json_pair_number(&w, "owners_s", owners_s);
    fr_json_pair_number(&w, "messages_s", messages_s);
    fr_record_end(&w, (const unsigned char *)body.text, body.length);
    fr_writer_free(&body);
    return FR_OK;
}

static int divide(struct fr_divided *matrix, const char *partition, int32_t processes,
                  int32_t *owner, struct fr_faults *faults)
{
    struct krylov_partition *facts = NULL;
    const double begun_s = fr_clock_s();
    int code = fr_owners_find(matrix, partition, processes, owner, faults);
    const double owned_s = fr_clock_s();

    if (code != FR_OK)
        return code;
    facts = fr_exchange_find(matrix->matrix, owner, processes, faults);
    if (!facts)
        return FR_RELATION;
    code = record_facts(partition, facts, owned_s - begun_s, fr_clock_s() - owned_s, faults);
    krylov_partition_free(facts);
    return code;
}

static void record_failed(const char *partition, int64_t processes, const struct fr_faults *faults)
{
    struct fr_writer w;

    record(&w, partition, processes, "failed");
    fr_json_pair(&w, "reason", faults->fault[0].message);
    fr_record_end(&w, NULL, 0);
}

static int divide_all(const struct fr_analyze_options *options, const struct fr_matrix *matrix,
                      int32_t *owner)
{
    const double first = 0.5, share = (1 - first) / options->process_counts;
    struct fr_divided divided = { .matrix = matrix };
    int failures = 0;

    for (int i = 0; i < options->process_counts; i++) {
        const int32_t processes = options->processes[i];
        struct fr_faults faults = { 0 };
        char stage[32];

        snprintf(stage, sizeof stage, "%s, %d processes", options->partition, processes);
        fr_stage(stage, NULL, first + i * share);
        if (divide(&divided, options->partition, processes, owner, &faults) == FR_OK)
            continue;
        record_failed(options->partition, processes, &faults);
        failures++;
    }
    fr_divided_end(&divided);
    return failures;
}

int fr_partition_run(const struct fr_analyze_options *options)
{
    struct fr_faults faults = { 0 };
    struct fr_matrix *matrix;
    int32_t *owner = NULL;
    int failures = 1;

    fr_stage("reading", NULL, 0);
    matrix = fr_source_open(options, &faults);
    if (matrix && !(owner = malloc(((size_t)matrix->n + 1) * sizeof *owner)))
        fr_fault(&faults, FR_NOMEM, "/", "no memory for the owners of the rows");
    if (owner)
        failures = divide_all(options, matrix, owner);
    else
        fr_record_failed(NULL, &faults);
    free(owner);
    fr_matrix_free(matrix);
    fr_record_finished();
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
