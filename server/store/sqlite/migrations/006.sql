-- What a filter of runs asks for may match nothing: these say so without a look at every run.

CREATE INDEX runs_by_time ON runs (machine, COALESCE(started_at, uploaded_at));

-- Every value that a parameter has in a run.  It stays when that run is deleted, which costs only a
-- look at the runs.
CREATE TABLE run_values (
    machine TEXT NOT NULL REFERENCES machines (name) ON DELETE CASCADE,
    name    TEXT NOT NULL,
    value   ANY NOT NULL,
    PRIMARY KEY (machine, name, value)
) STRICT, WITHOUT ROWID;

INSERT INTO run_values SELECT DISTINCT machine, key, value
    FROM runs, json_each(runs.parameters) WHERE value IS NOT NULL;
