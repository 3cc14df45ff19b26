/* Buffers for messages. */
#ifndef FR_MESSAGE_BUFFER_H
#define FR_MESSAGE_BUFFER_H

#include <stdint.h>

struct fr_context;

/* The longest message such that every rank can hold `buffers` of them in half of the free memory:
 * `bytes`, or that halved until it fits, which is reported in the name of `bench`.  Collective over
 * all ranks. */
int fr_message_buffer_for(const struct fr_context *context, const char *bench, int64_t bytes,
                          int buffers);

/* A buffer for messages, not for records; ends the program where memory runs out.  Every page is
 * touched, except on a simulated cluster, where that is not timed.  The caller frees it. */
char *fr_message_buffer_take(const struct fr_context *context, int64_t bytes);

#endif
