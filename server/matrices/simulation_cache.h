/* The tables behind simulation.h: structures, and charges counted on them.
 *
 * One lock protects the tables and all counts of owners; everything here but new, free and
 * fr_work_counts_count is called with it held.
 */
#ifndef FR_SIMULATION_CACHE_H
#define FR_SIMULATION_CACHE_H

#include "server/matrices/simulation.h"
#include "server/store/store.h"

#include <pthread.h>
#include <stdatomic.h>

/* What stands in a table; both kinds begin so. */
struct fr_kept {
    struct fr_kept *next;
    size_t bytes;    /* 0: being counted */
    uint64_t used;   /* when, by the count of look-ups */
    unsigned owners; /* the table is one as long as it stands there */
};

struct fr_kept_structure {
    struct fr_kept kept;
    char id[FR_MATRIX_ID_BYTES]; /* empty: of a request itself, in no table */
    char ordering[16];
    int64_t supernode_max, supernode_relax;
    struct sparse_structure *s;
};

struct fr_kept_work_counts {
    struct fr_kept kept;
    struct fr_kept_structure *of; /* a share */
    struct sparse_grid grid;
    struct sparse_machine machine;
    struct sparse_work_counts *charges; /* NULL: being counted, or that failed */
};

struct fr_table {
    struct fr_kept *first;
    size_t bytes, limit;
};

struct fr_simulations {
    pthread_mutex_t lock;
    pthread_cond_t counted; /* something that was being counted no longer is */
    struct fr_table structures, charges;
    uint64_t look_ups;
    double updates, counting_s; /* for one request */
    _Atomic bool is_stopping;
};

/* One share, the caller's; takes the structure over, and frees it where memory is short: NULL. */
struct fr_kept_structure *fr_kept_structure_new(struct sparse_structure *s);
void fr_kept_structure_drop(struct fr_kept_structure *structure);
/* Puts it into the table, which takes a share of its own; what was used longest ago makes room. */
void fr_kept_structure_keep(struct fr_simulations *simulations,
                            struct fr_kept_structure *structure);
/* A share, or NULL. */
struct fr_kept_structure *fr_kept_structure_find(struct fr_simulations *simulations,
                                                 const struct fr_matrix_record *record,
                                                 const char *ordering);

/* Whether a structure is there and, with so many updates at most for one request, of any use;
 * `is_counted` as for fr_structure_source. A code (simulation_load.c). */
int fr_reading_check(const struct fr_matrix_record *record, const char *ordering, bool is_counted,
                     double limit, struct fr_faults *faults);
/* The work of reading it, as updates. */
double fr_reading_updates(const struct fr_matrix_record *record, const char *ordering);
/* Reads it: one share, the caller's. NULL with a fault. */
struct fr_kept_structure *fr_kept_structure_load(struct fr_store *store,
                                                 const struct fr_matrix_record *record,
                                                 const char *ordering, struct fr_faults *faults);

/* One share, the caller's, of charges that are still to be counted. NULL where memory is short. */
struct fr_kept_work_counts *fr_kept_work_counts_new(struct fr_kept_structure *structure,
                                                    struct sparse_grid grid,
                                                    const struct sparse_machine *machine);
void fr_kept_work_counts_drop(struct fr_kept_work_counts *charges);
/* Before they are counted, so that others who ask wait for them. */
void fr_kept_work_counts_keep(struct fr_simulations *simulations,
                              struct fr_kept_work_counts *charges);
/* Afterwards: without charges they leave the table, which must not have the last share. */
void fr_kept_work_counts_settle(struct fr_simulations *simulations,
                                struct fr_kept_work_counts *charges);
/* A share of those that are the same for this machine, once they are counted. NULL: they are yet
 * to be counted. */
struct fr_kept_work_counts *fr_kept_work_counts_find(struct fr_simulations *simulations,
                                                     const struct sparse_structure *s,
                                                     struct sparse_grid grid,
                                                     const struct sparse_machine *machine);

/* What ends counting before it is done. */
struct fr_counting_limits {
    const _Atomic bool *is_stopping;
    double until_s; /* by fr_counting_clock_s; 0: without end */
    int peer;       /* the socket of the client that waits; 0: nobody's */
};
double fr_counting_clock_s(void);
/* Counts all processes on the cores that there are (simulation_count.c). A code. */
int fr_work_counts_count(struct sparse_work_counts *charges,
                         const struct fr_counting_limits *limits, struct fr_faults *faults);

#endif
