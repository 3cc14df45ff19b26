/* The finished answer: a reply after conditions, compression and headers.  Plain data, so that
 * tests need no socket.
 */
#ifndef FR_ANSWER_H
#define FR_ANSWER_H

#include "server/http/http.h"

enum { FR_MAX_HEADERS = 16, FR_GZIP_LEAST_BYTES = 1024 };

struct fr_header {
    const char *name, *value; /* constant, or inside the answer */
};

struct fr_answer {
    int status;
    char *bytes; /* owned, from malloc; NULL if `shared` has them or there are none */
    struct fr_shared_bytes *shared;
    size_t length;
    struct fr_header header[FR_MAX_HEADERS];
    size_t header_count;
    char etag[48], allow[40], retry_after[12], location[256];
    char *link; /* owned, from malloc; or NULL */
};

/* Facts about a request that struct fr_request does not have. */
struct fr_answer_options {
    bool is_get;             /* GET or HEAD */
    bool is_preflight;       /* an answer to OPTIONS */
    bool is_stream;          /* the body follows in lines */
    bool is_closing;         /* the connection ends with this answer */
    const char *cors_origin; /* the sender's origin if it may write, or NULL */
};

/* Takes over the body of the reply.  Only a successful GET is conditional and gets an ETag. */
void fr_answer_make(const struct fr_request *rq, struct fr_reply *reply, int status,
                    const struct fr_answer_options *options, struct fr_answer *answer);
void fr_answer_free(struct fr_answer *answer);

/* Of a request in lines: makes the document that the handler wrote its last line, the member
 * `answer` or `problem` of an object.  A problem is one only after lines that were sent. */
void fr_reply_complete_lines(struct fr_reply *reply, int status, bool is_begun);

/* Whether an If-None-Match header (NULL: none) names the tag, compared weakly. */
bool fr_etag_is_listed(const char *if_none_match, const char *etag);

/* gzip of some bytes, from malloc; NULL if memory is short or the result is not smaller. */
char *fr_gzip(const char *bytes, size_t length, size_t *packed_length);

#endif
