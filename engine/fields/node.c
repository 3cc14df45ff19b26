/* Fields of `node`: one node. */
#include "engine/fields/fields.h"

const struct fr_field fr_fields_node[] = {
    { AT("cores_per_node", CAL, node.cores_per_node), .kind = FR_FIELD_COUNT, .unit = "1",
      .doc = "Cores of a node; a what-if changes the peaks of the node with them." },
    { AT("peak_flops_per_s", CAL, node.peak_flops_per_s), .kind = FR_FIELD_NUMBER, .unit = "flop/s",
      .scaling = FR_SCALE_RATE, .doc = "Peak of a node, in double precision." },
    { AT("peak_single_flops_per_s", CAL, node.peak_single_flops_per_s), .kind = FR_FIELD_NUMBER,
      .unit = "flop/s", .scaling = FR_SCALE_RATE, .doc = "Peak of a node, in single precision." },
    { AT("memory_bytes", CAL, node.memory_bytes), .kind = FR_FIELD_NUMBER, .unit = "bytes",
      .scaling = FR_SCALE_VALUE, .doc = "Memory of a node." },
    { AT("sockets", CAL, node.sockets), .kind = FR_FIELD_COUNT, .unit = "1",
      .doc = "Sockets of a node." },
    { AT("numa_domains", CAL, node.numa_domains), .kind = FR_FIELD_COUNT, .unit = "1",
      .doc = "NUMA domains of a node." },
    { AT("clock_hz", CAL, node.clock_hz), .kind = FR_FIELD_NUMBER, .unit = "Hz",
      .scaling = FR_SCALE_RATE,
      .doc = "Clock of a core; a what-if changes the peaks of the node with it." },
    END,
};
