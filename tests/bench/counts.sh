#!/bin/bash
# Part of run.sh: counts of instructions, which the load of the machine does not move, and memory.
# They belong to x86-64; a processor without vector instructions of the library has others, so none
# are used.

export_counting() {
    export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-AVX512F,-AVX512VL,-FMA,-ERMS,-FSRM
}
# FILE: the instructions of each part that callgrind has written.
instructions() { awk '$1 == "summary:" {print $2}' "$1"; }

# Takes one core until report_engine, while the daemon is counted on another.
count_engine() {
    say "instructions of the engine"
    valgrind --tool=callgrind --callgrind-out-file="$work/engine.out" --combine-dumps=yes --collect-atstart=no \
        --toggle-collect=run_whole --toggle-collect=time_ranking --dump-after=run_whole --dump-after=time_ranking \
        "$build/tests/bench/engine" "$sets" --once >"$work/engine" 2>>"$work/log" &
    load_pid=$!
}
report_engine() {
    local name value
    wait "$load_pid" || fail "the engine cannot be counted"
    load_pid=''
    # The last part is what comes after the last case.
    instructions "$work/engine.out" | head -n -1 >"$work/counts"
    [ "$(wc -l <"$work/engine")" -eq "$(wc -l <"$work/counts")" ] || fail "cases and counts do not match"
    while read -r name value; do
        report "$name" "$value" instructions
    done < <(cut -d' ' -f1 "$work/engine" | paste -d' ' - "$work/counts")
}

# DATABASE COUNT [PATH]: sets counted to the instructions of a daemon that answers COUNT requests.
count_daemon() {
    counting=(valgrind --tool=callgrind "--callgrind-out-file=$work/daemon.out")
    start_daemon "$1"
    counting=()
    [ "$2" -eq 0 ] || curl -fsS -o /dev/null "$url$3#[1-$2]" # a fragment is not sent
    stop_daemon
    counted=$(instructions "$work/daemon.out")
}

# PATH: sets counted to the instructions of one request, without the start and the first hundred.
count_request() {
    local few
    count_daemon requests 100 "$1"
    few=$counted
    count_daemon requests 300 "$1"
    counted=$(calculate "($counted - $few) / 200")
}

measure_counts() {
    local all=$sets without predict='/api/v1/predict/cholesky?machine=hopper&variant=2d&n=32768&processes=1024&threads=6'
    if [ "$(uname -m)" != x86_64 ]; then
        say "skipped: the counts of tests/bench/counts.txt are those of x86-64"
        exit 0
    fi
    export_counting
    count_engine
    say "instructions of the daemon"
    count_daemon empty 0
    report start_empty_database "$counted" instructions
    start_daemon rest
    sleep 1
    report idle_memory "$(calculate "$(memory_bytes VmRSS) / 1048576")" MiB '<14'
    stop_daemon
    sets=$work/hopper
    mkdir "$sets"
    cp "$all/hopper.json" "$sets"
    start_daemon requests
    stop_daemon
    count_request "$predict"
    without=$counted
    report http_predict "$without" instructions
    start_daemon requests
    upload_runs cholesky hopper 1000
    stop_daemon
    count_request "$predict"
    report http_predict_with_runs "$counted" instructions
    report http_predict_with_runs_by_without "$(calculate "$counted / $without")" ratio '<1.1'
    report_engine
}

# A figure may be a tenth above that of counts.txt, for other releases of compiler and libraries.  One that is a tenth
# below wants a new counts.txt, so that the next rise is seen.
compare_counts() {
    awk -F'|' -v margin=1.1 -v baseline="$here/counts.txt" '
        BEGIN {
            while ((getline line < baseline) > 0)
                if (line !~ /^#/ && split(line, part, " ") >= 2)
                    known[part[1]] = part[2]
        }
        {
            by = $1 in known ? $2 / known[$1] : 0
            said = sprintf("%-42s %14.6g %-12s %.3f of counts.txt", $1, $2, $3, by)
            print said
            if (!by || by > margin)
                more = more "\nmore: " said
            else if (by < 1 / margin)
                less = less "\nless: " said
        }
        END {
            if (less)
                print less "\nmake bench-counts SAVE=1 keeps these"
            if (more)
                print more "\nmore than a tenth above tests/bench/counts.txt (0: unknown there); if that is what it costs, make bench-counts SAVE=1"
            exit more != ""
        }' "$work/figures"
}
