-- What processes that share the rows of a matrix do and exchange; found when first asked for.

CREATE TABLE matrix_partitions (
    sequence        INTEGER PRIMARY KEY AUTOINCREMENT, -- of the queue
    matrix          INTEGER NOT NULL REFERENCES matrices (sequence) ON DELETE CASCADE,
    division        TEXT NOT NULL, -- contiguous, metis
    processes       INTEGER NOT NULL,
    status          TEXT NOT NULL CHECK (status IN ('queued', 'analyzing', 'ready', 'failed')),
    attempts        INTEGER NOT NULL, -- begun, without an end so far
    reason          TEXT,
    messages        INTEGER NOT NULL, -- this and what follows: 0 until it is ready
    words           INTEGER NOT NULL,
    most_neighbours INTEGER NOT NULL,
    most_words      INTEGER NOT NULL,
    most_rows       INTEGER NOT NULL,
    largest_message INTEGER NOT NULL,
    imbalance       REAL NOT NULL,
    seconds         REAL NOT NULL,
    bytes           INTEGER NOT NULL, -- of the facts
    UNIQUE (matrix, division, processes)
) STRICT;

CREATE INDEX matrix_partitions_by_status ON matrix_partitions (status, sequence);

CREATE TABLE matrix_partition_facts (
    partition INTEGER PRIMARY KEY REFERENCES matrix_partitions (sequence) ON DELETE CASCADE,
    facts     BLOB NOT NULL -- JSON: server/matrices/files/partition.h
) STRICT;
