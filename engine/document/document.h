/* Checks, preparation, quality and what-ifs of a calibration. */
#ifndef FR_DOCUMENT_DOCUMENT_H
#define FR_DOCUMENT_DOCUMENT_H

#include "engine/calibration/benchmark.h"
#include "engine/calibration/calibration.h"
#include "engine/core/arena.h"
#include "engine/core/fault.h"

/* A whole calibration document: its checks and its preparation for lookups. */

/* Checks relations between fields: order, repetition, alternatives.  Faults carry JSON pointers;
 * `arena` is scratch. */
int fr_calibration_check(const struct fr_calibration *cal, struct fr_arena *arena,
                         struct fr_faults *faults);
/* Sorts and indexes tables for lookups.  Memory comes from `arena`. */
int fr_calibration_prepare(struct fr_calibration *cal, struct fr_arena *arena,
                           struct fr_faults *faults);

/* The quality of a calibration: how sure each of its parts is, and what it lacks for which model
 * (docs/calibration.md#quality). */

/* Spread above which a part counts as noisy, as in the warning of forerun-calibrate. */
#define FR_NOISY_SPREAD 0.1

/* A part of the calibration: one that the document has, or one that models lack. */
struct fr_part {
    const char *pointer; /* JSON pointer */
    bool is_present;
    const struct fr_benchmark *benchmark; /* that measures it; NULL: none does */

    /* Of a part that is present; NaN: its sources do not state it. */
    enum fr_provenance provenance; /* of several sources the least sure */
    double samples;                /* of all its sources */
    double spread_fraction;        /* the widest */
    double error_fraction; /* of looking up left-out values between others, 90th percentile */
    double age_days;       /* of the oldest measurement */
    const char *load;      /* what disturbed the measurement, as its source says; NULL: nothing */

    /* Of a part that is missing: sets of models, bit i for fr_models[i]. */
    const char *kernels; /* the routine models that are missing, as forerun-calibrate names them */
    uint64_t refused;    /* questions with default options are refused */
    uint64_t helped;     /* some options are refused, or something less exact replaces it */
};
/* Whether a part that is present should be measured again: loaded or noisy. */
bool fr_part_is_doubtful(const struct fr_part *part);

enum { FR_KERNEL_SETS_MAX = 4, FR_PARTS_MAX = 2 * FR_USE_COUNT + FR_KERNEL_SETS_MAX };
struct fr_quality {
    size_t parts, present;             /* those present come first */
    struct fr_part part[FR_PARTS_MAX]; /* present: by group; missing: those that refuse first */
};

/* Fills `out` for a decoded calibration.  `now` is a time of RFC 3339, for ages. */
void fr_quality_find(const struct fr_calibration *cal, const char *now, struct fr_quality *out);

/* Writes the command of forerun-calibrate that measures one part, or with NULL everything that is
 * missing or doubtful and that benchmarks of one node, or of a whole job, measure.  Empty if there
 * is nothing. */
enum { FR_QUALITY_COMMAND_BYTES = 700 };
void fr_quality_command(const struct fr_calibration *cal, const struct fr_quality *quality,
                        const struct fr_part *part, bool is_of_job,
                        char out[FR_QUALITY_COMMAND_BYTES]);

/* The parts whose measurement was disturbed, as enum fr_use bits. */
fr_uses fr_loaded_parts(const struct fr_calibration *cal);

/* What if: a changed copy of a calibration. */

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
