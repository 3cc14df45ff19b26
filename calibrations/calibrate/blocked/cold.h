/* Putting operands out of every cache before a timed execution. */
#ifndef FR_COLD_H
#define FR_COLD_H

#include "calibrations/calibrate/blocked/execute.h"

/* Line by line where the processor has an instruction for it that programs may use; elsewhere by
 * going through memory of several times the last-level cache. */
struct fr_cold {
    unsigned char *buffer; /* NULL: line by line */
    size_t bytes;
};

bool fr_cold_has_lines(void);
/* Returns 0, or -1 when memory ran out. */
int fr_cold_open(struct fr_cold *cold, bool by_lines);
void fr_cold_close(struct fr_cold *cold);

/* The operands have been placed. */
void fr_cold_make(const struct fr_cold *cold, const struct fr_execution *execution);

#endif
