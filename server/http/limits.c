#include "server/http/server.h"

#include <math.h>
#include <stdio.h>

enum { MINUTE_S = 60, HOUR_S = 3600, DAY_S = 86400 };

/* Until a bucket is full, whatever was taken from it: a year. */
static const double most_ns = 365. * DAY_S * 1e9;

static const struct {
    const char *name, *unit, *period;
    unsigned period_s;
    size_t offset; /* in struct fr_config */
} kinds[FR_LIMITS] = {
#define KIND(setting, unit, period, period_s)                                 \
    {                                                                         \
#setting, unit, period, period_s, offsetof(struct fr_config, setting) \
    }
    [FR_LIMIT_REQUESTS] = KIND(requests_per_minute, "quick requests", "a minute", MINUTE_S),
    [FR_LIMIT_LONG] = KIND(long_requests_per_minute, "long requests", "a minute", MINUTE_S),
    [FR_LIMIT_WRITES] = KIND(writes_per_minute, "writes", "a minute", MINUTE_S),
    [FR_LIMIT_BYTES] = KIND(upload_bytes_per_day, "bytes of uploads", "a day", DAY_S),
    [FR_LIMIT_ANALYSES] = KIND(analyses_per_hour, "analyses of matrices", "an hour", HOUR_S),
#undef KIND
};

const char *fr_limit_name(enum fr_limit limit)
{
    return kinds[limit].name;
}

unsigned fr_limit_client_of_address(unsigned slot)
{
    return slot;
}

unsigned fr_limit_client_of_token(int64_t sequence)
{
    return FR_ADDRESS_SLOTS + (unsigned)(sequence % FR_ADDRESS_SLOTS);
}

unsigned fr_limit_take(struct fr_limits *limits, enum fr_limit limit, unsigned client, double taken,
                       double amount, double allowance, uint64_t now_ns)
{
    _Atomic uint64_t *full_ns = &limits->full_ns[limit][client];
    const double period_ns = kinds[limit].period_s * 1e9;
    const double taken_ns = taken / allowance * period_ns;
    uint64_t was_ns = atomic_load(full_ns), next_ns;

    do {
        const uint64_t from_ns = was_ns > now_ns ? was_ns : now_ns;
        const double wait_ns = (double)(from_ns - now_ns);
        const double until_full_ns = fmin(wait_ns + amount / allowance * period_ns, most_ns);

        if (wait_ns > taken_ns && until_full_ns > period_ns)
            return (unsigned)ceil(fmin(wait_ns, until_full_ns - period_ns) / 1e9);
        next_ns = now_ns + (uint64_t)until_full_ns;
    } while (!atomic_compare_exchange_weak(full_ns, &was_ns, next_ns));
    return 0;
}

void fr_limit_give_back(struct fr_limits *limits, enum fr_limit limit, unsigned client,
                        double amount, double allowance, uint64_t now_ns)
{
    _Atomic uint64_t *full_ns = &limits->full_ns[limit][client];
    const double back_ns = fmin(amount / allowance * kinds[limit].period_s * 1e9, most_ns);
    uint64_t was_ns = atomic_load(full_ns), next_ns;

    do {
        const double wait_ns = was_ns > now_ns ? (double)(was_ns - now_ns) : 0;

        next_ns = wait_ns > back_ns ? was_ns - (uint64_t)back_ns : now_ns;
    } while (!atomic_compare_exchange_weak(full_ns, &was_ns, next_ns));
}

static int64_t allowance_of(struct fr_server *server, enum fr_limit limit)
{
    return atomic_load((_Atomic int64_t *)(void *)((char *)&server->config + kinds[limit].offset));
}

static unsigned take(struct fr_request *rq, enum fr_limit limit, double taken, double amount,
                     char *why, size_t why_size)
{
    struct fr_server *server = rq->server;
    const int64_t allowance = allowance_of(server, limit);
    unsigned wait_s;

    if (!allowance || amount <= 0)
        return 0;
    wait_s = fr_limit_take(&server->limits, limit, rq->payer, taken, amount, (double)allowance,
                           fr_clock_ns(server->clock));
    if (!wait_s)
        return 0;
    fr_metrics_limited(&server->metrics, limit);
    rq->limited_s = wait_s;
    rq->is_partial = true;
    snprintf(why, why_size, "This %s may have %lld %s in %s (`%s`); try again in %u seconds.",
             rq->token_name[0] ? "token" : "address", (long long)allowance, kinds[limit].unit,
             kinds[limit].period, kinds[limit].name, wait_s);
    return wait_s;
}

unsigned fr_request_take(struct fr_request *rq, enum fr_limit limit, double amount, char *why,
                         size_t why_size)
{
    return take(rq, limit, 0, amount, why, why_size);
}

int fr_request_charge_more(struct fr_request *rq, enum fr_limit limit, double taken, double amount,
                           struct fr_reply *reply)
{
    char detail[240];
    const unsigned wait_s = take(rq, limit, taken, amount, detail, sizeof detail);

    if (!wait_s)
        return 0;
    reply->retry_after_s = wait_s;
    return fr_reply_problem(reply, 429, detail);
}

int fr_request_charge(struct fr_request *rq, enum fr_limit limit, double amount,
                      struct fr_reply *reply)
{
    return fr_request_charge_more(rq, limit, 0, amount, reply);
}

void fr_request_refund(struct fr_request *rq, enum fr_limit limit, double amount)
{
    struct fr_server *server = rq->server;
    const int64_t allowance = allowance_of(server, limit);

    if (allowance)
        fr_limit_give_back(&server->limits, limit, rq->payer, amount, (double)allowance,
                           fr_clock_ns(server->clock));
}
