/* Writes a forecast as a LaTeX table in the form of tables II to V of the Cray paper: one row per
 * size, one column per process count, the variants side by side, the best in bold. */
#include "server/questions/sweep.h"

#include <string.h>

/* Escapes text for LaTeX. */
static void tex_text(struct fr_writer *w, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '\\':
            fr_writer_text(w, "\\textbackslash{}");
            break;
        case '~':
            fr_writer_text(w, "\\textasciitilde{}");
            break;
        case '^':
            fr_writer_text(w, "\\textasciicircum{}");
            break;
        case '_':
        case '#':
        case '$':
        case '%':
        case '&':
        case '{':
        case '}':
            fr_writer_append(w, "\\", 1);
            fr_writer_append(w, text, 1);
            break;
        default:
            fr_writer_append(w, (unsigned char)*text < ' ' ? " " : text, 1);
        }
    }
}

static void tex_place(struct fr_writer *w, const struct fr_axis *axis, size_t place)
{
    char value[200];

    fr_axis_print(axis, place, value, sizeof value);
    tex_text(w, value);
}

/* Names the what-ifs, so that the table is not mistaken for one of the real machine. */
static void write_changes(struct fr_writer *w, const struct fr_question *question)
{
    for (size_t i = 0; i < question->change_count; i++) {
        fr_writer_text(w, i ? ", " : ", what if ");
        tex_text(w, question->change[i].path);
        fr_writer_text(w, " = ");
        tex_text(w, question->change[i].value);
    }
}

/* What stands in parentheses behind each value. */
static void write_chosen_names(struct fr_writer *w, const struct fr_forecast *forecast)
{
    const char *before = " In parentheses: ";

    if (!forecast->shows_tunables)
        return;
    for (const struct fr_param *param = forecast->question->model->params; param->name; param++) {
        if (!fr_forecast_chooses(forecast, param))
            continue;
        fr_writer_text(w, before);
        tex_text(w, param->name);
        before = ", ";
    }
    fr_writer_text(w, *before == ',' ? "." : "");
}

static void write_caption(struct fr_writer *w, const struct fr_forecast *forecast)
{
    fr_writer_text(w, "\\caption{Predicted ");
    for (size_t k = 0; k < forecast->y.count; k++) {
        fr_writer_text(w, k ? ", " : "");
        tex_text(w, forecast->y.name[k]);
    }
    fr_writer_text(w, " of ");
    tex_text(w, forecast->question->model->name);
    fr_writer_text(w, " on ");
    tex_text(w, forecast->question->target[0].cal->machine);
    if (forecast->y.count == 1) {
        fr_writer_text(w, ", by ");
        tex_text(w, forecast->by->param->name);
    }
    write_changes(w, forecast->question);
    if (forecast->y.count > 1)
        fr_writer_text(w, ". --: no value.");
    else
        fr_writer_printf(w,
                         ". Bold: %s; \\dag: equal in the digits shown; =: the same as another by "
                         "construction; --: no value.",
                         fr_model_is_filled(forecast->question->model, forecast->question->values)
                             ? "highest rate"
                             : "least time");
    write_chosen_names(w, forecast);
    fr_writer_text(w, "}\n");
}

static void write_head(struct fr_writer *w, const struct fr_forecast *forecast)
{
    fr_writer_text(w, "\\begin{tabular}{r");
    for (size_t column = 0; column < forecast->columns->count; column++) {
        fr_writer_text(w, "|");
        for (size_t by = 0; by < forecast->by->count; by++)
            fr_writer_text(w, "r");
    }
    fr_writer_text(w, "}\n\\hline\n");
    for (size_t column = 0; column < forecast->columns->count; column++) {
        fr_writer_printf(w, " & \\multicolumn{%zu}{|c}{", forecast->by->count);
        tex_text(w, forecast->columns->param->name);
        fr_writer_text(w, " = ");
        tex_place(w, forecast->columns, column);
        fr_writer_text(w, "}");
    }
    fr_writer_text(w, " \\\\\n");
    tex_text(w, forecast->rows->param->name);
    for (size_t column = 0; column < forecast->columns->count; column++) {
        for (size_t by = 0; by < forecast->by->count; by++) {
            fr_writer_text(w, " & ");
            tex_place(w, forecast->by, by);
        }
    }
    fr_writer_text(w, " \\\\\n\\hline\n");
}

