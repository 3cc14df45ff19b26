/* Reads the data caches from /sys, or else from sysconf. */
#include "calibrations/calibrate/core/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrations/calibrate/core/options.h"

static void read_text(int index, const char *name, char *out, size_t size)
{
    char path[96];

    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
    fr_system_line(path, NULL, out, size);
}

static void add_level(struct fr_cache_levels *cache, int number, int64_t capacity, int64_t line)
{
    struct fr_data_cache *level = &cache->level[cache->count];

    if (capacity <= 0 || line <= 0 || cache->count == FR_CACHE_LEVELS_MAX)
        return;
    *level = (struct fr_data_cache){ .capacity_bytes = capacity, .line_bytes = line };
    snprintf(level->name, sizeof level->name, "L%d", number);
    cache->count++;
}

static void find_in_sys(struct fr_cache_levels *cache)
{
    cache->told_by = "/sys/devices/system/cpu";
    for (int number = 1; number <= FR_CACHE_LEVELS_MAX; number++)
        for (int index = 0; index < 2 * FR_CACHE_LEVELS_MAX; index++) {
            char level[16], type[32], size[32], line[16];
            int64_t bytes;

            read_text(index, "level", level, sizeof level);
            read_text(index, "type", type, sizeof type);
            read_text(index, "size", size, sizeof size);
            read_text(index, "coherency_line_size", line, sizeof line);
            if (atoi(level) == number && strcmp(type, "Instruction") != 0 &&
                fr_value_bytes(size, &bytes) == 0)
                add_level(cache, number, bytes, atoi(line));
        }
}

static void find_by_sysconf(struct fr_cache_levels *cache)
{
    cache->told_by = "sysconf";
    add_level(cache, 1, sysconf(_SC_LEVEL1_DCACHE_SIZE), sysconf(_SC_LEVEL1_DCACHE_LINESIZE));
    add_level(cache, 2, sysconf(_SC_LEVEL2_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_LINESIZE));
    add_level(cache, 3, sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL3_CACHE_LINESIZE));
}

static bool is_sound(const struct fr_cache_levels *cache)
{
    for (int q = 0; q < cache->count; q++)
        if (cache->level[q].line_bytes != cache->level[0].line_bytes ||
            cache->level[q].line_bytes < (int64_t)sizeof(void *) ||
            (q && cache->level[q].capacity_bytes <= cache->level[q - 1].capacity_bytes))
            return false;
    return cache->count > 0;
}

int fr_cache_levels_find(struct fr_cache_levels *out)
{
    *out = (struct fr_cache_levels){ 0 };
    find_in_sys(out);
    if (!out->count)
        find_by_sysconf(out);
    return is_sound(out) ? 0 : -1;
}
