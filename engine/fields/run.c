/* Fields of a saved run (docs/saved_runs.md). */
#include "engine/fields/fields.h"
#include "engine/runs/saved_run.h"

#define RUN struct fr_run_document
static const char *const link_classes[] = { FR_LINK_STATE_CLASSES(FR_CHOICE_NAME) NULL };
static const struct fr_field links[] = {
    CHOICE(struct fr_link_state, class, link_classes, .flags = FR_FIELD_NEEDED,
           .doc = "Class of the links."),
    NUMBER(struct fr_link_state, stalls, .unit = "1", .flags = FR_FIELD_ZERO,
           .doc = "Stalls on these links."),
    NUMBER(struct fr_link_state, traffic_units, .unit = "1", .flags = FR_FIELD_ZERO,
           .doc = "Units of traffic that the counters counted."),
    NUMBER(struct fr_link_state, bytes, .unit = "bytes", .flags = FR_FIELD_ZERO,
           .doc = "The same traffic in bytes."),
    END,
};
static const struct fr_field network_state[] = {
    NUMBER(struct fr_network_state, stalls_per_byte, .unit = "1/bytes", .flags = FR_FIELD_ZERO,
           .doc = "Stalls for each byte of traffic; or stalls, traffic_units and "
                  "bytes_per_traffic_unit."),
    NUMBER(struct fr_network_state, stalls, .unit = "1", .flags = FR_FIELD_ZERO,
           .doc = "Stalls during the run."),
    NUMBER(struct fr_network_state, traffic_units, .unit = "1",
           .doc = "Units of traffic during the run."),
    NUMBER(struct fr_network_state, bytes_per_traffic_unit, .unit = "bytes",
           .doc = "Bytes of a unit of traffic."),
    TABLE(struct fr_network_state, links, struct fr_link_state, links,
          .doc = "The same for each class of links; the models read the total alone."),
    END,
};
static const struct fr_field phases[] = {
    IN(struct fr_run_computation, phases, LISTS, matvec_s, .unit = "s",
       .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO,
       .doc = "Matrix-vector products: a row for each iteration, a number for each process."),
    IN(struct fr_run_computation, phases, LISTS, preconditioner_s, .unit = "s",
       .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO, .doc = "Preconditioner applications, likewise."),
    IN(struct fr_run_computation, phases, LISTS, vector_s, .unit = "s",
       .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO, .doc = "Vector work, likewise."),
    END,
};
#define SUMMARY(label)                                                                          \
    {                                                                                           \
        AT(#label, struct fr_run_computation, summary.label),                                   \
            .kind = FR_FIELD_NUMBER, .unit = "s", .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO,     \
            .doc = "Of an iteration's computation: over all, or over each iteration's slowest " \
                   "process."                                                                   \
    }
static const struct fr_field summary[] = {
    SUMMARY(median_s),
    SUMMARY(first_quartile_s),
    SUMMARY(slowest_median_s),
    SUMMARY(slowest_first_quartile_s),
    END,
};
/* The offsets of `phases` and `summary` are those within struct fr_run_computation. */
static const struct fr_field computation[] = {
    MEMBERS("phases", phases, .doc = "Computation by phase, communication not included."),
    { AT("total_s", struct fr_run_computation, total_s), .kind = FR_FIELD_LISTS, .unit = "s",
      .flags = FR_FIELD_ZERO, .doc = "All computation of an iteration, likewise." },
    MEMBERS("summary", summary, .doc = "Medians and first quartiles instead of all the times."),
    END,
};
static const struct fr_field breakdown[] = {
    TEXT(struct fr_run_phase, phase, .flags = FR_FIELD_NEEDED, .doc = "A phase of the model."),
    NUMBER(struct fr_run_phase, time_s, .unit = "s", .flags = FR_FIELD_NEEDED | FR_FIELD_ZERO,
           .doc = "Its measured time, what overlaps included."),
    END,
};

const struct fr_field fr_run_fields[] = {
    TEXT(RUN, schema, .doc = "forerun-run-1."),
    TEXT(RUN, model, .doc = "The model whose operation was run."),
    { .name = "parameters",
      .kind = FR_FIELD_ANY,
      .doc = "Parameters of the model, as in a prediction." },
    NUMBER(RUN, time_s, .unit = "s", .doc = "Measured time."),
    TEXT(RUN, started_at, .doc = "When the run began, RFC 3339."),
    TEXT(RUN, job, .doc = "The job's id or name."),
    COUNT(RUN, hosts, .doc = "Hosts that took part."),
    NUMBERS(RUN, repetitions, .unit = "s", .doc = "Times of repetitions; time_s is their median."),
    NUMBERS(RUN, iteration_times_s, .unit = "s", .doc = "Time of each iteration."),
    TABLE(RUN, breakdown, struct fr_run_phase, breakdown, .doc = "Measured time of each phase."),
    { .name = "outputs", .kind = FR_FIELD_ANY, .doc = "Other outputs of the model, as measured." },
    TEXT(RUN, notes, .doc = "What else is worth knowing."),
    NUMBERS(RUN, local_grid, .unit = "1", .doc = "Rows of a process in each dimension."),
    NUMBERS(RUN, process_grid, .unit = "1", .doc = "Processes in each dimension."),
    NUMBERS(RUN, on_node_grid, .unit = "1", .doc = "Processes of a node in each dimension."),
    NUMBERS(RUN, allocation, .unit = "1",
            .doc = "Torus: extent in routers; dragonfly: routers, chassis, groups of the job."),
    OBJECT(RUN, network_state, network_state, .doc = "Stalls and traffic during the run."),
    OBJECT(RUN, environment, fr_fields_environment,
           .doc = "What it ran on and with; compared with the calibration's."),
    OBJECT(RUN, computation, computation, .doc = "Computation of an iteration."),
    END,
};
