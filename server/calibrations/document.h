/* Documents of calibrations, and the facts in which they differ. */
#ifndef FR_CALIBRATION_DOCUMENT_H
#define FR_CALIBRATION_DOCUMENT_H

#include "engine/forerun.h"
#include "server/json/value.h"
#include "server/json/writer.h"

/* Decodes a calibration document into the struct that models read. */

/* Decodes, checks and prepares a document; *cal lives in `arena`.  FR_OK, and `id` is set, or the
 * code of a fault. */
int fr_calibration_read(const char *text, size_t length, struct fr_arena *arena,
                        struct fr_calibration *cal, char id[17], struct fr_faults *faults);
/* The same for a parsed value; faults are at pointers into it. */
int fr_calibration_decode(json_t *root, struct fr_arena *arena, struct fr_calibration *cal,
                          char id[17], struct fr_faults *faults);
/* [a-z0-9][a-z0-9._-]{0,63} */
bool fr_machine_name_is_legal(const char *name);
/* A fault at `where` if the name is none. */
void fr_machine_name_check(const char *name, const char *where, struct fr_faults *faults);

/* The hardware facts of a machine, as a client PUTs them. */

struct fr_facts {
    const char *description, *interconnect, *site, *url;
    struct fr_machine_facts machine;
};

int fr_facts_read(const char *text, size_t length, struct fr_arena *arena, struct fr_facts *facts,
                  struct fr_faults *faults);
/* The object without the description. */
void fr_facts_write(struct fr_writer *w, const struct fr_facts *facts);
struct fr_store;
/* Those of a stored machine, in `arena`; unknown ones if there is no such machine.  *text is their
 * JSON. */
struct fr_machine_facts fr_facts_of(struct fr_store *store, const char *machine,
                                    struct fr_arena *arena, const char **text);

/* An array of warnings `machine_mismatch`, one for each fact that is `known` of the machine and
 * `found` otherwise; both are clauses such as "the machine has". */
void fr_mismatches_write(struct fr_writer *w, const struct fr_mismatches *mismatches,
                         const char *known, const char *found);
/* The same for a document, and a warning `measured_under_load` for each of these enum fr_use bits.
 */
#define FR_MACHINE_HAS "the machine has"
#define FR_LOADED_MESSAGE                                                                   \
    "%s: other work, or a slower processor, disturbed this measurement; forerun-calibrate " \
    "--check "                                                                              \
    "says how to repeat it"
void fr_document_warnings_write(struct fr_writer *w, const struct fr_mismatches *mismatches,
                                const char *found, fr_uses loaded);
/* The words of a mismatch. */
void fr_mismatch_print(const struct fr_mismatch *mismatch, const char *known, const char *found,
                       char *out, size_t size);

#endif
