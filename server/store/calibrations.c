/* Calibration documents as uploaded.  A document never changes, since its id is a hash of its
 * content. The newest of a machine is the last upload. */
#include "server/store/sql.h"

#define CALIBRATION(member) FR_SQL_MEMBER(struct fr_stored_calibration, member)
/* CALIBRATION_COLUMNS, and the document. */
static const struct fr_sql_member members[] = {
    CALIBRATION(sequence),    CALIBRATION(id),
    CALIBRATION(machine),     CALIBRATION(created_at),
    CALIBRATION(uploaded_at), CALIBRATION(groups),
    CALIBRATION(document),    CALIBRATION(document_length),
    FR_SQL_MEMBERS_END,
};

int fr_store_add_calibration(struct fr_store *store, const char *id, const char *machine,
                             const char *created_at, const char *groups, const char *document,
                             size_t length)
{
    int result = fr_sql_begin(store);

    if (result != FR_STORE_OK)
        return result;
    result =
        fr_sql_change(store, FR_SQL_MACHINE_ADD, FR_SQL_VALUES(machine, "", FR_FACTS_UNSTATED));
    if (result != FR_STORE_FAILED) /* the machine may exist already */
        result = fr_sql_change(store, FR_SQL_CALIBRATION_ADD,
                               FR_SQL_VALUES(id, machine, created_at, groups,
                                             fr_sql_bytes(document, length), fr_quota_owner(store),
                                             length));
    if (result == FR_STORE_OK)
        result = fr_quota_take(store, (int64_t)length);
    return fr_audit_end(store, result == FR_STORE_NONE ? FR_STORE_EXISTS : result,
                        &(struct fr_audited){
                            .action = "add", .kind = "calibration", .id = id, .machine = machine });
}

int fr_store_get_calibration(struct fr_store *store, const char *id, struct fr_arena *arena,
                             struct fr_stored_calibration *out)
{
    return fr_sql_one(store, FR_SQL_CALIBRATION_GET, FR_SQL_VALUES(id), members, arena, out);
}

int fr_store_newest_calibration(struct fr_store *store, const char *machine, struct fr_arena *arena,
                                struct fr_stored_calibration *out)
{
    return fr_sql_one(store, FR_SQL_CALIBRATION_NEWEST, FR_SQL_VALUES(machine), members, arena,
                      out);
}

int fr_store_list_calibrations(struct fr_store *store, const char *machine, int64_t before,
                               size_t limit, struct fr_arena *arena,
                               struct fr_stored_calibration **out, size_t *count)
{
    return fr_sql_list(store, FR_SQL_CALIBRATION_LIST,
                       FR_SQL_VALUES(machine, before > 0 ? before : INT64_MAX, limit), members,
                       sizeof(**out), arena, out, count);
}

int fr_store_delete_calibration(struct fr_store *store, const char *id)
{
    return fr_audit_change_alone(
        store, FR_SQL_CALIBRATION_DELETE, FR_SQL_VALUES(id),
        &(struct fr_audited){ .action = "delete", .kind = "calibration", .id = id });
}
