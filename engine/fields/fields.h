/* Macros and tables of the calibration document's fields: one file for each group. Private to the
 * engine; the names in these tables are part of the contract (what_if paths, JSON keys).
 */
#ifndef FR_FIELDS_H
#define FR_FIELDS_H

#include "engine/calibration/calibration.h"

#define CAL struct fr_calibration
#define NUMBER(S, f, ...)                                                          \
    {                                                                              \
        .name = #f, .kind = FR_FIELD_NUMBER, .offset = offsetof(S, f), __VA_ARGS__ \
    }
#define COUNT(S, f, ...)                                                                       \
    {                                                                                          \
        .name = #f, .kind = FR_FIELD_COUNT, .offset = offsetof(S, f), .unit = "1", __VA_ARGS__ \
    }
#define TEXT(S, f, ...)                                                          \
    {                                                                            \
        .name = #f, .kind = FR_FIELD_TEXT, .offset = offsetof(S, f), __VA_ARGS__ \
    }
#define BOOLEAN(S, f, ...)                                                       \
    {                                                                            \
        .name = #f, .kind = FR_FIELD_BOOL, .offset = offsetof(S, f), __VA_ARGS__ \
    }
#define CHOICE(S, f, list, ...)                                                         \
    {                                                                                   \
        .name = #f, .kind = FR_FIELD_CHOICE, .offset = offsetof(S, f), .choices = list, \
        __VA_ARGS__                                                                     \
    }
#define NUMBERS(S, f, ...)                                                          \
    {                                                                               \
        .name = #f, .kind = FR_FIELD_NUMBERS, .offset = offsetof(S, f), __VA_ARGS__ \
    }
#define OBJECT(S, f, table, ...)                                                        \
    {                                                                                   \
        .name = #f, .kind = FR_FIELD_OBJECT, .offset = offsetof(S, f), .fields = table, \
        __VA_ARGS__                                                                     \
    }
#define TABLE(S, f, R, table, ...)                                                       \
    {                                                                                    \
        .name = #f, .kind = FR_FIELD_TABLE, .offset = offsetof(S, f), .size = sizeof(R), \
        .fields = table, __VA_ARGS__                                                     \
    }
/* An object whose members lie in S itself. */
#define MEMBERS(label, table, ...)                                           \
    {                                                                        \
        .name = label, .kind = FR_FIELD_OBJECT, .fields = table, __VA_ARGS__ \
    }
/* A member of a nested anonymous struct. */
#define IN(S, outer, KIND, f, ...)                                                       \
    {                                                                                    \
        .name = #f, .kind = FR_FIELD_##KIND, .offset = offsetof(S, outer.f), __VA_ARGS__ \
    }
/* The same under another name: the key is the last name, the offset that of the path. */
#define AT(label, S, path) .name = label, .offset = offsetof(S, path)
#define END          \
    {                \
        .name = NULL \
    }

extern const struct fr_field fr_fields_environment[];
extern const struct fr_field fr_fields_node[], fr_fields_network[], fr_fields_topology[];
extern const struct fr_field fr_fields_contention[], fr_fields_kernels[];
extern const struct fr_field fr_fields_memory[], fr_fields_sparse[], fr_fields_cnc[];

#endif
