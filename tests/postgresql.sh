#!/bin/sh
# Runs a command beside a PostgreSQL of its own, in a temporary folder, and removes both.
#   tests/postgresql.sh COMMAND...
# FORERUN_POSTGRESQL is its URL without the name of a database, which takes the rest from PGHOST and
# PGUSER; FORERUN_PG_CTL with `stop` or `start` is a command that does so.
set -eu
for bin in /usr/lib/postgresql/*/bin; do :; done
[ -x "$bin/initdb" ] || { echo "postgresql.sh: no PostgreSQL is installed (postgresql-15)" >&2; exit 1; }

folder=$(mktemp -d /tmp/forerun-pg.XXXXXX)
as=
if [ "$(id -u)" -eq 0 ]; then # PostgreSQL refuses to run as root
    user=postgres
    id $user >/dev/null 2>&1 || user=nobody
    chown $user "$folder"
    as="runuser -u $user --"
fi
# Nothing outlives the test, so that nothing has to reach the disk.
settings="-c listen_addresses= -c unix_socket_directories=$folder -c fsync=off -c full_page_writes=off -c max_connections=200"
stop() {
    $as "$bin/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null 2>&1 || :
    rm -rf "$folder"
}
trap stop EXIT
trap 'exit 1' INT TERM
cd /
$as "$bin/initdb" -D "$folder/data" -U forerun -A trust -E UTF8 --locale=C.UTF-8 --no-sync >"$folder/log" 2>&1 ||
    { cat "$folder/log" >&2; exit 1; }
cat >"$folder/ctl" <<END
cd / && exec $as "$bin/pg_ctl" -D "$folder/data" -l "$folder/data/log" -o "$settings" -m fast -w -t 120 "\$1"
END
sh "$folder/ctl" start >/dev/null ||
    { cat "$folder/data/log" >&2; exit 1; }
cd "$OLDPWD"
PGHOST=$folder PGUSER=forerun FORERUN_POSTGRESQL=postgresql:/// FORERUN_PG_CTL="sh $folder/ctl" "$@"
