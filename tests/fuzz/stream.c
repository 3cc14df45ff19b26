/* Fuzzes the output of forerun-analyze. In one piece or byte by byte it means the same; bounds hold
 * and a broken output has a reason. */
#include "tests/fuzz/setting.h"

#include "server/matrices/analysis_stream.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 4096 };

static void take(struct fr_analysis_stream *stream, const uint8_t *data, size_t size, size_t piece)
{
    static const struct fr_matrix_task task = { .id = "0123456789abcdef",
                                                .ordering = "metis",
                                                .n = 5 };

    fr_analysis_stream_begin(stream, &task, MOST_BYTES);
    for (size_t at = 0; at < size; at += piece)
        fr_analysis_stream_take(stream, (const char *)data + at,
                                size - at < piece ? size - at : piece);
    if (stream->length > MOST_BYTES || stream->permutations_length > MOST_BYTES ||
        (stream->is_broken && !stream->reason[0]))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fr_analysis_stream whole, pieces;

    take(&whole, data, size, size ? size : 1);
    take(&pieces, data, size, 1);
    if (whole.is_broken != pieces.is_broken || whole.has_result != pieces.has_result ||
        whole.has_ended != pieces.has_ended || whole.length != pieces.length ||
        whole.permutations_length != pieces.permutations_length ||
        strcmp(whole.reason, pieces.reason) != 0)
        abort();
    fr_analysis_stream_free(&whole);
    fr_analysis_stream_free(&pieces);
    return 0;
}
