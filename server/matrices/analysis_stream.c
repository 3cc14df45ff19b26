/* A state machine over lines and the bytes that follow some of them. */
#include "server/matrices/analyses.h"

#include "server/matrices/files/matrix.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64 * 1024 };

void fr_analysis_stream_begin(struct fr_analysis_stream *stream, const struct fr_matrix_task *task,
                              size_t most_bytes)
{
    memset(stream, 0, sizeof *stream);
    stream->task = task;
    stream->most_bytes = most_bytes;
    stream->structural_rank = -1;
}

void fr_analysis_stream_free(struct fr_analysis_stream *stream)
{
    free(stream->bytes);
    free(stream->permutations);
    stream->bytes = stream->permutations = NULL;
    stream->length = stream->room = stream->wanted = stream->permutations_length = 0;
}

static void give_up(struct fr_analysis_stream *stream, const char *format, ...) FR_PRINTF(2, 3);
static void give_up(struct fr_analysis_stream *stream, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(stream->reason, sizeof stream->reason, format, arguments);
    va_end(arguments);
    stream->is_broken = true;
    fr_analysis_stream_free(stream);
}

static void fail(struct fr_analysis_stream *stream, const char *reason)
{
    stream->has_result = true;
    stream->result.status = FR_MATRIX_FAILED;
    snprintf(stream->reason, sizeof stream->reason, "%s", *reason ? reason : "no reason given");
}

static void take_result(struct fr_analysis_stream *stream, const struct fr_analysis_record *record)
{
    if (stream->has_result || !stream->task->ordering ||
        strcmp(record->ordering, stream->task->ordering) != 0)
        give_up(stream, "it reported %s, which was not requested", record->ordering);
    else if (strcmp(record->status, "ready") != 0)
        fail(stream, record->reason);
    else if (!record->bytes)
        give_up(stream, "it found no block structure");
    else if ((uint64_t)record->bytes > stream->most_bytes)
        give_up(stream,
                "the block structure has %" PRId64 " bytes, more than %zu; the operator may raise "
                "analysis_output_bytes",
                record->bytes, stream->most_bytes);
    if (stream->is_broken || stream->has_result)
        return;
    stream->result = record->result;
    stream->result.status = FR_MATRIX_READY;
    stream->wanted = (size_t)record->bytes;
}

static void take_permutations(struct fr_analysis_stream *stream,
                              const struct fr_analysis_record *record)
{
    if (stream->has_result || stream->permutations || !stream->task->ordering ||
        strcmp(record->ordering, stream->task->ordering) != 0)
        give_up(stream, "it reported permutations of %s, which were not requested",
                record->ordering);
    else if (!record->bytes ||
             (uint64_t)record->bytes > fr_permutations_most_bytes(stream->task->n))
        give_up(stream, "it reported %" PRId64 " bytes of permutations", record->bytes);
    else
        stream->wanted = (size_t)record->bytes;
    stream->is_permuting = stream->wanted > 0;
}

/* All bytes of the permutations are there; those of the structure follow later. */
static void keep_permutations(struct fr_analysis_stream *stream)
{
    stream->permutations = stream->bytes;
    stream->permutations_length = stream->length;
    stream->bytes = NULL;
    stream->length = stream->room = 0;
    stream->is_permuting = false;
}

/* Passes a partition on, and its facts unless it failed. */
static void pass_partition(struct fr_analysis_stream *stream, const char *reason)
{
    const struct fr_found_partition found = {
        .part = stream->partitions++,
        .reason = reason,
        .text = (const char *)stream->bytes,
        .length = stream->length,
        .seconds = stream->seconds,
    };

    stream->take_partition(stream->context, &found);
    stream->length = 0;
    stream->has_result = stream->partitions == stream->task->parts;
}

static void take_partition(struct fr_analysis_stream *stream,
                           const struct fr_analysis_record *record)
{
    const struct fr_matrix_task *task = stream->task;

    if (!task->partition || stream->partitions == task->parts ||
        strcmp(record->partition, task->partition) != 0 ||
        record->processes != task->processes[stream->partitions]) {
        give_up(stream, "it reported %s among %" PRId64 " processes, which was not requested",
                record->partition, record->processes);
        return;
    }
    stream->seconds = record->owners_s + record->messages_s;
    if (strcmp(record->status, "ready") != 0)
        pass_partition(stream, *record->reason ? record->reason : "no reason given");
    else if (!record->bytes)
        give_up(stream, "it found no facts of the partition");
    else if ((uint64_t)record->bytes > stream->most_bytes)
        give_up(stream,
                "the facts have %" PRId64 " bytes, more than %zu; use fewer processes, or have the "
                "operator raise analysis_output_bytes",
                record->bytes, stream->most_bytes);
    else
        stream->wanted = (size_t)record->bytes;
}

