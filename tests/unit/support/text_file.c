#include "tests/unit/support/text_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/support/check.h"

char *file_text(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text;
    long size;

    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    text = calloc(1, (size_t)size + 1);
    assert_non_null(text);
    *length = fread(text, 1, (size_t)size, file);
    assert_int_equal(*length, size);
    fclose(file);
    return text;
}

char *text_file(const char *folder, const char *name, size_t *length)
{
    char path[160], *text;

    snprintf(path, sizeof path, "tests/samples/%s/%s", folder, name);
    text = file_text(path, length);
    if (!text)
        fail_msg("%s does not exist", path);
    return text;
}
