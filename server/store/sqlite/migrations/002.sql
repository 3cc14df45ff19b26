-- Saved runs: what was measured, kept for comparison with predictions and as input of models.

CREATE TABLE runs (
    sequence    INTEGER PRIMARY KEY AUTOINCREMENT,
    id          TEXT NOT NULL UNIQUE,
    machine     TEXT NOT NULL REFERENCES machines (name),
    model       TEXT NOT NULL,
    calibration TEXT REFERENCES calibrations (id), -- the machine's newest when the run came
    started_at  TEXT, -- as the document says, if it does, in UTC
    uploaded_at TEXT NOT NULL,
    match_key   TEXT, -- what a question must agree in; NULL where the model reads no runs
    job         TEXT,
    parameters  TEXT NOT NULL, -- JSON object: all of them, defaults too
    time_s      REAL NOT NULL,
    document    TEXT NOT NULL -- canonical form; last, so that lists need not read it
) STRICT;

CREATE INDEX runs_by_machine ON runs (machine, sequence);
CREATE INDEX runs_by_key ON runs (machine, model, match_key, sequence);
CREATE INDEX runs_by_model ON runs (machine, model, sequence);
CREATE INDEX runs_by_calibration ON runs (calibration);
