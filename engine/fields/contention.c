/* Fields of `contention`: what messages cost when many travel at once. */
#include "fields/fields.h"

static const struct fr_field average_factor[] = {
    COUNT(struct fr_factor, processes, .doc = "Processes that sent at once; absent: any."),
    COUNT(struct fr_factor, distance, .flags = FR_FIELD_NEEDED,
          .doc = "Ranks between sender and receiver."),
    NUMBER(struct fr_factor, factor, .unit = "1", .scaling = FR_SCALE_VALUE,
           .flags = FR_FIELD_NEEDED, .doc = "Time over that of an uncontended message."),
    END,
};
static const struct fr_field maximum_factor[] = {
    COUNT(struct fr_factor, processes, .flags = FR_FIELD_NEEDED,
          .doc = "Processes that sent at once."),
    COUNT(struct fr_factor, distance, .flags = FR_FIELD_NEEDED,
          .doc = "Ranks between sender and receiver."),
    NUMBER(struct fr_factor, factor, .unit = "1", .scaling = FR_SCALE_VALUE,
           .flags = FR_FIELD_NEEDED,
           .doc = "Time of the slowest over that of an uncontended message."),
    END,
};
const char *const fr_pattern_names[] = {
    [FR_SHIFT_ROW] = "shift_row",
    [FR_SHIFT_COLUMN] = "shift_column",
    [FR_SHIFT_PAIR] = "shift_pair",
    [FR_DISTRIBUTE] = "distribute",
    [FR_REDUCE_LAYERS] = "reduce_layers",
    [FR_BROADCAST_ROW] = "broadcast_row",
    [FR_BROADCAST_COLUMN] = "broadcast_column",
    [FR_BROADCAST_ROW_ROTATING] = "broadcast_row_rotating",
    [FR_BROADCAST_COLUMN_ROTATING] = "broadcast_column_rotating",
    [FR_BROADCAST_COLUMN_DIAGONAL] = "broadcast_column_diagonal",
    [FR_BROADCAST_COLUMN_ALONE] = "broadcast_column_alone",
    [FR_BARRIER] = "barrier",
    NULL,
};
static const struct fr_field pattern[] = {
    CHOICE(struct fr_pattern, pattern, fr_pattern_names, .flags = FR_FIELD_NEEDED,
           .doc = "Name of the pattern."),
    COUNT(struct fr_pattern, processes, .flags = FR_FIELD_NEEDED, .doc = "Processes of the job."),
    COUNT(struct fr_pattern, layers, .flags = FR_FIELD_NEEDED,
          .doc = "Layers that the processes form, each a square grid."),
    NUMBER(struct fr_pattern, message_bytes, .unit = "bytes",
           .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO, .doc = "Bytes of a message; 0 for barrier."),
    NUMBER(struct fr_pattern, average_s, .unit = "s", .scaling = FR_SCALE_VALUE,
           .flags = FR_FIELD_NEEDED, .doc = "Time, mean over processes."),
    NUMBER(struct fr_pattern, maximum_s, .unit = "s", .scaling = FR_SCALE_VALUE,
           .flags = FR_FIELD_NEEDED, .doc = "Time of the slowest process."),
    END,
};
static const struct fr_field exchange[] = {
    COUNT(struct fr_exchange, processes, .flags = FR_FIELD_NEEDED, .doc = "Processes of the job."),
    COUNT(struct fr_exchange, distance, .flags = FR_FIELD_NEEDED,
          .doc = "Ranks between the partners."),
    NUMBER(struct fr_exchange, message_bytes, .unit = "bytes",
           .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO, .doc = "Bytes of a message."),
    NUMBER(struct fr_exchange, average_s, .unit = "s", .scaling = FR_SCALE_VALUE,
           .flags = FR_FIELD_NEEDED, .doc = "Time, mean over processes."),
    END,
};
static const struct fr_field burst[] = {
    COUNT(struct fr_burst, processes, .flags = FR_FIELD_NEEDED, .doc = "Processes of the job."),
    NUMBER(struct fr_burst, message_bytes, .unit = "bytes",
           .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO, .doc = "Bytes of a message."),
    NUMBER(struct fr_burst, gap_s, .unit = "s", .scaling = FR_SCALE_VALUE, .flags = FR_FIELD_NEEDED,
           .doc = "Time that each further message adds."),
    END,
};
const struct fr_field fr_fields_contention[] = {
    { AT("message_bytes", CAL, contention.message_bytes), .kind = FR_FIELD_NUMBER, .unit = "bytes",
      .doc = "Message that the factors were measured with." },
    { AT("average", CAL, contention.average), .kind = FR_FIELD_TABLE,
      .size = sizeof(struct fr_factor), .fields = average_factor,
      .doc = "Mean slowdown when all processes send at once." },
    { AT("maximum", CAL, contention.maximum), .kind = FR_FIELD_TABLE,
      .size = sizeof(struct fr_factor), .fields = maximum_factor,
      .doc = "Slowdown of the slowest process." },
    { AT("patterns", CAL, contention.patterns), .kind = FR_FIELD_TABLE,
      .size = sizeof(struct fr_pattern), .fields = pattern,
      .doc = "Whole communication patterns of the dense algorithms." },
    { AT("exchange", CAL, contention.exchange), .kind = FR_FIELD_TABLE,
      .size = sizeof(struct fr_exchange), .fields = exchange,
      .doc = "Everybody swaps with a partner at once." },
    { AT("burst", CAL, contention.burst), .kind = FR_FIELD_TABLE, .size = sizeof(struct fr_burst),
      .fields = burst, .doc = "What a further message of a series adds." },
    END,
};
