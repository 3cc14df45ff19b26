/* Fields of `cnc`: Concurrent Collections (docs/models/cnc.md#calibrated-values). */
#include "engine/fields/fields.h"

#define CNC(f) AT(#f, CAL, cnc.f)
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
    { AT("cannon", CAL, cnc.volume_overhead.cannon), .kind = FR_FIELD_NUMBER, .unit = "1",
      .scaling = FR_SCALE_VALUE, .doc = "Factor for Cannon's algorithm." },
    { AT("johnson", CAL, cnc.volume_overhead.johnson), .kind = FR_FIELD_NUMBER, .unit = "1",
      .scaling = FR_SCALE_VALUE, .doc = "Factor for Johnson's algorithm." },
    END,
};
const struct fr_field fr_fields_cnc[] = {
    { CNC(intra_node_bandwidth_bytes_per_s), .kind = FR_FIELD_NUMBER, .unit = "bytes/s",
      .scaling = FR_SCALE_BANDWIDTH, .doc = "Bandwidth within a node." },
    { CNC(inter_node_bandwidth_bytes_per_s), .kind = FR_FIELD_NUMBER, .unit = "bytes/s",
      .scaling = FR_SCALE_BANDWIDTH, .doc = "Bandwidth between nodes." },
    { CNC(peak_flops_per_core_per_s), .kind = FR_FIELD_NUMBER, .unit = "flop/s",
      .scaling = FR_SCALE_RATE, .doc = "Peak of a core, in single precision." },
    { CNC(step_kernel), .kind = FR_FIELD_TABLE, .size = sizeof(struct fr_step_kernel),
      .fields = step_kernel, .doc = "Rate of one block product on one core, by block size." },
    { .name = "volume_overhead",
      .kind = FR_FIELD_OBJECT,
      .fields = volume_overhead,
      .doc = "Factors on the counted communication volume." },
    END,
};
