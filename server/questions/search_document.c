/* The answers of searches as JSON, CSV and txt. */
#include "server/questions/documents.h"

#include <math.h>

/* A document being written. */
struct document {
    struct fr_rows *rows;
    const struct fr_question *question;
    const struct fr_search *search;
    const struct fr_axis *pair;
    void *values; /* scratch */
};

/* A value of a parameter under another name. */
static void write_value(struct document *to, const char *name, const struct fr_param *param)
{
    struct fr_param renamed = *param;

    renamed.name = name;
    fr_row_param(to->rows, &renamed, to->values);
}

static void write_place(struct document *to, const char *name, size_t index)
{
    fr_scale_put(to->search->scale, index, to->values);
    write_value(to, name, to->search->scale->param);
}

static void write_search(struct document *to)
{
    const struct fr_scale *scale = to->search->scale;

    fr_row_object(to->rows, "search");
    fr_row_text(to->rows, "along", scale->param->name);
    write_place(to, "from", 0);
    write_place(to, "to", scale->count - 1);
    fr_row_number(to->rows, "values", (double)scale->count);
    fr_row_integer(to->rows, "tried", (int64_t)to->search->tried);
    fr_row_object_end(to->rows);
}

/* The least larger value that is possible, and what stands against it. */
static void write_next(struct document *to, const struct fr_largest *found)
{
    if (found->next == to->search->scale->count) {
        fr_row_text(to->rows, "next", NULL);
        return;
    }
    fr_row_object(to->rows, "next");
    write_place(to, "value", found->next);
    fr_problem_errors(to->rows->w, found->why);
    fr_row_object_end(to->rows);
}

void fr_largest_write(struct fr_request *rq, struct fr_reply *reply,
                      const struct fr_question *question, const struct fr_search *search,
                      struct fr_largest *found)
{
    struct fr_writer *w = &reply->body;
    struct fr_rows rows;
    struct document to = { &rows, question, search, NULL, question->values };

    fr_rows_begin(&rows, w, rq->format);
    if (rq->format == FR_JSON) {
        fr_json_object(w);
        fr_json_pair(w, "objective", "size");
        fr_ranking_head(w, question, &found->ranking);
        write_search(&to);
        write_next(&to, found);
    }
    fr_ranking_write(&rows, question, &found->ranking, "size");
    if (rq->format == FR_JSON) {
        fr_json_pair(w, "engine", FR_ENGINE);
        fr_json_object_end(w);
    }
    fr_rows_end(&rows);
}

/* The name of one of the two that are compared; null for neither. */
static void write_leader(struct document *to, const char *name, enum fr_leader leader)
{
    if (leader == FR_EQUAL || leader == FR_NEITHER) {
        fr_row_text(to->rows, name, NULL);
        return;
    }
    fr_axis_put(to->pair, leader, to->values);
    write_value(to, name, to->pair->param);
}

static void write_side(struct document *to, const char *name, struct fr_segment *segment,
                       size_t side, size_t best)
{
    if (!segment->has[side]) {
        fr_row_text(to->rows, name, NULL);
        return;
    }
    fr_row_object(to->rows, name);
    fr_ranking_columns(to->rows, to->question, segment->row[side].values, &segment->row[side],
                       &segment->row[best].prediction);
    fr_row_object_end(to->rows);
}

/* In a table the better of the two has the columns of a ranking, of the other only the time. */
static void write_segment(struct document *to, struct fr_segment *segment)
{
    const size_t best = segment->leader == FR_SECOND ? 1 : 0, other = 1 - best;
    struct fr_ranked *row = NULL;
    const void *values = to->values; /* if nothing can be recommended */

    fr_row_begin(to->rows);
    fr_row_text(to->rows, "along", to->search->scale->param->name);
    write_place(to, "from", segment->from);
    write_place(to, "to", segment->to);
    write_leader(to, "faster", segment->leader);
    fr_row_text(to->rows, "reason", *segment->reason ? segment->reason : NULL);
    if (to->rows->format == FR_JSON) {
        write_side(to, "best", segment, best, best);
        write_side(to, "other", segment, other, best);
    } else {
        if (segment->has[best]) {
            row = &segment->row[best];
            values = row->values;
        }
        fr_row_number(to->rows, "other_time_s",
                      segment->has[other] ? segment->row[other].prediction.time_s : NAN);
        fr_ranking_columns(to->rows, to->question, values, row, row ? &row->prediction : NULL);
    }
    fr_row_end(to->rows);
}

static void write_pair(struct document *to)
{
    fr_row_object(to->rows, "compared");
    fr_row_text(to->rows, "parameter", to->pair->param->name);
    write_leader(to, "first", FR_FIRST);
    write_leader(to, "second", FR_SECOND);
    fr_row_object_end(to->rows);
}

void fr_crossover_write(struct fr_request *rq, struct fr_reply *reply,
                        const struct fr_question *question, const struct fr_search *search,
                        const struct fr_axis *pair, const struct fr_crossover *found, size_t limit)
{
    const bool is_json = rq->format == FR_JSON;
    struct fr_writer *w = &reply->body;
    struct fr_rows rows;
    struct document to = { &rows, question, search, pair, question->values };

    fr_rows_begin(&rows, w, rq->format);
    if (is_json) {
        fr_json_object(w);
        fr_json_pair(w, "objective", "crossover");
        fr_question_head(w, question);
        write_pair(&to);
        write_search(&to);
        fr_json_pair_number(w, "crossings", (double)(found->count - 1));
        fr_json_pair_array(w, "segments");
    }
    for (size_t i = 0; i < found->count && i < limit; i++)
        write_segment(&to, &found->segment[i]);
    if (is_json) {
        fr_json_array_end(w);
        fr_json_pair(w, "engine", FR_ENGINE);
        fr_json_object_end(w);
    }
    fr_rows_end(&rows);
}
