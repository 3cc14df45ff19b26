#!/bin/bash
# Measures the speed on this machine; prints a table of the measured values, the aims and the baseline.
#   tests/bench/run.sh BUILD_DIR [--counts] [--save]
#
# Both sides of a ratio are measured alternately in one run; all other values depend on the machine.
# --save writes the figures to tests/bench/baseline.txt.  BENCH_SECONDS (5) is the duration of a load in seconds.
# --counts counts instructions alone, in half a minute, and fails where there are more than in tests/bench/counts.txt.
set -euo pipefail
export LC_ALL=C
build=${1:?usage: tests/bench/run.sh BUILD_DIR [--counts] [--save]}
shift
save='' only_counts='' baseline=baseline.txt
for option in "$@"; do
    case $option in
    --save) save=yes ;;
    --counts) only_counts=yes baseline=counts.txt ;;
    esac
done
here=$(dirname "$0")
seconds=${BENCH_SECONDS:-5}
rounds=3
daemon=$build/forerund
sets=calibrations/sets
work=$(mktemp -d)
daemon_pid='' nginx_pid='' load_pid=''
counting=() # the command that counts the daemon's instructions

stop() { # PID
    [ -n "$1" ] || return 0
    kill "$1" 2>/dev/null || :
    wait "$1" 2>/dev/null || :
}
clean_up() {
    stop "$load_pid"
    stop "$daemon_pid"
    stop "$nginx_pid"
    rm -rf "$work"
}
trap clean_up EXIT
say() { printf '%s\n' "$*" >&2; }
fail() { say "bench: $*"; exit 1; }

