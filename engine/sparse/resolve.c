/* What the parameters of sparse_lu leave open, and what they contradict. */
#include "engine/sparse/simulate.h"
#include "engine/sparse/values.h"

#include <inttypes.h>
#include <math.h>

const char *const sparse_overlaps[] = { "paper", "event", "window", NULL };

/* ---- candidates ----------------------------------------------------------------------------- */

/* The number of processes if the request determines it, otherwise 0. */
static int64_t processes_of(const struct sparse_lu *v, const struct fr_calibration *cal)
{
    if (v->processes != FR_OPEN_INT)
        return v->processes;
    if (v->cores != FR_OPEN_INT)
        return v->cores;
    if (v->nodes != FR_OPEN_INT && v->nodes <= SPARSE_MAX_PROCESSES)
        return v->nodes * cal->node.cores_per_node;
    return 0;
}

/* The kernel model and the overlap that are left open follow the constants that there are. */
static void choose_variants(struct sparse_lu *v, const struct fr_calibration *cal)
{
    const bool has_fit = sparse_has_fit(cal, false), has_window = sparse_has_fit(cal, true);

    if (v->kernel_model == FR_OPEN_CHOICE) {
        const bool is_calibrated = v->overlap == FR_OPEN_CHOICE
                                       ? has_fit || has_window
                                       : has_fit || v->overlap == SPARSE_WINDOW;

        v->kernel_model = is_calibrated ? SPARSE_CALIBRATED_RATES : SPARSE_PAPER_COUNTS;
    }
    if (v->overlap == FR_OPEN_CHOICE)
        v->overlap =
            v->kernel_model == SPARSE_CALIBRATED_RATES && has_window ? SPARSE_WINDOW : SPARSE_PAPER;
}

/* docs/models/sparse_lu.md#every-access-to-memory-misses-the-tlb */
static void choose_tlb(struct sparse_lu *v, const struct fr_calibration *cal,
                       struct fr_faults *faults)
{
    const bool is_known = !isnan(cal->memory.memory_latency_tlb_miss_s);

    if (v->tlb == FR_OPEN_CHOICE)
        v->tlb = is_known ? SPARSE_TLB_MISS : SPARSE_TLB_HIT;
    if (v->tlb == SPARSE_TLB_MISS && !is_known)
        fr_fault(faults, FR_GROUP_MISSING, "calibration",
                 "memory.memory_latency_tlb_miss_s is missing; tlb=hit needs none");
}

size_t sparse_layer_candidates(const void *values, const struct fr_calibration *cal, int64_t *out,
                               size_t capacity)
{
    struct sparse_lu v = *(const struct sparse_lu *)values;
    const int64_t processes = processes_of(&v, cal);
    size_t count = 0;

    choose_variants(&v, cal);
    for (int64_t layers = 1; layers <= SPARSE_MAX_LAYERS && count < capacity; layers *= 2)
        if (layers == 1 || (v.overlap == SPARSE_WINDOW && v.part == SPARSE_ONLY_FACTOR &&
                            processes > 0 && processes % layers == 0))
            out[count++] = layers;
    return count;
}

size_t sparse_row_candidates(const void *values, const struct fr_calibration *cal, int64_t *out,
                             size_t capacity)
{
    const struct sparse_lu *v = values;
    const int64_t layers = v->process_layers == FR_OPEN_INT ? 1 : v->process_layers;
    const int64_t processes =
        processes_of(v, cal) % layers == 0 ? processes_of(v, cal) / layers : 0;
    size_t count = 0;

    for (int64_t rows = 1; rows <= processes && rows <= SPARSE_MAX_PROCESSES; rows++)
        if (processes % rows == 0 && count < capacity)
            out[count++] = rows;
    /* If no grid fits, 1: resolve then reports why. */
    if (!count && capacity)
        out[count++] = 1;
    return count;
}

/* ---- refusals ------------------------------------------------------------------------------- */

/* Sets the process columns from the parameter that determines the number of processes. */
static void count_columns(struct sparse_lu *v, const struct fr_calibration *cal,
                          struct fr_faults *faults)
{
    const char *given = v->cores != FR_OPEN_INT   ? "cores"
                        : v->nodes != FR_OPEN_INT ? "nodes"
                                                  : "processes";
    const int64_t processes = processes_of(v, cal), layer = v->process_rows * v->process_layers;

    if (v->nodes != FR_OPEN_INT && !cal->node.cores_per_node)
        fr_fault(faults, FR_GROUP_MISSING, "calibration",
                 "node.cores_per_node is missing, so that nodes cannot be used; give processes");
    else if (v->process_columns == FR_OPEN_INT && processes % v->process_layers)
        fr_fault(faults, FR_RELATION, "process_layers",
                 "%" PRId64 " does not divide %" PRId64 " processes", v->process_layers, processes);
    else if (v->process_columns == FR_OPEN_INT && processes % layer)
        fr_fault(faults, FR_RELATION, "process_rows",
                 "%" PRId64 " does not divide %" PRId64 " processes%s", v->process_rows,
                 processes / v->process_layers, v->process_layers > 1 ? " of a layer" : "");
    else if (v->process_columns == FR_OPEN_INT)
        v->process_columns = processes / layer;
    if (v->process_columns != FR_OPEN_INT && v->process_columns > SPARSE_MAX_PROCESSES / layer)
        fr_fault(faults, FR_RANGE, v->nodes != FR_OPEN_INT ? given : "process_columns",
                 "%" PRId64 " layers of %" PRId64 "x%" PRId64
                 " processes; at most %d can be simulated",
                 v->process_layers, v->process_rows, v->process_columns, SPARSE_MAX_PROCESSES);
    v->processes = v->cores = v->nodes = FR_OPEN_INT;
}

