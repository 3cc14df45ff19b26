/* Every table whose rows a copy takes along, those first to which others refer:
 * TABLE(NAME, name, types, page, columns, values), or with the name and the place of a large value,
 * which belongs to the row that the first column names, LARGE(NAME, name, types, page, columns,
 * values, large, place).  No include guard: statements.h makes a statement that reads a page and
 * one that adds a row of each, and copy.c the list of tables.
 *
 *   types    of the columns: i integer, r real, t text, b bytes; of a large value: L, its length
 *   page     KEYED(column): after a row whose key, the first column, is ?1; PLACED(columns): after
 *            so many rows
 *
 * Not here: run_values and run_counts, which follow from the runs, and the claims of daemons.
 */
#define KEYED(key) "WHERE " key " > ?1 ORDER BY " key " LIMIT ?2"
#define PLACED(order) "ORDER BY " order " LIMIT ?2 OFFSET ?1"
#define V2 "?1, ?2"
#define V4 V2 ", ?3, ?4"
#define V5 V4 ", ?5"
#define V7 V5 ", ?6, ?7"
#define V10 V7 ", ?8, ?9, ?10"
#define V11 V10 ", ?11"
#define V15 V11 ", ?12, ?13, ?14, ?15"
#define V18 V15 ", ?16, ?17, ?18"

TABLE(MACHINES, machines, "tttt", PLACED("name"), "name, description, facts_json, updated_at", V4)
TABLE(CALIBRATIONS, calibrations, "ittttttii", KEYED("sequence"),
      "sequence, id, machine, created_at, uploaded_at, groups, document, owner, kept_bytes",
      V7 ", ?8, ?9")
TABLE(
    RUNS, runs, "ittttttttrtii", KEYED("sequence"),
    "sequence, id, machine, model, calibration, started_at, uploaded_at, job, parameters, time_s, "
    "document, owner, kept_bytes",
    V11 ", ?12, ?13")
TABLE(MATRICES, matrices, "itttttttiiiiriiiiiitiiii", KEYED("sequence"),
      "sequence, id, name, uploaded_at, format, field, symmetry, title, bytes, n, entries, nnz, "
      "structural_symmetry, lower_bandwidth, upper_bandwidth, zero_diagonals, empty_rows, "
      "empty_columns, structural_rank, row_permutation, supernode_max, supernode_relax, owner, "
      "kept_bytes",
      V18 ", ?19, ?20, ?21, ?22, ?23, ?24")
LARGE(MATRIX_FILES, matrix_files, "ibL", KEYED("matrix"), "matrix, spy", V2, "source", "?3")
TABLE(MATRIX_ORDERINGS, matrix_orderings, "iittiititiiiiirrrrrii", KEYED("sequence"),
      "sequence, matrix, ordering, row_permutation, supernode_max, supernode_relax, status, "
      "attempts, reason, supernodes, nnz_lu, nnz_lu_unrelaxed, blocks, updates, flops, fill, "
      "ordering_s, symbolic_s, extraction_s, client, turn",
      V18 ", ?19, ?20, ?21")
LARGE(MATRIX_STRUCTURES, matrix_structures, "iL", KEYED("ordering"), "ordering", "?1", "bytes",
      "?2")
LARGE(MATRIX_PERMUTATIONS, matrix_permutations, "iittL", KEYED("sequence"),
      "sequence, matrix, ordering, row_permutation", V4, "bytes", "?5")
TABLE(MATRIX_PARTITIONS, matrix_partitions, "iitititiiiiiirriii", KEYED("sequence"),
      "sequence, matrix, division, processes, status, attempts, reason, messages, words, "
      "most_neighbours, most_words, most_rows, largest_message, imbalance, seconds, bytes, "
      "client, turn",
      V15 ", ?16, ?17, ?18")
LARGE(MATRIX_PARTITION_FACTS, matrix_partition_facts, "iL", KEYED("partition"), "partition", "?1",
      "facts", "?2")
TABLE(MATRIX_FRONTS, matrix_fronts, "itiiiiriiii", PLACED("matrix, ordering, processes"),
      "matrix, ordering, processes, fronts, largest_front, factor_entries, flops, most_entries, "
      "all_entries, most_indices, all_indices",
      V11)
TABLE(TOKENS, tokens, "itttttttttii", KEYED("sequence"),
      "sequence, name, scope, hash, machines, note, created_at, expires_at, last_used_at, "
      "revoked_at, keep_bytes, kept_bytes",
      V10 ", ?11, ?12")
TABLE(AUDIT, audit, "itttttttti", KEYED("sequence"),
      "sequence, at, token, address, command, action, kind, id, machine, count", V10)

#undef KEYED
#undef PLACED
#undef V2
#undef V4
#undef V5
#undef V7
#undef V10
#undef V11
#undef V15
#undef V18