median() { printf '%s\n' "$@" | sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
calculate() { awk "BEGIN {printf \"%.6g\", $1}"; }
elapsed_s() { calculate "$2 - $1"; } # FROM TO, in the format of $EPOCHREALTIME
# NAME VALUE UNIT [AIM]; AIM is >=X or <X.
report() { printf '%s|%s|%s|%s\n' "$1" "$2" "$3" "${4:-}" >>"$work/figures"; }

# ---- the daemon ----

# Starts the daemon on the database NAME; sets daemon_pid, url, stored (the name) and ready_s.
start_daemon() {
    local line begun out=$work/out
    stored=$1
    [ -p "$out" ] || mkfifo "$out"
    begun=$EPOCHREALTIME
    "${counting[@]}" "$daemon" --listen 127.0.0.1:0 --db "$work/$1.db" --static static --calibrations "$sets" \
        --requests-per-minute 0 --long-requests-per-minute 0 --writes-per-minute 0 --log-level warning >"$out" 2>>"$work/log" &
    daemon_pid=$!
    line=
    read -r -t 120 line <"$out" || :
    ready_s=$(elapsed_s "$begun" "$EPOCHREALTIME")
    url=${line##* }
    case $url in http://*) ;; *) cat "$work/log" >&2; fail "the daemon does not start" ;; esac
}
stop_daemon() { stop "$daemon_pid"; daemon_pid=''; }
# FIELD of the daemon's status in bytes: VmRSS, VmHWM.
memory_bytes() { awk -v field="$1:" '$1 == field {print $2 * 1024}' "/proc/$daemon_pid/status"; }

# ---- loads ----

# URL [HEADER]: writes the output of wrk to $work/wrk; exits on an error status or a socket error.
load() {
    wrk -t2 -c32 "-d${seconds}s" --latency ${2:+-H "$2"} "$1" >"$work/wrk"
    ! grep -Eq 'Non-2xx|Socket errors' "$work/wrk" || { cat "$work/wrk" >&2; fail "wrong answers from $1"; }
}
requests_per_s() { awk '/^Requests\/sec:/ {print $2}' "$work/wrk"; }
p99_ms() {
    awk '$1 == "99%" {value = $2; unit = $2; gsub(/[a-z]/, "", value); gsub(/[0-9.]/, "", unit)
         print value * (unit == "us" ? 1e-3 : unit == "s" ? 1e3 : 1)}' "$work/wrk"
}

# Starts nginx with a minimal configuration on $work/www; sets nginx_pid and nginx_url.
start_nginx() {
    local port user=''
    [ "$(id -u)" -ne 0 ] || user='user root;'
    for _ in 1 2 3 4 5 6 7 8; do
        port=$((20000 + RANDOM % 20000))
        cat >"$work/nginx.conf" <<EOF
$user
daemon off;
worker_processes auto;
pid $work/nginx.pid;
error_log $work/nginx.log;
events { worker_connections 1024; }
http {
    access_log off;
    keepalive_requests 1000000000;
    types { application/json json; }
    client_body_temp_path $work/nginx-body;
    proxy_temp_path $work/nginx-proxy;
    fastcgi_temp_path $work/nginx-fastcgi;
    uwsgi_temp_path $work/nginx-uwsgi;
    scgi_temp_path $work/nginx-scgi;
    server { listen 127.0.0.1:$port; root $work/www; }
}
EOF
        nginx -p "$work" -c "$work/nginx.conf" -e "$work/nginx.log" 2>/dev/null &
        nginx_pid=$!
        nginx_url=http://127.0.0.1:$port
        for _ in 1 2 3 4 5 6 7 8 9 10; do
            sleep 0.1
            kill -0 "$nginx_pid" 2>/dev/null || break
            ! curl -fsS -o /dev/null "$nginx_url/answer.json" 2>/dev/null || return 0
        done
        stop "$nginx_pid"
        nginx_pid=''
    done
    fail "nginx does not start"
}

# ---- measurements ----

. "$here/sparse.sh"
. "$here/counts.sh"

predict='/api/v1/predict/matmul?machine=hopper&n=32768&processes=1024&threads=6&algorithm=cannon&variant=2d'
squares=$(seq 1 25 | awk '{printf "%s%d", (NR > 1 ? "," : ""), ($1 + 1) ^ 2}')
# 1,000 orders, 25 grids, 2 thread counts, contention or not.
sweep="/api/v1/sweep/matmul.csv?machine=hopper&algorithm=cannon&variant=2d&n=1024..1024000..1024"
sweep="$sweep&processes=$squares&threads=1,2&contention=true,false"
chart='/api/v1/chart/matmul.svg?machine=hopper&algorithm=cannon&variant=2d,2d_ovlp&threads=6&n=32768'
chart="$chart&processes=16,64,256,1024,4096&x=processes&series=variant&logx=true&logy=true"

measure_engine() {
    local name value aim unit
    say "engine"
    "$build/tests/bench/engine" "$sets" >"$work/engine"
    while read -r name value; do
        unit=1/s
        case $name in
        engine_trinv_1000_96*) aim='>=20000' ;;
        engine_rank_sylv_variants_128_orders) aim='<0.5' unit=s ;;
        engine_rank_hpl_1024_all) aim='<5' unit=s ;;
        engine_rank_*) aim='' unit=s ;;
        engine_panels_1000_*) aim='<2' unit=ms ;;
        engine_solve_32768*) aim='>=10000' ;;
        engine_solve_links_* | engine_solve_scattered_*) aim='>=200' ;;
        engine_matmul_2d* | engine_matmul_25d_ovlp*) aim='>=2000000' ;;
        engine_trsm* | engine_cholesky*) aim='>=20000' ;;
        *) aim='' ;;
        esac
        report "$name" "$value" "$unit" "$aim"
    done <"$work/engine"
}

measure_start() {
    local starts=() i
    say "starting and idling"
    for i in 1 2 3 4 5; do
        start_daemon "fresh-$i"
        starts+=("$ready_s")
        stop_daemon
    done
    report start_empty_database "$(calculate "1000 * $(median "${starts[@]}")")" ms '<100'
    starts=()
    for i in 1 2 3 4 5; do
        start_daemon fresh-1
        starts+=("$ready_s")
        [ "$i" -eq 5 ] || stop_daemon
    done
    report start_filled_database "$(calculate "1000 * $(median "${starts[@]}")")" ms '<100'
    sleep 0.5
    report idle_memory "$(calculate "$(memory_bytes VmRSS) / 1048576")" MiB '<14'
}

