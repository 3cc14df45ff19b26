/* A matrix as a picture: where its entries are, and how they are kept until it is drawn. */
#ifndef FR_CHART_SPY_H
#define FR_CHART_SPY_H

#include "server/charts/plot/chart.h"
#include "server/matrices/files/spy.h"

/* Rows run down, columns to the right; the darker a cell, the more of it is filled. */
void fr_plot_spy(struct fr_plot *plot, const char *title, const struct fr_spy *spy);

/* The raster as few bytes, from malloc; NULL where memory is short. */
unsigned char *fr_spy_pack(const struct fr_spy *spy, size_t *length);
/* False where the bytes are not such a raster. */
bool fr_spy_unpack(const void *bytes, size_t length, struct fr_spy *spy);

#endif
