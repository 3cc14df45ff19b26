/* Fuzzes the output of forerun-analyze, of an ordering and of partitions. In one piece or byte by
 * byte it means the same; bounds hold and a broken output has a reason. */
#include "tests/fuzz/setting.h"

#include "server/matrices/analyses.h"
#include "server/matrices/files/matrix.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 4096 };

/* What was passed on, as a sum that depends on the order. */
static void take_partition(void *context, const struct fr_found_partition *found)
{
    struct fr_faults faults = { 0 };
    uint64_t *sum = context;

    *sum = *sum * 31 + found->part;
    if (found->reason) {
        *sum += strlen(found->reason);
        return;
    }
    if (!found->length || found->length > MOST_BYTES)
        abort();
    for (size_t i = 0; i < found->length; i++)
        *sum = *sum * 31 + (unsigned char)found->text[i];
    krylov_partition_free(fr_partition_read(found->text, found->length, &faults));
}

static void take(struct fr_analysis_stream *stream, const struct fr_matrix_task *task,
                 const uint8_t *data, size_t size, size_t piece, uint64_t *sum)
{
    *sum = 0;
    fr_analysis_stream_begin(stream, task, MOST_BYTES);
    stream->take_partition = take_partition;
    stream->context = sum;
    for (size_t at = 0; at < size; at += piece)
        fr_analysis_stream_take(stream, (const char *)data + at,
                                size - at < piece ? size - at : piece);
    if (stream->length > MOST_BYTES || stream->permutations_length > MOST_BYTES ||
        (stream->is_broken && !stream->reason[0]))
        abort();
}

static void check(const struct fr_matrix_task *task, const uint8_t *data, size_t size)
{
    struct fr_analysis_stream whole, pieces;
    uint64_t sum, again;

    take(&whole, task, data, size, size ? size : 1, &sum);
    take(&pieces, task, data, size, 1, &again);
    if (whole.is_broken != pieces.is_broken || whole.has_result != pieces.has_result ||
        whole.has_ended != pieces.has_ended || whole.length != pieces.length ||
        whole.permutations_length != pieces.permutations_length ||
        whole.partitions != pieces.partitions || sum != again ||
        strcmp(whole.reason, pieces.reason) != 0)
        abort();
    fr_analysis_stream_free(&whole);
    fr_analysis_stream_free(&pieces);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct fr_matrix_task ordering = { .id = "0123456789abcdef",
                                                    .ordering = "metis",
                                                    .n = 5 };
    static const struct fr_matrix_task partitions = { .id = "0123456789abcdef",
                                                      .partition = "contiguous",
                                                      .n = 5,
                                                      .processes = { 1, 3 },
                                                      .parts = 2 };

    check(&ordering, data, size);
    check(&partitions, data, size);
    return 0;
}
