/* Runs gnuplot on a script.
 *
 * Its standard input, output and error are files in memory. The program therefore never blocks on a
 * pipe and no broken pipe raises a signal; forerun only waits for one process. The kernel stops a
 * program that writes too much (RLIMIT_FSIZE).
 */
#include "server/charts/plot/script.h"
#include "server/core/clock.h"
#include "server/core/process.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEADLINE_MS = 10000, CPU_S = 10, CHUNK = 16384 };
static const size_t picture_limit_bytes = 8 << 20;
static const size_t memory_limit_bytes = 1 << 30;

struct fr_renderer {
    struct fr_clock *clock;
    pthread_mutex_t lock; /* protects `places` */
    pthread_cond_t has_place;
    unsigned places; /* programs that may still be started */
    const char *folders;
    unsigned deadline_ms;
    size_t image_bytes;
};

/* Standard input, output and error of the program; -1: not open. */
struct files {
    int script, image, error;
};

struct fr_renderer *fr_renderer_new(unsigned at_once, const char *folders, struct fr_clock *clock)
{
    struct fr_renderer *renderer = malloc(sizeof *renderer);

    if (!renderer)
        return NULL;
    renderer->clock = clock;
    pthread_mutex_init(&renderer->lock, NULL);
    pthread_cond_init(&renderer->has_place, NULL);
    renderer->places = at_once ? at_once : 1;
    renderer->folders = folders;
    fr_renderer_limit(renderer, DEADLINE_MS, picture_limit_bytes);
    return renderer;
}

void fr_renderer_free(struct fr_renderer *renderer)
{
    if (!renderer)
        return;
    pthread_cond_destroy(&renderer->has_place);
    pthread_mutex_destroy(&renderer->lock);
    free(renderer);
}

void fr_renderer_limit(struct fr_renderer *renderer, unsigned deadline_ms, size_t image_bytes)
{
    renderer->deadline_ms = deadline_ms;
    renderer->image_bytes = image_bytes;
}

static bool write_all(int file, const char *text, size_t length)
{
    while (length) {
        const ssize_t written = write(file, text, length);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        length -= (size_t)written;
    }
    return true;
}

/* After the picture, its program says where it drew the axes, in pixels from the lower left. */
static const char asks_for_axes[] = "\nprint sprintf('axes %.3f %.3f %.3f %.3f', GPVAL_TERM_XMIN, "
                                    "GPVAL_TERM_XMAX, GPVAL_TERM_YMIN, GPVAL_TERM_YMAX)\n";

static bool write_script(int file, const struct fr_plot *plot)
{
    const size_t more = plot->format == FR_JSON ? sizeof asks_for_axes - 1 : 0;

    return write_all(file, plot->script.text, plot->script.length) &&
           write_all(file, asks_for_axes, more) && lseek(file, 0, SEEK_SET) == 0;
}

static bool open_files(struct files *files, const struct fr_plot *plot)
{
    files->script = memfd_create("forerun script", MFD_CLOEXEC);
    files->image = memfd_create("forerun chart", MFD_CLOEXEC);
    files->error = memfd_create("forerun stderr", MFD_CLOEXEC);
    return files->script >= 0 && files->image >= 0 && files->error >= 0 &&
           write_script(files->script, plot);
}

static void close_files(struct files *files)
{
    if (files->script >= 0)
        close(files->script);
    if (files->image >= 0)
        close(files->image);
    if (files->error >= 0)
        close(files->error);
}

static size_t image_length(const struct files *files)
{
    struct stat facts;

    return fstat(files->image, &facts) < 0 ? 0 : (size_t)facts.st_size;
}

/* Says why there is no picture. */
static void explain(const struct fr_renderer *renderer, const struct files *files, int status,
                    char *why, size_t why_size)
{
    char said[512];
    const ssize_t got = pread(files->error, said, sizeof said - 1, 0);

    fr_said_line(said, got > 0 ? (size_t)got : 0);
    if ((WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ) ||
        image_length(files) > renderer->image_bytes)
        snprintf(why, why_size, "the image is too large");
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        snprintf(why, why_size, "gnuplot was killed from outside, perhaps for lack of memory");
    else if (WIFSIGNALED(status))
        snprintf(why, why_size, "gnuplot was terminated by signal %d: %s", WTERMSIG(status), said);
    else
        snprintf(why, why_size, "gnuplot: %s", *said ? said : "no output and no message");
}

/* Appends the picture; false where there is none or memory is short. */
static bool read_chart(const struct fr_renderer *renderer, const struct files *files,
                       struct fr_writer *out)
{
    const size_t before = out->length;
    const off_t length = (off_t)image_length(files);
    off_t at = 0;
    char chunk[CHUNK];

    if (length == 0 || (size_t)length > renderer->image_bytes)
        return false;
    while (at < length) {
        const ssize_t got = pread(files->image, chunk, sizeof chunk, at);

        if (got <= 0)
            break;
        fr_writer_append(out, chunk, (size_t)got);
        at += got;
    }
    if (at < length || out->failed)
        out->length = before;
    return at == length && !out->failed;
}

