#include "tests/unit/support/text_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/support/check.h"

char *text_file(const char *folder, const char *name, size_t *length)
{
    char path[160], *text;
    FILE *file;
    long size;

    snprintf(path, sizeof path, "tests/samples/%s/%s", folder, name);
    file = fopen(path, "rb");
    if (!file)
        fail_msg("%s does not exist", path);
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
