/* POST /api/v1/matrices: the file, spooled to the disk, is compressed, inspected and stored.
 *
 * The same file again is the same matrix and is stored once; structures that failed or are new are
 * queued, also those with other limits of their supernodes.
 */
#include "server/calibrations/document.h"
#include "server/core/process.h"
#include "server/http/call.h"
#include "server/http/handlers.h"
#include "server/json/decode.h"
#include "server/matrices/analysis.h"
#include "server/matrices/files/matrix.h"
#include "server/matrices/matrix.h"
#include "server/store/store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- query -------------------------------------------------------------------------------- */

struct asked {
    const char *name; /* NULL: not given; the others are FR_OPEN_INT or FR_OPEN_CHOICE */
    int64_t supernode_max, supernode_relax;
    int orderings; /* bit i: sparse_orderings[i] */
    int preview;
};

const struct fr_param fr_matrix_upload_params[] = {
    FR_BORROWED(
        struct asked, name,
        .doc = "Name of the matrix, which can be used instead of its id; default the id. It must "
               "not look like an id or end with the suffix of a representation (`.json`)."),
    FR_INT(struct asked, supernode_max, .unit = "columns", .min = 1, .max = SPARSE_SUPERNODE_MOST,
           .doc = "Maximum number of columns of a supernode; default 256."),
    FR_INT(struct asked, supernode_relax, .unit = "columns", .min = 1, .max = SPARSE_SUPERNODE_MOST,
           .doc = "Largest subtree that becomes one supernode; default 60."),
    FR_SET_OF(struct asked, orderings, .choices = sparse_orderings,
              .doc = "Orderings to compute; default all, or for a known matrix those that it has."),
    FR_BOOL(struct asked, preview, .flags = FR_DEFAULT,
            .doc = "Whether to answer what was read, and to store nothing."),
    FR_PARAMS_END,
};

/* A structure with the limits that were given; those left open follow the usual ones. */
static struct sparse_structure_key key_of(const struct asked *asked, int64_t usual_max,
                                          int64_t usual_relax)
{
    struct sparse_structure_key key = {
        .row_permutation = sparse_row_permutations[SPARSE_ROWS_AUTO],
        .supernode_max = asked->supernode_max,
        .supernode_relax = asked->supernode_relax,
    };

    sparse_structure_key_complete(&key, usual_max, usual_relax);
    return key;
}

static bool is_id(const char *text)
{
    return strlen(text) == FR_MATRIX_ID_BYTES - 1 &&
           strspn(text, "0123456789abcdef") == FR_MATRIX_ID_BYTES - 1;
}

static void check_name(const char *name, struct fr_faults *faults)
{
    const char *dot = strrchr(name, '.');

    if (!fr_machine_name_is_legal(name))
        fr_fault(faults, FR_RANGE, "name",
                 "'%.70s' is not a name: 1 to 64 of a-z 0-9 . _ -, starting with a-z or 0-9", name);
    else if (is_id(name))
        fr_fault(faults, FR_RANGE, "name", "'%s' looks like an id; choose another", name);
    else if (dot && fr_media_of_suffix(dot + 1))
        fr_fault(faults, FR_RANGE, "name",
                 "'%s' ends with the suffix of a representation, so that no path can address it; "
                 "omit `%s`",
                 name, dot);
}

/* A set is written with colons; commas are accepted too. */
static void mend_set(struct fr_request *rq)
{
    for (size_t i = 0; i < rq->query_count; i++) {
        struct fr_pair *pair = &rq->query[i];
        char *value;

        if (strcmp(pair->name, "orderings") != 0)
            continue;
        value = fr_arena_text(rq->arena, pair->value, strlen(pair->value));
        for (char *at = value; at && *at; at++)
            if (*at == ',')
                *at = ':';
        if (value)
            pair->value = value;
    }
}

static void read_query(struct fr_request *rq, struct asked *asked, struct fr_faults *faults)
{
    mend_set(rq);
    fr_options_read(rq, rq->route->options, asked, faults);
    if (asked->name)
        check_name(asked->name, faults);
    if (asked->orderings == 0)
        fr_fault(faults, FR_RANGE, "orderings", "name at least one of " SPARSE_ORDERING_LIST);
    if (asked->supernode_max != FR_OPEN_INT && asked->supernode_relax != FR_OPEN_INT &&
        asked->supernode_relax > asked->supernode_max)
        fr_fault(faults, FR_RELATION, "supernode_relax",
                 "%" PRId64 " is more than supernode_max, %" PRId64, asked->supernode_relax,
                 asked->supernode_max);
}

/* ---- refusals ----------------------------------------------------------------------------- */

static int refuse_file(struct fr_reply *reply, const struct fr_faults *faults)
{
    int status = 422;

    for (size_t i = 0; i < fr_faults_kept(faults); i++)
        if (faults->fault[i].code == FR_NOMEM)
            status = 413;
    return fr_reply_refusal(reply, status, faults);
}

