/* Being asked to end: by the batch system before the job's time is over, or by a person. */
#ifndef FR_INTERRUPT_H
#define FR_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGTERM, SIGINT, SIGUSR1 and SIGUSR2 are kept in mind; the same again ends the
 * process as it would have. */
void fr_interrupt_watch(void);
bool fr_interrupt_came(void);
/* The name of the signal that came, or NULL. */
const char *fr_interrupt_name(void);

#endif
