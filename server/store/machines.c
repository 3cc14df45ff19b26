/* Machines: a name, a description, and facts about the hardware. */
#include "server/store/sql.h"

#define MACHINE(member) FR_SQL_MEMBER(struct fr_machine, member)
/* MACHINE_COLUMNS. */
static const struct fr_sql_member members[] = {
    MACHINE(name),       MACHINE(description),        MACHINE(facts_json),
    MACHINE(updated_at), MACHINE(newest_calibration), MACHINE(calibrations),
    MACHINE(runs),       FR_SQL_MEMBERS_END,
};

int fr_store_put_machine(struct fr_store *store, const char *name, const char *description,
                         const char *facts_json, bool *created)
{
    const struct fr_sql_value *values = FR_SQL_VALUES(name, description ? description : "",
                                                      facts_json ? facts_json : FR_FACTS_UNSTATED);
    int result = fr_sql_begin(store);
    bool is_new;

    if (result != FR_STORE_OK)
        return result;
    result = fr_sql_change(store, FR_SQL_MACHINE_UPDATE, values);
    is_new = result == FR_STORE_NONE;
    if (is_new)
        result = fr_sql_change(store, FR_SQL_MACHINE_ADD, values);
    result = fr_audit_end(
        store, result,
        &(struct fr_audited){
            .action = is_new ? "add" : "change", .kind = "machine", .id = name, .machine = name });
    if (result == FR_STORE_OK)
        *created = is_new;
    return result;
}

int fr_store_get_machine(struct fr_store *store, const char *name, struct fr_arena *arena,
                         struct fr_machine *out)
{
    return fr_sql_one(store, FR_SQL_MACHINE_GET, FR_SQL_VALUES(name), members, arena, out);
}

int fr_store_glance_machine(struct fr_store *store, const char *name, struct fr_arena *arena,
                            struct fr_machine *out)
{
    return fr_sql_one(store, FR_SQL_MACHINE_GLANCE, FR_SQL_VALUES(name), members, arena, out);
}

int fr_store_list_machines(struct fr_store *store, const char *after, size_t limit,
                           struct fr_arena *arena, struct fr_machine **out, size_t *count)
{
    return fr_sql_list(store, FR_SQL_MACHINE_LIST, FR_SQL_VALUES(after, limit), members,
                       sizeof(**out), arena, out, count);
}

int fr_store_delete_machine(struct fr_store *store, const char *name, bool cascade)
{
    const struct fr_sql_value *values = FR_SQL_VALUES(name);
    int result = fr_sql_begin(store);

    if (result != FR_STORE_OK)
        return result;
    if (cascade) /* runs first: they refer to calibrations */
        result = fr_sql_change(store, FR_SQL_RUN_DELETE_ALL, values);
    if (cascade && result != FR_STORE_FAILED) /* it may have had none */
        result = fr_sql_change(store, FR_SQL_CALIBRATION_DELETE_ALL, values);
    if (result != FR_STORE_FAILED)
        result = fr_sql_change(store, FR_SQL_MACHINE_DELETE, values);
    return fr_audit_end(
        store, result,
        &(struct fr_audited){ .action = "delete", .kind = "machine", .id = name, .machine = name });
}
