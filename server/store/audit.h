/* Rows of the audit log, for the files that write. */
#ifndef FR_AUDIT_H
#define FR_AUDIT_H

#include "server/store/sql.h"

/* Adds a row, between fr_sql_begin and fr_sql_end: FR_STORE_OK or FR_STORE_FAILED.  Without a
 * machine, a run or a calibration has its own. */
int fr_audit_add(struct fr_store *store, const struct fr_audited *what);
/* fr_sql_end, with a row if `result` is FR_STORE_OK. */
int fr_audit_end(struct fr_store *store, int result, const struct fr_audited *what);
/* fr_sql_change_alone with a row. */
int fr_audit_change_alone(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values,
                          const struct fr_audited *what);

#endif
