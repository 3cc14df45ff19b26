/* Fuzzes calibration documents: decoding and checks. A valid document must allow predictions and
 * what-ifs, and must give no negative time. */
#include "tests/fuzz/setting.h"

#include "server/calibrations/document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct fr_change changes[] = {
    { "network.bandwidth", "*2" },
    { "network.latency", "*0.5" },
    { "kernels.dgemm.rate", "*4" },
};
static const struct {
    int64_t n, processes;
} problems[] = {
    { 1024, 1 },
    { 4096, 64 },
    { 100000, 4096 },
};

/* Of models that have this parameter. */
static void set(const struct fr_model *model, const char *name, void *values, int64_t value)
{
    const struct fr_param *param = fr_param_find(model->params, name);

    if (param)
        fr_param_set(param, values, (double)value);
}

static void predict(const struct fr_model *model, const struct fr_calibration *cal, int64_t n,
                    int64_t processes, struct fr_arena *arena)
{
    void *values = fr_arena_zeroed(arena, 1, model->values_size);
    struct fr_prediction out;
    struct fr_faults faults;

    if (!values)
        return;
    faults.count = 0;
    fr_params_clear(model->params, values);
    for (const struct fr_param *param = model->params; param->name; param++)
        if (param->kind == FR_KIND_CHOICE)
            fr_param_set(param, values, 0);
    set(model, "n", values, n);
    set(model, "processes", values, processes);
    if (fr_model_resolve(model, values, cal, &faults) != FR_OK)
        return;
    if (fr_model_predict(model, values, cal, arena, &out, &faults) == FR_OK &&
        (!isfinite(out.time_s) || out.time_s < 0 || out.hidden_s < 0))
        abort();
}

static void predict_all(const struct fr_calibration *cal, struct fr_arena *arena)
{
    for (const struct fr_model *const *model = fr_models; *model; model++) {
        for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
            const struct fr_arena_mark mark = fr_arena_mark(arena);

            predict(*model, cal, problems[i].n, problems[i].processes, arena);
            fr_arena_release(arena, mark);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fr_calibration *cal;
    struct fr_faults faults;
    struct fr_request rq;
    struct fr_reply reply;
    char id[17];

    fuzz_begin(&rq, &reply);
    faults.count = 0;
    cal = fr_arena_zeroed(rq.arena, 1, sizeof *cal);
    if (fr_calibration_read((const char *)data, size, rq.arena, cal, id, &faults) == FR_OK) {
        if (faults.count || strlen(id) != 16)
            abort();
        predict_all(cal, rq.arena);
        for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
            const struct fr_calibration *changed;

            faults.count = 0;
            changed = fr_what_if(cal, &changes[i], 1, rq.arena, &faults);
            if (changed)
                predict_all(changed, rq.arena);
        }
    } else if (!faults.count) {
        abort(); /* a refusal must state a reason */
    }
    fuzz_end(&rq, &reply);
    return 0;
}
