#include "server/core/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_text(const char *path, bool may_wait, const char **reason)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | (may_wait ? 0 : O_NONBLOCK));
    struct stat status;

    if (file < 0 || fstat(file, &status) != 0)
        *reason = strerrordesc_np(errno);
    else if (!may_wait && !S_ISREG(status.st_mode))
        *reason = S_ISDIR(status.st_mode) ? strerrordesc_np(EISDIR) : "not a regular file";
    else
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

static const char *fill(int file, char *text)
{
    size_t length = 0;

    while (length <= FR_FILE_BYTES) {
        const ssize_t got = read(file, text + length, FR_FILE_BYTES + 1 - length);

        if (got < 0 && errno != EINTR)
            return strerrordesc_np(errno);
        if (got == 0)
            return memchr(text, '\0', length) ? "not a text: it has a NUL byte" : NULL;
        length += got > 0 ? (size_t)got : 0;
    }
    return "larger than 1 MiB";
}

char *fr_file_text(const char *path, bool may_wait, const char **reason)
{
    const int file = open_text(path, may_wait, reason);
    char *text;

    if (file < 0)
        return NULL;
    text = calloc(1, FR_FILE_BYTES + 2);
    *reason = text ? fill(file, text) : strerrordesc_np(ENOMEM);
    close(file);
    if (text && *reason) {
        explicit_bzero(text, FR_FILE_BYTES + 2);
        free(text);
        text = NULL;
    }
    return text;
}
