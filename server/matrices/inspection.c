/* Starts the child, reads the struct that it wrote and checks every value that the daemon uses. */
#include "server/matrices/matrix.h"

#include "server/core/clock.h"
#include "server/core/process.h"
#include "server/core/utf8.h"
#include "server/matrices/files/matrix.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Address space, enough for the largest matrix that is read. */
static const size_t memory_bytes = (size_t)1 << 32;

const char fr_inspection_command[] = "inspect-matrix";

/* ---- child -------------------------------------------------------------------------------- */

static void inspect(int64_t limit_bytes, struct fr_inspection *out)
{
    struct fr_spool_reader reader = { .file = STDIN_FILENO };
    struct fr_matrix_limits limits = fr_matrix_usual_limits;
    struct fr_matrix *matrix;

    limits.bytes = limit_bytes;
    matrix = fr_matrix_read(fr_spool_read, &reader, &limits, &out->faults);
    if (!matrix)
        return;
    out->has_facts = fr_matrix_find_facts(matrix, &out->facts) == FR_OK;
    fr_matrix_spy(matrix, &out->spy);
    out->head = *matrix;
    fr_matrix_free(matrix);
}

int fr_inspection_child(int argc, char **argv)
{
    const int64_t limit_bytes = argc == 2 ? strtoll(argv[1], NULL, 10) : 0;
    struct fr_inspection *found = calloc(1, sizeof *found);
    int status = EXIT_FAILURE;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (found && limit_bytes > 0) {
        inspect(limit_bytes, found);
        status = fr_spool_write(STDOUT_FILENO, found, sizeof *found) ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    free(found);
    return status;
}

/* ---- daemon ------------------------------------------------------------------------------- */

static int start(int file, int out, int64_t limit_bytes, unsigned timeout_s, const char *folders,
                 pid_t *pid)
{
    char command[sizeof fr_inspection_command], limit[24];
    char *const arguments[] = { (char[]){ "/proc/self/exe" }, command, limit, NULL };
    char *const environment[] = { NULL };
    const struct fr_program program = {
        .arguments = arguments,
        .environment = environment,
        .input = file,
        .output = out,
        .error = STDERR_FILENO,
        .folders = folders,
        .cpu_s = timeout_s,
        .memory_bytes = memory_bytes,
        .file_bytes = sizeof(struct fr_inspection),
    };

    snprintf(command, sizeof command, "%s", fr_inspection_command);
    snprintf(limit, sizeof limit, "%" PRId64, limit_bytes);
    return fr_process_start(&program, pid);
}

static void end_text(char *text, size_t size)
{
    text[size - 1] = '\0';
    fr_utf8_sanitize(text);
}

static bool is_between(int64_t value, int64_t least, int64_t most)
{
    return value >= least && value <= most;
}

static bool check_fault(struct fr_fault *fault)
{
    end_text(fault->where, sizeof fault->where);
    end_text(fault->message, sizeof fault->message);
    return fr_code_is_known(fault->code) && fault->code != FR_OK;
}

bool fr_inspection_check(struct fr_inspection *of)
{
    struct fr_matrix *head = &of->head;
    const struct fr_matrix_facts *facts = &of->facts;
    const int64_t n = head->n;

    for (size_t i = 0; i < fr_faults_kept(&of->faults); i++)
        if (!check_fault(&of->faults.fault[i]))
            return false;
    end_text(head->title, sizeof head->title);
    for (size_t i = 0; i < FR_MATRIX_LINES; i++)
        if (head->line[i] < 0)
            return false;
    head->column_at = NULL;
    head->row = NULL;
    head->value = NULL;
    return of->faults.count ||
           (is_between(head->format, FR_MATRIX_MARKET, FR_RUTHERFORD_BOEING) &&
            is_between(head->field, FR_MATRIX_REAL, FR_MATRIX_PATTERN) &&
            is_between(head->symmetry, FR_MATRIX_GENERAL, FR_MATRIX_HERMITIAN) &&
            is_between(n, 1, INT32_MAX) && is_between(head->entries, 0, INT32_MAX) &&
            is_between(head->nnz, 0, INT32_MAX) && facts->structural_symmetry >= 0 &&
            facts->structural_symmetry <= 1 && is_between(facts->lower_bandwidth, 0, n - 1) &&
            is_between(facts->upper_bandwidth, 0, n - 1) &&
            is_between(facts->zero_diagonals, 0, n) && is_between(facts->empty_rows, 0, n) &&
            is_between(facts->empty_columns, 0, n) && of->spy.n == n &&
            of->spy.side == (n < FR_SPY_SIDE ? n : FR_SPY_SIDE));
}

struct fr_inspection *fr_inspection_run(int file, int64_t limit_bytes, struct fr_clock *clock,
                                        unsigned timeout_s, const char *folders)
{
    struct fr_inspection *found = malloc(sizeof *found);
    const int out = memfd_create("forerun inspection", MFD_CLOEXEC);
    bool is_whole = false;
    int status;
    pid_t pid;

    if (found && out >= 0 && start(file, out, limit_bytes, timeout_s, folders, &pid) == 0)
        is_whole = fr_process_wait(pid, clock, timeout_s * 1000, &status) &&
                   pread(out, found, sizeof *found, 0) == sizeof *found;
    if (out >= 0)
        close(out);
    if (is_whole && fr_inspection_check(found))
        return found;
    free(found);
    return NULL;
}
