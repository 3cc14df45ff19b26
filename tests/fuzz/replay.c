/* Runs a fuzzer once on each file that is named: its seeds, or an input that made it fail.
 *   replay FUZZER FILE...
 * The entry of each fuzzer is compiled under its name; the Makefile lists them. */
#include "tests/fuzz/setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUZZER(name) int fuzz_##name(const uint8_t *data, size_t size);
FUZZERS
#undef FUZZER

#define FUZZER(name) { #name, fuzz_##name },
static const struct {
    const char *name;
    int (*test)(const uint8_t *data, size_t size);
} fuzzers[] = { FUZZERS };

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
    size_t chosen = 0;

    LLVMFuzzerInitialize(&argc, &argv);
    while (argc > 1 && chosen < sizeof fuzzers / sizeof *fuzzers &&
           strcmp(argv[1], fuzzers[chosen].name) != 0)
        chosen++;
    if (argc < 3 || chosen == sizeof fuzzers / sizeof *fuzzers) {
        fprintf(stderr, "usage: %s FUZZER FILE...\n", argv[0]);
        return EXIT_FAILURE;
    }
    for (int i = 2; i < argc; i++) {
        size_t size = 0;
        uint8_t *data = read_file(argv[i], &size);

        if (!data) {
            fprintf(stderr, "%s cannot be read\n", argv[i]);
            return EXIT_FAILURE;
        }
        fprintf(stderr, "%s\n", argv[i]); /* the last of them made it fail */
        fuzzers[chosen].test(data, size);
        free(data);
    }
    return EXIT_SUCCESS;
}
