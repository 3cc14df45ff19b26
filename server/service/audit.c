/* The audit log: who wrote what and when. */
#include "server/http/handlers.h"
#include "server/service/service.h"

void fr_audit_write(struct fr_rows *rows, const struct fr_audit_entry *entry)
{
    fr_row_begin(rows);
    fr_row_text(rows, "at", entry->at);
    fr_row_text(rows, "token", entry->author.token);
    fr_row_text(rows, "address", entry->author.address);
    fr_row_text(rows, "command", entry->author.command);
    fr_row_text(rows, "action", entry->what.action);
    fr_row_text(rows, "kind", entry->what.kind);
    fr_row_text(rows, "id", entry->what.id);
    fr_row_text(rows, "machine", entry->what.machine);
    fr_row_integer(rows, "count", entry->what.count);
    fr_row_end(rows);
}

int fr_get_audit(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_audit_entry *entries;
    struct fr_page page;
    struct fr_rows rows;
    int64_t before;
    size_t count;
    int status;

    status = fr_page_read_before(rq, reply, &page, &before);
    if (status)
        return status;
    if (fr_store_list_audit(rq->store, before, (size_t)page.limit + 1, rq->arena, &entries,
                            &count) != FR_STORE_OK)
        return fr_reply_store_failed(rq, reply);
    fr_list_begin(rq, reply, &rows);
    for (size_t i = 0; i < count && i < (size_t)page.limit; i++)
        fr_audit_write(&rows, &entries[i]);
    fr_list_end_before(rq, reply, &rows, "/api/v1/audit", &page,
                       count > (size_t)page.limit ? entries[page.limit - 1].sequence : 0);
    return 200;
}
