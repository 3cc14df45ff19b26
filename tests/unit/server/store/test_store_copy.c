/* A copy of a database into another: what it holds in memory.  Beside PostgreSQL alone can that be
 * too much: SQLite gives its rows one by one. */
#include "tests/unit/support/store_check.h"

#include <string.h>
#include <sys/resource.h>

enum { DOCUMENTS = 12, DOCUMENT_BYTES = 6 << 20, MORE_BYTES = 56 << 20 };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { HAS_SHADOW = 1 }; /* its address space is beyond any limit */
#else
enum { HAS_SHADOW = 0 };
#endif

static void add_documents(struct fr_store *store)
{
    char *document = malloc(DOCUMENT_BYTES);
    char id[16];

    assert_non_null(document);
    memset(document, 'x', DOCUMENT_BYTES);
    for (int i = 0; i < DOCUMENTS; i++) {
        snprintf(id, sizeof id, "c%d", i);
        assert_int_equal(
            fr_store_add_calibration(store, id, "m", NULL, "node", document, DOCUMENT_BYTES),
            FR_STORE_OK);
    }
    free(document);
}

/* Gives this process so much more address space than it has; returns the limit to set again. */
static struct rlimit limit_memory(size_t more_bytes)
{
    FILE *file = fopen("/proc/self/statm", "r");
    struct rlimit before, small;
    unsigned long pages;

    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    small = (struct rlimit){ .rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + more_bytes,
                             .rlim_max = before.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_AS, &small), 0);
    return before;
}

static void count_rows(void *context, const char *table, int64_t rows)
{
    if (strcmp(table, "calibrations") == 0)
        *(int64_t *)context = rows;
}

FILE_TEST(large_documents_are_compared_a_few_at_a_time)
{
    const char *name = fr_test_database();
    struct fr_store *from, *to;
    struct rlimit before;
    int64_t rows = 0;
    int result;

    if (HAS_SHADOW)
        skip();
    to = opened(f, strcmp(name, ":memory:") == 0 ? f->copy : name);
    from = opened(f, f->path);
    add_documents(from);
    fr_store_close(from);
    from = fr_store_open_unchanged(f->path, &f->log);
    assert_non_null(from);
    before = limit_memory(MORE_BYTES);
    result = fr_store_migrate(from, to, count_rows, &rows);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(result, FR_STORE_OK);
    assert_int_equal(rows, DOCUMENTS);
    fr_store_close(to);
    fr_store_close(from);
}
