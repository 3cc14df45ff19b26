/* The database: machines, calibration documents, saved runs, matrices, tokens, and who wrote what.
 *
 * No SQL and no type of a library appears here.  A store is one connection, used by one thread at a
 * time; each worker has its own.  Results live in the arena of the call.  Functions return an enum
 * fr_store_result; FR_STORE_FAILED has been logged.
 */
#ifndef FR_STORE_H
#define FR_STORE_H

#include "server/store/matrices.h"

struct fr_store;
struct fr_log;

enum fr_store_result {
    FR_STORE_OK,
    FR_STORE_NONE,   /* there is no such row */
    FR_STORE_EXISTS, /* it is stored already */
    FR_STORE_IN_USE, /* other rows refer to it, or have its name */
    FR_STORE_FAILED
};

/* Opens and migrates a database: a file of SQLite, which is made if there is none, ":memory:" for
 * tests, or the URL of a database of PostgreSQL
 * (https://www.postgresql.org/docs/15/libpq-connect.html 34.1.1.2).  NULL on failure, logged. Close
 * with fr_store_close. */
struct fr_store *fr_store_open(const char *name, struct fr_log *log);
/* Opens an existing file of SQLite to read it, and leaves it as it is: of an older schema, it reads
 * a temporary copy that it migrates. */
struct fr_store *fr_store_open_unchanged(const char *path, struct fr_log *log);
void fr_store_close(struct fr_store *store);
/* Whether several daemons may serve from the database. */
bool fr_store_is_shared(const struct fr_store *store);
/* From now on analyses that this connection takes are its own, until it is closed or its daemon is
 * gone: then they are left for others. */
int fr_store_claim(struct fr_store *store);
/* NULL while the database answers and the file is in place, else what is wrong, as a sentence. */
const char *fr_store_trouble(struct fr_store *store);
/* What the last FR_STORE_FAILED means. */
enum fr_store_failure {
    FR_STORE_SILENT,  /* anything else, such as a lock that others held for long */
    FR_STORE_FULL,    /* the disk is full or fails */
    FR_STORE_DAMAGED, /* the file is not what was written to it */
    FR_STORE_QUOTA,   /* the author may keep no more: fr_store_quota */
};
enum fr_store_failure fr_store_failure(const struct fr_store *store);
/* Of the last FR_STORE_QUOTA, in bytes: what the token keeps and may keep, and what was refused. */
struct fr_store_quota {
    int64_t kept, limit, more;
};
struct fr_store_quota fr_store_quota(const struct fr_store *store);
/* A number that changes whenever another connection, of any process, writes.  FR_STORE_FAILED:
 * writes may be missed. */
int fr_store_hear(struct fr_store *store, int64_t *version);
/* This connection waits for an answer at most so long, whatever the server allows a statement. */
void fr_store_limit(struct fr_store *store, unsigned most_ms);
/* The process ends: from now on no call to databases of this kind waits for more than two seconds
 * for one that does not answer, and lost connections stay lost.  One that is being made waits as
 * long as ever, `connect_timeout` (5 s) for each host of the URL.  False: as before. */
void fr_store_hurry(const char *name, bool is_ending);

/* The version of a file's schema, 0 in a file of another program, and that of this program. Changes
 * nothing. */
int fr_store_schema(const char *path, struct fr_log *log, int *version, int *newest);
/* Looks for damage for at most so many milliseconds, since a large file takes minutes: FR_STORE_OK
 * if none was found until then. */
int fr_store_check_quickly(const char *path, unsigned most_ms, struct fr_log *log);
/* Looks for damage in every page, row, reference and count of a file of a known schema, which it
 * leaves as it is; logs what it finds. */
int fr_store_check(const char *path, struct fr_log *log);
/* Makes a consistent copy in a new file while others write, of the schema that the file has, and
 * checks the copy; FR_STORE_EXISTS if there is such a file. */
int fr_store_backup(const char *name, const char *path, struct fr_log *log);
/* Replaces the file by a checked copy of a backup, at once or not at all, while nobody uses it.
 * What was in the file is lost. */
int fr_store_restore(const char *backup, const char *path, struct fr_log *log);

/* Copies everything into an empty database, as one transaction, from one moment of the first, which
 * others may write meanwhile; then compares every row, and calls `tell` for each table.
 * FR_STORE_EXISTS: the second is not empty. */
