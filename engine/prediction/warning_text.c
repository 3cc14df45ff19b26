/* The sentences of warnings. */
#include "engine/calibration/calibration.h"
#include "engine/core/number.h"
#include "engine/prediction/prediction.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two digits, or whole percents. */
void fr_percent_print(double fraction, char *out, size_t size)
{
    snprintf(out, size, fraction < 0.995 ? "%.2g %%" : "%.0f %%", 100 * fraction);
}

/* Joins pointers with commas; the rest that does not fit is given as a count. */
struct pointers {
    char *text;
    size_t size, used, left_out;
};

static void add_pointer(struct pointers *list, const char *pointer)
{
    const size_t room_for_count = sizeof " and 18446744073709551615 more";

    if (list->left_out || list->used + strlen(pointer) + 2 + room_for_count > list->size)
        list->left_out++;
    else
        list->used += (size_t)snprintf(list->text + list->used, list->size - list->used, "%s%s",
                                       list->used ? ", " : "", pointer);
}

/* The pointers of assumed (or unstated) values that this prediction used. */
static void list_sources(const struct fr_prediction *prediction, const struct fr_calibration *cal,
                         enum fr_provenance kind, char *out, size_t size)
{
    struct pointers list = { out, size, 0, 0 };

    out[0] = '\0';
    for (size_t i = 0; kind == FR_FROM_ASSUMED && i < cal->sources.count; i++) {
        const struct fr_source *source = &cal->sources.row[i];

        if (source->kind == FR_FROM_ASSUMED && source->uses & prediction->used)
            add_pointer(&list, source->pointer);
    }
    for (size_t i = 0; kind == FR_FROM_UNSTATED && i < FR_USE_COUNT; i++)
        if (cal->unstated & prediction->used & FR_USE_OF(i))
            add_pointer(&list, fr_use_pointers[i]);
    if (list.left_out)
        snprintf(out + list.used, size - list.used, " and %zu more", list.left_out);
}

/* Sentences of warnings without numbers. */
static const char *const fixed_words[] = {
    [FR_WARN_ALLOCATION] = "where the job's nodes lie was not given: a compact allocation is "
                           "assumed; give allocation",
    [FR_WARN_TOPOLOGY_MAPPING] = "on a dragonfly the mapping is a forecast: every message off the "
                                 "node is taken to cross one link within a chassis",
    [FR_WARN_LINK_BANDWIDTH] = "the calibration does not say how fast the network's links are: "
                               "each is taken to be as fast as a node; state "
                               "network.topology.link_bandwidth_bytes_per_s",
    [FR_WARN_LINKS_SKIPPED] = "the loads of the network's links are not counted: the job is too "
                              "large, or its mapping does not say where its nodes lie",
    [FR_WARN_COMPUTATION] = "no saved run that matches tells the computation: it is estimated "
                            "from memory bandwidth, and may be off by a factor of two",
    [FR_WARN_COMPUTATION_SPLIT] = "the saved run gives the whole computation only: it is divided "
                                  "among the phases as memory traffic would be",
    [FR_WARN_TRANSFERRED] = "the computation is estimated, and corrected by what the nearest saved "
                            "run measured over its own estimate",
    [FR_WARN_CORE_BANDWIDTH] = "the bandwidth of one core is unknown "
                               "(memory.core_bandwidth_bytes_per_s): with fewer processes than "
                               "cores, each is taken to draw its whole share of the node's",
    [FR_WARN_SYNCHRONIZATION] = "no saved run that matches tells the computation: waiting for the "
                                "slowest process is left out; give wait_fraction or a saved run",
    [FR_WARN_BROADCAST] = "the calibration does not say how MPI broadcasts (network.broadcast): a "
                          "binomial tree for small messages and groups, scatter and allgather for "
                          "others is assumed",
};

/* `dgemm of 16 x 16 x 8` */
static void print_call(const struct fr_warning *warning, char *out, size_t size)
{
    const char *const dot = strrchr(warning->what, '.');
    size_t used = (size_t)snprintf(out, size, "%s of", dot ? dot + 1 : warning->what);

    for (size_t i = 0; i < warning->sizes && used < size; i++)
        used +=
            (size_t)snprintf(out + used, size - used, "%s%.6g", i ? " x " : " ", warning->size[i]);
}

/* What an error of the extrapolated values does to the time, as the end of a sentence; of a call,
 * whose time is extrapolated, its share of the time. */
static void print_share(const struct fr_warning *warning, char *out, size_t size)
{
    const double least = 1e-4, share = warning->share_fraction, shown = fmax(share, least);
    const char *const bound = share < least ? "less than " : "";
    char percent[32];

    out[0] = '\0';
    if (isnan(share))
        return;
    if (share <= 0) {
        snprintf(out, size, "; the time does not depend on it");
    } else if (warning->sizes) {
        fr_percent_print(shown, percent, sizeof percent);
        snprintf(out, size, "; all calls outside take %s%s of the time", bound, percent);
    } else if (!isnan(warning->expected_error_fraction)) {
        const double wrong = share * warning->expected_error_fraction;

        fr_percent_print(fmax(wrong, least), percent, sizeof percent);
        if (wrong < 1)
            snprintf(out, size, "; the time may be wrong by %s%s",
                     wrong < least ? "less than " : "", percent);
        else
            snprintf(out, size, "; the time may be wrong several times over");
    } else {
        snprintf(out, size, "; an error of 10 %% there changes the time by %s%.2g %%", bound,
                 10 * shown);
    }
}

