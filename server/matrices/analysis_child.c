/* Starts forerun-analyze, reads its output, and decides what its end means. */
#include "server/matrices/analyses.h"

#include "server/core/clock.h"
#include "server/core/utf8.h"
#include "server/matrices/files/blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NICENESS = 10, PIECE_BYTES = 64 * 1024, PIECES_AT_ONCE = 64 };
enum { OPTIONS_MOST = 7, NUMBER_BYTES = 24 };

/* ---- starting ----------------------------------------------------------------------------- */

/* The daemon's end does not block; the program's end does. */
static bool open_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    return fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

static void close_one(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

/* A command line: the program, then options with their values. */
struct command {
    char name[1024], option[OPTIONS_MOST][24],
        value[OPTIONS_MOST][FR_PARTITIONS_AT_ONCE * NUMBER_BYTES];
    char *argument[2 * OPTIONS_MOST + 2];
    int options;
};

static void add(struct command *command, const char *option, const char *format, ...)
    FR_PRINTF(3, 4);
static void add(struct command *command, const char *option, const char *format, ...)
{
    char *value = command->value[command->options];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(value, sizeof command->value[0], format, arguments);
    va_end(arguments);
    strcpy(command->option[command->options], option);
    command->argument[1 + 2 * command->options] = command->option[command->options];
    command->argument[2 + 2 * command->options++] = value;
}

static void add_processes(struct command *command, const struct fr_matrix_task *task)
{
    char list[FR_PARTITIONS_AT_ONCE * NUMBER_BYTES];
    size_t length = 0;

    for (size_t i = 0; i < task->parts; i++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%" PRId64, i ? "," : "",
                                   task->processes[i]);
    add(command, "--partition", "%s", list);
}

static void write_command(struct command *command, const char *program,
                          const struct fr_matrix_task *task, bool has_permutations,
                          const struct fr_analysis_limits *limits)
{
    *command = (struct command){ .argument = { command->name } };
    snprintf(command->name, sizeof command->name, "%s", program);
    if (task->partition) {
        add_processes(command, task);
        add(command, "--by", "%s", task->partition);
    } else {
        add(command, "--orderings", "%s", task->ordering);
        add(command, "--row-permutation", "%s", task->row_permutation);
        if (has_permutations)
            add(command, "--permutations", FR_EXTRA_PATH);
        add(command, "--supernode-max", "%" PRId64, task->supernode_max);
        add(command, "--supernode-relax", "%" PRId64, task->supernode_relax);
    }
    add(command, "--memory-limit-bytes", "%zu", limits->memory_bytes);
    add(command, "--cpu-limit-s", "%u", limits->timeout_s);
}

static int start(struct fr_analysis_child *child, const char *program,
                 const struct fr_analysis_files *files, int out, int complaint,
                 const struct fr_analysis_limits *limits)
{
    char *const environment[] = { (char[]){ "LC_ALL=C.UTF-8" }, (char[]){ "PATH=/usr/bin:/bin" },
                                  (char[]){ "OMP_NUM_THREADS=1" },
                                  (char[]){ "OPENBLAS_NUM_THREADS=1" }, NULL };
    struct command command;
    const struct fr_program started = {
        .arguments = command.argument,
        .environment = environment,
        .input = files->source,
        .extra = files->permutations,
        .output = out,
        .error = complaint,
        .folders = limits->folders,
        .cpu_s = limits->timeout_s,
        .memory_bytes = limits->memory_bytes,
        .niceness = NICENESS,
    };

    write_command(&command, program, &child->task, files->permutations != 0, limits);
    return fr_process_start(&started, &child->pid);
}

/* If the machine runs out of memory, the kernel should kill the program before the daemon. */
static void offer_to_killer(pid_t pid)
{
    static const char most[] = "1000";
    char path[64];
    FILE *file;

    snprintf(path, sizeof path, "/proc/%ld/oom_score_adj", (long)pid);
    file = fopen(path, "we");
    if (!file)
        return;
    fputs(most, file);
    fclose(file);
}

static void explain_start(const char *program, int error, char *reason, size_t size)
{
    if (error == ENOENT)
        snprintf(reason, size,
                 "there is no program `%.100s`: install forerun-analyze or set analyze_program, "
                 "then upload the file again",
                 program);
    else
        snprintf(reason, size,
                 "`%.100s` does not start: %s; correct that, then upload the file again", program,
                 strerrordesc_np(error));
    fr_utf8_sanitize(reason);
}

bool fr_analysis_child_start(struct fr_analysis_child *child, const char *program,
                             const struct fr_matrix_task *task,
                             const struct fr_analysis_files *files,
                             const struct fr_analysis_limits *limits, char *reason,
                             size_t reason_size)
{
    int out[2] = { -1, -1 }, complaint[2] = { -1, -1 };
    int error = 0;

    *child = (struct fr_analysis_child){
        .task = *task,
        .out = -1,
        .complaint = -1,
        .end = -1,
        .timeout_s = limits->timeout_s,
        .clock = limits->clock,
        .deadline_ns = fr_clock_in_ms(limits->clock, limits->timeout_s * 1000),
    };
    fr_analysis_stream_begin(&child->stream, &child->task, limits->output_bytes);
    if (lseek(files->source, 0, SEEK_SET) != 0 || !open_pipe(out) || !open_pipe(complaint))
        error = errno;
    else
        error = start(child, program, files, out[1], complaint[1], limits);
    close_one(&out[1]);
    close_one(&complaint[1]);
    if (!error) {
        child->out = out[0];
        child->complaint = complaint[0];
        child->end = pidfd_open(child->pid, 0);
        offer_to_killer(child->pid);
        return true;
    }
    child->pid = 0;
    close_one(&out[0]);
    close_one(&complaint[0]);
    explain_start(program, error, reason, reason_size);
    return false;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Keeps the end of standard error. */
static void keep_words(struct fr_analysis_child *child, const char *piece, size_t length)
{
    const size_t room = sizeof child->words;

    if (length > room) {
        piece += length - room;
        length = room;
    }
    if (child->word_count + length > room) {
        const size_t surplus = child->word_count + length - room;

        memmove(child->words, child->words + surplus, child->word_count - surplus);
        child->word_count -= surplus;
    }
    memcpy(child->words + child->word_count, piece, length);
    child->word_count += length;
}

/* Reads what is available, up to a limit, so that endless output does not block other programs. */
static void drain(struct fr_analysis_child *child, int *file, bool is_output)
{
    char piece[PIECE_BYTES];

    for (int i = 0; i < PIECES_AT_ONCE && *file >= 0 && !child->stream.is_broken; i++) {
        const ssize_t got = read(*file, piece, sizeof piece);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return;
        if (got <= 0)
            close_one(file);
        else if (is_output)
            fr_analysis_stream_take(&child->stream, piece, (size_t)got);
        else
            keep_words(child, piece, (size_t)got);
    }
}

static bool is_dead(const struct fr_analysis_child *child)
{
    siginfo_t end = { .si_pid = 0 };

    return waitid(P_PID, (id_t)child->pid, &end, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           end.si_pid == child->pid;
}

bool fr_analysis_child_hear(struct fr_analysis_child *child)
{
    const bool was_dead = is_dead(child); /* first: then all its output is in the pipes */

    drain(child, &child->out, true);
    drain(child, &child->complaint, false);
    child->is_late = fr_clock_ns(child->clock) >= child->deadline_ns;
    return was_dead || child->is_late || child->stream.is_broken || child->stream.has_ended;
}

/* ---- result ------------------------------------------------------------------------------- */

/* A colon and the last line of standard error, or an empty text. */
static void last_line(const struct fr_analysis_child *child, char *out, size_t size)
{
    size_t end = child->word_count, begin;
    size_t length = 0;

    while (end && (unsigned char)child->words[end - 1] <= ' ')
        end--;
    for (begin = end; begin && child->words[begin - 1] != '\n'; begin--)
        continue;
    out[0] = '\0';
    if (begin == end)
        return;
    length = (size_t)snprintf(out, size, ": ");
    for (; begin < end && length + 1 < size; begin++)
        out[length++] =
            child->words[begin] >= ' ' && child->words[begin] < 0x7f ? child->words[begin] : '?';
    out[length] = '\0';
}

static void say(struct fr_analysis_child *child, const char *format, ...) FR_PRINTF(2, 3);
static void say(struct fr_analysis_child *child, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(child->stream.reason, sizeof child->stream.reason, format, arguments);
    va_end(arguments);
}

static void explain_death(struct fr_analysis_child *child, int status)
{
    const char *stage = *child->stream.stage ? child->stream.stage : "start";
    char words[120];

    last_line(child, words, sizeof words);
    if (child->is_late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
        say(child,
            "it took more than %u s and was stopped (stage %s); the operator may raise "
            "analysis_timeout_s",
            child->timeout_s, stage);
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        say(child, "it was killed (stage %s), perhaps because memory ran out%s", stage, words);
    else if (WIFSIGNALED(status))
        say(child, "it crashed with signal %d, %s (stage %s)%s", WTERMSIG(status),
            sigdescr_np(WTERMSIG(status)) ? sigdescr_np(WTERMSIG(status)) : "unknown", stage,
            words);
    else
        say(child, "it ended with status %d and no result (stage %s)%s",
            WIFEXITED(status) ? WEXITSTATUS(status) : -1, stage, words);
}

/* Whether the structure is valid and belongs to this matrix. */
static bool is_sound(struct fr_analysis_child *child)
{
    struct fr_analysis_stream *stream = &child->stream;
    struct sparse_structure *structure;
    struct fr_faults faults;
    bool fits;

    faults.count = 0;
    structure = fr_blocks_read(stream->bytes, stream->length, &faults);
    if (!structure) {
        say(child, "its block structure is not valid: %.60s %.120s", faults.fault[0].where,
            faults.fault[0].message);
        return false;
    }
    fits = structure->order == child->task.n && structure->supernodes == stream->result.supernodes;
    sparse_structure_free(structure);
    if (!fits)
        say(child, "its block structure belongs to another matrix");
    return fits;
}

/* Whether the child has a valid structure, or passed all partitions on; otherwise stream.reason
 * says why not. */
static bool has_result(struct fr_analysis_child *child, int status)
{
    const struct fr_analysis_stream *stream = &child->stream;

    if (stream->is_broken || (stream->has_result && stream->result.status == FR_MATRIX_FAILED))
        return false;
    if (stream->has_ended && stream->has_result)
        return child->task.partition || is_sound(child);
    if (stream->has_ended)
        say(child, "it reported no result");
    else
        explain_death(child, status);
    return false;
}

void fr_analysis_child_end(struct fr_analysis_child *child, struct fr_matrix_ordering *result)
{
    int status = 0;

    fr_process_end(child->pid, &status);
    child->pid = 0;
    if (has_result(child, status))
        *result = child->stream.result;
    else
        *result = (struct fr_matrix_ordering){ .status = FR_MATRIX_FAILED,
                                               .reason = child->stream.reason };
    result->ordering = child->task.ordering;
}

void fr_analysis_child_free(struct fr_analysis_child *child)
{
    int status;

    if (child->pid)
        fr_process_end(child->pid, &status);
    child->pid = 0;
    close_one(&child->out);
    close_one(&child->complaint);
    close_one(&child->end);
    fr_analysis_stream_free(&child->stream);
}
