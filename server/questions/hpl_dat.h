/* HPL.dat, the input file of HPL 2.3, as a format of answers about hpl. */
#ifndef FR_HPL_DAT_H
#define FR_HPL_DAT_H

#include "engine/questions/rank.h"
#include "server/questions/ask.h"

/* Refuses the format for models that have no such file.  Returns 0 if there is nothing to refuse,
 * else the HTTP status. */
int fr_hpl_dat_refuse(const struct fr_request *rq, struct fr_reply *reply,
                      const struct fr_model *model);
/* Writes the file of one configuration.  HPL reads 31 lines; what was predicted, the warnings and
 * what-ifs follow for people. */
void fr_hpl_dat_write(struct fr_writer *w, const struct fr_question *question, const void *resolved,
                      const struct fr_prediction *prediction);
/* The same of the best row of a ranking, and a line for each other row within 2 % of it. */
void fr_hpl_dat_write_best(struct fr_writer *w, const struct fr_question *question,
                           const struct fr_ranking *ranking);

#endif
