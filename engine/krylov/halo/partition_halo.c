/* A halo exchange of a partitioned matrix: any messages between any processes
 * (docs/models/krylov-links.md#messages-of-a-partition). */
#include "engine/krylov/halo/halo.h"

/* Costs of recent sizes: a partition has few, and a look-up of a ratio takes longer. */
enum { REMEMBERED = 1024 };
struct memory {
    int64_t words[REMEMBERED]; /* 0: none */
    struct halo_message message[REMEMBERED];
};

/* What a process sends, and what it receives. */
struct both {
    struct halo_series sent, received;
};

static const struct halo_message *message_of(const struct halo_conduct *conduct,
                                             const struct krylov_words *words, bool is_off_node,
                                             struct krylov_distance distance,
                                             struct memory memory[2], struct fr_evaluation *run)
{
    struct memory *of = &memory[is_off_node];
    const size_t i = (size_t)words->words % REMEMBERED;

    if (of->words[i] != words->words) {
        of->words[i] = words->words;
        of->message[i] =
            halo_message(conduct, run, 8 * (double)words->words, is_off_node, distance);
    }
    return &of->message[i];
}

static struct krylov_time slowest_of(const struct halo_conduct *conduct, const struct both *of,
                                     int64_t processes)
{
    struct krylov_time slowest = halo_series_time(conduct, &of->sent);

    for (int64_t i = 0; i < processes; i++) {
        const struct krylov_time sent = halo_series_time(conduct, &of[i].sent);
        const struct krylov_time received = halo_series_time(conduct, &of[i].received);

        if (halo_is_slower(&sent, &slowest))
            slowest = sent;
        if (halo_is_slower(&received, &slowest))
            slowest = received;
    }
    return slowest;
}

struct krylov_time krylov_partition_halo(const struct krylov_values *v,
                                         const struct krylov_words *message, size_t messages,
                                         struct fr_evaluation *run,
                                         const struct krylov_overlap *overlap)
{
    const struct fr_arena_mark mark = fr_arena_mark(run->arena);
    const struct halo_conduct conduct = halo_conduct(v, run, overlap);
    const struct krylov_distance distance = krylov_distance(v, run, false);
    const int64_t c = v->processes_per_node, processes = v->nodes * c;
    struct both *of = fr_arena_zeroed(run->arena, (size_t)processes, sizeof *of);
    struct memory *memory = fr_arena_zeroed(run->arena, 2, sizeof *memory);
    struct krylov_time slowest = { 0 };

    if (!of || !memory) {
        fr_fault(run->faults, FR_NOMEM, "nodes",
                 "the messages of so many processes do not fit "
                 "into the memory of a request");
        return slowest;
    }
    for (size_t i = 0; i < messages; i++) {
        const bool is_off_node = message[i].from / c != message[i].to / c;
        const struct halo_message *cost =
            message_of(&conduct, &message[i], is_off_node, distance, memory, run);

        halo_series_add(&conduct, cost, 1, &of[message[i].from].sent);
        halo_series_add(&conduct, cost, 1, &of[message[i].to].received);
    }
    slowest = slowest_of(&conduct, of, processes);
    fr_arena_release(run->arena, mark);
    return slowest;
}
