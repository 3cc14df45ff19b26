/* Reads port counters from /sys and writes their differences as CSV. */
#include "calibrations/calibrate/network/traffic.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/json/writer.h"

enum { PATH_BYTES = 1024 };

/* Whether the name of a device, port or counter is short enough and safe in CSV. */
static int is_entry(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strlen(entry->d_name) < 40 &&
           !strpbrk(entry->d_name, ",\"\n");
}

static void read_counter(const char *path, const char *device, const char *port, const char *name,
                         struct fr_port_counters *out)
{
    struct fr_port_counter *counter = &out->counter[out->count];
    FILE *file = out->count < FR_PORT_COUNTERS_MAX ? fopen(path, "r") : NULL;

    if (!file)
        return;
    if (fscanf(file, "%" SCNu64, &counter->value) == 1 &&
        (size_t)snprintf(counter->name, sizeof counter->name, "%.40s,%.8s,%.40s", device, port,
                         name) < sizeof counter->name)
        out->count++;
    fclose(file);
}

static void read_port(const char *folder, const char *device, const char *port,
                      struct fr_port_counters *out)
{
    struct dirent **entry;
    char path[PATH_BYTES];
    int entries;

    snprintf(path, sizeof path, "%s/%.40s/ports/%.40s/counters", folder, device, port);
    entries = scandir(path, &entry, is_entry, alphasort);
    for (int i = 0; i < entries; i++) {
        snprintf(path, sizeof path, "%s/%.40s/ports/%.40s/counters/%.40s", folder, device, port,
                 entry[i]->d_name);
        read_counter(path, device, port, entry[i]->d_name, out);
        free(entry[i]);
    }
    if (entries >= 0)
        free(entry);
}

static void read_device(const char *folder, const char *device, struct fr_port_counters *out)
{
    struct dirent **entry;
    char path[PATH_BYTES];
    int entries;

    snprintf(path, sizeof path, "%s/%.40s/ports", folder, device);
    entries = scandir(path, &entry, is_entry, alphasort);
    for (int i = 0; i < entries; i++) {
        read_port(folder, device, entry[i]->d_name, out);
        free(entry[i]);
    }
    if (entries >= 0)
        free(entry);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct fr_port_counter *)a)->name,
                  ((const struct fr_port_counter *)b)->name);
}

void fr_port_counters_read(const char *folder, struct fr_port_counters *out)
{
    struct dirent **entry;
    const int entries = scandir(folder, &entry, is_entry, alphasort);

    out->count = 0;
    for (int i = 0; i < entries; i++) {
        read_device(folder, entry[i]->d_name, out);
        free(entry[i]);
    }
    if (entries >= 0)
        free(entry);
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
