/* GET /...: the dashboard's files.
 *
 * The path is opened one component at a time, without symbolic links and "..", so that no request
 * leaves the folder.  Files are read at each request: they are small and in the page cache, and an
 * updated dashboard takes effect immediately.
 *
 * A page names its scripts and styles below v/VERSION/, the version of the whole folder, so that a
 * browser asks for them once.  What they import by a relative address is below it too.
 */
#include "server/http/handlers.h"

#include "engine/core/number.h"
#include "server/http/server.h"

#include <fcntl.h>
#include <fts.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Larger ones are compressed on a worker, not on the event loop. */
enum { QUICK_BYTES = 16 * 1024, MOST_BYTES = 16 * 1024 * 1024, VERSION_DIGITS = 16 };

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

/* A number that changes with every file of the folder: the kernel sets st_ctim, and packages set
 * st_mtim. */
static uint64_t read_version(const char *root)
{
    char *const roots[] = { (char *)(uintptr_t)root, NULL };
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
    uint64_t sum = 0;

    for (FTSENT *entry; walk && (entry = fts_read(walk));)
        if (entry->fts_info == FTS_D || entry->fts_info == FTS_F) {
            const int64_t key[] = { (int64_t)entry->fts_statp->st_ino, entry->fts_statp->st_size,
                                    entry->fts_statp->st_ctim.tv_sec,
                                    entry->fts_statp->st_ctim.tv_nsec };

            sum += fr_hash_bytes(FR_HASH_START, key, sizeof key);
        }
    if (walk)
        fts_close(walk);
    return sum;
}

/* The version now, for a page, which asks for none (0); else it may be that of an earlier request.
 */
static uint64_t version_of(struct fr_server *server, uint64_t asked)
{
    uint64_t version = server->static_version;

    if (!asked || asked != version)
        server->static_version = version = read_version(server->config.static_dir);
    return version;
}

/* Of v/VERSION/PATH: steps to PATH, and returns VERSION; 0 for another path. */
static uint64_t take_version(const char **path)
{
    const char *version = *path + strlen("v/");

    if (strncmp(*path, "v/", 2) != 0 || strspn(version, "0123456789abcdef") != VERSION_DIGITS ||
        version[VERSION_DIGITS] != '/')
        return 0;
    *path = version + VERSION_DIGITS + 1;
    return strtoull(version, NULL, 16);
}

/* Writes the version into the addresses of a page's own scripts and styles. */
static void insert_version(uint64_t version, struct fr_writer *w)
{
    static const char *const before[] = { "<script type=\"module\" src=\"",
                                          "<link rel=\"stylesheet\" href=\"" };
    char text[sizeof "v//" + VERSION_DIGITS];

    snprintf(text, sizeof text, "v/%016" PRIx64 "/", version);
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        const char *found = w->text;

        while (found && (found = memmem(found, (size_t)(w->text + w->length - found), before[i],
                                        strlen(before[i])))) {
            const size_t at = (size_t)(found - w->text) + strlen(before[i]);

            fr_writer_insert(w, at, text, strlen(text));
            found = w->text + at;
        }
    }
}

static bool is_known(const struct fr_request *rq, struct fr_reply *reply, const struct stat *status,
                     uint64_t version)
{
    const int64_t key[] = { (int64_t)status->st_ino, status->st_size, status->st_mtim.tv_sec,
                            status->st_mtim.tv_nsec, (int64_t)version };

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

/* version: of the folder, where the address has it or the page is to have it; 0 otherwise. */
static int send_file(const struct fr_request *rq, int fd, uint64_t version, struct fr_reply *reply)
{
    struct stat status;

    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > MOST_BYTES)
        return fr_reply_not_found(reply, "file", rq->path);
    if (is_known(rq, reply, &status, version))
        return 304;
    if (status.st_size > QUICK_BYTES && !rq->store)
        return FR_NEEDS_WORKER;
    if (!copy_bytes(fd, (size_t)status.st_size, &reply->body))
        return fr_reply_problem(reply, 500, "The file cannot be read.");
    if (reply->policy)
        insert_version(version, &reply->body);
    return 200;
}

int fr_get_static(struct fr_request *rq, struct fr_reply *reply)
{
    const char *root = rq->server->config.static_dir;
    const char *path = rq->segment[0][0] ? rq->segment[0] : "index.html";
    const uint64_t asked = take_version(&path);
    const int fd = *root ? open_below(root, path) : -1;
    uint64_t version = 0;
    int status;

    if (fd < 0)
        return fr_reply_not_found(reply, "file", rq->path);
    reply->content_type = type_of(path);
    if (strncmp(reply->content_type, "text/html", 9) == 0)
        reply->policy = PAGE_POLICY;
    if (asked || reply->policy)
        version = version_of(rq->server, asked);
    /* Another version was asked for by a page of another daemon, or of a moment ago. */
    if (asked && asked == version)
        reply->cache_control = "public, max-age=31536000, immutable";
    status = send_file(rq, fd, version, reply);
    close(fd);
    return status;
}
