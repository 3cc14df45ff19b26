/* Matrix kernels: costs of calls where the calibration has them, else routine models, else
 * efficiencies on square operands (docs/models/block_cyclic.md#kernels). */
#include "engine/block_cyclic/kernels.h"
#include "engine/blocked/fitted.h"

#include <math.h>
#include <string.h>

static double flops_gemm(const double *size)
{
    return 2 * size[0] * size[1] * size[2];
}

static double flops_left(const double *size)
{
    return size[0] * size[0] * size[1];
}

static double flops_right(const double *size)
{
    return size[0] * size[1] * size[1];
}

static const struct {
    const char *name;
    enum fr_routine routine;
    double (*flops)(const double *size); /* of dtrsm: side L */
    size_t side[3];                      /* the size at which each efficiency is taken */
} kernels_of[CYCLIC_KERNELS] = {
    [CYCLIC_GEMM] = { "dgemm", FR_DGEMM, flops_gemm, { 0, 1, 2 } },
    [CYCLIC_TRSM] = { "dtrsm", FR_DTRSM, flops_left, { 0, 0, 1 } },
    [CYCLIC_SYRK] = { "dsyrk", FR_DSYRK, flops_left, { 0, 0, 1 } },
};

/* Whether the flags of a model of dtrsm begin with `flags`, side, uplo and trans or only the side,
 * where what is not R serves as L; "" for any. */
static bool has_flags(const struct blocked_fitted *fitted, const char *flags)
{
    const char *own = fitted->kernel.flags;

    return !*flags || ((*flags == 'R') == (*own == 'R') &&
                       strncmp(own + 1, flags + 1, strlen(flags + 1)) == 0);
}

/* Whether a model prices the kernel; `flags` choose among those of dtrsm. */
static bool is_of(const struct blocked_fitted *fitted, enum cyclic_kernel kernel, int64_t threads,
                  const char *flags)
{
    if (strcmp(fitted->kernel.routine->name, kernels_of[kernel].name) != 0 ||
        fitted->threads != threads || fitted->locality != BLOCKED_IN_CACHE)
        return false;
    return kernel != CYCLIC_TRSM || has_flags(fitted, flags);
}

/* Writes the models of a kernel to `out`, which may be NULL; returns their number. */
static size_t models_of(const struct fr_calibration *cal, enum cyclic_kernel kernel,
                        int64_t threads, const char *flags, const struct blocked_fitted **out)
{
    size_t count = 0;

    for (size_t i = 0; i < cal->kernels.routine_models.count; i++) {
        if (!is_of(&cal->fitted[i], kernel, threads, flags))
            continue;
        if (out)
            out[count] = &cal->fitted[i];
        count++;
    }
    return count;
}

/* The costs of a kernel; `dtrsm`: side, uplo and trans, or NULL for any. */
static struct fr_call_costs costs_of(const struct fr_calibration *cal, enum cyclic_kernel kernel,
                                     int64_t threads, const char *dtrsm)
{
    struct fr_call_costs costs = { .count = 0 };

    if (kernel != CYCLIC_TRSM)
        return fr_call_costs_find(cal, kernel == CYCLIC_GEMM ? FR_CALL_DGEMM : FR_CALL_DSYRK,
                                  threads);
    for (int call = FR_CALL_DTRSM_LLN; call <= FR_CALL_DTRSM_RUT && !costs.count; call++)
        if (!dtrsm || strcmp(fr_blas_call_names[call] + sizeof "dtrsm_" - 1, dtrsm) == 0)
            costs = fr_call_costs_find(cal, call, threads);
    return costs;
}

static bool has_costs_or_models(const struct fr_calibration *cal, enum cyclic_kernel kernel,
                                int64_t threads)
{
    return costs_of(cal, kernel, threads, NULL).count ||
           models_of(cal, kernel, threads, "", NULL) > 0;
}

bool cyclic_kernel_is_known(const struct fr_calibration *cal, enum cyclic_kernel kernel,
                            int64_t threads)
{
    return cal->rate[kernels_of[kernel].routine].count || has_costs_or_models(cal, kernel, threads);
}

