/* Block structures of sparse factors, their owners and forests. */
#ifndef FR_SPARSE_STRUCTURE_H
#define FR_SPARSE_STRUCTURE_H

#include "engine/core/fault.h"

#include <stdint.h>

/* The column orderings of a sparse matrix, the default first.  A new one also needs a function
 * order_NAME in server/analyze/ordering.c. */

#define SPARSE_ORDERINGS(each) each(metis), each(amd), each(colamd), each(natural)

#define SPARSE_ORDERING_ITSELF(name) name
#define SPARSE_ORDERING_ENUM(name) SPARSE_ORDERING_##name
#define SPARSE_ORDERING_STRING(...) SPARSE_ORDERING_STRING_OF(__VA_ARGS__)
#define SPARSE_ORDERING_STRING_OF(...) #__VA_ARGS__

enum { SPARSE_ORDERINGS(SPARSE_ORDERING_ENUM), SPARSE_ORDERING_COUNT };

/* "metis, amd, ...", for messages. */
#define SPARSE_ORDERING_LIST SPARSE_ORDERING_STRING(SPARSE_ORDERINGS(SPARSE_ORDERING_ITSELF))

/* The names, ended by NULL. */
extern const char *const sparse_orderings[SPARSE_ORDERING_COUNT + 1];

/* Which block structure of a matrix: its row permutation, ordering and supernode limits
 * (docs/models/sparse_lu.md#structures-of-a-matrix). */

/* How rows are permuted: where a larger product on the diagonal asks for it, never, always. */
enum { SPARSE_ROWS_AUTO, SPARSE_ROWS_NONE, SPARSE_ROWS_TRANSVERSAL, SPARSE_ROW_PERMUTATIONS };
extern const char *const sparse_row_permutations[SPARSE_ROW_PERMUTATIONS + 1];

/* The limits of the library, and its defaults. */
enum {
    SPARSE_SUPERNODE_MOST = 512,
    SPARSE_USUAL_MAX = 256,
    SPARSE_USUAL_RELAX = 60,
};

struct sparse_structure_key {
    const char *ordering, *row_permutation; /* elements of the lists of names */
    int64_t supernode_max, supernode_relax; /* 0 or less: left open */
};

/* Sets the limits that were left open: to the usual ones, or to the nearest with which relax <=
 * max. */
void sparse_structure_key_complete(struct sparse_structure_key *key, int64_t usual_max,
                                   int64_t usual_relax);

/* The block structure of a supernodal factorization A = L U
 * (docs/models/sparse_lu.md#block-structure).
 *
 * N supernodes k of width w_k.  Off the diagonal, L(i,k) has r_i full rows, U(k,j) has `cols`
 * column segments that end at the bottom of block row k.  Columns of L and rows of U are
 * contiguous: those of k are l[l_at[k]] to l[l_at[k + 1] - 1], ascending.
 *
 * Memory: 8 bytes per L block, 24 per U block, 20 per supernode.  Tens of millions of blocks are
 * common.
 */

/* 32-bit indices can number all blocks, and the square of a width fits into 30 bits. */
enum { SPARSE_MAX_SUPERNODES = 1 << 26, SPARSE_MAX_BLOCKS = 1 << 29, SPARSE_MAX_WIDTH = 32767 };

struct sparse_l_block {
    int32_t i, rows;
};
/* sum, sumsq and max of the segment lengths. */
struct sparse_u_block {
    int32_t j, cols, sum, max;
    int64_t sumsq;
};

/* What follows from a structure alone
 * (docs/models/sparse_lu.md#counts-and-useful-operations). */
struct sparse_facts {
    int64_t order, supernodes, l_blocks, u_blocks; /* blocks off the diagonal */
    int64_t widest;
    double nnz_diagonal, nnz_l, nnz_u; /* nnz_l, nnz_u: without the diagonal blocks */
    double nnz;                        /* of L+U, as SuperLU_DIST counts */
    double useful_flops;               /* F */
    double updates;                    /* block updates: sum over k of |L(k)| |U(k)| */
};

