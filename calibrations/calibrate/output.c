#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_all(int file, const char *text, size_t length)
{
    while (length) {
        const ssize_t written = write(file, text, length);

        if (written < 0 && errno != EINTR)
            return -1;
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        }
    }
    return 0;
}

/* mkstemp's files are the owner's alone; a document is for whoever the umask allows. */
static int finish(int file, const char *temporary, const char *path)
{
    const mode_t mask = umask(0);
    int status;

    umask(mask);
    status = fchmod(file, 0666 & ~mask) || fsync(file);
    if (close(file))
        status = -1;
    return status ? -1 : rename(temporary, path);
}

int fr_output_write(const char *path, const char *text, size_t length)
{
    char temporary[4096];
    int file, saved;

    if (strcmp(path, "-") == 0)
        return write_all(STDOUT_FILENO, text, length);
    if ((size_t)snprintf(temporary, sizeof temporary, "%s.XXXXXX", path) >= sizeof temporary) {
        errno = ENAMETOOLONG;
        return -1;
    }
    file = mkstemp(temporary);
    if (file < 0)
        return -1;
    if (write_all(file, text, length) == 0) {
        if (finish(file, temporary, path) == 0)
            return 0;
        saved = errno;
    } else {
        saved = errno;
        close(file);
    }
    unlink(temporary);
    errno = saved;
    return -1;
}

char *fr_output_read(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text;
    size_t count;

    if (!file)
        return NULL;
    text = malloc(FR_INPUT_MAX);
    count = text ? fread(text, 1, FR_INPUT_MAX, file) : 0;
    if (text && (ferror(file) || count == FR_INPUT_MAX)) {
        errno = ferror(file) ? EIO : EFBIG;
        free(text);
        text = NULL;
    }
    fclose(file);
    if (text)
        *length = count;
    return text;
}
