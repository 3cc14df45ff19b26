/* Fields of `node`: one node. */
#include "engine/fields/fields.h"

const struct fr_field fr_fields_node[] = {
    IN(CAL, node, COUNT, cores_per_node, .unit = "1",
       .doc = "Cores of a node; a what-if changes the peaks of the node with them."),
    IN(CAL, node, NUMBER, peak_flops_per_s, .unit = "flop/s", .scaling = FR_SCALE_RATE,
       .doc = "Peak of a node, in double precision."),
    IN(CAL, node, NUMBER, peak_single_flops_per_s, .unit = "flop/s", .scaling = FR_SCALE_RATE,
       .doc = "Peak of a node, in single precision."),
    IN(CAL, node, NUMBER, memory_bytes, .unit = "bytes", .scaling = FR_SCALE_VALUE,
       .doc = "Memory of a node."),
    IN(CAL, node, COUNT, sockets, .unit = "1", .doc = "Sockets of a node."),
    IN(CAL, node, COUNT, numa_domains, .unit = "1", .doc = "NUMA domains of a node."),
    IN(CAL, node, NUMBER, clock_hz, .unit = "Hz", .scaling = FR_SCALE_RATE,
       .doc = "Clock of a core; a what-if changes the peaks of the node with it."),
    END,
};
