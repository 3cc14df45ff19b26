/* GET /...: the dashboard's files.
 *
 * The path is opened one component at a time, without symbolic links and "..", so that no request
 * leaves the folder.  Files are read at each request: they are small and in the page cache, and an
 * updated dashboard takes effect immediately.
 */
#include "server/http/handlers.h"

#include "server/http/server.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Larger ones are compressed on a worker, not on the event loop. */
enum { QUICK_BYTES = 16 * 1024, MOST_BYTES = 16 * 1024 * 1024 };

#define PAGE_POLICY                                                                         \
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; script-src 'self'; " \
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "          \
    "frame-ancestors 'none'"

static const struct {
    const char *suffix, *type;
} types[] = {
    { "html", "text/html; charset=utf-8" },
    { "js", "text/javascript; charset=utf-8" },
    { "mjs", "text/javascript; charset=utf-8" },
    { "css", "text/css; charset=utf-8" },
    { "json", "application/json" },
    { "webmanifest", "application/manifest+json" },
    { "svg", "image/svg+xml" },
    { "png", "image/png" },
    { "ico", "image/x-icon" },
    { "woff2", "font/woff2" },
    { "txt", "text/plain; charset=utf-8" },
    { "md", "text/markdown; charset=utf-8" },
};

static const char *type_of(const char *path)
{
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].suffix, dot + 1) == 0)
            return types[i].type;
    return "application/octet-stream";
}

/* Opens the next component of a path in a folder and closes the folder.  Returns -1 for hidden
 * names, links and missing files. */
static int enter(int folder, const char *name, size_t length, int flags)
{
    char text[FR_SEGMENT_BYTES];
    int fd = -1;

    if (length > 0 && length < sizeof text && name[0] != '.' && folder >= 0) {
        memcpy(text, name, length);
        text[length] = '\0';
        fd = openat(folder, text, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    }
    if (folder >= 0)
        close(folder);
    return fd;
}

/* Returns a descriptor of the file at `path` below the root, or -1. */
static int open_below(const char *root, const char *path)
{
    int fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);

    for (const char *slash; (slash = strchr(path, '/')); path = slash + 1)
        fd = enter(fd, path, (size_t)(slash - path), O_PATH | O_DIRECTORY);
    return enter(fd, path, strlen(path), O_RDONLY);
}

static bool is_known(const struct fr_request *rq, struct fr_reply *reply, const struct stat *status)
{
    const int64_t key[] = { (int64_t)status->st_ino, status->st_size, status->st_mtim.tv_sec,
                            status->st_mtim.tv_nsec };

    return fr_reply_is_known(rq, reply, key, sizeof key);
}

static bool copy_bytes(int fd, size_t left, struct fr_writer *w)
{
    char piece[QUICK_BYTES];

    while (left) {
        const ssize_t got = read(fd, piece, left < sizeof piece ? left : sizeof piece);

        if (got <= 0)
            return false;
        fr_writer_append(w, piece, (size_t)got);
        left -= (size_t)got;
    }
    return true;
}

static int send_file(const struct fr_request *rq, const char *path, int fd, struct fr_reply *reply)
{
    struct stat status;

    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > MOST_BYTES)
        return fr_reply_not_found(reply, "file", rq->path);
    reply->content_type = type_of(path);
    if (strncmp(reply->content_type, "text/html", 9) == 0)
        reply->policy = PAGE_POLICY;
    if (is_known(rq, reply, &status))
        return 304;
    if (status.st_size > QUICK_BYTES && !rq->store)
        return FR_NEEDS_WORKER;
    if (!copy_bytes(fd, (size_t)status.st_size, &reply->body))
        return fr_reply_problem(reply, 500, "The file cannot be read.");
    return 200;
}

int fr_get_static(struct fr_request *rq, struct fr_reply *reply)
{
    const char *root = rq->server->config.static_dir;
    const char *path = rq->segment[0][0] ? rq->segment[0] : "index.html";
    const int fd = *root ? open_below(root, path) : -1;
    int status;

    if (fd < 0)
        return fr_reply_not_found(reply, "file", rq->path);
    status = send_file(rq, path, fd, reply);
    close(fd);
    return status;
}
