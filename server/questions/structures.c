/* Walks over the points of a question for the structures that they name. */
#include "server/questions/ask.h"

#include "server/http/server.h"
#include "server/matrices/analysis.h"
#include "server/matrices/matrix.h"
#include "server/matrices/simulation.h"

#include <math.h>
#include <string.h>

static const char *const ways[] = {
    [FR_ANALYZE_REFUSE] = "refuse", [FR_ANALYZE_WAIT] = "wait", NULL
};

const struct fr_param fr_analyze_params[] = {
    FR_CHOICE_OF(struct fr_question, analyze, .choices = ways, .flags = FR_DEFAULT,
                 .fallback = FR_ANALYZE_REFUSE,
                 .doc = "`sparse_lu`: what to do if the question needs block structures that its "
                        "matrix does not have yet. `refuse` names them (`structure_missing`); "
                        "`wait` queues them and waits for some seconds, then answers 202."),
    FR_PARAMS_END,
};

/* A structure that the question names; its key as the question leaves it. */
struct needed {
    const char *matrix;
    struct sparse_structure_key key;
};

enum { MOST_NEEDED = 256, RETRY_S = 2 };

struct search {
    struct fr_request *rq;
    struct needed needed[MOST_NEEDED];
    size_t count;
    char pending[FR_MATRIX_ID_BYTES]; /* a matrix with a structure that is not ready; or empty */
};

static bool is_same(const struct needed *a, const char *matrix,
                    const struct sparse_structure_key *key)
{
    return a->key.supernode_max == key->supernode_max &&
           a->key.supernode_relax == key->supernode_relax &&
           strcmp(a->key.ordering, key->ordering) == 0 &&
           strcmp(a->key.row_permutation, key->row_permutation) == 0 &&
           strcmp(a->matrix, matrix) == 0;
}

/* Impossible limits are refused by the model. */
static bool is_possible(const struct sparse_structure_key *key)
{
    return key->supernode_max <= 0 || key->supernode_relax <= key->supernode_max;
}

static void need(struct search *search, const char *matrix, const struct sparse_structure_key *key,
                 struct fr_faults *faults)
{
    struct fr_arena *arena = search->rq->arena;
    size_t i = search->count;

    while (i > 0 && !is_same(&search->needed[i - 1], matrix, key))
        i--;
    if (i > 0)
        return;
    if (search->count == MOST_NEEDED) {
        fr_fault(faults, FR_TOO_MANY_POINTS, "matrix", "more than %d block structures",
                 MOST_NEEDED);
        return;
    }
    matrix = fr_arena_text(arena, matrix, strlen(matrix));
    if (matrix)
        search->needed[search->count++] = (struct needed){ matrix, *key };
    else
        fr_fault(faults, FR_NOMEM, "matrix", "memory is short");
}

/* Lists the structures of all points of the question. */
static void list(struct search *search, const struct fr_question *question,
                 struct fr_faults *faults)
{
    const struct fr_model *model = question->model;
    void *values = fr_arena_zeroed(search->rq->arena, 1, model->values_size);
    size_t points = 1;

    if (!values) {
        fr_fault(faults, FR_NOMEM, "", "memory is short");
        return;
    }
    memcpy(values, question->values, model->values_size);
    if (fr_axes_count(question->axis, question->axis_count, 1, &points, faults) != FR_OK)
        return;
    for (size_t i = 0; i < points && !faults->count; i++) {
        struct sparse_structure_key key;
        const char *matrix;

        fr_axes_point(question->axis, question->axis_count, i, values);
        model->structure_key(values, &matrix, &key);
        if (is_possible(&key))
            need(search, matrix, &key, faults);
    }
}

/* Queues a structure, or has one of the matrix refused; 0, or the status of the reply. */
static int make(struct search *search, struct fr_reply *reply,
                const struct fr_matrix_record *matrix, const struct sparse_structure_key *key)
{
    const int status = fr_request_charge(search->rq, FR_LIMIT_ANALYSES, 1, reply);
    int result;

    if (status)
        return status;
    result = fr_store_matrix_queue(search->rq->store, matrix->id, key);
    if (result == FR_STORE_IN_USE)
        return fr_refuse_limits(reply, matrix);
    if (result == FR_STORE_FAILED)
        return fr_reply_store_failed(search->rq, reply);
    fr_analysis_wake(search->rq->server->analysis);
    return 0;
}

