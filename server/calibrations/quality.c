/* GET /api/v1/calibrations/{id}/quality: how sure each part of a calibration is, what it lacks for
 * which model, and what to run. */
#include "server/calibrations/catalogue.h"
#include "server/http/handlers.h"
#include "server/http/server.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void row_models(struct fr_rows *rows, const char *name, uint64_t models)
{
    const char *names[64];
    size_t count = 0;

    for (size_t i = 0; i < 64 && fr_models[i]; i++)
        if (models & UINT64_C(1) << i)
            names[count++] = fr_models[i]->name;
    fr_row_texts(rows, name, names, count);
}

static void write_part(struct fr_rows *rows, const struct fr_calibration *cal,
                       const struct fr_quality *quality, const struct fr_part *part)
{
    char command[FR_QUALITY_COMMAND_BYTES], group[32];

    snprintf(group, sizeof group, "%.*s", (int)strcspn(part->pointer + 1, "/"), part->pointer + 1);
    fr_quality_command(cal, quality, part, false, command);
    fr_row_begin(rows);
    fr_row_text(rows, "pointer", part->pointer);
    fr_row_text(rows, "group", group);
    fr_row_bool(rows, "is_present", part->is_present);
    fr_row_bool(rows, "is_doubtful", fr_part_is_doubtful(part));
    fr_row_text(rows, "provenance", part->is_present ? fr_provenances[part->provenance] : NULL);
    fr_row_number(rows, "samples", part->samples);
    fr_row_number(rows, "spread_fraction", part->spread_fraction);
    fr_row_number(rows, "error_fraction", part->error_fraction);
    fr_row_number(rows, "age_days", part->age_days);
    fr_row_text(rows, "load", part->load);
    fr_row_text(rows, "kernels", part->kernels);
    row_models(rows, "refused_models", part->refused);
    row_models(rows, "helped_models", part->helped);
    fr_row_text(rows, "command", *command ? command : NULL);
    fr_row_end(rows);
}

static void write_source(struct fr_rows *rows, const struct fr_source *source)
{
    fr_row_begin(rows);
    fr_row_text(rows, "pointer", source->pointer);
    fr_row_text(rows, "kind", fr_provenances[source->kind]);
    fr_row_text(rows, "text", source->text);
    fr_row_number(rows, "samples", source->samples ? (double)source->samples : NAN);
    fr_row_number(rows, "spread_fraction", source->spread_fraction);
    fr_row_text(rows, "statistic", source->statistic);
    fr_row_text(rows, "measured_on", source->measured_on);
    fr_row_text(rows, "load", source->load);
    fr_row_end(rows);
}

static void write_command(struct fr_writer *w, const char *key, const struct fr_calibration *cal,
                          const struct fr_quality *quality, bool is_of_job)
{
    char command[FR_QUALITY_COMMAND_BYTES];

    fr_quality_command(cal, quality, NULL, is_of_job, command);
    fr_json_pair(w, key, *command ? command : NULL);
}

static void write_quality(struct fr_request *rq, struct fr_reply *reply,
                          const struct fr_loaded *loaded)
{
    const struct fr_calibration *cal = loaded->cal;
    const time_t now = time(NULL);
    const bool is_json = rq->format == FR_JSON;
    struct fr_writer *w = &reply->body;
    struct fr_quality quality;
    struct fr_rows rows;
    struct tm utc;
    char day[16];

    strftime(day, sizeof day, "%Y-%m-%d", gmtime_r(&now, &utc));
    fr_quality_find(cal, day, &quality);
    if (is_json) {
        fr_json_object(w);
        fr_json_pair(w, "calibration", loaded->id);
        fr_json_pair(w, "machine", cal->machine);
        fr_json_pair(w, "created_at", cal->created_at);
        write_command(w, "node_command", cal, &quality, false);
        write_command(w, "network_command", cal, &quality, true);
        fr_json_pair_array(w, "parts");
    }
    fr_rows_begin(&rows, w, rq->format);
    for (size_t i = 0; i < quality.parts; i++)
        write_part(&rows, cal, &quality, &quality.part[i]);
    if (is_json) {
        fr_json_array_end(w);
        fr_json_pair_array(w, "sources");
        for (size_t i = 0; i < cal->sources.count; i++)
            write_source(&rows, &cal->sources.row[i]);
        fr_json_array_end(w);
        fr_json_object_end(w);
    }
    fr_rows_end(&rows);
}

int fr_get_quality(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_loaded *loaded =
        fr_catalog_get(rq->server->catalog, rq->store, rq->segment[0], rq->arena);

    if (!loaded)
        return fr_reply_not_found(reply, "calibration", rq->segment[0]);
    write_quality(rq, reply, loaded);
    fr_cached_drop(loaded);
    return 200;
}
