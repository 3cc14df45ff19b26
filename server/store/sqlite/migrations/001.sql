-- Machines, their calibrations, and the tokens of those who may write.
-- All times are RFC 3339 UTC with milliseconds.

CREATE TABLE machines (
    name        TEXT NOT NULL PRIMARY KEY CHECK (name <> ''),
    description TEXT NOT NULL,
    facts_json  TEXT NOT NULL,
    updated_at  TEXT NOT NULL -- of description and facts; an upload does not change it
) STRICT, WITHOUT ROWID;

-- AUTOINCREMENT: a sequence is never given again after a deletion, so that a cursor into a list
-- stays valid.
CREATE TABLE calibrations (
    sequence    INTEGER PRIMARY KEY AUTOINCREMENT,
    id          TEXT NOT NULL UNIQUE,
    machine     TEXT NOT NULL REFERENCES machines (name),
    created_at  TEXT, -- as the document says, if it does
    uploaded_at TEXT NOT NULL,
    groups      TEXT NOT NULL,
    document    TEXT NOT NULL -- byte for byte as uploaded; last, so that lists need not read it
) STRICT;

CREATE INDEX calibrations_by_machine ON calibrations (machine, sequence);

CREATE TABLE tokens (
    name       TEXT NOT NULL PRIMARY KEY,
    scope      TEXT NOT NULL,
    hash       TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
