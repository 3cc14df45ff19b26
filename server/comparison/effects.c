/* Predicts the same questions with both calibrations of a comparison. */
#include "server/comparison/comparison.h"
#include "server/http/server.h"

#include "server/core/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Standard questions of typical sizes.  Those of a model are ordered by the number of nodes: if one
 * cannot be answered, the following larger ones are skipped. */
static const struct {
    const char *model, *name, *query;
} usual[] = {
    { "matmul", "matrix product on one process", "algorithm=cannon&variant=2d&n=2048&processes=1" },
    { "matmul", "Cannon on 16 processes", "algorithm=cannon&variant=2d&n=8192&processes=16" },
    { "matmul", "SUMMA on 64 processes", "algorithm=summa&variant=2d&n=16384&processes=64" },
    { "matmul", "Cannon on 1024 processes", "algorithm=cannon&variant=2d&n=65536&processes=1024" },
    { "trsm", "triangular solve on one process", "variant=2d&n=2048&processes=1" },
    { "trsm", "triangular solve on 64 processes", "variant=2d&n=16384&processes=64" },
    { "cholesky", "Cholesky on one process", "variant=2d&n=2048&processes=1" },
    { "cholesky", "Cholesky on 64 processes", "variant=2d&n=16384&processes=64" },
    { "trinv", "triangular inverse of order 1000", "n=1000&variant=1&block_size=96" },
    { "sylv", "Sylvester equation of order 1000", "m=1000&n=1000&variant=1&block_size=96" },
    { "calls", "one dgemm of order 256", "calls=dgemm NN 256 256 256" },
    { "cnc_matmul", "CnC matrix product on 16 processes",
      "algorithm=cannon&n=4000&block_size=200&processes=16" },
    { "pdgemm", "PDGEMM on 64 processes",
      "m=16384&n=16384&k=16384&block_size=64&process_rows=8&process_columns=8" },
    { "pdtrsm", "PDTRSM on 64 processes",
      "m=16384&n=16384&block_size=64&process_rows=8&process_columns=8" },
    { "pdpotrf", "PDPOTRF on 64 processes",
      "n=16384&block_size=64&process_rows=8&process_columns=8" },
    { "pdgetrf", "PDGETRF on 64 processes",
      "m=16384&n=16384&block_size=64&process_rows=8&process_columns=8" },
    { "pdgeqrf", "PDGEQRF on 64 processes",
      "m=16384&n=16384&block_size=64&process_rows=8&process_columns=8" },
    { "hpl", "HPL on 64 processes", "n=32768&block_size=192&process_rows=8&process_columns=8" },
    { "sparse_lu", "sparse LU on 4 processes", "process_rows=2&process_columns=2" },
    { "allreduce", "allreduce of 8 bytes on one node",
      "message_bytes=8&nodes=1&processes_per_node=2" },
    { "allreduce", "allreduce of 8 bytes on 16 nodes",
      "message_bytes=8&nodes=16&processes_per_node=8" },
    { "halo_exchange", "halo exchange on one node",
      "nodes=1&processes_per_node=2&local_grid=32x32x32" },
    { "halo_exchange", "halo exchange on 16 nodes",
      "nodes=16&processes_per_node=8&local_grid=32x32x32" },
    { "cg", "100 iterations of CG on one node",
      "nodes=1&processes_per_node=2&local_grid=32x32x32&iterations=100" },
    { "cg", "100 iterations of CG on 16 nodes",
      "nodes=16&processes_per_node=8&local_grid=32x32x32&iterations=100" },
    { "solve", "100 iterations of PCG on a grid of 64 cubed, on one node",
      "nodes=1&processes_per_node=2&global_grid=64x64x64&iterations=100" },
    { "solve", "100 iterations of PCG on a grid of 256 cubed, on 16 nodes",
      "nodes=16&processes_per_node=8&global_grid=256x256x256&iterations=100" },
};
enum { USUAL = sizeof usual / sizeof *usual };

/* The place and message of a fault. */
enum { WHY_BYTES = FR_WHERE_BYTES + FR_MESSAGE_BYTES + 2 };

struct asking {
    struct fr_request *rq;
    struct fr_loaded *const *loaded;
    struct fr_effects *out;
};

/* Returns the time with one calibration, or NaN with the first fault's message in `why`. */
static double predict(struct asking *asking, struct fr_effect *effect, enum fr_side side,
                      char why[WHY_BYTES])
{
    struct fr_arena *arena = asking->rq->arena;
    const struct fr_arena_mark mark = fr_arena_mark(arena);
    void *values = fr_arena_zeroed(arena, 1, effect->model->values_size);
    struct fr_prediction prediction;
    struct fr_spread spread;
    struct fr_faults faults;
    double time_s = NAN;

    faults.count = 0;
    if (!values) {
        fr_fault(&faults, FR_NOMEM, "", "memory for one request is used up; ask for less");
    } else {
        memcpy(values, effect->values, effect->model->values_size);
        if (fr_model_answer(effect->model, values, NULL, asking->loaded[side]->cal, arena,
                            &prediction, &spread, &faults) == FR_OK) {
            time_s = prediction.time_s;
            effect->is_extrapolated |= fr_prediction_is_extrapolated(&prediction);
            fr_metrics_predictions(&asking->rq->server->metrics, effect->model, 1);
        }
    }
    if (faults.count) {
        const struct fr_fault *fault = &faults.fault[0];
        /* Omits "calibration", which the text names in any case. */
        const bool is_named = *fault->where && strcmp(fault->where, "calibration");

        snprintf(why, WHY_BYTES, "%s%s%s", is_named ? fault->where : "", is_named ? ": " : "",
                 fault->message);
    }
    fr_arena_release(arena, mark);
    return time_s;
}

