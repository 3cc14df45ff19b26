-- How many runs a machine has of each model, so that nobody counts them.

CREATE TABLE run_counts (
    machine TEXT NOT NULL REFERENCES machines (name) ON DELETE CASCADE,
    model   TEXT NOT NULL,
    runs    INTEGER NOT NULL,
    PRIMARY KEY (machine, model)
) STRICT, WITHOUT ROWID;

INSERT INTO run_counts SELECT machine, model, COUNT(*) FROM runs GROUP BY machine, model;

CREATE TRIGGER run_counted AFTER INSERT ON runs BEGIN
    INSERT INTO run_counts VALUES (NEW.machine, NEW.model, 1)
        ON CONFLICT (machine, model) DO UPDATE SET runs = runs + 1;
END;
CREATE TRIGGER run_counted_no_longer AFTER DELETE ON runs BEGIN
    UPDATE run_counts SET runs = runs - 1 WHERE machine = OLD.machine AND model = OLD.model;
END;