static int refuse_disk(struct fr_request *rq, struct fr_reply *reply)
{
    fr_log(&rq->server->log, FR_LOG_ERROR, "upload", "error", strerrordesc_np(errno), NULL);
    reply->retry_after_s = 60;
    return fr_reply_problem(
        reply, 503,
        "The disk of the database has no space for this file; the operator must "
        "free some.");
}

static int refuse_name(struct fr_reply *reply, const char *name)
{
    char detail[160];

    snprintf(detail, sizeof detail, "Another matrix has the name `%s`; choose another.", name);
    return fr_reply_problem(reply, 409, detail);
}

/* ---- a known matrix ----------------------------------------------------------------------- */

/* Refuses a name other than the stored one; 0 if there is none. */
static int refuse_other(struct fr_reply *reply, const struct asked *asked,
                        const struct fr_matrix_record *matrix)
{
    char detail[240];

    if (!asked->name || strcmp(asked->name, matrix->name) == 0 ||
        strcmp(matrix->name, matrix->id) == 0)
        return 0;
    snprintf(detail, sizeof detail,
             "This matrix is stored as `%s`; use that name, or delete it first.", matrix->name);
    return fr_reply_problem(reply, 409, detail);
}

static bool is_wanted(const struct asked *asked, const struct fr_matrix_record *matrix, size_t i)
{
    if (asked->orderings != FR_OPEN_CHOICE)
        return asked->orderings & 1 << i;
    for (size_t k = 0; k < matrix->ordering_count; k++)
        if (strcmp(matrix->ordering[k].ordering, sparse_orderings[i]) == 0)
            return true;
    return false;
}

/* Charges the analyses that an upload of a known matrix queues; 0, or the status of a refusal. */
static int charge_known(struct fr_request *rq, struct fr_reply *reply, const struct asked *asked,
                        const struct fr_matrix_record *matrix)
{
    struct sparse_structure_key key = key_of(asked, matrix->supernode_max, matrix->supernode_relax);
    int count = 0;

    for (size_t i = 0; sparse_orderings[i]; i++) {
        key.ordering = sparse_orderings[i];
        count += is_wanted(asked, matrix, i) && fr_matrix_needs_analysis(matrix, &key);
    }
    return fr_request_charge(rq, FR_LIMIT_ANALYSES, count, reply);
}

static int answer_known(struct fr_request *rq, struct fr_reply *reply, const struct asked *asked,
                        const struct fr_matrix_record *matrix)
{
    struct sparse_structure_key key = key_of(asked, matrix->supernode_max, matrix->supernode_relax);
    int status = refuse_other(reply, asked, matrix), result = FR_STORE_OK;
    bool is_other;

    if (!status)
        status = charge_known(rq, reply, asked, matrix);
    if (status)
        return status;
    if (asked->name && strcmp(asked->name, matrix->name) != 0)
        result = fr_store_matrix_rename(rq->store, matrix->id, asked->name);
    if (result == FR_STORE_IN_USE)
        return refuse_name(reply, asked->name);
    status = 200;
    is_other = key.supernode_max != matrix->supernode_max ||
               key.supernode_relax != matrix->supernode_relax;
    for (size_t i = 0; sparse_orderings[i]; i++) {
        key.ordering = sparse_orderings[i];
        if (!is_wanted(asked, matrix, i))
            continue;
        if (is_other && !fr_matrix_find_structure(matrix, &key))
            status = 202;
        result = fr_store_matrix_queue(rq->store, matrix->id, &key);
        if (result == FR_STORE_IN_USE)
            return fr_refuse_limits(reply, matrix);
        if (result == FR_STORE_FAILED)
            return fr_reply_store_failed(rq, reply);
    }
    if (fr_store_partition_retry(rq->store, matrix->id) == FR_STORE_FAILED)
        return fr_reply_store_failed(rq, reply);
    fr_analysis_wake(rq->server->analysis);
    return fr_matrix_answer(rq, reply, matrix->id, status, NULL);
}

/* ---- a new matrix ------------------------------------------------------------------------- */

static void describe(const struct asked *asked, const struct fr_packed *packed,
                     const struct fr_inspection *found, struct fr_matrix_record *out)
{
    const int orderings =
        asked->orderings == FR_OPEN_CHOICE ? (1 << SPARSE_ORDERING_COUNT) - 1 : asked->orderings;
    const struct sparse_structure_key key = key_of(asked, SPARSE_USUAL_MAX, SPARSE_USUAL_RELAX);

    *out = (struct fr_matrix_record){
        .id = packed->id,
        .name = asked->name ? asked->name : packed->id,
        .format = fr_matrix_formats[found->head.format],
        .field = fr_matrix_fields[found->head.field],
        .symmetry = fr_matrix_symmetries[found->head.symmetry],
        .title = found->head.title,
        .bytes = packed->bytes,
        .n = found->head.n,
        .entries = found->head.entries,
        .nnz = found->head.nnz,
        .structural_symmetry = found->facts.structural_symmetry,
        .lower_bandwidth = found->facts.lower_bandwidth,
        .upper_bandwidth = found->facts.upper_bandwidth,
        .zero_diagonals = found->facts.zero_diagonals,
        .empty_rows = found->facts.empty_rows,
        .empty_columns = found->facts.empty_columns,
    };
    out->supernode_max = key.supernode_max;
    out->supernode_relax = key.supernode_relax;
    for (size_t i = 0; sparse_orderings[i]; i++)
        if (orderings & 1 << i)
            out->ordering[out->ordering_count++].ordering = sparse_orderings[i];
}