static void take_facts(struct fr_analysis_stream *stream, const struct fr_analysis_record *record)
{
    if (record->n != stream->task->n || record->structural_rank > stream->task->n) {
        give_up(stream, "it reported facts of another matrix");
        return;
    }
    stream->has_facts = true;
    stream->structural_rank = record->structural_rank;
    snprintf(stream->row_permutation, sizeof stream->row_permutation, "%s",
             record->row_permutation);
}

static void take_fronts(struct fr_analysis_stream *stream, const struct fr_analysis_record *record)
{
    struct sparse_mumps *fronts = &stream->fronts[stream->front_counts];

    if (!stream->task->ordering || strcmp(record->ordering, stream->task->ordering) != 0 ||
        record->processes < 1 || stream->front_counts == FR_STREAM_FRONTS) {
        give_up(stream, "it reported fronts of %s on %" PRId64 " processes, which nobody wants",
                record->ordering, record->processes);
        return;
    }
    *fronts = (struct sparse_mumps){ .tree = record->tree, .share = record->share };
    fronts->tree.flops = record->result.flops;
    fronts->share.processes = record->processes;
    stream->front_counts++;
}

static void take_record(struct fr_analysis_stream *stream, const struct fr_analysis_record *record)
{
    switch (record->kind) {
    case FR_RECORD_PROGRESS:
        stream->fraction = record->fraction < 1 ? record->fraction : 1;
        snprintf(stream->stage, sizeof stream->stage, "%s", record->stage);
        break;
    case FR_RECORD_FACTS:
        take_facts(stream, record);
        break;
    case FR_RECORD_PERMUTATIONS:
        take_permutations(stream, record);
        break;
    case FR_RECORD_ORDERING:
        take_result(stream, record);
        break;
    case FR_RECORD_FRONTS:
        take_fronts(stream, record);
        break;
    case FR_RECORD_PARTITION:
        take_partition(stream, record);
        break;
    case FR_RECORD_FAILED:
        fail(stream, record->reason);
        break;
    case FR_RECORD_END:
        stream->has_ended = true;
        break;
    }
}

static void take_line(struct fr_analysis_stream *stream)
{
    struct fr_analysis_record record;
    char why[80];

    if (fr_analysis_record_read(stream->line, stream->line_length, &record, why, sizeof why))
        take_record(stream, &record);
    else
        give_up(stream, "it wrote a line that is not a record: %s", why);
    stream->line_length = 0;
}

/* Takes the current line; returns how much of the piece belongs to it. */
static size_t take_text(struct fr_analysis_stream *stream, const char *piece, size_t length)
{
    const char *end = memchr(piece, '\n', length);
    const size_t part = end ? (size_t)(end - piece) : length;

    stream->lines += part + 1;
    if (part > sizeof stream->line - stream->line_length) {
        give_up(stream, "it wrote a line of more than %zu bytes", sizeof stream->line);
        return length;
    }
    if (stream->lines > FR_STREAM_LINES_BYTES) {
        give_up(stream, "it wrote more than %d bytes of records", FR_STREAM_LINES_BYTES);
        return length;
    }
    memcpy(stream->line + stream->line_length, piece, part);
    stream->line_length += part;
    if (!end)
        return part;
    take_line(stream);
    return part + 1;
}

/* The buffer grows with the bytes received, not with the announced count. */
static bool make_room(struct fr_analysis_stream *stream, size_t more)
{
    size_t room = stream->room ? stream->room : FIRST_ROOM;
    unsigned char *bytes;

    while (room < stream->length + more)
        room *= 2;
    if (room == stream->room)
        return true;
    bytes = realloc(stream->bytes, room);
    if (!bytes)
        return false;
    stream->bytes = bytes;
    stream->room = room;
    return true;
}

static size_t take_bytes(struct fr_analysis_stream *stream, const char *piece, size_t length)
{
    const size_t part = length < stream->wanted ? length : stream->wanted;

    if (!make_room(stream, part)) {
        give_up(stream, "the daemon has no memory for a result of %zu bytes",
                stream->length + stream->wanted);
        return length;
    }
    memcpy(stream->bytes + stream->length, piece, part);
    stream->length += part;
    stream->wanted -= part;
    if (stream->is_permuting && stream->wanted == 0)
        keep_permutations(stream);
    else if (stream->is_permuting)
        return part;
    else if (stream->wanted == 0 && stream->task->partition)
        pass_partition(stream, NULL);
    else
        stream->has_result = stream->wanted == 0;
    return part;
}

void fr_analysis_stream_take(struct fr_analysis_stream *stream, const char *piece, size_t length)
{
    while (length && !stream->is_broken && !stream->has_ended) {
        const size_t part =
            stream->wanted ? take_bytes(stream, piece, length) : take_text(stream, piece, length);

        piece += part;
        length -= part;
    }
}
