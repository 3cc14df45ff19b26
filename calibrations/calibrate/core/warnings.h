/* Warnings about the machine, printed on standard error and added to the description of the
 * document. */
#ifndef FR_WARNINGS_H
#define FR_WARNINGS_H

struct fr_context;

/* Has no effect on ranks other than 0. */
void fr_bench_warn(struct fr_context *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Collective, before measuring: frequency scaling, different nodes. */
void fr_warn_of_hosts(struct fr_context *context);
/* After measuring, on rank 0: large spreads. */
void fr_warn_of_noise(struct fr_context *context);

#endif
