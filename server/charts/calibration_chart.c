/* GET /api/v1/calibrations/{id}/chart/{what}: a chart of the measured values of a calibration. */
#include "server/calibrations/catalogue.h"
#include "server/charts/chart.h"
#include "server/http/handlers.h"
#include "server/questions/ask.h"

#include <stdio.h>

/* A request and the calibrations that it draws. */
struct asked {
    const struct fr_chart *chart;
    const struct fr_param *params;
    struct fr_chart_options *options;
    struct fr_loaded *loaded, *other; /* shared references; other: of the option `with`, or NULL */
};

static int draw(struct fr_request *rq, struct fr_reply *reply, const struct asked *asked)
{
    struct fr_faults faults;
    struct fr_plot plot = fr_chart_begin(rq, &asked->options->look);
    const struct fr_chart_source source = { .cal = asked->loaded->cal,
                                            .other = asked->other ? asked->other->cal : NULL,
                                            .options = asked->options,
                                            .arena = rq->arena,
                                            .plot = &plot,
                                            .faults = &faults };
    char detail[120];
    bool is_drawn;

    faults.count = 0;
    is_drawn = asked->chart->draw.calibration(&source);
    snprintf(detail, sizeof detail, "The calibration has nothing to draw for `%s`.",
             asked->chart->name);
    return fr_chart_reply(rq, reply, &plot, is_drawn,
                          &(struct fr_chart_subject){ .kind = asked->chart->name }, &faults,
                          detail);
}

static int answer(struct fr_request *rq, struct fr_reply *reply, const struct asked *asked)
{
    const int status = fr_chart_find_drawn(rq, reply, asked->loaded->id, asked->chart->name,
                                           asked->params, asked->options);

    return status ? status : draw(rq, reply, asked);
}

/* The calibration that the option `with` names. */
static void find_other(struct fr_request *rq, struct asked *asked, struct fr_faults *faults)
{
    const char *id = asked->options->with.text;
    struct fr_faults unread;

    unread.count = 0;
    if (*id && fr_find_calibration(rq, NULL, id, &asked->other, &unread) != FR_OK)
        fr_fault(faults, FR_NOT_FOUND, "with", "'%.40s' is not a calibration; see /api/v1/machines",
                 id);
}

int fr_get_calibration_chart(struct fr_request *rq, struct fr_reply *reply)
{
    struct asked asked = { .chart = fr_chart_find(FR_OF_CALIBRATION, rq->segment[1]) };
    struct fr_faults faults, unread;
    int status;

    asked.options = fr_arena_zeroed(rq->arena, 1, sizeof *asked.options);
    if (!asked.options)
        return fr_reply_problem(reply, 503, "The server is out of memory.");
    asked.params = asked.chart ? asked.chart->params : fr_chart_look_params;
    faults.count = unread.count = 0;
    fr_options_read(rq, asked.params, asked.options, &faults);
    if (!asked.chart && !faults.count)
        return fr_reply_not_found(reply, "chart", rq->segment[1]);
    find_other(rq, &asked, &faults);
    if (faults.count)
        status = fr_reply_faults(reply, &faults);
    else if (fr_find_calibration(rq, NULL, rq->segment[0], &asked.loaded, &unread) != FR_OK)
        status = fr_reply_not_found(reply, "calibration", rq->segment[0]);
    else
        status = answer(rq, reply, &asked);
    fr_cached_drop(asked.loaded);
    fr_cached_drop(asked.other);
    return status;
}
