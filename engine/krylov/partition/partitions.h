/* How the rows of a matrix are divided among processes, the default first.  A new way also needs a
 * function in server/analyze/owners.c. */
#ifndef FR_KRYLOV_PARTITIONS_H
#define FR_KRYLOV_PARTITIONS_H

#include <stdint.h>

#define KRYLOV_PARTITIONS(each) each(contiguous), each(metis)

#define KRYLOV_PARTITION_ITSELF(name) name
#define KRYLOV_PARTITION_ENUM(name) KRYLOV_PARTITION_##name
#define KRYLOV_PARTITION_STRING(...) KRYLOV_PARTITION_STRING_OF(__VA_ARGS__)
#define KRYLOV_PARTITION_STRING_OF(...) #__VA_ARGS__

enum { KRYLOV_PARTITIONS(KRYLOV_PARTITION_ENUM), KRYLOV_PARTITION_COUNT };

/* The largest partition: processes, and messages of one exchange. */
enum { KRYLOV_PARTITION_MOST_PROCESSES = 65536, KRYLOV_PARTITION_MOST_MESSAGES = 4000000 };
/* The most rows, and entries, of one process: sums over all fit into 63 bits. */
#define KRYLOV_PARTITION_MOST_ROWS INT64_C(0x7fffffff)
#define KRYLOV_PARTITION_MOST_ENTRIES (INT64_C(1) << 40)

/* "contiguous, metis", for messages. */
#define KRYLOV_PARTITION_LIST KRYLOV_PARTITION_STRING(KRYLOV_PARTITIONS(KRYLOV_PARTITION_ITSELF))

/* The names, ended by NULL. */
extern const char *const krylov_partitions[KRYLOV_PARTITION_COUNT + 1];

#endif