typedef void fr_store_copied(void *context, const char *table, int64_t rows);
int fr_store_migrate(struct fr_store *from, struct fr_store *to, fr_store_copied *tell,
                     void *context);

/* The facts of a machine of which nobody stated any.  Somebody may state that there are none. */
#define FR_FACTS_UNSTATED "{}"
#define FR_FACTS_NONE "{ }"

struct fr_machine {
    const char *name;
    const char *description;
    const char *facts_json;         /* the text of the PUT document; see FR_FACTS_UNSTATED */
    const char *newest_calibration; /* id or NULL */
    int64_t calibrations, runs;
    const char *updated_at;
};
/* Creates a machine or replaces its description; *created tells which. */
int fr_store_put_machine(struct fr_store *store, const char *name, const char *description,
                         const char *facts_json, bool *created);
int fr_store_get_machine(struct fr_store *store, const char *name, struct fr_arena *arena,
                         struct fr_machine *out);
/* The same without the numbers of calibrations and runs, which take time to count. */
int fr_store_glance_machine(struct fr_store *store, const char *name, struct fr_arena *arena,
                            struct fr_machine *out);
/* By name, after `after` (NULL: from the start), at most `limit`; *count is their number. */
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
/* FR_STORE_OK: stored, with the machine if it is new; FR_STORE_EXISTS: it is stored already. */
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
    const char *calibration; /* current at the upload, or NULL */
    const char *started_at;  /* of the document, in UTC, or NULL */
    const char *uploaded_at; /* RFC 3339 UTC */
    const char *job;         /* or NULL */
    const char *parameters;  /* JSON object of all of them */
    double time_s;
    const char *document; /* canonical form; NULL in lists */
    size_t document_length;
    int64_t sequence; /* grows with each upload: newest last */
};
/* Stores all runs or none: FR_STORE_OK, and is_new[i] tells whether run i is new.  The machine of
 * the first is created if there is none; FR_STORE_NONE if that of another does not exist.  The
 * store sets calibration, uploaded_at and sequence. */
int fr_store_add_runs(struct fr_store *store, const struct fr_stored_run *runs, size_t count,
                      bool *is_new);
/* The same answer, and nothing is stored. */
int fr_store_try_runs(struct fr_store *store, const struct fr_stored_run *runs, size_t count,
                      bool *is_new);
int fr_store_get_run(struct fr_store *store, const char *id, struct fr_arena *arena,
                     struct fr_stored_run *out);
int fr_store_delete_run(struct fr_store *store, const char *id);

/* The filter of a list; NULL members match everything. */
struct fr_run_filter {
    const char *model;
    const char *from, *to;  /* of the start, or else the upload; inclusive, as in clock.h */
    const char *parameters; /* JSON object: name to an array of accepted values */
};
/* A page of at most `limit` runs, newest first.  It is short, or empty, where it would have to look
 * at more runs than this for a time or parameters: the filter is read run by run. */
enum { FR_MOST_LOOKED_AT = 20000 };
struct fr_run_list {
    struct fr_stored_run *run; /* without documents */
    size_t count;
    int64_t rest; /* what else may fit has a sequence below this; 0: nothing else */
};
/* Those with sequence below `before` (0: from the newest). */
int fr_store_list_runs(struct fr_store *store, const char *machine,
                       const struct fr_run_filter *filter, int64_t before, size_t limit,
                       struct fr_arena *arena, struct fr_run_list *out);

/* Documents too, newest first, with sequence below `before` (0: from the newest): at most `limit`
 * and at most this many bytes together, but at least one.  A short page need not be the last. */
enum { FR_RUN_PAGE_BYTES = 64 << 20 };
/* These limits of a connection; a test has lower ones. */
struct fr_page_limits {
    int64_t looked_at;
    size_t bytes;
};
int fr_store_model_runs(struct fr_store *store, const char *machine, const char *model,
                        int64_t before, size_t limit, struct fr_arena *arena,
                        struct fr_stored_run **out, size_t *count);

struct fr_run_count {
    int64_t runs, newest; /* newest: its sequence; 0: no runs */
};
/* Counts the runs of a machine, or of one model on it. */
int fr_store_count_runs(struct fr_store *store, const char *machine, const char *model_or_null,
                        struct fr_run_count *out);

