/* Every SQL statement of the store: STATEMENT(name, text), used as FR_SQL_name.  No include guard:
 * expanded once for the enum and the names, and once by each driver for the texts.  The texts are
 * constant; whatever a stranger sends is bound as ?N.
 *
 * They are written in what SQLite and PostgreSQL have in common.  A driver defines the rest before
 * it includes this file:
 *   NOW, DAYS_AGO(days), TIME_OF(unix_s)  times as texts, RFC 3339 UTC
 *   MEMBERS(object)    the rows (key, value) of a JSON object
 *   MEMBER(object, name)  its value, or NULL
 *   ELEMENTS(array)    the rows (value) of a JSON array that is a value of one
 *   EMPTY_BLOB(bytes)  a large value before it is written
 *   CLAIMED, IS_OWN, IS_LEFT  an analysis that this daemon takes, has taken, or that a daemon which
 *                      is gone had taken: an assignment, and two conditions
 *   LENGTH_OF(large)   the length of a large value
 *   WITH_SEQUENCE      allows an insertion to choose the number of a row
 *   COUNTER_OF(table), SET_COUNTER(table, number)  the largest number that a row had
 */
#define MACHINE_COLUMNS                                                                   \
    MACHINE_BRIEF                                                                         \
    ", "                                                                                  \
    "(SELECT COUNT(*) FROM calibrations WHERE machine = machines.name) AS calibrations, " \
    "(SELECT " RUNS_IN("machine = machines.name") ") AS runs "
#define MACHINE_BRIEF                                                                            \
    "name, description, facts_json, updated_at, "                                                \
    "(SELECT id FROM calibrations WHERE machine = machines.name ORDER BY sequence DESC LIMIT 1)" \
    " AS newest"
#define RUNS_IN(counts) "CAST(COALESCE(SUM(runs), 0) AS BIGINT) FROM run_counts WHERE " counts
#define CALIBRATION_COLUMNS "sequence, id, machine, created_at, uploaded_at, groups "
#define RUN_COLUMNS                                                             \
    "sequence, id, machine, model, calibration, started_at, uploaded_at, job, " \
    "parameters, time_s "
/* A run fits where none of the wanted parameters lacks the value that the run has. */
#define RUN_PAGE(of_model)                                                               \
    "WITH wanted AS MATERIALIZED (SELECT key, value FROM " MEMBERS(                      \
        "?7") " AS of_filter) "                                                          \
              "SELECT " RUN_COLUMNS ", NULL FROM runs "                                  \
              "WHERE machine = ?1 AND sequence < ?2 AND sequence > ?8 AND " of_model " " \
              "AND (?5 IS NULL OR COALESCE(started_at, uploaded_at) >= ?5) "             \
              "AND (?6 IS NULL OR COALESCE(started_at, uploaded_at) <= ?6) "             \
              "AND NOT EXISTS (SELECT 1 FROM wanted WHERE NOT EXISTS "                   \
              "(SELECT 1 FROM " ELEMENTS(                                                \
                  "wanted.value") " AS one "                                             \
                                  "WHERE one.value = " MEMBER(                           \
                                      "runs.parameters",                                 \
                                      "wanted.key") ")) "                                \
                                                    "ORDER BY sequence DESC LIMIT ?3"
#define MATRIX_COLUMNS                                                                           \
    "m.sequence, m.id, m.name, m.uploaded_at, m.format, m.field, m.symmetry, m.title, m.bytes, " \
    "m.n, m.entries, m.nnz, m.structural_symmetry, m.lower_bandwidth, m.upper_bandwidth, "       \
    "m.zero_diagonals, m.empty_rows, m.empty_columns, COALESCE(m.structural_rank, -1), "         \
    "m.row_permutation, "                                                                        \
    "m.supernode_max, m.supernode_relax, o.ordering, o.status, o.reason, o.supernodes, "         \
    "o.nnz_lu, o.nnz_lu_unrelaxed, o.blocks, o.updates, o.flops, o.fill, o.ordering_s, "         \
    "o.symbolic_s, o.extraction_s, o.row_permutation, o.supernode_max, o.supernode_relax "
