/* The document of a matrix: its facts, the progress of its analysis, the results. */
#include "server/matrices/matrix.h"

#include "server/http/server.h"
#include "server/matrices/analysis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The progress of the whole analysis, and its current stage. */
struct stand {
    double fraction;
    char stage[64]; /* empty: no analysis is running */
};

static struct stand stand_of(struct fr_request *rq, const struct fr_matrix_record *matrix)
{
    struct fr_analysis_progress running[FR_ANALYSES_MOST];
    size_t count = fr_analysis_look(rq->server->analysis, matrix->id, running), structures = 0;
    const struct fr_matrix_ordering *structure;
    const enum fr_matrix_status status = fr_matrix_status(matrix);
    const bool is_over = status == FR_MATRIX_READY || status == FR_MATRIX_FAILED;
    struct stand stand = { .stage = "" };

    for (; (structure = fr_matrix_structure(matrix, structures)); structures++)
        stand.fraction +=
            structure->status == FR_MATRIX_READY || structure->status == FR_MATRIX_FAILED;
    if (is_over) /* the store learns it first: an analysis is listed a little longer */
        count = 0;
    for (size_t i = 0; i < count; i++) {
        if (running[i].partition) /* has a list of its own */
            running[i--] = running[--count];
        else
            stand.fraction += running[i].fraction;
    }
    stand.fraction /= structures ? (double)structures : 1;
    if (stand.fraction > 1) /* an analysis may have ended between the two look-ups */
        stand.fraction = 1;
    stand.fraction = round(100 * stand.fraction) / 100;
    if (count)
        snprintf(stand.stage, sizeof stand.stage, "%s%s%s", running[0].ordering,
                 running[0].stage[0] ? ": " : "", running[0].stage);
    return stand;
}

/* Why all orderings failed; NULL if one succeeded or is not finished. */
static const char *reason_of(const struct fr_matrix_record *matrix)
{
    return fr_matrix_status(matrix) == FR_MATRIX_FAILED && matrix->ordering_count
               ? matrix->ordering[0].reason
               : NULL;
}

static const char *or_null(const char *text)
{
    return text && *text ? text : NULL;
}

void fr_matrix_write_head(struct fr_request *rq, struct fr_rows *rows,
                          const struct fr_matrix_record *matrix)
{
    const struct stand stand = stand_of(rq, matrix);

    fr_row_text(rows, "id", matrix->id);
    fr_row_text(rows, "name", matrix->name);
    fr_row_text(rows, "status", fr_matrix_status_name(fr_matrix_status(matrix)));
    fr_row_number(rows, "progress_fraction", stand.fraction);
    fr_row_text(rows, "stage", or_null(stand.stage));
    fr_row_text(rows, "reason", reason_of(matrix));
    fr_row_text(rows, "uploaded_at", matrix->uploaded_at);
    fr_row_integer(rows, "bytes", matrix->bytes);
    fr_row_text(rows, "format", matrix->format);
    fr_row_text(rows, "field", matrix->field);
    fr_row_text(rows, "symmetry", matrix->symmetry);
    fr_row_text(rows, "title", or_null(matrix->title));
    fr_row_integer(rows, "n", matrix->n);
    fr_row_integer(rows, "entries", matrix->entries);
    fr_row_integer(rows, "nnz", matrix->nnz);
    fr_row_number(rows, "structural_symmetry_fraction", matrix->structural_symmetry);
}

static void write_integer_or_null(struct fr_rows *rows, const char *name, int64_t value)
{
    if (value < 0)
        fr_row_text(rows, name, NULL);
    else
        fr_row_integer(rows, name, value);
}

static void write_facts(struct fr_rows *rows, const struct fr_matrix_record *matrix)
{
    fr_row_integer(rows, "lower_bandwidth", matrix->lower_bandwidth);
    fr_row_integer(rows, "upper_bandwidth", matrix->upper_bandwidth);
    fr_row_integer(rows, "zero_diagonals", matrix->zero_diagonals);
    fr_row_integer(rows, "empty_rows", matrix->empty_rows);
    fr_row_integer(rows, "empty_columns", matrix->empty_columns);
    write_integer_or_null(rows, "structural_rank", matrix->structural_rank);
    if (matrix->structural_rank < 0)
        fr_row_text(rows, "structurally_singular", NULL);
    else
        fr_row_bool(rows, "structurally_singular", matrix->structural_rank < matrix->n);
    fr_row_text(rows, "row_permutation", or_null(matrix->row_permutation));
    fr_row_integer(rows, "supernode_max", matrix->supernode_max);
    fr_row_integer(rows, "supernode_relax", matrix->supernode_relax);
}

/* A member's name; if rows cannot nest, the ordering precedes it. */
static const char *named(struct fr_request *rq, const char *ordering, const char *name)
{
    char text[64];

    if (rq->format == FR_JSON)
        return name;
    snprintf(text, sizeof text, "%s_%s", ordering, name);
    name = fr_arena_text(rq->arena, text, strlen(text));
    return name ? name : "";
}

