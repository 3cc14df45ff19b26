#include "calibrations/calibrate/core/document.h"

#include <ctype.h>
#include <string.h>

#include "engine/forerun.h"
#include "server/json/writer.h"

enum { LINE = 96, NESTING_MAX = 24 };

struct reading {
    struct fr_arena *arena;
    const char *at, *end;
    int depth;
};

static bool is_next(struct reading *r, char c)
{
    while (r->at < r->end && strchr(" \t\n\r", *r->at) && *r->at)
        r->at++;
    return r->at < r->end && *r->at == c;
}

static bool take(struct reading *r, char c)
{
    const bool is_there = is_next(r, c);

    r->at += is_there;
    return is_there;
}

/* Returns the next string with its quotation marks, or NULL. */
static char *take_string(struct reading *r)
{
    const char *const from = r->at;

    for (r->at++; r->at < r->end && *r->at; r->at++) {
        if (*r->at == '\\') {
            r->at++;
        } else if (*r->at == '"') {
            r->at++;
            return fr_arena_text(r->arena, from, (size_t)(r->at - from));
        }
    }
    return NULL;
}

static const char *take_word(struct reading *r)
{
    const char *const from = r->at;

    while (r->at < r->end && (isalnum((unsigned char)*r->at) || strchr("+-.", *r->at)) && *r->at)
        r->at++;
    return r->at > from ? fr_arena_text(r->arena, from, (size_t)(r->at - from)) : NULL;
}

static void append(struct fr_node *into, struct fr_node *node)
{
    if (into->last)
        into->last->next = node;
    else
        into->first = node;
    into->last = node;
}

static struct fr_node *take_value(struct reading *r);

/* Returns the next member or value, or NULL. */
static struct fr_node *take_member(struct reading *r, bool is_of_object)
{
    struct fr_node *node;
    char *key = NULL;

    if (is_of_object && (!is_next(r, '"') || !(key = take_string(r)) || !take(r, ':')))
        return NULL;
    node = take_value(r);
    if (node && key) {
        key[strlen(key) - 1] = '\0';
        node->key = key + 1;
    }
    return node;
}

static struct fr_node *take_container(struct reading *r, enum fr_node_kind kind, char closing)
{
    struct fr_node *const container = fr_tree_new(r->arena, kind);

    if (!container || r->depth == NESTING_MAX)
        return NULL;
    if (take(r, closing))
        return container;
    r->depth++;
    do {
        struct fr_node *const member = take_member(r, kind == FR_NODE_OBJECT);

        if (!member)
            return NULL;
        append(container, member);
    } while (take(r, ','));
    r->depth--;
    return take(r, closing) ? container : NULL;
}

static struct fr_node *take_value(struct reading *r)
{
    struct fr_node *node;

    if (take(r, '{'))
        return take_container(r, FR_NODE_OBJECT, '}');
    if (take(r, '['))
        return take_container(r, FR_NODE_ARRAY, ']');
    node = fr_tree_new(r->arena, FR_NODE_VALUE);
    if (node)
        node->text = is_next(r, '"') ? take_string(r) : take_word(r);
    return node && node->text ? node : NULL;
}

struct fr_node *fr_tree_read(struct fr_arena *arena, const char *text, size_t length)
{
    struct reading r = { .arena = arena, .at = text, .end = text + length };
    struct fr_node *const node = take_value(&r);

    is_next(&r, '\0');
    return r.at == r.end ? node : NULL;
}

struct fr_node *fr_tree_new(struct fr_arena *arena, enum fr_node_kind kind)
{
    struct fr_node *const node = fr_arena_zeroed(arena, 1, sizeof *node);

    if (node) {
        node->kind = kind;
        node->key = "";
    }
    return node;
}

bool fr_tree_is_null(const struct fr_node *node)
{
    return node->text && strcmp(node->text, "null") == 0;
}

static struct fr_node *find(const struct fr_node *object, const char *key)
{
    struct fr_node *node = object ? object->first : NULL;

    while (node && strcmp(node->key, key) != 0)
        node = node->next;
    return node;
}

struct fr_node *fr_tree_find(const struct fr_node *object, const char *key)
{
    struct fr_node *const node = find(object, key);

    return node && !fr_tree_is_null(node) ? node : NULL;
}

bool fr_tree_equals(const struct fr_node *a, const struct fr_node *b)
{
    if (!a || !b || a->kind != b->kind)
        return a == b;
    if (a->text)
        return strcmp(a->text, b->text) == 0;
    for (a = a->first, b = b->first; a && b; a = a->next, b = b->next)
        if (strcmp(a->key, b->key) != 0 || !fr_tree_equals(a, b))
            return false;
    return a == b;
}

struct fr_node *fr_tree_put(struct fr_arena *arena, struct fr_node *into, const char *key,
                            const struct fr_node *node)
{
    struct fr_node *own = into->kind == FR_NODE_OBJECT ? find(into, key) : NULL;
    struct fr_node *const next = own ? own->next : NULL;

    if (!own) {
        own = fr_tree_new(arena, node->kind);
        if (!own)
            return NULL;
        append(into, own);
    }
    *own = *node;
    own->key = key;
    own->next = next;
    return own;
}

int fr_tree_graft(struct fr_arena *arena, struct fr_node *into, const struct fr_node *from)
{
    for (const struct fr_node *node = from->first; node; node = node->next) {
        struct fr_node *const own = find(into, node->key);
        const bool is_in_both = own && own->kind == FR_NODE_OBJECT && node->kind == FR_NODE_OBJECT;

        if (is_in_both ? fr_tree_graft(arena, own, node) != 0
                       : !fr_tree_put(arena, into, node->key, node))
            return -1;
    }
    return 0;
}

/* Bytes of the text without blanks. */
static size_t size_of(const struct fr_node *node)
{
    size_t size = node->text ? strlen(node->text) : 1;

    for (const struct fr_node *child = node->first; child; child = child->next)
        size += (node->kind == FR_NODE_OBJECT ? strlen(child->key) + 3 : 0) + size_of(child) + 1;
    return size;
}

static void write_node(const struct fr_node *node, int depth, bool is_flat, struct fr_writer *out)
{
    const bool is_object = node->kind == FR_NODE_OBJECT;

    if (node->text) {
        fr_writer_text(out, node->text);
        return;
    }
    /* The document itself always takes several lines. */
    is_flat = is_flat || (depth && size_of(node) <= (size_t)(LINE - 2 * depth));
    fr_writer_text(out, is_object ? "{" : "[");
    for (const struct fr_node *child = node->first; child; child = child->next) {
        if (!is_flat)
            fr_writer_printf(out, "\n%*s", 2 * depth + 2, "");
        else if (is_object || child != node->first)
            fr_writer_text(out, " ");
        if (is_object)
            fr_writer_printf(out, "\"%s\": ", child->key);
        write_node(child, depth + 1, is_flat, out);
        if (child->next)
            fr_writer_text(out, ",");
    }
    if (!is_flat)
        fr_writer_printf(out, "\n%*s", 2 * depth, "");
    else if (is_object && node->first)
        fr_writer_text(out, " ");
    fr_writer_text(out, is_object ? "}" : "]");
}

void fr_tree_write(const struct fr_node *node, struct fr_writer *out)
{
    write_node(node, 0, false, out);
    fr_writer_text(out, "\n");
}
