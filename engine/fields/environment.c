/* Fields of `environment`, of a calibration and of a saved run: what was measured with. */
#include "engine/fields/fields.h"

#define ENV struct fr_environment
static const struct fr_field blas[] = {
    IN(ENV, blas, TEXT, name, .doc = "Name."),
    IN(ENV, blas, TEXT, version, .doc = "Version."),
    IN(ENV, blas, TEXT, core, .doc = "Kernel of the library."),
    END,
};

const struct fr_field fr_fields_environment[] = {
    TEXT(ENV, cpu, .doc = "Processor."),
    TEXT(ENV, cpu_governor, .doc = "Frequency governor."),
    MEMBERS("blas", blas, .doc = "BLAS library."),
    TEXT(ENV, mpi, .doc = "MPI library."),
    TEXT(ENV, compiler, .doc = "Compiler."),
    TEXT(ENV, kernel, .doc = "Operating system kernel."),
    { AT("hosts", ENV, hosts), .kind = FR_FIELD_COUNT, .doc = "Hosts of the job." },
    { AT("processes", ENV, processes), .kind = FR_FIELD_COUNT, .doc = "Processes of the job." },
    { AT("threads_per_process", ENV, threads_per_process), .kind = FR_FIELD_COUNT,
      .doc = "Threads of a process." },
    TEXT(ENV, binding, .doc = "How processes were bound."),
    END,
};
