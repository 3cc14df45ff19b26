/* Reads port counters from /sys and writes their differences as CSV. */
#include "calibrations/calibrate/network/traffic.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/json/writer.h"

/* Takes FOLDER/DEVICE/ports/NUMBER/counters/NAME if the names are short enough and safe in CSV. */
static void read_counter(const char *path, const char *below, struct fr_port_counters *out)
{
    struct fr_port_counter *counter = &out->counter[out->count];
    char device[40], port[9], name[40];
    FILE *file = NULL;
    int end = 0;

    if (out->count < FR_PORT_COUNTERS_MAX && !strpbrk(below, ",\"\n") &&
        sscanf(below, "/%39[^/]/ports/%8[^/]/counters/%39[^/]%n", device, port, name, &end) == 3 &&
        !below[end])
        file = fopen(path, "r");
    if (!file)
        return;
    if (fscanf(file, "%" SCNu64, &counter->value) == 1 &&
        (size_t)snprintf(counter->name, sizeof counter->name, "%s,%s,%s", device, port, name) <
            sizeof counter->name)
        out->count++;
    fclose(file);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct fr_port_counter *)a)->name,
                  ((const struct fr_port_counter *)b)->name);
}

void fr_port_counters_read(const char *folder, struct fr_port_counters *out)
{
    char pattern[1024];
    glob_t found = { 0 };

    out->count = 0;
    snprintf(pattern, sizeof pattern, "%s/*/ports/*/counters/*", folder);
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            read_counter(found.gl_pathv[i], found.gl_pathv[i] + strlen(folder), out);
    globfree(&found);
    qsort(out->counter, (size_t)out->count, sizeof *out->counter, by_name);
}

void fr_port_counters_difference(const struct fr_port_counters *before,
                                 const struct fr_port_counters *after, const char *prefix,
                                 struct fr_writer *out)
{
    for (int i = 0; i < after->count; i++) {
        const struct fr_port_counter *now = &after->counter[i];
        const struct fr_port_counter *then =
            bsearch(now, before->counter, (size_t)before->count, sizeof *now, by_name);

        if (!then || then->value == now->value)
            continue;
        fr_writer_printf(out, "%s,%s,%" PRIu64 "\n", prefix, now->name,
                         now->value > then->value ? now->value - then->value : now->value);
    }
}