static bool is_pending(const struct fr_matrix_ordering *o)
{
    return o && (o->status == FR_MATRIX_QUEUED || o->status == FR_MATRIX_ANALYZING);
}

static bool is_added(const struct fr_matrix_record *matrix, const struct fr_matrix_ordering *o)
{
    return o >= matrix->other && o < matrix->other + matrix->other_count;
}

/* Looks for a structure whose key is complete; 0, or the status of the reply. */
static int look_for(struct search *search, struct fr_reply *reply,
                    const struct fr_matrix_record *matrix, const struct sparse_structure_key *key,
                    bool waits, struct fr_faults *faults)
{
    const struct fr_matrix_ordering *found = fr_matrix_find_structure(matrix, key);

    if (waits && (!found || is_pending(found)))
        memcpy(search->pending, matrix->id, strlen(matrix->id) + 1);
    else if (!found || (is_pending(found) && is_added(matrix, found)))
        fr_reading_check(matrix, key, false, INFINITY, faults);
    return waits && !found ? make(search, reply, matrix, key) : 0;
}

/* Whether an analysis with any ordering has ended. */
static bool has_some(const struct fr_matrix_record *matrix, struct sparse_structure_key key)
{
    const struct fr_matrix_ordering *found;

    for (size_t i = 0; i < SPARSE_ORDERING_COUNT; i++) {
        key.ordering = sparse_orderings[i];
        found = fr_matrix_find_structure(matrix, &key);
        if (found && !is_pending(found))
            return true;
    }
    return false;
}

/* Looks for one structure, or, where the ordering is open, for those of the matrix's upload: who
 * does not wait chooses among the orderings that there are.  0, or the status of the reply. */
static int look(struct search *search, struct fr_reply *reply, const struct needed *needed,
                bool waits, struct fr_faults *faults)
{
    struct sparse_structure_key key = needed->key;
    struct fr_matrix_record matrix;
    size_t orderings;
    int status = 0;

    if (fr_store_matrix_get(search->rq->store, needed->matrix, search->rq->arena, &matrix) !=
        FR_STORE_OK)
        return 0; /* the model says that there is none */
    sparse_structure_key_complete(&key, matrix.supernode_max, matrix.supernode_relax);
    if (key.ordering[0])
        return look_for(search, reply, &matrix, &key, waits, faults);
    if (!waits && has_some(&matrix, key))
        return 0;
    orderings = waits ? matrix.ordering_count : 1;
    for (size_t i = 0; i < orderings && !status; i++) {
        key.ordering = matrix.ordering[i].ordering;
        status = look_for(search, reply, &matrix, &key, waits, faults);
    }
    return status;
}

static int look_at_all(struct search *search, struct fr_reply *reply, bool waits,
                       struct fr_faults *faults)
{
    int status = 0;

    search->pending[0] = '\0';
    for (size_t i = 0; i < search->count && !status; i++) {
        const struct fr_arena_mark mark = fr_arena_mark(search->rq->arena);

        status = look(search, reply, &search->needed[i], waits, faults);
        fr_arena_release(search->rq->arena, mark);
    }
    return status;
}

int fr_question_structures(struct fr_request *rq, struct fr_reply *reply,
                           const struct fr_question *question, struct fr_faults *faults)
{
    const bool waits = question->analyze == FR_ANALYZE_WAIT;
    struct fr_waiting waiting = { .rq = rq };
    struct search *search;
    uint64_t settled;
    int status;

    if (!question->structures || faults->count || (!waits && !question->axis_count))
        return 0;
    search = fr_arena_zeroed(rq->arena, 1, sizeof *search);
    if (!search) {
        fr_fault(faults, FR_NOMEM, "", "memory is short");
        return 0;
    }
    search->rq = rq;
    list(search, question, faults);
    do {
        settled = fr_analysis_settled(rq->server->analysis);
        status = faults->count ? 0 : look_at_all(search, reply, waits, faults);
        if (status || !search->pending[0])
            return status;
    } while (fr_waiting_goes_on(&waiting, settled));
    reply->retry_after_s = RETRY_S;
    return fr_matrix_answer(rq, reply, search->pending, 202, NULL);
}
