/* Kernels of a solve on a box of rows with a 27-point stencil, and the surface of the box. */
#include "tests/programs/krylov/kernels.h"

#include <math.h>
#include <string.h>

#include "calibrations/calibrate/core/document.h"
#include "tests/programs/compute.h"
#include "tests/programs/program.h"

const char *const kernel_names[] = { "matvec", "preconditioner", "vector", NULL };

enum { ENTRIES = 27 };

/* Index of a cell in the larger box; coordinates start at -1. */
static int32_t padded(const struct kernels *kernels, int i, int j, int k)
{
    const int *extent = kernels->extent;

    return ((i + 1) * (extent[1] + 2) + j + 1) * (extent[2] + 2) + k + 1;
}

static void place_of(const struct kernels *kernels, int row, int out[3])
{
    out[2] = row % kernels->extent[2];
    out[1] = row / kernels->extent[2] % kernels->extent[1];
    out[0] = row / kernels->extent[2] / kernels->extent[1];
}

static bool is_inside(const struct kernels *kernels, int row)
{
    int at[3];

    place_of(kernels, row, at);
    for (int d = 0; d < 3; d++)
        if (at[d] == 0 || at[d] == kernels->extent[d] - 1)
            return false;
    return true;
}

static void fill_row(struct kernels *kernels, int row)
{
    int at[3];

    place_of(kernels, row, at);
    for (int e = 0; e < ENTRIES; e++) {
        kernels->entry[row * ENTRIES + e] = e == HALO_MIDDLE ? 2 : 1.0 / 64;
        kernels->column[row * ENTRIES + e] =
            padded(kernels, at[0] + e / 9 - 1, at[1] + e / 3 % 3 - 1, at[2] + e % 3 - 1);
    }
}

static void make_box(struct kernels *kernels)
{
    const int *extent = kernels->extent;
    const size_t rows = (size_t)kernels->rows;
    const size_t all = (size_t)(extent[0] + 2) * (extent[1] + 2) * (extent[2] + 2);
    int inside = 0, border = 0;

    kernels->row = job_room(rows, sizeof *kernels->row);
    kernels->column = job_room(rows * ENTRIES, sizeof *kernels->column);
    kernels->entry = job_room(rows * ENTRIES, sizeof *kernels->entry);
    kernels->x = job_room(all, sizeof *kernels->x);
    kernels->y = job_room(rows, sizeof *kernels->y);
    kernels->z = job_room(all, sizeof *kernels->z);
    for (int row = 0; row < kernels->rows; row++) {
        fill_row(kernels, row);
        inside += is_inside(kernels, row);
    }
    border = inside;
    inside = 0;
    for (int row = 0; row < kernels->rows; row++)
        kernels->row[is_inside(kernels, row) ? inside++ : border++] = row;
    kernels->inside = (double)inside / kernels->rows;
}

void kernels_init(struct kernels *kernels, bool is_real, const struct fr_vector *local_grid,
                  int rank)
{
    double inside = 1;

    memset(kernels, 0, sizeof *kernels);
    kernels->is_real = is_real;
    kernels->random.state = 0x9e3779b97f4a7c15u * (uint64_t)(rank + 1);
    kernels->rows = 1;
    for (int d = 0; d < 3; d++) {
        kernels->extent[d] = (int)local_grid->at[d];
        kernels->rows *= kernels->extent[d];
        inside *= (3 * (double)local_grid->at[d] - 2) / (3 * (double)local_grid->at[d]);
    }
    kernels->inside = inside;
    if (is_real)
        make_box(kernels);
}

void kernels_free(struct kernels *kernels)
{
    fr_record_free(kernels->row);
    fr_record_free(kernels->column);
    fr_record_free(kernels->entry);
    fr_record_free(kernels->x);
    fr_record_free(kernels->y);
    fr_record_free(kernels->z);
}

static void multiply(struct kernels *kernels, int from, int to)
{
    for (int i = from; i < to; i++) {
        const size_t at = (size_t)kernels->row[i] * ENTRIES;
        double sum = 0;

        for (int e = 0; e < ENTRIES; e++)
            sum += kernels->entry[at + e] * kernels->x[kernels->column[at + e]];
        kernels->y[kernels->row[i]] = sum;
    }
}

/* Forward sweep through the lower triangle, then backward through the upper; z is 0 outside. */
static void sweep(struct kernels *kernels, int from, int to)
{
    for (int i = from; i < to; i++) {
        const bool is_back = i >= kernels->rows;
        const int row = is_back ? 2 * kernels->rows - 1 - i : i;
        const size_t at = (size_t)row * ENTRIES;
        const int first = is_back ? HALO_MIDDLE + 1 : 0;
        const int32_t own = kernels->column[at + HALO_MIDDLE];
        double sum = is_back ? 2 * kernels->z[own] : kernels->y[row];

        for (int e = first; e < first + HALO_MIDDLE; e++)
            sum -= kernels->entry[at + e] * kernels->z[kernels->column[at + e]];
        kernels->z[own] = sum / kernels->entry[at + HALO_MIDDLE];
    }
}

