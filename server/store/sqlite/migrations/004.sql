-- Which runs match a question follows from their parameters; an index in memory holds it.

DROP INDEX runs_by_key;
ALTER TABLE runs DROP COLUMN match_key;
