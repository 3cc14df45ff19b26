/* What is known of a machine's hardware and libraries, in one form for all who state it: the
 * machine's owner, a calibration document, a saved run.  One table says which facts are compared
 * (docs/calibration.md#facts-that-are-compared). */
#ifndef FR_CALIBRATION_MACHINE_FACTS_H
#define FR_CALIBRATION_MACHINE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fr_calibration;

/* The software and hardware of a measurement.  Absent texts are NULL, absent counts 0. */
struct fr_environment {
    const char *cpu, *cpu_governor, *mpi, *compiler, *kernel, *binding;
    struct {
        const char *name, *version, *core;
    } blas;
    int64_t hosts, processes, threads_per_process;
};

/* Unknown: 0, NaN or NULL.  Texts are borrowed. */
struct fr_machine_facts {
    int64_t nodes, cores_per_node;
    int64_t hosts; /* nodes that took part in a measurement */
    double memory_bytes_per_node, clock_hz;
    const char *cpu, *topology, *mpi, *blas;
};

enum { FR_COMPARED_FACTS = 8, FR_FACT_BYTES = 128 };
/* A fact that two sources state differently. */
struct fr_mismatch {
    const char *fact;    /* its name in warnings */
    const char *pointer; /* in a document */
    bool is_impossible;  /* they cannot be the same machine */
    char known[FR_FACT_BYTES], found[FR_FACT_BYTES];
};
struct fr_mismatches {
    size_t count;
    struct fr_mismatch row[FR_COMPARED_FACTS];
};

/* All unknown. */
extern const struct fr_machine_facts fr_no_facts;
/* `blas` receives the text to which out->blas points. */
void fr_environment_facts(const struct fr_environment *environment, char blas[FR_FACT_BYTES],
                          struct fr_machine_facts *out);
void fr_calibration_facts(const struct fr_calibration *cal, char blas[FR_FACT_BYTES],
                          struct fr_machine_facts *out);
/* Compares what is known of a machine with what was found on it; unknown facts agree with all. */
void fr_facts_compare(const struct fr_machine_facts *known, const struct fr_machine_facts *found,
                      struct fr_mismatches *out);

#endif
