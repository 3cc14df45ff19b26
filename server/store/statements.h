/* Every SQL statement of the store: STATEMENT(name, text), used as FR_SQL_name.  No include
 * guard: expanded once for the enum and once for the texts.  The texts are constant; whatever a
 * stranger sends is bound as ?N.  A list's last column is the number of its rows, so that they
 * can be placed in one array.
 */
#define NOW "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
#define MACHINE_COLUMNS                                                                          \
    "name, description, facts_json, updated_at, "                                                \
    "(SELECT id FROM calibrations WHERE machine = machines.name ORDER BY sequence DESC LIMIT 1)" \
    " AS newest, "                                                                               \
    "(SELECT COUNT(*) FROM calibrations WHERE machine = machines.name) AS calibrations, "        \
    "(SELECT COUNT(*) FROM runs WHERE machine = machines.name) AS runs "
#define CALIBRATION_COLUMNS "sequence, id, machine, created_at, uploaded_at, groups "
#define RUN_COLUMNS                                                                        \
    "sequence, id, machine, model, calibration, started_at, uploaded_at, match_key, job, " \
    "parameters, time_s "

STATEMENT(BEGIN, "BEGIN IMMEDIATE")
STATEMENT(COMMIT, "COMMIT")
STATEMENT(ROLLBACK, "ROLLBACK")
STATEMENT(VERSION, "PRAGMA data_version")
STATEMENT(READY, "SELECT name FROM machines LIMIT 1")

STATEMENT(MACHINE_UPDATE, "UPDATE machines SET description = ?2, facts_json = ?3, updated_at = " NOW
                          " WHERE name = ?1")
STATEMENT(MACHINE_ADD, "INSERT INTO machines (name, description, facts_json, updated_at) "
                       "VALUES (?1, ?2, ?3, " NOW ") ON CONFLICT DO NOTHING")
STATEMENT(MACHINE_GET, "SELECT " MACHINE_COLUMNS "FROM machines WHERE name = ?1")
STATEMENT(MACHINE_LIST, "SELECT *, COUNT(*) OVER () FROM (SELECT " MACHINE_COLUMNS "FROM machines "
                        "WHERE name > COALESCE(?1, '') ORDER BY name LIMIT ?2) ORDER BY name")
STATEMENT(MACHINE_DELETE, "DELETE FROM machines WHERE name = ?1")

STATEMENT(CALIBRATION_ADD,
          "INSERT INTO calibrations (id, machine, created_at, uploaded_at, groups, document) "
          "VALUES (?1, ?2, ?3, " NOW ", ?4, ?5) ON CONFLICT DO NOTHING")
STATEMENT(CALIBRATION_GET,
          "SELECT " CALIBRATION_COLUMNS ", document FROM calibrations WHERE id = ?1")
STATEMENT(CALIBRATION_NEWEST, "SELECT " CALIBRATION_COLUMNS ", document FROM calibrations "
                              "WHERE machine = ?1 ORDER BY sequence DESC LIMIT 1")
STATEMENT(CALIBRATION_LIST,
          "SELECT *, COUNT(*) OVER () FROM (SELECT " CALIBRATION_COLUMNS "FROM calibrations "
          "WHERE machine = ?1 AND sequence < ?2 ORDER BY sequence DESC LIMIT ?3) "
          "ORDER BY sequence DESC")
STATEMENT(CALIBRATION_DELETE, "DELETE FROM calibrations WHERE id = ?1")
STATEMENT(CALIBRATION_DELETE_ALL, "DELETE FROM calibrations WHERE machine = ?1")

STATEMENT(RUN_ADD,
          "INSERT INTO runs (id, machine, model, calibration, started_at, uploaded_at, match_key, "
          "job, parameters, time_s, document) "
          "VALUES (?1, ?2, ?3, (SELECT id FROM calibrations WHERE machine = ?2 "
          "ORDER BY sequence DESC LIMIT 1), ?4, " NOW ", ?5, ?6, ?7, ?8, ?9) "
          "ON CONFLICT DO NOTHING")
STATEMENT(RUN_GET, "SELECT " RUN_COLUMNS ", document FROM runs WHERE id = ?1")
/* A run fits where none of the wanted parameters lacks the value that the run has. */
STATEMENT(RUN_LIST,
          "SELECT *, COUNT(*) OVER () FROM (SELECT " RUN_COLUMNS "FROM runs "
          "WHERE machine = ?1 AND sequence < ?2 AND (?4 IS NULL OR model = ?4) "
          "AND (?5 IS NULL OR COALESCE(started_at, uploaded_at) >= ?5) "
          "AND (?6 IS NULL OR COALESCE(started_at, uploaded_at) <= ?6) "
          "AND NOT EXISTS (SELECT 1 FROM json_each(?7) AS wanted WHERE NOT EXISTS "
          "(SELECT 1 FROM json_each(runs.parameters) AS has, json_each(wanted.value) AS one "
          "WHERE has.key = wanted.key AND has.value = one.value)) "
          "ORDER BY sequence DESC LIMIT ?3) ORDER BY sequence DESC")
STATEMENT(RUN_FIND, "SELECT " RUN_COLUMNS ", document FROM runs "
                    "WHERE machine = ?1 AND model = ?2 AND match_key = ?3 "
                    "ORDER BY sequence DESC LIMIT ?4")
STATEMENT(RUN_OF_MODEL, "SELECT " RUN_COLUMNS ", document FROM runs "
                        "WHERE machine = ?1 AND model = ?2 AND sequence < ?3 "
                        "ORDER BY sequence DESC LIMIT ?4")
STATEMENT(RUN_COUNT, "SELECT COUNT(*), COALESCE(MAX(sequence), 0) FROM runs "
                     "WHERE machine = ?1 AND (?2 IS NULL OR model = ?2)")
STATEMENT(RUN_DELETE, "DELETE FROM runs WHERE id = ?1")
STATEMENT(RUN_DELETE_ALL, "DELETE FROM runs WHERE machine = ?1")

STATEMENT(TOKEN_ADD, "INSERT INTO tokens (name, scope, hash, created_at) "
                     "VALUES (?1, ?2, ?3, " NOW ") ON CONFLICT DO NOTHING")
STATEMENT(TOKEN_FIND, "SELECT name, scope, created_at FROM tokens WHERE hash = ?1")
STATEMENT(TOKEN_LIST, "SELECT name, scope, created_at, COUNT(*) OVER () FROM tokens ORDER BY name")
STATEMENT(TOKEN_REVOKE, "DELETE FROM tokens WHERE name = ?1")

#undef NOW
#undef MACHINE_COLUMNS
#undef CALIBRATION_COLUMNS
#undef RUN_COLUMNS
