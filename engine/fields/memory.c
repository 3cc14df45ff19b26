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
static const struct fr_field streams[] = {
    NUMBER(struct fr_memory_stream, max_operand_bytes, .unit = "bytes",
           .flags = FR_FIELD_NEEDED | FR_FIELD_NULL | FR_FIELD_RISING,
           .doc = "Limit of the largest operand, exclusive; null for the last."),
    NUMBER(struct fr_memory_stream, bandwidth_bytes_per_s, .unit = "bytes/s",
           .scaling = FR_SCALE_BANDWIDTH, .flags = FR_FIELD_NEEDED,
           .doc = "Bytes read and written a second by vector operations of one core."),
    END,
};
static const struct fr_field row_swaps[] = {
    NUMBER(struct fr_row_swap, max_matrix_bytes, .unit = "bytes",
           .flags = FR_FIELD_NEEDED | FR_FIELD_NULL | FR_FIELD_RISING,
           .doc = "Limit of what a process has of the matrix, exclusive; null for the last."),
    NUMBER(struct fr_row_swap, element_s, .unit = "s", .scaling = FR_SCALE_VALUE,
           .flags = FR_FIELD_NEEDED, .doc = "Time to read and write an element of a row."),
    NUMBER(struct fr_row_swap, packed_element_s, .unit = "s", .scaling = FR_SCALE_VALUE,
           .doc = "Time to pack an element of a row into a message, and to unpack one into the "
                  "row; element_s where it is not given."),
    NUMBER(struct fr_row_swap, page_element_s, .unit = "s", .scaling = FR_SCALE_VALUE,
           .doc = "element_s where columns are a multiple of 4096 bytes apart; the same where it "
                  "is not given."),
    NUMBER(struct fr_row_swap, page_packed_element_s, .unit = "s", .scaling = FR_SCALE_VALUE,
           .doc = "packed_element_s where columns are a multiple of 4096 bytes apart; the same "
                  "where it is not given."),
    END,
};
const struct fr_field fr_fields_memory[] = {
    IN(CAL, memory, NUMBER, node_bandwidth_bytes_per_s, .unit = "bytes/s",
       .scaling = FR_SCALE_BANDWIDTH, .doc = "Memory bandwidth of a node, all cores."),
    IN(CAL, memory, NUMBER, core_bandwidth_bytes_per_s, .unit = "bytes/s",
       .scaling = FR_SCALE_BANDWIDTH, .doc = "Memory bandwidth of one core alone."),
    IN(CAL, memory, NUMBER, index_bytes, .unit = "bytes",
       .doc = "Bytes of a column index in a sparse matrix."),
    IN(CAL, memory, TABLE, caches, .size = sizeof(CACHE), .fields = cache,
       .doc = "Inner level first."),
    IN(CAL, memory, NUMBER, memory_latency_s, .unit = "s", .scaling = FR_SCALE_VALUE,
       .doc = "Latency of memory where the TLB hits."),
    IN(CAL, memory, NUMBER, memory_latency_tlb_miss_s, .unit = "s", .scaling = FR_SCALE_VALUE,
       .doc = "Latency of memory where the TLB misses."),
    IN(CAL, memory, TABLE, streams, .size = sizeof(struct fr_memory_stream), .fields = streams,
       .doc = "Bandwidth of one core by the size of the largest operand."),
    IN(CAL, memory, NUMBER, call_s, .unit = "s", .scaling = FR_SCALE_VALUE, .flags = FR_FIELD_ZERO,
       .doc = "Time of a vector operation on one element."),
    IN(CAL, memory, NUMBER, line_bytes, .unit = "bytes",
       .doc = "Bytes that memory moves for an element reached with a stride."),
    IN(CAL, memory, TABLE, row_swaps, .size = sizeof(struct fr_row_swap), .fields = row_swaps,
       .doc = "Exchanges of rows by the size of the matrix."),
    IN(CAL, memory, NUMBER, row_element_s, .unit = "s", .scaling = FR_SCALE_VALUE,
       .doc = "The same of a matrix that fits in no cache; read without row_swaps."),
    END,
};
