/* Faults: why something was refused.  All faults of a request are collected. */
#ifndef FR_CORE_FAULT_H
#define FR_CORE_FAULT_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__)
#define FR_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define FR_PRINTF(text, first)
#endif

/* Codes of faults with the names that clients see.  The server maps them to HTTP statuses. */
#define FR_CODES(X)                                  \
    X(FR_SYNTAX, "syntax")                           \
    X(FR_TYPE, "wrong_type")                         \
    X(FR_RANGE, "out_of_range")                      \
    X(FR_CHOICE, "unknown_choice")                   \
    X(FR_MISSING, "required")                        \
    X(FR_REPEATED, "given_twice")                    \
    X(FR_RELATION, "impossible_combination")         \
    X(FR_MISMATCH, "machine_mismatch")               \
    X(FR_UNKNOWN_PARAMETER, "unknown_parameter")     \
    X(FR_UNKNOWN_KEY, "unknown_key")                 \
    X(FR_GROUP_MISSING, "calibration_group_missing") \
    X(FR_NOT_FOUND, "not_found")                     \
    X(FR_STRUCTURE_MISSING, "structure_missing")     \
    X(FR_TOO_MANY_POINTS, "too_many_points")         \
    X(FR_NOMEM, "too_large")                         \
    X(FR_TOO_LONG, "too_long")                       \
    X(FR_LIMITED, "limited")                         \
    X(FR_INFEASIBLE, "infeasible")

enum fr_code {
    FR_OK,
#define X(code, name) code,
    FR_CODES(X)
#undef X
};

const char *fr_code_name(enum fr_code code);
/* False for a number from outside that is none of the codes. */
bool fr_code_is_known(enum fr_code code);

enum { FR_MAX_FAULTS = 32, FR_WHERE_BYTES = 160, FR_MESSAGE_BYTES = 440 };

struct fr_fault {
    enum fr_code code;
    char where[FR_WHERE_BYTES]; /* a parameter's name, or a JSON pointer (begins with '/') */
    char message[FR_MESSAGE_BYTES];
};

/* All faults of a request; the first FR_MAX_FAULTS are kept, `count` counts all. */
struct fr_faults {
    size_t count;
    struct fr_fault fault[FR_MAX_FAULTS];
};

/* Appends a fault with a formatted message and returns its code. */
int fr_fault(struct fr_faults *faults, enum fr_code code, const char *where, const char *format,
             ...) FR_PRINTF(4, 5);

/* The number of faults whose text is kept: at most FR_MAX_FAULTS. */
size_t fr_faults_kept(const struct fr_faults *faults);

#endif
