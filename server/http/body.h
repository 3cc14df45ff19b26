/* Gathering a request's body: in memory, with the limit counted in decompressed bytes, or as it
 * comes in a file. */
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
    FR_GATHER_BUSY, /* bodies in flight hold all the memory, or all of the disk, that they may */
    FR_GATHER_NOMEM,
    FR_GATHER_NO_DISK,
};

/* Bodies of all requests in flight: the bytes they hold together are bounded. */
struct fr_body_budget {
    _Atomic size_t held_bytes;
    size_t limit_bytes;
};

struct fr_gather {
    enum fr_gather_state state;
    size_t limit_bytes;
    struct fr_body_budget *budget;
    char *bytes; /* NUL-ended behind `length`; owned */
    size_t length, capacity;
    struct z_stream_s *gunzip; /* NULL: not compressed; owned */
    bool is_member_done;       /* the gzip member under way has ended */
    bool has_file;             /* what comes goes into `file`, and into memory nothing */
    bool is_packed;            /* which must be gzip */
    int file;                  /* owned */
};

void fr_gather_begin(struct fr_gather *gather, size_t limit_bytes, bool is_gzip,
                     struct fr_body_budget *budget);
/* The same into a file beside the database, without unpacking; the budget is one of the disk. */
void fr_gather_begin_file(struct fr_gather *gather, const char *database, size_t limit_bytes,
                          bool is_gzip, struct fr_body_budget *budget);
/* Takes a piece; after a failure further pieces are ignored. */
void fr_gather_take(struct fr_gather *gather, const char *piece, size_t length);
/* After the last piece; a compressed body must be complete. */
void fr_gather_end(struct fr_gather *gather);
void fr_gather_free(struct fr_gather *gather);

#endif
