/* The table of benchmarks, and which of them a command line asks for. */
#include "calibrations/calibrate/command.h"

#include <string.h>

#include "calibrations/calibrate/core/world.h"

#define FR_BENCH(name) extern const struct fr_bench fr_bench_##name;
#include "calibrations/calibrate/list.h"
#undef FR_BENCH

#define FR_BENCH(name) &fr_bench_##name,
const struct fr_bench *const fr_benches[] = {
#include "calibrations/calibrate/list.h"
    NULL
};
#undef FR_BENCH

const int fr_bench_count = sizeof fr_benches / sizeof *fr_benches - 1;
_Static_assert(sizeof fr_benches / sizeof *fr_benches <= FR_BENCHES_MAX,
               "FR_BENCHES_MAX is too small");

/* Whether `name` is in a list separated by commas. */
static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || !at[length]))
            return true;
    }
    return false;
}

static bool is_asked_for(const struct fr_calibrate_options *options, const struct fr_bench *bench)
{
    if (options->network_only)
        return bench->needs_ranks > 1;
    if (options->kernels_only)
        return bench->needs_ranks < 2;
    return !options->only || is_listed(options->only, bench->name);
}

bool fr_bench_needs(const struct fr_bench *bench, const struct fr_bench *other)
{
    return bench->after && is_listed(bench->after, other->name);
}

/* Each benchmark follows the one that it needs in the table. */
void fr_benches_choose(const struct fr_calibrate_options *options, bool *chosen)
{
    for (int i = fr_bench_count - 1; i >= 0; i--) {
        chosen[i] = chosen[i] || is_asked_for(options, fr_benches[i]);
        for (int j = 0; j < i && chosen[i]; j++)
            chosen[j] = chosen[j] || fr_bench_needs(fr_benches[i], fr_benches[j]);
    }
}

bool fr_bench_can_run(const struct fr_context *context, const struct fr_bench *bench)
{
    return context->world->size >= bench->needs_ranks &&
           !(bench->is_timing_cores && context->world->is_simulated);
}
