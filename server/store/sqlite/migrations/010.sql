-- The assembly tree of a matrix in an order, and what each of some processes holds of it
-- (docs/models/multifrontal.md).

CREATE TABLE matrix_fronts (
    matrix         INTEGER NOT NULL REFERENCES matrices (sequence) ON DELETE CASCADE,
    ordering       TEXT NOT NULL,
    processes      INTEGER NOT NULL,
    fronts         INTEGER NOT NULL,
    largest_front  INTEGER NOT NULL,
    factor_entries INTEGER NOT NULL,
    flops          REAL NOT NULL,
    most_entries   INTEGER NOT NULL,
    all_entries    INTEGER NOT NULL,
    most_indices   INTEGER NOT NULL,
    all_indices    INTEGER NOT NULL,
    PRIMARY KEY (matrix, ordering, processes)
) STRICT, WITHOUT ROWID;
