-- Sparse matrices: what came, what was found in it, and the block structures of its orderings.

CREATE TABLE matrices (
    sequence            INTEGER PRIMARY KEY AUTOINCREMENT,
    id                  TEXT NOT NULL UNIQUE,
    name                TEXT NOT NULL UNIQUE,
    uploaded_at         TEXT NOT NULL,
    format              TEXT NOT NULL,
    field               TEXT NOT NULL,
    symmetry            TEXT NOT NULL,
    title               TEXT NOT NULL,
    bytes               INTEGER NOT NULL, -- of the file, decompressed
    n                   INTEGER NOT NULL,
    entries             INTEGER NOT NULL,
    nnz                 INTEGER NOT NULL,
    structural_symmetry REAL NOT NULL,
    lower_bandwidth     INTEGER NOT NULL,
    upper_bandwidth     INTEGER NOT NULL,
    zero_diagonals      INTEGER NOT NULL,
    empty_rows          INTEGER NOT NULL,
    empty_columns       INTEGER NOT NULL,
    structural_rank     INTEGER, -- this and the next: NULL until an analysis has found it
    row_permutation     TEXT,
    supernode_max       INTEGER NOT NULL,
    supernode_relax     INTEGER NOT NULL
) STRICT;

-- What is large stands apart, so that nothing else has to be read through it.
CREATE TABLE matrix_files (
    matrix INTEGER PRIMARY KEY REFERENCES matrices (sequence) ON DELETE CASCADE,
    spy    BLOB NOT NULL,
    source BLOB NOT NULL -- gzip
) STRICT;

CREATE TABLE matrix_orderings (
    sequence         INTEGER PRIMARY KEY AUTOINCREMENT, -- of the queue
    matrix           INTEGER NOT NULL REFERENCES matrices (sequence) ON DELETE CASCADE,
    ordering         TEXT NOT NULL,
    status           TEXT NOT NULL CHECK (status IN ('queued', 'analyzing', 'ready', 'failed')),
    attempts         INTEGER NOT NULL, -- begun, without an end so far
    reason           TEXT,
    supernodes       INTEGER NOT NULL,
    nnz_lu           INTEGER NOT NULL,
    nnz_lu_unrelaxed INTEGER NOT NULL,
    blocks           INTEGER NOT NULL,
    updates          INTEGER NOT NULL,
    flops            REAL NOT NULL,
    fill             REAL NOT NULL,
    ordering_s       REAL NOT NULL,
    symbolic_s       REAL NOT NULL,
    extraction_s     REAL NOT NULL,
    UNIQUE (matrix, ordering)
) STRICT;

CREATE INDEX matrix_orderings_by_status ON matrix_orderings (status, sequence);

CREATE TABLE matrix_structures (
    ordering INTEGER PRIMARY KEY REFERENCES matrix_orderings (sequence) ON DELETE CASCADE,
    bytes    BLOB NOT NULL -- server/matrix/blocks.h
) STRICT;
