/* What the fuzzers share: a server without a socket, that knows the machine `hopper`. */
#ifndef FR_FUZZ_SETTING_H
#define FR_FUZZ_SETTING_H

#include "server/http/http.h"

/* libFuzzer calls these. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A request with everything a worker gives it, and its empty reply.  The arena is small, so that
 * running out of memory is met as well. */
void fuzz_begin(struct fr_request *rq, struct fr_reply *reply);
void fuzz_end(struct fr_request *rq, struct fr_reply *reply);
/* The input as a text that ends with NUL, in the request's arena. */
const char *fuzz_text(struct fr_request *rq, const uint8_t *data, size_t size);

/* Ends the program where an answer is not what a handler may give. */
void fuzz_check(int status, const struct fr_reply *reply);

#endif
