/* Lists the components of a prediction (`explain=true`): the calls of a blocked algorithm. */
#include "server/questions/documents.h"

/* Writes each row as the model reports it. */
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

void fr_explain_write(struct fr_rows *rows, const struct fr_predicted *predicted)
{
    struct fr_prediction scratch;
    struct fr_faults ignored; /* stays empty: these values have been predicted */
    struct explaining explaining = { rows, predicted->model->list_columns };
    const struct fr_listing listing = { &explaining, write_row };
    struct fr_evaluation evaluation = {
        .cal = predicted->cal, .arena = predicted->arena, .out = &scratch, .faults = &ignored
    };

    fr_prediction_clear(&scratch);
    ignored.count = 0;
    predicted->model->explain(predicted->values, &evaluation, &listing);
}

int fr_explain_check(const struct fr_model *model, bool is_wanted, struct fr_faults *faults)
{
    if (!is_wanted || model->explain)
        return FR_OK;
    return fr_fault(faults, FR_RELATION, "explain",
                    "%s has no components to list; leave explain out", model->name);
}
