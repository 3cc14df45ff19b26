/* spy: the positions of the entries of a matrix. Rows run down, columns to the right; cells with
 * more entries stand out more from the ground. */
#include "server/charts/chart.h"
#include "server/charts/plot/script.h"
#include "server/http/handlers.h"
#include "server/matrices/files/matrix.h"
#include "server/matrices/matrix.h"
#include "server/store/store.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The colours of cells with one and with the most entries. */
static const char *const few[] = { [FR_LIGHT] = "#6798c4", [FR_DARK] = "#3a76ad" };
static const char *const many[] = { [FR_LIGHT] = "#08306b", [FR_DARK] = "#e6f1fb" };

/* The strength of a cell's colour, 0 to 1, on a logarithmic scale, so that single entries remain
 * visible. */
static double strength(uint32_t count, uint32_t most)
{
    return most > 1 ? (1 + log2(count)) / (1 + log2(most)) : 1;
}

/* Writes all cells row by row from the top, in gnuplot's image order. */
static void write_cells(struct fr_writer *w, const struct fr_spy *spy)
{
    fr_writer_text(w, "$cells << EOD\n");
    for (int32_t row = 0; row < spy->side; row++)
        for (int32_t column = 0; column < spy->side; column++) {
            const uint32_t count = spy->count[row][column];
            const char *between = column + 1 < spy->side ? " " : "\n";

            if (count)
                fr_writer_printf(w, "%.2f%s", strength(count, spy->most), between);
            else
                fr_writer_printf(w, "NaN%s", between);
        }
    fr_writer_text(w, "EOD\n");
}

/* The JSON of the cells with entries, as rectangles over rows and columns that count from 1. */
static void show_cells(struct fr_plot *plot, const struct fr_spy *spy, double cell)
{
    const struct fr_plot_scale scale = { .title = "entries" };

    fr_shown_cells_begin(plot, &scale);
    for (int32_t row = 0; row < spy->side; row++)
        for (int32_t column = 0; column < spy->side; column++)
            if (spy->count[row][column])
                fr_shown_cell(plot, &(struct fr_tile){ .low_x = column * cell + 0.5,
                                                       .high_x = (column + 1) * cell + 0.5,
                                                       .low_y = row * cell + 0.5,
                                                       .high_y = (row + 1) * cell + 0.5,
                                                       .value = spy->count[row][column] });
    fr_shown_cells_end(plot);
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

void fr_spy_draw(struct fr_plot *plot, const char *title, const struct fr_spy *spy)
{
    struct fr_writer *w = &plot->script;
    const double cell = (double)spy->n / spy->side;
    const struct fr_plot_axis across = { .title = "column", .is_tight = true };
    const struct fr_plot_axis down = { .title = "row", .is_tight = true };
    const struct fr_span span = { 0.5, (double)spy->n + 0.5 };
    struct fr_room room = fr_script_begin(plot, title, (struct fr_key){ 0 });

    room.width = room.height = fmin(room.width, room.height); /* the image is square */
    fr_plot_axis_write(plot, "x", &across, span, &room);
    fr_plot_axis_write(plot, "y", &down, span, &room);
    show_cells(plot, spy, cell);
    fr_writer_printf(w,
                     "set border 15 lc %d lw 1\n"
                     "unset grid\nunset colorbox\nset size ratio 1\n"
                     "set palette defined (0 '%s', 1 '%s')\n"
                     "set cbrange [0:1]\n",
                     FR_FRAME, few[plot->theme], many[plot->theme]);
    turn_rows(w, span);
    write_cells(w, spy);
    fr_writer_text(w, "plot $cells matrix using ");
    write_place(w, 1, cell);
    fr_writer_text(w, ":");
    write_place(w, 2, cell);
    fr_writer_text(w, ":3 notitle with image pixels\n");
}

struct options {
    struct fr_look look;
};

const struct fr_param fr_spy_params[] = { FR_CHART_LOOK(struct options, 640, 640), FR_PARAMS_END };

static int answer(struct fr_request *rq, struct fr_reply *reply, const struct fr_look *look,
                  const struct fr_matrix_record *matrix)
{
    struct fr_spy *spy = malloc(sizeof *spy);
    struct fr_plot plot;
    const void *bytes = NULL;
    size_t length = 0;

    if (!spy ||
        fr_store_matrix_spy(rq->store, matrix->id, rq->arena, &bytes, &length) != FR_STORE_OK ||
        !fr_spy_unpack(bytes, length, spy)) {
        free(spy);
        return fr_reply_store_failed(rq, reply);
    }
    plot = fr_chart_begin(rq, look);
    fr_spy_draw(&plot,
                fr_chart_text(rq->arena, "%s: n = %" PRId64 ", %" PRId64 " entries", matrix->name,
                              matrix->n, matrix->nnz),
                spy);
    free(spy);
    return fr_chart_reply(rq, reply, &plot, true, &(struct fr_chart_subject){ .kind = "spy" }, NULL,
                          NULL);
}

int fr_get_matrix_spy(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_matrix_record matrix;
    struct fr_faults faults;
    struct options options;
    int status;

    faults.count = 0;
    fr_options_read(rq, rq->route->options, &options, &faults);
    if (faults.count)
        return fr_reply_faults(reply, &faults);
    status = fr_matrix_find(rq, reply, &matrix);
    if (status)
        return status;
    status = fr_chart_find_drawn(rq, reply, matrix.id, matrix.name, fr_spy_params, &options);
    return status ? status : answer(rq, reply, &options.look, &matrix);
}
