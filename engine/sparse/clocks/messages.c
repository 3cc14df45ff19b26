/* Sizes of panels and times of messages. */
#include "engine/sparse/clocks/clocks.h"

#include <math.h>
#include <string.h>

static double bandwidth_at(const struct sparse_network *network, double bytes)
{
    const size_t last = network->points - 1;
    size_t i = 0;
    double share;

    if (bytes <= network->point[0].bytes)
        return network->point[0].bytes_per_s;
    if (bytes >= network->point[last].bytes)
        return network->point[last].bytes_per_s;
    while (bytes > network->point[i + 1].bytes)
        i++;
    share = log10(bytes / network->point[i].bytes) /
            log10(network->point[i + 1].bytes / network->point[i].bytes);
    return network->point[i].bytes_per_s +
           share * (network->point[i + 1].bytes_per_s - network->point[i].bytes_per_s);
}

struct sparse_sending sparse_sending_of(const struct sparse_network *network, double bytes)
{
    struct sparse_sending sending = { 0 };

    if (bytes > 0)
        sending.port_s = bytes / bandwidth_at(network, bytes);
    sending.time_s = sending.port_s;
    if (bytes > 0 && network->bandwidth != SPARSE_EFFECTIVE)
        sending.time_s += network->latency_s;
    return sending;
}

struct sparse_sending sparse_panel_sending(const struct sparse_network *network, double index_bytes,
                                           double value_bytes)
{
    const bool is_one = network->messages_per_panel == 1;
    const struct sparse_sending first =
        sparse_sending_of(network, is_one ? index_bytes + value_bytes : index_bytes);
    const struct sparse_sending second = sparse_sending_of(network, is_one ? 0 : value_bytes);

    return (struct sparse_sending){ first.time_s + second.time_s, first.port_s + second.port_s };
}

double sparse_message_s(const struct sparse_network *network, double bytes)
{
    return sparse_sending_of(network, bytes).time_s;
}

static void add_l(struct sparse_panel *panel, int32_t rows, int32_t width, double index_bytes)
{
    if (!panel->is_there)
        panel->index_bytes = 2 * index_bytes;
    panel->is_there = true;
    panel->index_bytes += (2 + rows) * index_bytes;
    panel->value_bytes += 8 * (double)rows * width;
}

static void add_u(struct sparse_panel *panel, int32_t sum, int32_t width, double index_bytes)
{
    if (!panel->is_there)
        panel->index_bytes = 3 * index_bytes;
    panel->is_there = panel->is_off = true;
    panel->index_bytes += (2 + width) * index_bytes;
    panel->value_bytes += 8 * (double)sum;
}

void sparse_panels(const struct sparse_structure *s, struct sparse_grid grid, int64_t index_bytes,
                   int32_t k, struct sparse_panel *l, struct sparse_panel *u)
{
    const double ib = (double)index_bytes;

    memset(l, 0, (size_t)grid.rows * sizeof *l);
    memset(u, 0, (size_t)grid.columns * sizeof *u);
    add_l(&l[k % grid.rows], s->width[k], s->width[k], ib);
    for (int64_t b = s->l_at[k]; b < s->l_at[k + 1]; b++) {
        struct sparse_panel *panel = &l[s->l[b].i % grid.rows];

        add_l(panel, s->l[b].rows, s->width[k], ib);
        panel->is_off = true;
    }
    for (int64_t b = s->u_at[k]; b < s->u_at[k + 1]; b++)
        add_u(&u[s->u[b].j % grid.columns], s->u[b].sum, s->width[s->u[b].j], ib);
}

double sparse_panel_s(const struct sparse_network *network, const struct sparse_panel *panel)
{
    return sparse_panel_sending(network, panel->index_bytes, panel->value_bytes).time_s;
}

double sparse_panel_message_bytes(const struct sparse_network *network,
                                  const struct sparse_panel *panel)
{
    return network->messages_per_panel == 2 ? fmax(panel->index_bytes, panel->value_bytes)
                                            : panel->index_bytes + panel->value_bytes;
}
