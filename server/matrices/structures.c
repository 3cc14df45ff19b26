/* The block structures of a matrix: GET …/structure, and POST …/structures, which adds one with
 * other limits of its supernodes or other permutations. */
#include "server/http/handlers.h"
#include "server/http/server.h"
#include "server/json/decode.h"
#include "server/matrices/analysis.h"
#include "server/matrices/files/blocks.h"
#include "server/matrices/matrix.h"
#include "server/matrices/simulation.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which -------------------------------------------------------------------------------- */

struct asked {
    int ordering, row_permutation;
    int64_t supernode_max, supernode_relax;
};

const struct fr_param fr_structure_params[] = {
    FR_CHOICE_OF(struct asked, ordering, .choices = sparse_orderings,
                 .doc = "Ordering; default the first that is ready."),
    FR_CHOICE_OF(struct asked, row_permutation, .choices = sparse_row_permutations,
                 .flags = FR_DEFAULT, .fallback = SPARSE_ROWS_AUTO,
                 .doc = "Permutation of the rows."),
    FR_INT(struct asked, supernode_max, .unit = "columns", .min = 1, .max = SPARSE_SUPERNODE_MOST,
           .flags = FR_DEFAULT,
           .doc = "Maximum number of columns of a supernode; default that of the upload."),
    FR_INT(struct asked, supernode_relax, .unit = "columns", .min = 1, .max = SPARSE_SUPERNODE_MOST,
           .flags = FR_DEFAULT,
           .doc = "Largest subtree that becomes one supernode; default that of the upload, at most "
                  "supernode_max."),
    FR_PARAMS_END,
};

/* The complete key; its ordering is NULL if it was left open. */
static struct sparse_structure_key
key_of(const struct asked *asked, const struct fr_matrix_record *matrix, struct fr_faults *faults)
{
    struct sparse_structure_key key = {
        .ordering = asked->ordering == FR_OPEN_CHOICE ? NULL : sparse_orderings[asked->ordering],
        .row_permutation = sparse_row_permutations[asked->row_permutation],
        .supernode_max = asked->supernode_max,
        .supernode_relax = asked->supernode_relax,
    };

    sparse_structure_key_complete(&key, matrix->supernode_max, matrix->supernode_relax);
    if (key.supernode_relax > key.supernode_max)
        fr_fault(faults, FR_RELATION, "supernode_relax",
                 "%" PRId64 " is more than supernode_max, %" PRId64, key.supernode_relax,
                 key.supernode_max);
    return key;
}

/* ---- one as a document -------------------------------------------------------------------- */

/* The approximate size of the document. */
enum { L_BLOCK_BYTES = 16, U_BLOCK_BYTES = 32 };

/* Sets an ordering that was left open to the first that is ready; FR_OK, or the code of a fault. */
static int choose(const struct fr_matrix_record *matrix, struct sparse_structure_key *key,
                  struct fr_faults *faults)
{
    const struct fr_matrix_ordering *o;

