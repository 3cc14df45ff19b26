#include "operands.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int larger(int a, int b)
{
    return a > b ? a : b;
}

void fr_extent_add(struct fr_extent *extent, const struct blocked_call *call,
                   const struct fr_layout *layout)
{
    const struct fr_execution execution = fr_execution_of(call);

    for (size_t i = 0; i < execution.executor->operands; i++) {
        extent->rows = larger(extent->rows, execution.operand[i].rows);
        extent->columns = larger(extent->columns, execution.operand[i].columns);
        if (layout)
            extent->leading = larger(extent->leading, layout->leading[i]);
    }
}

int fr_leading_default(int largest)
{
    const int leading = larger(FR_LEADING, largest);

    return leading % 256 ? leading : leading + 8;
}

/* Uniform in [-0.5, 0.5), the same for (i, j) and (j, i), from both alone: so a symmetric matrix is
 * written column by column. */
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

static void fill(const struct fr_operand_memory *memory)
{
    const int rows = memory->extent.rows, columns = memory->extent.columns;
    const double scale = 0.1 / larger(rows, columns);

    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            memory->source[i + (size_t)j * (size_t)memory->leading] =
                (i == j) + scale * noise((uint64_t)i, (uint64_t)j);
}

static void copy_source(const struct fr_operand_memory *memory, const struct fr_operand *to)
{
    for (size_t j = 0; j < (size_t)to->columns; j++)
        memcpy(to->at + j * (size_t)to->leading, memory->source + j * (size_t)memory->leading,
               (size_t)to->rows * sizeof *to->at);
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
    snprintf(why, BLOCKED_WHY_BYTES,
             "operands of up to %d x %d need %.3g GB: %s; smaller sizes would do", extent->rows,
             extent->columns, (double)bytes / 1e9, reason);
    return -1;
}

int fr_operand_memory_open(struct fr_operand_memory *memory, const struct fr_extent *extent,
                           char why[BLOCKED_WHY_BYTES])
{
    enum { MATRICES = FR_OPERANDS_MAX + 1 };
    const int leading = fr_leading_default(larger(extent->rows, extent->columns));
    const size_t elements = (size_t)larger(leading, extent->leading) * (size_t)extent->columns;
    const size_t matrix = whole_pages(elements * sizeof(double));
    const size_t bytes = MATRICES * matrix + whole_pages((size_t)extent->columns * sizeof(int));
    unsigned char *pages;

    if (bytes > half_of_all_memory())
        return refuse(extent, bytes, "more than half of this computer's memory", why);
    pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return refuse(extent, bytes, strerror(errno), why);
    *memory = (struct fr_operand_memory){ .extent = *extent,
                                          .leading = leading,
                                          .source = (double *)pages,
                                          .work = (double *)(pages + matrix),
                                          .pivots = (int *)(pages + MATRICES * matrix),
                                          .pages = pages,
                                          .bytes = bytes };
    fill(memory);
    for (int i = 0; i < FR_OPERANDS_MAX - 1; i++) {
        memory->read[i] = (struct fr_operand){ .at = (double *)(pages + (size_t)(2 + i) * matrix),
                                               .rows = extent->rows,
                                               .columns = extent->columns,
                                               .leading = leading };
        copy_source(memory, &memory->read[i]);
    }
    /* No page of what is overwritten may come into being while the clock runs. */
    copy_source(memory,
                &(struct fr_operand){ memory->work, extent->rows, extent->columns, leading });
    memset(memory->pivots, 0, (size_t)extent->columns * sizeof(int));
    return 0;
}

void fr_operand_memory_close(struct fr_operand_memory *memory)
{
    if (memory->pages)
        munmap(memory->pages, memory->bytes);
    *memory = (struct fr_operand_memory){ 0 };
}

/* The matrix that an operand which is read lies in, laid out for it. */
static double *read_from(const struct fr_operand_memory *memory, struct fr_operand *held,
                         const struct fr_operand *operand)
{
    if (held->leading != operand->leading || held->rows < operand->rows ||
        held->columns < operand->columns) {
        held->leading = operand->leading;
        held->rows = operand->rows;
        held->columns = operand->columns;
        copy_source(memory, held);
    }
    return held->at;
}

void fr_operand_memory_place(struct fr_operand_memory *memory, const struct fr_layout *layout,
                             struct fr_execution *execution)
{
    const size_t last = execution->executor->operands - 1;

    for (size_t i = 0; i <= last; i++) {
        struct fr_operand *operand = &execution->operand[i];
        const int asked = layout ? layout->leading[i] : 0;

        operand->leading = asked ? asked : memory->leading;
        assert(operand->rows <= memory->extent.rows && operand->rows <= operand->leading);
        assert(operand->columns <= memory->extent.columns);
        assert(operand->leading <= larger(memory->leading, memory->extent.leading));
        operand->at = i == last ? memory->work : read_from(memory, &memory->read[i], operand);
    }
    execution->pivots = memory->pivots;
}

void fr_operand_memory_refresh(const struct fr_operand_memory *memory,
                               const struct fr_execution *execution)
{
    copy_source(memory, &execution->operand[execution->executor->operands - 1]);
}
