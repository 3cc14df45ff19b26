/* Merges documents: splits each into parts, selects the last of each, and puts them together.
 *
 * A part is a whole group (tool, environment), a member of any other group, a member of a kernel,
 * or a row of kernels.routine_models.
 */
#include "calibrations/calibrate/core/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/forerun.h"
#include "server/json/writer.h"

enum { DOCUMENTS_MAX = 8, MEMORY_BYTES = 1 << 30 };

/* Members that come from one measurement and are therefore merged together. */
static const char *const bundles[][4] = {
    { "/contention/message_bytes", "/contention/average", "/contention/maximum",
      "/contention/process_times" },
    { "/memory/memory_latency_s", "/memory/memory_latency_tlb_miss_s" },
    { "/network/protocols", "/network/latency_by_distance" },
    { "/memory/streams", "/memory/call_s" },
    { "/kernels/calls", "/kernels/extra_columns/by_remainder", "/kernels/extra_columns/depth_64",
      "/kernels/extra_columns/depth_128" },
    { "/kernels/variability/cores", "/kernels/variability/processor_times",
      "/kernels/variability/late_fraction" },
};

static const char models[] = "/kernels/routine_models";

struct part {
    int document;
    const struct fr_node *value;
    const char *pointer;     /* in its own document */
    const char *name;        /* the same, but that a row has its identity instead of its index */
    const char *new_pointer; /* in the merged document */
    bool is_replaced;
};

struct merging {
    struct fr_arena *arena;
    const struct fr_node *document[DOCUMENTS_MAX];
    int count;
    FR_TABLE(struct part) parts;
    struct fr_node *merged, *sources; /* the result */
    bool has_failed;                  /* out of memory */
    const char *strange;              /* a key that a pointer cannot have as it is */
    char *message;
};

static const char *join(struct merging *m, const char *pointer, const char *step)
{
    const size_t length = strlen(pointer), size = length + strlen(step) + 2;
    char *text = fr_arena_zeroed(m->arena, size, 1);

    if (text)
        snprintf(text, size, "%s/%s", pointer, step);
    m->has_failed = m->has_failed || !text;
    return text ? text : "";
}

static void add_part(struct merging *m, int document, const char *pointer, const char *name,
                     const struct fr_node *value)
{
    const size_t count = m->parts.count;

    if ((count & (count - 1)) == 0) {
        struct part *longer =
            fr_arena_longer(m->arena, m->parts.row, count, count ? 2 * count : 1, sizeof *longer);

        m->has_failed = m->has_failed || !longer;
        if (!longer)
            return;
        m->parts.row = longer;
    }
    m->parts.row[m->parts.count++] = (struct part){ .document = document,
                                                    .value = value,
                                                    .pointer = pointer,
                                                    .name = name,
                                                    .new_pointer = pointer };
}

static const char *plain(const struct fr_node *value)
{
    return value && value->text ? value->text : "";
}

/* Writes what identifies a model to the daemon (is_same in engine/blocked/check.c).  Returns false
 * if the row is not a model. */
static bool identify(const struct fr_node *row, char out[FR_WHERE_BYTES])
{
    const struct fr_node *const flags = fr_tree_find(row, "flags");
    size_t used;

    if (!fr_tree_find(row, "routine"))
        return false;
    used = (size_t)snprintf(
        out, FR_WHERE_BYTES, "%.40s %.40s %.17g", plain(fr_tree_find(row, "routine")),
        plain(fr_tree_find(row, "locality")), strtod(plain(fr_tree_find(row, "threads")), NULL));
    for (const struct fr_field *flag = fr_fields_routine_flags; flag->name && used < FR_WHERE_BYTES;
         flag++)
        used += (size_t)snprintf(out + used, FR_WHERE_BYTES - used, " %.5s",
                                 plain(fr_tree_find(flags, flag->name)));
    return true;
}

/* Adds each row; a table with an invalid row becomes one part, which the daemon refuses. */
static void add_models(struct merging *m, int document, const struct fr_node *table)
{
    char identity[FR_WHERE_BYTES], index[16];
    int row = 0;

    for (const struct fr_node *model = table->first; model; model = model->next)
        if (!identify(model, identity)) {
            add_part(m, document, models, models, table);
            return;
        }
    for (const struct fr_node *model = table->first; model; model = model->next) {
        identify(model, identity);
        snprintf(index, sizeof index, "%d", row++);
        add_part(m, document, join(m, models, index), join(m, models, identity), model);
    }
}

