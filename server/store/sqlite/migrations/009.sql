-- Who wrote what and when; the upkeep of the daemon deletes old rows.

CREATE TABLE audit (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    at       TEXT NOT NULL,
    token    TEXT, -- its name; NULL: none was needed
    address  TEXT, -- of the client; NULL: not a request
    command  TEXT, -- that wrote without a request
    action   TEXT NOT NULL CHECK (action IN ('add', 'change', 'delete')),
    kind     TEXT NOT NULL, -- machine, calibration, run, matrix, token
    id       TEXT NOT NULL, -- the first, of several that were added together
    machine  TEXT, -- to which it belongs
    count    INTEGER NOT NULL
) STRICT;
