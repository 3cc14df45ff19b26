/* Fuzzes what gnuplot says. Axes are accepted inside of the picture alone; a reason is one line. */
#include "tests/fuzz/setting.h"

#include "server/charts/plot/script.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 900, HEIGHT = 540 };

/* With room for a NUL; owned by the caller. */
static char *copy(const uint8_t *data, size_t size)
{
    char *said = malloc(size + 1);

    if (!said)
        abort();
    memcpy(said, data, size);
    return said;
}

static void read_axes(char *said, size_t size)
{
    struct fr_said_box box;

    if (!fr_said_axes(said, size, WIDTH, HEIGHT, &box))
        return;
    if (!(box.left >= 0 && box.left < box.right && box.right <= WIDTH && box.top >= 0 &&
          box.top < box.bottom && box.bottom <= HEIGHT))
        abort();
}

static void read_line(char *said, size_t size)
{
    fr_said_line(said, size);
    if (strlen(said) > size || *said == ' ' || strstr(said, "  "))
        abort();
    for (; *said; said++)
        if ((unsigned char)*said < ' ')
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *said = copy(data, size);

    read_axes(said, size);
    free(said);
    said = copy(data, size);
    read_line(said, size);
    free(said);
    return 0;
}
