/* Simulates messages and updates of HPL with look-ahead 1 and one ring, process by process, in one
 * stretch of a run (docs/models/block_cyclic.md#jams):
 *
 *     cc -O2 -o build/jams tests/validation/block_cyclic/jams.c -lm && build/jams
 *
 * prints how much longer rolled swaps take than binary exchanges, as a percentage of the update of
 * a mean process, beside what the model adds.  Half an hour of one core; with `--short` two
 * minutes.
 */
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { STACK_BYTES = 16384, CORES = 16, KEYS = 1024 };

/* Times are in those of an update. */
struct stretch {
    int P, Q, panels, blocks;              /* blocks of columns that a process updates */
    double hop, factor, calls, processors; /* deviations of calls and of processors */
    bool rolls;
};

/* A process is a coroutine with a clock of its own. */
struct process {
    ucontext_t context;
    jmp_buf at;
    bool has_begun, is_blocked, polls;
    int p, q, panel;
    int partner, key;    /* of the exchange that it waits in; partner -1: none */
    int offered, wanted; /* the panel that it sends, or waits for; 0: none */
    double now, slowness, half_way;
};

static struct stretch of;
static struct process *all, *me, **heap;
static int heap_size;
static ucontext_t scheduler;
static jmp_buf home;
static unsigned long seed;
static const double swap_time = 0.03;