/* Adds the parts below a pointer: members of `levels` more levels, where there are such. */
static void add_parts(struct merging *m, int document, const char *pointer,
                      const struct fr_node *value, int levels)
{
    if (strcmp(pointer, models) == 0 && value->kind == FR_NODE_ARRAY) {
        add_models(m, document, value);
    } else if (!levels || value->kind != FR_NODE_OBJECT) {
        add_part(m, document, pointer, pointer, value);
    } else {
        for (const struct fr_node *member = value->first; member; member = member->next) {
            if (strpbrk(member->key, "/~"))
                m->strange = member->key;
            if (!fr_tree_is_null(member))
                add_parts(m, document, join(m, pointer, member->key), member, levels - 1);
        }
    }
}

static int levels_of(const char *group)
{
    const struct fr_field *field = fr_calibration_fields;

    while (field->name && strcmp(field->name, group) != 0)
        field++;
    if (!field->name || !field->group)
        return 0;
    return field->group == FR_CAL_KERNELS ? 2 : 1;
}

static int take_apart(struct merging *m, int d, const struct fr_text *text)
{
    const struct fr_node *const root = fr_tree_read(m->arena, text->text, text->length);
    const char *wrong = !root || root->kind != FR_NODE_OBJECT ? "it" : NULL;

    for (const struct fr_node *group = wrong ? NULL : root->first; group && !wrong;
         group = group->next) {
        const bool is_sources = strcmp(group->key, "sources") == 0;
        const int levels = levels_of(group->key);

        if (strpbrk(group->key, "/~"))
            m->strange = group->key;
        if (fr_tree_is_null(group) || strcmp(group->key, "environments") == 0)
            continue;
        if ((levels || is_sources) && group->kind != FR_NODE_OBJECT)
            wrong = group->key;
        else if (!is_sources)
            add_parts(m, d, join(m, "", group->key), group, levels);
    }
    m->document[d] = root;
    if (wrong || m->strange)
        snprintf(m->message, FR_MERGE_MESSAGE_BYTES, "document %d: %.70s is not %s", d + 1,
                 wrong ? wrong : m->strange, wrong ? "a JSON object" : "the name of a field");
    return wrong || m->strange ? -1 : 0;
}

/* Whether a pointer equals another or points above it. */
static bool covers(const char *pointer, const char *other)
{
    const size_t length = strlen(pointer);

    return strncmp(pointer, other, length) == 0 && (!other[length] || other[length] == '/');
}

static bool is_of_bundle(const char *name, size_t bundle)
{
    for (size_t i = 0; i < 4 && bundles[bundle][i]; i++)
        if (strcmp(name, bundles[bundle][i]) == 0)
            return true;
    return false;
}

/* Whether both cannot be in one document: one contains the other, or they are of one bundle. */
static bool excludes(const struct part *a, const struct part *b)
{
    for (size_t i = 0; i < sizeof bundles / sizeof *bundles; i++)
        if (is_of_bundle(a->name, i) && is_of_bundle(b->name, i))
            return true;
    return covers(a->name, b->name) || covers(b->name, a->name);
}

/* The cores of the merged node, which the last document that states them has; or NULL. */
static const struct fr_node *cores_of(const struct merging *m)
{
    const struct fr_node *cores = NULL;

    for (int d = m->count - 1; d >= 0 && !cores; d--)
        cores = fr_tree_find(fr_tree_find(m->document[d], "node"), "cores_per_node");
    return cores;
}

/* Whether the part is of a node with other cores than the merged one, whose peak and memory its
 * document does not know. */
static bool is_of_other_node(const struct merging *m, const struct part *part,
                             const struct fr_node *cores)
{
    const struct fr_node *const own =
        fr_tree_find(fr_tree_find(m->document[part->document], "node"), "cores_per_node");

    return covers("/node", part->name) && own && !fr_tree_equals(own, cores);
}

static void choose(struct merging *m)
{
    const struct fr_node *const cores = cores_of(m);

    for (size_t i = 0; i < m->parts.count; i++) {
        struct part *const part = &m->parts.row[i];

        part->is_replaced = is_of_other_node(m, part, cores);
        for (size_t j = i + 1; j < m->parts.count && !part->is_replaced; j++) {
            const struct part *const later = &m->parts.row[j];

            part->is_replaced = later->document > part->document && excludes(part, later) &&
                                !is_of_other_node(m, later, cores);
        }
    }
}

