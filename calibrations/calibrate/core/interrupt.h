/* Termination requests by the batch system before the end of the job, or by the user. */
#ifndef FR_INTERRUPT_H
#define FR_INTERRUPT_H

#include <stdbool.h>

/* Records SIGTERM, SIGINT, SIGUSR1 and SIGUSR2 from now on; a second signal of the same kind has
 * its default effect. */
void fr_interrupt_watch(void);
bool fr_interrupt_came(void);
/* The name of the signal received, or NULL. */
const char *fr_interrupt_name(void);

#endif
