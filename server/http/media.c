/* Media types and the negotiation of RFC 9110, section 12, for a table of media types. */
#include "server/http/call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct media {
    enum fr_format format;
    const char *suffix, *type, *header;
} medias[] = {
    { FR_JSON, "json", "application/json", "application/json" },
    { FR_CSV, "csv", "text/csv", "text/csv; charset=utf-8" },
    { FR_TXT, "txt", "text/plain", "text/plain; charset=utf-8" },
    { FR_SVG, "svg", "image/svg+xml", "image/svg+xml" },
    { FR_PNG, "png", "image/png", "image/png" },
    { FR_PDF, "pdf", "application/pdf", "application/pdf" },
    { FR_GP, "gp", "text/x-gnuplot", "text/plain; charset=utf-8" },
    { FR_TEX, "tex", "application/x-tex", "application/x-tex" },
    { FR_NDJSON, "ndjson", "application/x-ndjson", "application/x-ndjson" },
    { FR_DAT, "dat", "text/x-hpl-dat", "text/x-hpl-dat; charset=utf-8" },
    { FR_SLURM, "slurm", "text/plain", "text/plain; charset=utf-8" },
    { FR_PBS, "pbs", "text/plain", "text/plain; charset=utf-8" },
    { FR_LSF, "lsf", "text/plain", "text/plain; charset=utf-8" },
    { FR_REFRAME, "reframe", "text/plain", "text/plain; charset=utf-8" },
};
enum { MEDIAS = sizeof medias / sizeof medias[0] };

static const struct media *media_of(enum fr_format format)
{
    for (size_t i = 0; i < MEDIAS; i++)
        if (medias[i].format == format)
            return &medias[i];
    return &medias[0];
}

const char *fr_format_type(enum fr_format format)
{
    return media_of(format)->header;
}

unsigned fr_media_of_suffix(const char *suffix)
{
    for (size_t i = 0; i < MEDIAS; i++)
        if (strcmp(medias[i].suffix, suffix) == 0)
            return medias[i].format;
    return 0;
}

void fr_media_list(unsigned formats, char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < MEDIAS && used < size; i++)
        if (formats & medias[i].format)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "",
                                     medias[i].suffix);
}

/* One element of a comma-separated header: its text without parameters, its q. */
struct element {
    const char *text;
    size_t length;
    double q;
};

static double quality(const char *parameters, size_t length)
{
    for (size_t i = 0; i + 2 < length; i++)
        if (parameters[i] == ';') {
            const char *p = parameters + i + 1;

            p += strspn(p, " \t");
            if ((p[0] == 'q' || p[0] == 'Q') && p[1] == '=') {
                double q = 0, place = 0.1;

                if (p[2] != '0')
                    return 1;
                for (p += p[3] == '.' ? 4 : 3; *p >= '0' && *p <= '9'; p++, place /= 10)
                    q += place * (*p - '0');
                return q;
            }
        }
    return 1;
}

/* Reads the element at `list`; returns what follows it, NULL at the end. */
static const char *next_element(const char *list, struct element *out)
{
    size_t length;

    list += strspn(list, " \t,");
    if (!*list)
        return NULL;
    length = strcspn(list, ",");
    out->text = list;
    out->length = strcspn(list, ",; \t");
    out->q = quality(list, length);
    return list + length;
}

static bool equals(const struct element *e, const char *text)
{
    return e->length == strlen(text) && strncasecmp(e->text, text, e->length) == 0;
}

/* How closely a range of Accept matches a type: 3 exactly, 2 `text/` + `*`, 1 all, 0 not. */
static int closeness(const struct element *range, const char *type)
{
    const size_t major = strcspn(type, "/") + 1;

    if (equals(range, type))
        return 3;
    if (equals(range, "*/*"))
        return 1;
    return range->length == major + 1 && range->text[major] == '*' &&
                   strncasecmp(range->text, type, major) == 0
               ? 2
               : 0;
}

/* The q that an Accept header gives to a type: that of the range that fits it closest. */
static double quality_of(const char *accept, const char *type)
{
    struct element range;
    int closest = 0;
    double q = 0;

    for (const char *p = accept; (p = next_element(p, &range));) {
        const int fits = closeness(&range, type);

        if (fits > closest) {
            closest = fits;
            q = range.q;
        }
    }
    return q;
}

unsigned fr_media_choose(unsigned offered, const char *accept)
{
    const unsigned usual = offered & FR_SVG ? FR_SVG : offered & (0u - offered);
    unsigned best = usual;
    double best_q;

    if (!accept || !*accept || strcmp(accept, "*/*") == 0)
        return usual;
    best_q = quality_of(accept, media_of((enum fr_format)usual)->type);
    for (size_t i = 0; i < MEDIAS; i++)
        if (offered & medias[i].format) {
            const double q = quality_of(accept, medias[i].type);

            if (q > best_q) {
                best_q = q;
                best = medias[i].format;
            }
        }
    return best_q > 0 ? best : 0;
}

bool fr_media_takes_gzip(const char *accept_encoding)
{
    struct element coding;
    bool takes_any = false;

    if (!accept_encoding)
        return false;
    for (const char *p = accept_encoding; (p = next_element(p, &coding));) {
        if (equals(&coding, "gzip") || equals(&coding, "x-gzip"))
            return coding.q > 0;
        if (equals(&coding, "*"))
            takes_any = coding.q > 0;
    }
    return takes_any;
}

bool fr_media_fits_body(enum fr_body body, const char *content_type, enum fr_body *sent)
{
    static const struct {
        enum fr_body body;
        const char *type;
    } types[] = {
        { FR_BODY_JSON, "application/json" },
        { FR_BODY_JSON_LINES, "application/x-ndjson" },
        { FR_BODY_JSON_LINES, "application/ndjson" },
        { FR_BODY_JSON_LINES, "application/jsonl" },
        { FR_BODY_TEXT, "text/plain" },
        { FR_BODY_TEXT, "text/csv" },
    };
    struct element type;

    *sent = body == FR_BODY_FILE ? FR_BODY_FILE : FR_BODY_JSON;
    if (body == FR_BODY_FILE || !content_type || !next_element(content_type, &type))
        return true;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (types[i].body <= body && equals(&type, types[i].type)) {
            *sent = types[i].body;
            return true;
        }
    }
    return false;
}
