#!/bin/sh
# make install: the daemon serves from the folders that were chosen; make uninstall leaves only the configuration.
# make dist: the same bytes each time.
#   tests/install.sh
set -eu
unset MAKEFLAGS MFLAGS # what stands is installed; nothing is built in other ways
here=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null || :; rm -rf "$here"' EXIT
complain() {
    echo "install: $1" >&2
    exit 1
}
quietly() {
    "$@" >"$here/said" 2>&1 || { cat "$here/said" >&2; complain "$* failed"; }
}
in_place() {
    quietly make --no-print-directory "$1" DESTDIR="$here/root" PREFIX=/opt/forerun sysconfdir=/etc
}

in_place install
root=$here/root
grep -rlI '/usr/local/\(bin\|share\)/' "$root" && complain "the files above name a folder of the default PREFIX"

# What the unit starts is there, with its configuration and its user.
unit=$root/opt/forerun/lib/systemd/system/forerund.service
# shellcheck disable=SC2046 # the words of the command
set -- $(sed -n 's/^ExecStart=//p' "$unit")
[ "$#" -eq 3 ] && [ "$2" = --config ] || complain "the unit starts: $*"
[ -x "$root$1" ] && [ -f "$root$3" ] || complain "the unit starts $1 with $3, which are not installed"
grep -q "^u $(sed -n 's/^User=//p' "$unit") " "$root/opt/forerun/lib/sysusers.d/forerun.conf" ||
    complain "the user of the unit is not made"
grep -qx 'db = /var/lib/forerun/forerun.db' "$root$3" || complain "$3 does not name the database"

# It serves its own page and its own calibrations, and the client asks it.
: >"$here/out"
"$root$1" --config "$root$3" --db "$here/forerun.db" --listen 127.0.0.1:0 >"$here/out" 2>"$here/log" &
pid=$!
url=
for _ in $(seq 3000); do
    url=$(sed -n 's/^forerund: listening on //p' "$here/out")
    [ -z "$url" ] && kill -0 "$pid" || break
    sleep 0.1
done
[ -n "$url" ] || { cat "$here/log" >&2; complain "the installed daemon does not start"; }
(cd static && find * -type f) | sed "s|.*|url=$url/&\noutput=$here/served/&|" | curl -sS --fail --create-dirs -K - || complain "a file of the page is not served"
sed -Ei 's|="v/[0-9a-f]{16}/|="|' "$here"/served/*.html # the version of the installed files
diff -r static "$here/served" || complain "the page is not that of static/"
PATH=$root/opt/forerun/bin:$PATH forerun --url="$url" predict matmul machine=example n=1000 processes=1 algorithm=cannon variant=2d |
    grep -q '^time_s=' || complain "the client gets no answer"
[ "$(readlink "/proc/$pid/exe")" = "$root$1" ] || complain "another daemon answers"
kill -TERM "$pid"
wait "$pid"
pid=

# An administrator's configuration is kept; all else goes.
echo '# changed' >>"$root$3"
in_place install
tail -n 1 "$root$3" | grep -qx '# changed' || complain "a second install replaces $3"
in_place uninstall
left=$(cd "$root" && find . -type f)
[ "$left" = "./${3#/}" ] || complain "uninstall leaves: $left"

# A released tree has no commit to pack.
if git rev-parse -q --verify HEAD >/dev/null 2>&1; then
    archive=$(make --no-print-directory dist)
    mv "$archive" "$here/first"
    quietly make --no-print-directory dist
    cmp "$here/first" "$archive" || complain "two runs of make dist differ"
    [ "$(gzip -dc "$archive" | tar -tf - | grep -vc '/$')" -eq "$(git ls-tree -r --name-only HEAD | wc -l)" ] ||
        complain "$archive has other files than the commit"
fi
echo "installs, serves from there and uninstalls"
