/* Writes records to the original standard output. */
#include "server/analyze/analyze.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int out = -1; /* the original standard output */

bool fr_records_begin(void)
{
    out = dup(STDOUT_FILENO);
    return out >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
}

void fr_records_write(const char *text, size_t length)
{
    while (length > 0) {
        const ssize_t sent = write(out, text, length);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            _exit(EXIT_FAILURE);
        text += sent;
        length -= (size_t)sent;
    }
}

void fr_record(struct fr_writer *w, const char *kind)
{
    fr_writer_init(w);
    fr_json_object(w);
    fr_json_pair(w, "record", kind);
}

void fr_record_end(struct fr_writer *w, const unsigned char *bytes, size_t length)
{
    if (bytes)
        fr_json_pair_integer(w, "bytes", (int64_t)length);
    fr_json_object_end(w);
    fr_writer_text(w, "\n");
    if (w->failed) {
        fputs("forerun-analyze: no memory for a record\n", stderr);
        _exit(EXIT_FAILURE);
    }
    fr_records_write(w->text, w->length);
    if (bytes)
        fr_records_write((const char *)bytes, length);
    fr_writer_free(w);
}

void fr_stage(const char *stage, const char *ordering, double fraction)
{
    struct fr_writer w;

    fr_limits_stage(out, stage, ordering);
    fr_record(&w, "progress");
    fr_json_pair_number(&w, "fraction", fraction);
    fr_json_pair(&w, "stage", stage);
    fr_record_end(&w, NULL, 0);
}

/* "/line/17" becomes "line 17: ". */
static void tell(struct fr_writer *w, const struct fr_fault *fault)
{
    char reason[FR_WHERE_BYTES + FR_MESSAGE_BYTES + 8];

    if (strncmp(fault->where, "/line/", 6) == 0)
        snprintf(reason, sizeof reason, "line %s: %s", fault->where + 6, fault->message);
    else
        snprintf(reason, sizeof reason, "%s", fault->message);
    fr_json_pair(w, "reason", reason);
}

void fr_record_failed(const char *ordering, const struct fr_faults *faults)
{
    struct fr_writer w;

    fr_record(&w, ordering ? "ordering" : "failed");
    if (ordering) {
        fr_json_pair(&w, "ordering", ordering);
        fr_json_pair(&w, "status", "failed");
    }
    tell(&w, &faults->fault[0]);
    fr_record_end(&w, NULL, 0);
}

void fr_record_finished(void)
{
    struct fr_writer w;

    fr_limits_end();
    fr_record(&w, "end");
    fr_record_end(&w, NULL, 0);
}
