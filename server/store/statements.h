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
    "(SELECT COUNT(*) FROM calibrations WHERE machine = machines.name) AS calibrations "
#define CALIBRATION_COLUMNS "sequence, id, machine, created_at, uploaded_at, groups "

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

STATEMENT(TOKEN_ADD, "INSERT INTO tokens (name, scope, hash, created_at) "
                     "VALUES (?1, ?2, ?3, " NOW ") ON CONFLICT DO NOTHING")
STATEMENT(TOKEN_FIND, "SELECT name, scope, created_at FROM tokens WHERE hash = ?1")
STATEMENT(TOKEN_LIST, "SELECT name, scope, created_at, COUNT(*) OVER () FROM tokens ORDER BY name")
STATEMENT(TOKEN_REVOKE, "DELETE FROM tokens WHERE name = ?1")

#undef NOW
#undef MACHINE_COLUMNS
#undef CALIBRATION_COLUMNS
