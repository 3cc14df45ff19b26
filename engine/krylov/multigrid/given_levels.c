/* Levels of algebraic multigrid, given by their rows and nonzeros: what a process holds is
 * estimated by a box of its rows (docs/models/multigrid.md#given-levels). */
#include "engine/krylov/multigrid/multigrid.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_ENTRIES = 4 }; /* of an interpolated row: hypre truncates to as many */

/* ---- what a process holds ------------------------------------------------------------------- */

static const double pi = 3.14159265358979323846;

/* The radius of the ball that holds as many rows as others that a row is coupled with; rows have
 * the distance 1. */
static double reach_of(double couplings, size_t dimensions)
{
    const double unit_ball[] = { 1, 2, pi, 4 * pi / 3 };

    return pow(couplings / unit_ball[dimensions], 1 / (double)dimensions);
}

/* Ghosts of a box of `side` rows in each dimension, and the processes that have them.  A dimension
 * of two processes has neighbors on one side. */
static void surround(const struct fr_vector *process_grid, double side, double reach,
                     double *ghosts, double *neighbors)
{
    double around = 1, inside = 1, boxes = 1;

    for (size_t d = 0; d < process_grid->count; d++) {
        const double others = (double)process_grid->at[d] - 1;

        inside *= side;
        around *= side + reach * fmin(others, 2);
        boxes *= 1 + fmin(others, 2 * ceil(reach / side));
    }
    *ghosts = around - inside;
    *neighbors = boxes - 1;
}

static struct krylov_level level_of(double rows, double nonzeros,
                                    const struct fr_vector *process_grid)
{
    const double active = fmin(fr_vector_product(process_grid), rows), n = ceil(rows / active);
    const double side = pow(n, 1 / (double)process_grid->count);
    const double reach = reach_of(nonzeros / rows - 1, process_grid->count);
    double ghosts, neighbors;

    surround(process_grid, side, reach, &ghosts, &neighbors);
    ghosts = fmin(fmax(ghosts, 0), rows - n);
    return (struct krylov_level){
        .rows = rows,
        .nonzeros = nonzeros,
        .processes = active,
        .messages = fmin(fmin(active - 1, neighbors), ceil(ghosts)), /* one value in each, or more */
        .holding = {
            .rows = n,
            .entries = n * nonzeros / rows,
            .diagonal = n * nonzeros / rows * n / (n + ghosts),
            .ghosts = ghosts,
            .sent = ghosts,
        },
    };
}

/* Rows of both levels have one entry.  Ghosts that are on the next level are read. */
static struct krylov_transfer transfer_of(const struct krylov_level *fine, double coarse_rows)
{
    const double share = coarse_rows / fine->rows, most = fmin(MOST_ENTRIES, coarse_rows);

    return (struct krylov_transfer){
        .entries = fine->holding.rows * (share + (1 - share) * most),
        .coarse_rows = fine->holding.rows * share,
        .ghosts = fine->holding.ghosts * share,
    };
}

/* ---- text ----------------------------------------------------------------------------------- */

/* Moves behind the digits; 0 if there are none. */
static double read_count(const char **text)
{
    const char *digits = *text;

    while (**text >= '0' && **text <= '9')
        ++*text;
    return digits < *text ? strtod(digits, NULL) : 0;
}

static int check_level(double rows, double nonzeros, const struct krylov_level *finer,
                       struct fr_faults *faults)
{
    if (rows >= finer->rows)
        return fr_fault(faults, FR_RELATION, "levels",
                        "%.0f rows follow %.0f; give the levels below the finest, each with fewer "
                        "rows than the one before",
                        rows, finer->rows);
    if (nonzeros < rows || nonzeros > rows * rows)
        return fr_fault(faults, FR_RELATION, "levels",
                        "%.0f nonzeros of %.0f rows; a level has at least one in each row, and at "
                        "most as many as rows",
                        nonzeros, rows);
    return FR_OK;
}

int krylov_read_levels(const char *text, const struct fr_vector *process_grid,
                       struct krylov_levels *out, struct fr_faults *faults)
{
    const char *at = text;

    for (bool goes_on = true; goes_on; out->count++) {
        struct krylov_level *finer = &out->level[out->count - 1];
        const double rows = read_count(&at);
        const double nonzeros = *at == ':' ? (at++, read_count(&at)) : 0;

        goes_on = *at == ',';
        if (rows < 1 || nonzeros < 1 || (*at && !goes_on))
            return fr_fault(faults, FR_SYNTAX, "levels",
                            "'%.80s' is not a list rows:nonzeros,... of positive numbers", text);
        at++;
        if (out->count == KRYLOV_MOST_LEVELS)
            return fr_fault(faults, FR_RANGE, "levels", "more than %d levels below the finest",
                            KRYLOV_MOST_LEVELS - 1);
        if (check_level(rows, nonzeros, finer, faults) != FR_OK)
            return FR_RELATION;
        finer->transfer = transfer_of(finer, rows);
        out->level[out->count] = level_of(rows, nonzeros, process_grid);
    }
    return FR_OK;
}
