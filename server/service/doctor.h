/* Looks for what keeps a daemon from working, or soon will. */
#ifndef FR_DOCTOR_H
#define FR_DOCTOR_H

#include "server/core/config.h"
#include "server/json/writer.h"

#include <time.h>

struct fr_log;

enum fr_finding { FR_FINDING_OK, FR_FINDING_WARNING, FR_FINDING_FAULT };

/* Writes a line for each check, `ok|warning|fault NAME: what was found; the remedy`, and returns
 * the gravest.  Changes nothing in the database.  `now` is the time of the clock that is judged. */
enum fr_finding fr_doctor(struct fr_config *config, time_t now, struct fr_log *log,
                          struct fr_writer *out);

#endif
