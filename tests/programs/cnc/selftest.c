/* Tests of puts, gets, prescription and termination, with a chain of steps over all ranks. */
#include "tests/programs/cnc/selftest.h"

#include <mpi.h>
#include <string.h>

#include "tests/programs/cnc/cnc.h"
#include "tests/programs/program.h"

enum { CHAIN = 40 };

/* A chain of steps over all ranks: each adds 1 to the item of the previous step. */
struct chain {
    int ranks, runs, finished;
    struct cnc_items *items;
    struct cnc_tags *tags;
};

static int spread(const void *context, struct cnc_tag tag)
{
    const struct chain *chain = context;

    return tag.i % chain->ranks;
}

/* A rank other than those that put and use the item. */
static int elsewhere(const void *context, struct cnc_tag tag)
{
    const struct chain *chain = context;

    return (tag.i + chain->ranks / 2) % chain->ranks;
}

static bool add_one(struct cnc *cnc, struct cnc_tag tag, void *context)
{
    struct chain *chain = context;
    const int *before;
    int value;

    (void)cnc;
    chain->runs++;
    before = cnc_get(chain->items, tag);
    if (!before)
        return false;
    value = *before + 1;
    cnc_put(chain->items, (struct cnc_tag){ tag.i + 1, 0, 0 }, &value);
    chain->finished++;
    return true;
}

static int sum_over_ranks(int value)
{
    int sum;

    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

static void require(bool is_true, const char *sentence)
{
    if (!is_true)
        program_fail("failed: %s", sentence);
}

static void make(struct chain *chain, struct cnc *cnc)
{
    struct cnc_steps *steps =
        cnc_steps_new(cnc, "add", add_one, chain, (struct cnc_place){ spread, chain });

    chain->items =
        cnc_items_new(cnc, "X", sizeof(int), false, (struct cnc_place){ elsewhere, chain });
    chain->tags = cnc_tags_new(cnc, "numbers");
    cnc_prescribe(chain->tags, steps);
}

/* Tags are put before the items that their steps need, in reverse order, and twice. */
static void steps_wait_for_their_items(struct chain *chain, struct cnc *cnc, int rank)
{
    const int zero = 0;

    for (int i = CHAIN; rank == 0 && i-- > 0;) {
        cnc_put_tag(chain->tags, (struct cnc_tag){ i, 0, 0 });
        cnc_put_tag(chain->tags, (struct cnc_tag){ i, 0, 0 });
    }
    if (rank == 0)
        cnc_put(chain->items, (struct cnc_tag){ 0, 0, 0 }, &zero);
    require(cnc_wait(cnc) == 0, "no put is refused if each item is put once");
    require(sum_over_ranks(chain->finished) == CHAIN, "every tag prescribes one instance");
    require(sum_over_ranks(chain->runs) > CHAIN, "a step without its item is run again");
}

static void a_second_put_is_refused(struct chain *chain, struct cnc *cnc, int rank)
{
    const struct cnc_tag tag = { 0, 0, 0 };
    const int value = 7, home = elsewhere(chain, tag);
    bool is_put = true;

    if (rank == home)
        is_put = cnc_put(chain->items, tag, &value);
    require(is_put == (rank != home), "the home of an item refuses its own second put immediately");
    if (rank == (home + 1) % chain->ranks)
        cnc_put(chain->items, tag, &value);
    require(cnc_wait(cnc) == 2, "refused puts of all ranks are counted");
    require((strcmp(cnc_fault(cnc), "item X(0,0,0) is put a second time") == 0) == (rank == home),
            "the refusal names the item");
}

void selftest(void)
{
    struct chain chain = { 0 };
    struct cnc *cnc = cnc_new(MPI_COMM_WORLD, true);
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &chain.ranks);
    make(&chain, cnc);
    steps_wait_for_their_items(&chain, cnc, rank);
    a_second_put_is_refused(&chain, cnc, rank);
    cnc_free(cnc);
}
