/* Files that grow by lines, of which an interruption may have cut the first or the last. */
#include "calibrations/calibrate/core/document.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int refuse(const char *path, const char *reason, char *why, size_t size)
{
    snprintf(why, size, "%.*s: %s", (int)size / 2, path, reason);
    return -1;
}

/* The contents, with a 0 behind them; NULL with errno. */
static char *read_all(FILE *file, size_t size, size_t *length)
{
    char *text = malloc(size + 1);

    rewind(file);
    *length = text ? fread(text, 1, size, file) : 0;
    if (text && ferror(file)) {
        free(text);
        return NULL;
    }
    if (text)
        text[*length] = '\0';
    return text;
}

/* Completes a first line that is cut, and ends a last one, so that the next line is separate. */
static int mend(struct fr_journal *journal, const char *head)
{
    const size_t whole = strlen(head);

    if (journal->length <= whole)
        return fr_journal_add(journal, "%s\n", head + journal->length);
    return journal->text[journal->length - 1] == '\n' ? 0 : fr_journal_add(journal, "?\n");
}

int fr_journal_open(struct fr_journal *journal, const char *path, const char *head, char *why,
                    size_t size)
{
    const size_t whole = strlen(head);
    struct stat facts;
    int status = 0;

    *journal = (struct fr_journal){ 0 };
    if (!path)
        return 0;
    journal->file = fopen(path, "a+");
    if (!journal->file) {
        snprintf(why, size, "%.*s: %s; give a file that can be written", (int)size / 2, path,
                 strerror(errno));
        return -1;
    }
    /* Reading a device or a FIFO may block. */
    if (fstat(fileno(journal->file), &facts) || !S_ISREG(facts.st_mode))
        status = refuse(path, "is not a regular file; give the name of a new file", why, size);
    else if (!(journal->text = read_all(journal->file, (size_t)facts.st_size, &journal->length)))
        status = refuse(path, strerror(errno), why, size);
    else if (strncmp(journal->text, head, journal->length < whole ? journal->length : whole) != 0 ||
             (journal->length > whole && journal->text[whole] != '\n'))
        return 1;
    else if (mend(journal, head))
        status = refuse(path, strerror(errno), why, size);
    if (status)
        fr_journal_close(journal);
    return status;
}

void fr_journal_close(struct fr_journal *journal)
{
    if (journal->file)
        fclose(journal->file);
    free(journal->text);
    *journal = (struct fr_journal){ 0 };
}

int fr_journal_add(struct fr_journal *journal, const char *format, ...)
{
    va_list arguments;
    bool has_failed;

    if (!journal->file)
        return 0;
    va_start(arguments, format);
    has_failed = vfprintf(journal->file, format, arguments) < 0 || fflush(journal->file);
    va_end(arguments);
    return has_failed ? -1 : 0;
}
