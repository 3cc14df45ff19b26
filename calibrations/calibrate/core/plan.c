/* What fits into the time limit. */
#include "calibrations/calibrate/core/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double fr_plan_operation_s(const struct fr_plan *plan, int processes, double messages, double bytes)
{
    const double rounds = 3 * ceil(log2(processes)); /* barrier and reductions */

    return messages * (plan->all.latency_s + bytes * plan->all.inverse_bandwidth_s_per_byte) +
           rounds * plan->all.latency_s;
}

void fr_plan_add(struct fr_plan *plan, const char *what, int processes, int layers, int operations,
                 double expected_s)
{
    struct fr_plan_item *item = &plan->item[plan->items];

    if (plan->items == FR_PLAN_ITEMS_MAX)
        return;
    *item = (struct fr_plan_item){
        .processes = processes, .layers = layers, .operations = operations, .expected_s = expected_s
    };
    snprintf(item->what, sizeof item->what, "%s", what);
    plan->items++;
}

double fr_plan_expected_s(const struct fr_plan *plan, int index)
{
    const double correction = plan->expected_s > 0 ? plan->spent_s / plan->expected_s : 1;

    return plan->item[index].expected_s * correction;
}

/* Several layers tell less than one, but more than half as many processes. */
static bool tells_more(const struct fr_plan_item *a, const struct fr_plan_item *b)
{
    const double half = 0.75; /* of a factor of two in the processes */

    return a->processes * (a->layers > 1 ? half : 1) > b->processes * (b->layers > 1 ? half : 1);
}

bool fr_plan_fits(const struct fr_plan *plan, int index, double left_s)
{
    double needed_s = fr_plan_expected_s(plan, index);

    for (int i = 0; i < plan->items; i++)
        if (!plan->item[i].is_over && tells_more(&plan->item[i], &plan->item[index]))
            needed_s += fr_plan_expected_s(plan, i);
    return needed_s <= left_s;
}

void fr_plan_name(const char *bench, int64_t processes, char out[FR_PLAN_WHAT_BYTES])
{
    snprintf(out, FR_PLAN_WHAT_BYTES, "%s of %lld processes", bench, (long long)processes);
}

int fr_plan_find(const struct fr_plan *plan, const char *what)
{
    for (int i = 0; i < plan->items; i++)
        if (strcmp(plan->item[i].what, what) == 0)
            return i;
    return -1;
}

void fr_plan_print(const struct fr_plan *of, double limit_s)
{
    struct fr_plan plan = *of;
    double total_s = 0;

    printf("%-36s %10s %10s\n", "measurement", "operations", "seconds");
    for (int i = 0; i < plan.items; i++) {
        struct fr_plan_item *item = &plan.item[i];
        const bool fits = fr_plan_fits(&plan, i, limit_s - total_s);

        printf("%-36s %10d %10.2f%s\n", item->what, item->operations, item->expected_s,
               fits ? "" : " left out");
        item->is_over = true;
        total_s += fits ? item->expected_s : 0;
    }
    printf("%-36s %10s %10.2f\n", "together", "", total_s);
}
