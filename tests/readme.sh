#!/bin/sh
# The answers in README.md and docs/questions.md are those of the daemon.
#   tests/readme.sh build/forerund
set -eu
daemon=$1
state=$(mktemp -d)
pid=
trap 'kill "$pid" 2>/dev/null || :; rm -rf "$state"' EXIT
mkfifo "$state/out"
"$daemon" --listen 127.0.0.1:0 --db "$state/forerun.db" --static static --calibrations calibrations/sets \
    >"$state/out" 2>"$state/log" &
pid=$!
exec 3<"$state/out"
read -r line <&3 || { cat "$state/log" >&2; exit 1; } # waits until the daemon listens, or ends
url=${line#*listening on }
failed=0

# Whether the answer has a line, the number in it up to 1e-6.
answers() {
    awk -F= -v key="${1%%=*}" -v value="${1#*=}" '
        $1 == key && ($2 "" == value "" || ($2 + 0 && ($2 / value - 1) ^ 2 < 1e-12)) { found = 1 }
        END { exit !found }' "$state/answer"
}
# The curl commands of the first questions, and each key=value line below them.
sed -n "s|^    curl 'http://127.0.0.1:8080\(/api/v1/[a-z]*/[a-z]*\.txt?.*\)'\$|\1|p; s/^    \([a-z0-9_]*=[A-Za-z0-9._:+-]*\)\$/\1/p" \
    README.md >"$state/shown"
while read -r line; do
    case $line in
    /*) curl -sS --fail-with-body -o "$state/answer" "$url$line" || { echo "readme: $line is not answered" >&2; failed=1; } ;;
    *) answers "$line" || { echo "readme: the daemon does not answer $line" >&2; failed=1; } ;;
    esac
done <"$state/shown"
[ "$(grep -c '^/' "$state/shown")" -ge 2 ] && [ "$(grep -vc '^/' "$state/shown")" -ge 10 ] ||
    { echo "readme: too few answers are shown" >&2; failed=1; }

# The input file of HPL is that of the first question.
dat=$(sed -n "s|^    curl -o HPL.dat 'http://127.0.0.1:8080\(.*\)'\$|\1|p" README.md)
curl -sS --fail-with-body -o "$state/HPL.dat" "$url$dat"
n=$(sed -n 's/^    n=//p' README.md)
sed -n 6p "$state/HPL.dat" | grep -qx "$n  *Ns" || { echo "readme: HPL.dat has not n=$n" >&2; failed=1; }

# The questions of the table that are written out are answered.
grep -oh '`/api/v1/[a-z]*/[a-z_]*?machine=[^`]*`' README.md docs/questions.md | tr -d '`' | grep -v '…\|machine=here\|matrix=' >"$state/table"
[ "$(wc -l <"$state/table")" -ge 6 ] || { echo "readme: the table has few questions" >&2; failed=1; }
while read -r address; do
    curl -sS --fail-with-body -o "$state/answer" "$url$address" ||
        { echo "readme: $address is not answered: $(cat "$state/answer")" >&2; failed=1; }
done <"$state/table"

# Each picture has a command that makes a chart.
for picture in $(sed -n 's|^!.*(\(.*/\)*\(.*\.svg\))$|docs/\2|p' README.md docs/questions.md); do
    chart=$(sed -n "s|^    curl -o $picture 'http://127.0.0.1:8080\(.*\)'\$|\1|p" README.md docs/questions.md)
    curl -sS --fail-with-body "$url$chart" | grep -q '</svg>' || { echo "readme: no chart $picture" >&2; failed=1; }
done

# The figures of the job script.
forerun_nodes= forerun_processes=
eval "$(deploy/jobs/forerun recommend --url="$url" --format=shell cholesky machine=hopper n=65536 threads=6 \
    deadline_s=60 quantile=0.95 2>"$state/said")" || { cat "$state/said" >&2; failed=1; }
grep -q "asks for $forerun_nodes nodes, $forerun_processes processes" README.md ||
    { echo "readme: cholesky takes $forerun_nodes nodes, $forerun_processes processes" >&2; failed=1; }
kill -TERM "$pid"
wait "$pid"
[ "$failed" -eq 0 ] && echo "README.md agrees with the daemon"
exit "$failed"
