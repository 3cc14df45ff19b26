/* Sparse matrices: list, fetch, delete. */
#include "server/http/handlers.h"
#include "server/http/server.h"
#include "server/matrices/analysis.h"
#include "server/matrices/matrix.h"
#include "server/store/store.h"

#include <stdio.h>

int fr_matrix_find(struct fr_request *rq, struct fr_reply *reply, struct fr_matrix_record *out)
{
    return fr_reply_stored(
        rq, reply, fr_store_matrix_get(rq->store, rq->segment[0], rq->arena, out), "matrix");
}

/* ---- lists, one, none --------------------------------------------------------------------- */

static void write_item(struct fr_request *rq, struct fr_rows *rows,
                       const struct fr_matrix_record *matrix)
{
    const char *ready[SPARSE_ORDERING_COUNT];
    size_t count = 0;
    char url[64];

    for (size_t i = 0; i < matrix->ordering_count; i++)
        if (matrix->ordering[i].status == FR_MATRIX_READY)
            ready[count++] = matrix->ordering[i].ordering;
    snprintf(url, sizeof url, "/api/v1/matrices/%s", matrix->id);
    fr_row_begin(rows);
    fr_matrix_write_head(rq, rows, matrix);
    fr_row_texts(rows, "orderings", ready, count);
    fr_row_text(rows, "url", url);
    fr_row_end(rows);
}

int fr_get_matrices(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_matrix_record *items;
    struct fr_page page;
    struct fr_rows rows;
    int64_t before;
    size_t count;
    int status;

    status = fr_page_read_before(rq, reply, &page, &before);
    if (status)
        return status;
    if (fr_store_matrix_list(rq->store, before, (size_t)page.limit + 1, rq->arena, &items,
                             &count) != FR_STORE_OK)
        return fr_reply_store_failed(rq, reply);
    fr_list_begin(rq, reply, &rows);
    for (size_t i = 0; i < count && i < (size_t)page.limit; i++)
        write_item(rq, &rows, &items[i]);
    fr_list_end_before(rq, reply, &rows, "/api/v1/matrices", &page,
                       count > (size_t)page.limit ? items[page.limit - 1].sequence : 0);
    return 200;
}

int fr_get_matrix(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_matrix_record matrix;
    const int status = fr_matrix_find(rq, reply, &matrix);

    if (status)
        return status;
    fr_matrix_write(rq, &reply->body, &matrix, NULL);
    return 200;
}

int fr_delete_matrix(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_matrix_record matrix;
    int status = fr_matrix_find(rq, reply, &matrix);

    if (!status)
        status = fr_reply_stored(rq, reply, fr_store_matrix_delete(rq->store, matrix.id), "matrix");
    if (status)
        return status;
    fr_analysis_wake(rq->server->analysis);
    return 204;
}
