/* Sparse matrices: list, fetch, delete, the block structures. */
#include "server/http/handlers.h"
#include "server/http/options.h"
#include "server/http/resource.h"
#include "server/http/server.h"
#include "server/matrices/analysis.h"
#include "server/matrices/files/blocks.h"
#include "server/matrices/matrix.h"
#include "server/matrices/structure_document.h"
#include "server/store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    struct fr_faults faults;
    struct fr_page page;
    struct fr_rows rows;
    int64_t before;
    size_t count;

    faults.count = 0;
    fr_page_read(rq, &page, &faults);
    before = fr_page_before(&page, &faults);
    if (faults.count)
        return fr_reply_faults(reply, &faults);
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
    fr_matrix_write(rq, &reply->body, &matrix);
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

/* ---- the block structure ------------------------------------------------------------------ */

/* The approximate size of the document. */
enum { L_BLOCK_BYTES = 16, U_BLOCK_BYTES = 32 };

/* The requested ordering, or the first that is ready. */
static int choose_ordering(const struct fr_matrix_record *matrix, const char *given,
                           const char **ordering, struct fr_faults *faults)
{
    for (size_t i = 0; i < matrix->ordering_count; i++) {
        const struct fr_matrix_ordering *one = &matrix->ordering[i];

        if (given && strcmp(one->ordering, given) != 0)
            continue;
        *ordering = one->ordering;
        if (one->status == FR_MATRIX_READY)
            return FR_OK;
        if (given)
            return fr_fault(faults, FR_NOT_FOUND, "ordering", "the analysis with %s is %s%s%s",
                            given, fr_matrix_status_name(one->status), one->reason ? ": " : "",
                            one->reason ? one->reason : "");
    }
    if (given)
        return fr_fault(
            faults, FR_NOT_FOUND, "ordering",
            "the matrix has not been analyzed with '%.40s'; upload it with orderings= and "
            "one of " SPARSE_ORDERING_LIST,
            given);
    return fr_fault(faults, FR_NOT_FOUND, "ordering",
                    "no ordering of this matrix is ready; it is %s",
                    fr_matrix_status_name(fr_matrix_status(matrix)));
}

/* Whether the document needs more memory than a request may take. */
static bool is_too_large(struct fr_request *rq, const struct sparse_structure *structure)
{
    const double bytes = L_BLOCK_BYTES * (double)structure->facts.l_blocks +
                         U_BLOCK_BYTES * (double)structure->facts.u_blocks;

    return bytes > (double)atomic_load(&rq->server->config.request_memory_bytes);
}

static int write_structure(struct fr_request *rq, struct fr_reply *reply, const char *id,
                           const char *ordering)
{
    struct sparse_structure *structure = NULL;
    unsigned char *bytes = NULL;
    char found[FR_MATRIX_ID_BYTES];
    struct fr_faults faults;
    size_t length;
    int result;

    faults.count = 0;
    result = fr_store_structure_get(rq->store, id, ordering, found, &bytes, &length);
    if (result == FR_STORE_OK)
        structure = fr_blocks_read(bytes, length, &faults);
    free(bytes);
    if (result == FR_STORE_NONE)
        return fr_reply_not_found(reply, "matrix", id);
    if (result == FR_STORE_OK && !structure)
        fr_log(&rq->server->log, FR_LOG_ERROR, "structure", "matrix", id, "ordering", ordering,
               "error", faults.fault[0].message, NULL);
    if (!structure)
        return fr_reply_store_failed(rq, reply);
    result = is_too_large(rq, structure) ? 413 : 200;
    if (result == 200)
        fr_structure_write(&reply->body, structure);
    else
        fr_reply_problem(reply, result,
                         "As a document this block structure needs more memory than a request may "
                         "take; the operator may raise request_memory_bytes.");
    sparse_structure_free(structure);
    return result;
}

int fr_get_matrix_structure(struct fr_request *rq, struct fr_reply *reply)
{
    static const struct fr_param none[] = { FR_PARAMS_END };
    const char *given = NULL, *ordering = NULL;
    const struct fr_text_option texts[] = { { "ordering", &given }, { NULL, NULL } };
    struct fr_matrix_record matrix;
    struct fr_faults faults;
    char key[120];
    int status;

    faults.count = 0;
    fr_options_read(rq, none, NULL, texts, &faults);
    status = faults.count ? 0 : fr_matrix_find(rq, reply, &matrix);
    if (status)
        return status;
    if (faults.count || choose_ordering(&matrix, given, &ordering, &faults) != FR_OK)
        return fr_reply_faults(reply, &faults);
    snprintf(key, sizeof key, "structure %s %s %" PRId64, matrix.id, ordering, matrix.sequence);
    if (fr_reply_is_known(rq, reply, key, strlen(key)))
        return 304;
    return write_structure(rq, reply, matrix.id, ordering);
}
