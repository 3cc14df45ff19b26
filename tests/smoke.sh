#!/bin/sh
# A short test of the daemon: start, a prediction, a ranking, a chart, a refusal, stop.
#   tests/smoke.sh build/forerund
set -eu
daemon=$1
state=$(mktemp -d)
trap 'kill "$pid" 2>/dev/null || :; rm -rf "$state"' EXIT
mkfifo "$state/out"
"$daemon" --listen 127.0.0.1:0 --db "$state/forerun.db" --static static --calibrations calibrations/sets \
    >"$state/out" 2>"$state/log" &
pid=$!
exec 3<"$state/out"
read -r line <&3 || { cat "$state/log" >&2; exit 1; } # waits until the daemon listens, or ends
url=${line#forerund: listening on }

ask() {
    curl -sS --fail-with-body --max-time 120 "$url$1"
}
question='machine=hopper&n=32768&processes=1024&threads=6&algorithm=cannon&variant=2d_ovlp'
ask "/api/v1/predict/matmul.txt?$question" | grep -Eq '^time_s=[0-9.]+$'
ask "/api/v1/rank/cholesky?machine=hopper&n=65536&processes=1024&threads=6" | grep -q '"rank":1'
ask "/api/v1/chart/matmul.svg?$question&x=processes" | grep -q '<svg'
curl -sSi "$url/" >"$state/page"
grep -qi '<!doctype html>' "$state/page"
grep -qi "^content-security-policy: default-src 'self'" "$state/page"
[ "$(curl -s -o "$state/refusal" -w '%{http_code}' "$url/api/v1/predict/matmul?machine=hopper&n=-1")" = 422 ]
grep -q '"parameter":"n"' "$state/refusal"
kill -TERM "$pid"
wait "$pid"
echo "smoke test passed"
