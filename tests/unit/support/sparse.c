#include "tests/unit/support/sparse.h"

static int64_t whole(json_t *object, const char *key)
{
    return (int64_t)golden_number(object, key);
}

static bool is_text(json_t *object, const char *key, const char *text)
{
    return strcmp(json_string_value(json_object_get(object, key)), text) == 0;
}

static struct sparse_machine machine_of(json_t *params, double clock_hz)
{
    json_t *caches = json_object_get(params, "caches"), *dgemm = json_object_get(params, "dgemm");
    json_t *dtrsv = json_object_get(params, "dtrsv"), *cache;
    struct sparse_machine machine = {
        .flop_s = golden_number(params, "gamma_cycles") / clock_hz,
        .memory_latency_s = golden_number(params, "mem_latency_cycles") / clock_hz,
        .levels = json_array_size(caches),
        .index_bytes = whole(params, "index_bytes"),
        .dgemm_block = { whole(dgemm, "MB"), whole(dgemm, "NB"), whole(dgemm, "KB") },
        .dgemm_unroll = { whole(dgemm, "Ea"), whole(dgemm, "Eb") },
        .dger_unroll = whole(json_object_get(params, "dger"), "Ey"),
        .dtrsv_unroll = whole(dtrsv, "EL"),
        .dgemm_counts = is_text(dgemm, "counts", "exact") ? SPARSE_EXACT : SPARSE_RATIO,
        .dtrsv_loads_linear = golden_number(dtrsv, "loads_linear"),
        .counts_scatter = json_is_true(json_object_get(params, "count_scatter")),
        .destination =
            is_text(params, "dest_lines", "touched") ? SPARSE_TOUCHED_LINES : SPARSE_WHOLE_BLOCK,
    };
    size_t q;

    json_array_foreach(caches, q, cache) machine.level[q] = (struct sparse_level){
        .capacity_bytes = 8 * golden_number(cache, "capacity_doubles"),
        .line_bytes = 8 * golden_number(cache, "line_doubles"),
        .policy = is_text(cache, "policy", "lru") ? SPARSE_LRU : SPARSE_FIFO,
        .latency_s = golden_number(cache, "latency_cycles") / clock_hz,
    };
    return machine;
}

struct sparse_setting sparse_setting_of(json_t *params)
{
    const double clock_hz = golden_number(params, "clock_hz");
    json_t *net = json_object_get(params, "net"), *table = json_object_get(net, "bandwidth");
    struct sparse_setting setting = {
        .clock_hz = clock_hz,
        .machine = machine_of(params, clock_hz),
        .network = { .latency_s = golden_number(net, "alpha_s"),
                     .bandwidth = json_is_true(json_object_get(net, "add_latency"))
                                      ? SPARSE_ASYMPTOTIC
                                      : SPARSE_EFFECTIVE,
                     .points = json_array_size(table),
                     .index_bytes = whole(params, "index_bytes"),
                     .messages_per_panel = whole(params, "messages_per_panel"),
                     .overlap = is_text(params, "overlap", "event") ? SPARSE_EVENT : SPARSE_PAPER },
    };
    struct fr_faults faults = { 0 };

    for (size_t i = 0; i < setting.network.points; i++) {
        json_t *point = json_array_get(table, i);

        setting.network.point[i].bytes = json_number_value(json_array_get(point, 0));
        setting.network.point[i].bytes_per_s = json_number_value(json_array_get(point, 1));
    }
    if (sparse_machine_check(&setting.machine, &faults) ||
        sparse_network_check(&setting.network, &faults))
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    return setting;
}

static int64_t blocks_of(json_t *lists)
{
    int64_t count = 0;
    json_t *list;
    size_t k;

    json_array_foreach(lists, k, list) count += (int64_t)json_array_size(list);
    return count;
}

static int32_t item(json_t *list, size_t index)
{
    return (int32_t)json_number_value(json_array_get(list, index));
}

struct sparse_structure *sparse_structure_of(json_t *document)
{
    json_t *width = json_object_get(document, "width"), *list, *block;
    json_t *l = json_object_get(document, "L"), *u = json_object_get(document, "U");
    struct fr_faults faults = { 0 };
    struct sparse_structure *s = sparse_structure_new(
        whole(document, "n"), (int64_t)json_array_size(width), blocks_of(l), blocks_of(u), &faults);
    int64_t at = 0;
    size_t k, b;

