/* A calibration document as the paths of the parts that are merged separately.
 *
 * A part is a whole group (node, tool, environment), a member of any other group, a member of a
 * kernel, or a row of kernels.routine_models.
 */
#ifndef FR_JSON_PATH_H
#define FR_JSON_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "calibrations/calibrate/core/json_scan.h"

struct fr_arena;

enum { FR_STEPS_MAX = 3 };

struct fr_text {
    const char *text;
    size_t length;
};

struct fr_json_path {
    int document;
    int depth;
    struct fr_text step[FR_STEPS_MAX]; /* keys; for a row its identity */
    struct fr_text value;
    bool is_row, is_replaced;
    const char *pointer;           /* in its own document */
    size_t step_end[FR_STEPS_MAX]; /* where the steps end in `pointer` */
    const char *new_pointer;       /* in the merged one */
};

struct fr_json_paths {
    struct fr_arena *arena;
    struct fr_json_path *row;
    size_t count, capacity;
};

/* Finds the members of an object except those that are null.  Returns their number, or -1 if it is
 * not an object or memory runs out. */
int fr_json_paths_members(struct fr_arena *arena, struct fr_text object,
                          struct fr_member **members);

/* Appends the paths of a document, given its members.  Returns 0, or -1 with the key of a member
 * that is not an object. */
int fr_json_paths_add(struct fr_json_paths *paths, int document, const struct fr_member *members,
                      int count, struct fr_text *what);

bool fr_json_paths_share(const struct fr_json_path *a, const struct fr_json_path *b, int steps);
bool fr_json_paths_equal(const struct fr_json_path *a, const struct fr_json_path *b);
/* Whether both cannot be in one document: one contains the other, or they are of measurements that
 * belong together. */
bool fr_json_paths_exclude(const struct fr_json_path *a, const struct fr_json_path *b);

#endif
