/* Saved runs.  A run never changes, since its id is a hash of its content.  Documents may be large:
 * a page of documents is also limited in bytes. */
#include "server/store/audit.h"
#include "server/store/quota.h"

/* The order of RUN_COLUMNS. */
static bool read_listed(struct fr_row *row, struct fr_arena *arena, void *out)
{
    struct fr_stored_run run = { .sequence = fr_row_integer(row, 0),
                                 .time_s = fr_row_real(row, 9) };

    if (!fr_sql_columns(row, 1, arena,
                        FR_SQL_COLUMNS(&run.id, &run.machine, &run.model, &run.calibration,
                                       &run.started_at, &run.uploaded_at, &run.job,
                                       &run.parameters)))
        return false;
    *(struct fr_stored_run *)out = run;
    return true;
}

static bool read_whole(struct fr_row *row, struct fr_arena *arena, void *out)
{
    struct fr_stored_run run;

    if (!read_listed(row, arena, &run) ||
        !fr_sql_column(row, 10, arena, &run.document, &run.document_length))
        return false;
    *(struct fr_stored_run *)out = run;
    return true;
}

static int add_one(struct fr_store *store, const struct fr_stored_run *run)
{
    const int added = fr_sql_change(
        store, FR_SQL_RUN_ADD,
        FR_SQL_VALUES(fr_sql_text(run->id), fr_sql_text(run->machine), fr_sql_text(run->model),
                      fr_sql_text(run->started_at), fr_sql_text(run->job),
                      fr_sql_text(run->parameters), fr_sql_real(run->time_s),
                      fr_sql_bytes(run->document, run->document_length), fr_quota_owner(store),
                      fr_sql_integer((int64_t)run->document_length)));

    if (added != FR_STORE_OK)
        return added;
    return fr_sql_change(store, FR_SQL_RUN_VALUES_ADD,
                         FR_SQL_VALUES(fr_sql_text(run->machine), fr_sql_text(run->parameters))) ==
                   FR_STORE_FAILED
               ? FR_STORE_FAILED
               : FR_STORE_OK;
}

int fr_store_add_runs(struct fr_store *store, const struct fr_stored_run *runs, size_t count,
                      bool *is_new)
{
    struct fr_audited added_runs = { .action = "add", .kind = "run" };
    int64_t bytes = 0, newest = 0;
    int result = fr_sql_begin(store);

    if (result != FR_STORE_OK)
        return result;
    result = fr_sql_one(store, FR_SQL_RUN_NEWEST, NULL, fr_sql_read_integer, NULL, &newest);
    for (size_t i = 0; i < count && result == FR_STORE_OK; i++) {
        const int added = add_one(store, &runs[i]);

        is_new[i] = added == FR_STORE_OK;
        bytes += is_new[i] ? (int64_t)runs[i].document_length : 0;
        if (is_new[i] && !added_runs.count++) {
            added_runs.id = runs[i].id;
            added_runs.machine = runs[i].machine;
        }
        if (added == FR_STORE_IN_USE) /* the machine does not exist */
            result = FR_STORE_NONE;
        else if (added == FR_STORE_FAILED)
            result = added;
    }
    if (result == FR_STORE_OK)
        result = fr_quota_take(store, bytes);
    if (result == FR_STORE_OK && added_runs.count) /* writers take turns: no others are between */
        result = fr_sql_change(store, FR_SQL_RUN_COUNT_ADD, FR_SQL_VALUES(fr_sql_integer(newest)));
    return added_runs.count ? fr_audit_end(store, result, &added_runs) : fr_sql_end(store, result);
}

int fr_store_get_run(struct fr_store *store, const char *id, struct fr_arena *arena,
                     struct fr_stored_run *out)
{
    return fr_sql_one(store, FR_SQL_RUN_GET, FR_SQL_VALUES(fr_sql_text(id)), read_whole, arena,
                      out);
}

int fr_store_delete_run(struct fr_store *store, const char *id)
{
    return fr_audit_change_alone(
        store, FR_SQL_RUN_DELETE, FR_SQL_VALUES(fr_sql_text(id)),
        &(struct fr_audited){ .action = "delete", .kind = "run", .id = id });
}

