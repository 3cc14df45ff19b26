/* Fuzzes configuration files. A refusal has a reason; what is accepted prints and reads back. */
#include "tests/fuzz/setting.h"

#include "server/core/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void check(struct fr_config *config)
{
    struct fr_config again;
    struct fr_faults faults;
    char text[FR_PATH_BYTES], host[64];
    const char *port;

    if (fr_listen_split(config->listen, host, sizeof host, &port) &&
        (!*host || strlen(host) + strlen(port) >= strlen(config->listen)))
        abort();
    faults.count = 0;
    fr_config_init(&again);
    for (const struct fr_setting *setting = fr_settings; setting->param.name; setting++) {
        fr_config_print(config, setting, text, sizeof text);
        if (fr_config_set(&again, setting, text, FR_FROM_ARGUMENTS, &faults) != FR_OK)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int file = memfd_create("forerund.conf", 0);
    struct fr_config config;
    struct fr_faults faults;

    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    faults.count = 0;
    fr_config_init(&config);
    snprintf(config.file, sizeof config.file, "/proc/self/fd/%d", file);
    if ((fr_config_read_file(&config, true, &faults) == FR_OK) != (faults.count == 0))
        abort();
    if (!faults.count)
        check(&config);
    close(file);
    return 0;
}
