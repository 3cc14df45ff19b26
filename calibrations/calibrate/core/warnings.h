/* What a reader of the document should know about the machine it was measured on: said on standard
 * error and kept in the document's description. */
#ifndef FR_WARNINGS_H
#define FR_WARNINGS_H

struct fr_context;

/* By rank 0; nothing elsewhere. */
void fr_bench_warn(struct fr_context *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Before measuring, collective: frequency scaling, nodes that are not alike. */
void fr_warn_of_hosts(struct fr_context *context);
/* After it, on rank 0: spreads too large. */
void fr_warn_of_noise(struct fr_context *context);

#endif
