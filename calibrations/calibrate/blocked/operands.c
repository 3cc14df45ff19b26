/* Lays out the operands of sampled calls and fills them on demand. */
#include "calibrations/calibrate/blocked/sampler.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static size_t larger_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The operand that is overwritten is always in the last place. */
static size_t place_of(const struct fr_execution *execution, size_t operand)
{
    return operand + 1 == execution->executor->operands ? FR_OPERANDS_MAX - 1 : operand;
}

static size_t elements_of(const struct fr_operand *operand, int leading)
{
    if (!operand->rows || !operand->columns)
        return 0;
    return (size_t)leading * (size_t)(operand->columns - 1) + (size_t)operand->rows;
}

/* Bytes of the pages touched; columns that are far apart begin and end on pages of their own. */
static size_t bytes_touched(const struct fr_operand *operand)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);

    return (size_t)operand->columns * ((size_t)operand->rows * sizeof(double) + 2 * page);
}

void fr_extent_add(struct fr_extent *extent, const struct blocked_call *call,
                   const struct fr_layout *layout)
{
    const struct fr_execution execution = fr_execution_of(call);

    for (size_t i = 0; i < execution.executor->operands; i++) {
        const struct fr_operand *operand = &execution.operand[i];
        const size_t p = place_of(&execution, i);
        const int leading = layout ? layout->leading[i] : 0;

        extent->largest = larger(extent->largest, larger(operand->rows, operand->columns));
        extent->place[p].rows = larger(extent->place[p].rows, operand->rows);
        extent->place[p].columns = larger(extent->place[p].columns, operand->columns);
        extent->place[p].bytes = larger_size(extent->place[p].bytes, bytes_touched(operand));
        if (leading)
            extent->place[p].elements =
                larger_size(extent->place[p].elements, elements_of(operand, leading));
        else
            extent->place[p].default_columns =
                larger(extent->place[p].default_columns, operand->columns);
    }
}

int fr_leading_default(int largest)
{
    const int leading = larger(FR_LEADING, largest);

    return leading % 256 ? leading : leading + 8;
}

/* A hash of (i, j), uniform in [-0.5, 0.5) and symmetric, so that a symmetric matrix can be written
 * column by column. */
static double noise(uint64_t i, uint64_t j)
{
    /* The last steps of splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
     * generators"). */
    uint64_t x = (i + j + 1) * UINT64_C(0x9E3779B97F4A7C15) + i * j;

    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    x ^= x >> 31;
    return (double)(x >> 11) * 0x1p-53 - 0.5;
}

static void fill(const struct fr_operand_memory *memory, double *column, int j, int from, int rows)
{
    for (int i = from; i < rows; i++)
        column[i] = (i == j) + memory->scale * noise((uint64_t)i, (uint64_t)j);
}

static size_t half_of_all_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

    return pages > 0 && page > 0 ? (size_t)pages * (size_t)page / 2 : SIZE_MAX / 2;
}

static size_t whole_pages(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);

    return (bytes + page - 1) / page * page;
}

static int refuse(const struct fr_extent *extent, size_t bytes, const char *reason, char *why)
{
    int rows = 0, columns = 0;

    for (size_t p = 0; p < FR_OPERANDS_MAX; p++) {
        rows = larger(rows, extent->place[p].rows);
        columns = larger(columns, extent->place[p].columns);
    }
    snprintf(why, BLOCKED_WHY_BYTES,
             "operands of up to %d x %d need %.3g GB: %s; use smaller sizes", rows, columns,
             (double)bytes / 1e9, reason);
    return -1;
}