/* Results are null until the analysis is done. */
static void write_ordering(struct fr_request *rq, struct fr_rows *rows,
                           const struct fr_matrix_ordering *o)
{
    const bool is_ready = o->status == FR_MATRIX_READY;
    const struct {
        const char *name;
        int64_t value;
    } counts[] = { { "supernodes", o->supernodes },
                   { "nnz_lu", o->nnz_lu },
                   { "nnz_lu_unrelaxed", o->nnz_lu_unrelaxed },
                   { "blocks", o->blocks },
                   { "updates", o->updates } };
    const struct {
        const char *name;
        double value;
    } numbers[] = { { "flops", o->flops },
                    { "fill", o->fill },
                    { "ordering_s", o->ordering_s },
                    { "symbolic_s", o->symbolic_s },
                    { "extraction_s", o->extraction_s } };

    fr_row_text(rows, named(rq, o->ordering, "status"), fr_matrix_status_name(o->status));
    fr_row_text(rows, named(rq, o->ordering, "reason"), o->reason);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        write_integer_or_null(rows, named(rq, o->ordering, counts[i].name),
                              is_ready ? counts[i].value : -1);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fr_row_number(rows, named(rq, o->ordering, numbers[i].name),
                      is_ready ? numbers[i].value : (double)NAN);
}

static void write_orderings(struct fr_request *rq, struct fr_rows *rows,
                            const struct fr_matrix_record *matrix)
{
    if (rq->format == FR_JSON) {
        fr_json_pair_array(rows->w, "orderings");
    }
    for (size_t i = 0; i < matrix->ordering_count; i++) {
        if (rq->format == FR_JSON) {
            fr_json_object(rows->w);
            fr_json_pair(rows->w, "ordering", matrix->ordering[i].ordering);
        }
        write_ordering(rq, rows, &matrix->ordering[i]);
        if (rq->format == FR_JSON)
            fr_json_object_end(rows->w);
    }
    if (rq->format == FR_JSON)
        fr_json_array_end(rows->w);
}

/* All structures, also those of other limits and row permutations. */
static void write_structures(struct fr_request *rq, struct fr_rows *rows,
                             const struct fr_matrix_record *matrix)
{
    const struct fr_matrix_ordering *o;

    fr_json_pair_array(rows->w, "structures");
    for (size_t i = 0; (o = fr_matrix_structure(matrix, i)); i++) {
        fr_json_object(rows->w);
        fr_json_pair(rows->w, "ordering", o->ordering);
        fr_json_pair(rows->w, "row_permutation", o->row_permutation);
        fr_json_pair_integer(rows->w, "supernode_max", o->supernode_max);
        fr_json_pair_integer(rows->w, "supernode_relax", o->supernode_relax);
        write_ordering(rq, rows, o);
        fr_json_object_end(rows->w);
    }
    fr_json_array_end(rows->w);
}

static void write_links(struct fr_writer *w, const char *id)
{
    char self[64], spy[64];

    snprintf(self, sizeof self, "/api/v1/matrices/%s", id);
    snprintf(spy, sizeof spy, "/api/v1/matrices/%s/spy.svg", id);
    fr_json_pair_object(w, "links");
    fr_json_pair(w, "self", self);
    fr_json_pair(w, "spy", spy);
    fr_json_object_end(w);
}

void fr_matrix_write_read(struct fr_writer *w, const struct fr_matrix *head)
{
    const struct {
        const char *field, *text;
        int64_t number;
        int line;
    } read[] = {
        { "title", head->title, 0, FR_MATRIX_LINE_OF_TITLE },
        { "format", fr_matrix_formats[head->format], 0, FR_MATRIX_LINE_OF_FORMAT },
        { "field", fr_matrix_fields[head->field], 0, FR_MATRIX_LINE_OF_TYPE },
        { "symmetry", fr_matrix_symmetries[head->symmetry], 0, FR_MATRIX_LINE_OF_TYPE },
        { "n", NULL, head->n, FR_MATRIX_LINE_OF_SIZES },
        { "entries", NULL, head->entries, FR_MATRIX_LINE_OF_SIZES },
    };

    fr_json_pair_array(w, "read");
    for (size_t i = *head->title ? 0 : 1; i < sizeof read / sizeof *read; i++) {
        fr_json_object(w);
        fr_json_pair(w, "field", read[i].field);
        if (read[i].text)
            fr_json_pair(w, "value", read[i].text);
        else
            fr_json_pair_integer(w, "value", read[i].number);
        fr_json_pair_integer(w, "line", head->line[read[i].line]);
        fr_json_object_end(w);
    }
    fr_json_array_end(w);
}

void fr_matrix_write(struct fr_request *rq, struct fr_writer *w,
                     const struct fr_matrix_record *matrix, const struct fr_matrix *head_or_null)
{
    struct fr_rows rows;

    fr_rows_begin(&rows, w, rq->format);
    fr_row_begin(&rows);
    fr_matrix_write_head(rq, &rows, matrix);
    write_facts(&rows, matrix);
    write_orderings(rq, &rows, matrix);
    if (rq->format == FR_JSON) {
        write_structures(rq, &rows, matrix);
        write_links(w, matrix->id);
        if (head_or_null)
            fr_matrix_write_read(w, head_or_null);
    }
    fr_row_end(&rows);
    fr_rows_end(&rows);
}

int fr_matrix_answer(struct fr_request *rq, struct fr_reply *reply, const char *id, int status,
                     const struct fr_matrix *head_or_null)
{
    struct fr_matrix_record matrix;

    if (fr_store_matrix_get(rq->store, id, rq->arena, &matrix) != FR_STORE_OK)
        return fr_reply_store_failed(rq, reply);
    snprintf(reply->location, sizeof reply->location, "/api/v1/matrices/%s", id);
    fr_matrix_write(rq, &reply->body, &matrix, head_or_null);
    return status;
}