/* A whole number as it is, others with four digits. */
static void print_number(double value, char out[FR_ROUNDED_TEXT])
{
    if (value == trunc(value))
        fr_number_text(value, out, FR_ROUNDED_TEXT);
    else
        fr_number_rounded(value, FR_NEAREST, out);
}

/* How a value compares with what is measured: "8 times that", "12 % of that"; without a number if
 * none says it. */
static void print_overshoot(const struct fr_warning *warning, char *out, size_t size)
{
    const double factor = fr_warning_overshoot(warning);
    const bool is_below = warning->value < warning->low;
    char percent[32];

    if (!isfinite(factor) || factor < 1.005) {
        snprintf(out, size, is_below ? "less" : "more");
    } else if (is_below) {
        fr_percent_print(1 / factor, percent, sizeof percent);
        snprintf(out, size, "%s of that", percent);
    } else {
        snprintf(out, size, factor >= 1000 ? "%.0f times that" : "%.3g times that", factor);
    }
}

static void print_extent(const struct fr_warning *warning, const char *value, const char *low,
                         const char *high, char *out, size_t size)
{
    const bool is_below = warning->value < warning->low;
    char call[120], times[48], subject[160];

    print_overshoot(warning, times, sizeof times);
    if (warning->sizes) {
        print_call(warning, call, sizeof call);
        snprintf(subject, sizeof subject, "a %s: its sizes are", call);
    } else {
        snprintf(subject, sizeof subject, "%s is", warning->what);
    }
    if (!warning->sizes && warning->value >= warning->low && warning->value <= warning->high) {
        snprintf(out, size, "%s of %s lies between measured values, %s to %s: the nearest serves",
                 value, warning->what, low, high);
    } else if (!warning->sizes && warning->low == warning->high) {
        snprintf(out, size, "%s measured at %s alone, and %s is %s", subject, low, value, times);
    } else {
        snprintf(out, size, "%s measured %s %s%s, and %s is %s", subject,
                 is_below ? "from" : "up to", is_below ? low : high, is_below ? " on" : "", value,
                 times);
    }
}

static void print_stall_rate(const struct fr_warning *warning, char *out, size_t size)
{
    const double percent = 100 * warning->share_fraction;
    size_t used = (size_t)snprintf(
        out, size, "the network's stall rate is unknown, so congestion is left out");

    if (percent > 0)
        used +=
            (size_t)snprintf(out + used, size - used,
                             "; with one stall a byte the time would be %.2g %% longer", percent);
    else if (percent <= 0)
        used += (size_t)snprintf(out + used, size - used, "; it would be hidden or negligible");
    snprintf(out + used, size - used, "; give stalls_per_byte or a saved run");
}

static void print_memory(const struct fr_warning *warning, char *out, size_t size)
{
    char needed[FR_BYTES_TEXT], had[FR_BYTES_TEXT], missing[FR_BYTES_TEXT];

    fr_number_bytes(warning->value, FR_NO_LESS, needed);
    fr_number_bytes(warning->high, FR_NO_MORE, had);
    fr_number_bytes(warning->value - warning->high, FR_NO_LESS, missing);
    snprintf(out, size, "a process needs %s and has %s: %s are missing", needed, had, missing);
}

