/* A calibration document in the parts that are merged one by one.
 *
 * Most groups are whole (node, tool, environment); of others each member is a part, of kernels each
 * member of each kernel, and of kernels.routine_models each row.
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
    struct fr_text step[FR_STEPS_MAX]; /* keys; of a row what tells it from others */
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

/* An object's members without those that are null.  Returns how many; -1 for no object, or where
 * memory runs out. */
int fr_json_paths_members(struct fr_arena *arena, struct fr_text object,
                          struct fr_member **members);

/* Appends the paths of a document, given its members.  Returns 0, or -1 with what is no object. */
int fr_json_paths_add(struct fr_json_paths *paths, int document, const struct fr_member *members,
                      int count, struct fr_text *what);

bool fr_json_paths_share(const struct fr_json_path *a, const struct fr_json_path *b, int steps);
bool fr_json_paths_equal(const struct fr_json_path *a, const struct fr_json_path *b);
/* Whether both cannot stand in one document, or mean nothing beside each other. */
bool fr_json_paths_exclude(const struct fr_json_path *a, const struct fr_json_path *b);

#endif
