/* Lists regions in the order of their errors. */
#include "calibrations/calibrate/blocked/modeling.h"

#include <inttypes.h>
#include <stdio.h>

/* The worst region after `last`; of equal errors the first is listed first. */
static const struct blocked_piece *next_worst(const struct blocked_model *model,
                                              const struct blocked_piece *last)
{
    const struct blocked_piece *worst = NULL;

    for (size_t i = 0; i < model->pieces; i++) {
        const struct blocked_piece *piece = &model->piece[i];
        const bool is_listed =
            last && (piece->error > last->error || (piece->error == last->error && piece <= last));

        if (!is_listed && (!worst || piece->error > worst->error))
            worst = piece;
    }
    return worst;
}

static int write_region(const struct blocked_routine *routine, const struct blocked_piece *piece,
                        char *out, size_t size)
{
    size_t used = 0;

    for (size_t d = 0; d < routine->sizes && used < size; d++)
        used += (size_t)snprintf(out + used, size - used, "%s%s %" PRId64 " to %" PRId64,
                                 d ? ", " : " ", routine->size_names[d], piece->box.min[d],
                                 piece->box.max[d]);
    if (used < size)
        used += (size_t)snprintf(out + used, size - used, " (%.0f %%)", 100 * piece->error);
    return (int)used;
}

size_t fr_missed_write(const struct blocked_routine *routine, const struct blocked_model *model,
                       double eps, char out[FR_MISSED_BYTES])
{
    const struct blocked_piece *piece = NULL;
    size_t missed = 0, used;
    char region[120];

    for (size_t i = 0; i < model->pieces; i++)
        missed += model->piece[i].error > eps;
    if (!missed)
        return 0;
    used = (size_t)snprintf(out, FR_MISSED_BYTES,
                            "%zu of %zu regions missed the error bound of %.3g %%:", missed,
                            model->pieces, 100 * eps);
    for (size_t i = 0; i < missed; i++) {
        piece = next_worst(model, piece);
        if (used + (size_t)write_region(routine, piece, region, sizeof region) + 10 >
            FR_MISSED_BYTES) {
            snprintf(out + used, FR_MISSED_BYTES - used, "; ...");
            break;
        }
        used += (size_t)snprintf(out + used, FR_MISSED_BYTES - used, "%s%s", i ? ";" : "", region);
    }
    return missed;
}
