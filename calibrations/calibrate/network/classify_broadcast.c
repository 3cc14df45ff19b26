/* Chooses the broadcast algorithm whose times are closest to those of MPI_Bcast. */
#include "calibrations/calibrate/network/sizes.h"

#include <math.h>

#include "calibrations/calibrate/core/sample.h"

/* Algorithms whose times differ by less cannot be distinguished. */
static const double indistinct = 0.03;

static double distance(const struct fr_broadcast_time *time, int algorithm)
{
    return fabs(log(time->own_s / time->algorithm_s[algorithm]));
}

static int choose(const struct fr_broadcast_time *time, int algorithms, int before)
{
    int best = 0;

    for (int a = 1; a < algorithms; a++)
        if (distance(time, a) < distance(time, best))
            best = a;
    if (before >= 0 && distance(time, before) < distance(time, best) + indistinct)
        return before;
    return best;
}

int fr_classify_broadcast(const struct fr_broadcast_time *times, int count, int algorithms,
                          struct fr_broadcast_choice rows[FR_CLASSIFY_SIZES], double *error)
{
    double errors[FR_CLASSIFY_SIZES];
    int chosen[FR_CLASSIFY_SIZES], rows_made = 0;

    for (int i = 0; i < count; i++)
        chosen[i] = choose(&times[i], algorithms, i ? chosen[i - 1] : -1);
    for (int i = 1; i + 1 < count; i++)
        if (chosen[i - 1] == chosen[i + 1])
            chosen[i] = chosen[i - 1];
    for (int i = 0; i < count; i++) {
        const bool is_last = i + 1 == count;

        errors[i] = fabs(times[i].algorithm_s[chosen[i]] / times[i].own_s - 1);
        if (is_last || chosen[i] != chosen[i + 1])
            rows[rows_made++] =
                (struct fr_broadcast_choice){ is_last ? HUGE_VAL : times[i].message_bytes,
                                              chosen[i] };
    }
    *error = fr_sample_median(errors, count);
    return rows_made;
}
