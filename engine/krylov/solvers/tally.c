/* Sums the work of a solve. */
#include "engine/krylov/solvers/solvers.h"

#include <math.h>

/* Allreduces of the same size cost the same. */
struct known {
    double bytes;
    struct krylov_time time;
    double bound_s;
};
enum { MOST_KNOWN = 4 };

struct tally {
    const struct krylov_values *v;
    struct fr_evaluation *run;
    const struct krylov_prices *prices;
    struct known known[MOST_KNOWN];
    size_t known_count;
    struct krylov_totals totals;
    bool has_start;
};

static const struct known *allreduce_of(struct tally *tally, double bytes)
{
    struct known *known = tally->known;
    const struct krylov_overlap blocking = { .is_blocking = true };
    struct krylov_allreduce_bound bound;

    for (size_t i = 0; i < tally->known_count && i < MOST_KNOWN; i++)
        if (known[i].bytes == bytes)
            return &known[i];
    known += tally->known_count++ % MOST_KNOWN;
    bound = krylov_allreduce_bound(tally->v, &tally->prices->least, tally->run->cal, bytes);
    *known = (struct known){
        .bytes = bytes,
        .time = krylov_allreduce(tally->v, tally->run, bytes, &blocking),
        .bound_s = fmax(bound.critical_path_s, bound.network_s),
    };
    return known;
}

/* Seconds of a product and of an application of the preconditioner. */
struct units {
    double matvec_s, preconditioner_s;
};

static double window_s(const struct krylov_window *window, const struct units *each)
{
    return window->matvecs * each->matvec_s + window->preconditioners * each->preconditioner_s;
}

static double hidden_s(const struct tally *tally, const struct krylov_window *window,
                       const struct krylov_time *time)
{
    const struct units each = { tally->prices->each.matvec_s,
                                tally->prices->each.preconditioner_s };
    const struct krylov_overlap overlap = {
        .is_blocking = window->is_blocking,
        .seconds = window_s(window, &each),
        .progress = tally->prices->progress,
    };

    return krylov_allreduce_hidden_s(tally->v, time, &overlap);
}

/* A product waits for its halo, a cycle for its messages; an allreduce runs at most as long beside
 * its window as these take. */
static void add_allreduce(struct tally *tally, double times, const struct krylov_window *window,
                          const struct units *least, struct krylov_part *part)
{
    const struct known *known = allreduce_of(tally, window->bytes);
    const double hidden = hidden_s(tally, window, &known->time);

    part->allreduces += times;
    part->allreduce_s += times * (known->time.time_s - hidden);
    part->allreduce_hidden_s += times * hidden;
    part->allreduce_penalty_s += times * known->time.penalty_s;
    part->chain_s += times * fmax(0, known->bound_s - window_s(window, least));
}

/* The first kind of work is the start. */
static void add_work(void *context, double times, const struct krylov_counts *counts)
{
    struct tally *tally = context;
    struct krylov_part *part = tally->has_start ? &tally->totals.steps : &tally->totals.start;
    const struct krylov_prices *prices = tally->prices;
    const double matvecs = times * counts->matvecs, words = times * counts->vector_words;
    const double applications = times * counts->preconditioners;
    const struct units least = {
        fmax(prices->each.matvec_s, prices->halo_bound_s),
        fmax(prices->each.preconditioner_s, prices->cycle_bound_s),
    };

    tally->has_start = true;
    part->matvecs += matvecs;
    part->preconditioners += applications;
    part->words += words;
    part->matvec_s += matvecs * prices->each.matvec_s;
    part->preconditioner_s += applications * prices->each.preconditioner_s;
    part->vector_s += words * prices->each.word_s;
    part->halo_s += matvecs * prices->halo.time_s;
    part->halo_hidden_s += matvecs * prices->halo.hidden_s;
    part->cycle_s += applications * prices->cycle_s;
    part->cycle_hidden_s += applications * prices->cycle_hidden_s;
    part->chain_s += matvecs * least.matvec_s + applications * least.preconditioner_s;
    for (size_t i = 0; i < counts->allreduces; i++)
        add_allreduce(tally, times, &counts->allreduce[i], &least, part);
}

double krylov_part_computation_s(const struct krylov_part *part)
{
    return part->matvec_s + part->preconditioner_s + part->vector_s;
}

double krylov_part_s(const struct krylov_part *part)
{
    return krylov_part_computation_s(part) + part->allreduce_s + part->halo_s + part->cycle_s;
}

struct krylov_totals krylov_totals(const struct krylov_values *v,
                                   const struct krylov_solver *solver, int64_t iterations,
                                   int64_t restart, const struct krylov_prices *prices,
                                   struct fr_evaluation *run)
{
    struct tally tally = { .v = v, .run = run, .prices = prices };

    krylov_schedule(solver, iterations, restart,
                    (struct krylov_schedule_visitor){ add_work, &tally });
    return tally.totals;
}

static void put_phase(struct fr_prediction *out, const char *name, enum fr_phase_kind kind,
                      double time_s, double hidden_s)
{
    if (time_s + hidden_s > 0) /* phases without time are left out */
        fr_phase(out, name, kind, time_s + hidden_s, hidden_s);
}

void krylov_put_totals(const struct krylov_totals *totals, double synchronization_s,
                       struct fr_prediction *out)
{
#define SUM(field) (totals->start.field + totals->steps.field)
    put_phase(out, "matvec", FR_COMPUTATION, SUM(matvec_s), 0);
    put_phase(out, "preconditioner", FR_COMPUTATION, SUM(preconditioner_s), 0);
    put_phase(out, "vector", FR_COMPUTATION, SUM(vector_s), 0);
    put_phase(out, "allreduce", FR_COMMUNICATION, SUM(allreduce_s), SUM(allreduce_hidden_s));
    put_phase(out, "halo_exchange", FR_COMMUNICATION, SUM(halo_s), SUM(halo_hidden_s));
    put_phase(out, "multigrid_messages", FR_COMMUNICATION, SUM(cycle_s), SUM(cycle_hidden_s));
    put_phase(out, "synchronization", FR_COMMUNICATION, SUM(allreduces) * synchronization_s, 0);
    fr_bound(out, "work", SUM(matvec_s) + SUM(preconditioner_s) + SUM(vector_s));
    fr_bound(out, "critical_path", SUM(chain_s));
#undef SUM
}
