/* Signal handlers that record the request; the benchmarks poll it. */
#include "calibrations/calibrate/core/environment.h"

#include <signal.h>

static volatile sig_atomic_t came;

static const struct {
    int number;
    const char *name;
} signals[] = {
    { SIGTERM, "SIGTERM" },
    { SIGINT, "SIGINT" },
    { SIGUSR1, "SIGUSR1" },
    { SIGUSR2, "SIGUSR2" },
};

static void note(int number)
{
    came = number;
}

void fr_interrupt_watch(void)
{
    struct sigaction action = { .sa_handler = note, .sa_flags = SA_RESTART | SA_RESETHAND };

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i].number, &action, NULL);
    /* A terminated launcher no longer reads standard error; writing to it must not end the process.
     */
    signal(SIGPIPE, SIG_IGN);
}

const char *fr_interrupt_name(void)
{
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (came == signals[i].number)
            return signals[i].name;
    return NULL;
}

bool fr_interrupt_came(void)
{
    return came;
}
