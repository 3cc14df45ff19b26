/* JSON as a tree, so that the calibrator needs no JSON library.  Nothing is decoded: keys and
 * values stay as they are in the text. */
#ifndef FR_TREE_H
#define FR_TREE_H

#include <stdbool.h>
#include <stddef.h>

struct fr_arena;
struct fr_writer;

enum fr_node_kind { FR_NODE_VALUE, FR_NODE_OBJECT, FR_NODE_ARRAY };

struct fr_node {
    enum fr_node_kind kind;
    const char *key;              /* without its quotation marks; "" in an array */
    const char *text;             /* of a value, with its quotation marks; else NULL */
    struct fr_node *first, *last; /* members or values */
    struct fr_node *next;
};

/* Returns NULL for text that is not one JSON value, and if memory runs out. */
struct fr_node *fr_tree_read(struct fr_arena *arena, const char *text, size_t length);
struct fr_node *fr_tree_new(struct fr_arena *arena, enum fr_node_kind kind);

/* The member with that key, unless it is null; NULL without one.  Accepts NULL. */
struct fr_node *fr_tree_find(const struct fr_node *object, const char *key);
bool fr_tree_is_null(const struct fr_node *node);
/* NULL equals only NULL. */
bool fr_tree_equals(const struct fr_node *a, const struct fr_node *b);

/* Appends a copy of the node, or replaces the member with that key.  Returns the copy, which shares
 * what is below it; NULL if memory runs out. */
struct fr_node *fr_tree_put(struct fr_arena *arena, struct fr_node *into, const char *key,
                            const struct fr_node *node);
/* Puts all members of an object, those of objects in both one by one.  Returns 0, or -1 if memory
 * runs out. */
int fr_tree_graft(struct fr_arena *arena, struct fr_node *into, const struct fr_node *from);

/* Appends an indented text; what fits is on one line. */
void fr_tree_write(const struct fr_node *node, struct fr_writer *out);

#endif
