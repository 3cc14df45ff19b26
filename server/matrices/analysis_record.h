/* A record of the output of forerun-analyze: one line of JSON. */
#ifndef FR_ANALYSIS_RECORD_H
#define FR_ANALYSIS_RECORD_H

#include "server/store/store.h"

enum fr_record_kind {
    FR_RECORD_PROGRESS,
    FR_RECORD_FACTS,
    FR_RECORD_PERMUTATIONS,
    FR_RECORD_FRONTS,
    FR_RECORD_ORDERING,
    FR_RECORD_PARTITION,
    FR_RECORD_FAILED,
    FR_RECORD_END
};

enum { FR_RECORD_REASON = 240 };

/* Members that a record does not have are 0 or empty. */
struct fr_analysis_record {
    enum fr_record_kind kind;
    double fraction;
    char stage[32], reason[FR_RECORD_REASON], row_permutation[24];
    char ordering[16], status[16];
    char partition[16];
    double owners_s, messages_s; /* of a partition */
    int64_t n, nnz, structural_rank, processes;
    struct fr_matrix_ordering result; /* only its numbers */
    struct sparse_multifrontal tree;  /* of fronts; its operations are those of `result` */
    struct sparse_front_share share;
    int64_t bytes; /* bytes that follow the line */
};

/* Parses a line; false, with the reason in `why`, if it is not a record. */
bool fr_analysis_record_read(const char *line, size_t length, struct fr_analysis_record *out,
                             char *why, size_t why_size);

#endif
