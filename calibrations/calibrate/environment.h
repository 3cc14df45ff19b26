/* What the measurements were made with: the members of the document before the groups. */
#ifndef FR_ENVIRONMENT_H
#define FR_ENVIRONMENT_H

struct fr_context;

/* Before the benchmarks, so that it stands first. */
void fr_environment_begin(const struct fr_context *context, const char *command);
/* After them: how long they took and what they used. */
void fr_environment_end(const struct fr_context *context);

#endif
