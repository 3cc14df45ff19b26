/* What the system says of this computer, in files of a line or of lines "key: value". */
#include "calibrations/calibrate/core/environment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fr_system_line(const char *path, const char *key, char *out, size_t size)
{
    char line[512];
    FILE *file = fopen(path, "r");

    *out = '\0';
    if (!file)
        return;
    while (!*out && fgets(line, sizeof line, file)) {
        const char *value = line;

        line[strcspn(line, "\n")] = '\0';
        if (key && strncmp(line, key, strlen(key)) != 0)
            continue;
        if (key)
            value = strchr(line, ':') ? strchr(line, ':') + 1 : "";
        snprintf(out, size, "%s", value + strspn(value, " \t"));
        if (!key)
            break;
    }
    fclose(file);
}

double fr_system_number(const char *path, const char *key)
{
    char text[64], *end;
    double value;

    fr_system_line(path, key, text, sizeof text);
    value = strtod(text, &end);
    return end > text ? value : NAN;
}

void fr_system_cpu(char *out, size_t size)
{
    fr_system_line("/proc/cpuinfo", "model name", out, size);
}

void fr_system_governor(char *out, size_t size)
{
    fr_system_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", NULL, out, size);
}

double fr_system_free_bytes(void)
{
    return (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}