bool cyclic_has_kernels(const struct fr_calibration *cal)
{
    return has_costs_or_models(cal, CYCLIC_GEMM, 1) && has_costs_or_models(cal, CYCLIC_TRSM, 1);
}

/* The flags of the models of dtrsm that serve: those of the program's calls, else side L, else R.
 */
static const char *trsm_flags(const struct fr_calibration *cal, int64_t threads, const char *dtrsm)
{
    if (dtrsm && models_of(cal, CYCLIC_TRSM, threads, dtrsm, NULL))
        return dtrsm;
    return models_of(cal, CYCLIC_TRSM, threads, "L", NULL) ? "L" : "R";
}

static bool list_kernels(struct cyclic_kernels *kernels, const char *dtrsm)
{
    const struct fr_calibration *cal = kernels->run->cal;
    const int64_t threads = kernels->threads;
    const char *flags = trsm_flags(cal, threads, dtrsm);

    kernels->is_right = *flags == 'R';
    for (enum cyclic_kernel kernel = 0; kernel < CYCLIC_KERNELS; kernel++) {
        const size_t count = models_of(cal, kernel, threads, flags, NULL);

        kernels->cost[kernel] = costs_of(cal, kernel, threads, dtrsm);
        kernels->model[kernel] =
            fr_arena_zeroed(kernels->run->arena, count, sizeof(struct blocked_fitted *));
        if (!kernels->model[kernel])
            return false;
        kernels->models[kernel] = models_of(cal, kernel, threads, flags, kernels->model[kernel]);
    }
    return true;
}

/* The cube root of the best rate of a curve; rates between its points, and of other thread counts,
 * are not better. */
static double fastest_root(const struct fr_curves *curves)
{
    double fastest = 0;

    for (size_t i = 0; i < curves->count; i++)
        for (size_t j = 0; j < curves->curve[i].count; j++)
            fastest = fmax(fastest, curves->curve[i].y[j]);
    return cbrt(fastest);
}

int cyclic_kernels_begin(struct cyclic_kernels *kernels, struct fr_evaluation *run, int64_t threads,
                         double cores, double meeting, const char *dtrsm)
{
    const struct fr_calibration *cal = run->cal;

    *kernels = (struct cyclic_kernels){
        .run = run,
        .threads = threads,
        .memory_cost = fr_call_costs_find(cal, FR_CALL_DGEMM_MEMORY, threads),
        .root = fr_arena_zeroed(run->arena, CYCLIC_KERNELS, sizeof *kernels->root),
        .call = fr_arena_zeroed(run->arena, CYCLIC_CALLS, sizeof *kernels->call),
        .stream_call_s = isnan(cal->memory.call_s) ? 0 : cal->memory.call_s,
        .line_bytes = isnan(cal->memory.line_bytes) ? 64 : cal->memory.line_bytes,
        .slowest = fr_kernel_slowest(run, cores, meeting),
    };
    if (!kernels->root || !kernels->call || !list_kernels(kernels, dtrsm))
        return fr_fault(run->faults, FR_NOMEM, "n", "too large for the memory of a request");
    for (int kernel = 0; kernel < CYCLIC_KERNELS; kernel++)
        kernels->fastest_root[kernel] = fastest_root(&cal->rate[kernels_of[kernel].routine]);
    run->out->used |= FR_USE(STREAMS) | FR_USE(CALL_TIME) | FR_USE(LINE_BYTES) |
                      (cal->memory.row_swaps.count ? FR_USE(ROW_SWAPS) : FR_USE(ROW_ELEMENT));
    if (!cal->memory.streams.count)
        run->out->used |= FR_USE(CORE_BANDWIDTH);
    return FR_OK;
}

/* ---- costs ----------------------------------------------------------------------------------- */

/* m, n and k of a call. */
struct call_sizes {
    double m, n, k;
};
static struct call_sizes sizes_of(enum cyclic_kernel kernel, const double *size)
{
    if (kernel == CYCLIC_TRSM)
        return (struct call_sizes){ size[0], size[1], size[0] };
    if (kernel == CYCLIC_SYRK)
        return (struct call_sizes){ size[0], size[0], size[1] };
    return (struct call_sizes){ size[0], size[1], size[2] };
}

