/* Flushes operands by clflush on x86; elsewhere displaces them by a large buffer. */
#include "calibrations/calibrate/blocked/sampler.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "calibrations/calibrate/core/environment.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { LINE = 64, TIMES_THE_CACHE = 4 };
/* Used if the system does not report a size: the last-level cache of a large server of 2020. */
static const size_t assumed_cache = (size_t)64 << 20;

bool fr_cold_has_lines(void)
{
#if defined(__SSE2__)
    return true;
#else
    return false;
#endif
}

static void flush_line(const void *at)
{
#if defined(__SSE2__)
    _mm_clflush(at);
#else
    (void)at;
#endif
}

static void flush_operand(const struct fr_operand *operand, void (*flush)(const void *at))
{
    for (size_t j = 0; j < (size_t)operand->columns; j++) {
        const char *column = (const char *)(operand->at + j * (size_t)operand->leading);
        const char *end = column + (size_t)operand->rows * sizeof(double);

        for (const char *at = column; at < end; at += LINE)
            flush(at);
        flush(end - 1);
    }
}

static void flush_operands(const struct fr_execution *execution, void (*flush)(const void *at))
{
    for (size_t i = 0; i < execution->executor->operands; i++)
        flush_operand(&execution->operand[i], flush);
#if defined(__SSE2__)
    _mm_mfence();
#endif
}

static size_t last_level_bytes(void)
{
    struct fr_cache_levels cache;

    return fr_cache_levels_find(&cache) == 0 ? (size_t)cache.level[cache.count - 1].capacity_bytes
                                             : assumed_cache;
}

int fr_cold_open(struct fr_cold *cold, bool by_lines)
{
    const size_t bytes = TIMES_THE_CACHE * last_level_bytes();
    void *buffer;

    assert(!by_lines || fr_cold_has_lines());
    *cold = (struct fr_cold){ 0 };
    if (by_lines) {
        cold->flush = flush_line;
        return 0;
    }
    buffer = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (buffer == MAP_FAILED)
        return -1;
    /* Pages that were never written are all mapped to the same zero page. */
    memset(buffer, 1, bytes);
    *cold = (struct fr_cold){ .buffer = buffer, .bytes = bytes };
    return 0;
}

void fr_cold_close(struct fr_cold *cold)
{
    if (cold->buffer)
        munmap(cold->buffer, cold->bytes);
    *cold = (struct fr_cold){ 0 };
}

void fr_cold_make(const struct fr_cold *cold, const struct fr_execution *execution)
{
    if (cold->flush) {
        flush_operands(execution, cold->flush);
        return;
    }
    /* Writes displace lines even from a cache that prefers to keep frequently read ones. */
    for (size_t at = 0; at < cold->bytes; at += LINE)
        cold->buffer[at]++;
}
