/* Runs a fuzzer once on each file that is named: its seeds, or an input that made it fail. */
#include "tests/fuzz/setting.h"

#include <stdio.h>
#include <stdlib.h>

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    long length = -1;

    if (file && fseek(file, 0, SEEK_END) == 0)
        length = ftell(file);
    if (length >= 0) {
        rewind(file);
        *size = (size_t)length;
        /* No more than the input, so that a sanitizer sees what is read behind it. */
        data = malloc(*size ? *size : 1);
        if (data && fread(data, 1, *size, file) != *size) {
            free(data);
            data = NULL;
        }
    }
    if (file)
        fclose(file);
    return data;
}

int main(int argc, char **argv)
{
    LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        size_t size = 0;
        uint8_t *data = read_file(argv[i], &size);

        if (!data) {
            fprintf(stderr, "%s cannot be read\n", argv[i]);
            return EXIT_FAILURE;
        }
        fprintf(stderr, "%s\n", argv[i]); /* the last of them made it fail */
        LLVMFuzzerTestOneInput(data, size);
        free(data);
    }
    return argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