static double costing_s(struct cyclic_kernels *kernels, enum cyclic_kernel kernel,
                        const double *size)
{
    const struct call_sizes of = sizes_of(kernel, size);

    kernels->run->out->used |= FR_USE(CALLS);
    return fr_call_s(kernels->run, &kernels->cost[kernel], of.m, of.n, of.k);
}

/* The work of a call that is looked up, and of each region of its models. */
static const double lookup_steps = 25, region_steps = 0.2;

/* ---- routine models -------------------------------------------------------------------------- */

/* The region of all models of a kernel that is nearest, then of least error, then first. */
struct nearest {
    const struct blocked_fitted *fitted;
    const struct blocked_region *region;
    double away;
};
static struct nearest nearest_region(struct cyclic_kernels *kernels, enum cyclic_kernel kernel,
                                     const double *size)
{
    struct nearest best = { .away = INFINITY };

    for (size_t i = 0; i < kernels->models[kernel]; i++) {
        struct nearest one = { .fitted = kernels->model[kernel][i] };

        kernels->steps += region_steps * (double)one.fitted->regions;
        one.region = blocked_region_of(one.fitted, size, &one.away);
        if (one.away < best.away ||
            (one.away == best.away && one.region->error < best.region->error))
            best = one;
    }
    return best;
}

/* Models of dtrsm of side R take the sizes in the other order. */
static double modelled_s(struct cyclic_kernels *kernels, enum cyclic_kernel kernel,
                         const double *size)
{
    const bool is_right = kernel == CYCLIC_TRSM && kernels->is_right;
    const double turned[BLOCKED_MAX_SIZES] = { size[1], size[0] }, *const of =
                                                                       is_right ? turned : size;
    double (*const flops)(const double *) = is_right ? flops_right : kernels_of[kernel].flops;
    const struct nearest nearest = nearest_region(kernels, kernel, of);
    const struct blocked_routine *routine = nearest.fitted->kernel.routine;
    struct fr_prediction *out = kernels->run->out;
    double at[BLOCKED_MAX_SIZES] = { 0 }, scale = 1, weight = 1, median_s;

    out->used |= FR_USE(ROUTINE_MODELS);
    blocked_clamp(nearest.region, of, routine->sizes, at);
    blocked_sums(nearest.fitted, nearest.region, at, BLOCKED_MED, 1, &median_s);
    if (nearest.away > 1) {
        scale = fmax(1, flops(of) / flops(at));
        for (size_t d = 0; d < routine->sizes; d++)
            if (of[d] != at[d])
                weight = fr_extrapolate_call(out, routine->path, of, routine->sizes, d,
                                             of[d] < at[d] ? at[d] : nearest.fitted->low[d],
                                             of[d] > at[d] ? at[d] : nearest.fitted->high[d]);
    }
    return fmax(0, median_s * scale * weight);
}

/* ---- efficiencies on square operands ----------------------------------------------------------
 */

static uint64_t bits_of(double size)
{
    uint64_t bits;

    memcpy(&bits, &size, sizeof bits);
    return bits;
}

/* The cube root of the rate of one core at a size. */
static double root_of_rate(struct cyclic_kernels *kernels, enum cyclic_kernel kernel, double size)
{
    struct cyclic_root *known =
        &kernels->root[kernel][cyclic_slot_of(bits_of(size), CYCLIC_CALL_BITS)];

    if (known->size != size) {
        known->size = size;
        known->root = cbrt(fr_kernel_rate(kernels->run, kernels_of[kernel].routine, size,
                                          (double)kernels->threads));
    }
    return known->root;
}

