#include "engine/sparse/clocks/clocks.h"

int sparse_window_sums(const struct sparse_structure *s, const struct sparse_schedule *schedule,
                       int32_t window, struct sparse_tables *tables, struct sparse_sums *out)
{
    const int64_t index_bytes = 4; /* of messages, which one process does not send */
    struct sparse_shares shares = { 0 };
    struct sparse_window_work work = { 0 };
    int code = sparse_shares_init(&shares, s, (struct sparse_grid){ 1, 1 }, index_bytes);

    if (code == FR_OK)
        code = sparse_window_work_init(&work, &shares, schedule, window, tables);
    if (code == FR_OK)
        *out = work.sums;
    sparse_window_work_free(&work);
    sparse_shares_free(&shares);
    return code;
}
