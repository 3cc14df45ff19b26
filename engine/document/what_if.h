/* What if: a changed copy of a calibration. */
#ifndef FR_DOCUMENT_WHAT_IF_H
#define FR_DOCUMENT_WHAT_IF_H

#include "engine/calibration/calibration.h"
#include "engine/core/arena.h"
#include "engine/core/fault.h"

#include <stddef.h>

/* A change of calibrated values for one request. */
struct fr_change {
    const char *path;  /* network.bandwidth, network.protocols.eager.max_message_bytes */
    const char *value; /* "*2" or "1e-6" */
};
/* Aliases that change many fields at once, listed for clients. */
struct fr_alias {
    const char *path, *doc;
};
extern const struct fr_alias fr_aliases[];
/* The form of a legal change as text, or NULL if the field cannot be changed (texts, document
 * facts). */
const char *fr_what_if_form(const struct fr_field *field);
/* Returns a changed and prepared copy in `arena`, or NULL on failure.  Faults name `what_if.PATH`.
 */
const struct fr_calibration *fr_what_if(const struct fr_calibration *cal,
                                        const struct fr_change *change, size_t count,
                                        struct fr_arena *arena, struct fr_faults *faults);

#endif
