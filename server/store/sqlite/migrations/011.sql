-- What each token keeps stored, and whose turn comes next in the queues of analyses.

ALTER TABLE tokens ADD COLUMN keep_bytes INTEGER NOT NULL DEFAULT -1; -- at most; -1: the setting
ALTER TABLE tokens ADD COLUMN kept_bytes INTEGER NOT NULL DEFAULT 0;

-- The token that uploaded a row, 0 for none, and what the row counts for it.
ALTER TABLE calibrations ADD COLUMN owner INTEGER NOT NULL DEFAULT 0;
ALTER TABLE calibrations ADD COLUMN kept_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN owner INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN kept_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matrices ADD COLUMN owner INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matrices ADD COLUMN kept_bytes INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER calibration_kept_no_longer AFTER DELETE ON calibrations WHEN OLD.owner > 0 BEGIN
    UPDATE tokens SET kept_bytes = kept_bytes - OLD.kept_bytes WHERE sequence = OLD.owner;
END;
CREATE TRIGGER run_kept_no_longer AFTER DELETE ON runs WHEN OLD.owner > 0 BEGIN
    UPDATE tokens SET kept_bytes = kept_bytes - OLD.kept_bytes WHERE sequence = OLD.owner;
END;
CREATE TRIGGER matrix_kept_no_longer AFTER DELETE ON matrices WHEN OLD.owner > 0 BEGIN
    UPDATE tokens SET kept_bytes = kept_bytes - OLD.kept_bytes WHERE sequence = OLD.owner;
END;

-- The client that queued a row (a token; below 0 an address; 0: none), and its turn.
ALTER TABLE matrix_orderings ADD COLUMN client INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matrix_orderings ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matrix_partitions ADD COLUMN client INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matrix_partitions ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;

DROP INDEX matrix_orderings_by_status;
CREATE INDEX matrix_orderings_by_status ON matrix_orderings (status, turn, sequence);
DROP INDEX matrix_partitions_by_status;
CREATE INDEX matrix_partitions_by_status ON matrix_partitions (status, turn, sequence);