static const char *reason_of(struct asking *asking, const struct fr_effect *effect,
                             char (*why)[WHY_BYTES])
{
    const bool is_from_lacking = isnan(effect->time_s[FR_FROM]);
    const bool is_to_lacking = isnan(effect->time_s[FR_TO]);
    const enum fr_side side = is_from_lacking ? FR_FROM : FR_TO;
    char text[WHY_BYTES + 40];

    if (!is_from_lacking && !is_to_lacking)
        return NULL;
    if (is_from_lacking && is_to_lacking && strcmp(why[FR_FROM], why[FR_TO]) == 0)
        snprintf(text, sizeof text, "with both: %s", why[side]);
    else
        snprintf(text, sizeof text, "with %s: %s", asking->loaded[side]->id, why[side]);
    fr_utf8_sanitize(text); /* a fault may truncate the value it quotes */
    return fr_arena_text(asking->rq->arena, text, strlen(text));
}

static void add(struct asking *asking, struct fr_effect effect)
{
    char why[FR_SIDES][WHY_BYTES] = { "", "" };

    for (int side = 0; side < FR_SIDES; side++)
        effect.time_s[side] = predict(asking, &effect, (enum fr_side)side, why[side]);
    effect.reason = reason_of(asking, &effect, why);
    asking->out->row[asking->out->count++] = effect;
}

/* Reads a standard question. */
static void bind(struct fr_effect *effect, const char *query, void *values)
{
    struct fr_faults none;

    none.count = 0;
    while (*query) {
        const size_t length = strcspn(query, "&"), name_length = strcspn(query, "=");
        char name[64], value[128];
        const struct fr_param *param;

        snprintf(name, sizeof name, "%.*s", (int)name_length, query);
        snprintf(value, sizeof value, "%.*s", (int)(length - name_length - 1),
                 query + name_length + 1);
        param = fr_param_find(effect->model->params, name);
        if (param && fr_param_read(param, value, values, &none) == FR_OK)
            effect->given |= fr_param_bit(effect->model->params, param);
        query += length + (query[length] == '&');
    }
}

static int add_usual(struct asking *asking)
{
    const char *lacking = NULL;

    for (size_t i = 0; i < USUAL; i++) {
        struct fr_effect effect = { .name = usual[i].name, .model = fr_model_find(usual[i].model) };
        void *values;

        if (!effect.model || (lacking && strcmp(lacking, usual[i].model) == 0))
            continue;
        values = fr_arena_zeroed(asking->rq->arena, 1, effect.model->values_size);
        if (!values)
            return FR_NOMEM;
        fr_params_clear(effect.model->params, values);
        bind(&effect, usual[i].query, values);
        effect.values = values;
        add(asking, effect);
        if (asking->out->row[asking->out->count - 1].reason)
            lacking = usual[i].model;
    }
    return FR_OK;
}

/* Returns a name such as `asked: n=4096, processes=64`, from the lists of the request. */
static const char *asked_name(struct asking *asking, const struct fr_question *asked,
                              const void *values)
{
    char text[200] = "asked";
    size_t used = strlen(text);

    for (size_t i = 0; i < asked->axis_count && used < sizeof text; i++) {
        char value[80];

        fr_param_print(asked->axis[i].param, values, value, sizeof value);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %s=%s", i ? "," : ":",
                                 asked->axis[i].param->name, value);
    }
    return fr_arena_text(asking->rq->arena, text, strlen(text));
}

static int add_asked(struct asking *asking, const struct fr_question *asked, size_t points)
{
    for (size_t i = 0; i < points; i++) {
        void *values = fr_arena_zeroed(asking->rq->arena, 1, asked->model->values_size);

        if (!values)
            return FR_NOMEM;
        memcpy(values, asked->values, asked->model->values_size);
        fr_axes_point(asked->axis, asked->axis_count, i, values);
        add(asking, (struct fr_effect){ .name = asked_name(asking, asked, values),
                                        .model = asked->model,
                                        .values = values,
                                        .given = asked->given,
                                        .is_asked = true });
    }
    return FR_OK;
}

int fr_effects_predict(struct fr_request *rq, struct fr_loaded *const loaded[FR_SIDES],
                       const struct fr_question *asked, struct fr_effects *out,
                       struct fr_faults *faults)
{
    struct fr_effects effects = { .count = 0 };
    struct asking asking = { rq, loaded, &effects };
    size_t points = 0;

    if (asked->model && fr_axes_count(asked->axis, asked->axis_count, 1, &points, faults) != FR_OK)
        return FR_TOO_MANY_POINTS;
    if (points > FR_MOST_EFFECTS)
        return fr_fault(faults, FR_TOO_MANY_POINTS, asked->axis[0].param->name,
                        "the lists make %zu questions; at most %d", points, FR_MOST_EFFECTS);
    effects.row = fr_arena_zeroed(rq->arena, points + USUAL, sizeof *effects.row);
    if (!effects.row || add_asked(&asking, asked, points) != FR_OK || add_usual(&asking) != FR_OK)
        return fr_fault(faults, FR_NOMEM, "", "memory for one request is used up; ask for less");
    *out = effects;
    return FR_OK;
}
