/* What the daemon remembers: machines, calibration documents, saved runs, tokens.
 *
 * No SQL and no library type is visible here.  A store is one connection, used by one thread at a
 * time; each worker has its own.  What a call returns lives in the arena it was given.  Functions
 * return an enum fr_store_result; FR_STORE_FAILED has been logged.
 */
#ifndef FR_STORE_H
#define FR_STORE_H

#include "forerun.h"

struct fr_store;
struct fr_log;

enum fr_store_result {
    FR_STORE_OK,
    FR_STORE_NONE,
    FR_STORE_EXISTS,
    FR_STORE_IN_USE,
    FR_STORE_FAILED
};

/* Opens (and creates, and migrates) the file; ":memory:" for tests.  NULL on failure, logged.
 * Close with fr_store_close. */
struct fr_store *fr_store_open(const char *path, struct fr_log *log);
void fr_store_close(struct fr_store *store);
/* Whether it answers. */
bool fr_store_is_ready(struct fr_store *store);
/* A number that changes whenever another connection, of any process, has written. */
int64_t fr_store_version(struct fr_store *store);
/* A consistent copy into a new file while others write. */
int fr_store_backup(struct fr_store *store, const char *path);

struct fr_machine {
    const char *name;
    const char *description;
    const char *facts_json;         /* the PUT document's text */
    const char *newest_calibration; /* id or NULL */
    int64_t calibrations, runs;
    const char *updated_at;
};
/* Creates or replaces the description; FR_STORE_OK, and *created tells which. */
int fr_store_put_machine(struct fr_store *store, const char *name, const char *description,
                         const char *facts_json, bool *created);
int fr_store_get_machine(struct fr_store *store, const char *name, struct fr_arena *arena,
                         struct fr_machine *out);
/* By name, after `after` (NULL: from the start), at most `limit`; *count is how many. */
int fr_store_list_machines(struct fr_store *store, const char *after, size_t limit,
                           struct fr_arena *arena, struct fr_machine **out, size_t *count);
/* FR_STORE_IN_USE while calibrations or runs exist, unless `cascade`. */
int fr_store_delete_machine(struct fr_store *store, const char *name, bool cascade);

struct fr_stored_calibration {
    const char *id, *machine;
    const char *created_at;  /* of the document, or NULL */
    const char *uploaded_at; /* RFC 3339 UTC */
    const char *groups;      /* "node, network" */
    const char *document;    /* the text as uploaded; NULL in lists */
    size_t document_length;
    int64_t sequence; /* grows with each upload: newest last */
};
/* FR_STORE_OK: stored (the machine is created where it is new); FR_STORE_EXISTS: it was there. */
int fr_store_add_calibration(struct fr_store *store, const char *id, const char *machine,
                             const char *created_at, const char *groups, const char *document,
                             size_t length);
int fr_store_get_calibration(struct fr_store *store, const char *id, struct fr_arena *arena,
                             struct fr_stored_calibration *out);
int fr_store_newest_calibration(struct fr_store *store, const char *machine, struct fr_arena *arena,
                                struct fr_stored_calibration *out);
/* Newest first, with sequence below `before` (0: from the newest). */
int fr_store_list_calibrations(struct fr_store *store, const char *machine, int64_t before,
                               size_t limit, struct fr_arena *arena,
                               struct fr_stored_calibration **out, size_t *count);
/* FR_STORE_IN_USE while runs refer to it. */
int fr_store_delete_calibration(struct fr_store *store, const char *id);

struct fr_stored_run {
    const char *id, *machine, *model;
    const char *calibration; /* the machine's newest when the run came, or NULL */
    const char *started_at;  /* of the document, in UTC, or NULL */
    const char *uploaded_at; /* RFC 3339 UTC */
    const char *match_key;   /* fr_run_key, or NULL */
    const char *job;         /* or NULL */
    const char *parameters;  /* JSON object of all of them */
    double time_s;
    const char *document; /* canonical form; NULL in lists */
    size_t document_length;
    int64_t sequence; /* grows with each upload: newest last */
};
/* All of them or none: FR_STORE_OK, and is_new[i] tells which were not there before; FR_STORE_NONE
 * where there is no such machine.  The store itself sets calibration, uploaded_at and sequence. */
int fr_store_add_runs(struct fr_store *store, const struct fr_stored_run *runs, size_t count,
                      bool *is_new);
int fr_store_get_run(struct fr_store *store, const char *id, struct fr_arena *arena,
                     struct fr_stored_run *out);
int fr_store_delete_run(struct fr_store *store, const char *id);

/* What a list is narrowed to; NULL: to nothing. */
struct fr_run_filter {
    const char *model;
    const char *from, *to;  /* when it began, or else came; both inclusive, as instant.h writes */
    const char *parameters; /* JSON object: name to an array of the values that will do */
};
/* Newest first, with sequence below `before` (0: from the newest), without documents. */
int fr_store_list_runs(struct fr_store *store, const char *machine,
                       const struct fr_run_filter *filter, int64_t before, size_t limit,
                       struct fr_arena *arena, struct fr_stored_run **out, size_t *count);

/* The two that follow give documents, newest first, at most `limit` (*out has room for that many)
 * and no more than these bytes together, but one at least: a short page need not be the last. */
enum { FR_RUN_PAGE_BYTES = 64 << 20 };
int fr_store_find_runs(struct fr_store *store, const char *machine, const char *model,
                       const char *match_key, size_t limit, struct fr_arena *arena,
                       struct fr_stored_run **out, size_t *count);
/* With sequence below `before` (0: from the newest). */
int fr_store_model_runs(struct fr_store *store, const char *machine, const char *model,
                        int64_t before, size_t limit, struct fr_arena *arena,
                        struct fr_stored_run **out, size_t *count);

struct fr_run_count {
    int64_t runs, newest; /* sequence, 0 where there is none */
};
/* Of a machine, or of one model there. */
int fr_store_count_runs(struct fr_store *store, const char *machine, const char *model_or_null,
                        struct fr_run_count *out);

struct fr_token {
    const char *name, *scope, *created_at;
};
/* `hash` is the token's SHA-256 in hex; FR_STORE_EXISTS where the name is taken. */
int fr_store_add_token(struct fr_store *store, const char *name, const char *scope,
                       const char *hash);
int fr_store_find_token(struct fr_store *store, const char *hash, struct fr_arena *arena,
                        struct fr_token *out);
int fr_store_list_tokens(struct fr_store *store, struct fr_arena *arena, struct fr_token **out,
                         size_t *count);
int fr_store_revoke_token(struct fr_store *store, const char *name);

#endif
