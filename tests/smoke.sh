#!/bin/sh
# A short test of the daemon: start, a prediction, a ranking, a chart, a refusal, stop.
#   tests/smoke.sh build/forerund
set -eu
daemon=$1
state=$(mktemp -d)
trap 'kill "$pid" 2>/dev/null || :; rm -rf "$state"' EXIT
"$daemon" --listen 127.0.0.1:0 --db "$state/forerun.db" --static static --calibrations calibrations/sets \
    >"$state/out" 2>"$state/log" &
pid=$!
for _ in $(seq 100); do
    url=$(sed -n 's/^forerund: listening on //p' "$state/out")
    [ -z "$url" ] || break
    sleep 0.1
done
[ -n "$url" ] || { cat "$state/log" >&2; exit 1; }

ask() {
    curl -sS --fail-with-body --max-time 30 "$url$1"
}
question='machine=hopper&n=32768&processes=1024&threads=6&algorithm=cannon&variant=2d_ovlp'
ask "/api/v1/predict/matmul.txt?$question" | grep -Eq '^time_s=[0-9.]+$'
ask "/api/v1/rank/cholesky?machine=hopper&n=65536&processes=1024&threads=6" | grep -q '"rank":1'
ask "/api/v1/chart/matmul.svg?$question&x=processes" | grep -q '<svg'
ask / | grep -qi '<!doctype html>'
[ "$(curl -s -o "$state/refusal" -w '%{http_code}' "$url/api/v1/predict/matmul?machine=hopper&n=-1")" = 422 ]
grep -q '"parameter":"n"' "$state/refusal"
kill -TERM "$pid"
wait "$pid"
echo "smoke test passed"
