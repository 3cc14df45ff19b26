/* Fuzzes what PostgreSQL answers: rows of binary values, and large values in pieces. What stands in
 * for functions of libpq that need a connection is below; each command gets the next answer that
 * the input makes. The types of the columns are those that the reader of a row expects, as the
 * statements guarantee; there are always enough columns. */
#include "server/store/postgresql/postgresql.h"
#include "server/store/sql.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { COLUMNS = 48, MOST_ROWS = 4, MOST_CHANGES = 32, LIMIT = 8, MOST_BLOB_BYTES = 1 << 20 };

/* What is left of the input. */
static const uint8_t *input;
static size_t input_left;

static uint8_t take_byte(void)
{
    if (!input_left)
        return 0;
    input_left--;
    return *input++;
}

/* ---- a connection ------------------------------------------------------------------------- */

static PGresult *answer;
static Oid expected_type;
/* The names of prepared statements that return no rows. */
static char changes[MOST_CHANGES][64];
static size_t change_count;

/* The value of a column: a length, and as many bytes. */
static void put_cell(PGresult *result, int row, int column)
{
    const size_t wanted = take_byte(), length = wanted < input_left ? wanted : input_left;
    char bytes[UINT8_MAX + 1];

    memcpy(bytes, input, length);
    input += length;
    input_left -= length;
    if (!PQsetvalue(result, row, column, bytes, (int)length))
        abort();
}

static PGresult *make_rows(int rows, int columns)
{
    static char name[] = "value";
    PGresAttDesc described[COLUMNS];
    PGresult *result = PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK);
    char total[8];

    if (!result)
        abort();
    for (int i = 0; i < columns; i++)
        described[i] = (PGresAttDesc){ .name = name, .format = 1 };
    PQsetResultAttrs(result, columns, described);
    fr_postgresql_put(total, (uint64_t)rows);
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++)
            put_cell(result, row, column);
        if (columns == COLUMNS) /* of a list: the number of its rows */
            PQsetvalue(result, row, COLUMNS - 1, total, sizeof total);
    }
    return result;
}

/* A piece of a large value: three bytes say its length. */
static PGresult *make_piece(void)
{
    static char piece[UINT16_MAX + 1];
    PGresult *result = make_rows(0, 1);
    int length = take_byte();

    length = length << 8 | take_byte();
    memset(piece, take_byte(), sizeof piece);
    length += take_byte() % 2; /* up to a whole piece */
    PQsetvalue(result, 0, 0, piece, length);
    return result;
}

static int send(PGresult *result)
{
    PQclear(answer);
    answer = result;
    return 1;
}

static int send_prepare(PGconn *connection, const char *name, const char *query, int count,
                        const Oid *types)
{
    (void)connection, (void)count, (void)types;
    if (!strstr(query, "SELECT") || strstr(query, "UPDATE") == query) {
        if (change_count == MOST_CHANGES)
            abort();
        strncpy(changes[change_count++], name, sizeof *changes - 1);
    }
    return send(PQmakeEmptyPGresult(NULL, PGRES_COMMAND_OK));
}

static int send_query_prepared(PGconn *connection, const char *name, int count,
                               const char *const *values, const int *lengths, const int *formats,
                               int format)
{
    (void)connection, (void)count, (void)values, (void)lengths, (void)formats, (void)format;
    for (size_t i = 0; i < change_count; i++)
        if (strcmp(changes[i], name) == 0)
            return send(PQmakeEmptyPGresult(NULL, PGRES_COMMAND_OK));
    return send(make_rows(take_byte() % (MOST_ROWS + 1), COLUMNS));
}

/* Large values: a length, then pieces. */
static int send_query_params(PGconn *connection, const char *command, int count, const Oid *types,
                             const char *const *values, const int *lengths, const int *formats,
                             int format)
{
    PGresult *result;
    int64_t length;
    char bytes[8];

    (void)connection, (void)command, (void)types, (void)values, (void)lengths, (void)formats;
    (void)format;
    if (count > 1)
        return send(make_piece());
    result = make_rows(1, 1);
    length = (int64_t)fr_postgresql_get(PQgetvalue(result, 0, 0), PQgetlength(result, 0, 0));
    fr_postgresql_put(bytes, (uint64_t)(length % MOST_BLOB_BYTES)); /* more would test memory */
    if (length > MOST_BLOB_BYTES)
        PQsetvalue(result, 0, 0, bytes, sizeof bytes);
    if (PQgetlength(result, 0, 0) == 0)
        PQsetvalue(result, 0, 0, NULL, -1);
    return send(result);
}

