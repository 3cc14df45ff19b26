/* Hash tables by tag with open addressing; they grow when half full. */
#include "tests/programs/cnc/parts.h"

#include "calibrations/calibrate/core/document.h"

static size_t place_of(struct cnc_tag tag, size_t capacity)
{
    const uint64_t key = ((uint64_t)(uint32_t)tag.i * 0x9e3779b97f4a7c15u) ^
                         ((uint64_t)(uint32_t)tag.j * 0xc2b2ae3d27d4eb4fu) ^
                         ((uint64_t)(uint32_t)tag.k * 0x165667b19e3779f9u);

    return (size_t)(key >> 20) & (capacity - 1);
}

static bool is_tag(const struct cnc_tag *a, const struct cnc_tag *b)
{
    return a->i == b->i && a->j == b->j && a->k == b->k;
}

static size_t seek(const struct cnc_table *table, const struct cnc_tag *tag)
{
    size_t at = place_of(*tag, table->capacity);

    while (table->slot[at] && !is_tag(table->slot[at], tag))
        at = (at + 1) & (table->capacity - 1);
    return at;
}

static void grow(struct cnc_table *table)
{
    struct cnc_table wider = { .capacity = table->capacity ? 2 * table->capacity : 64,
                               .count = table->count };

    wider.slot = cnc_room(wider.capacity, sizeof *wider.slot);
    for (size_t i = 0; i < table->capacity; i++)
        if (table->slot[i])
            wider.slot[seek(&wider, table->slot[i])] = table->slot[i];
    fr_record_free(table->slot);
    *table = wider;
}

void *cnc_table_find(struct cnc_table *table, struct cnc_tag tag, size_t size)
{
    size_t at;

    if (2 * table->count >= table->capacity)
        grow(table);
    at = seek(table, &tag);
    if (!table->slot[at]) {
        table->slot[at] = cnc_room(1, size);
        *(struct cnc_tag *)table->slot[at] = tag;
        table->count++;
    }
    return table->slot[at];
}

void cnc_table_free(struct cnc_table *table)
{
    for (size_t i = 0; i < table->capacity; i++)
        fr_record_free(table->slot[i]);
    fr_record_free(table->slot);
}
