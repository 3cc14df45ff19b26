/* Merging of environments: each different one is kept. */
#include "calibrations/calibrate/core/merge_environments.h"

#include <stdbool.h>
#include <string.h>

#include "calibrations/calibrate/core/json_scan.h"
#include "server/json/writer.h"

enum { ENVIRONMENTS_MAX = 64 };

/* Indented alike, so that equal ones are equal texts. */
struct environments {
    struct fr_writer text[ENVIRONMENTS_MAX];
    int count;
    bool failed;
};

static void add_environment(struct environments *e, const struct fr_member *object)
{
    struct fr_writer *text = &e->text[e->count];

    if (e->count == ENVIRONMENTS_MAX) {
        e->failed = true;
        return;
    }
    fr_writer_init(text);
    e->failed = fr_json_scan_layout(object->value, object->value_length, text) || e->failed;
    for (int i = 0; i < e->count; i++)
        if (e->text[i].length == text->length &&
            memcmp(e->text[i].text, text->text, text->length) == 0) {
            fr_writer_free(text);
            return;
        }
    e->count++;
}

static void find_environments(const struct fr_sources *whole, struct environments *e)
{
    const struct fr_member *all = fr_json_scan_find(whole->member, whole->members, "environments");
    const struct fr_member *own = fr_json_scan_find(whole->member, whole->members, "environment");
    struct fr_member row[ENVIRONMENTS_MAX];
    const int rows =
        all ? fr_json_scan_rows(all->value, all->value_length, row, ENVIRONMENTS_MAX) : 0;

    e->failed = rows < 0 || e->failed;
    for (int i = 0; i < rows; i++)
        add_environment(e, &row[i]);
    if (own && !rows)
        add_environment(e, own);
}

int fr_merge_environments(const struct fr_sources *whole, int count, struct fr_writer *out)
{
    struct environments e = { .count = 0 };

    for (int d = 0; d < count; d++)
        find_environments(&whole[d], &e);
    if (e.count > 1)
        fr_writer_text(out, ",\"environments\":");
    for (int i = 0; i < e.count; i++) {
        if (e.count > 1) {
            fr_writer_text(out, i ? "," : "[");
            fr_writer_append(out, e.text[i].text, e.text[i].length);
        }
        fr_writer_free(&e.text[i]);
    }
    if (e.count > 1)
        fr_writer_text(out, "]");
    return e.failed ? -1 : 0;
}
