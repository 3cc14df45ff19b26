/* The column orderings of a sparse matrix, the default first.  A new one also needs a function
 * order_NAME in server/analyze/ordering.c. */
#ifndef FR_SPARSE_ORDERINGS_H
#define FR_SPARSE_ORDERINGS_H

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

#endif
