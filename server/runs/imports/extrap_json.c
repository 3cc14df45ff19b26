/* Extra-P's JSON formats: the newer one,
 *
 *     {"parameters": ["n", "processes"],
 *      "measurements": {"main": {"time": [{"point": [1024, 4], "values": [3.5, 3.4]}]}}}
 *
 * and the older one, whose measurements refer to lists by the ids of their items.
 */
#include "server/runs/imports/extrap.h"

#include "server/json/decode.h"

#include <string.h>

/* The parser tells no lines: they are those of a member's name, which each measurement has once. */
struct places {
    const char *at, *end;
};

static void next_place(struct extrap *reading, struct places *places, const char *quoted)
{
    const size_t length = strlen(quoted);

    while (places->at < places->end) {
        const char *found = memmem(places->at, (size_t)(places->end - places->at), quoted, length);
        const char *next = found ? found + length : places->end;

        for (; places->at < next; places->at++)
            reading->filter->line += *places->at == '\n';
        while (next < places->end && strchr(" \t\r\n", *next))
            next++;
        if (found && next < places->end && *next == ':')
            return;
    }
}

static struct fr_json_leaf leaf_of(const char *name, const json_t *value)
{
    return (struct fr_json_leaf){ .member = name,
                                  .is_number = fr_json_kind(value) == FR_JSON_NUMBER,
                                  .number = fr_json_get_number(value),
                                  .text = fr_json_get_text(value) };
}

static void take_name(const char *name, char out[FR_IMPORT_TEXT_BYTES])
{
    fr_slice_print((struct fr_slice){ name, strlen(name) }, out, FR_IMPORT_TEXT_BYTES);
}

static void take_parameter(struct extrap *reading, const json_t *name, const json_t *value)
{
    const struct fr_json_leaf leaf = leaf_of(fr_json_get_text(name), value);

    if (!reading->is_wrong)
        extrap_parameter(reading, &leaf);
}

static void take_value(struct extrap *reading, const json_t *value)
{
    const struct fr_json_leaf leaf = leaf_of(NULL, value);

    if (!reading->is_wrong)
        extrap_value(reading, &leaf);
}

/* ---- the newer format ---- */

static void take_measurement(struct extrap *reading, const json_t *names, const json_t *measurement)
{
    const json_t *point = fr_json_member(measurement, "point");
    const json_t *values = fr_json_member(measurement, "values");

    extrap_begin(reading);
    if (fr_json_count(point) != fr_json_count(names))
        extrap_wrong(reading, FR_RELATION, "the point has %zu coordinates for %zu parameters",
                     fr_json_count(point), fr_json_count(names));
    for (size_t i = 0; i < fr_json_count(point); i++)
        take_parameter(reading, fr_json_item(names, i), fr_json_item(point, i));
    for (size_t i = 0; i < fr_json_count(values); i++)
        take_value(reading, fr_json_item(values, i));
    extrap_end(reading, reading->filter->line);
}

static void read_callpath(struct extrap *reading, const json_t *names, json_t *metrics,
                          struct places *places)
{
    const char *metric;
    json_t *list, *measurement;
    size_t i;

    FR_JSON_EACH_MEMBER(metrics, metric, list)
    {
        take_name(metric, reading->metric);
        FR_JSON_EACH_ITEM(list, i, measurement)
        {
            next_place(reading, places, "\"point\"");
            take_measurement(reading, names, measurement);
            if (reading->filter->is_full)
                return;
        }
    }
}

static void read_newer(struct extrap *reading, const json_t *root, struct places places)
{
    const json_t *names = fr_json_member(root, "parameters");
    const char *callpath;
    json_t *metrics;

    FR_JSON_EACH_MEMBER(fr_json_member(root, "measurements"), callpath, metrics)
    {
        take_name(callpath, reading->callpath);
        read_callpath(reading, names, metrics, &places);
    }
}

/* ---- the older format ---- */

enum { MOST_SEARCHED = 1000 }; /* items of a list that is not in the order of its ids, 1, 2, ... */

/* The item of a list that the id, a member of an object, names; NULL with a fault. */
static const json_t *find(struct extrap *reading, const json_t *root, const char *list,
                          const json_t *object, const char *member)
{
    const double id = fr_json_get_number(fr_json_member(object, member));
    const json_t *items = fr_json_member(root, list);
    const size_t count = fr_json_count(items);
    const json_t *item =
        id >= 1 && id <= (double)count ? fr_json_item(items, (size_t)id - 1) : NULL;

    for (size_t i = 0; fr_json_get_number(fr_json_member(item, "id")) != id; i++) {
        if (i == count || i == MOST_SEARCHED) {
            extrap_wrong(reading, FR_NOT_FOUND, "%s %g: %s have no such id%s", member, id, list,
                         i < count ? " among the first 1000" : "");
            return NULL;
        }
        item = fr_json_item(items, i);
    }
    return item;
}

static void find_name(struct extrap *reading, const json_t *root, const char *list,
                      const json_t *measurement, const char *member, char out[FR_IMPORT_TEXT_BYTES])
{
    const json_t *item = find(reading, root, list, measurement, member);
    const char *name = fr_json_get_text(fr_json_member(item, "name"));

    take_name(name ? name : "", out);
}

static void take_older(struct extrap *reading, const json_t *root, const json_t *measurement)
{
    const json_t *point, *pairs, *pair;
    size_t i;

    extrap_begin(reading);
    find_name(reading, root, "callpaths", measurement, "callpath_id", reading->callpath);
    find_name(reading, root, "metrics", measurement, "metric_id", reading->metric);
    point = find(reading, root, "coordinates", measurement, "coordinate_id");
    pairs = fr_json_member(point, "parameter_value_pairs");
    FR_JSON_EACH_ITEM(pairs, i, pair)
    take_parameter(reading,
                   fr_json_member(find(reading, root, "parameters", pair, "parameter_id"), "name"),
                   fr_json_member(pair, "parameter_value"));
    take_value(reading, fr_json_member(measurement, "value"));
    extrap_end(reading, reading->filter->line);
}

static void read_older(struct extrap *reading, const json_t *root, struct places places)
{
    const json_t *measurements = fr_json_member(root, "measurements"), *measurement;
    size_t i;

    FR_JSON_EACH_ITEM(measurements, i, measurement)
    {
        next_place(reading, &places, "\"value\"");
        take_older(reading, root, measurement);
        if (reading->filter->is_full)
            return;
    }
}

bool extrap_read_json(struct extrap *reading, struct fr_slice text, struct fr_slice line)
{
    struct fr_filter *filter = reading->filter;
    const struct places places = { text.at, text.at + text.length };
    struct fr_faults faults = { 0 };
    json_t *root = fr_json_parse_line(text.at, text.length, filter->line, "", &faults);
    const bool is_document =
        root ? fr_json_member(root, "measurements") != NULL : line.at[line.length - 1] != '}';

    if (!is_document) {
        fr_json_free(root);
        return false;
    }
    filter->rest.length = 0;
    if (!root)
        fr_fault(filter->faults, faults.fault[0].code, "", "%s", faults.fault[0].message);
    else if (fr_json_member(root, "Extra-P"))
        extrap_wrong(reading, FR_SYNTAX,
                     "the experiment of a file .extra-p, which has statistics in place of the "
                     "measured values; send the measurements that it was made of");
    else if (fr_json_member(root, "callpaths"))
        read_older(reading, root, places);
    else
        read_newer(reading, root, places);
    fr_json_free(root);
    return true;
}
