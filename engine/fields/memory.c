/* Fields of `memory`: memory and caches. */
#include "engine/fields/fields.h"

#define CACHE struct fr_cache_level
static const char *const cache_policies[] = { "lru", "fifo", NULL };
static const struct fr_field cache[] = {
    TEXT(CACHE, name, .flags = FR_FIELD_NEEDED | FR_FIELD_NAME,
         .doc = "Name of the level, such as L1."),
    NUMBER(CACHE, capacity_bytes, .unit = "bytes", .flags = FR_FIELD_NEEDED,
           .doc = "Capacity that one core sees."),
    NUMBER(CACHE, line_bytes, .unit = "bytes", .flags = FR_FIELD_NEEDED,
           .doc = "Bytes of a cache line."),
    CHOICE(CACHE, policy, cache_policies, .flags = FR_FIELD_NEEDED,
           .doc = "What is replaced: the least recently used line, or the oldest."),
    NUMBER(CACHE, latency_s, .unit = "s", .scaling = FR_SCALE_VALUE, .flags = FR_FIELD_NEEDED,
           .doc = "Latency of the level."),
    END,
};
#define MEM(f) AT(#f, CAL, memory.f)
const struct fr_field fr_fields_memory[] = {
    { MEM(node_bandwidth_bytes_per_s), .kind = FR_FIELD_NUMBER, .unit = "bytes/s",
      .scaling = FR_SCALE_BANDWIDTH, .doc = "Memory bandwidth of a node, all cores." },
    { MEM(core_bandwidth_bytes_per_s), .kind = FR_FIELD_NUMBER, .unit = "bytes/s",
      .scaling = FR_SCALE_BANDWIDTH, .doc = "Memory bandwidth of one core alone." },
    { MEM(index_bytes), .kind = FR_FIELD_NUMBER, .unit = "bytes",
      .doc = "Bytes of a column index in a sparse matrix." },
    { MEM(caches), .kind = FR_FIELD_TABLE, .size = sizeof(CACHE), .fields = cache,
      .doc = "Inner level first." },
    { MEM(memory_latency_s), .kind = FR_FIELD_NUMBER, .unit = "s", .scaling = FR_SCALE_VALUE,
      .doc = "Latency of memory where the TLB hits." },
    { MEM(memory_latency_tlb_miss_s), .kind = FR_FIELD_NUMBER, .unit = "s",
      .scaling = FR_SCALE_VALUE, .doc = "Latency of memory where the TLB misses." },
    END,
};
