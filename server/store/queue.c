#include "server/store/queue.h"

#include <stdio.h>

const char fr_queue_lost[] =
    "the database refused the result each time that it was found, as the log of the daemon says; "
    "upload the file again to try once more";

int fr_queue_restart(struct fr_store *store, enum fr_sql left, enum fr_sql restart)
{
    char reason[120];
    int result = fr_sql_one(store, left, NULL, fr_sql_read_nothing, NULL, NULL);

    if (result != FR_STORE_OK)
        return result == FR_STORE_NONE ? FR_STORE_OK : result;

    snprintf(reason, sizeof reason,
             "begun %d times, and each time the daemon ended before it; upload the file again to "
             "try once more",
             FR_MATRIX_ATTEMPTS);
    result = fr_sql_change_alone(
        store, restart, FR_SQL_VALUES(fr_sql_integer(FR_MATRIX_ATTEMPTS), fr_sql_text(reason)));
    return result == FR_STORE_NONE ? FR_STORE_OK : result;
}
