/* Fields of `contention`: the cost of concurrent messages. */
#include "engine/fields/fields.h"

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
static const struct fr_field process_times[] = {
    COUNT(struct fr_process_times, distance, .flags = FR_FIELD_NEEDED,
          .doc = "Ranks between sender and receiver."),
    NUMBERS(struct fr_process_times, times_s, .unit = "s", .flags = FR_FIELD_NEEDED,
            .doc = "Time of each process, by rank."),
    END,
};
const char *const fr_pattern_names[] = { FR_PATTERNS(FR_CHOICE_NAME) NULL };
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
    NUMBER(struct fr_exchange, maximum_s, .unit = "s", .scaling = FR_SCALE_VALUE,
           .doc =
               "Time that it adds to the slowest process where exchanges at distances 1, 2, 4, ... "
               "follow each other."),
    END,
};
static const struct fr_field fold[] = {
    COUNT(struct fr_fold, processes, .flags = FR_FIELD_NEEDED, .doc = "Processes of the job."),
    NUMBER(struct fr_fold, message_bytes, .unit = "bytes", .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO,
           .doc = "Bytes of a message."),
    NUMBER(struct fr_fold, message_s, .unit = "s", .scaling = FR_SCALE_VALUE,
           .flags = FR_FIELD_NEEDED,
           .doc = "Time of the slowest process, divided among its messages."),
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
const char *const fr_placements[] = {
    [FR_BLOCK] = "block",
    [FR_SCATTERED] = "scattered",
    NULL,
};

const struct fr_field fr_fields_contention[] = {
    IN(CAL, contention, NUMBER, message_bytes, .unit = "bytes",
       .doc = "Message that the factors were measured with."),
    IN(CAL, contention, TABLE, average, .size = sizeof(struct fr_factor), .fields = average_factor,
       .flags = FR_FIELD_UNIQUE, .doc = "Mean slowdown when all processes send at once."),
    IN(CAL, contention, TABLE, maximum, .size = sizeof(struct fr_factor), .fields = maximum_factor,
       .flags = FR_FIELD_UNIQUE, .doc = "Slowdown of the slowest process."),
    IN(CAL, contention, TABLE, process_times, .size = sizeof(struct fr_process_times),
       .fields = process_times, .flags = FR_FIELD_SHOWN | FR_FIELD_UNIQUE,
       .doc = "Times of the single processes, of which the factors are the mean and the most."),
    IN(CAL, contention, TABLE, patterns, .size = sizeof(struct fr_pattern), .fields = pattern,
       .flags = FR_FIELD_UNIQUE, .doc = "Whole communication patterns of the dense algorithms."),
    IN(CAL, contention, TABLE, exchange, .size = sizeof(struct fr_exchange), .fields = exchange,
       .flags = FR_FIELD_UNIQUE, .doc = "Everybody swaps with a partner at once."),
    IN(CAL, contention, TABLE, fold, .size = sizeof(struct fr_fold), .fields = fold,
       .flags = FR_FIELD_UNIQUE,
       .doc = "Messages of an allreduce of a number of processes that is no power of two."),
    IN(CAL, contention, TABLE, burst, .size = sizeof(struct fr_burst), .fields = burst,
       .flags = FR_FIELD_UNIQUE, .doc = "What a further message of a series adds."),
    IN(CAL, contention, CHOICE, burst_placement, .choices = fr_placements,
       .doc = "Order in the network of the nodes that burst was measured on."),
    END,
};