measure_sweep() {
    local times=() idle_bytes peak_bytes='' rows
    say "a sweep of 100,000 points"
    idle_bytes=$(memory_bytes VmRSS)
    for _ in 1 2 3 4 5; do
        times+=("$(curl -fsS -o "$work/sweep.csv" -w '%{time_total}' "$url$sweep")")
        [ -n "$peak_bytes" ] || peak_bytes=$(memory_bytes VmHWM)
    done
    rows=$(wc -l <"$work/sweep.csv")
    [ "$rows" -eq 100001 ] || fail "the sweep has $rows lines"
    report sweep_csv "$(median "${times[@]}")" s '<1'
    report sweep_csv_size "$(calculate "$(wc -c <"$work/sweep.csv") / 1048576")" MiB
    report sweep_first_memory_above_idle "$(calculate "($peak_bytes - $idle_bytes) / 1048576")" MiB '<64'
    report sweep_five_memory_above_idle "$(calculate "($(memory_bytes VmHWM) - $idle_bytes) / 1048576")" MiB '<64'
}

measure_http() {
    local file=() own=() file_p99=() own_p99=()
    say "single predictions against nginx, $rounds rounds of 2 times $seconds s"
    mkdir -p "$work/www"
    curl -fsS -o "$work/www/answer.json" "$url$predict"
    start_nginx
    for _ in $(seq "$rounds"); do
        load "$nginx_url/answer.json"
        file+=("$(requests_per_s)")
        file_p99+=("$(p99_ms)")
        load "$url$predict"
        own+=("$(requests_per_s)")
        own_p99+=("$(p99_ms)")
    done
    stop "$nginx_pid"
    nginx_pid=''
    report http_nginx_file "$(median "${file[@]}")" 1/s
    report http_predict "$(median "${own[@]}")" 1/s
    report http_predict_by_nginx "$(calculate "$(median "${own[@]}") / $(median "${file[@]}")")" ratio '>=0.6'
    report http_nginx_file_p99 "$(median "${file_p99[@]}")" ms
    report http_predict_p99 "$(median "${own_p99[@]}")" ms '<10'
}

measure_http_beside_sweep() {
    local from to
    say "the same while sweeps run, $seconds s"
    : >"$work/sweeps"
    (
        trap 'kill "$curl_pid" 2>/dev/null; exit 0' TERM
        while :; do
            curl -fsS -o "$work/beside.csv" "$url$sweep" &
            curl_pid=$!
            wait "$curl_pid"
            echo one >>"$work/sweeps"
        done
    ) &
    load_pid=$!
    sleep 0.2
    from=$(wc -l <"$work/sweeps")
    load "$url$predict"
    to=$(wc -l <"$work/sweeps")
    stop "$load_pid"
    load_pid=''
    report http_predict_beside_sweep "$(requests_per_s)" 1/s
    report http_predict_beside_sweep_p99 "$(p99_ms)" ms '<10'
    report sweeps_beside_http "$(calculate "($to - $from) / $seconds")" 1/s
}

# Time in seconds of gnuplot on the script, run as the daemon runs it.
by_hand_s() {
    local begun=$EPOCHREALTIME
    env -i LC_ALL=C.UTF-8 PATH="$PATH" gnuplot -d "$1" >"$work/by-hand.svg" 2>/dev/null
    elapsed_s "$begun" "$EPOCHREALTIME"
}

