/* Merges each column of a matrix with the row of the same number. */
#include "server/analyze/graph.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

/* A+A' has up to twice the entries, in 32-bit indices. */
enum { MOST_ENTRIES = INT_MAX / 2 - 1 };

void fr_graph_free(struct fr_graph *graph)
{
    if (!graph)
        return;
    free(graph->at);
    free(graph->neighbour);
    free(graph->weight);
    free(graph);
}

/* The matrix by rows: the columns of row i are column[at[i]] to column[at[i + 1] - 1], ascending.
 */
struct rows {
    idx_t *at, *column;
};

static bool turn(const struct fr_matrix *matrix, struct rows *rows)
{
    const int64_t n = matrix->n;

    rows->at = calloc((size_t)n + 2, sizeof *rows->at);
    rows->column = malloc(((size_t)matrix->nnz + 1) * sizeof *rows->column);
    if (!rows->at || !rows->column)
        return false;
    for (int64_t e = 0; e < matrix->nnz; e++)
        rows->at[matrix->row[e] + 2]++;
    for (int64_t i = 0; i < n; i++)
        rows->at[i + 2] += rows->at[i + 1];
    for (int64_t j = 0; j < n; j++)
        for (int64_t e = matrix->column_at[j]; e < matrix->column_at[j + 1]; e++)
            rows->column[rows->at[matrix->row[e] + 1]++] = (idx_t)j;
    return true;
}

/* Appends the neighbours of row i. */
static idx_t *merge(const struct fr_matrix *matrix, const struct rows *rows, int64_t i, idx_t *out)
{
    const int32_t *a = matrix->row + matrix->column_at[i],
                  *a_end = matrix->row + matrix->column_at[i + 1];
    const idx_t *b = rows->column + rows->at[i], *b_end = rows->column + rows->at[i + 1];

    while (a < a_end || b < b_end) {
        const idx_t next = b == b_end || (a < a_end && *a < *b) ? *a : *b;

        if (next != i)
            *out++ = next;
        a += a < a_end && *a == next;
        b += b < b_end && *b == next;
    }
    return out;
}

static bool fill(struct fr_graph *graph, const struct fr_matrix *matrix, const struct rows *rows)
{
    idx_t *out;

    graph->n = (idx_t)matrix->n;
    graph->at = malloc(((size_t)matrix->n + 1) * sizeof *graph->at);
    graph->weight = malloc(((size_t)matrix->n + 1) * sizeof *graph->weight);
    graph->neighbour = malloc((2 * (size_t)matrix->nnz + 1) * sizeof *graph->neighbour);
    if (!graph->at || !graph->weight || !graph->neighbour)
        return false;
    out = graph->neighbour;
    for (int64_t i = 0; i < matrix->n; i++) {
        const idx_t entries = rows->at[i + 1] - rows->at[i];

        graph->at[i] = (idx_t)(out - graph->neighbour);
        graph->weight[i] = entries ? entries : 1;
        out = merge(matrix, rows, i, out);
    }
    graph->at[matrix->n] = (idx_t)(out - graph->neighbour);
    return true;
}

struct fr_graph *fr_graph_make(const struct fr_matrix *matrix, struct fr_faults *faults)
{
    struct fr_graph *graph = calloc(1, sizeof *graph);
    struct rows rows = { NULL, NULL };
    bool is_made = false;

    if (matrix->nnz > MOST_ENTRIES)
        fr_fault(faults, FR_NOMEM, "/", "%" PRId64 " entries; METIS takes at most %d", matrix->nnz,
                 MOST_ENTRIES);
    else if (!(is_made = graph && turn(matrix, &rows) && fill(graph, matrix, &rows)))
        fr_fault(faults, FR_NOMEM, "/", "no memory for the graph of %" PRId64 " entries",
                 matrix->nnz);
    free(rows.at);
    free(rows.column);
    if (is_made)
        return graph;
    fr_graph_free(graph);
    return NULL;
}