/* docs/models/block_cyclic.md#decision-geometric-mean-of-efficiencies */
static double square_s(struct cyclic_kernels *kernels, enum cyclic_kernel kernel,
                       const double *size)
{
    double rate = (double)kernels->threads;

    for (size_t i = 0; i < 3; i++)
        rate *= root_of_rate(kernels, kernel, size[kernels_of[kernel].side[i]]);
    return kernels_of[kernel].flops(size) / rate;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Seconds of a call of sizes that are positive, from its slot or into it. */
static double call_s(struct cyclic_kernels *kernels, enum cyclic_kernel kernel, double a, double b,
                     double c)
{
    const uint64_t key = (bits_of(a) * 3 + bits_of(b)) * 5 + bits_of(c) + kernel;
    struct cyclic_call *known = &kernels->call[cyclic_slot_of(key, CYCLIC_CALL_BITS)];

    if (known->size[0] != a || known->size[1] != b || known->size[2] != c ||
        known->kernel != kernel) {
        *known = (struct cyclic_call){ .size = { a, b, c }, .kernel = kernel };
        kernels->steps += lookup_steps;
        known->time_s = kernels->slowest *
                        (kernels->cost[kernel].count ? costing_s(kernels, kernel, known->size)
                         : kernels->models[kernel]   ? modelled_s(kernels, kernel, known->size)
                                                     : square_s(kernels, kernel, known->size));
    }
    return known->time_s;
}

double cyclic_gemm_s(struct cyclic_kernels *kernels, double m, double n, double k)
{
    if (m <= 0 || n <= 0 || k <= 0)
        return 0;
    return call_s(kernels, CYCLIC_GEMM, m, n, k);
}

double cyclic_gemm_of_matrix_s(struct cyclic_kernels *kernels, double m, double n, double k,
                               double matrix_bytes)
{
    const double cached_s = cyclic_gemm_s(kernels, m, n, k);
    double memory_s;

    if (cached_s <= 0 || !kernels->memory_cost.count)
        return cached_s;
    kernels->steps += lookup_steps;
    kernels->run->out->used |= FR_USE(CALLS);
    memory_s = kernels->slowest * fr_call_s(kernels->run, &kernels->memory_cost, m, n, k);
    return cached_s + cyclic_memory_share(kernels, matrix_bytes) * fmax(0, memory_s - cached_s);
}

double cyclic_trsm_s(struct cyclic_kernels *kernels, double o, double h)
{
    if (o <= 0 || h <= 0)
        return 0;
    return call_s(kernels, CYCLIC_TRSM, o, h, 0);
}

double cyclic_syrk_s(struct cyclic_kernels *kernels, double n, double k)
{
    if (n <= 0 || k <= 0)
        return 0;
    if (!kernels->cost[CYCLIC_SYRK].count && !kernels->models[CYCLIC_SYRK] &&
        !kernels->run->cal->rate[FR_DSYRK].count)
        return cyclic_gemm_s(kernels, n, n, k) / 2;
    return call_s(kernels, CYCLIC_SYRK, n, k, 0);
}

/* The least time of a call that is divided along one size: the rates at the others are known. */
static double least_s(struct cyclic_kernels *kernels, enum cyclic_kernel kernel, const double *size,
                      double a, double b)
{
    if (kernels->cost[kernel].count) {
        const struct call_sizes of = sizes_of(kernel, size);

        return kernels->slowest * fr_call_least_s(&kernels->cost[kernel], of.m, of.n, of.k);
    }
    if (kernels->models[kernel] || kernels->fastest_root[kernel] <= 0)
        return 0;
    return kernels->slowest * kernels_of[kernel].flops(size) /
           (kernels->fastest_root[kernel] * root_of_rate(kernels, kernel, a) *
            root_of_rate(kernels, kernel, b) * (double)kernels->threads);
}

double cyclic_gemm_least_s(struct cyclic_kernels *kernels, double m, double n, double k)
{
    const double size[] = { m, n, k };

    return m <= 0 || n <= 0 || k <= 0 ? 0 : least_s(kernels, CYCLIC_GEMM, size, m, k);
}

double cyclic_trsm_least_s(struct cyclic_kernels *kernels, double o, double h)
{
    const double size[] = { o, h };

    return o <= 0 || h <= 0 ? 0 : least_s(kernels, CYCLIC_TRSM, size, o, o);
}
