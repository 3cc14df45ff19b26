/* HPL.dat as HPL 2.3 reads it (testing/ptest/HPL_pdinfo.c): two lines of text, then a value and a
 * comment on each line, in this order.  The numbers of broadcasts, swaps and mappings are the
 * places of the choices in the model. */
#include "engine/block_cyclic/hpl.h"
#include "server/questions/documents.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

int fr_hpl_dat_refuse(const struct fr_request *rq, struct fr_reply *reply,
                      const struct fr_model *model)
{
    char detail[FR_MESSAGE_BYTES];

    if (rq->format != FR_DAT || model == fr_model_find("hpl"))
        return 0;
    snprintf(detail, sizeof detail,
             "`.dat` is the input file of HPL, so only answers about hpl have it; those about %s "
             "are available as json, csv, txt.",
             model->name);
    return fr_reply_problem(reply, 406, detail);
}

/* Left-looking panels, as the model assumes them; storage, equilibration and alignment are those of
 * HPL's own file. */
static void write_values(struct fr_writer *w, const struct hpl_values *v)
{
    const struct cyclic_values *c = &v->common;
    const struct {
        int64_t value;
        const char *comment;
    } line[] = {
        { 6, "device out (6=stdout,7=stderr,file)" },
        { 1, "# of problems sizes (N)" },
        { c->n, "Ns" },
        { 1, "# of NBs" },
        { c->block_size, "NBs" },
        { c->mapping, "PMAP process mapping (0=Row-,1=Column-major)" },
        { 1, "# of process grids (P x Q)" },
        { c->process_rows, "Ps" },
        { c->process_columns, "Qs" },
        { 16, "threshold" },
        { 1, "# of panel fact" },
        { 0, "PFACTs (0=left, 1=Crout, 2=Right)" },
        { 1, "# of recursive stopping criterium" },
        { v->nbmin, "NBMINs (>= 1)" },
        { 1, "# of panels in recursion" },
        { v->ndiv, "NDIVs" },
        { 1, "# of recursive panel fact." },
        { 0, "RFACTs (0=left, 1=Crout, 2=Right)" },
        { 1, "# of broadcast" },
        { v->broadcast, "BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)" },
        { 1, "# of lookahead depth" },
        { v->lookahead_depth, "DEPTHs (>=0)" },
        { v->swap, "SWAP (0=bin-exch,1=long,2=mix)" },
        { v->swap_threshold, "swapping threshold" },
        { 0, "L1 in (0=transposed,1=no-transposed) form" },
        { 0, "U  in (0=transposed,1=no-transposed) form" },
        { 1, "Equilibration (0=no,1=yes)" },
        { 8, "memory alignment in double (> 0)" },
    };

    for (size_t i = 0; i < sizeof line / sizeof *line; i++)
        fr_writer_printf(w, "%-12" PRId64 " %s\n", line[i].value, line[i].comment);
}

static void write_notes(struct fr_writer *w, const struct fr_question *question,
                        const struct cyclic_values *c, const struct fr_prediction *prediction)
{
    fr_writer_printf(w,
                     "##### HPL does not read the lines from here on. #####\n"
                     "predicted: %.6g s, %.6g Gflop/s, ",
                     prediction->time_s, prediction->gflops);
    if (!isnan(prediction->percent_of_peak))
        fr_writer_printf(w, "%.3g %% of the peak, ", prediction->percent_of_peak);
    fr_writer_printf(w,
                     "%.6g bytes of memory for each process\n"
                     "to run: %" PRId64 " processes, %" PRId64
                     " on each node, cores of each: %" PRId64 "\n",
                     prediction->memory_bytes_per_process, c->process_rows * c->process_columns,
                     c->ranks_per_node, c->threads);
    for (size_t i = 0; i < question->change_count; i++)
        fr_writer_printf(w, "what if: %s = %s\n", question->change[i].path,
                         question->change[i].value);
    for (size_t i = 0; i < prediction->warning_count; i++) {
        char words[600];

        fr_warning_print(&prediction->warning[i], prediction, question->target[0].cal, words,
                         sizeof words);
        fr_writer_printf(w, "warning: %s\n", words);
    }
}

void fr_hpl_dat_write(struct fr_writer *w, const struct fr_question *question, const void *resolved,
                      const struct fr_prediction *prediction)
{
    const struct fr_target *target = &question->target[0];

    fr_writer_printf(w,
                     "HPLinpack benchmark input file\n"
                     "by " FR_ENGINE " for %s, calibration %s\n"
                     "HPL.out      output file name (if any)\n",
                     target->cal->machine, target->loaded->id);
    write_values(w, resolved);
    write_notes(w, question, resolved, prediction);
}

void fr_hpl_dat_write_best(struct fr_writer *w, const struct fr_question *question,
                           const struct fr_ranking *ranking)
{
    const struct fr_prediction *best = &ranking->row[0].prediction;

    fr_hpl_dat_write(w, question, ranking->row[0].values, best);
    for (size_t i = 1; i < ranking->count; i++) {
        const struct hpl_values *v = ranking->row[i].values;
        const struct fr_prediction *prediction = &ranking->row[i].prediction;

        if (fr_rank_is_near(prediction, best, ranking->is_filled))
            fr_writer_printf(w,
                             "within 2 %%: N %" PRId64 ", NB %" PRId64 ", P %" PRId64 ", Q %" PRId64
                             ", BCAST %d, DEPTH %" PRId64 ": %.6g Gflop/s\n",
                             v->common.n, v->common.block_size, v->common.process_rows,
                             v->common.process_columns, v->broadcast, v->lookahead_depth,
                             prediction->gflops);
    }
}
