/* What the files of resources share: statements, large values, the audit log and the quota. */
#ifndef FR_SQL_H
#define FR_SQL_H

#include "server/store/driver.h"

/* ---- sql ------------------------------------------------------------------------------- */

/* Running prepared statements with bound values; what the driver says becomes an enum
 * fr_store_result.
 *
 * The file of a resource has a reader of its rows and, for each call, a statement and its values.
 * To add a resource, add its table in a new migration and its statements in statements.h.
 */

static inline struct fr_sql_value fr_sql_text(const char *text)
{
    return (struct fr_sql_value){ .kind = FR_SQL_TEXT, .text = text };
}

static inline struct fr_sql_value fr_sql_bytes(const char *text, size_t length)
{
    return (struct fr_sql_value){ .kind = FR_SQL_BYTES, .text = text, .length = length };
}

static inline struct fr_sql_value fr_sql_blob(const void *bytes, size_t length)
{
    return (struct fr_sql_value){ .kind = FR_SQL_BLOB, .text = bytes, .length = length };
}

static inline struct fr_sql_value fr_sql_integer(int64_t integer)
{
    return (struct fr_sql_value){ .kind = FR_SQL_INTEGER, .integer = integer };
}

static inline struct fr_sql_value fr_sql_real(double real)
{
    return (struct fr_sql_value){ .kind = FR_SQL_REAL, .real = real };
}

static inline struct fr_sql_value fr_sql_made(struct fr_sql_value value)
{
    return value;
}

/* The values of a statement, at most 24, each of the kind of its C type; bytes and blobs are made
 * by the functions above. */
#define FR_SQL_VALUES(...)                                                                    \
    FR_SQL_ROOM(__VA_ARGS__, FR_SQL_LAST, FR_SQL_LAST, FR_SQL_LAST, FR_SQL_LAST, FR_SQL_LAST, \
                FR_SQL_LAST, FR_SQL_LAST, FR_SQL_LAST, FR_SQL_LAST, FR_SQL_LAST, FR_SQL_LAST, \
                FR_SQL_LAST, FR_SQL_LAST, FR_SQL_LAST, FR_SQL_LAST, FR_SQL_LAST, FR_SQL_LAST, \
                FR_SQL_LAST, FR_SQL_LAST, FR_SQL_LAST, FR_SQL_LAST, FR_SQL_LAST, FR_SQL_LAST, \
                FR_SQL_LAST, FR_SQL_LAST)
#define FR_SQL_LAST ((struct fr_sql_value){ .kind = FR_SQL_END })
#define FR_SQL_OF(x) \
    _Generic((x), char * : fr_sql_text, const char * : fr_sql_text, double : fr_sql_real, int \
             : fr_sql_integer, int64_t : fr_sql_integer, size_t : fr_sql_integer,             \
             struct fr_sql_value : fr_sql_made)(x)
#define FR_SQL_ROOM(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, \
                    ...)                                                                       \
    ((const struct fr_sql_value[]){                                                            \
        FR_SQL_OF(a), FR_SQL_OF(b), FR_SQL_OF(c), FR_SQL_OF(d), FR_SQL_OF(e),                  \
        FR_SQL_OF(f), FR_SQL_OF(g), FR_SQL_OF(h), FR_SQL_OF(i), FR_SQL_OF(j),                  \
        FR_SQL_OF(k), FR_SQL_OF(l), FR_SQL_OF(m), FR_SQL_OF(n), FR_SQL_OF(o),                  \
        FR_SQL_OF(p), FR_SQL_OF(q), FR_SQL_OF(r), FR_SQL_OF(s), FR_SQL_OF(t),                  \
        FR_SQL_OF(u), FR_SQL_OF(v), FR_SQL_OF(w), FR_SQL_OF(x), y })

/* The values of a struct sparse_structure_key, or of what has the same members. */
#define FR_SQL_KEY(key) \
    (key)->ordering, (key)->row_permutation, (key)->supernode_max, (key)->supernode_relax

/* The name of a statement, for messages. */
const char *fr_sql_name(enum fr_sql id);

/* Begins a transaction that writes; waits for other writers. */
int fr_sql_begin(struct fr_store *store);
/* Commits if `result` is FR_STORE_OK, else rolls back.  Returns `result`, or FR_STORE_FAILED if the
 * commit fails. */
int fr_sql_end(struct fr_store *store, int result);

/* FR_STORE_OK also where there was nothing to do. */
static inline int fr_sql_or_none(int result)
{
    return result == FR_STORE_NONE ? FR_STORE_OK : result;
}

/* FR_STORE_OK if rows changed, FR_STORE_NONE if none did, FR_STORE_IN_USE if other rows refer to
 * one. Call it between fr_sql_begin and fr_sql_end. */
int fr_sql_change(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values);
/* The same as a transaction of its own. */
int fr_sql_change_alone(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values);

static inline int64_t fr_row_integer(const struct fr_row *row, int column)
{
    return row->store->driver->integer(row, column);
}

static inline double fr_row_real(const struct fr_row *row, int column)
{
    return row->store->driver->real(row, column);
}

static inline bool fr_row_is_null(const struct fr_row *row, int column)
{
    return row->store->driver->is_null(row, column);
}