    if (key->ordering)
        return fr_reading_check(matrix, key, false, INFINITY, faults) ? FR_OK : FR_NOT_FOUND;
    for (size_t i = 0; (o = fr_matrix_structure(matrix, i)); i++) {
        key->ordering = o->ordering;
        if (o->status == FR_MATRIX_READY && fr_matrix_find_structure(matrix, key) == o)
            return FR_OK;
    }
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
                           const struct sparse_structure_key *key)
{
    struct sparse_structure *structure = NULL;
    unsigned char *bytes = NULL;
    char found[FR_MATRIX_ID_BYTES];
    struct fr_faults faults;
    size_t length;
    int result;

    faults.count = 0;
    result = fr_store_structure_get(rq->store, id, key, found, &bytes, &length);
    if (result == FR_STORE_OK)
        structure = fr_blocks_read(bytes, length, &faults);
    free(bytes);
    if (result == FR_STORE_NONE)
        return fr_reply_not_found(reply, "matrix", id);
    if (result == FR_STORE_OK && !structure)
        fr_log(&rq->server->log, FR_LOG_ERROR, "structure", "matrix", id, "ordering", key->ordering,
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
    struct sparse_structure_key chosen;
    struct fr_matrix_record matrix;
    struct fr_faults faults;
    struct asked asked;
    char key[160];
    int status;

    faults.count = 0;
    fr_options_read(rq, rq->route->options, &asked, &faults);
    status = faults.count ? 0 : fr_matrix_find(rq, reply, &matrix);
    if (status)
        return status;
    if (!faults.count)
        chosen = key_of(&asked, &matrix, &faults);
    if (faults.count || choose(&matrix, &chosen, &faults) != FR_OK)
        return fr_reply_faults(reply, &faults);
    snprintf(key, sizeof key, "structure %s %s %s %" PRId64 " %" PRId64 " %" PRId64, matrix.id,
             chosen.ordering, chosen.row_permutation, chosen.supernode_max, chosen.supernode_relax,
             matrix.sequence);
    if (fr_reply_is_known(rq, reply, key, strlen(key)))
        return 304;
    return write_structure(rq, reply, matrix.id, &chosen);
}

/* ---- another one -------------------------------------------------------------------------- */

static void read_body(const struct fr_request *rq, struct asked *asked, struct fr_faults *faults)
{
    json_t *root = fr_json_parse(rq->body, rq->body_length, faults), *value;
    const char *name;

    fr_params_clear(fr_structure_params, asked);
    if (root && fr_json_kind(root) != FR_JSON_OBJECT)
        fr_fault(faults, FR_TYPE, "", "must be an object");
    FR_JSON_EACH_MEMBER(root, name, value)
    {
        const struct fr_param *param = fr_param_find(fr_structure_params, name);
        struct fr_nearest nearest = { .name = name };

        fr_params_consider(fr_structure_params, &nearest);
        if (param)
            fr_param_bind(param, value, asked, faults);
        else
            fr_param_refuse(&nearest, NULL,
                            "give ordering, row_permutation, supernode_max, supernode_relax",
                            faults);
    }
    fr_json_free(root);
    if (!faults->count && asked->ordering == FR_OPEN_CHOICE)
        fr_fault(faults, FR_MISSING, "ordering", "required: one of " SPARSE_ORDERING_LIST);
}

bool fr_matrix_needs_analysis(const struct fr_matrix_record *matrix,
                              const struct sparse_structure_key *key)
{
    const struct fr_matrix_ordering *known = fr_matrix_find_structure(matrix, key);

    return !known || known->status == FR_MATRIX_FAILED;
}

int fr_refuse_limits(struct fr_reply *reply, const struct fr_matrix_record *matrix)
{
    const struct fr_matrix_ordering *o, *other;
    char detail[FR_MESSAGE_BYTES], pairs[FR_MATRIX_LIMITS * 12 + 1] = "";
    size_t used = 0, before;

    for (size_t i = 0; (o = fr_matrix_structure(matrix, i)) && used < sizeof pairs; i++) {
        for (before = 0; (other = fr_matrix_structure(matrix, before)); before++)
            if (other->supernode_max == o->supernode_max &&
                other->supernode_relax == o->supernode_relax)
                break;
        if (before == i)
            used += (size_t)snprintf(pairs + used, sizeof pairs - used, "%s%" PRId64 "/%" PRId64,
                                     used ? ", " : "", o->supernode_max, o->supernode_relax);
    }
    snprintf(detail, sizeof detail,
             "Matrix `%s` has structures with %d pairs of supernode_max and supernode_relax, the "
             "most that are kept: %s; use one of these, or delete the matrix and upload it again.",
             matrix->name, FR_MATRIX_LIMITS, pairs);
    return fr_reply_problem(reply, 409, detail);
}

int fr_post_structure(struct fr_request *rq, struct fr_reply *reply)
{
    const struct fr_matrix_ordering *known;
    struct sparse_structure_key key;
    struct fr_matrix_record matrix;
    struct fr_faults faults;
    struct asked asked;
    int status, result;

    faults.count = 0;
    read_body(rq, &asked, &faults);
    status = faults.count ? 0 : fr_matrix_find(rq, reply, &matrix);
    if (status)
        return status;
    if (!faults.count)
        key = key_of(&asked, &matrix, &faults);
    if (faults.count)
        return fr_reply_faults(reply, &faults);
    known = fr_matrix_find_structure(&matrix, &key);
    if (known && known->status == FR_MATRIX_READY)
        return fr_matrix_answer(rq, reply, matrix.id, 200, NULL);
    if (fr_matrix_needs_analysis(&matrix, &key))
        status = fr_request_charge(rq, FR_LIMIT_ANALYSES, 1, reply);
    if (status)
        return status;
    result = fr_store_matrix_queue(rq->store, matrix.id, &key);
    if (result == FR_STORE_IN_USE)
        return fr_refuse_limits(reply, &matrix);
    if (result == FR_STORE_FAILED)
        return fr_reply_store_failed(rq, reply);
    fr_analysis_wake(rq->server->analysis);
    return fr_matrix_answer(rq, reply, matrix.id, 202, NULL);
}