/* The caller fills it in and checks it; afterwards it is immutable. */
struct sparse_structure {
    int64_t order;
    int64_t entries;                        /* of the matrix; 0: unknown */
    int64_t supernode_max, supernode_relax; /* the limits that it was made with; 0: unknown */
    double ordering_s, symbolic_s; /* measured when it was made, on the server; 0: unknown */
    int32_t supernodes;
    int32_t *width;
    int64_t *l_at, *u_at; /* supernodes + 1 offsets each; sparse_structure_new sets the last */
    struct sparse_l_block *l;
    struct sparse_u_block *u;
    struct sparse_facts facts; /* set by sparse_structure_check */
};

/* Allocates a structure; the caller writes widths, offsets 0 to supernodes - 1 and blocks.  NULL
 * with a fault (FR_RANGE, FR_NOMEM); free with sparse_structure_free, which accepts NULL. */
struct sparse_structure *sparse_structure_new(int64_t order, int64_t supernodes, int64_t l_blocks,
                                              int64_t u_blocks, struct fr_faults *faults);
void sparse_structure_free(struct sparse_structure *s);

/* Checks validity (docs/models/sparse_lu.md#validity-of-a-block-structure) and sets the facts.  A
 * fault points into the document (`/U/3/0` is the first U block of supernode 3) and names the
 * block. More than `most_updates` updates are refused before closure is checked.  Takes O(blocks +
 * updates) time and 20 bytes per block.  FR_OK, FR_RELATION, FR_RANGE or FR_NOMEM. */
int sparse_structure_check(struct sparse_structure *s, double most_updates,
                           struct fr_faults *faults);

/* The summand of F for supernode k, an integer. */
double sparse_useful_flops(const struct sparse_structure *s, int32_t k);

/* ---- the two parts of sparse_structure_check; both append faults until FR_MAX_FAULTS are kept
 * ---- */

/* Checks widths, offsets and each block by itself.  FR_OK or FR_RELATION. */
int sparse_check_blocks(const struct sparse_structure *s, struct fr_faults *faults);
/* Checks closure: L(i,k) and U(k,j) imply (i,j).  The structure must have passed
 * sparse_check_blocks.  FR_OK, FR_RELATION or FR_NOMEM. */
int sparse_check_closure(const struct sparse_structure *s, struct fr_faults *faults);

/* A grid of Pr x Pc processes: block (i,j) belongs to (i mod Pr, j mod Pc), rank pr Pc + pc. */

enum { SPARSE_MAX_PROCESSES = 65536 };

struct sparse_grid {
    int32_t rows, columns; /* Pr, Pc */
};

static inline int64_t sparse_processes(struct sparse_grid grid)
{
    return (int64_t)grid.rows * grid.columns;
}

/* The blocks that one process of a grid accesses, numbered contiguously.
 *
 * Process (pr, pc) accesses L(i,k) of its rows, U(k,j) of its columns, own or received, and the
 * diagonal blocks of its rows.  They are numbered column by column: own U(i,j) with ascending rows,
 * the diagonal block, then L(i,j).  The destinations of an update are then found by merging two
 * ascending lists.  Received U(k,j) follow after all columns.
 */

/* A source of updates: a block of U and its local number. */
struct sparse_source {
    int32_t id;
    uint32_t u; /* index into the structure's u */
};

/* The blocks of one process; sparse_local_blocks_set reuses the arrays for the next process. */
struct sparse_local_blocks {
    const struct sparse_structure *s;
    struct sparse_grid grid;
    int32_t pr, pc;
    int32_t blocks;          /* numbered 0 to blocks - 1 */
    int32_t *top, *diagonal; /* of column j: its first number, and the number of its first block
                                with i >= j; top[N] is the end of the last column */
    int32_t *source_at;      /* N + 1: index of the first source of row k */
    int32_t *cursor;         /* N: position of sparse_local_blocks_beyond in each column */
    int32_t *row;            /* block row of each number */
    int32_t *rows;           /* its rows r, for L and diagonal blocks */
    struct sparse_source *source;
    uint16_t *row_of, *column_of; /* N: k mod Pr, k mod Pc */
    size_t room;                  /* elements of row and of rows */
};

