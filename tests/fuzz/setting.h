/* Shared by the fuzzers: a server without a socket that has the machine `hopper`. */
#ifndef FR_FUZZ_SETTING_H
#define FR_FUZZ_SETTING_H

#include "server/http/http.h"

/* libFuzzer calls these functions. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A request with all resources of a worker, and its empty reply. The arena is small, so that
 * inputs also exhaust the memory. */
void fuzz_begin(struct fr_request *rq, struct fr_reply *reply);
void fuzz_end(struct fr_request *rq, struct fr_reply *reply);
/* The input as a NUL-terminated text, owned by the request's arena. */
const char *fuzz_text(struct fr_request *rq, const uint8_t *data, size_t size);

/* Aborts if a reply is not valid for a handler. */
void fuzz_check(int status, const struct fr_reply *reply);

#endif
