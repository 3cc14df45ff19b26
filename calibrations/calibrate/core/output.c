/* Atomic writing of files, and reading of whole files. */
#include "calibrations/calibrate/core/document.h"

#include <errno.h>
#include <fcntl.h>
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

/* mkstemp makes private files; the umask shall decide who reads a document. */
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

/* The temporary file is in the folder of the final one, so that the rename is atomic. */
static int replace(const char *path, const char *text, size_t length)
{
    char temporary[4096];
    int file, saved;

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

/* Devices and FIFOs are written in place, because a rename would replace them.  The system refuses
 * folders. */
static int write_into(const char *path, const char *text, size_t length)
{
    const int file = open(path, O_WRONLY | O_NOCTTY);
    int status, saved;

    if (file < 0)
        return -1;
    status = write_all(file, text, length);
    saved = errno;
    if (close(file) && !status)
        return -1;
    errno = saved;
    return status;
}

/* Replaces the target of a symbolic link, and keeps the link. */
static int replace_behind(const char *path, const char *text, size_t length)
{
    char *real = realpath(path, NULL);
    int status, saved;

    if (!real)
        return -1;
    status = replace(real, text, length);
    saved = errno;
    free(real);
    errno = saved;
    return status;
}

/* Creates the target of a dangling link, so that the system resolves its path. */
static int write_behind(const char *path, const char *text, size_t length)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_NOCTTY, 0666);

    return file < 0 || close(file) ? -1 : replace_behind(path, text, length);
}

/* Names such as /dev/stdout, even if a shell has opened that file for appending. */
static bool is_standard_output(const struct stat *file)
{
    struct stat output;

    return fstat(STDOUT_FILENO, &output) == 0 && output.st_dev == file->st_dev &&
           output.st_ino == file->st_ino;
}

int fr_output_write(const char *path, const char *text, size_t length)
{
    struct stat file;

    if (strcmp(path, "-") == 0)
        return write_all(STDOUT_FILENO, text, length);
    if (stat(path, &file) == 0) {
        if (is_standard_output(&file))
            return write_all(STDOUT_FILENO, text, length);
        return S_ISREG(file.st_mode) ? replace_behind(path, text, length)
                                     : write_into(path, text, length);
    }
    return lstat(path, &file) == 0 ? write_behind(path, text, length) : replace(path, text, length);
}

bool fr_output_is_file(const char *path)
{
    struct stat file;

    if (strcmp(path, "-") == 0)
        return false;
    return stat(path, &file) ? errno == ENOENT
                             : S_ISREG(file.st_mode) && !is_standard_output(&file);
}

/* Writing starts with a temporary file in the same folder, so this checks that one can be made. */
static int check_folder(const char *path)
{
    char temporary[4096];
    int file;

    if ((size_t)snprintf(temporary, sizeof temporary, "%s.XXXXXX", path) >= sizeof temporary) {
        errno = ENAMETOOLONG;
        return -1;
    }
    file = mkstemp(temporary);
    return file < 0 || close(file) | unlink(temporary) ? -1 : 0;
}

int fr_output_check(const char *path)
{
    struct stat file;
    char *real;
    int status, saved;

    if (strcmp(path, "-") == 0)
        return 0;
    if (!*path) {
        errno = ENOENT;
        return -1;
    }
    if (stat(path, &file) == 0 && S_ISDIR(file.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (stat(path, &file) == 0 && !fr_output_is_file(path))
        return access(path, W_OK);
    real = realpath(path, NULL);
    if (!real && lstat(path, &file) == 0)
        return 0; /* a dangling link: only creating the file would tell */
    status = check_folder(real ? real : path);
    saved = errno;
    free(real);
    errno = saved;
    return status;
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
