/* Opens the source of the matrix. */
#include "server/analyze/analyze.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static long read_some(void *context, char *out, size_t size)
{
    const int *file = context;
    ssize_t got;

    do
        got = read(*file, out, size);
    while (got < 0 && errno == EINTR);
    return got;
}

struct fr_matrix *fr_source_open(const struct fr_analyze_options *options, struct fr_faults *faults)
{
    int file = STDIN_FILENO;
    struct fr_matrix *matrix;

    if (options->generate)
        return fr_generate(options->generate, faults);
    if (options->file)
        file = open(options->file, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        fr_fault(faults, FR_NOT_FOUND, "/", "%s: %s", options->file, strerror(errno));
        return NULL;
    }
    matrix = fr_matrix_read(read_some, &file, &fr_matrix_usual_limits, faults);
    if (options->file)
        close(file);
    return matrix;
}
