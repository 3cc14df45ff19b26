/* Fields of `cnc`: Concurrent Collections (docs/models/cnc.md#calibrated-values). */
#include "engine/fields/fields.h"

static const struct fr_field step_kernel[] = {
    COUNT(struct fr_step_kernel, block_size, .flags = FR_FIELD_NEEDED,
          .doc = "Order of the block."),
    NUMBER(struct fr_step_kernel, rate_flops_per_s, .unit = "flop/s", .scaling = FR_SCALE_RATE,
           .flags = FR_FIELD_OR_NEXT, .doc = "Rate of one block product; or give time_s."),
    NUMBER(struct fr_step_kernel, time_s, .unit = "s", .scaling = FR_SCALE_RATE_TIME,
           .doc = "Time of one block product."),
    CHOICE(struct fr_step_kernel, precision, fr_precisions,
           .doc = "Precision of the product; single if it is not stated."),
    END,
};
static const struct fr_field volume_overhead[] = {
    IN(CAL, cnc.volume_overhead, NUMBER, cannon, .unit = "1", .scaling = FR_SCALE_VALUE,
       .doc = "Factor for Cannon's algorithm."),
    IN(CAL, cnc.volume_overhead, NUMBER, johnson, .unit = "1", .scaling = FR_SCALE_VALUE,
       .doc = "Factor for Johnson's algorithm."),
    END,
};
const struct fr_field fr_fields_cnc[] = {
    IN(CAL, cnc, NUMBER, intra_node_bandwidth_bytes_per_s, .unit = "bytes/s",
       .scaling = FR_SCALE_BANDWIDTH, .doc = "Bandwidth within a node."),
    IN(CAL, cnc, NUMBER, inter_node_bandwidth_bytes_per_s, .unit = "bytes/s",
       .scaling = FR_SCALE_BANDWIDTH, .doc = "Bandwidth between nodes."),
    IN(CAL, cnc, NUMBER, peak_flops_per_core_per_s, .unit = "flop/s", .scaling = FR_SCALE_RATE,
       .doc = "Peak of a core, in single precision."),
    IN(CAL, cnc, TABLE, step_kernel, .size = sizeof(struct fr_step_kernel), .fields = step_kernel,
       .doc = "Rate of one block product on one core, by block size."),
    MEMBERS("volume_overhead", volume_overhead,
            .doc = "Factors on the counted communication volume."),
    END,
};