static void check_window(struct sparse_lu *v, struct fr_faults *faults)
{
    if (v->overlap != SPARSE_WINDOW && v->lookahead_panels != FR_OPEN_INT)
        fr_fault(faults, FR_RELATION, "lookahead_panels",
                 "overlap %s looks ahead by one step; give overlap=window, or leave it out",
                 sparse_overlaps[v->overlap]);
    if (v->overlap != SPARSE_WINDOW)
        return;
    if (v->kernel_model == SPARSE_PAPER_COUNTS)
        fr_fault(faults, FR_RELATION, "overlap",
                 "window needs kernel_model=calibrated; with paper give overlap=paper or event");
    if (v->lookahead_panels == FR_OPEN_INT)
        v->lookahead_panels = 10;
}

/* Right-hand sides without a solve would change nothing. */
static void check_solves(const struct sparse_lu *v, struct fr_faults *faults)
{
    const struct {
        const char *name;
        int64_t value;
    } given[] = { { "nrhs", v->nrhs }, { "solves", v->solves } };

    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (v->part == SPARSE_ONLY_FACTOR && given[i].value != 1)
            fr_fault(faults, FR_RELATION, given[i].name,
                     "part=factor solves nothing; give part=solve or both, or leave it out");
}

static void check_layers(const struct sparse_lu *v, struct fr_faults *faults)
{
    const int64_t layers = v->process_layers;
    int64_t below = 1;

    while (2 * below <= layers)
        below *= 2;
    if (layers != below)
        fr_fault(faults, FR_RELATION, "process_layers",
                 "%" PRId64 " is not a power of 2; the nearest are %" PRId64 " and %" PRId64,
                 layers, below, 2 * below);
    if (layers > 1 && v->overlap != SPARSE_WINDOW)
        fr_fault(faults, FR_RELATION, "process_layers",
                 "overlap %s has one layer; give overlap=window, or 1",
                 sparse_overlaps[v->overlap]);
    if (layers > 1 && v->part != SPARSE_ONLY_FACTOR)
        fr_fault(faults, FR_RELATION, "process_layers",
                 "solves on %" PRId64 " layers are not modeled; give part=factor, or 1", layers);
}

void sparse_structure_key_of(const void *values, const char **matrix,
                             struct sparse_structure_key *key)
{
    const struct sparse_lu *v = values;

    *matrix = v->matrix.text;
    *key = (struct sparse_structure_key){
        .ordering = v->ordering == FR_OPEN_CHOICE ? "" : sparse_orderings[v->ordering],
        .row_permutation = sparse_row_permutations[v->row_permutation],
        .supernode_max = v->supernode_max,
        .supernode_relax = v->supernode_relax,
    };
}

/* Finds the structure, and the limits that the question left open. */
static void find_structure(struct sparse_lu *v, struct fr_faults *faults)
{
    struct sparse_structure_key key;
    const char *matrix;

    if (v->supernode_max != FR_OPEN_INT && v->supernode_relax > v->supernode_max) {
        fr_fault(faults, FR_RELATION, "supernode_relax",
                 "%" PRId64 " is more than supernode_max, %" PRId64, v->supernode_relax,
                 v->supernode_max);
        return;
    }
    sparse_structure_key_of(v, &matrix, &key);
    if (v->source)
        v->structure = v->source->find(v->source->context, matrix, &key,
                                       v->kernel_model == SPARSE_PAPER_COUNTS, faults);
    if (v->structure && v->structure->supernode_relax) {
        v->supernode_max = v->structure->supernode_max;
        v->supernode_relax = v->structure->supernode_relax;
    }
}

int sparse_resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults)
{
    struct sparse_lu *v = values;
    const size_t before = faults->count;

    choose_variants(v, cal);
    check_window(v, faults);
    check_layers(v, faults);
    check_solves(v, faults);
    if (v->kernel_model == SPARSE_PAPER_COUNTS) {
        sparse_machine_need(cal, faults);
        choose_tlb(v, cal, faults);
    } else {
        sparse_fit_need(cal, v->overlap == SPARSE_WINDOW, faults);
    }
    count_columns(v, cal, faults);
    if (v->process_layers > 1 || v->process_rows > 1 ||
        (v->process_columns != FR_OPEN_INT && v->process_columns > 1) ||
        cal->network.message_bandwidth.points.count)
        sparse_network_need(cal, faults);
    find_structure(v, faults);
    return faults->count > before ? faults->fault[before < FR_MAX_FAULTS ? before : 0].code : FR_OK;
}
