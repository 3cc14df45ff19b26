/* Documents of matrices, and their inspection. */
#ifndef FR_API_MATRIX_H
#define FR_API_MATRIX_H

#include "engine/core/arena.h"
#include "engine/core/fault.h"
#include "engine/krylov/partition/partition.h"
#include "engine/sparse/structure/structure.h"
#include "server/http/http.h"
#include "server/json/value.h"
#include "server/json/writer.h"
#include "server/matrices/files/matrix.h"
#include "server/store/store.h"

/* ---- matrix ---------------------------------------------------------------------------- */

/* Matrices and their structures as documents. */

/* ---- facts document -------------------------------------------------------------------- */

/* The facts of a partition in the body of a request (docs/models/partition.md#facts). */

/* Decodes and checks the facts, in memory of the arena.  NULL with faults that point into the
 * document. */
const struct krylov_partition *fr_facts_decode(json_t *document, struct fr_arena *arena,
                                               struct fr_faults *faults);

/* ---- structure document ---------------------------------------------------------------- */

/* A block structure as a JSON document, forerun-blocks-1
 * (docs/models/sparse_lu.md#block-structure). */

/* The most block updates for which closure is checked, which takes some seconds. */
#define FR_STRUCTURE_MOST_UPDATES 1e9

/* Decodes and checks a structure.  NULL with faults that point into the document; free with
 * sparse_structure_free. */
struct sparse_structure *fr_structure_decode(json_t *document, struct fr_faults *faults);
void fr_structure_write(struct fr_writer *w, const struct sparse_structure *s);

/* ---- matrix ---------------------------------------------------------------------------- */

/* Shared by the upload and the other handlers of matrices. */

/* Finds the matrix of the path by id or name; 0, or the status of the refusal. */
int fr_matrix_find(struct fr_request *rq, struct fr_reply *reply, struct fr_matrix_record *out);
/* Writes the members that lists have too. */
void fr_matrix_write_head(struct fr_request *rq, struct fr_rows *rows,
                          const struct fr_matrix_record *matrix);
/* Writes `read`: what was taken from the head of a file, with its lines. */
void fr_matrix_write_read(struct fr_writer *w, const struct fr_matrix *head);
/* Writes the document of GET /api/v1/matrices/{id}, with `read` if there is a head. */
void fr_matrix_write(struct fr_request *rq, struct fr_writer *w,
                     const struct fr_matrix_record *matrix, const struct fr_matrix *head_or_null);
/* Answers with that document as it is now, and its place.  Returns the status. */
int fr_matrix_answer(struct fr_request *rq, struct fr_reply *reply, const char *id, int status,
                     const struct fr_matrix *head_or_null);
/* Whether queueing this structure has it analyzed: it is not known, or has failed. */
bool fr_matrix_needs_analysis(const struct fr_matrix_record *matrix,
                              const struct sparse_structure_key *key);
/* Refuses one more pair of limits: 409, which names those that there are. */
int fr_refuse_limits(struct fr_reply *reply, const struct fr_matrix_record *matrix);

/* The contents of a matrix file, found by a child process: the daemon does not parse untrusted
 * files.
 *
 * The child is this program itself, so that both agree on the layout of the struct, which it
 * writes into a file in memory.
 */

struct fr_clock;

struct fr_inspection {
    struct fr_faults faults; /* if there is any, the file is refused and the rest is not set */
    struct fr_matrix head;   /* without its arrays */
    int32_t has_facts;       /* 0: memory was short, and `facts` is not set */
    struct fr_matrix_facts facts;
    struct fr_spy spy;
};

/* Inspects an open file, from its beginning and with at most so many uncompressed bytes, in a child
 * process that may read `folders` (core/process.h).  NULL if the child cannot start, takes longer
 * than `timeout_s` or ends without a result; free with free(). */
struct fr_inspection *fr_inspection_run(int file, int64_t limit_bytes, struct fr_clock *clock,
                                        unsigned timeout_s, const char *folders);

/* Whether the values that the daemon uses are possible.  A file may have taken control of the
 * child, which then sends any bytes.  Ends the texts, and makes them UTF-8. */
bool fr_inspection_check(struct fr_inspection *of);

/* The subcommand that the child runs, with the limit in bytes as its argument: inspects standard
 * input and writes a struct fr_inspection to standard output.  Returns the exit status. */
extern const char fr_inspection_command[];
int fr_inspection_child(int argc, char **argv);

#endif
