-- How many runs a machine has of each model, so that nobody counts them.

CREATE TABLE run_counts (
    machine bytewise NOT NULL REFERENCES machines (name) ON DELETE CASCADE,
    model   bytewise NOT NULL,
    runs    BIGINT NOT NULL,
    after   BIGINT, -- in a transaction that adds runs: those with a larger sequence are not counted yet
    PRIMARY KEY (machine, model)
);

INSERT INTO run_counts SELECT machine, model, COUNT(*) FROM runs GROUP BY machine, model;

-- Runs are added one by one. Each change of a row within one transaction leaves a version behind which
-- the next one passes: so they are counted once, when the transaction ends.
CREATE FUNCTION noted() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO run_counts
        SELECT machine, model, 0, MIN(sequence) - 1 FROM inserted GROUP BY machine, model
        ON CONFLICT (machine, model) DO UPDATE SET after = excluded.after
        WHERE run_counts.after IS NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER runs_noted AFTER INSERT ON runs
    REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION noted();

CREATE FUNCTION counted() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    UPDATE run_counts SET after = NULL, runs = runs + (SELECT COUNT(*) FROM runs
            WHERE machine = NEW.machine AND model = NEW.model AND sequence > NEW.after)
        WHERE machine = NEW.machine AND model = NEW.model AND after IS NOT NULL;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER runs_counted AFTER INSERT OR UPDATE ON run_counts
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.after IS NOT NULL)
    EXECUTE FUNCTION counted();

-- Once for a statement: a count changes once, however many of its runs go.
CREATE FUNCTION counted_no_longer() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    UPDATE run_counts SET runs = run_counts.runs - gone.runs
        FROM (SELECT machine, model, COUNT(*) AS runs
              FROM deleted JOIN run_counts USING (machine, model)
              WHERE after IS NULL OR sequence <= after GROUP BY machine, model) AS gone
        WHERE run_counts.machine = gone.machine AND run_counts.model = gone.model;
    RETURN NULL;
END $$;
CREATE TRIGGER runs_counted_no_longer AFTER DELETE ON runs
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION counted_no_longer();
