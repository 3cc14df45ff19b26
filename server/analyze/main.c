/* forerun-analyze: from a matrix file to the block structure of its factors
 * (docs/models/sparse_lu.md#analysis-of-a-matrix), or to the facts of its partitions
 * (docs/models/partition.md).
 *
 * The libraries exit, abort or corrupt memory on unsuitable matrices.  The daemon therefore runs
 * a process for each ordering, and for the partitions of a matrix.
 */
#include "server/analyze/analyze.h"

#include <stdio.h>
#include <stdlib.h>

/* The libraries leak memory. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

static int run(const struct fr_analyze_options *options)
{
    if (options->is_factorization)
        return fr_factorization_run(options);
    return options->process_counts ? fr_partition_run(options) : fr_analysis_run(options);
}

int main(int count, char **arguments)
{
    struct fr_analyze_options options;
    int is_started = 0, status;

    fr_options_parse(&options, count, arguments);
    fr_limits_environment(arguments, !options.is_factorization);
    if (!fr_limits_set(options.memory_limit_bytes, options.cpu_limit_s, options.is_factorization) ||
        !fr_records_begin()) {
        perror("forerun-analyze");
        return EXIT_FAILURE;
    }
    status = run(&options);
    MPI_Initialized(&is_started);
    if (is_started)
        MPI_Finalize();
    return status;
}
