/* Reads the standard error of gnuplot: where it drew the axes, or why it failed. */
#include "server/charts/plot/script.h"

#include "engine/core/number.h"

#include <string.h>

bool fr_said_axes(char *said, size_t length, int width, int height, struct fr_said_box *box)
{
    char *line, *rest = NULL;
    double value[4];

    if (!length || said[length - 1] != '\n')
        return false;
    said[length - 1] = '\0';
    line = strrchr(said, '\n');
    line = strtok_r(line ? line + 1 : said, " ", &rest);
    if (!line || strcmp(line, "axes") != 0)
        return false;
    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
        const char *number = strtok_r(NULL, " ", &rest);

        if (!number || !fr_number_parse(number, &value[i]))
            return false;
    }
    *box = (struct fr_said_box){ value[0], value[1], height - value[2], height - value[3] };
    return !*rest && 0 <= box->left && box->left < box->right && box->right <= width &&
           0 <= box->top && box->top < box->bottom && box->bottom <= height;
}

void fr_said_line(char *said, size_t length)
{
    size_t kept = 0;

    for (size_t i = 0; i < length; i++) {
        const bool is_blank = (unsigned char)said[i] <= ' ';

        if (!is_blank || (kept && said[kept - 1] != ' '))
            said[kept++] = is_blank ? ' ' : said[i];
    }
    said[kept] = '\0';
}
