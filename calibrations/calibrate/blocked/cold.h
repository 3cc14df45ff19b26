/* Removes operands from every cache before a timed execution. */
#ifndef FR_COLD_H
#define FR_COLD_H

#include "calibrations/calibrate/blocked/execute.h"

/* Operands are flushed line by line if the processor has an instruction for it, else by writing
 * through a buffer of several times the last-level cache. */
struct fr_cold {
    void (*flush)(const void *at); /* the line of an address; NULL: through the buffer */
    unsigned char *buffer;
    size_t bytes;
};

/* Whether this processor can flush single lines. */
bool fr_cold_has_lines(void);
/* Returns 0, or -1 without memory for the buffer; fr_cold_close frees it. */
int fr_cold_open(struct fr_cold *cold, bool by_lines);
void fr_cold_close(struct fr_cold *cold);

/* Removes the operands of an execution, which must have been placed (operands.h). */
void fr_cold_make(const struct fr_cold *cold, const struct fr_execution *execution);

#endif
