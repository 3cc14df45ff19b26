-- The whole schema, with the meaning that it has in SQLite (server/store/sqlite/migrations).
-- Texts are compared byte by byte, and times are texts, RFC 3339 UTC with milliseconds.

CREATE DOMAIN bytewise AS TEXT COLLATE "C";

CREATE TABLE machines (
    name        bytewise PRIMARY KEY CHECK (name <> ''),
    description bytewise NOT NULL,
    facts_json  bytewise NOT NULL,
    updated_at  bytewise NOT NULL -- of description and facts; an upload does not change it
);

-- A sequence is never given again after a deletion, so that a cursor into a list stays valid.
CREATE TABLE calibrations (
    sequence    BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id          bytewise NOT NULL UNIQUE,
    machine     bytewise NOT NULL REFERENCES machines (name),
    created_at  bytewise, -- as the document says, if it does
    uploaded_at bytewise NOT NULL,
    groups      bytewise NOT NULL,
    document    bytewise NOT NULL -- byte for byte as uploaded
);

CREATE INDEX calibrations_by_machine ON calibrations (machine, sequence);

-- Saved runs: what was measured, kept for comparison with predictions and as input of models.
CREATE TABLE runs (
    sequence    BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id          bytewise NOT NULL UNIQUE,
    machine     bytewise NOT NULL REFERENCES machines (name),
    model       bytewise NOT NULL,
    calibration bytewise REFERENCES calibrations (id), -- the machine's newest when the run came
    started_at  bytewise, -- as the document says, if it does, in UTC
    uploaded_at bytewise NOT NULL,
    job         bytewise,
    parameters  bytewise NOT NULL, -- JSON object: all of them, defaults too
    time_s      DOUBLE PRECISION NOT NULL,
    document    bytewise NOT NULL -- canonical form
);

CREATE INDEX runs_by_machine ON runs (machine, sequence);
CREATE INDEX runs_by_model ON runs (machine, model, sequence);
CREATE INDEX runs_by_calibration ON runs (calibration);
CREATE INDEX runs_by_time ON runs (machine, COALESCE(started_at, uploaded_at));

-- Every value that a parameter has in a run.  It stays when that run is deleted, which costs only a
-- look at the runs.
CREATE TABLE run_values (
    machine bytewise NOT NULL REFERENCES machines (name) ON DELETE CASCADE,
    name    bytewise NOT NULL,
    value   JSONB NOT NULL,
    PRIMARY KEY (machine, name, value)
);

-- The rows of a JSON object that is a text, without those that are null.
CREATE FUNCTION json_members(object TEXT) RETURNS TABLE (key TEXT, value JSONB)
    LANGUAGE SQL IMMUTABLE PARALLEL SAFE
    AS $$ SELECT m.key, m.value FROM jsonb_each(object::jsonb) AS m WHERE m.value <> 'null' $$;

-- Sparse matrices: what came, what was found in it, and the block structures of its orderings.
CREATE TABLE matrices (
    sequence            BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id                  bytewise NOT NULL UNIQUE,
    name                bytewise NOT NULL UNIQUE,
    uploaded_at         bytewise NOT NULL,
    format              bytewise NOT NULL,
    field               bytewise NOT NULL,
    symmetry            bytewise NOT NULL,
    title               bytewise NOT NULL,
    bytes               BIGINT NOT NULL, -- of the file, decompressed
    n                   BIGINT NOT NULL,
    entries             BIGINT NOT NULL,
    nnz                 BIGINT NOT NULL,
    structural_symmetry DOUBLE PRECISION NOT NULL,
    lower_bandwidth     BIGINT NOT NULL,
    upper_bandwidth     BIGINT NOT NULL,
    zero_diagonals      BIGINT NOT NULL,
    empty_rows          BIGINT NOT NULL,
    empty_columns       BIGINT NOT NULL,
    structural_rank     BIGINT, -- this and the next: NULL until an analysis has found it
    row_permutation     bytewise,
    supernode_max       BIGINT NOT NULL,
    supernode_relax     BIGINT NOT NULL
);

-- A large value is a column with its length, and rows of pieces in the table TABLE_COLUMN.
CREATE TABLE matrix_files (
    matrix BIGINT PRIMARY KEY REFERENCES matrices (sequence) ON DELETE CASCADE,
    spy    BYTEA NOT NULL,
    source BIGINT NOT NULL -- gzip
);
CREATE TABLE matrix_files_source (
    of    BIGINT NOT NULL REFERENCES matrix_files (matrix) ON DELETE CASCADE,
    at    BIGINT NOT NULL,
    piece BYTEA NOT NULL,
    PRIMARY KEY (of, at)
);

-- A matrix has a block structure for each row permutation, ordering and pair of supernode limits.
CREATE TABLE matrix_orderings (
    sequence         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- of the queue
    matrix           BIGINT NOT NULL REFERENCES matrices (sequence) ON DELETE CASCADE,
    ordering         bytewise NOT NULL,
    row_permutation  bytewise NOT NULL, -- as asked for: auto, none, transversal
    supernode_max    BIGINT NOT NULL,
    supernode_relax  BIGINT NOT NULL,
    status           bytewise NOT NULL CHECK (status IN ('queued', 'analyzing', 'ready', 'failed')),
    attempts         BIGINT NOT NULL, -- begun, without an end so far
    reason           bytewise,
    supernodes       BIGINT NOT NULL,
    nnz_lu           BIGINT NOT NULL,
    nnz_lu_unrelaxed BIGINT NOT NULL,
    blocks           BIGINT NOT NULL,
    updates          BIGINT NOT NULL,
    flops            DOUBLE PRECISION NOT NULL,
    fill             DOUBLE PRECISION NOT NULL,
    ordering_s       DOUBLE PRECISION NOT NULL,
    symbolic_s       DOUBLE PRECISION NOT NULL,
    extraction_s     DOUBLE PRECISION NOT NULL,
    UNIQUE (matrix, ordering, row_permutation, supernode_max, supernode_relax)
);
CREATE INDEX matrix_orderings_by_status ON matrix_orderings (status, sequence);

