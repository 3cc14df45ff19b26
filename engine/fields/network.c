/* Fields of `network`: the cost of single messages, and the topology. */
#include "engine/fields/fields.h"

static const struct fr_field link_fields[] = {
    NUMBER(struct fr_link, latency_s, .unit = "s", .scaling = FR_SCALE_LATENCY,
           .flags = FR_FIELD_NEEDED, .doc = "Time of a message without bytes."),
    NUMBER(struct fr_link, inverse_bandwidth_s_per_byte, .unit = "s/byte",
           .scaling = FR_SCALE_INVERSE_BANDWIDTH, .flags = FR_FIELD_NEEDED,
           .doc = "Time that each byte adds."),
    END,
};

static const struct fr_field protocol[] = {
    TEXT(struct fr_protocol, name, .flags = FR_FIELD_NEEDED | FR_FIELD_NAME,
         .doc = "Name of the protocol."),
    NUMBER(struct fr_protocol, max_message_bytes, .unit = "bytes",
           .flags = FR_FIELD_NEEDED | FR_FIELD_NULL | FR_FIELD_RISING,
           .doc = "Largest message it carries, inclusive; null for the last."),
    BOOLEAN(struct fr_protocol, pipelined, .doc = "Whether messages of a series overlap."),
    OBJECT(struct fr_protocol, off_node, link_fields, .doc = "Between nodes."),
    OBJECT(struct fr_protocol, on_node, link_fields, .doc = "Within a node."),
    END,
};

#define DISTANCE struct fr_distance_latency
static const struct fr_field latency_by_distance[] = {
    COUNT(DISTANCE, distance, .flags = FR_FIELD_NEEDED,
          .doc = "Nodes from one to the other, in the order of the job."),
    NUMBER(DISTANCE, max_message_bytes, .unit = "bytes", .flags = FR_FIELD_NEEDED | FR_FIELD_NULL,
           .doc = "Limit of the protocol, inclusive; null for the last."),
    NUMBER(DISTANCE, latency_s, .unit = "s", .scaling = FR_SCALE_LATENCY, .flags = FR_FIELD_NEEDED,
           .doc = "Latency of the protocol, mean over pairs of nodes."),
    NUMBER(DISTANCE, maximum_s, .unit = "s", .scaling = FR_SCALE_LATENCY,
           .doc = "Latency between the slowest pair."),
    END,
};

static const char *const broadcast_algorithms[] = { "binomial", "scatter_allgather", "scatter_ring",
                                                    NULL };
static const struct fr_field broadcast[] = {
    NUMBER(struct fr_broadcast_choice, max_message_bytes, .unit = "bytes",
           .flags = FR_FIELD_NEEDED | FR_FIELD_NULL | FR_FIELD_RISING,
           .doc = "Largest message that is sent so, inclusive; null for the last."),
    CHOICE(struct fr_broadcast_choice, algorithm, broadcast_algorithms, .flags = FR_FIELD_NEEDED,
           .doc = "How MPI_Bcast sends it."),
    END,
};

static const char *const bandwidth_kinds[] = { "asymptotic", "effective", NULL };
static const struct fr_field bandwidth_point[] = {
    NUMBER(struct fr_bandwidth_point, message_bytes, .unit = "bytes", .flags = FR_FIELD_NEEDED,
           .doc = "Bytes of a message."),
    NUMBER(struct fr_bandwidth_point, bandwidth_bytes_per_s, .unit = "bytes/s",
           .scaling = FR_SCALE_BANDWIDTH, .flags = FR_FIELD_NEEDED, .doc = "Bandwidth."),
    END,
};
static const struct fr_field message_bandwidth[] = {
    IN(CAL, network.message_bandwidth, NUMBER, latency_s, .unit = "s", .scaling = FR_SCALE_LATENCY,
       .doc = "Latency added to the points of kind asymptotic."),
    IN(CAL, network.message_bandwidth, CHOICE, kind, .choices = bandwidth_kinds,
       .flags = FR_FIELD_NEEDED,
       .doc = "Whether the points leave the latency out (asymptotic) or contain it."),
    IN(CAL, network.message_bandwidth, TABLE, points, .size = sizeof(struct fr_bandwidth_point),
       .fields = bandwidth_point, .flags = FR_FIELD_NEEDED, .doc = "Bandwidth by message size."),
    END,
};

static const struct fr_field busy_node[] = {
    IN(CAL, network.busy_node, NUMBER, all_on_node_bandwidth_bytes_per_s, .unit = "bytes/s",
       .scaling = FR_SCALE_BANDWIDTH,
       .doc = "Largest bandwidth of the messages within one node, all its processes together."),
    IN(CAL, network.busy_node, NUMBER, on_node_bandwidth_bytes_per_s, .unit = "bytes/s",
       .scaling = FR_SCALE_BANDWIDTH,
       .doc = "Bandwidth of one message within a node while its other cores multiply matrices."),
    IN(CAL, network.busy_node, NUMBER, off_node_bandwidth_bytes_per_s, .unit = "bytes/s",
       .scaling = FR_SCALE_BANDWIDTH,
       .doc = "Bandwidth of one message between nodes while their other cores multiply matrices."),
    END,
};

const struct fr_field fr_fields_network[] = {
    IN(CAL, network, TABLE, protocols, .size = sizeof(struct fr_protocol), .fields = protocol,
       .doc = "What a message costs, by size."),
    IN(CAL, network, TABLE, latency_by_distance, .size = sizeof(DISTANCE),
       .fields = latency_by_distance, .flags = FR_FIELD_UNIQUE,
       .doc = "Latency between nodes by their distance."),
    IN(CAL, network, TABLE, broadcast, .size = sizeof(struct fr_broadcast_choice),
       .fields = broadcast, .doc = "Algorithm of MPI_Bcast, by size."),
    IN(CAL, network, NUMBER, node_bandwidth_bytes_per_s, .unit = "bytes/s",
       .scaling = FR_SCALE_BANDWIDTH, .doc = "Largest bandwidth out of one node."),
    IN(CAL, network, NUMBER, blacs_message_s, .unit = "s", .scaling = FR_SCALE_VALUE,
       .flags = FR_FIELD_ZERO,
       .doc = "How much longer a message takes that is packed, described by a data type and polled "
              "for, as those of the BLACS."),
    MEMBERS("busy_node", busy_node, .doc = "What messages get of a node whose cores are all busy."),
    IN(CAL, network, NUMBER, injection_bandwidth_bytes_per_s, .unit = "bytes/s",
       .scaling = FR_SCALE_BANDWIDTH,
       .doc = "Bandwidth out of one node, and into it, to many nodes at once."),
    IN(CAL, network, NUMBER, stall_time_s, .unit = "s", .scaling = FR_SCALE_VALUE,
       .doc = "Length of one network stall."),
    IN(CAL, network, NUMBER, bytes_per_traffic_unit, .unit = "bytes",
       .doc = "Bytes in the unit that the traffic counter counts."),
    IN(CAL, network, OBJECT, topology, .fields = fr_fields_topology,
       .doc = "How nodes are linked."),
    { .name = "hop_ping",
      .kind = FR_FIELD_ANY,
      .flags = FR_FIELD_SHOWN,
      .doc = "Published pings: shown, read by no model." },
    { .name = "typical",
      .kind = FR_FIELD_ANY,
      .flags = FR_FIELD_SHOWN,
      .doc = "Published values of what questions state, such as stalls_per_byte and wait_fraction: "
             "shown, read by no model." },
    MEMBERS("message_bandwidth", message_bandwidth, .doc = "Bandwidth by message size."),
    END,
};
