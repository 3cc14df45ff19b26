/* Saved runs.  A run never changes, since its id is a hash of its content.  Documents may be large:
 * a page of documents is also limited in bytes. */
#include "server/store/sql.h"

#include <string.h>

#define RUN(member) FR_SQL_MEMBER(struct fr_stored_run, member)
/* RUN_COLUMNS, and the document. */
enum { DOCUMENT = 10 };
static const struct fr_sql_member run_members[] = {
    RUN(sequence),      RUN(id),         RUN(machine),     RUN(model),
    RUN(calibration),   RUN(started_at), RUN(uploaded_at), RUN(job),
    RUN(parameters),    RUN(time_s),     RUN(document),    RUN(document_length),
    FR_SQL_MEMBERS_END,
};

/* Repetitions have the values of the run before, which are in the table of values already. */
static bool has_new_values(const struct fr_stored_run *run, const struct fr_stored_run *before)
{
    return !before || strcmp(run->parameters, before->parameters) != 0 ||
           strcmp(run->machine, before->machine) != 0;
}

/* `before` was added in the same transaction; NULL: none. */
static int add_one(struct fr_store *store, const struct fr_stored_run *run,
                   const struct fr_stored_run *before)
{
    const int added = fr_sql_change(
        store, FR_SQL_RUN_ADD,
        FR_SQL_VALUES(run->id, run->machine, run->model, run->started_at, run->job, run->parameters,
                      run->time_s, fr_sql_bytes(run->document, run->document_length),
                      fr_quota_owner(store), run->document_length));

    if (added != FR_STORE_OK || !has_new_values(run, before))
        return added;
    return fr_sql_change(store, FR_SQL_RUN_VALUES_ADD,
                         FR_SQL_VALUES(run->machine, run->parameters)) == FR_STORE_FAILED
               ? FR_STORE_FAILED
               : FR_STORE_OK;
}

static int add_all(struct fr_store *store, const struct fr_stored_run *runs, size_t count,
                   bool *is_new, struct fr_audited *added_runs)
{
    const struct fr_stored_run *before = NULL;
    int64_t bytes = 0;
    int result = FR_STORE_OK;

    if (count &&
        fr_sql_change(store, FR_SQL_MACHINE_ADD,
                      FR_SQL_VALUES(runs->machine, "", FR_FACTS_UNSTATED)) == FR_STORE_FAILED)
        result = FR_STORE_FAILED;
    for (size_t i = 0; i < count && result == FR_STORE_OK; i++) {
        const int added = add_one(store, &runs[i], before);

        is_new[i] = added == FR_STORE_OK;
        before = is_new[i] ? &runs[i] : before;
        bytes += is_new[i] ? (int64_t)runs[i].document_length : 0;
        if (is_new[i] && !added_runs->count++) {
            added_runs->id = runs[i].id;
            added_runs->machine = runs[i].machine;
        }
        if (added == FR_STORE_IN_USE) /* the machine does not exist */
            result = FR_STORE_NONE;
        else if (added == FR_STORE_FAILED)
            result = added;
    }
    return result == FR_STORE_OK ? fr_quota_take(store, bytes) : result;
}

int fr_store_add_runs(struct fr_store *store, const struct fr_stored_run *runs, size_t count,
                      bool *is_new)
{
    struct fr_audited added_runs = { .action = "add", .kind = "run" };
    int result = fr_sql_begin(store);

    if (result != FR_STORE_OK)
        return result;
    result = add_all(store, runs, count, is_new, &added_runs);
    return added_runs.count ? fr_audit_end(store, result, &added_runs) : fr_sql_end(store, result);
}

int fr_store_try_runs(struct fr_store *store, const struct fr_stored_run *runs, size_t count,
                      bool *is_new)
{
    struct fr_audited added_runs = { 0 };
    int result = fr_sql_begin(store);

    if (result != FR_STORE_OK)
        return result;
    result = add_all(store, runs, count, is_new, &added_runs);
    fr_sql_end(store, FR_STORE_NONE);
    return result;
}

int fr_store_get_run(struct fr_store *store, const char *id, struct fr_arena *arena,
                     struct fr_stored_run *out)
{
    return fr_sql_one(store, FR_SQL_RUN_GET, FR_SQL_VALUES(id), run_members, arena, out);
}

int fr_store_delete_run(struct fr_store *store, const char *id)
{
    return fr_audit_change_alone(
        store, FR_SQL_RUN_DELETE, FR_SQL_VALUES(id),
        &(struct fr_audited){ .action = "delete", .kind = "run", .id = id });
}

static struct fr_sql_value sequence_below(int64_t before)
{
    return fr_sql_integer(before > 0 ? before : INT64_MAX);
}

static const char *parameters_of(const struct fr_run_filter *filter)
{
    return filter->parameters ? filter->parameters : "{}";
}

/* Whether a run of the machine and the model may still not fit. */
static bool is_choosy(const struct fr_run_filter *filter)
{
    return filter->from || filter->to || strcmp(parameters_of(filter), "{}") != 0;
}

