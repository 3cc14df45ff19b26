/* Gathers the body of a request: decompressed in memory, where the limit counts decompressed bytes,
 * or as received in a file. */
#ifndef FR_BODY_H
#define FR_BODY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct z_stream_s;

enum fr_gather_state {
    FR_GATHER_OK,
    FR_GATHER_TOO_LARGE, /* more than the limit */
    FR_GATHER_BAD_GZIP,
    FR_GATHER_BUSY, /* the budget of memory or disk for all bodies is exhausted */
    FR_GATHER_NOMEM,
    FR_GATHER_NO_DISK,
};

/* Bounds the total bytes of the bodies, or of the answers, of all current requests. */
struct fr_body_budget {
    _Atomic size_t held_bytes;
    size_t limit_bytes;
};
/* Takes so many bytes until they are given back; false if others leave too few.  `is_first_free`:
 * whoever is alone may exceed the limit. */
bool fr_budget_take(struct fr_body_budget *budget, size_t bytes, bool is_first_free);
void fr_budget_give_back(struct fr_body_budget *budget, size_t bytes);

struct fr_gather {
    enum fr_gather_state state;
    size_t limit_bytes;
    struct fr_body_budget *budget;
    char *bytes; /* NUL after `length` bytes; owned */
    size_t length, capacity;
    struct z_stream_s *gunzip; /* NULL: not compressed; owned */
    bool is_member_done;       /* the current gzip member has ended */
    bool has_file;             /* the body goes into `file`, not into memory */
    bool is_packed;            /* the file must be gzip */
    int file;                  /* owned */
};

void fr_gather_begin(struct fr_gather *gather, size_t limit_bytes, bool is_gzip,
                     struct fr_body_budget *budget);
/* The same into a file beside the database, not decompressed; the budget is of disk space. */
void fr_gather_begin_file(struct fr_gather *gather, const char *database, size_t limit_bytes,
                          bool is_gzip, struct fr_body_budget *budget);
/* Takes a piece; after a failure further pieces are ignored. */
void fr_gather_take(struct fr_gather *gather, const char *piece, size_t length);
/* After the last piece; a compressed body must be complete. */
void fr_gather_end(struct fr_gather *gather);
void fr_gather_free(struct fr_gather *gather);

#endif
