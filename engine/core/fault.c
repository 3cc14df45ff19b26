/* The list of faults.  Texts have a fixed size, so that reporting cannot fail. */
#include "engine/core/fault.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const names[] = { [FR_OK] = "ok",
#define X(code, name) [code] = name,
                                     FR_CODES(X)
#undef X
};

const char *fr_code_name(enum fr_code code)
{
    return names[code];
}

bool fr_code_is_known(enum fr_code code)
{
    return (size_t)code < sizeof names / sizeof *names;
}

size_t fr_faults_kept(const struct fr_faults *faults)
{
    return faults->count < FR_MAX_FAULTS ? faults->count : FR_MAX_FAULTS;
}

int fr_fault(struct fr_faults *faults, enum fr_code code, const char *where, const char *format,
             ...)
{
    if (faults->count < FR_MAX_FAULTS) {
        struct fr_fault *fault = &faults->fault[faults->count];
        va_list arguments;

        fault->code = code;
        snprintf(fault->where, sizeof fault->where, "%s", where);
        va_start(arguments, format);
        vsnprintf(fault->message, sizeof fault->message, format, arguments);
        va_end(arguments);
    }
    faults->count++;
    return code;
}
