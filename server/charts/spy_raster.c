#include "server/charts/spy_raster.h"

#include "server/charts/plot/script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- drawing ------------------------------------------------------------------------------ */

/* The fill of a cell, 0 to 1 on a logarithmic scale, so that single entries remain visible. */
static double darkness(uint32_t count, uint32_t most)
{
    return most > 1 ? (1 + log2(count)) / (1 + log2(most)) : 1;
}

/* Writes all cells row by row from the top, as an image needs them. */
static void write_cells(struct fr_writer *w, const struct fr_spy *spy)
{
    fr_writer_text(w, "$cells << EOD\n");
    for (int32_t row = 0; row < spy->side; row++)
        for (int32_t column = 0; column < spy->side; column++) {
            const uint32_t count = spy->count[row][column];
            const char *between = column + 1 < spy->side ? " " : "\n";

            if (count)
                fr_writer_printf(w, "%.2f%s", darkness(count, spy->most), between);
            else
                fr_writer_printf(w, "NaN%s", between);
        }
    fr_writer_text(w, "EOD\n");
}

/* Cell c of an axis covers [c n / side, (c + 1) n / side); its centre is half a cell further.  Rows
 * and columns count from 1. */
static void write_place(struct fr_writer *w, int column, double cell)
{
    fr_writer_printf(w, "(($%d+0.5)*", column);
    fr_plot_number(w, cell);
    fr_writer_text(w, "+0.5)");
}

/* The first row is at the top. */
static void turn_rows(struct fr_writer *w, struct fr_span span)
{
    fr_writer_text(w, "set yrange [");
    fr_plot_number(w, span.high);
    fr_writer_text(w, ":");
    fr_plot_number(w, span.low);
    fr_writer_text(w, "]\n");
}

void fr_plot_spy(struct fr_plot *plot, const char *title, const struct fr_spy *spy)
{
    struct fr_writer *w = &plot->script;
    const double cell = (double)spy->n / spy->side;
    const struct fr_plot_axis across = { .title = "column", .is_tight = true };
    const struct fr_plot_axis down = { .title = "row", .is_tight = true };
    const struct fr_span span = { 0.5, (double)spy->n + 0.5 };
    struct fr_room room = fr_script_begin(plot, title, (struct fr_key){ 0 });

    room.width = room.height = fmin(room.width, room.height); /* the picture is square */
    fr_plot_axis_write(plot, "x", &across, span, &room);
    fr_plot_axis_write(plot, "y", &down, span, &room);
    fr_writer_text(w, "set border 15 lc rgb '#444444' lw 1\n"
                      "unset grid\nunset colorbox\nset size ratio 1\n"
                      "set palette defined (0 '#9ecae1', 1 '#08306b')\n"
                      "set cbrange [0:1]\n");
    turn_rows(w, span);
    write_cells(w, spy);
    fr_writer_text(w, "plot $cells matrix using ");
    write_place(w, 1, cell);
    fr_writer_text(w, ":");
    write_place(w, 2, cell);
    fr_writer_text(w, ":3 notitle with image pixels\n");
}

/* ---- encoding ----------------------------------------------------------------------------- */

/* Little-endian: n, side, most, then the counts row by row; all of it deflated. */
enum { HEAD_BYTES = 16, MOST_BYTES = HEAD_BYTES + 4 * FR_SPY_SIDE * FR_SPY_SIDE };

static void put(unsigned char *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++, value >>= 8)
        at[i] = (unsigned char)value;
}

static uint64_t get(const unsigned char *at, int bytes)
{
    uint64_t value = 0;

    for (int i = bytes; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

unsigned char *fr_spy_pack(const struct fr_spy *spy, size_t *length)
{
    uLongf packed_length = compressBound(MOST_BYTES);
    unsigned char *plain = malloc(MOST_BYTES), *packed = malloc(packed_length);
    unsigned char *at = plain;
    int code = Z_MEM_ERROR;

    if (plain && packed) {
        put(at, (uint64_t)spy->n, 8);
        put(at + 8, (uint64_t)spy->side, 4);
        put(at + 12, spy->most, 4);
        at += HEAD_BYTES;
        for (int32_t row = 0; row < spy->side; row++)
            for (int32_t column = 0; column < spy->side; column++, at += 4)
                put(at, spy->count[row][column], 4);
        code = compress(packed, &packed_length, plain, (uLong)(at - plain));
    }
    free(plain);
    if (code == Z_OK) {
        *length = packed_length;
        return packed;
    }
    free(packed);
    return NULL;
}

static bool read_cells(const unsigned char *plain, size_t length, struct fr_spy *spy)
{
    spy->n = (int64_t)get(plain, 8);
    spy->side = (int32_t)get(plain + 8, 4);
    spy->most = (uint32_t)get(plain + 12, 4);
    if (spy->side < 1 || spy->side > FR_SPY_SIDE || spy->n < spy->side ||
        length != HEAD_BYTES + (size_t)4 * (size_t)spy->side * (size_t)spy->side)
        return false;
    plain += HEAD_BYTES;
    for (int32_t row = 0; row < spy->side; row++)
        for (int32_t column = 0; column < spy->side; column++, plain += 4)
            spy->count[row][column] = (uint32_t)get(plain, 4);
    return true;
}

bool fr_spy_unpack(const void *bytes, size_t length, struct fr_spy *spy)
{
    unsigned char *plain = malloc(MOST_BYTES);
    uLongf plain_length = MOST_BYTES;
    bool is_good = false;

    if (plain && uncompress(plain, &plain_length, bytes, (uLong)length) == Z_OK &&
        plain_length >= HEAD_BYTES)
        is_good = read_cells(plain, plain_length, spy);
    free(plain);
    return is_good;
}