/* Computes the elements of each place and all bytes; returns the bytes that calls touch. */
static size_t lay_out(const struct fr_extent *extent, int leading, size_t elements[FR_OPERANDS_MAX],
                      size_t *bytes)
{
    size_t touched = 0;

    *bytes = 0;
    for (size_t p = 0; p < FR_OPERANDS_MAX; p++) {
        const size_t columns = (size_t)extent->place[p].columns * sizeof(int);
        size_t span;

        elements[p] = larger_size(extent->place[p].elements,
                                  (size_t)leading * (size_t)extent->place[p].default_columns);
        span = whole_pages(elements[p] * sizeof(double));
        *bytes += span + whole_pages(columns);
        touched +=
            whole_pages(columns) + (extent->place[p].bytes < span ? extent->place[p].bytes : span);
    }
    /* Pivots. */
    *bytes += whole_pages((size_t)extent->largest * sizeof(int));
    return touched + whole_pages((size_t)extent->largest * sizeof(int));
}

int fr_operand_memory_open(struct fr_operand_memory *memory, const struct fr_extent *extent,
                           char why[BLOCKED_WHY_BYTES])
{
    const int leading = fr_leading_default(extent->largest);
    size_t elements[FR_OPERANDS_MAX], bytes;
    const size_t touched = lay_out(extent, leading, elements, &bytes);
    unsigned char *pages;

    if (touched > half_of_all_memory())
        return refuse(extent, touched, "more than half of this computer's memory", why);
    pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
    if (pages == MAP_FAILED)
        return refuse(extent, bytes, strerror(errno), why);
    /* Huge pages would also bring in the gaps between the columns. */
    if (touched < bytes / 2)
        madvise(pages, bytes, MADV_NOHUGEPAGE);
    *memory = (struct fr_operand_memory){
        .leading = leading, .scale = 0.1 / extent->largest, .pages = pages, .bytes = bytes
    };
    for (size_t p = 0; p < FR_OPERANDS_MAX; p++) {
        const int columns = extent->place[p].columns;

        memory->room[p] = (struct fr_operand_room){
            .at = (double *)pages, .elements = elements[p], .leading = leading, .columns = columns
        };
        pages += whole_pages(elements[p] * sizeof(double));
        memory->room[p].filled = (int *)pages;
        pages += whole_pages((size_t)columns * sizeof(int));
    }
    memory->pivots = (int *)pages;
    return 0;
}

void fr_operand_memory_close(struct fr_operand_memory *memory)
{
    if (memory->pages)
        munmap(memory->pages, memory->bytes);
    *memory = (struct fr_operand_memory){ 0 };
}

/* Fills the elements that are not set yet, so that alternating calls do not repeat the work. */
static void fill_missing(const struct fr_operand_memory *memory, struct fr_operand_room *room,
                         const struct fr_operand *operand)
{
    if (room->leading != operand->leading) {
        room->leading = operand->leading;
        memset(room->filled, 0, (size_t)room->columns * sizeof *room->filled);
    }
    for (int j = 0; j < operand->columns; j++) {
        fill(memory, room->at + (size_t)j * (size_t)operand->leading, j, room->filled[j],
             operand->rows);
        room->filled[j] = larger(room->filled[j], operand->rows);
    }
}

void fr_operand_memory_place(struct fr_operand_memory *memory, const struct fr_layout *layout,
                             struct fr_execution *execution)
{
    const size_t operands = execution->executor->operands;

    for (size_t i = 0; i < operands; i++) {
        struct fr_operand_room *room = &memory->room[place_of(execution, i)];
        struct fr_operand *operand = &execution->operand[i];
        const int asked = layout ? layout->leading[i] : 0;

        operand->leading = asked ? asked : memory->leading;
        assert(operand->rows <= operand->leading && operand->columns <= room->columns);
        assert(elements_of(operand, operand->leading) <= room->elements);
        operand->at = room->at;
        if (i + 1 < operands)
            fill_missing(memory, room, operand);
    }
    execution->pivots = memory->pivots;
}

void fr_operand_memory_refresh(const struct fr_operand_memory *memory,
                               const struct fr_execution *execution)
{
    const struct fr_operand *operand = &execution->operand[execution->executor->operands - 1];

    for (int j = 0; j < operand->columns; j++)
        fill(memory, operand->at + (size_t)j * (size_t)operand->leading, j, 0, operand->rows);
}