CREATE TABLE matrix_structures (
    ordering BIGINT PRIMARY KEY REFERENCES matrix_orderings (sequence) ON DELETE CASCADE,
    bytes    BIGINT NOT NULL -- server/matrices/files/blocks.h
);
CREATE TABLE matrix_structures_bytes (
    of    BIGINT NOT NULL REFERENCES matrix_structures (ordering) ON DELETE CASCADE,
    at    BIGINT NOT NULL,
    piece BYTEA NOT NULL,
    PRIMARY KEY (of, at)
);

-- The permutations of rows and columns before the symbolic factorization, which other limits of
-- the supernodes need again.
CREATE TABLE matrix_permutations (
    sequence        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    matrix          BIGINT NOT NULL REFERENCES matrices (sequence) ON DELETE CASCADE,
    ordering        bytewise NOT NULL,
    row_permutation bytewise NOT NULL,
    bytes           BIGINT NOT NULL, -- server/matrices/files/permutations.h
    UNIQUE (matrix, ordering, row_permutation)
);
CREATE TABLE matrix_permutations_bytes (
    of    BIGINT NOT NULL REFERENCES matrix_permutations (sequence) ON DELETE CASCADE,
    at    BIGINT NOT NULL,
    piece BYTEA NOT NULL,
    PRIMARY KEY (of, at)
);

-- What processes that share the rows of a matrix do and exchange; found when first asked for.
CREATE TABLE matrix_partitions (
    sequence        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- of the queue
    matrix          BIGINT NOT NULL REFERENCES matrices (sequence) ON DELETE CASCADE,
    division        bytewise NOT NULL, -- contiguous, metis
    processes       BIGINT NOT NULL,
    status          bytewise NOT NULL CHECK (status IN ('queued', 'analyzing', 'ready', 'failed')),
    attempts        BIGINT NOT NULL, -- begun, without an end so far
    reason          bytewise,
    messages        BIGINT NOT NULL, -- this and what follows: 0 until it is ready
    words           BIGINT NOT NULL,
    most_neighbours BIGINT NOT NULL,
    most_words      BIGINT NOT NULL,
    most_rows       BIGINT NOT NULL,
    largest_message BIGINT NOT NULL,
    imbalance       DOUBLE PRECISION NOT NULL,
    seconds         DOUBLE PRECISION NOT NULL,
    bytes           BIGINT NOT NULL, -- of the facts
    UNIQUE (matrix, division, processes)
);
CREATE INDEX matrix_partitions_by_status ON matrix_partitions (status, sequence);

CREATE TABLE matrix_partition_facts (
    partition BIGINT PRIMARY KEY REFERENCES matrix_partitions (sequence) ON DELETE CASCADE,
    facts     BIGINT NOT NULL -- JSON: server/matrices/files/partition.h
);
CREATE TABLE matrix_partition_facts_facts (
    of    BIGINT NOT NULL REFERENCES matrix_partition_facts (partition) ON DELETE CASCADE,
    at    BIGINT NOT NULL,
    piece BYTEA NOT NULL,
    PRIMARY KEY (of, at)
);

-- The assembly tree of a matrix in an order, and what each of some processes holds of it
-- (docs/models/multifrontal.md).
CREATE TABLE matrix_fronts (
    matrix         BIGINT NOT NULL REFERENCES matrices (sequence) ON DELETE CASCADE,
    ordering       bytewise NOT NULL,
    processes      BIGINT NOT NULL,
    fronts         BIGINT NOT NULL,
    largest_front  BIGINT NOT NULL,
    factor_entries BIGINT NOT NULL,
    flops          DOUBLE PRECISION NOT NULL,
    most_entries   BIGINT NOT NULL,
    all_entries    BIGINT NOT NULL,
    most_indices   BIGINT NOT NULL,
    all_indices    BIGINT NOT NULL,
    PRIMARY KEY (matrix, ordering, processes)
);

-- What a token may write, until when it is good, and when it was last used.  One that was revoked
-- stays, so that its refusal can say so; its name is free.
CREATE TABLE tokens (
    sequence     BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name         bytewise NOT NULL,
    scope        bytewise NOT NULL,
    hash         bytewise NOT NULL UNIQUE,
    machines     bytewise NOT NULL, -- that it may write, separated by blanks; empty: all
    note         bytewise NOT NULL,
    created_at   bytewise NOT NULL,
    expires_at   bytewise,
    last_used_at bytewise,
    revoked_at   bytewise
);
CREATE UNIQUE INDEX tokens_by_name ON tokens (name) WHERE revoked_at IS NULL;

-- Who wrote what and when; the upkeep of the daemon deletes old rows.
CREATE TABLE audit (
    sequence BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at       bytewise NOT NULL,
    token    bytewise, -- its name; NULL: none was needed
    address  bytewise, -- of the client; NULL: not a request
    command  bytewise, -- that wrote without a request
    action   bytewise NOT NULL CHECK (action IN ('add', 'change', 'delete')),
    kind     bytewise NOT NULL, -- machine, calibration, run, matrix, token
    id       bytewise NOT NULL, -- the first, of several that were added together
    machine  bytewise, -- to which it belongs
    count    BIGINT NOT NULL
);
