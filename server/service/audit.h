/* One row of the audit log, for the API and for `forerund audit`. */
#ifndef FR_SERVICE_AUDIT_H
#define FR_SERVICE_AUDIT_H

#include "server/http/formats.h"
#include "server/store/store.h"

void fr_audit_write(struct fr_rows *rows, const struct fr_audit_entry *entry);

#endif
