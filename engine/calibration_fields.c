/* The calibration document as a table of fields: decoding, refusals, the JSON Schema, what-if paths
 * and the field list of the API are all read off it. Names are part of the contract. */
#include "forerun.h"

#define CAL struct fr_calibration
#define NUMBER(S, f, ...) { .name = #f, .kind = FR_FIELD_NUMBER, .offset = offsetof(S, f), __VA_ARGS__ }
#define COUNT(S, f, ...) { .name = #f, .kind = FR_FIELD_COUNT, .offset = offsetof(S, f), .unit = "1", __VA_ARGS__ }
#define TEXT(S, f, ...) { .name = #f, .kind = FR_FIELD_TEXT, .offset = offsetof(S, f), __VA_ARGS__ }
#define BOOLEAN(S, f, ...) { .name = #f, .kind = FR_FIELD_BOOL, .offset = offsetof(S, f), __VA_ARGS__ }
#define CHOICE(S, f, list, ...) { .name = #f, .kind = FR_FIELD_CHOICE, .offset = offsetof(S, f), .choices = list, __VA_ARGS__ }
#define NUMBERS(S, f, ...) { .name = #f, .kind = FR_FIELD_NUMBERS, .offset = offsetof(S, f), __VA_ARGS__ }
#define OBJECT(S, f, table, ...) { .name = #f, .kind = FR_FIELD_OBJECT, .offset = offsetof(S, f), .fields = table, __VA_ARGS__ }
#define TABLE(S, f, R, table, ...) \
    { .name = #f, .kind = FR_FIELD_TABLE, .offset = offsetof(S, f), .size = sizeof(R), .fields = table, __VA_ARGS__ }
/* A member of a nested anonymous struct: the key is the last name, the offset that of the path. */
#define AT(label, S, path) .name = label, .offset = offsetof(S, path)
#define END { .name = NULL }

static const struct fr_field tool[] = {
    { AT("name", CAL, tool.name), .kind = FR_FIELD_TEXT },
    { AT("version", CAL, tool.version), .kind = FR_FIELD_TEXT },
    { AT("command", CAL, tool.command), .kind = FR_FIELD_TEXT },
    { AT("duration_s", CAL, tool.duration_s), .kind = FR_FIELD_NUMBER, .unit = "s", .flags = FR_FIELD_ZERO },
    END,
};

static const struct fr_field blas[] = {
    { AT("name", CAL, environment.blas.name), .kind = FR_FIELD_TEXT },
    { AT("version", CAL, environment.blas.version), .kind = FR_FIELD_TEXT },
    { AT("core", CAL, environment.blas.core), .kind = FR_FIELD_TEXT },
    END,
};

static const struct fr_field environment[] = {
    { AT("cpu", CAL, environment.cpu), .kind = FR_FIELD_TEXT },
    { AT("cpu_governor", CAL, environment.cpu_governor), .kind = FR_FIELD_TEXT },
    { .name = "blas", .kind = FR_FIELD_OBJECT, .fields = blas },
    { AT("mpi", CAL, environment.mpi), .kind = FR_FIELD_TEXT },
    { AT("compiler", CAL, environment.compiler), .kind = FR_FIELD_TEXT },
    { AT("kernel", CAL, environment.kernel), .kind = FR_FIELD_TEXT },
    { AT("hosts", CAL, environment.hosts), .kind = FR_FIELD_COUNT },
    { AT("processes", CAL, environment.processes), .kind = FR_FIELD_COUNT },
    { AT("threads_per_process", CAL, environment.threads_per_process), .kind = FR_FIELD_COUNT },
    { AT("binding", CAL, environment.binding), .kind = FR_FIELD_TEXT },
    END,
};

static const struct fr_field node[] = {
    { AT("cores_per_node", CAL, node.cores_per_node), .kind = FR_FIELD_COUNT, .unit = "1", .doc = "Cores of a node." },
    { AT("peak_flops_per_s", CAL, node.peak_flops_per_s), .kind = FR_FIELD_NUMBER, .unit = "flop/s",
      .scaling = FR_SCALE_RATE, .doc = "Peak of a node, in double precision." },
    { AT("memory_bytes", CAL, node.memory_bytes), .kind = FR_FIELD_NUMBER, .unit = "bytes",
      .scaling = FR_SCALE_VALUE, .doc = "Memory of a node." },
    { AT("sockets", CAL, node.sockets), .kind = FR_FIELD_COUNT, .unit = "1", .doc = "Sockets of a node." },
    { AT("numa_domains", CAL, node.numa_domains), .kind = FR_FIELD_COUNT, .unit = "1", .doc = "NUMA domains of a node." },
    { AT("clock_hz", CAL, node.clock_hz), .kind = FR_FIELD_NUMBER, .unit = "Hz", .scaling = FR_SCALE_RATE,
      .doc = "Clock of a core." },
    END,
};

static const struct fr_field link_fields[] = {
    NUMBER(struct fr_link, latency_s, .unit = "s", .scaling = FR_SCALE_LATENCY, .flags = FR_FIELD_NEEDED,
           .doc = "Time of a message without bytes."),
    NUMBER(struct fr_link, inverse_bandwidth_s_per_byte, .unit = "s/byte", .scaling = FR_SCALE_INVERSE_BANDWIDTH,
           .flags = FR_FIELD_NEEDED, .doc = "Time that each byte adds."),
    END,
};

static const struct fr_field protocol[] = {
    TEXT(struct fr_protocol, name, .flags = FR_FIELD_NEEDED | FR_FIELD_NAME, .doc = "Name of the protocol."),
    NUMBER(struct fr_protocol, max_message_bytes, .unit = "bytes", .flags = FR_FIELD_NEEDED | FR_FIELD_NULL,
           .doc = "Largest message it carries, inclusive; null for the last."),
    BOOLEAN(struct fr_protocol, pipelined, .doc = "Whether messages of a series overlap."),
    OBJECT(struct fr_protocol, off_node, link_fields, .doc = "Between nodes."),
    OBJECT(struct fr_protocol, on_node, link_fields, .doc = "Within a node."),
    END,
};

static const char *const broadcast_algorithms[] = { "binomial", "scatter_allgather", "scatter_ring", NULL };
static const struct fr_field broadcast[] = {
    NUMBER(struct fr_broadcast_choice, max_message_bytes, .unit = "bytes", .flags = FR_FIELD_NEEDED | FR_FIELD_NULL,
           .doc = "Largest message that is sent so, inclusive; null for the last."),
    CHOICE(struct fr_broadcast_choice, algorithm, broadcast_algorithms, .flags = FR_FIELD_NEEDED,
           .doc = "How MPI_Bcast sends it."),
    END,
};

static const struct fr_field class_latency[] = {
    NUMBER(struct fr_hop_links, chassis, .unit = "s", .scaling = FR_SCALE_LATENCY, .flags = FR_FIELD_NEEDED),
    NUMBER(struct fr_hop_links, group, .unit = "s", .scaling = FR_SCALE_LATENCY, .flags = FR_FIELD_NEEDED),
    NUMBER(struct fr_hop_links, global, .unit = "s", .scaling = FR_SCALE_LATENCY, .flags = FR_FIELD_NEEDED),
    END,
};
static const struct fr_field hop_links[] = {
    NUMBER(struct fr_hop_links, chassis, .unit = "1", .flags = FR_FIELD_ZERO),
    NUMBER(struct fr_hop_links, group, .unit = "1", .flags = FR_FIELD_ZERO),
    NUMBER(struct fr_hop_links, global, .unit = "1", .flags = FR_FIELD_ZERO),
    END,
};
static const struct fr_field hop_estimates[] = {
    OBJECT(struct fr_hop_estimates, best, hop_links, .flags = FR_FIELD_NEEDED),
    OBJECT(struct fr_hop_estimates, average, hop_links, .flags = FR_FIELD_NEEDED),
    OBJECT(struct fr_hop_estimates, max, hop_links, .flags = FR_FIELD_NEEDED),
    END,
};
#define TOP struct fr_topology
static const struct fr_field hop_classes[] = {
    { AT("chassis", TOP, hop_classes.chassis), .kind = FR_FIELD_OBJECT, .fields = hop_estimates, .flags = FR_FIELD_NEEDED },
    { AT("group", TOP, hop_classes.group), .kind = FR_FIELD_OBJECT, .fields = hop_estimates, .flags = FR_FIELD_NEEDED },
    { AT("global", TOP, hop_classes.global), .kind = FR_FIELD_OBJECT, .fields = hop_estimates, .flags = FR_FIELD_NEEDED },
    END,
};
static const struct fr_field uniform_hops[] = {
    { AT("best", TOP, hops.best), .kind = FR_FIELD_NUMBER, .unit = "1", .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO },
    { AT("average", TOP, hops.average), .kind = FR_FIELD_NUMBER, .unit = "1", .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO },
    { AT("max", TOP, hops.max), .kind = FR_FIELD_NUMBER, .unit = "1", .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO },
    END,
};
static const char *const topology_types[] = {
    [FR_TORUS] = "torus", [FR_DRAGONFLY] = "dragonfly", [FR_UNIFORM] = "uniform", NULL,
};
enum { TORUS = 1 << FR_TORUS, DRAGONFLY = 1 << FR_DRAGONFLY, UNIFORM = 1 << FR_UNIFORM };
static const struct fr_field topology[] = {
    CHOICE(TOP, type, topology_types, .flags = FR_FIELD_NEEDED | FR_FIELD_SELECTS, .doc = "Kind of network."),
    NUMBERS(TOP, dimensions, .unit = "1", .when = TORUS, .flags = FR_FIELD_NEEDED, .doc = "Routers in each dimension."),
    COUNT(TOP, nodes_per_router, .when = TORUS | DRAGONFLY, .flags = FR_FIELD_NEEDED, .doc = "Nodes on a router."),
    NUMBERS(TOP, hop_latency_s, .unit = "s", .when = TORUS | UNIFORM, .flags = FR_FIELD_NEEDED | FR_FIELD_LONE | FR_FIELD_ZERO,
            .scaling = FR_SCALE_LATENCY, .doc = "Latency of a link: one number, or one for each dimension of a torus."),
    COUNT(TOP, routers_per_chassis, .when = DRAGONFLY, .flags = FR_FIELD_NEEDED, .doc = "Routers in a chassis."),
    COUNT(TOP, chassis_per_group, .when = DRAGONFLY, .flags = FR_FIELD_NEEDED, .doc = "Chassis in a group."),
    { AT("hop_latency_s", TOP, class_latency_s), .kind = FR_FIELD_OBJECT, .fields = class_latency, .when = DRAGONFLY,
      .flags = FR_FIELD_NEEDED, .doc = "Latency of a link of each class, dynamic routing." },
    { AT("static_hop_latency_s", TOP, static_class_latency_s), .kind = FR_FIELD_OBJECT, .fields = class_latency,
      .when = DRAGONFLY, .doc = "Latency of a link of each class, static routing." },
    { .name = "hop_classes", .kind = FR_FIELD_OBJECT, .fields = hop_classes, .when = DRAGONFLY, .flags = FR_FIELD_NEEDED,
      .doc = "Links of each class on a route between nodes of one chassis, group, or two groups." },
    { .name = "hops", .kind = FR_FIELD_OBJECT, .fields = uniform_hops, .when = UNIFORM, .flags = FR_FIELD_NEEDED,
      .doc = "Hops of any message between nodes." },
    END,
};

static const char *const bandwidth_kinds[] = { "asymptotic", "effective", NULL };
static const struct fr_field bandwidth_point[] = {
    NUMBER(struct fr_bandwidth_point, message_bytes, .unit = "bytes", .flags = FR_FIELD_NEEDED),
    NUMBER(struct fr_bandwidth_point, bandwidth_bytes_per_s, .unit = "bytes/s", .scaling = FR_SCALE_BANDWIDTH, .flags = FR_FIELD_NEEDED),
    END,
};
static const struct fr_field message_bandwidth[] = {
    { AT("latency_s", CAL, network.message_bandwidth.latency_s), .kind = FR_FIELD_NUMBER, .unit = "s",
      .scaling = FR_SCALE_LATENCY, .doc = "Latency added to the points of kind asymptotic." },
    { AT("kind", CAL, network.message_bandwidth.kind), .kind = FR_FIELD_CHOICE, .choices = bandwidth_kinds,
      .flags = FR_FIELD_NEEDED, .doc = "Whether the points leave the latency out (asymptotic) or contain it." },
    { AT("points", CAL, network.message_bandwidth.points), .kind = FR_FIELD_TABLE, .size = sizeof(struct fr_bandwidth_point),
      .fields = bandwidth_point, .flags = FR_FIELD_NEEDED, .doc = "Bandwidth by message size." },
    END,
};

static const struct fr_field network[] = {
    { AT("protocols", CAL, network.protocols), .kind = FR_FIELD_TABLE, .size = sizeof(struct fr_protocol),
      .fields = protocol, .doc = "What a message costs, by size." },
    { AT("broadcast", CAL, network.broadcast), .kind = FR_FIELD_TABLE, .size = sizeof(struct fr_broadcast_choice),
      .fields = broadcast, .doc = "Algorithm of MPI_Bcast, by size." },
    { AT("node_bandwidth_bytes_per_s", CAL, network.node_bandwidth_bytes_per_s), .kind = FR_FIELD_NUMBER,
      .unit = "bytes/s", .scaling = FR_SCALE_BANDWIDTH, .doc = "Largest bandwidth out of one node." },
    { AT("stall_time_s", CAL, network.stall_time_s), .kind = FR_FIELD_NUMBER, .unit = "s", .scaling = FR_SCALE_VALUE,
      .doc = "Length of one network stall." },
    { AT("bytes_per_traffic_unit", CAL, network.bytes_per_traffic_unit), .kind = FR_FIELD_NUMBER, .unit = "bytes",
      .doc = "Bytes in the unit that the traffic counter counts." },
    { AT("topology", CAL, network.topology), .kind = FR_FIELD_OBJECT, .fields = topology, .doc = "How nodes are linked." },
    { .name = "hop_ping", .kind = FR_FIELD_ANY, .doc = "Published pings: shown, read by no model." },
    { .name = "message_bandwidth", .kind = FR_FIELD_OBJECT, .fields = message_bandwidth, .doc = "Bandwidth by message size." },
    END,
};

static const struct fr_field average_factor[] = {
    COUNT(struct fr_factor, processes, .doc = "Processes that sent at once; absent: any."),
    COUNT(struct fr_factor, distance, .flags = FR_FIELD_NEEDED, .doc = "Ranks between sender and receiver."),
    NUMBER(struct fr_factor, factor, .unit = "1", .scaling = FR_SCALE_VALUE, .flags = FR_FIELD_NEEDED,
           .doc = "Time over that of an uncontended message."),
    END,
};
static const struct fr_field maximum_factor[] = {
    COUNT(struct fr_factor, processes, .flags = FR_FIELD_NEEDED, .doc = "Processes that sent at once."),
    COUNT(struct fr_factor, distance, .flags = FR_FIELD_NEEDED, .doc = "Ranks between sender and receiver."),
    NUMBER(struct fr_factor, factor, .unit = "1", .scaling = FR_SCALE_VALUE, .flags = FR_FIELD_NEEDED,
           .doc = "Time of the slowest over that of an uncontended message."),
    END,
};
static const struct fr_field pattern[] = {
    TEXT(struct fr_pattern, pattern, .flags = FR_FIELD_NEEDED),
    COUNT(struct fr_pattern, processes, .flags = FR_FIELD_NEEDED),
    COUNT(struct fr_pattern, layers, .flags = FR_FIELD_NEEDED),
    NUMBER(struct fr_pattern, message_bytes, .unit = "bytes", .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO),
    NUMBER(struct fr_pattern, average_s, .unit = "s", .scaling = FR_SCALE_VALUE, .flags = FR_FIELD_NEEDED),
    NUMBER(struct fr_pattern, maximum_s, .unit = "s", .scaling = FR_SCALE_VALUE, .flags = FR_FIELD_NEEDED),
    END,
};
static const struct fr_field exchange[] = {
    COUNT(struct fr_exchange, processes, .flags = FR_FIELD_NEEDED),
    COUNT(struct fr_exchange, distance, .flags = FR_FIELD_NEEDED),
    NUMBER(struct fr_exchange, message_bytes, .unit = "bytes", .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO),
    NUMBER(struct fr_exchange, average_s, .unit = "s", .scaling = FR_SCALE_VALUE, .flags = FR_FIELD_NEEDED),
    END,
};
static const struct fr_field burst[] = {
    COUNT(struct fr_burst, processes, .flags = FR_FIELD_NEEDED),
    NUMBER(struct fr_burst, message_bytes, .unit = "bytes", .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO),
    NUMBER(struct fr_burst, gap_s, .unit = "s", .scaling = FR_SCALE_VALUE, .flags = FR_FIELD_NEEDED),
    END,
};
static const struct fr_field contention[] = {
    { AT("message_bytes", CAL, contention.message_bytes), .kind = FR_FIELD_NUMBER, .unit = "bytes",
      .doc = "Message that the factors were measured with." },
    { AT("average", CAL, contention.average), .kind = FR_FIELD_TABLE, .size = sizeof(struct fr_factor),
      .fields = average_factor, .doc = "Mean slowdown when all processes send at once." },
    { AT("maximum", CAL, contention.maximum), .kind = FR_FIELD_TABLE, .size = sizeof(struct fr_factor),
      .fields = maximum_factor, .doc = "Slowdown of the slowest process." },
    { AT("patterns", CAL, contention.patterns), .kind = FR_FIELD_TABLE, .size = sizeof(struct fr_pattern),
      .fields = pattern, .doc = "Whole communication patterns of the dense algorithms." },
    { AT("exchange", CAL, contention.exchange), .kind = FR_FIELD_TABLE, .size = sizeof(struct fr_exchange),
      .fields = exchange, .doc = "Everybody swaps with a partner at once." },
    { AT("burst", CAL, contention.burst), .kind = FR_FIELD_TABLE, .size = sizeof(struct fr_burst),
      .fields = burst, .doc = "What a further message of a series adds." },
    END,
};

static const struct fr_field square[] = {
    COUNT(struct fr_square_rate, threads, .flags = FR_FIELD_NEEDED, .doc = "Threads of the call."),
    COUNT(struct fr_square_rate, n, .flags = FR_FIELD_NEEDED, .doc = "Order of the operands."),
    NUMBER(struct fr_square_rate, efficiency_fraction, .unit = "1", .scaling = FR_SCALE_RATE,
           .doc = "Share of the threads' peak; or time_s."),
    NUMBER(struct fr_square_rate, time_s, .unit = "s", .scaling = FR_SCALE_RATE_TIME, .doc = "Time of a call."),
    END,
};
static const struct fr_field rates[] = {
    COUNT(struct fr_rate, m, .doc = "Rows."), COUNT(struct fr_rate, n, .doc = "Columns."),
    COUNT(struct fr_rate, k, .doc = "Inner dimension (dgemm)."),
    NUMBER(struct fr_rate, rate_flops_per_s, .unit = "flop/s", .scaling = FR_SCALE_RATE, .flags = FR_FIELD_NEEDED),
    END,
};
static const struct fr_field kernel[] = {
    TABLE(struct fr_kernel, square, struct fr_square_rate, square, .doc = "Rate on square operands, by threads and order."),
    TABLE(struct fr_kernel, rates, struct fr_rate, rates, .doc = "Rate by the sizes of the routine, one thread."),
    END,
};
static const struct fr_field stream_kernel[] = {
    NUMBER(struct fr_stream_kernel, bandwidth_fraction, .unit = "1", .scaling = FR_SCALE_RATE, .flags = FR_FIELD_NEEDED,
           .doc = "Share of the memory bandwidth that it reaches."),
    END,
};

#define RM struct fr_routine_model
static const char *const localities[] = { "in_cache", "out_of_cache", NULL };
static const struct fr_field routine_flags[] = {
    { AT("side", RM, flags.side), .kind = FR_FIELD_TEXT }, { AT("uplo", RM, flags.uplo), .kind = FR_FIELD_TEXT },
    { AT("trans", RM, flags.trans), .kind = FR_FIELD_TEXT }, { AT("transA", RM, flags.transA), .kind = FR_FIELD_TEXT },
    { AT("transB", RM, flags.transB), .kind = FR_FIELD_TEXT }, { AT("diag", RM, flags.diag), .kind = FR_FIELD_TEXT },
    END,
};
static const struct fr_field box[] = {
    NUMBERS(struct fr_box, min, .flags = FR_FIELD_NEEDED), NUMBERS(struct fr_box, max, .flags = FR_FIELD_NEEDED), END,
};
static const struct fr_field library[] = {
    { AT("name", RM, library.name), .kind = FR_FIELD_TEXT }, { AT("version", RM, library.version), .kind = FR_FIELD_TEXT },
    { AT("core", RM, library.core), .kind = FR_FIELD_TEXT }, END,
};
static const struct fr_field build[] = {
    { AT("strategy", RM, build.strategy), .kind = FR_FIELD_TEXT }, { AT("eps", RM, build.eps), .kind = FR_FIELD_NUMBER },
    { AT("s_min", RM, build.s_min), .kind = FR_FIELD_COUNT }, { AT("s_ini", RM, build.s_ini), .kind = FR_FIELD_COUNT },
    { AT("split", RM, build.split), .kind = FR_FIELD_TEXT }, { AT("grid", RM, build.grid), .kind = FR_FIELD_TEXT },
    { AT("direction", RM, build.direction), .kind = FR_FIELD_TEXT },
    { AT("oversampling", RM, build.oversampling), .kind = FR_FIELD_COUNT },
    { AT("degree_extra", RM, build.degree_extra), .kind = FR_FIELD_COUNT, .flags = FR_FIELD_ZERO },
    { AT("repetitions", RM, build.repetitions), .kind = FR_FIELD_COUNT },
    { AT("reference", RM, build.reference), .kind = FR_FIELD_TEXT }, { AT("measure", RM, build.measure), .kind = FR_FIELD_TEXT },
    { AT("relative", RM, build.relative), .kind = FR_FIELD_BOOL }, { AT("samples", RM, build.samples), .kind = FR_FIELD_COUNT },
    { AT("seconds", RM, build.seconds), .kind = FR_FIELD_NUMBER, .unit = "s", .flags = FR_FIELD_ZERO },
    { AT("when", RM, build.when), .kind = FR_FIELD_TEXT }, END,
};
#define REG struct fr_region
static const struct fr_field coef[] = {
    { AT("min", REG, coef.min), .kind = FR_FIELD_NUMBERS, .flags = FR_FIELD_NEEDED | FR_FIELD_SIGNED, .scaling = FR_SCALE_RATE_TIME },
    { AT("med", REG, coef.med), .kind = FR_FIELD_NUMBERS, .flags = FR_FIELD_NEEDED | FR_FIELD_SIGNED, .scaling = FR_SCALE_RATE_TIME },
    { AT("avg", REG, coef.avg), .kind = FR_FIELD_NUMBERS, .flags = FR_FIELD_NEEDED | FR_FIELD_SIGNED, .scaling = FR_SCALE_RATE_TIME },
    { AT("max", REG, coef.max), .kind = FR_FIELD_NUMBERS, .flags = FR_FIELD_NEEDED | FR_FIELD_SIGNED, .scaling = FR_SCALE_RATE_TIME },
    { AT("std", REG, coef.std), .kind = FR_FIELD_NUMBERS, .flags = FR_FIELD_NEEDED | FR_FIELD_SIGNED, .scaling = FR_SCALE_RATE_TIME },
    END,
};
static const struct fr_field region[] = {
    NUMBERS(REG, min, .flags = FR_FIELD_NEEDED), NUMBERS(REG, max, .flags = FR_FIELD_NEEDED),
    NUMBER(REG, error, .unit = "1", .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO), COUNT(REG, samples, .doc = "Samples of the fit."),
    { .name = "coef", .kind = FR_FIELD_OBJECT, .fields = coef, .flags = FR_FIELD_NEEDED },
    END,
};
static const struct fr_field routine_model[] = {
    TEXT(RM, kind, .doc = "routine_model."), TEXT(RM, routine, .flags = FR_FIELD_NEEDED | FR_FIELD_NAME),
    { .name = "flags", .kind = FR_FIELD_OBJECT, .fields = routine_flags, .flags = FR_FIELD_NEEDED },
    { AT("parameters", RM, parameters), .kind = FR_FIELD_TEXTS, .flags = FR_FIELD_NEEDED },
    TABLE(RM, range, struct fr_box, box, .flags = FR_FIELD_NEEDED), TEXT(RM, unit, .doc = "Unit of the values: s."),
    CHOICE(RM, locality, localities, .flags = FR_FIELD_NEEDED), COUNT(RM, threads, .flags = FR_FIELD_NEEDED),
    COUNT(RM, leading_dimension, .doc = "Of every operand sampled."),
    { .name = "library", .kind = FR_FIELD_OBJECT, .fields = library },
    { .name = "build", .kind = FR_FIELD_OBJECT, .fields = build },
    { AT("basis", RM, basis), .kind = FR_FIELD_LISTS, .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO },
    TABLE(RM, regions, struct fr_region, region, .flags = FR_FIELD_NEEDED),
    END,
};

#define KERNEL(label, index, text) \
    { AT(label, CAL, kernels.routine[index]), .kind = FR_FIELD_OBJECT, .fields = kernel, .doc = text }
static const struct fr_field kernels[] = {
    KERNEL("dgemm", FR_DGEMM, "Matrix product."), KERNEL("dtrsm", FR_DTRSM, "Triangular solve."),
    KERNEL("dsyrk", FR_DSYRK, "Symmetric rank-k update."), KERNEL("dpotrf", FR_DPOTRF, "Cholesky factorisation."),
    KERNEL("dger", FR_DGER, "Rank-1 update."), KERNEL("dtrsv", FR_DTRSV, "Triangular solve of a vector."),
    { AT("sparse_matvec", CAL, kernels.sparse_matvec), .kind = FR_FIELD_OBJECT, .fields = stream_kernel },
    { AT("sparse_triangular_solve", CAL, kernels.sparse_triangular_solve), .kind = FR_FIELD_OBJECT, .fields = stream_kernel },
    { AT("vector", CAL, kernels.vector), .kind = FR_FIELD_OBJECT, .fields = stream_kernel },
    { AT("routine_models", CAL, kernels.routine_models), .kind = FR_FIELD_TABLE, .size = sizeof(RM), .fields = routine_model,
      .doc = "Piecewise polynomials of BLAS calls." },
    { AT("out_of_cache_weight", CAL, kernels.out_of_cache_weight), .kind = FR_FIELD_NUMBER, .unit = "1", .flags = FR_FIELD_ZERO,
      .doc = "Weight of the out-of-cache models in a blend." },
    END,
};

#define CACHE struct fr_cache_level
static const char *const cache_policies[] = { "lru", "fifo", NULL };
static const struct fr_field cache[] = {
    TEXT(CACHE, name, .flags = FR_FIELD_NEEDED | FR_FIELD_NAME), NUMBER(CACHE, capacity_bytes, .unit = "bytes", .flags = FR_FIELD_NEEDED),
    NUMBER(CACHE, line_bytes, .unit = "bytes", .flags = FR_FIELD_NEEDED),
    CHOICE(CACHE, policy, cache_policies, .flags = FR_FIELD_NEEDED),
    NUMBER(CACHE, latency_s, .unit = "s", .scaling = FR_SCALE_VALUE, .flags = FR_FIELD_NEEDED), END,
};
#define MEM(f) AT(#f, CAL, memory.f)
static const struct fr_field memory[] = {
    { MEM(node_bandwidth_bytes_per_s), .kind = FR_FIELD_NUMBER, .unit = "bytes/s", .scaling = FR_SCALE_BANDWIDTH },
    { MEM(core_bandwidth_bytes_per_s), .kind = FR_FIELD_NUMBER, .unit = "bytes/s", .scaling = FR_SCALE_BANDWIDTH },
    { MEM(index_bytes), .kind = FR_FIELD_NUMBER, .unit = "bytes" },
    { MEM(caches), .kind = FR_FIELD_TABLE, .size = sizeof(CACHE), .fields = cache, .doc = "Inner level first." },
    { MEM(memory_latency_s), .kind = FR_FIELD_NUMBER, .unit = "s", .scaling = FR_SCALE_VALUE },
    { MEM(memory_latency_tlb_miss_s), .kind = FR_FIELD_NUMBER, .unit = "s", .scaling = FR_SCALE_VALUE },
    END,
};

#define SP(f) AT(#f, CAL, sparse.f)
#define NEEDED_COUNT .kind = FR_FIELD_COUNT, .unit = "1", .flags = FR_FIELD_NEEDED
static const struct fr_field dgemm_block[] = {
    { AT("m", CAL, sparse.dgemm_block.m), NEEDED_COUNT }, { AT("n", CAL, sparse.dgemm_block.n), NEEDED_COUNT },
    { AT("k", CAL, sparse.dgemm_block.k), NEEDED_COUNT }, END,
};
static const struct fr_field dgemm_unroll[] = {
    { AT("m", CAL, sparse.dgemm_unroll.m), NEEDED_COUNT }, { AT("n", CAL, sparse.dgemm_unroll.n), NEEDED_COUNT }, END,
};
#define FIT(f, of) { AT(#f, CAL, sparse.fit.f), .kind = FR_FIELD_NUMBER, .unit = of, .scaling = FR_SCALE_VALUE, .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO }
static const struct fr_field sparse_fit[] = {
    FIT(gemm, "1"), FIT(panel, "1"), FIT(scatter_s, "s"), FIT(block_s, "s"), FIT(column_s, "s"), FIT(supernode_s, "s"), END,
};
static const struct fr_field sparse[] = {
    { SP(flop_time_s), .kind = FR_FIELD_NUMBER, .unit = "s", .scaling = FR_SCALE_RATE_TIME },
    { .name = "dgemm_block", .kind = FR_FIELD_OBJECT, .fields = dgemm_block },
    { .name = "dgemm_unroll", .kind = FR_FIELD_OBJECT, .fields = dgemm_unroll },
    { SP(dger_unroll), .kind = FR_FIELD_COUNT, .unit = "1" }, { SP(dtrsv_unroll), .kind = FR_FIELD_COUNT, .unit = "1" },
    { .name = "fit", .kind = FR_FIELD_OBJECT, .fields = sparse_fit, .doc = "Constants c1 to c6 of the calibrated kernel model." },
    { SP(supernode_max), .kind = FR_FIELD_COUNT, .unit = "1" }, { SP(supernode_relax), .kind = FR_FIELD_COUNT, .unit = "1" },
    END,
};

#define CNC(f) AT(#f, CAL, cnc.f)
static const struct fr_field step_kernel[] = {
    COUNT(struct fr_step_kernel, block_size, .flags = FR_FIELD_NEEDED),
    NUMBER(struct fr_step_kernel, rate_flops_per_s, .unit = "flop/s", .scaling = FR_SCALE_RATE),
    NUMBER(struct fr_step_kernel, time_s, .unit = "s", .scaling = FR_SCALE_RATE_TIME), END,
};
static const struct fr_field volume_overhead[] = {
    { AT("cannon", CAL, cnc.volume_overhead.cannon), .kind = FR_FIELD_NUMBER, .unit = "1", .scaling = FR_SCALE_VALUE },
    { AT("johnson", CAL, cnc.volume_overhead.johnson), .kind = FR_FIELD_NUMBER, .unit = "1", .scaling = FR_SCALE_VALUE }, END,
};
static const struct fr_field cnc[] = {
    { CNC(intra_node_bandwidth_bytes_per_s), .kind = FR_FIELD_NUMBER, .unit = "bytes/s", .scaling = FR_SCALE_BANDWIDTH },
    { CNC(inter_node_bandwidth_bytes_per_s), .kind = FR_FIELD_NUMBER, .unit = "bytes/s", .scaling = FR_SCALE_BANDWIDTH },
    { CNC(peak_flops_per_core_per_s), .kind = FR_FIELD_NUMBER, .unit = "flop/s", .scaling = FR_SCALE_RATE },
    { CNC(step_kernel), .kind = FR_FIELD_TABLE, .size = sizeof(struct fr_step_kernel), .fields = step_kernel },
    { .name = "volume_overhead", .kind = FR_FIELD_OBJECT, .fields = volume_overhead },
    END,
};

static const char *const schemas[] = { "forerun-calibration-1", NULL };
const struct fr_field fr_calibration_fields[] = {
    { AT("schema", CAL, schema), .kind = FR_FIELD_TEXT, .choices = schemas, .flags = FR_FIELD_NEEDED,
      .doc = "forerun-calibration-1." },
    TEXT(CAL, machine, .flags = FR_FIELD_NEEDED, .doc = "The machine's name: [a-z0-9][a-z0-9._-]{0,63}."),
    TEXT(CAL, description, .doc = "For people."),
    TEXT(CAL, created_at, .doc = "When it was measured, RFC 3339 UTC."),
    { .name = "tool", .kind = FR_FIELD_OBJECT, .fields = tool, .doc = "What made the document." },
    { .name = "environment", .kind = FR_FIELD_OBJECT, .fields = environment, .doc = "What it was measured with." },
    { .name = "node", .kind = FR_FIELD_OBJECT, .fields = node, .group = FR_CAL_NODE, .doc = "One node." },
    { .name = "network", .kind = FR_FIELD_OBJECT, .fields = network, .group = FR_CAL_NETWORK, .doc = "Messages." },
    { .name = "contention", .kind = FR_FIELD_OBJECT, .fields = contention, .group = FR_CAL_CONTENTION,
      .doc = "What messages cost when many travel at once." },
    { .name = "kernels", .kind = FR_FIELD_OBJECT, .fields = kernels, .group = FR_CAL_KERNELS, .doc = "Rates of routines." },
    { .name = "memory", .kind = FR_FIELD_OBJECT, .fields = memory, .group = FR_CAL_MEMORY, .doc = "Memory and caches." },
    { .name = "sparse", .kind = FR_FIELD_OBJECT, .fields = sparse, .group = FR_CAL_SPARSE, .doc = "Supernodal sparse LU." },
    { .name = "cnc", .kind = FR_FIELD_OBJECT, .fields = cnc, .group = FR_CAL_CNC, .doc = "Concurrent Collections." },
    { .name = "sources", .kind = FR_FIELD_ANY, .doc = "Where values come from, by JSON pointer." },
    END,
};