/* Borrowed until the next row; NULL for SQL's NULL. */
static inline const char *fr_row_text(const struct fr_row *row, int column)
{
    size_t length;

    return row->store->driver->bytes(row, column, &length);
}

/* The length of a text or a blob. */
static inline size_t fr_row_bytes(const struct fr_row *row, int column)
{
    size_t length;

    row->store->driver->bytes(row, column, &length);
    return length;
}

/* The member of a resource's struct that a column fills, in the order of the columns. */
struct fr_sql_member {
    enum {
        FR_SQL_LAST_MEMBER,
        FR_SQL_COPY,   /* of a text or a blob, in the arena; NULL stays NULL */
        FR_SQL_LENGTH, /* of the column before: it has none of its own */
        FR_SQL_ID,     /* a text in an array of FR_MATRIX_ID_BYTES */
        FR_SQL_STATUS,
        FR_SQL_WHOLE,
        FR_SQL_NUMBER,
        FR_SQL_TRUTH,
    } kind;
    size_t offset;
};
#define FR_SQL_MEMBER(type, member)                                                \
    {                                                                              \
        _Generic(((type *)0)->member, const char * : FR_SQL_COPY, size_t         \
                 : FR_SQL_LENGTH, char * : FR_SQL_ID, enum fr_matrix_status      \
                 : FR_SQL_STATUS, int64_t : FR_SQL_WHOLE, double : FR_SQL_NUMBER, bool \
                 : FR_SQL_TRUTH),                                                \
            offsetof(type, member) \
    }
#define FR_SQL_MEMBERS_END    \
    {                         \
        FR_SQL_LAST_MEMBER, 0 \
    }
/* An int64_t. */
extern const struct fr_sql_member fr_sql_integer_alone[];

/* Reads the columns from `first` on; false, and nothing is written, if out of memory. */
bool fr_sql_read(struct fr_row *row, int first, const struct fr_sql_member *members,
                 struct fr_arena *arena, void *out);
/* Reads at most one row: FR_STORE_OK, FR_STORE_NONE or FR_STORE_FAILED.  Without members only its
 * existence matters. */
int fr_sql_one(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values,
               const struct fr_sql_member *members, struct fr_arena *arena, void *out);
/* All rows as an array in the arena, each of `row_size` bytes; `out` is the address of the caller's
 * pointer to it, which becomes NULL without rows. */
int fr_sql_list(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values,
                const struct fr_sql_member *members, size_t row_size, struct fr_arena *arena,
                void *out, size_t *count);

/* Calls `visit` for each row until it returns FR_STORE_NONE (enough) or FR_STORE_FAILED (out of
 * memory: logged and returned). */
int fr_sql_each(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values,
                int (*visit)(struct fr_row *row, void *context), void *context);

/* ---- blobs ----------------------------------------------------------------------------- */

/* Values too large for memory, read and written in pieces. */

/* The length of the piece at `at`. */
size_t fr_blob_piece(const struct fr_blob *blob, int64_t at);

/* Each function takes a table, a column and a row, whose value already has its length (zeroblob).
 * FR_STORE_OK, or FR_STORE_FAILED, which has been logged. */
int fr_blob_write(struct fr_store *store, const char *table, const char *column, int64_t row,
                  const void *bytes, size_t length);
/* The same after `add` has inserted the row with its number and the length. */
int fr_blob_add(struct fr_store *store, enum fr_sql add, const char *table, const char *column,
                int64_t row, const void *bytes, size_t length);
/* Copies a file, from its first byte. */
int fr_blob_take_file(struct fr_store *store, const char *table, const char *column, int64_t row,
                      int file, int64_t length);
/* Appends the value to a file. */
int fr_blob_give_file(struct fr_store *store, const char *table, const char *column, int64_t row,
                      int file);
/* Reads the value into *bytes, which the caller frees. */
int fr_blob_read(struct fr_store *store, const char *table, const char *column, int64_t row,
                 unsigned char **bytes, size_t *length);

/* ---- audit ----------------------------------------------------------------------------- */

/* Rows of the audit log, for the files that write. */

/* Adds a row, between fr_sql_begin and fr_sql_end: FR_STORE_OK or FR_STORE_FAILED.  Without a
 * machine, a run or a calibration has its own. */
int fr_audit_add(struct fr_store *store, const struct fr_audited *what);
/* fr_sql_end, with a row if `result` is FR_STORE_OK. */
int fr_audit_end(struct fr_store *store, int result, const struct fr_audited *what);
/* fr_sql_change_alone with a row. */
int fr_audit_change_alone(struct fr_store *store, enum fr_sql id, const struct fr_sql_value *values,
                          const struct fr_audited *what);

/* ---- quota ----------------------------------------------------------------------------- */

/* What a token may keep: the bytes that it uploaded and that are still stored.  The database takes
 * off what is deleted, however it is deleted. */

/* The value of the column `owner` of what the author uploads: its token, or 0. */
struct fr_sql_value fr_quota_owner(const struct fr_store *store);
/* Counts so many bytes more for the author's token, between fr_sql_begin and fr_sql_end.
 * FR_STORE_OK, or FR_STORE_FAILED: with FR_STORE_QUOTA if it may not keep so much. */
int fr_quota_take(struct fr_store *store, int64_t bytes);

#endif