static PGresult *get_result(PGconn *connection)
{
    PGresult *result = answer;

    (void)connection;
    answer = NULL;
    return result;
}

static ConnStatusType status_of(const PGconn *connection)
{
    (void)connection;
    return CONNECTION_OK;
}

static int flush(PGconn *connection)
{
    (void)connection;
    return 0;
}

static int is_busy(PGconn *connection)
{
    (void)connection;
    return 0;
}

static char *error_message(const PGconn *connection)
{
    static char message[] = "no server";

    (void)connection;
    return message;
}

static char *database(const PGconn *connection)
{
    static char name[] = "fuzz";

    (void)connection;
    return name;
}

static Oid type_of(const PGresult *result, int column)
{
    (void)result, (void)column;
    return expected_type;
}

static void stand_in(void)
{
    if (fr_pq_load())
        abort();
    fr_pq.sendPrepare = send_prepare;
    fr_pq.sendQueryPrepared = send_query_prepared;
    fr_pq.sendQueryParams = send_query_params;
    fr_pq.getResult = get_result;
    fr_pq.status = status_of;
    fr_pq.flush = flush;
    fr_pq.isBusy = is_busy;
    fr_pq.errorMessage = error_message;
    fr_pq.db = database;
    fr_pq.ftype = type_of;
}

/* ---- the driver --------------------------------------------------------------------------- */

static int64_t integer(const struct fr_row *row, int column)
{
    const int length = PQgetlength(row->result, row->at, column);
    int64_t value;

    expected_type = length == 4 ? PG_INT4 : PG_INT8;
    value = fr_postgresql_driver.integer(row, column);
    if (length <= 4 && (value > INT64_C(0xffffffff) || value < INT32_MIN))
        abort();
    return value;
}

static double real(const struct fr_row *row, int column)
{
    expected_type = PG_FLOAT8;
    return fr_postgresql_driver.real(row, column);
}

static const char *bytes(const struct fr_row *row, int column, size_t *length)
{
    const char *value = fr_postgresql_driver.bytes(row, column, length);

    if (value && (strlen(value) > *length || value[*length]))
        abort();
    return value;
}

static int pass(struct fr_store *of)
{
    (void)of;
    return FR_STORE_OK;
}

static void roll_back(struct fr_store *of)
{
    (void)of;
}

/* ---- what is asked ------------------------------------------------------------------------ */

static void ask_of_machines(struct fr_store *of, struct fr_arena *arena, uint8_t which)
{
    struct fr_stored_calibration calibration, *calibrations;
    struct fr_machine machine, *machines;
    size_t count;

    if (which == 0)
        fr_store_get_machine(of, "hopper", arena, &machine);
    else if (which == 1)
        fr_store_list_machines(of, NULL, LIMIT, arena, &machines, &count);
    else if (which == 2)
        fr_store_get_calibration(of, "0123456789abcdef", arena, &calibration);
    else
        fr_store_list_calibrations(of, "hopper", 0, LIMIT, arena, &calibrations, &count);
}

static void ask_of_runs(struct fr_store *of, struct fr_arena *arena, uint8_t which)
{
    const struct fr_run_filter filter = { .model = NULL };
    struct fr_stored_run run, *runs;
    struct fr_run_list page;
    struct fr_run_count counted;
    size_t count;

    if (which == 0)
        fr_store_get_run(of, "0123456789abcdef", arena, &run);
    else if (which == 1)
        fr_store_list_runs(of, "hopper", &filter, 0, LIMIT, arena, &page);
    else if (which == 2)
        fr_store_model_runs(of, "hopper", "matmul", 0, LIMIT, arena, &runs, &count);
    else
        fr_store_count_runs(of, "hopper", NULL, &counted);
}

/* Every name of a record is known, or is that of no structure. */
static void check_matrix(const struct fr_matrix_record *matrix)
{
    const struct fr_matrix_ordering *o;

    if (!fr_matrix_status_name(fr_matrix_status(matrix)))
        abort();
    for (size_t i = 0; (o = fr_matrix_structure(matrix, i)); i++)
        if (!o->ordering || !o->row_permutation || !fr_matrix_status_name(o->status))
            abort();
}