/* The runs that a request looks at: those with a sequence between the two. */
struct span {
    int64_t after, before;
};

struct some {
    int64_t count, least, greatest;
};

static const struct fr_sql_member some_members[] = {
    FR_SQL_MEMBER(struct some, count),
    FR_SQL_MEMBER(struct some, least),
    FR_SQL_MEMBER(struct some, greatest),
    FR_SQL_MEMBERS_END,
};

/* Narrows the span to the runs of a time, if they are few.  FR_STORE_NONE: there are none. */
static int keep_to_time(struct fr_store *store, const char *machine,
                        const struct fr_run_filter *filter, struct span *span)
{
    struct some some;
    const int result =
        fr_sql_one(store, FR_SQL_RUN_SPAN,
                   FR_SQL_VALUES(machine, filter->from, filter->to, store->limits.looked_at + 1),
                   some_members, NULL, &some);

    if (result != FR_STORE_OK || some.count > store->limits.looked_at)
        return result;
    if (!some.count)
        return FR_STORE_NONE;
    span->after = some.least - 1;
    span->before = some.greatest < span->before ? some.greatest + 1 : span->before;
    return FR_STORE_OK;
}

/* Narrows the span to as many runs as one request looks at; *rest: the others are before this. */
static int keep_to_limit(struct fr_store *store, const char *machine, const char *model,
                         struct span *span, int64_t *rest)
{
    int64_t beyond;
    const int result = fr_sql_one(
        store, model ? FR_SQL_RUN_BEYOND_OF_MODEL : FR_SQL_RUN_BEYOND,
        FR_SQL_VALUES(machine, span->before, span->after, store->limits.looked_at, model),
        fr_sql_integer_alone, NULL, &beyond);

    if (result != FR_STORE_OK)
        return fr_sql_or_none(result);
    span->after = beyond;
    *rest = beyond + 1;
    return FR_STORE_OK;
}

/* FR_STORE_NONE: no run fits, which the indexes say at once.  Else some may, in the span. */
static int look_for(struct fr_store *store, const char *machine, const struct fr_run_filter *filter,
                    struct span *span, int64_t *rest)
{
    int64_t one;
    int result = fr_sql_one(store, FR_SQL_RUN_MAY_FIT,
                            FR_SQL_VALUES(machine, filter->model, parameters_of(filter)),
                            fr_sql_integer_alone, NULL, &one);

    if (result == FR_STORE_OK && (filter->from || filter->to))
        result = keep_to_time(store, machine, filter, span);
    if (result == FR_STORE_OK && is_choosy(filter))
        result = keep_to_limit(store, machine, filter->model, span, rest);
    return result;
}

static int list(struct fr_store *store, const char *machine, const struct fr_run_filter *filter,
                const struct span *span, size_t limit, struct fr_arena *arena,
                struct fr_stored_run **out, size_t *count)
{
    return fr_sql_list(store, filter->model ? FR_SQL_RUN_LIST_OF_MODEL : FR_SQL_RUN_LIST,
                       FR_SQL_VALUES(machine, span->before, limit, filter->model, filter->from,
                                     filter->to, parameters_of(filter), span->after),
                       run_members, sizeof(**out), arena, out, count);
}

int fr_store_list_runs(struct fr_store *store, const char *machine,
                       const struct fr_run_filter *filter, int64_t before, size_t limit,
                       struct fr_arena *arena, struct fr_run_list *out)
{
    struct fr_run_list page = { .count = 0 };
    struct span span = { .after = 0, .before = before > 0 ? before : INT64_MAX };
    int result = look_for(store, machine, filter, &span, &page.rest);

    if (result == FR_STORE_OK)
        result = list(store, machine, filter, &span, limit + 1, arena, &page.run, &page.count);
    if (result != FR_STORE_OK && result != FR_STORE_NONE)
        return result;
    if (page.count > limit) {
        page.count = limit;
        page.rest = page.run[limit - 1].sequence;
    }
    *out = page;
    return FR_STORE_OK;
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

    page->bytes += fr_row_bytes(row, DOCUMENT);
    if (page->count && page->bytes > row->store->limits.bytes)
        return FR_STORE_NONE;
    if (!fr_sql_read(row, 0, run_members, page->arena, &page->run[page->count]))
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
                     FR_SQL_VALUES(machine, model, sequence_below(before), limit), limit, arena,
                     out, count);
}

static const struct fr_sql_member count_members[] = {
    FR_SQL_MEMBER(struct fr_run_count, runs),
    FR_SQL_MEMBER(struct fr_run_count, newest),
    FR_SQL_MEMBERS_END,
};

int fr_store_count_runs(struct fr_store *store, const char *machine, const char *model_or_null,
                        struct fr_run_count *out)
{
    return fr_sql_one(store, FR_SQL_RUN_COUNT, FR_SQL_VALUES(machine, model_or_null), count_members,
                      NULL, out);
}
