/* What gnuplot said on its standard error.  A script holds texts of strangers, so that this may be
 * anything. */
#ifndef FR_SAID_H
#define FR_SAID_H

#include <stdbool.h>
#include <stddef.h>

/* The axes in pixels from the upper left. */
struct fr_said_box {
    double left, right, bottom, top;
};

/* Reads `axes XMIN XMAX YMIN YMAX`, pixels from the lower left, from the last line of `length`
 * bytes, which it changes.  False if it says something else, or axes outside of a
 * picture of this size. */
bool fr_said_axes(char *said, size_t length, int width, int height, struct fr_said_box *box);

/* Makes one line of `length` bytes, behind which is room for a NUL: blanks and control characters
 * become single spaces. */
void fr_said_line(char *said, size_t length);

#endif