/* Allocates for any process of the grid; borrows the structure.  NULL if memory is short; free with
 * sparse_local_blocks_free, which accepts NULL. */
struct sparse_local_blocks *sparse_local_blocks_new(const struct sparse_structure *s,
                                                    struct sparse_grid grid);
void sparse_local_blocks_free(struct sparse_local_blocks *local);
/* Numbers the blocks of one process.  O(N + blocks). */
void sparse_local_blocks_set(struct sparse_local_blocks *local, int32_t pr, int32_t pc);

/* Whether the process has the diagonal block of k, own or received. */
static inline bool sparse_local_blocks_has_diagonal(const struct sparse_local_blocks *local,
                                                    int32_t k)
{
    return local->row_of[k] == local->pr;
}

/* The first number of L(i,k), i > k; the last is before top[k + 1]. */
static inline int32_t sparse_local_blocks_l(const struct sparse_local_blocks *local, int32_t k)
{
    return local->diagonal[k] + sparse_local_blocks_has_diagonal(local, k);
}

/* The first of the numbers `at` to `end` - 1, whose rows ascend, with a row of at least i; `end` if
 * there is none.  Galloping search: a near result is found quickly. */
static inline int32_t sparse_local_blocks_seek(const int32_t *row, int32_t at, int32_t end,
                                               int32_t i)
{
    int32_t step = 1, low;

    while (at < end && row[at] < i) {
        low = at;
        at = at + step < end ? at + step : end;
        step *= 2;
        if (at == end || row[at] >= i) { /* between low and at */
            while (at - low > 1) {
                const int32_t middle = low + (at - low) / 2;

                if (row[middle] < i)
                    low = middle;
                else
                    at = middle;
            }
            return at;
        }
    }
    return at;
}

/* The first number of column j with a row greater than k; k must ascend from call to call. */
static inline int32_t sparse_local_blocks_beyond(struct sparse_local_blocks *local, int32_t j,
                                                 int32_t k)
{
    return local->cursor[j] =
               sparse_local_blocks_seek(local->row, local->cursor[j], local->top[j + 1], k + 1);
}

/* The forests of supernodes on a three-dimensional grid (docs/models/sparse_lu.md#layers).
 *
 * 2^d layers are grids of the same size.  Each layer factors a forest of level 0; of level l there
 * is one forest for 2^l neighboring layers, and the first of them factors it.  Each layer holds a
 * copy of the blocks of all forests above its own.
 */

enum { SPARSE_MAX_LAYERS = 64 };

/* Forests are numbered by level: layer z has forest z of level 0; the last forest has the roots. */
struct sparse_forests {
    int32_t layers; /* a power of 2 */
    int32_t count;  /* 2 layers - 1 */
    int32_t *of;    /* N: the forest of each supernode */
    double steps;   /* of the division, to be charged */
};

/* Divides the supernodes so that the useful operations on the longest path are few.  Integers are
 * exact below 2^53 operations.  FR_OK; FR_NOMEM or FR_TOO_LONG (a structure of many small trees)
 * without a fault.  Free with sparse_forests_free, which accepts a zeroed struct. */
int sparse_forests_init(struct sparse_forests *forests, const struct sparse_structure *s,
                        int32_t layers);
void sparse_forests_free(struct sparse_forests *forests);

/* The forest one level above; the last one has none. */
static inline int32_t sparse_forest_above(const struct sparse_forests *forests, int32_t forest)
{
    return forests->layers + forest / 2;
}

/* Whether `upper` is `forest` or above it. */
static inline bool sparse_forest_reaches(const struct sparse_forests *forests, int32_t forest,
                                         int32_t upper)
{
    while (forest < upper)
        forest = sparse_forest_above(forests, forest);
    return forest == upper;
}

#endif
