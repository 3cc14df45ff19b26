/* Completes rows with the interval and the quantile of the measured time. */
#include "server/questions/documents.h"

#include <math.h>

const struct fr_errors *fr_errors_of(const struct fr_matching_runs *matching, bool is_changed)
{
    return matching->residuals && !is_changed ? &matching->residuals->errors : NULL;
}

struct fr_outlook fr_row_foresee(const struct fr_question *question, const struct fr_target *target,
                                 const void *values, struct fr_prediction *prediction,
                                 const struct fr_spread *spread)
{
    struct fr_outlook outlook;

    fr_outlook_foresee(&question->outlook,
                       fr_errors_of(&target->matching, question->change_count > 0), question->model,
                       values, target->cal, question->arena, prediction, spread, &outlook);
    fr_outlook_warn(&outlook, prediction);
    return outlook;
}

static void write_interval(struct fr_rows *rows, const struct fr_interval *interval)
{
    if (!interval) {
        fr_row_text(rows, "interval", NULL);
        return;
    }
    fr_row_object(rows, "interval");
    fr_row_number(rows, "low_s", interval->low_s);
    fr_row_number(rows, "high_s", interval->high_s);
    fr_row_number(rows, "coverage_fraction", interval->coverage_fraction);
    fr_row_integer(rows, "runs", (int64_t)interval->runs);
    fr_row_text(rows, "basis", fr_interval_basis_name(interval->basis));
    fr_row_object_end(rows);
}

void fr_row_outlook(struct fr_rows *rows, const struct fr_outlook_asked *asked,
                    const struct fr_outlook *outlook)
{
    const struct fr_interval *interval =
        outlook && outlook->has_interval ? &outlook->interval : NULL;
    char wall_time[FR_WALL_TIME_BYTES];

    if (rows->format == FR_JSON) {
        write_interval(rows, interval);
    } else {
        fr_row_number(rows, "time_low_s", interval ? interval->low_s : NAN);
        fr_row_number(rows, "time_high_s", interval ? interval->high_s : NAN);
    }
    if (isnan(asked->quantile))
        return;
    if (outlook)
        fr_wall_time_print(outlook->quantile_s, wall_time);
    fr_row_number(rows, "time_quantile_s", outlook ? outlook->quantile_s : NAN);
    fr_row_text(rows, "wall_time", outlook ? wall_time : NULL);
    fr_row_text(rows, "time_quantile_basis",
                outlook ? fr_quantile_basis_name(outlook->basis) : NULL);
}
