/* The top level of the calibration document as a table of fields.  Decoding, refusals, the JSON
 * Schema, what-if paths and the field list of the API all follow from these tables. */
#include "engine/fields/fields.h"

static const struct fr_field tool[] = {
    IN(CAL, tool, TEXT, name, .doc = "Name."),
    IN(CAL, tool, TEXT, version, .doc = "Version."),
    IN(CAL, tool, TEXT, command, .doc = "Command line."),
    IN(CAL, tool, NUMBER, duration_s, .unit = "s", .flags = FR_FIELD_ZERO,
       .doc = "How long it took."),
    END,
};

static const char *const schemas[] = { "forerun-calibration-1", NULL };
const struct fr_field fr_calibration_fields[] = {
    TEXT(CAL, schema, .choices = schemas, .flags = FR_FIELD_NEEDED,
         .doc = "forerun-calibration-1."),
    TEXT(CAL, machine, .flags = FR_FIELD_NEEDED,
         .doc = "The machine's name: [a-z0-9][a-z0-9._-]{0,63}."),
    TEXT(CAL, description, .doc = "For people."),
    TEXT(CAL, created_at, .doc = "When it was measured, RFC 3339 UTC."),
    MEMBERS("tool", tool, .is_about_document = true, .doc = "What made the document."),
    MEMBERS("environment", fr_fields_environment, .offset = offsetof(CAL, environment),
            .is_about_document = true, .doc = "What it was measured with."),
    { .name = "environments",
      .kind = FR_FIELD_ANY,
      .flags = FR_FIELD_SHOWN,
      .is_about_document = true,
      .doc = "Those of all merged documents, if they differ: shown, read by no model." },
    MEMBERS("node", fr_fields_node, .group = FR_CAL_NODE, .doc = "One node."),
    MEMBERS("network", fr_fields_network, .group = FR_CAL_NETWORK, .doc = "Messages."),
    MEMBERS("contention", fr_fields_contention, .group = FR_CAL_CONTENTION,
            .doc = "What messages cost when many travel at once."),
    MEMBERS("kernels", fr_fields_kernels, .group = FR_CAL_KERNELS, .doc = "Rates of routines."),
    MEMBERS("memory", fr_fields_memory, .group = FR_CAL_MEMORY, .doc = "Memory and caches."),
    MEMBERS("sparse", fr_fields_sparse, .group = FR_CAL_SPARSE, .doc = "Supernodal sparse LU."),
    MEMBERS("cnc", fr_fields_cnc, .group = FR_CAL_CNC, .doc = "Concurrent Collections."),
    { .name = "sources",
      .kind = FR_FIELD_ANY,
      .fields = fr_source_fields,
      .doc = "Where values come from, by JSON pointer: a record, or a text." },
    END,
};
