-- Several daemons: who takes analyses (server/store/postgresql/postgresql.h).
ALTER TABLE matrix_orderings ADD COLUMN claim BIGINT;
ALTER TABLE matrix_partitions ADD COLUMN claim BIGINT;