/* Writes the exponent in math mode; LaTeX would set "1.23e+04" as text. */
static void tex_number(struct fr_writer *w, const char *text)
{
    const char *exponent = strchr(text, 'e');

    if (!exponent) {
        fr_writer_text(w, text);
        return;
    }
    fr_writer_append(w, text, (size_t)(exponent - text));
    exponent += exponent[1] == '+' ? 2 : 1;
    fr_writer_text(w, "$\\cdot 10^{");
    fr_writer_append(w, "-", *exponent == '-');
    exponent += *exponent == '-';
    fr_writer_text(w, exponent + strspn(exponent, "0"));
    fr_writer_text(w, "}$");
}

static void write_chosen(struct fr_writer *w, const struct fr_forecast *forecast,
                         const void *resolved)
{
    const char *before = " {\\scriptsize (";

    if (!forecast->shows_tunables || !resolved)
        return;
    for (const struct fr_param *param = forecast->question->model->params; param->name; param++) {
        char value[200];

        if (!fr_forecast_chooses(forecast, param))
            continue;
        fr_param_print(param, resolved, value, sizeof value);
        fr_writer_text(w, before);
        tex_text(w, value);
        before = ", ";
    }
    fr_writer_text(w, *before == ',' ? ")}" : "");
}

static void write_value(struct fr_writer *w, const struct fr_forecast *forecast,
                        const struct fr_forecast_value *value)
{
    fr_writer_text(w, value->is_best ? " & \\textbf{" : " & ");
    tex_number(w, value->text);
    fr_writer_text(w, value->is_best ? "}" : "");
    fr_writer_text(w, value->is_tied ? "\\dag" : value->same ? "$^{=}$" : "");
    write_chosen(w, forecast, value->resolved);
}

/* Several outputs stand below each other, as in table 3 of the sparse LU paper. */
static void write_outputs(struct fr_writer *w, const struct fr_forecast *forecast)
{
    fr_writer_text(w, "\\begin{tabular}{rl|");
    for (size_t column = 0; column < forecast->columns->count; column++)
        fr_writer_text(w, "r");
    fr_writer_text(w, "}\n\\hline\n");
    tex_text(w, forecast->rows->param->name);
    fr_writer_text(w, " & ");
    for (size_t column = 0; column < forecast->columns->count; column++) {
        fr_writer_text(w, " & ");
        tex_text(w, forecast->columns->param->name);
        fr_writer_text(w, " = ");
        tex_place(w, forecast->columns, column);
    }
    fr_writer_text(w, " \\\\\n\\hline\n");
    for (size_t row = 0; row < forecast->rows->count; row++) {
        tex_place(w, forecast->rows, row);
        for (size_t by = 0; by < forecast->by->count; by++) {
            fr_writer_text(w, " & ");
            tex_place(w, forecast->by, by);
            for (size_t column = 0; column < forecast->columns->count; column++)
                write_value(w, forecast, fr_forecast_at(forecast, row, column, by));
            fr_writer_text(w, " \\\\\n");
        }
    }
}

static void write_variants(struct fr_writer *w, const struct fr_forecast *forecast)
{
    write_head(w, forecast);
    for (size_t row = 0; row < forecast->rows->count; row++) {
        tex_place(w, forecast->rows, row);
        for (size_t column = 0; column < forecast->columns->count; column++)
            for (size_t by = 0; by < forecast->by->count; by++)
                write_value(w, forecast, fr_forecast_at(forecast, row, column, by));
        fr_writer_text(w, " \\\\\n");
    }
}

void fr_forecast_write_tex(struct fr_writer *w, const struct fr_forecast *forecast)
{
    fr_writer_text(w, "\\begin{table}\n\\centering\n");
    write_caption(w, forecast);
    (forecast->y.count > 1 ? write_outputs : write_variants)(w, forecast);
    fr_writer_text(w, "\\hline\n\\end{tabular}\n\\end{table}\n");
}
