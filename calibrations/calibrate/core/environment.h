/* The members of the document that describe the tool and the environment of the measurements. */
#ifndef FR_ENVIRONMENT_H
#define FR_ENVIRONMENT_H

#include <stddef.h>

struct fr_context;

/* Empty if unknown. */
void fr_environment_cpu(char *out, size_t size);
void fr_environment_governor(char *out, size_t size);

/* Today, in UTC: 2026-11-23. */
enum { FR_DAY_BYTES = 16 };
void fr_environment_day(char out[FR_DAY_BYTES]);

/* Called before the benchmarks, so that these members come first. */
void fr_environment_begin(const struct fr_context *context, const char *command);
/* Called after them: duration, threads used, values not measured.  May be called again. */
void fr_environment_end(const struct fr_context *context);

#endif
