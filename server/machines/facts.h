/* The hardware facts of a machine, as a client PUTs them. */
#ifndef FR_FACTS_H
#define FR_FACTS_H

#include "engine/forerun.h"
#include "server/json/writer.h"

struct fr_facts {
    const char *description, *cpu, *interconnect, *site, *url;
    int64_t nodes, cores_per_node; /* 0: not given */
    double memory_bytes_per_node;  /* NaN: not given */
};

int fr_facts_read(const char *text, size_t length, struct fr_arena *arena, struct fr_facts *facts,
                  struct fr_faults *faults);
/* The object without the description. */
void fr_facts_write(struct fr_writer *w, const struct fr_facts *facts);

#endif