#define JOIN_ORDERINGS "JOIN matrix_orderings AS o ON o.matrix = m.sequence "
#define SAME_PERMUTATIONS(p)                                      \
    p ".matrix = o.matrix AND " p ".ordering = o.ordering AND " p \
      ".row_permutation = o.row_permutation"
#define TAKEN "WHERE sequence = ?1 AND status = 'analyzing'" IS_OWN
/* After so many attempts it fails with the reason. */
#define AGAIN(most, reason)                                                        \
    "SET status = CASE WHEN attempts < " most " THEN 'queued' ELSE 'failed' END, " \
    "reason = CASE WHEN attempts < " most " THEN NULL ELSE " reason " END "
/* A queue of analyses, a row each. */
#define QUEUE(name, table)                                                                 \
    STATEMENT(name##_LEFT,                                                                 \
              "SELECT 1 FROM " table " WHERE status = 'analyzing'" IS_LEFT " LIMIT 1")     \
    STATEMENT(name##_RESTART,                                                              \
              "UPDATE " table " " AGAIN("?1", "?2") "WHERE status = 'analyzing'" IS_LEFT)  \
    STATEMENT(name##_BEGIN,                                                                \
              "UPDATE " table " SET status = 'analyzing', attempts = attempts + 1" CLAIMED \
              " WHERE sequence = ?1")                                                      \
    STATEMENT(name##_RETURN,                                                               \
              "UPDATE " table " SET status = 'queued', attempts = attempts - 1 " TAKEN)    \
    STATEMENT(name##_LOST, "UPDATE " table " " AGAIN("?2", "?3") TAKEN)                    \
    STATEMENT(name##_TAKEN, "SELECT 1 FROM " table " " TAKEN)
#define PARTITION_COLUMNS                                                                   \
    "p.division, p.processes, p.status, p.reason, p.messages, p.words, p.most_neighbours, " \
    "p.most_words, p.most_rows, p.largest_message, p.imbalance, p.seconds, p.bytes, m.n, m.nnz "
#define PARTITIONS "FROM matrix_partitions AS p JOIN matrices AS m ON m.sequence = p.matrix "
#define TOKEN_COLUMNS                                                               \
    "sequence, name, scope, machines, note, created_at, expires_at, last_used_at, " \
    "revoked_at, CASE WHEN expires_at <= " NOW " THEN 1 ELSE 0 END, keep_bytes, kept_bytes "

/* The queue of the natural ordering is another. */
#define IS_NATURAL(ordering) "(CASE WHEN " ordering " = 'natural' THEN 1 ELSE 0 END)"
/* Clients take turns: the next one follows the client's last one that waits, but comes not before
 * the next of all, so that who comes later waits for one of each of the others (start-time fair
 * queuing: Goyal, Vin, Cheng 1996, section II). */
#define TURN(table, client, alike)                                                           \
    "(SELECT 1 + COALESCE(MAX(last), 0) FROM (SELECT MAX(turn) AS last FROM " table          \
    " WHERE status = 'queued' AND client = " client alike " UNION ALL SELECT MIN(turn) - 1 " \
    "FROM " table " WHERE status = 'queued'" alike ") AS turns)"
/* What a token may keep; ?2: the setting. */
#define MAY_KEEP "(CASE WHEN keep_bytes < 0 THEN ?2 ELSE keep_bytes END)"

/* Goes through the root of each table that a daemon cannot do without. */
STATEMENT(READY,
          "SELECT (SELECT MAX(name) FROM machines), (SELECT MAX(sequence) FROM calibrations), "
          "(SELECT MAX(sequence) FROM runs), (SELECT MAX(sequence) FROM matrices), "
          "(SELECT MAX(name) FROM tokens)")

STATEMENT(MACHINE_UPDATE, "UPDATE machines SET description = ?2, facts_json = ?3, updated_at = " NOW
                          " WHERE name = ?1")
STATEMENT(MACHINE_ADD, "INSERT INTO machines (name, description, facts_json, updated_at) "
                       "VALUES (?1, ?2, ?3, " NOW ") ON CONFLICT DO NOTHING")
STATEMENT(MACHINE_GET, "SELECT " MACHINE_COLUMNS "FROM machines WHERE name = ?1")
STATEMENT(MACHINE_GLANCE, "SELECT " MACHINE_BRIEF ", 0, 0 FROM machines WHERE name = ?1")
STATEMENT(MACHINE_LIST, "SELECT " MACHINE_COLUMNS "FROM machines "
                        "WHERE name > COALESCE(?1, '') ORDER BY name LIMIT ?2")
STATEMENT(MACHINE_DELETE, "DELETE FROM machines WHERE name = ?1")

STATEMENT(
    CALIBRATION_ADD,
    "INSERT INTO calibrations (id, machine, created_at, uploaded_at, groups, document, owner, "
    "kept_bytes) VALUES (?1, ?2, ?3, " NOW ", ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING")
STATEMENT(CALIBRATION_GET,
          "SELECT " CALIBRATION_COLUMNS ", document FROM calibrations WHERE id = ?1")
STATEMENT(CALIBRATION_NEWEST, "SELECT " CALIBRATION_COLUMNS ", document FROM calibrations "
                              "WHERE machine = ?1 ORDER BY sequence DESC LIMIT 1")
STATEMENT(CALIBRATION_LIST, "SELECT " CALIBRATION_COLUMNS ", NULL FROM calibrations "
                            "WHERE machine = ?1 AND sequence < ?2 ORDER BY sequence DESC LIMIT ?3")
STATEMENT(CALIBRATION_DELETE, "DELETE FROM calibrations WHERE id = ?1")
STATEMENT(CALIBRATION_DELETE_ALL, "DELETE FROM calibrations WHERE machine = ?1")

STATEMENT(RUN_ADD,
          "INSERT INTO runs (id, machine, model, calibration, started_at, uploaded_at, job, "
          "parameters, time_s, document, owner, kept_bytes) "
          "VALUES (?1, ?2, ?3, (SELECT id FROM calibrations WHERE machine = ?2 "
          "ORDER BY sequence DESC LIMIT 1), ?4, " NOW ", ?5, ?6, ?7, ?8, ?9, ?10) "
          "ON CONFLICT DO NOTHING")
STATEMENT(RUN_GET, "SELECT " RUN_COLUMNS ", document FROM runs WHERE id = ?1")
STATEMENT(RUN_VALUES_ADD, "INSERT INTO run_values SELECT ?1, key, value FROM " MEMBERS(
                              "?2") " AS had "
                                    "WHERE value IS NOT NULL ON CONFLICT DO NOTHING")
/* Whether the model, and each value alone, fits some run. */
STATEMENT(
    RUN_MAY_FIT,
    "SELECT 1 WHERE (?2 IS NULL OR EXISTS (SELECT 1 FROM runs WHERE machine = ?1 "
    "AND model = ?2)) AND NOT EXISTS (SELECT 1 FROM " MEMBERS(
        "?3") " AS wanted WHERE NOT EXISTS "
              "(SELECT 1 FROM " ELEMENTS("wanted.value") " AS one CROSS JOIN run_values AS has "
                                                         "WHERE has.machine = ?1 AND has.name = "
                                                         "wanted.key AND has.value = one.value))")
/* The runs of a time: how many, no more than ?4, and between which sequence numbers. */
STATEMENT(RUN_SPAN, "SELECT COUNT(*), COALESCE(MIN(sequence), 0), COALESCE(MAX(sequence), 0) FROM "
                    "(SELECT sequence FROM runs WHERE machine = ?1 "
                    "AND COALESCE(started_at, uploaded_at) >= COALESCE(?2, '') "
                    "AND COALESCE(started_at, uploaded_at) <= COALESCE(?3, '~') LIMIT ?4) AS fit")
/* The first run after so many. */
#define RUN_AFTER(of_model)                                                             \
    "SELECT sequence FROM runs WHERE machine = ?1 AND sequence < ?2 AND sequence > ?3 " \
    "AND " of_model " ORDER BY sequence DESC LIMIT 1 OFFSET ?4"
STATEMENT(RUN_BEYOND, RUN_AFTER("?5 IS NULL"))
STATEMENT(RUN_BEYOND_OF_MODEL, RUN_AFTER("model = ?5"))
STATEMENT(RUN_LIST, RUN_PAGE("?4 IS NULL"))
STATEMENT(RUN_LIST_OF_MODEL, RUN_PAGE("model = ?4"))
STATEMENT(RUN_OF_MODEL, "SELECT " RUN_COLUMNS ", document FROM runs "
                        "WHERE machine = ?1 AND model = ?2 AND sequence < ?3 "
                        "ORDER BY sequence DESC LIMIT ?4")
STATEMENT(
    RUN_COUNT,
    "SELECT (SELECT " RUNS_IN(
        "machine = ?1 AND (?2 IS NULL OR model = ?2)") "), "
                                                       "COALESCE(CASE WHEN ?2 IS NULL "
                                                       "THEN (SELECT MAX(sequence) FROM runs WHERE "
                                                       "machine = ?1) ELSE "
                                                       "(SELECT MAX(sequence) FROM runs WHERE "
                                                       "machine = ?1 AND model = ?2) END, 0)")
STATEMENT(RUN_DELETE, "DELETE FROM runs WHERE id = ?1")
STATEMENT(RUN_DELETE_ALL, "DELETE FROM runs WHERE machine = ?1")

STATEMENT(MATRIX_ADD,
          "INSERT INTO matrices (id, name, uploaded_at, format, field, symmetry, title, bytes, n, "
          "entries, nnz, structural_symmetry, lower_bandwidth, upper_bandwidth, zero_diagonals, "
          "empty_rows, empty_columns, supernode_max, supernode_relax, owner, kept_bytes) "
          "VALUES (?1, ?2, " NOW ", ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, "
          "?17, ?18, ?19, ?20) ON CONFLICT DO NOTHING")
STATEMENT(MATRIX_FILE_ADD,
          "INSERT INTO matrix_files (matrix, spy, source) VALUES (?1, ?2, " EMPTY_BLOB("?3") ")")
STATEMENT(MATRIX_IS_KNOWN, "SELECT 1 FROM matrices WHERE id = ?1")
STATEMENT(MATRIX_SEQUENCE, "SELECT sequence FROM matrices WHERE id = ?1 OR name = ?1")
STATEMENT(MATRIX_GET, "SELECT " MATRIX_COLUMNS "FROM matrices AS m " JOIN_ORDERINGS
                      "WHERE m.id = ?1 OR m.name = ?1 ORDER BY o.sequence")
STATEMENT(MATRIX_LIST, "SELECT " MATRIX_COLUMNS "FROM (SELECT * FROM matrices WHERE sequence < ?1 "
                       "ORDER BY sequence DESC LIMIT ?2) AS m " JOIN_ORDERINGS
                       "ORDER BY m.sequence DESC, o.sequence")
STATEMENT(MATRIX_RENAME, "UPDATE matrices SET name = ?2 WHERE id = ?1 "
                         "AND NOT EXISTS (SELECT 1 FROM matrices WHERE name = ?2 AND id <> ?1)")
STATEMENT(MATRIX_SPY, "SELECT spy FROM matrix_files WHERE matrix = ?1")
STATEMENT(MATRIX_DELETE, "DELETE FROM matrices WHERE id = ?1")
STATEMENT(MATRIX_COUNT, "SELECT COUNT(*) FILTER (WHERE waiting = orderings), "
                        "COUNT(*) FILTER (WHERE waiting < orderings AND waiting + running > 0), "
                        "COUNT(*) FILTER (WHERE waiting + running = 0 AND ready > 0), "
                        "COUNT(*) FILTER (WHERE waiting + running + ready = 0) FROM "
                        "(SELECT COUNT(*) AS orderings, "
                        "COUNT(*) FILTER (WHERE status = 'queued') AS waiting, "
                        "COUNT(*) FILTER (WHERE status = 'analyzing') AS running, "
                        "COUNT(*) FILTER (WHERE status = 'ready') AS ready "
                        "FROM matrix_orderings GROUP BY matrix) AS matrix")

/* A structure that failed may be tried again. */
STATEMENT(
    ORDERING_QUEUE,
    "INSERT INTO matrix_orderings (matrix, ordering, row_permutation, supernode_max, "
    "supernode_relax, status, attempts, supernodes, nnz_lu, nnz_lu_unrelaxed, blocks, "
    "updates, flops, fill, ordering_s, symbolic_s, extraction_s, client, turn) "
    "VALUES (?1, ?2, ?3, ?4, ?5, 'queued', 0, 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, ?6, " TURN(
        "matrix_orderings", "?6",
        " AND " IS_NATURAL("ordering") " = " IS_NATURAL(
            "?2")) ") "
                   "ON CONFLICT (matrix, ordering, row_permutation, supernode_max, "
                   "supernode_relax) "
                   "DO UPDATE SET status = 'queued', attempts = 0, reason = NULL, "
                   "client = excluded.client, turn = excluded.turn "
                   "WHERE matrix_orderings.status = 'failed'")
/* How many other pairs of limits the matrix has. */
STATEMENT(ORDERING_LIMITS, "SELECT COUNT(*) FROM (SELECT DISTINCT supernode_max, supernode_relax "
                           "FROM matrix_orderings WHERE matrix = ?1 "
                           "AND (supernode_max <> ?2 OR supernode_relax <> ?3)) AS others")
QUEUE(ORDERING, "matrix_orderings")
/* The natural ordering fills in most by far: it waits in a queue of its own.  A structure waits for
 * another one that is finding the same permutations. */
STATEMENT(ORDERING_NEXT, "SELECT o.sequence, m.id, m.n, o.ordering, o.row_permutation, "
                         "o.supernode_max, o.supernode_relax "
                         "FROM matrix_orderings AS o JOIN matrices AS m ON m.sequence = o.matrix "
                         "WHERE o.status = 'queued' AND " IS_NATURAL(
                             "o.ordering") " = ?1 "
                                           "AND (EXISTS (SELECT 1 FROM matrix_permutations AS p "
                                           "WHERE " SAME_PERMUTATIONS(
                                               "p") ") "
                                                    "OR NOT EXISTS (SELECT 1 FROM matrix_orderings "
                                                    "AS p WHERE " SAME_PERMUTATIONS(
                                                        "p") " AND p.status = 'analyzing')) ORDER "
                                                             "BY o.turn, o.sequence LIMIT 1")
STATEMENT(ORDERING_END,
          "UPDATE matrix_orderings SET status = ?2, attempts = 0, reason = ?3, supernodes = ?4, "
          "nnz_lu = ?5, nnz_lu_unrelaxed = ?6, blocks = ?7, updates = ?8, flops = ?9, fill = ?10, "
          "ordering_s = ?11, symbolic_s = ?12, extraction_s = ?13 WHERE sequence = ?1")
STATEMENT(MATRIX_RANK, "UPDATE matrices SET structural_rank = ?2, row_permutation = ?3 "
                       "WHERE id = ?1 AND structural_rank IS NULL")
STATEMENT(STRUCTURE_ADD, "INSERT INTO matrix_structures VALUES (?1, " EMPTY_BLOB("?2") ")")
STATEMENT(STRUCTURE_FIND,
          "SELECT o.sequence, m.id FROM matrices AS m "
          "JOIN matrix_orderings AS o ON o.matrix = m.sequence "
          "WHERE (m.id = ?1 OR m.name = ?1) AND o.ordering = ?2 AND o.row_permutation = ?3 "
          "AND o.supernode_max = ?4 AND o.supernode_relax = ?5 AND o.status = 'ready'")
STATEMENT(PERMUTATIONS_ADD,
          "INSERT INTO matrix_permutations (matrix, ordering, row_permutation, bytes) "
          "SELECT sequence, ?2, ?3, " EMPTY_BLOB("?4") " FROM matrices WHERE id = ?1 "
                                                       "ON CONFLICT DO NOTHING")
STATEMENT(PERMUTATIONS_FIND, "SELECT p.sequence FROM matrix_permutations AS p "
                             "JOIN matrices AS m ON m.sequence = p.matrix "
                             "WHERE m.id = ?1 AND p.ordering = ?2 AND p.row_permutation = ?3")

STATEMENT(FRONTS_ADD, "INSERT INTO matrix_fronts SELECT sequence, ?2, ?3, ?4, ?5, ?6, ?7, "
                      "?8, ?9, ?10, ?11 FROM matrices WHERE id = ?1 ON CONFLICT DO NOTHING")
STATEMENT(FRONTS_GET,
          "SELECT m.n, m.nnz, f.processes, f.fronts, f.largest_front, f.factor_entries, f.flops, "
          "f.most_entries, f.all_entries, f.most_indices, f.all_indices FROM matrix_fronts AS f "
          "JOIN matrices AS m ON m.sequence = f.matrix "
          "WHERE m.id = ?1 AND f.ordering = ?2 AND f.processes = ?3")

STATEMENT(
    PARTITION_QUEUE,
    "INSERT INTO matrix_partitions (matrix, division, processes, status, attempts, messages, "
    "words, most_neighbours, most_words, most_rows, largest_message, imbalance, seconds, bytes, "
    "client, turn) VALUES (?1, ?2, ?3, 'queued', 0, 0, 0, 0, 0, 0, 0, 0.0, 0.0, 0, ?4, " TURN(
        "matrix_partitions", "?4", "") ") ON CONFLICT DO NOTHING")
/* One whose facts were dropped; it is queued again as the newest. */
STATEMENT(PARTITION_RENEW, "DELETE FROM matrix_partitions WHERE matrix = ?1 AND division = ?2 "
                           "AND processes = ?3 AND status = 'ready' AND bytes = 0")
/* The newest stay. */
STATEMENT(PARTITION_TRIM,
          "DELETE FROM matrix_partitions WHERE sequence IN (SELECT sequence "
          "FROM matrix_partitions WHERE matrix = ?1 AND status IN ('ready', 'failed') "
          "ORDER BY sequence DESC LIMIT 9223372036854775807 OFFSET ?2)")
STATEMENT(PARTITION_EMPTY,
          "UPDATE matrix_partitions SET bytes = 0 WHERE sequence IN (SELECT sequence FROM "
          "(SELECT sequence, SUM(bytes) OVER (ORDER BY sequence DESC) AS total "
          "FROM matrix_partitions WHERE matrix = ?1) AS newest WHERE total > ?2) AND bytes > 0")
STATEMENT(PARTITION_FACTS_DROP,
          "DELETE FROM matrix_partition_facts WHERE partition IN "
          "(SELECT sequence FROM matrix_partitions WHERE matrix = ?1 AND bytes = 0)")
STATEMENT(PARTITION_LIST, "SELECT " PARTITION_COLUMNS PARTITIONS
                          "WHERE (m.id = ?1 OR m.name = ?1) AND (?2 IS NULL OR p.division = ?2) "
                          "ORDER BY p.division, p.processes")
STATEMENT(PARTITION_GET,
          "SELECT " PARTITION_COLUMNS PARTITIONS
          "WHERE (m.id = ?1 OR m.name = ?1) AND p.division = ?2 AND p.processes = ?3")
STATEMENT(PARTITION_FIND,
          "SELECT p.sequence " PARTITIONS "WHERE (m.id = ?1 OR m.name = ?1) AND p.division = ?2 "
          "AND p.processes = ?3 AND p.status = 'ready' AND p.bytes > 0")
STATEMENT(PARTITION_RETRY, "DELETE FROM matrix_partitions WHERE status = 'failed' "
                           "AND matrix = (SELECT sequence FROM matrices WHERE id = ?1)")
QUEUE(PARTITION, "matrix_partitions")
STATEMENT(
    PARTITION_NEXT,
    "SELECT p.sequence, m.id, m.n, p.division, p.processes FROM matrix_partitions AS p "
    "JOIN matrices AS m ON m.sequence = p.matrix JOIN (SELECT matrix, division "
    "FROM matrix_partitions WHERE status = 'queued' ORDER BY turn, sequence LIMIT 1) AS first "
    "ON first.matrix = p.matrix AND first.division = p.division "
    "WHERE p.status = 'queued' ORDER BY p.processes LIMIT ?1")
STATEMENT(PARTITION_END,
          "UPDATE matrix_partitions SET status = ?2, attempts = 0, reason = ?3, messages = ?4, "
          "words = ?5, most_neighbours = ?6, most_words = ?7, most_rows = ?8, "
          "largest_message = ?9, imbalance = ?10, seconds = ?11, bytes = ?12 WHERE sequence = ?1")
STATEMENT(PARTITION_FACTS_ADD,
          "INSERT INTO matrix_partition_facts VALUES (?1, " EMPTY_BLOB("?2") ")")

STATEMENT(
    TOKEN_ADD,
    "INSERT INTO tokens (name, scope, hash, machines, note, created_at, expires_at, keep_bytes) "
    "SELECT ?1, ?2, ?3, ?4, ?5, " NOW ", ?6, ?7 "
    "WHERE NOT EXISTS (SELECT 1 FROM tokens WHERE name = ?1) ON CONFLICT DO NOTHING")
STATEMENT(TOKEN_FIND, "SELECT " TOKEN_COLUMNS "FROM tokens WHERE hash = ?1")
STATEMENT(TOKEN_LIST, "SELECT " TOKEN_COLUMNS "FROM tokens "
                      "ORDER BY name, sequence")
STATEMENT(TOKEN_REVOKE,
          "UPDATE tokens SET revoked_at = " NOW " WHERE name = ?1 AND revoked_at IS NULL")
STATEMENT(TOKEN_USED, "UPDATE tokens SET last_used_at = " TIME_OF("?2") " WHERE sequence = ?1")

/* Nothing changes if the token may not keep so much more. */
STATEMENT(TOKEN_KEEP, "UPDATE tokens SET kept_bytes = kept_bytes + ?3 WHERE sequence = ?1 "
                      "AND (" MAY_KEEP " = 0 OR kept_bytes + ?3 <= " MAY_KEEP ")")
STATEMENT(TOKEN_KEPT, "SELECT kept_bytes, " MAY_KEEP " FROM tokens WHERE sequence = ?1")

STATEMENT(AUDIT_ADD,
          "INSERT INTO audit (at, token, address, command, action, kind, id, machine, count) "
          "VALUES (" NOW ", ?1, ?2, ?3, ?4, ?5, ?6, COALESCE(?7, CASE ?5 "
          "WHEN 'run' THEN (SELECT machine FROM runs WHERE id = ?6) "
          "WHEN 'calibration' THEN (SELECT machine FROM calibrations WHERE id = ?6) END), ?8)")
STATEMENT(AUDIT_LIST, "SELECT sequence, at, token, address, "
                      "command, action, kind, id, machine, count FROM audit "
                      "WHERE sequence < ?1 ORDER BY sequence DESC LIMIT ?2")

STATEMENT(AUDIT_NEWEST, "SELECT COALESCE(MAX(sequence), 0) FROM audit")
STATEMENT(AUDIT_CHANGES, "SELECT kind, machine, MAX(sequence) FROM audit WHERE sequence > ?1 "
                         "GROUP BY kind, machine")
STATEMENT(AUDIT_HAS_CHANGED, "SELECT 1 FROM audit WHERE sequence > ?2 AND machine = ?1 "
                             "AND kind IN ('run', 'machine') LIMIT 1")

/* Rows grow older with their sequence numbers: the oldest few tell whether any is too old. */
STATEMENT(PRUNE_RUNS,
          "SELECT 'run', id, machine FROM "
          "(SELECT id, machine, uploaded_at FROM runs ORDER BY sequence LIMIT ?2) AS oldest "
          "WHERE uploaded_at < " DAYS_AGO("?1"))
STATEMENT(PRUNE_CALIBRATIONS,
          "SELECT 'calibration', id, machine FROM (SELECT sequence, id, machine, ROW_NUMBER() OVER "
          "(PARTITION BY machine "
          "ORDER BY sequence DESC) AS place FROM calibrations) AS c WHERE place > ?1 "
          "AND NOT EXISTS (SELECT 1 FROM runs WHERE calibration = c.id) "
          "ORDER BY sequence LIMIT ?2")
STATEMENT(PRUNE_AUDIT, "DELETE FROM audit WHERE sequence IN "
                       "(SELECT sequence FROM audit ORDER BY sequence LIMIT ?2) "
                       "AND at < " DAYS_AGO("?1"))

/* A copy into another database (copy.c). */
#define LARGE(NAME, table, types, page, columns, values, large, place)                            \
    STATEMENT(COPY_READ_##NAME, "SELECT " columns ", " LENGTH_OF(large) " FROM " #table " " page) \
    STATEMENT(COPY_ADD_##NAME, "INSERT INTO " #table " (" columns ", " large ") " WITH_SEQUENCE   \
                               "VALUES (" values ", " EMPTY_BLOB(place) ")")
#define TABLE(NAME, table, types, page, columns, values)                    \
    STATEMENT(COPY_READ_##NAME, "SELECT " columns " FROM " #table " " page) \
    STATEMENT(COPY_ADD_##NAME,                                              \
              "INSERT INTO " #table " (" columns ") " WITH_SEQUENCE "VALUES (" values ")")
#include "server/store/tables.h"
#undef LARGE
#undef TABLE
STATEMENT(COPY_RUN_VALUES,
          "INSERT INTO run_values SELECT DISTINCT machine, key, value FROM runs, " MEMBERS(
              "runs.parameters") " AS had WHERE value IS NOT NULL ON CONFLICT DO NOTHING")
STATEMENT(COPY_COUNTER, COUNTER_OF("?1"))
STATEMENT(COPY_COUNTER_SET, SET_COUNTER("?1", "?2"))
STATEMENT(COPY_IS_USED,
          "SELECT 1 WHERE EXISTS (SELECT 1 FROM machines) OR EXISTS (SELECT 1 FROM matrices) "
          "OR EXISTS (SELECT 1 FROM tokens) OR EXISTS (SELECT 1 FROM audit)")

#undef MACHINE_COLUMNS
#undef MACHINE_BRIEF
#undef RUNS_IN
#undef CALIBRATION_COLUMNS
#undef RUN_COLUMNS
#undef RUN_PAGE
#undef RUN_AFTER
#undef MATRIX_COLUMNS
#undef JOIN_ORDERINGS
#undef SAME_PERMUTATIONS
#undef TAKEN
#undef AGAIN
#undef QUEUE
#undef PARTITION_COLUMNS
#undef PARTITIONS
#undef TOKEN_COLUMNS
#undef IS_NATURAL
#undef TURN
#undef MAY_KEEP
