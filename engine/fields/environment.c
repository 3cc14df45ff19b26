/* Fields of `environment`, of a calibration and of a saved run: what was measured with. */
#include "engine/fields/fields.h"

#define ENV struct fr_environment
static const struct fr_field blas[] = {
    { AT("name", ENV, blas.name), .kind = FR_FIELD_TEXT, .doc = "Name." },
    { AT("version", ENV, blas.version), .kind = FR_FIELD_TEXT, .doc = "Version." },
    { AT("core", ENV, blas.core), .kind = FR_FIELD_TEXT, .doc = "Kernel of the library." },
    END,
};

const struct fr_field fr_fields_environment[] = {
    { AT("cpu", ENV, cpu), .kind = FR_FIELD_TEXT, .doc = "Processor." },
    { AT("cpu_governor", ENV, cpu_governor), .kind = FR_FIELD_TEXT, .doc = "Frequency governor." },
    { .name = "blas", .kind = FR_FIELD_OBJECT, .fields = blas, .doc = "BLAS library." },
    { AT("mpi", ENV, mpi), .kind = FR_FIELD_TEXT, .doc = "MPI library." },
    { AT("compiler", ENV, compiler), .kind = FR_FIELD_TEXT, .doc = "Compiler." },
    { AT("kernel", ENV, kernel), .kind = FR_FIELD_TEXT, .doc = "Operating system kernel." },
    { AT("hosts", ENV, hosts), .kind = FR_FIELD_COUNT, .doc = "Hosts of the job." },
    { AT("processes", ENV, processes), .kind = FR_FIELD_COUNT, .doc = "Processes of the job." },
    { AT("threads_per_process", ENV, threads_per_process), .kind = FR_FIELD_COUNT,
      .doc = "Threads of a process." },
    { AT("binding", ENV, binding), .kind = FR_FIELD_TEXT, .doc = "How processes were bound." },
    END,
};
