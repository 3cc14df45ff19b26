/* The note below the title of a chart: what is imaginary, and the lines that are not drawn. */
#include "server/charts/plot/script.h"
#include "server/charts/sweep_drawing.h"

#include <stdio.h>
#include <string.h>

const char *drawing_note(struct fr_request *rq, const struct fr_question *question)
{
    const char *note = NULL;
    struct fr_writer w;

    fr_writer_init(&w);
    for (size_t i = 0; i < question->change_count; i++) {
        const struct fr_change *change = &question->change[i];
        const bool is_factor = change->value[0] == '*';

        fr_writer_printf(&w, "%s%s %s %s", i ? ", " : "imaginary machine: ", change->path,
                         is_factor ? "×" : "=", change->value + is_factor);
    }
    if (w.length && !w.failed)
        note = fr_arena_text(rq->arena, w.text, w.length);
    fr_writer_free(&w);
    return note;
}

/* The line of a point of the product; the reverse of drawing_point. */
static size_t line_of(const struct drawing *drawing, size_t index)
{
    const struct fr_question *question = drawing->question;
    size_t series = 0;

    for (size_t i = question->axis_count; i-- > 0; index /= question->axis[i].count)
        if (&question->axis[i] == drawing->series)
            series = index % question->axis[i].count;
    return index * (drawing->series ? drawing->series->count : 1) + series;
}

void drawing_note_point(struct drawing *drawing, size_t index, bool is_legal)
{
    const size_t place = line_of(drawing, index);
    const struct fr_fault *why = drawing->sweep->faults->fault;
    struct drawing_line *line;

    if (!drawing->line || place >= DRAWING_SERIES)
        return;
    line = &drawing->line[place];
    if (is_legal)
        line->has_point = true;
    else if (!*line->refusal)
        snprintf(line->refusal, sizeof line->refusal, "%s: %s", why->where, why->message);
}

/* The reason why a line is not drawn; NULL if it is, or is hidden. */
static const char *refusal_of(const struct drawing *drawing, size_t line)
{
    const struct drawing_line *known = &drawing->line[line];

    return known->has_point || !*known->refusal ? NULL : known->refusal;
}

/* "25d on hopper": commas separate lines. */
static void write_line(struct fr_request *rq, const struct drawing *drawing, size_t line,
                       struct fr_writer *w)
{
    const char *label = drawing_label(rq, drawing, line), *machine = NULL;

    if (label && drawing->series && drawing->question->target_count > 1)
        machine = strrchr(label, ',');
    if (machine)
        fr_writer_printf(w, "%.*s on%s", (int)(machine - label), label, machine + 1);
    else
        fr_writer_printf(w, "%s", label ? label : "");
}

/* "25d, 25d_ovlp (processes: 5 is not …)": the lines that are refused for the reason of the line
 * `first`, behind what `w` has, of which `before` is no such line; nothing if a line before it has
 * this reason. */
static void write_refused(struct fr_request *rq, const struct drawing *drawing, size_t first,
                          size_t before, struct fr_writer *w)
{
    const char *why = refusal_of(drawing, first), *other;

    for (size_t line = 0; why && line < first; line++)
        if ((other = refusal_of(drawing, line)) && strcmp(other, why) == 0)
            return;
    for (size_t line = first; why && line < drawing_lines_count(drawing); line++)
        if ((other = refusal_of(drawing, line)) && strcmp(other, why) == 0) {
            fr_writer_printf(w, "%s",
                             line > first         ? ", "
                             : w->length > before ? "; "
                                                  : "not drawn: ");
            write_line(rq, drawing, line, w);
        }
    if (why)
        fr_writer_printf(w, " (%s)", why);
}

const char *drawing_headline(struct fr_request *rq, const struct drawing *drawing,
                             struct fr_plot *plot)
{
    struct fr_writer w;
    size_t before;

    fr_writer_init(&w);
    if (plot->note)
        fr_writer_printf(&w, "%s; ", plot->note);
    before = w.length;
    for (size_t line = 0; drawing->line && line < drawing_lines_count(drawing); line++)
        write_refused(rq, drawing, line, before, &w);
    if (w.length > before && !w.failed)
        plot->note = fr_arena_text(rq->arena, w.text, w.length);
    fr_writer_free(&w);
    return drawing_title(rq, drawing);
}