measure_chart() {
    local own=() hand=() cached=() known=() i etag
    say "charts against gnuplot by hand, then $rounds rounds of 2 times $seconds s"
    curl -fsS -o "$work/chart.gp" "$url${chart/.svg/.gp}&title=bench"
    by_hand_s "$work/chart.gp" >/dev/null
    for i in $(seq 15); do
        own+=("$(curl -fsS -o "$work/chart.svg" -w '%{time_total}' "$url$chart&title=bench-$RANDOM-$i")")
        hand+=("$(by_hand_s "$work/chart.gp")")
    done
    grep -q '</svg>' "$work/chart.svg" || fail "the chart is no SVG"
    report chart_cold "$(calculate "1000 * $(median "${own[@]}")")" ms
    report chart_by_hand "$(calculate "1000 * $(median "${hand[@]}")")" ms
    report chart_cold_by_hand "$(calculate "$(median "${own[@]}") / $(median "${hand[@]}")")" ratio '<1.5'

    etag=$(curl -fsS -o /dev/null -D - "$url$chart" | tr -d '\r' | awk 'tolower($1) == "etag:" {print $2}')
    for _ in $(seq "$rounds"); do
        load "$url$chart"
        cached+=("$(requests_per_s)")
        load "$url$chart" "If-None-Match: $etag"
        known+=("$(requests_per_s)")
    done
    report chart_cached "$(median "${cached[@]}")" 1/s
    report chart_304 "$(median "${known[@]}")" 1/s
    report chart_304_by_cached "$(calculate "$(median "${known[@]}") / $(median "${cached[@]}")")" ratio '>=0.9'
}

# MODEL COUNT: so many runs, one per line, of ten or twenty configurations with different times.  Runs of cg
# include their computation time, so that each prediction uses a hundred of them.
make_runs() {
    awk -v model="$1" -v count="$2" 'BEGIN {
        split("pcg sapcg nbpcg pipecg pipe2cg", solver, " ")
        for (i = 0; i < count; i++) {
            if (model == "cholesky")
                printf "{\"model\": \"cholesky\", \"parameters\": {\"variant\": \"%s\", \"n\": %d, \"processes\": 1024, \"threads\": 6}, ",
                       i % 2 ? "2d" : "2d_ovlp", 8192 * (1 + i % 5)
            else
                printf "{\"model\": \"cg\", \"parameters\": {\"solver\": \"%s\", \"nodes\": %d, \"processes_per_node\": 36, \"iterations\": 20}, \"local_grid\": [16, 16, 16], \"network_state\": {\"stalls_per_byte\": %.3f}, \"computation\": {\"total_s\": [[%g, %g], [%g, %g]]}, ",
                       solver[1 + i % 5], 4096 / 2 ^ (int(i / 5) % 4), i % 7 / 10, 0.001 + i * 1e-8,
                       0.0011 + i * 1e-8, 0.0012, 0.001
            printf "\"time_s\": %.6f}\n", 1 + i / 1000
        }
    }'
}

# MODEL MACHINE COUNT: uploads runs to the daemon, which serves the database $stored; sets uploaded_s.
upload_runs() {
    local token
    token=$("$daemon" token create --db "$work/$stored.db" --name "$1" --scope write)
    make_runs "$1" "$3" >"$work/runs.ndjson"
    uploaded_s=$(curl -fsS -o "$work/uploaded" -w '%{time_total}' \
        -H "Authorization: Bearer $token" -H 'Content-Type: application/x-ndjson' \
        --data-binary "@$work/runs.ndjson" "$url/api/v1/machines/$2/runs")
    grep -q "\"stored\":$3" "$work/uploaded" || fail "the runs were not stored"
}