void fr_warning_print(const struct fr_warning *warning, const struct fr_prediction *prediction,
                      const struct fr_calibration *cal, char *out, size_t size)
{
    char value[FR_ROUNDED_TEXT], low[FR_ROUNDED_TEXT], high[FR_ROUNDED_TEXT], pointers[400];

    if (warning->code != FR_WARN_ASSUMED && warning->code != FR_WARN_UNSTATED) {
        print_number(warning->value, value);
        print_number(warning->low, low);
        print_number(warning->high, high);
    }
    switch (warning->code) {
    case FR_WARN_EXTRAPOLATED:
        print_extent(warning, value, low, high, out, size);
        print_share(warning, out + strlen(out), size - strlen(out));
        break;
    case FR_WARN_ASSUMED:
        list_sources(prediction, cal, FR_FROM_ASSUMED, pointers, sizeof pointers);
        snprintf(out, size, "rests on values that the calibration marks as assumed: %s", pointers);
        break;
    case FR_WARN_UNSTATED:
        list_sources(prediction, cal, FR_FROM_UNSTATED, pointers, sizeof pointers);
        snprintf(out, size, "rests on values whose source the calibration does not state: %s",
                 pointers);
        break;
    case FR_WARN_MEMORY:
        print_memory(warning, out, size);
        break;
    case FR_WARN_MACHINE:
        snprintf(out, size, "%s: needs %s, and the machine has %s", warning->what, value, high);
        break;
    case FR_WARN_UNEVEN_BLOCKS:
        snprintf(out, size, "%s block columns do not divide n = %s; blocks are taken as %.4g wide",
                 low, value, warning->value / warning->low);
        break;
    case FR_WARN_UNEVEN_LAYERS:
        snprintf(out, size, "%s steps are not shared evenly by %s layers; the fullest is charged",
                 value, low);
        break;
    case FR_WARN_ROUNDED:
        snprintf(out, size, "a collective of %s processes is charged as one of %s", value, high);
        break;
    case FR_WARN_OVERSUBSCRIBED:
        snprintf(out, size, "%s processes share the %s cores of a node", value, high);
        break;
    case FR_WARN_COMPUTATION_SCALED:
        snprintf(out, size, "the saved run had %s rows a process; its times are scaled to %s", low,
                 value);
        break;
    case FR_WARN_PATTERN:
        snprintf(
            out, size,
            "the calibration has no matching times of the pattern %s, so its cost follows from "
            "single messages and contention factors; forerun-calibrate --only=patterns,"
            "exchange,burst on this many processes measures it",
            warning->what);
        break;
    case FR_WARN_REORDERED:
        snprintf(out, size,
                 "the models of minimum, median, average and maximum contradict each other in %s "
                 "of %s calls; the median is kept and the others are put in order around it",
                 value, high);
        break;
    case FR_WARN_PRECISION:
        snprintf(out, size,
                 "the calibration has no rates of %s arithmetic in %s: each real operation is "
                 "charged at the rate of %s precision",
                 fr_precision_name((int)warning->value), warning->what,
                 fr_precision_name((int)warning->low));
        break;
    case FR_WARN_BELOW_BOUND:
        snprintf(
            out, size,
            "%s s is faster than any schedule can be: %s allows no less than %s s; dense models "
            "respect this bound with contention_model=refined and models of kernel "
            "calls where no measured rate exceeds the calibrated peak",
            value, warning->what, low);
        break;
    case FR_WARN_MARGIN:
        snprintf(out, size,
                 "time_quantile_s and wall_time have an assumed margin of %s %%, or the largest "
                 "error of the runs if that is more: %s runs are comparable (none with what_if), "
                 "and this quantile takes %s; upload runs to /api/v1/machines/%s/runs, or state "
                 "margin_percent",
                 value, low, high, cal->machine);
        break;
    case FR_WARN_SOLVE_FIT:
        snprintf(out, size,
                 "the calibration has no sparse.solve_fit: the constants of the triangular solves "
                 "are those of another machine; forerun-calibrate --only=sparse_kernels,sparse_fit "
                 "on an idle node fits them");
        break;
    case FR_WARN_OLDER_MACHINES:
        snprintf(out, size,
                 "%s paper counts the operations of older machines; a core that does %s flops a "
                 "cycle, more than %s, was predicted up to 40 times too slow; calibrate "
                 "sparse.window_fit with forerun-calibrate --only=sparse_kernels,sparse_fit",
                 warning->what, value, low);
        break;
    case FR_WARN_SLOW_VARIANT:
        snprintf(out, size,
                 "%s: for %s right-hand sides of order %s ScaLAPACK sends B alone from process to "
                 "process, one of which works at a time; a grid with more %s moves A and B, which "
                 "is faster",
                 warning->what, value, low, warning->what);
        break;
    case FR_WARN_SAME_AS:
        snprintf(out, size,
                 "with replication=1 this is variant=%s, the usual name of this configuration; "
                 "leave replication open, or give 2 or more, for several layers",
                 warning->what);
        break;
    case FR_WARN_NOT_RANKED:
        snprintf(out, size,
                 "%s configurations were left out beside %s, as they are too much work for one "
                 "question: one of them may be better; rank says why",
                 value, low);
        break;
    case FR_WARN_ZERO_DIAGONAL:
        snprintf(
            out, size,
            "%s of %s rows have no entry on the diagonal, or a zero, by which %s divides: the "
            "solver may fail, or need more iterations; use preconditioner=none or sparse_lu, "
            "which permutes rows, or with ilu and icc of PETSc store zeros on the diagonal and "
            "give -pc_factor_shift_type nonzero",
            value, high, warning->what);
        break;
    case FR_WARN_FIT_QUALITY:
        snprintf(out, size,
                 "%s: matrices that the fit did not use are missed by a factor of %s at the median "
                 "and %s at worst; forerun-calibrate --only=sparse_kernels,sparse_fit on an idle "
                 "node fits the constants again",
                 warning->what, low, value);
        break;
    case FR_WARN_STALL_RATE:
        print_stall_rate(warning, out, size);
        break;
    case FR_WARN_BROADCAST:
    case FR_WARN_ALLOCATION:
    case FR_WARN_TOPOLOGY_MAPPING:
    case FR_WARN_LINK_BANDWIDTH:
    case FR_WARN_LINKS_SKIPPED:
    case FR_WARN_COMPUTATION:
    case FR_WARN_COMPUTATION_SPLIT:
    case FR_WARN_TRANSFERRED:
    case FR_WARN_CORE_BANDWIDTH:
    case FR_WARN_SYNCHRONIZATION:
        snprintf(out, size, "%s", fixed_words[warning->code]);
        break;
    }
}
