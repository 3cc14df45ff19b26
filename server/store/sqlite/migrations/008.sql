-- What a token may write, until when it is good, and when it was last used.  One that was revoked
-- stays, so that its refusal can say so; its name is free.

CREATE TABLE tokens_with_limits (
    sequence     INTEGER PRIMARY KEY AUTOINCREMENT,
    name         TEXT NOT NULL,
    scope        TEXT NOT NULL,
    hash         TEXT NOT NULL UNIQUE,
    machines     TEXT NOT NULL, -- that it may write, separated by blanks; empty: all
    note         TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    expires_at   TEXT,
    last_used_at TEXT,
    revoked_at   TEXT
) STRICT;

INSERT INTO tokens_with_limits SELECT NULL, name, scope, hash, '', '', created_at, NULL, NULL, NULL
    FROM tokens;
DROP TABLE tokens;
ALTER TABLE tokens_with_limits RENAME TO tokens;
CREATE UNIQUE INDEX tokens_by_name ON tokens (name) WHERE revoked_at IS NULL;
