/* What is kept no longer: old runs, surplus calibrations, old rows of the audit log. */
#include "server/store/sql.h"

#include <string.h>

/* The columns of PRUNE_RUNS and PRUNE_CALIBRATIONS. */
static const struct fr_sql_member members[] = {
    FR_SQL_MEMBER(struct fr_doomed, kind),
    FR_SQL_MEMBER(struct fr_doomed, id),
    FR_SQL_MEMBER(struct fr_doomed, machine),
    FR_SQL_MEMBERS_END,
};

int fr_store_list_doomed(struct fr_store *store, const struct fr_retention *rules, size_t limit,
                         struct fr_arena *arena, struct fr_doomed **out, size_t *count)
{
    *out = NULL;
    *count = 0;
    if (rules->run_days &&
        fr_sql_list(store, FR_SQL_PRUNE_RUNS, FR_SQL_VALUES(rules->run_days, limit), members,
                    sizeof(**out), arena, out, count) != FR_STORE_OK)
        return FR_STORE_FAILED;
    if (*count || !rules->calibrations)
        return FR_STORE_OK;
    return fr_sql_list(store, FR_SQL_PRUNE_CALIBRATIONS, FR_SQL_VALUES(rules->calibrations, limit),
                       members, sizeof(**out), arena, out, count);
}

static int delete_one(struct fr_store *store, const struct fr_doomed *doomed)
{
    const struct fr_audited what = {
        .action = "delete", .kind = doomed->kind, .id = doomed->id, .machine = doomed->machine
    };
    const bool is_run = strcmp(doomed->kind, "run") == 0;
    const int result = fr_sql_change(store, is_run ? FR_SQL_RUN_DELETE : FR_SQL_CALIBRATION_DELETE,
                                     FR_SQL_VALUES(doomed->id));

    return result == FR_STORE_OK ? fr_audit_add(store, &what) : FR_STORE_FAILED;
}

static int prune(struct fr_store *store, const struct fr_retention *rules, size_t limit,
                 struct fr_arena *arena, size_t *deleted)
{
    struct fr_doomed *doomed;
    int result = fr_store_list_doomed(store, rules, limit, arena, &doomed, deleted), trimmed;

    for (size_t i = 0; i < *deleted && result == FR_STORE_OK; i++)
        result = delete_one(store, &doomed[i]);
    if (result != FR_STORE_OK || !rules->audit_days)
        return result;
    trimmed = fr_sql_change(store, FR_SQL_PRUNE_AUDIT, FR_SQL_VALUES(rules->audit_days, limit));
    *deleted += trimmed == FR_STORE_OK;
    return trimmed == FR_STORE_FAILED ? trimmed : FR_STORE_OK;
}

int fr_store_prune(struct fr_store *store, const struct fr_retention *rules, size_t limit,
                   struct fr_arena *arena, size_t *deleted)
{
    int result;

    *deleted = 0;
    if (!rules->run_days && !rules->calibrations && !rules->audit_days)
        return FR_STORE_OK;
    result = fr_sql_begin(store);
    if (result != FR_STORE_OK)
        return result;
    result = fr_sql_end(store, prune(store, rules, limit, arena, deleted));
    if (result != FR_STORE_OK)
        *deleted = 0;
    return result;
}