static struct fr_sql_value sequence_below(int64_t before)
{
    return fr_sql_integer(before > 0 ? before : INT64_MAX);
}

/* FR_STORE_NONE: no run fits, which the indexes say at once.  Else some may. */
static int look_for(struct fr_store *store, const char *machine, const struct fr_run_filter *filter,
                    const char *parameters)
{
    int64_t one;

    return fr_sql_one(store, FR_SQL_RUN_MAY_FIT,
                      FR_SQL_VALUES(fr_sql_text(machine), fr_sql_text(filter->model),
                                    fr_sql_text(filter->from), fr_sql_text(filter->to),
                                    fr_sql_text(parameters)),
                      fr_sql_read_integer, NULL, &one);
}

int fr_store_list_runs(struct fr_store *store, const char *machine,
                       const struct fr_run_filter *filter, int64_t before, size_t limit,
                       struct fr_arena *arena, struct fr_stored_run **out, size_t *count)
{
    const char *parameters = filter->parameters ? filter->parameters : "{}";
    const int result = look_for(store, machine, filter, parameters);

    if (result == FR_STORE_NONE) {
        *out = NULL;
        *count = 0;
        return FR_STORE_OK;
    }
    if (result != FR_STORE_OK)
        return result;
    return fr_sql_list(store, filter->model ? FR_SQL_RUN_LIST_OF_MODEL : FR_SQL_RUN_LIST,
                       FR_SQL_VALUES(fr_sql_text(machine), sequence_below(before),
                                     fr_sql_integer((int64_t)limit), fr_sql_text(filter->model),
                                     fr_sql_text(filter->from), fr_sql_text(filter->to),
                                     fr_sql_text(parameters)),
                       read_listed, sizeof(**out), arena, out, count);
}

/* A page of runs with their documents, while it is filled. */
struct page {
    struct fr_arena *arena;
    struct fr_stored_run *run;
    size_t count, bytes;
};

static int take(struct fr_row *row, void *context)
{
    struct page *page = context;

    page->bytes += fr_row_bytes(row, 10);
    if (page->count && page->bytes > FR_RUN_PAGE_BYTES)
        return FR_STORE_NONE;
    if (!read_whole(row, page->arena, &page->run[page->count]))
        return FR_STORE_FAILED;
    page->count++;
    return FR_STORE_OK;
}

static int read_page(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values,
                     size_t limit, struct fr_arena *arena, struct fr_stored_run **out,
                     size_t *count)
{
    struct page page = { .arena = arena, .run = fr_arena_zeroed(arena, limit, sizeof(**out)) };
    const int result = page.run ? fr_sql_each(store, id, values, take, &page) : FR_STORE_FAILED;

    if (result == FR_STORE_OK) {
        *out = page.run;
        *count = page.count;
    }
    return result;
}

int fr_store_model_runs(struct fr_store *store, const char *machine, const char *model,
                        int64_t before, size_t limit, struct fr_arena *arena,
                        struct fr_stored_run **out, size_t *count)
{
    return read_page(store, FR_SQL_RUN_OF_MODEL,
                     FR_SQL_VALUES(fr_sql_text(machine), fr_sql_text(model), sequence_below(before),
                                   fr_sql_integer((int64_t)limit)),
                     limit, arena, out, count);
}

static bool read_count(struct fr_row *row, struct fr_arena *arena, void *out)
{
    (void)arena;
    *(struct fr_run_count *)out =
        (struct fr_run_count){ fr_row_integer(row, 0), fr_row_integer(row, 1) };
    return true;
}

int fr_store_count_runs(struct fr_store *store, const char *machine, const char *model_or_null,
                        struct fr_run_count *out)
{
    return fr_sql_one(store, FR_SQL_RUN_COUNT,
                      FR_SQL_VALUES(fr_sql_text(machine), fr_sql_text(model_or_null)), read_count,
                      NULL, out);
}