/* All times are RFC 3339 UTC. */
struct fr_token {
    int64_t sequence; /* never given again */
    const char *name; /* of one token, apart from revoked ones of earlier releases */
    const char *scope;
    const char *machines; /* that it may write, separated by blanks; empty: all */
    const char *note;
    const char *created_at, *expires_at, *last_used_at,
        *revoked_at; /* all but the first: or NULL */
    bool is_expired;
    int64_t keep_bytes; /* at most, of what it uploads and is still stored; 0: any number,
                           FR_KEEP_USUAL: keep_bytes of the author */
    int64_t kept_bytes;
};
enum { FR_KEEP_USUAL = -1 };
/* Stores name, scope, machines, note, expires_at and keep_bytes of a token.  `hash` is its SHA-256
 * in hex; FR_STORE_EXISTS: the name is taken. */
int fr_store_add_token(struct fr_store *store, const struct fr_token *token, const char *hash);
/* Expired and revoked ones too. */
int fr_store_find_token(struct fr_store *store, const char *hash, struct fr_arena *arena,
                        struct fr_token *out);
int fr_store_list_tokens(struct fr_store *store, struct fr_arena *arena, struct fr_token **out,
                         size_t *count);
/* FR_STORE_NONE: no token of this name is good. */
int fr_store_revoke_token(struct fr_store *store, const char *name);

/* When a token was last used, in seconds of Unix time. */
struct fr_token_use {
    int64_t sequence, at_s;
};
/* Stores them as one transaction. */
int fr_store_note_token_uses(struct fr_store *store, const struct fr_token_use *uses, size_t count);

/* ---- who wrote what ----------------------------------------------------------------------- */

/* Texts are NULL where they do not apply. */
struct fr_author {
    const char *token;   /* its name */
    const char *address; /* of the client */
    const char *command; /* of what writes without a request */
    int64_t client;      /* sequence of the token, or below 0 a number of an address; 0: none */
    int64_t keep_bytes;  /* what a token without a limit of its own may keep; 0: any number */
};
/* From now on, of what this connection writes; the texts are borrowed. */
void fr_store_set_author(struct fr_store *store, const struct fr_author *author);

struct fr_audited {
    const char *action;  /* add, change, delete */
    const char *kind;    /* machine, calibration, run, matrix, token */
    const char *id;      /* the first, of several that were added together */
    const char *machine; /* to which it belongs, or NULL */
    int64_t count;
};
struct fr_audit_entry {
    int64_t sequence;
    const char *at;
    struct fr_author author;
    struct fr_audited what;
};
/* Newest first, with sequence below `before` (0: from the newest). */
int fr_store_list_audit(struct fr_store *store, int64_t before, size_t limit,
                        struct fr_arena *arena, struct fr_audit_entry **out, size_t *count);

/* The newest row of each kind and machine (NULL: none). */
struct fr_news {
    const char *kind, *machine;
    int64_t sequence;
};
/* The number of the newest row of all: what is written later gets larger ones.  0: no rows. */
int fr_store_newest_change(struct fr_store *store, int64_t *sequence);
/* What was written after a row. */
int fr_store_list_changes(struct fr_store *store, int64_t after, struct fr_arena *arena,
                          struct fr_news **out, size_t *count);
/* Whether the runs of a machine, or the machine, were written after a row; or the store fails. */
bool fr_store_has_changed(struct fr_store *store, const char *machine, int64_t after);

/* 0 keeps everything. */
struct fr_retention {
    int64_t run_days;     /* since the upload */
    int64_t calibrations; /* the newest of a machine, and those that runs refer to */
    int64_t audit_days;
};
/* A run or a calibration that the rules do not keep. */
struct fr_doomed {
    const char *kind, *id, *machine;
};
/* At most `limit` runs, or calibrations if no run is too old. */
int fr_store_list_doomed(struct fr_store *store, const struct fr_retention *rules, size_t limit,
                         struct fr_arena *arena, struct fr_doomed **out, size_t *count);
/* Deletes at most as many, and old rows of the audit log, as one transaction with an audit row for
 * each.  *deleted is 0 if nothing is left to delete.  Uses `arena` for temporary memory. */
int fr_store_prune(struct fr_store *store, const struct fr_retention *rules, size_t limit,
                   struct fr_arena *arena, size_t *deleted);

#endif
