/* What a prediction is made of, row by row (`explain=true`): the calls of a blocked algorithm. */
#include "server/questions/prediction.h"

/* A list under way: every row goes out as it comes. */
struct explaining {
    struct fr_rows *rows;
    const struct fr_column *columns;
};

static bool write_row(void *context, const char *text, const double *number)
{
    const struct explaining *explaining = context;

    fr_row_begin(explaining->rows);
    for (const struct fr_column *column = explaining->columns; column->name; column++) {
        if (column->kind == FR_COLUMN_TEXT)
            fr_row_text(explaining->rows, column->name, text);
        else if (column->kind == FR_COLUMN_BOOL)
            fr_row_bool(explaining->rows, column->name, *number++ != 0);
        else
            fr_row_number(explaining->rows, column->name, *number++);
    }
    fr_row_end(explaining->rows);
    return true;
}

void fr_explain_rows(struct fr_rows *rows, const struct fr_predicted *of)
{
    struct fr_prediction scratch;
    struct fr_faults unsaid; /* what was predicted can be listed */
    struct explaining explaining = { rows, of->model->list_columns };
    const struct fr_listing listing = { &explaining, write_row };
    struct fr_evaluation run = { of->cal, of->arena, &scratch, &unsaid };

    fr_prediction_clear(&scratch);
    unsaid.count = 0;
    of->model->explain(of->values, &run, &listing);
}

void fr_explain_write(struct fr_writer *w, const struct fr_predicted *of)
{
    struct fr_rows rows;

    fr_json_key(w, of->model->list_name);
    fr_json_array(w);
    fr_rows_begin(&rows, w, FR_JSON);
    fr_explain_rows(&rows, of);
    fr_rows_end(&rows);
    fr_json_array_end(w);
}

int fr_explain_check(const struct fr_model *model, bool is_wanted, struct fr_faults *faults)
{
    if (!is_wanted || model->explain)
        return FR_OK;
    return fr_fault(faults, FR_RELATION, "explain", "%s has nothing to list; leave it out",
                    model->name);
}
