/* Machines of the golden file, decoded once for a group of tests. */
#include "tests/unit/support/machines.h"

#include "tests/unit/support/golden.h"

int machines_begin(void **state)
{
    static struct machines machines;
    json_t *golden = golden_load("krylov.json");

    machines.arena = fr_arena_new(1 << 24);
    machines.torus = golden_calibration(golden, "blue-waters", machines.arena);
    machines.dragonfly = golden_calibration(golden, "piz-daint", machines.arena);
    machines.uniform = golden_calibration(golden, "testbed", machines.arena);
    json_decref(golden);
    *state = &machines;
    return 0;
}

double time_of(const char *model, const char *query, const struct fr_calibration *cal)
{
    return predicted(model, query, cal).time_s;
}
