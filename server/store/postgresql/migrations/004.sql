-- How many runs a machine has of each model, so that nobody counts them.

CREATE TABLE run_counts (
    machine bytewise NOT NULL REFERENCES machines (name) ON DELETE CASCADE,
    model   bytewise NOT NULL,
    runs    BIGINT NOT NULL,
    PRIMARY KEY (machine, model)
);

INSERT INTO run_counts SELECT machine, model, COUNT(*) FROM runs GROUP BY machine, model;

-- Once for a statement: a count changes once, however many of its runs go.
CREATE FUNCTION counted_no_longer() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    UPDATE run_counts SET runs = run_counts.runs - gone.runs
        FROM (SELECT machine, model, COUNT(*) AS runs FROM deleted GROUP BY machine, model) AS gone
        WHERE run_counts.machine = gone.machine AND run_counts.model = gone.model;
    RETURN NULL;
END $$;
CREATE TRIGGER runs_counted_no_longer AFTER DELETE ON runs
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION counted_no_longer();