/* Puts a part where its pointer says, a row last. */
static void put(struct merging *m, struct part *part)
{
    const bool is_row = part->name != part->pointer;
    struct fr_node *into = m->merged;
    const char *at = part->pointer + 1;
    char index[16];
    int row = 0;

    for (const char *end; into && (end = strchr(at, '/')); at = end + 1) {
        const char *const key = fr_arena_text(m->arena, at, (size_t)(end - at));
        struct fr_node *below = key ? fr_tree_find(into, key) : NULL;

        if (key && !below) {
            const struct fr_node empty = { .kind = is_row && !strchr(end + 1, '/')
                                                       ? FR_NODE_ARRAY
                                                       : FR_NODE_OBJECT };

            below = fr_tree_put(m->arena, into, key, &empty);
        }
        into = below;
    }
    for (const struct fr_node *before = is_row && into ? into->first : NULL; before;
         before = before->next)
        row++;
    snprintf(index, sizeof index, "%d", row);
    if (is_row)
        part->new_pointer = join(m, models, index);
    if (!into || !fr_tree_put(m->arena, into, is_row ? "" : at, part->value))
        m->has_failed = true;
}

/* Puts all chosen parts in the order in which their names appear first. */
static void put_together(struct merging *m)
{
    for (size_t i = 0; i < m->parts.count; i++) {
        struct part *taken = &m->parts.row[i];
        const char *const name = taken->name;
        bool is_first = true;

        for (size_t j = 0; j < i && is_first; j++)
            is_first = m->parts.row[j].document == taken->document ||
                       strcmp(m->parts.row[j].name, name) != 0;
        for (size_t j = i + 1; j < m->parts.count && is_first && taken->is_replaced; j++)
            if (!m->parts.row[j].is_replaced && strcmp(m->parts.row[j].name, name) == 0)
                taken = &m->parts.row[j];
        if (is_first && !taken->is_replaced)
            put(m, taken);
    }
}

static void put_source(struct merging *m, const char *pointer, const struct fr_node *source)
{
    if (!fr_tree_put(m->arena, m->sources, pointer, source))
        m->has_failed = true;
}

/* Whether all chosen parts below the pointer come from this document. */
static bool is_pure(const struct merging *m, int document, const char *pointer)
{
    for (size_t i = 0; i < m->parts.count; i++) {
        const struct part *part = &m->parts.row[i];

        if (!part->is_replaced && part->document != document && covers(pointer, part->pointer))
            return false;
    }
    return true;
}

/* The tool, the environment and plain texts such as the description have no source. */
static bool has_source(const struct part *part)
{
    return !covers("/tool", part->pointer) && !covers("/environment", part->pointer) &&
           (strchr(part->pointer + 1, '/') || part->value->kind != FR_NODE_VALUE);
}

/* Restricts a source of everything below a pointer to the parts that come from its document, unless
 * the document says more of them. */
static void narrow(struct merging *m, int document, const char *pointer,
                   const struct fr_node *source)
{
    const struct fr_node *const own = fr_tree_find(m->document[document], "sources");
    const size_t length = strlen(pointer);

    for (size_t i = 0; i < m->parts.count && !m->has_failed; i++) {
        const struct part *part = &m->parts.row[i];
        const char *below;

        if (part->is_replaced || part->document != document || !covers(pointer, part->pointer) ||
            !has_source(part))
            continue;
        below = fr_arena_text(m->arena, part->pointer,
                              length + 1 + strcspn(part->pointer + length + 1, "/"));
        if (!below)
            m->has_failed = true;
        else if (fr_tree_find(own, below))
            continue;
        else if (strcmp(below, part->pointer) == 0)
            put_source(m, part->new_pointer, source);
        else if (is_pure(m, document, below))
            put_source(m, below, source);
        else
            narrow(m, document, below, source);
    }
}

static void take_source(struct merging *m, int document, const struct fr_node *source)
{
    bool has_any = false;

    for (size_t i = 0; i < m->parts.count; i++) {
        const struct part *part = &m->parts.row[i];

        if (part->document != document)
            continue;
        if (covers(part->pointer, source->key)) {
            const char *const rest = source->key + strlen(part->pointer);

            if (!part->is_replaced)
                put_source(m, *rest ? join(m, part->new_pointer, rest + 1) : part->new_pointer,
                           source);
            return;
        }
        has_any = has_any || (!part->is_replaced && covers(source->key, part->pointer));
    }
    if (has_any && *source->key && is_pure(m, document, source->key))
        put_source(m, source->key, source);
    else if (has_any)
        narrow(m, document, source->key, source);
}

static void put_sources(struct merging *m)
{
    for (int d = 0; d < m->count; d++) {
        const struct fr_node *const own = fr_tree_find(m->document[d], "sources");

        for (const struct fr_node *source = own ? own->first : NULL; source; source = source->next)
            if (!fr_tree_is_null(source))
                take_source(m, d, source);
    }
}

