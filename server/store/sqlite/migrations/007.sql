-- A matrix has a block structure for each row permutation, ordering and pair of supernode limits.

CREATE TABLE matrix_structure_keys (
    sequence         INTEGER PRIMARY KEY AUTOINCREMENT, -- of the queue
    matrix           INTEGER NOT NULL REFERENCES matrices (sequence) ON DELETE CASCADE,
    ordering         TEXT NOT NULL,
    row_permutation  TEXT NOT NULL, -- as asked for: auto, none, transversal
    supernode_max    INTEGER NOT NULL,
    supernode_relax  INTEGER NOT NULL,
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
    UNIQUE (matrix, ordering, row_permutation, supernode_max, supernode_relax)
) STRICT;

INSERT INTO matrix_structure_keys SELECT o.sequence, o.matrix, o.ordering, 'auto', m.supernode_max,
    m.supernode_relax, o.status, o.attempts, o.reason, o.supernodes, o.nnz_lu, o.nnz_lu_unrelaxed,
    o.blocks, o.updates, o.flops, o.fill, o.ordering_s, o.symbolic_s, o.extraction_s
    FROM matrix_orderings AS o JOIN matrices AS m ON m.sequence = o.matrix;

-- Foreign keys are not enabled yet: matrix_structures keeps its rows, which refer to the new table.
DROP TABLE matrix_orderings;
ALTER TABLE matrix_structure_keys RENAME TO matrix_orderings;
CREATE INDEX matrix_orderings_by_status ON matrix_orderings (status, sequence);

-- The permutations of rows and columns before the symbolic factorization, which other limits of
-- the supernodes need again.
CREATE TABLE matrix_permutations (
    sequence        INTEGER PRIMARY KEY,
    matrix          INTEGER NOT NULL REFERENCES matrices (sequence) ON DELETE CASCADE,
    ordering        TEXT NOT NULL,
    row_permutation TEXT NOT NULL,
    bytes           BLOB NOT NULL, -- server/matrices/files/permutations.h
    UNIQUE (matrix, ordering, row_permutation)
) STRICT;
