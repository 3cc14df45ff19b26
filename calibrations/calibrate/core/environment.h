/* What the measurements were made with: the members of the document before the groups. */
#ifndef FR_ENVIRONMENT_H
#define FR_ENVIRONMENT_H

#include <stddef.h>

struct fr_context;

/* Empty where the system does not tell. */
void fr_environment_cpu(char *out, size_t size);
void fr_environment_governor(char *out, size_t size);

/* Before the benchmarks, so that it stands first. */
void fr_environment_begin(const struct fr_context *context, const char *command);
/* After them: how long they took, what they used, what they could not measure.  May be called
 * again. */
void fr_environment_end(const struct fr_context *context);

#endif
