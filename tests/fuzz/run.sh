#!/bin/sh
# Runs each fuzzer for SECONDS, from the seeds in tests/fuzz/seeds and the shipped calibration
# documents.  An input that causes a failure is saved in the folder of the fuzzer.
#   tests/fuzz/run.sh SECONDS FUZZER...
# Reproduce a failure with: FUZZER FILE
set -eu
seconds=$1
shift
failed=0
for fuzzer in "$@"; do
    name=$(basename "$fuzzer")
    corpus=$fuzzer.corpus
    mkdir -p "$corpus"
    [ "$name" != calibration ] || cp calibrations/sets/*.json "$corpus"
    echo "  FUZZ  $name, $seconds s"
    dict=
    [ ! -f "tests/fuzz/$name.dict" ] || dict=-dict=tests/fuzz/$name.dict
    if "$fuzzer" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
        ${dict:+"$dict"} -artifact_prefix="$fuzzer-" \
        "$corpus" "tests/fuzz/seeds/$name" >"$fuzzer.log" 2>&1; then
        sed -n 's/^stat::number_of_executed_units: */        inputs tried: /p' "$fuzzer.log"
    else
        failed=1
        tail -n 60 "$fuzzer.log"
        echo "        see $fuzzer.log"
    fi
done
exit "$failed"
