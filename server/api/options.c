#include "api/options.h"

#include <inttypes.h>
#include <string.h>

bool fr_option_is_repeated(const struct fr_request *rq, size_t place, struct fr_faults *faults)
{
    for (size_t i = 0; i < place; i++) {
        if (strcmp(rq->query[i].name, rq->query[place].name) == 0) {
            fr_fault(faults, FR_REPEATED, rq->query[place].name, "given twice; give it once");
            return true;
        }
    }
    return false;
}

static bool read_text(const struct fr_text_option *texts, const struct fr_pair *pair)
{
    for (; texts && texts->name; texts++) {
        if (strcmp(texts->name, pair->name) == 0) {
            *texts->value = pair->value;
            return true;
        }
    }
    return false;
}

void fr_options_read(const struct fr_request *rq, const struct fr_param *options, void *values,
                     const struct fr_text_option *texts, struct fr_faults *faults)
{
    fr_params_clear(options, values);
    for (size_t i = 0; i < rq->query_count; i++) {
        const struct fr_pair *pair = &rq->query[i];
        const struct fr_param *option = fr_param_find(options, pair->name);
        double value;

        if (fr_option_is_repeated(rq, i, faults) || read_text(texts, pair))
            continue;
        if (!option)
            fr_fault(faults, FR_UNKNOWN_PARAMETER, pair->name, "not a parameter here%s%s",
                     fr_param_near(options, pair->name) ? "; did you mean " : "",
                     fr_param_near(options, pair->name) ? fr_param_near(options, pair->name) : "");
        else if (fr_param_parse(option, pair->value, &value, faults) == FR_OK)
            fr_param_set(option, values, value);
    }
}

int fr_page_read(const struct fr_request *rq, struct fr_page *page, struct fr_faults *faults)
{
    static const struct fr_param options[] = {
        FR_INT(struct fr_page, limit, .unit = "1", .min = 1, .max = 1000, .fallback = 100,
               .flags = FR_DEFAULT, .doc = "Items of a page."),
        FR_PARAMS_END,
    };
    const struct fr_text_option texts[] = { { "cursor", &page->cursor }, { NULL, NULL } };

    page->cursor = NULL;
    fr_options_read(rq, options, page, texts, faults);
    return faults->count ? FR_RANGE : FR_OK;
}

void fr_page_write_next(struct fr_writer *w, const char *path, const struct fr_page *page,
                        const char *cursor)
{
    struct fr_writer url;

    fr_json_key(w, "next");
    if (!cursor) {
        fr_json_null(w);
        return;
    }
    fr_writer_init(&url);
    fr_writer_printf(&url, "%s?limit=%" PRId64 "&cursor=%s", path, page->limit, cursor);
    fr_writer_append(&url, "", 1);
    fr_json_text(w, url.failed ? NULL : url.text);
    fr_writer_free(&url);
}