# PREFIX MODEL MACHINE PATH: uploads the runs and measures their accuracy report and the prediction PATH.
measure_runs_of() {
    local prefix=$1 machine=$3 path=$4 before with accuracy=()
    load "$url$path"
    before=$(requests_per_s)
    upload_runs "$2" "$machine" 10000
    report "${prefix}upload_10000" "$uploaded_s" s '<1'
    report "${prefix}accuracy_10000_first" \
        "$(curl -fsS -o "$work/accuracy" -w '%{time_total}' "$url/api/v1/machines/$machine/accuracy")" s '<1'
    grep -q '"runs":10000' "$work/accuracy" || fail "not all runs were judged"
    sleep 1.5 # until the daemon has noticed the change of the store
    for _ in 1 2 3 4 5; do
        accuracy+=("$(curl -fsS -o "$work/accuracy" -w '%{time_total}' "$url/api/v1/machines/$machine/accuracy")")
    done
    report "${prefix}accuracy_10000" "$(median "${accuracy[@]}")" s '<1'
    curl -fsS "$url$path" | grep -q '"basis":"residuals' || fail "there is no interval"
    load "$url$path"
    with=$(requests_per_s)
    report "${prefix}http_without" "$before" 1/s
    report "${prefix}http_with" "$with" 1/s
    report "${prefix}http_with_by_without" "$(calculate "$with / $before")" ratio "${5:-}"
}

measure_runs() {
    say "10,000 saved runs of cholesky, for intervals, and of cg, to predict with"
    measure_runs_of runs_ cholesky hopper \
        '/api/v1/predict/cholesky?machine=hopper&variant=2d&n=32768&processes=1024&threads=6' '>=0.8'
    measure_runs_of runs_cg_ cg piz-daint \
        '/api/v1/predict/cg?machine=piz-daint&nodes=4096&processes_per_node=36&local_grid=16x16x16&iterations=20' '>=0.9'
}

# ---- the table ----

print_table() {
    awk -F'|' -v baseline="$here/$baseline" '
        BEGIN {
            while ((getline line < baseline) > 0)
                if (line !~ /^#/ && split(line, part, " ") >= 2)
                    known[part[1]] = part[2]
            printf "%-42s %13s %-6s %12s %-7s %12s\n", "figure", "measured", "unit", "aim", "verdict",
                   "by baseline"
        }
        {
            verdict = "-"; aim = $4
            if (aim ~ /^>=/) verdict = $2 + 0 >= substr(aim, 3) + 0 ? "met" : "missed"
            else if (aim ~ /^</) verdict = $2 + 0 < substr(aim, 2) + 0 ? "met" : "missed"
            against = ($1 in known) && known[$1] + 0 > 0 ? sprintf("%.2f", $2 / known[$1]) : "-"
            value = $2 + 0 >= 1000 ? sprintf("%.0f", $2) : sprintf("%.3g", $2)
            printf "%-42s %13s %-6s %12s %-7s %12s\n", $1, value, $3, aim == "" ? "-" : aim, verdict, against
            missed += verdict == "missed"
        }
        END { print ""; print missed ? "aims missed: " missed : "every aim met" }' "$work/figures"
}

save_baseline() {
    {
        echo "# Values of one run of tests/bench/run.sh${only_counts:+ --counts}, for comparison with later ones."
        awk -F': ' '/^model name/ {print "# " $2; exit}' /proc/cpuinfo
        echo "# $(nproc) cores, $("$daemon" --version)"
        awk -F'|' '{print $1, $2, $3}' "$work/figures"
    } >"$here/$baseline"
    say "saved as $here/$baseline"
}

for program in "$daemon" "$build/tests/bench/engine" "$build/tests/bench/sparse"; do
    [ -x "$program" ] || fail "$program is not built; use make bench"
done
for tool in curl $([ -n "$only_counts" ] && echo valgrind || echo wrk nginx gnuplot); do
    command -v "$tool" >/dev/null || fail "$tool is missing"
done
if [ -n "$only_counts" ]; then
    measure_counts
    [ -z "$save" ] || save_baseline
    compare_counts
    exit
fi
measure_engine
measure_sparse
measure_sparse_real
measure_partition
measure_start
measure_sweep
measure_http
measure_http_beside_sweep
measure_chart
measure_runs
stop_daemon
print_table
[ -z "$save" ] || save_baseline
