-- What each token keeps stored, and whose turn comes next in the queues of analyses: the meaning is
-- that of SQLite's 011.

ALTER TABLE tokens ADD COLUMN keep_bytes BIGINT NOT NULL DEFAULT -1; -- at most; -1: the setting
ALTER TABLE tokens ADD COLUMN kept_bytes BIGINT NOT NULL DEFAULT 0;

-- The token that uploaded a row, 0 for none, and what the row counts for it.
ALTER TABLE calibrations ADD COLUMN owner BIGINT NOT NULL DEFAULT 0;
ALTER TABLE calibrations ADD COLUMN kept_bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN owner BIGINT NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN kept_bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE matrices ADD COLUMN owner BIGINT NOT NULL DEFAULT 0;
ALTER TABLE matrices ADD COLUMN kept_bytes BIGINT NOT NULL DEFAULT 0;

-- The client that queued a row (a token; below 0 an address; 0: none), and its turn.
ALTER TABLE matrix_orderings ADD COLUMN client BIGINT NOT NULL DEFAULT 0;
ALTER TABLE matrix_orderings ADD COLUMN turn BIGINT NOT NULL DEFAULT 0;
ALTER TABLE matrix_partitions ADD COLUMN client BIGINT NOT NULL DEFAULT 0;
ALTER TABLE matrix_partitions ADD COLUMN turn BIGINT NOT NULL DEFAULT 0;

DROP INDEX matrix_orderings_by_status;
CREATE INDEX matrix_orderings_by_status ON matrix_orderings (status, turn, sequence);
DROP INDEX matrix_partitions_by_status;
CREATE INDEX matrix_partitions_by_status ON matrix_partitions (status, turn, sequence);

-- Once for a statement: a token's row changes once, however many of its rows go.
CREATE FUNCTION kept_no_longer() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    UPDATE tokens SET kept_bytes = tokens.kept_bytes - gone.bytes
        FROM (SELECT owner, SUM(kept_bytes)::BIGINT AS bytes FROM deleted
              WHERE owner > 0 GROUP BY owner) AS gone
        WHERE tokens.sequence = gone.owner;
    RETURN NULL;
END $$;
CREATE TRIGGER calibrations_kept_no_longer AFTER DELETE ON calibrations
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION kept_no_longer();
CREATE TRIGGER runs_kept_no_longer AFTER DELETE ON runs
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION kept_no_longer();
CREATE TRIGGER matrices_kept_no_longer AFTER DELETE ON matrices
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION kept_no_longer();
