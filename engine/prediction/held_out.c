/* Errors of look-ups beyond measured values. */
#include "engine/prediction/held_out.h"

#include <string.h>

const struct fr_held_out *fr_held_out_of(const struct fr_held_outs *all, const char *what)
{
    for (size_t i = 0; all && i < all->count; i++)
        if (strcmp(all->of[i].what, what) == 0)
            return &all->of[i];
    return NULL;
}
