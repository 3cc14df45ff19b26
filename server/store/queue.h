/* What the queues of analyses have in common. */
#ifndef FR_STORE_QUEUE_H
#define FR_STORE_QUEUE_H

#include "server/store/sql.h"

/* Why a task fails whose result the database refused FR_MATRIX_ATTEMPTS times. */
extern const char fr_queue_lost[];

/* Runs `restart`, which queues what daemons that are gone had begun, if `left` finds some; after
 * FR_MATRIX_ATTEMPTS times it fails with the reason instead.  FR_STORE_OK or FR_STORE_FAILED. */
int fr_queue_restart(struct fr_store *store, enum fr_sql left, enum fr_sql restart);

#endif
