/* How much each client may ask for in a time, so that a careless one leaves something for others:
 * token buckets in a table of fixed size.
 *
 * A bucket is the moment when it is full again (the generic cell rate algorithm of ITU-T I.371): it
 * takes an allowance at once and refills evenly over the period.  A token is a client, and so is an
 * address where none is needed.
 */
#ifndef FR_LIMITS_H
#define FR_LIMITS_H

#include "server/http/address.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct fr_config;
struct fr_reply;
struct fr_request;

/* Settings have the names of fr_limit_name; 0: no limit. */
enum fr_limit {
    FR_LIMIT_REQUESTS, /* quick ones: single predictions, lists */
    FR_LIMIT_LONG,     /* sweeps, rankings, charts, batches */
    FR_LIMIT_WRITES,
    FR_LIMIT_BYTES,    /* of uploads */
    FR_LIMIT_ANALYSES, /* of matrices, queued */
    FR_LIMITS
};
const char *fr_limit_name(enum fr_limit limit);

enum { FR_LIMIT_CLIENTS = 2 * FR_ADDRESS_SLOTS };
/* Places in the table: of a slot of fr_address_slot, and of a token by its sequence number. */
unsigned fr_limit_client_of_address(unsigned slot);
unsigned fr_limit_client_of_token(int64_t sequence);

struct fr_limits {
    _Atomic uint64_t full_ns[FR_LIMITS][FR_LIMIT_CLIENTS]; /* monotonic; 0: full */
};

/* Takes `amount` of `allowance` in a period: 0, or the seconds until there is so much.  A full
 * bucket gives any amount, and takes as long to be full again as the amount needs.  Who takes it in
 * parts names what it has (`taken`): the bucket counts as full if it lacks no more than that. */
unsigned fr_limit_take(struct fr_limits *limits, enum fr_limit limit, unsigned client, double taken,
                       double amount, double allowance, uint64_t now_ns);

/* Gives back what was taken and not used. */
void fr_limit_give_back(struct fr_limits *limits, enum fr_limit limit, unsigned client,
                        double amount, double allowance, uint64_t now_ns);

/* Takes from the bucket of rq->payer: 0, or 429, which names the limit.  Counts refusals. */
int fr_request_charge(struct fr_request *rq, enum fr_limit limit, double amount,
                      struct fr_reply *reply);
/* The same after the request has taken a part. */
int fr_request_charge_more(struct fr_request *rq, enum fr_limit limit, double taken, double amount,
                           struct fr_reply *reply);
/* The same where a fault is reported in place of a reply: 0, or the seconds to wait, with a
 * sentence about the limit.  Keeps them in rq->limited_s, for Retry-After. */
unsigned fr_request_take(struct fr_request *rq, enum fr_limit limit, double amount, char *why,
                         size_t why_size);
void fr_request_refund(struct fr_request *rq, enum fr_limit limit, double amount);

#endif