static void ask_of_matrices(struct fr_store *of, struct fr_arena *arena, uint8_t which)
{
    struct fr_matrix_record matrix, *matrices;
    struct fr_matrix_task task;
    struct sparse_mumps fronts;
    size_t count;

    if (which == 0 && fr_store_matrix_get(of, "A", arena, &matrix) == FR_STORE_OK)
        check_matrix(&matrix);
    else if (which == 1 &&
             fr_store_matrix_list(of, 0, LIMIT, arena, &matrices, &count) == FR_STORE_OK)
        for (size_t i = 0; i < count; i++)
            check_matrix(&matrices[i]);
    else if (which == 2)
        fr_store_task_take(of, FR_TASKS_ORDERINGS, &task);
    else if (which == 3)
        fr_store_fronts_get(of, "0123456789abcdef", "amd", 4, &fronts);
}

static void ask_of_partitions(struct fr_store *of, struct fr_arena *arena, uint8_t which)
{
    struct fr_partition_record *partitions;
    struct fr_matrix_task task;
    char *text;
    size_t count;

    if (which == 0 &&
        fr_store_partition_list(of, "A", NULL, arena, &partitions, &count) == FR_STORE_OK)
        for (size_t i = 0; i < count; i++)
            if (!partitions[i].partition || !fr_matrix_status_name(partitions[i].status))
                abort();
    if (which == 1)
        fr_store_task_take(of, FR_TASKS_PARTITIONS, &task);
    if (which == 2 && fr_store_partition_facts(of, "A", "metis", 4, &text, &count) == FR_STORE_OK)
        free(text);
}

static void ask_of_others(struct fr_store *of, struct fr_arena *arena, uint8_t which)
{
    const struct fr_retention rules = { .run_days = 1, .calibrations = 1 };
    struct fr_token token, *tokens;
    struct fr_audit_entry *entries;
    struct fr_doomed *doomed;
    struct fr_news *news;
    size_t count;

    if (which == 0)
        fr_store_find_token(of, "0", arena, &token);
    else if (which == 1)
        fr_store_list_tokens(of, arena, &tokens, &count);
    else if (which == 2)
        fr_store_list_audit(of, 0, LIMIT, arena, &entries, &count);
    else if (which == 3)
        fr_store_list_doomed(of, &rules, LIMIT, arena, &doomed, &count);
    else
        fr_store_list_changes(of, 0, arena, &news, &count);
}

/* A length that a value cannot have is refused; a value has as many bytes as its length says. */
static void read_large(struct fr_store *of)
{
    struct fr_blob blob = { .store = of, .table = "matrix_files", .column = "source", .row = 1 };
    const uint8_t *from = input;
    const size_t left = input_left;
    unsigned char *value = NULL;
    size_t length = 0;

    if (fr_postgresql_blob_open(&blob, false) != FR_STORE_OK)
        return;
    if (blob.length < 0)
        abort();
    input = from;
    input_left = left;
    if (fr_blob_read(of, blob.table, blob.column, 1, &value, &length) != FR_STORE_OK)
        return;
    for (size_t i = 1; i < length % FR_BLOB_PIECE_BYTES; i++)
        if (value[length - i] != value[length - 1])
            abort();
    free(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const ask[])(struct fr_store *, struct fr_arena *,
                               uint8_t) = { ask_of_machines, ask_of_runs, ask_of_matrices,
                                            ask_of_partitions, ask_of_others };
    enum { ASKED = sizeof ask / sizeof *ask, NOTHING = FR_LOG_ERROR - 1 };
    static struct fr_driver driver;
    static struct fr_log log;
    struct fr_postgresql pg = { .base = { .driver = &driver, .log = &log }, .most_ms = 1000 };
    struct fr_arena *arena = fr_arena_new(1 << 20);
    uint8_t which;

    if (!arena)
        abort();
    stand_in();
    driver = fr_postgresql_driver;
    driver.integer = integer;
    driver.real = real;
    driver.bytes = bytes;
    driver.begin = driver.commit = pass;
    driver.rollback = roll_back;
    atomic_init(&log.level, NOTHING);
    change_count = 0;
    input = data;
    input_left = size;
    which = take_byte();
    if (which % 8 < ASKED)
        ask[which % 8](&pg.base, arena, which / 8 % 5);
    else
        read_large(&pg.base);
    send(NULL);
    fr_arena_free(arena);
    return 0;
}