/* Refuses the names that `store` and `answer_known` refuse. */
static int preview(struct fr_request *rq, struct fr_reply *reply, const struct asked *asked,
                   const struct fr_packed *packed, const struct fr_inspection *found)
{
    struct fr_matrix_record known;
    const int result = fr_store_matrix_get(rq->store, packed->id, rq->arena, &known);
    const int status = result == FR_STORE_OK ? refuse_other(reply, asked, &known) : 0;
    const int named = asked->name ? fr_store_matrix_get(rq->store, asked->name, rq->arena, &known)
                                  : FR_STORE_NONE;

    if (status)
        return status;
    if (result == FR_STORE_FAILED || named == FR_STORE_FAILED)
        return fr_reply_store_failed(rq, reply);
    if (named == FR_STORE_OK && strcmp(known.id, packed->id) != 0 && result == FR_STORE_NONE)
        return refuse_name(reply, asked->name);
    fr_json_object(&reply->body);
    fr_json_pair_bool(&reply->body, "preview", true);
    fr_json_pair(&reply->body, "id", packed->id);
    fr_json_pair_bool(&reply->body, "known", result == FR_STORE_OK);
    fr_json_pair_integer(&reply->body, "nnz", found->head.nnz);
    fr_matrix_write_read(&reply->body, &found->head);
    fr_json_object_end(&reply->body);
    return 200;
}

static int store(struct fr_request *rq, struct fr_reply *reply, const struct asked *asked,
                 const struct fr_packed *packed, const struct fr_inspection *found)
{
    struct fr_matrix_record record;
    size_t length = 0;
    unsigned char *spy;
    int result, status;

    describe(asked, packed, found, &record);
    status = fr_request_charge(rq, FR_LIMIT_ANALYSES, (double)record.ordering_count, reply);
    if (status)
        return status;
    spy = found->has_facts ? fr_spy_pack(&found->spy, &length) : NULL;
    if (!spy)
        return fr_reply_problem(reply, 503, "There is no memory to inspect this matrix.");
    result = fr_store_matrix_add(rq->store, &record, spy, length, packed->file, packed->length);
    free(spy);
    if (result == FR_STORE_OK) {
        fr_analysis_wake(rq->server->analysis);
        return fr_matrix_answer(rq, reply, packed->id, 202, &found->head);
    }
    if (result == FR_STORE_EXISTS) { /* another request stored it meanwhile */
        result = fr_store_matrix_get(rq->store, packed->id, rq->arena, &record);
        if (result == FR_STORE_OK)
            return answer_known(rq, reply, asked, &record);
        if (result == FR_STORE_NONE)
            return store(rq, reply, asked, packed, found);
    }
    if (result == FR_STORE_IN_USE)
        return refuse_name(reply, record.name);
    return fr_reply_store_failed(rq, reply);
}

/* Inspects the file as it came: if it was compressed here, its checksum does not prove that it is
 * complete. */
static int take_new(struct fr_request *rq, struct fr_reply *reply, const struct asked *asked,
                    const struct fr_packed *packed)
{
    struct fr_config *config = &rq->server->config;
    struct fr_inspection *found;
    int status;

    found = fr_inspection_run(rq->file, atomic_load(&config->matrix_limit_bytes), rq->server->clock,
                              (unsigned)atomic_load(&config->analysis_timeout_s),
                              config->child_folders);
    if (!found)
        status = fr_reply_problem(reply, 503,
                                  "The process that reads this matrix failed, or took longer than "
                                  "analysis_timeout_s.");
    else if (found->faults.count)
        status = refuse_file(reply, &found->faults);
    else
        status = asked->preview ? preview(rq, reply, asked, packed, found)
                                : store(rq, reply, asked, packed, found);
    free(found);
    return status;
}

int fr_post_matrix(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_config *config = &rq->server->config;
    struct fr_matrix_record known;
    struct fr_packed packed;
    struct fr_faults faults;
    struct asked asked;
    int code, result, status;

    faults.count = 0;
    read_query(rq, &asked, &faults);
    if (faults.count)
        return fr_reply_faults(reply, &faults);
    code = fr_spool_pack(rq->file, config->db, atomic_load(&config->matrix_limit_bytes), &packed,
                         &faults);
    if (code != FR_OK)
        return faults.count ? refuse_file(reply, &faults) : refuse_disk(rq, reply);
    result = fr_store_matrix_get(rq->store, packed.id, rq->arena, &known);
    if (result == FR_STORE_OK && !asked.preview)
        status = answer_known(rq, reply, &asked, &known);
    else if (result != FR_STORE_FAILED)
        status = take_new(rq, reply, &asked, &packed);
    else
        status = fr_reply_store_failed(rq, reply);
    if (packed.file != rq->file)
        close(packed.file);
    return status;
}
