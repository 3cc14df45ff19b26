/* GET /api/v1/calibrations/{id}/chart/{what}: what was measured, drawn. */
#include "api/api.h"
#include "api/options.h"
#include "api/picture.h"

#include <stdio.h>
#include <string.h>

static const struct fr_calibration_chart *find_chart(const char *name)
{
    for (const struct fr_calibration_chart *const *chart = fr_calibration_charts; *chart; chart++)
        if (strcmp((*chart)->name, name) == 0)
            return *chart;
    return NULL;
}

static int draw(struct fr_request *rq, struct fr_reply *reply,
                const struct fr_calibration_chart *chart, const struct fr_loaded *loaded,
                int64_t width, int64_t height)
{
    struct fr_plot plot = { .format = rq->format, .width = (int)width, .height = (int)height };
    char detail[120];

    fr_writer_init(&plot.script);
    if (chart->draw(loaded->cal, rq->arena, &plot))
        return fr_picture_reply(rq, reply, &plot);
    fr_writer_free(&plot.script);
    snprintf(detail, sizeof detail, "The calibration has nothing to draw for `%s`.", chart->name);
    return fr_reply_problem(reply, 404, detail);
}

int fr_get_calibration_chart(struct fr_request *rq, struct fr_reply *reply)
{
    struct options {
        int64_t width, height;
    } options;
    static const struct fr_param params[] = {
        FR_INT(struct options, width, .unit = "pixels", .min = 160, .max = 4000, .fallback = 900,
               .flags = FR_DEFAULT, .doc = "Width of the picture."),
        FR_INT(struct options, height, .unit = "pixels", .min = 160, .max = 4000, .fallback = 540,
               .flags = FR_DEFAULT, .doc = "Height of the picture."),
        FR_PARAMS_END,
    };
    const struct fr_calibration_chart *chart = find_chart(rq->segment[1]);
    struct fr_loaded *loaded = NULL;
    struct fr_faults faults;
    char key[300];
    int status;

    faults.count = 0;
    fr_options_read(rq, params, &options, NULL, &faults);
    if (faults.count)
        return fr_reply_faults(reply, &faults);
    if (!chart)
        return fr_reply_not_found(reply, "chart", rq->segment[1]);
    if (fr_find_calibration(rq, NULL, rq->segment[0], &loaded, &faults) != FR_OK)
        return fr_reply_not_found(reply, "calibration", rq->segment[0]);
    snprintf(key, sizeof key, "%s chart %s %s %d %lld %lld", FR_ENGINE, loaded->id, chart->name,
             (int)rq->format, (long long)options.width, (long long)options.height);
    if (fr_reply_is_known(rq, reply, key, strlen(key)))
        status = 304;
    else if (fr_picture_is_cached(rq, reply))
        status = 200;
    else
        status = draw(rq, reply, chart, loaded, options.width, options.height);
    fr_loaded_drop(loaded);
    return status;
}