/* Reads the axes from the end of what the program said. */
static bool read_box(const struct files *files, const struct fr_plot *plot, struct fr_said_box *box)
{
    char said[200];
    const off_t length = lseek(files->error, 0, SEEK_END);
    const off_t from = length > (off_t)sizeof said - 1 ? length - (off_t)sizeof said + 1 : 0;
    const ssize_t got = pread(files->error, said, sizeof said - 1, from);

    return got > 0 && fr_said_axes(said, (size_t)got, plot->width, plot->height, box);
}

static double rounded(double pixels)
{
    return round(1e3 * pixels) / 1e3;
}

/* Appends the JSON of the plot. */
static bool describe(const struct files *files, const struct fr_plot *plot, struct fr_writer *out)
{
    const size_t before = out->length;
    struct fr_writer shown;
    struct fr_said_box box;
    bool is_done;

    if (plot->shown.failed || !read_box(files, plot, &box))
        return false;
    fr_writer_init(&shown);
    fr_json_object(&shown);
    fr_json_pair_number(&shown, "left", rounded(box.left));
    fr_json_pair_number(&shown, "top", rounded(box.top));
    fr_json_pair_number(&shown, "right", rounded(box.right));
    fr_json_pair_number(&shown, "bottom", rounded(box.bottom));
    fr_json_object_end(&shown);
    fr_writer_append(out, plot->shown.text, plot->shown.length);
    fr_writer_text(out, ",\"box\":");
    fr_writer_append(out, shown.text, shown.length);
    fr_writer_text(out, "}");
    is_done = !shown.failed && !out->failed;
    if (!is_done)
        out->length = before;
    fr_writer_free(&shown);
    return is_done;
}

static int start(const struct fr_renderer *renderer, const struct files *files, pid_t *pid)
{
    char *const arguments[] = { (char[]){ "gnuplot" }, (char[]){ "-d" }, (char[]){ "-" }, NULL };
    /* C.UTF-8 writes numbers as C does; in C itself gnuplot warns about its degree sign. */
    char *const environment[] = { (char[]){ "LC_ALL=C.UTF-8" }, (char[]){ "PATH=/usr/bin:/bin" },
                                  NULL };
    const struct fr_program program = {
        .arguments = arguments,
        .environment = environment,
        .input = files->script,
        .output = files->image,
        .error = files->error,
        .folders = renderer->folders,
        .cpu_s = CPU_S,
        .memory_bytes = memory_limit_bytes,
        .file_bytes = renderer->image_bytes,
    };

    return fr_process_start(&program, pid);
}

static int run(const struct fr_renderer *renderer, const struct files *files,
               const struct fr_plot *plot, struct fr_writer *out, char *why, size_t why_size)
{
    int status = 0;
    pid_t pid;
    const int error = start(renderer, files, &pid);

    if (error) {
        snprintf(why, why_size, "cannot start gnuplot: %s", strerrordesc_np(error));
        return FR_RENDER_FAILED;
    }
    if (!fr_process_wait(pid, renderer->clock, renderer->deadline_ms, &status) ||
        (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) {
        snprintf(why, why_size, "gnuplot took more than %u ms", renderer->deadline_ms);
        return FR_RENDER_TIMEOUT;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
        (plot->format == FR_JSON ? describe(files, plot, out) : read_chart(renderer, files, out)))
        return FR_RENDERED;
    explain(renderer, files, status, why, why_size);
    return FR_RENDER_FAILED;
}

static bool take_place(struct fr_renderer *renderer)
{
    const uint64_t deadline_ns = fr_clock_in_ms(renderer->clock, renderer->deadline_ms);
    bool has_place;

    pthread_mutex_lock(&renderer->lock);
    while (!renderer->places &&
           fr_clock_wait(renderer->clock, &renderer->has_place, &renderer->lock, deadline_ns))
        continue;
    has_place = renderer->places > 0;
    renderer->places -= has_place;
    pthread_mutex_unlock(&renderer->lock);
    return has_place;
}

static void give_place(struct fr_renderer *renderer)
{
    pthread_mutex_lock(&renderer->lock);
    renderer->places++;
    pthread_cond_signal(&renderer->has_place);
    pthread_mutex_unlock(&renderer->lock);
}

int fr_render(struct fr_renderer *renderer, const struct fr_plot *plot, struct fr_writer *out,
              char *why, size_t why_size)
{
    struct files files;
    int result = FR_RENDER_FAILED;

    if (plot->script.failed) {
        snprintf(why, why_size, "no memory for the script");
        return FR_RENDER_FAILED;
    }
    if (plot->format == FR_GP) {
        fr_writer_append(out, plot->script.text, plot->script.length);
        return FR_RENDERED;
    }
    if (!take_place(renderer)) {
        snprintf(why, why_size, "too many charts are being drawn");
        return FR_RENDER_BUSY;
    }
    if (open_files(&files, plot))
        result = run(renderer, &files, plot, out, why, why_size);
    else
        snprintf(why, why_size, "no memory for the image: %s", strerrordesc_np(errno));
    close_files(&files);
    give_place(renderer);
    return result;
}