static void push(struct process *one)
{
    int i = heap_size++;

    for (; i && heap[(i - 1) / 2]->now > one->now; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = one;
}

static struct process *pop(void)
{
    struct process *const first = heap[0], *const last = heap[--heap_size];
    int i = 0;

    for (;;) {
        int child = 2 * i + 1;

        if (child + 1 < heap_size && heap[child + 1]->now < heap[child]->now)
            child++;
        if (child >= heap_size || heap[child]->now >= last->now)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return first;
}

static double uniform(void)
{
    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
    return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
    const double pi = 3.14159265358979323846;

    return sqrt(-2 * log(uniform())) * cos(2 * pi * uniform());
}

static struct process *process_at(int p, int q)
{
    return &all[q * of.P + p];
}

/* The next process is that whose clock is the earliest. */
static void give_way(void)
{
    if (!_setjmp(me->at))
        _longjmp(home, 1);
}

static void go_on_at(double time)
{
    me->now = time;
    push(me);
    give_way();
}

static void block(void)
{
    me->is_blocked = true;
    give_way();
}

static void wake(struct process *one, double time)
{
    one->now = fmax(one->now, time);
    one->is_blocked = false;
    push(one);
}

static void compute(double time)
{
    go_on_at(me->now + time * me->slowness * (1 + of.calls * normal()));
}

/* Both wait for each other (MPI_Sendrecv of long messages). */
static void exchange(int p, int key, double time)
{
    struct process *other = process_at(p, me->q);

    if (other->is_blocked && other->partner == me->p && other->key == key) {
        const double end = fmax(me->now, other->now) + time;

        other->partner = -1;
        wake(other, end);
        go_on_at(end);
    } else {
        me->partner = p;
        me->key = key;
        block();
    }
}

static int owner(int panel)
{
    return panel % of.Q;
}

/* Blocks until the right neighbour has the panel. */
static void pass_on(void)
{
    const int right = (me->q + 1) % of.Q;
    struct process *next = process_at(me->p, right);

    if (right == owner(me->panel))
        return;
    me->offered = me->panel;
    if (next->wanted == me->panel) {
        next->wanted = 0;
        wake(next, me->now);
    }
    block();
}

/* HPL_1ring.c */
static void poll(void)
{
    struct process *left = process_at(me->p, (me->q + of.Q - 1) % of.Q);

    if (!me->polls)
        return;
    if (me->q == owner(me->panel)) {
        me->polls = false;
        pass_on();
    } else if (left->offered == me->panel) {
        left->offered = 0;
        wake(left, me->now + of.hop);
        go_on_at(me->now + of.hop);
        me->polls = false;
        pass_on();
    }
}

/* HPL_pdlaswp01T.c or HPL_pdlaswp00N.c, of which the roll takes two thirds; numbers of processes
 * are powers of two. */
static void swap_rows(int source, int first_key, double time)
{
    const int steps = (int)lround(log2(of.P)), distance = (me->p - source + of.P) % of.P;
    int key = first_key;

    if (!of.rolls) {
        for (int bit = 1; bit < of.P; bit *= 2, key++) {
            exchange(me->p ^ bit, key, time / steps);
            poll();
        }
        return;
    }
    for (int bit = of.P / 2; bit; bit /= 2, key++) {
        if (distance % bit == 0)
            exchange(((distance ^ bit) + source) % of.P, key, time / 3 / steps);
        poll();
    }
    for (int roll = 0; roll < of.P - 1; roll++, key++) {
        exchange((me->p + ((me->p + roll) % 2 ? of.P - 1 : 1)) % of.P, key,
                 time * 2 / 3 / (of.P - 1));
        poll();
    }
}

/* The searches of a panel, in which its processes meet. */
static void meet(int key)
{
    for (int bit = 1; bit < of.P; bit *= 2, key++)
        exchange(me->p ^ bit, key, 0);
}

/* HPL_pdgesvK2.c, HPL_pdupdateTT.c */
static void work(void)
{
    const double block_time = 1.0 / of.blocks;

    for (int panel = 1; panel <= of.panels; panel++) {
        const int source = (panel - 1) % of.P, key = panel * KEYS;
        int left = of.blocks;

        me->panel = panel;
        me->polls = false;
        if (me->q == owner(panel)) {
            swap_rows(source, key, swap_time / of.blocks);
            compute(block_time);
            meet(key + 300);
            compute(of.factor);
            meet(key + 320);
            left--;
        }
        me->polls = true;
        swap_rows(source, key + 400, swap_time);
        for (; me->polls && left; left--) {
            compute(block_time);
            poll();
        }
        while (me->polls) {
            if (me->q != owner(panel) &&
                process_at(me->p, (me->q + of.Q - 1) % of.Q)->offered != panel) {
                me->wanted = panel;
                block();
            }
            poll();
        }
        for (; left; left--)
            compute(block_time);
        if (panel == of.panels / 2)
            me->half_way = me->now;
    }
    me->panel = 0;
    block();
}

static void begin(int i, const double *slowness)
{
    struct process *one = &all[i];

    *one = (struct process){ .p = i % of.P, .q = i / of.P, .partner = -1 };
    one->slowness = slowness[(one->p * of.Q + one->q) / CORES]; /* ranks along the rows */
    getcontext(&one->context);
    one->context.uc_stack.ss_sp = malloc(STACK_BYTES);
    one->context.uc_stack.ss_size = STACK_BYTES;
    one->context.uc_link = &scheduler;
    makecontext(&one->context, work, 0);
    push(one);
}

static void run(void)
{
    while (heap_size) {
        me = pop();
        if (_setjmp(home))
            continue;
        if (me->has_begun)
            _longjmp(me->at, 1);
        me->has_begun = true;
        swapcontext(&scheduler, &me->context);
    }
}

/* The time of a panel in the second half of the stretch. */
static double panel_time(bool rolls, unsigned long draw)
{
    const int processes = of.P * of.Q;
    double *slowness = malloc((size_t)(processes / CORES + 1) * sizeof *slowness);
    double end = 0, half_way = 0;

    of.rolls = rolls;
    seed = draw;
    for (int i = 0; i <= processes / CORES; i++)
        slowness[i] = 1 + of.processors * normal();
    all = calloc((size_t)processes, sizeof *all);
    heap = calloc((size_t)processes, sizeof(struct process *));
    for (int i = 0; i < processes; i++)
        begin(i, slowness);
    run();
    for (int i = 0; i < processes; i++) {
        if (all[i].panel) {
            fprintf(stderr, "jams: deadlock\n");
            exit(1);
        }
        end = fmax(end, all[i].now);
        half_way = fmax(half_way, all[i].half_way);
        free(all[i].context.uc_stack.ss_sp);
    }
    free(all);
    free(heap);
    free(slowness);
    return (end - half_way) / (of.panels - of.panels / 2);
}

/* jam_s of engine/block_cyclic/hpl_broadcast.c */
static double modelled(void)
{
    const double hops = (of.P - 2) * of.hop, processors = of.P * of.Q > CORES ? of.processors : 0;
    const double deviation = fmin(hypot(of.calls, processors), 0.05);

    return 1.9 * pow(hops * deviation, 2.0 / 3) * pow(1 - 1.0 / of.Q, 2) *
           fmax(0, 1 - of.factor / 0.2);
}

static struct {
    double simulated, modelled, most;
    int count, right;
} all_stretches;

static void show(struct stretch stretch, int draws)
{
    double sum = 0, squares = 0, mean, added;

    of = stretch;
    for (int draw = 1; draw <= draws; draw++) {
        const double more = 100 * (panel_time(true, draw) - panel_time(false, draw));

        sum += more;
        squares += more * more;
    }
    mean = sum / draws;
    added = 100 * modelled();
    all_stretches.simulated += mean;
    all_stretches.modelled += added;
    all_stretches.most = fmax(all_stretches.most, mean);
    all_stretches.right += fabs(mean - added) <= 1;
    all_stretches.count++;
    printf("%2d x %2d, %2d blocks, hop %.3f, factorization %.2f, calls %.3f, processors %.3f: "
           "%4.1f +- %3.1f %%, modelled %4.1f %%\n",
           of.P, of.Q, of.blocks, of.hop, of.factor, of.calls, of.processors, mean,
           sqrt(fmax(0, squares / draws - mean * mean)), added);
    fflush(stdout);
}

int main(int count, char **argument)
{
    const bool is_short = count > 1 && strcmp(argument[1], "--short") == 0;
    const int most = is_short ? 16 : 32, draws = is_short ? 1 : 2;

    for (int P = 4; P <= most; P *= 2)
        for (int Q = 4; Q <= most; Q *= 2) {
            const struct stretch usual = { P,    Q, Q < 21 ? 512 : 24 * Q, 40, 0.01, 0.03, 0.01,
                                           0.03, 0 };
            struct stretch stretch = usual;

            show(usual, draws);
            for (int i = 0; i < 2; i++) {
                stretch = usual;
                stretch.hop = i ? 0.03 : 0.003;
                show(stretch, draws);
                stretch = usual;
                stretch.processors = i ? 0.01 : 0;
                show(stretch, draws);
            }
            stretch = usual;
            stretch.blocks = 20;
            show(stretch, draws);
            stretch = usual;
            stretch.factor = 0.08;
            show(stretch, draws);
        }
    printf(
        "%d stretches: mean %.1f %%, modelled %.1f %%, most %.1f %%; %.0f %% right within 1 %%\n",
        all_stretches.count, all_stretches.simulated / all_stretches.count,
        all_stretches.modelled / all_stretches.count, all_stretches.most,
        100.0 * all_stretches.right / all_stretches.count);
    return 0;
}