/* Passes y += a z, of three words each. */
static void update(struct kernels *kernels, double words, int from, int to)
{
    for (double done = 0; done < words; done += 3)
        for (int i = from; i < to; i++)
            kernels->y[i] += 0x1p-20 * kernels->z[i];
}

static void charge(struct kernels *kernels, enum kernel kernel, double words, double share)
{
    const double once_s = kernels->time_s[kernel] * (kernel == KERNEL_VECTOR ? words : 1);

    compute_for(share * once_s *
                (1 + 2 * kernels->imbalance * fr_random_centred(&kernels->random)));
}

void kernels_run(struct kernels *kernels, enum kernel kernel, double words, double from, double to)
{
    const double rows = kernels->rows * (kernel == KERNEL_PRECONDITIONER ? 2.0 : 1.0);
    const int first = (int)lround(from * rows), end = (int)lround(to * rows);

    if (!kernels->is_real)
        charge(kernels, kernel, words, to - from);
    else if (kernel == KERNEL_MATVEC)
        multiply(kernels, first, end);
    else if (kernel == KERNEL_PRECONDITIONER)
        sweep(kernels, first, end);
    else
        update(kernels, words, first, end);
}

/* Cells of the box that are sent in a direction, or that lie beyond it. */
struct face {
    int low[3], high[3];
};

static struct face face_of(const struct kernels *kernels, int direction, bool is_beyond)
{
    const int step[3] = { direction / 9 - 1, direction / 3 % 3 - 1, direction % 3 - 1 };
    struct face face;

    for (int d = 0; d < 3; d++) {
        const int last = kernels->extent[d] - 1;

        face.low[d] = step[d] > 0 ? last + is_beyond : step[d] < 0 ? -is_beyond : 0;
        face.high[d] = step[d] ? face.low[d] : last;
    }
    return face;
}

static void copy_face(const struct kernels *kernels, int direction, bool is_beyond, double *out,
                      const double *in)
{
    const struct face face = face_of(kernels, direction, is_beyond);
    int k = 0;

    for (int a = face.low[0]; a <= face.high[0]; a++)
        for (int b = face.low[1]; b <= face.high[1]; b++)
            for (int c = face.low[2]; c <= face.high[2]; c++, k++) {
                double *x = &kernels->x[padded(kernels, a, b, c)];

                if (in)
                    *x = in[k];
                else
                    out[k] = *x;
            }
}

void kernels_pack(const struct kernels *kernels, struct halo *halo)
{
    for (int i = 0; kernels->is_real && i < halo->messages; i++)
        copy_face(kernels, halo->message[i].direction, false, halo->message[i].sent, NULL);
}

void kernels_unpack(struct kernels *kernels, const struct halo *halo)
{
    for (int i = 0; kernels->is_real && i < halo->messages; i++)
        copy_face(kernels, halo->message[i].direction, true, NULL, halo->message[i].received);
}

/* The known value of a cell of the whole grid; 0 beyond it if it is not periodic. */
static double value_at(const struct kernels *kernels, const struct layout *layout, const int at[3])
{
    double value = 1;

    for (int d = 0; d < 3; d++) {
        const int whole = layout->extent[d] * kernels->extent[d];

        /* One process in a dimension has no neighbour there, periodic or not. */
        if ((at[d] < 0 || at[d] >= whole) && (!layout->is_periodic || layout->extent[d] == 1))
            return 0;
        value += (d + 1) * 0.125 * ((at[d] + whole) % whole);
    }
    return value;
}

static double expected(const struct kernels *kernels, const struct layout *layout,
                       const int origin[3], int row)
{
    int own[3];
    double sum = 0;

    place_of(kernels, row, own);
    for (int e = 0; e < ENTRIES; e++) {
        const int at[3] = { origin[0] + own[0] + e / 9 - 1, origin[1] + own[1] + e / 3 % 3 - 1,
                            origin[2] + own[2] + e % 3 - 1 };

        sum += kernels->entry[row * ENTRIES + e] * value_at(kernels, layout, at);
    }
    return sum;
}

void kernels_verify(struct kernels *kernels, const struct layout *layout, struct halo *halo)
{
    int origin[3], own[3];

    if (!kernels->is_real)
        return;
    layout_coordinates(layout, layout->job->rank, origin);
    for (int d = 0; d < 3; d++)
        origin[d] *= kernels->extent[d];
    for (int row = 0; row < kernels->rows; row++) {
        place_of(kernels, row, own);
        const int at[3] = { origin[0] + own[0], origin[1] + own[1], origin[2] + own[2] };

        kernels->x[padded(kernels, own[0], own[1], own[2])] = value_at(kernels, layout, at);
    }
    kernels_pack(kernels, halo);
    halo_begin(halo);
    halo_wait(halo);
    kernels_unpack(kernels, halo);
    multiply(kernels, 0, kernels->rows);
    for (int row = 0; row < kernels->rows; row++)
        if (fabs(kernels->y[row] - expected(kernels, layout, origin, row)) > 1e-9)
            program_fail("rank %d: row %d of a product is %.17g and must be %.17g",
                         layout->job->rank, row, kernels->y[row],
                         expected(kernels, layout, origin, row));
}
