/* The contents of a matrix file, found by a child process: the daemon does not parse untrusted
 * files.
 *
 * The child is this program itself, so that both ends of the pipe agree on the layout of the
 * struct.
 */
#ifndef FR_MATRICES_INSPECTION_H
#define FR_MATRICES_INSPECTION_H

#include "engine/core/fault.h"
#include "server/matrices/files/matrix.h"

struct fr_clock;

struct fr_inspection {
    struct fr_faults faults; /* if there is any, the file is refused and the rest is not set */
    struct fr_matrix head;   /* without its arrays */
    int32_t has_facts;       /* 0: memory was short, and `facts` is not set */
    struct fr_matrix_facts facts;
    struct fr_spy spy;
};

/* Inspects an open file, from its beginning and with at most so many uncompressed bytes, in a child
 * process that may read `folders` (core/sandbox.h).  NULL if the child cannot start, takes longer
 * than `timeout_s` or ends without a result; free with free(). */
struct fr_inspection *fr_inspection_run(int file, int64_t limit_bytes, struct fr_clock *clock,
                                        unsigned timeout_s, const char *folders);

/* Whether the values that the daemon uses are possible.  A file may have taken control of the
 * child, which then sends any bytes.  Ends the texts, and makes them UTF-8. */
bool fr_inspection_check(struct fr_inspection *of);

/* The subcommand that the child runs, with the limit in bytes as its argument: inspects standard
 * input and writes a struct fr_inspection to standard output.  Returns the exit status. */
extern const char fr_inspection_command[];
int fr_inspection_child(int argc, char **argv);

#endif