static void add_environment(struct merging *m, struct fr_node *all,
                            const struct fr_node *environment)
{
    for (const struct fr_node *other = all->first; other; other = other->next)
        if (fr_tree_equals(other, environment))
            return;
    if (!fr_tree_put(m->arena, all, "", environment))
        m->has_failed = true;
}

/* Keeps each environment, and those of documents that were merged before. */
static void put_environments(struct merging *m)
{
    struct fr_node all = { .kind = FR_NODE_ARRAY };

    for (int d = 0; d < m->count; d++) {
        const struct fr_node *const before = fr_tree_find(m->document[d], "environments");
        const struct fr_node *const own = fr_tree_find(m->document[d], "environment");

        for (const struct fr_node *row = before ? before->first : NULL; row; row = row->next)
            add_environment(m, &all, row);
        if (own && !(before && before->first))
            add_environment(m, &all, own);
    }
    if (all.first != all.last && !fr_tree_put(m->arena, m->merged, "environments", &all))
        m->has_failed = true;
}

static int check_same(const struct merging *m, const char *key)
{
    const struct fr_node *const first = fr_tree_find(m->document[0], key);

    for (int d = 0; d < m->count; d++) {
        const struct fr_node *const here = fr_tree_find(m->document[d], key);

        if (!here || !first) {
            snprintf(m->message, FR_MERGE_MESSAGE_BYTES, "document %d has no %s", first ? d + 1 : 1,
                     key);
            return -1;
        }
        if (!fr_tree_equals(here, first)) {
            snprintf(m->message, FR_MERGE_MESSAGE_BYTES,
                     "%s: %.70s and %.70s; they must be the same", key, plain(first), plain(here));
            return -1;
        }
    }
    return 0;
}

/* Writes a warning for each document whose environment differs from the first one stated. */
static void compare_environments(struct merging *m)
{
    static const char *const keys[] = { "cpu", "blas", "mpi" };
    const struct fr_node *first[sizeof keys / sizeof *keys] = { NULL };
    size_t used = 0;

    for (int d = 0; d < m->count; d++) {
        const struct fr_node *const own = fr_tree_find(m->document[d], "environment");

        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            const struct fr_node *const here = fr_tree_find(own, keys[k]);

            if (here && first[k] && !fr_tree_equals(here, first[k]) &&
                used < FR_MERGE_MESSAGE_BYTES)
                used += (size_t)snprintf(m->message + used, FR_MERGE_MESSAGE_BYTES - used,
                                         "%sdocument %d has another environment.%s",
                                         used ? ", " : "", d + 1, keys[k]);
            first[k] = first[k] ? first[k] : here;
        }
    }
}

/* Returns 0, or -1 with a message. */
static int merge(struct merging *m, const struct fr_text *documents, struct fr_writer *out)
{
    for (int d = 0; d < m->count; d++)
        if (take_apart(m, d, &documents[d]))
            return -1;
    if (check_same(m, "schema") || check_same(m, "machine"))
        return -1;
    choose(m);
    put_together(m);
    put_environments(m);
    put_sources(m);
    if (fr_tree_put(m->arena, m->merged, "sources", m->sources))
        fr_tree_write(m->merged, out);
    else
        m->has_failed = true;
    *m->message = '\0';
    compare_environments(m);
    if (m->has_failed || out->failed)
        snprintf(m->message, FR_MERGE_MESSAGE_BYTES, "out of memory");
    return m->has_failed || out->failed ? -1 : 0;
}

int fr_merge(const struct fr_text *documents, int count, struct fr_writer *out,
             char message[FR_MERGE_MESSAGE_BYTES])
{
    struct fr_node merged = { .kind = FR_NODE_OBJECT }, sources = { .kind = FR_NODE_OBJECT };
    struct merging m = {
        .count = count, .message = message, .merged = &merged, .sources = &sources
    };
    int status = -1;

    if (count < 1 || count > DOCUMENTS_MAX) {
        snprintf(message, FR_MERGE_MESSAGE_BYTES, "%d documents; 1 to %d can be combined", count,
                 DOCUMENTS_MAX);
        return -1;
    }
    m.arena = fr_arena_new(MEMORY_BYTES);
    if (m.arena)
        status = merge(&m, documents, out);
    else
        snprintf(message, FR_MERGE_MESSAGE_BYTES, "out of memory");
    fr_arena_free(m.arena);
    return status;
}
