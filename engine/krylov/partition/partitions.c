/* The names of the partitions. */
#include "engine/krylov/partition/partition.h"

const char *const krylov_partitions[] = { KRYLOV_PARTITIONS(KRYLOV_PARTITION_STRING), NULL };
