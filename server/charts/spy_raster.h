/* Draws the raster of a matrix, and encodes it for the store. */
#ifndef FR_CHART_SPY_H
#define FR_CHART_SPY_H

#include "server/charts/plot/chart.h"
#include "server/matrices/files/spy.h"

/* Draws rows downwards and columns to the right; darker cells have more entries. */
void fr_plot_spy(struct fr_plot *plot, const char *title, const struct fr_spy *spy);

/* Encodes a raster in few bytes.  NULL if memory is short; free with free(). */
unsigned char *fr_spy_pack(const struct fr_spy *spy, size_t *length);
/* Decodes a raster; false if the bytes are not one. */
bool fr_spy_unpack(const void *bytes, size_t length, struct fr_spy *spy);

#endif
