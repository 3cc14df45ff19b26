/* Sources of merged documents. */
#ifndef FR_MERGE_SOURCES_H
#define FR_MERGE_SOURCES_H

#include "calibrations/calibrate/core/json_path.h"

struct fr_writer;

struct fr_sources {
    struct fr_member *member;
    int members;
};

/* Appends the object of the sources of all merged parts; `sources` is by document. */
void fr_merge_sources(const struct fr_json_paths *paths, const struct fr_sources *sources,
                      int count, struct fr_writer *out);

#endif