    if (!s)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    json_array_foreach(l, k, list)
    {
        s->width[k] = item(width, k);
        s->l_at[k] = at;
        json_array_foreach(list, b, block) s->l[at++] =
            (struct sparse_l_block){ item(block, 0), item(block, 1) };
    }
    at = 0;
    json_array_foreach(u, k, list)
    {
        s->u_at[k] = at;
        json_array_foreach(list, b, block) s->u[at++] =
            (struct sparse_u_block){ item(block, 0), item(block, 1), item(block, 2), item(block, 4),
                                     item(block, 3) };
    }
    return s;
}

struct sparse_structure *sparse_valid(struct sparse_structure *s)
{
    struct fr_faults faults = { 0 };

    if (sparse_structure_check(s, 1e12, &faults) != FR_OK)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    return s;
}

struct sparse_result sparse_run(const struct sparse_structure *s, struct sparse_grid grid,
                                const struct sparse_setting *setting)
{
    struct fr_faults faults = { 0 };
    struct sparse_work_counts *counts =
        sparse_work_counts_paper(s, grid, &setting->machine, &faults);
    const struct sparse_costs costs = sparse_costs_paper(&setting->machine);
    struct sparse_result result;

    assert_non_null(counts);
    assert_int_equal(sparse_work_counts_count_all(counts, &faults), FR_OK);
    result.totals = sparse_work_counts_totals(counts);
    assert_int_equal(sparse_clocks(counts, &costs, &setting->network, &result.times, result.clock_s,
                                   result.load_s),
                     FR_OK);
    sparse_work_counts_free(counts);
    return result;
}

static const struct sparse_structure *find(void *context, const char *matrix,
                                           const struct sparse_structure_key *key, bool is_counted,
                                           struct fr_faults *faults)
{
    const struct sparse_shelf *shelf = context;
    const char *missing = "matrix";

    (void)is_counted;
    for (size_t i = 0; i < shelf->count; i++) {
        if (strcmp(shelf->of[i].name, matrix) != 0)
            continue;
        if (!shelf->of[i].ordering || strcmp(shelf->of[i].ordering, key->ordering) == 0)
            return shelf->of[i].s;
        missing = "ordering";
    }
    fr_fault(faults, FR_NOT_FOUND, missing, "no such structure");
    return NULL;
}

static const struct sparse_work_counts *counts_of(void *context, const struct sparse_structure *s,
                                                  struct sparse_grid grid,
                                                  const struct sparse_machine *machine,
                                                  struct fr_faults *faults)
{
    struct sparse_shelf *shelf = context;
    struct sparse_work_counts *counts;

    if (shelf->most && shelf->counted == shelf->most) {
        fr_fault(faults, FR_NOMEM, "matrix", "enough for one question");
        return NULL;
    }
    counts = sparse_work_counts_paper(s, grid, machine, faults);
    assert_non_null(counts);
    assert_int_equal(sparse_work_counts_count_all(counts, faults), FR_OK);
    assert_int_equal(sparse_work_counts_bound(counts, faults), FR_OK);
    shelf->counted++;
    shelf->lent++;
    return counts;
}

static int allow(void *context, double updates, double bytes, struct fr_faults *faults)
{
    struct sparse_shelf *shelf = context;

    assert_true(updates > 0 && bytes > 0);
    shelf->allowed++;
    if (shelf->most && shelf->allowed > shelf->most)
        return fr_fault(faults, FR_TOO_LONG, "matrix", "enough for one question");
    return FR_OK;
}

static void release(void *context, const struct sparse_work_counts *counts)
{
    ((struct sparse_shelf *)context)->lent--;
    sparse_work_counts_free((struct sparse_work_counts *)(uintptr_t)counts);
}

void sparse_shelf_begin(struct sparse_shelf *shelf)
{
    memset(shelf, 0, sizeof *shelf);
    shelf->source = (struct fr_structure_source){ shelf, find, counts_of, allow, release };
}

void sparse_shelf_add(struct sparse_shelf *shelf, const char *name, const char *ordering,
                      const struct sparse_structure *s)
{
    shelf->of[shelf->count].name = name;
    shelf->of[shelf->count].ordering = ordering;
    shelf->of[shelf->count++].s = s;
}
