#!/bin/sh
# Runs each fuzzer for SECONDS, from its seeds in tests/fuzz/seeds, what earlier runs kept in
# tests/fuzz/corpora, and the shipped calibration documents that are small enough to be tried often
# (the seed `example` is a short form of the largest).  An input that causes a failure is saved in
# the folder of the fuzzer.
#   tests/fuzz/run.sh SECONDS SEED FUZZER...
# A SEED other than 0 makes a run repeatable.  Reproduce a failure with: FUZZER FILE
# The limits are far from what an input takes, so that a slow machine exceeds none.
set -eu
seconds=$1
seed=$2
shift 2
failed=0
for fuzzer in "$@"; do
    name=$(basename "$fuzzer")
    corpus=$fuzzer.corpus
    mkdir -p "$corpus"
    [ ! -f "tests/fuzz/corpora/$name.tar.gz" ] || tar -xzf "tests/fuzz/corpora/$name.tar.gz" -C "$corpus"
    [ "$name" != calibration ] ||
        find calibrations/sets -maxdepth 1 -name '*.json' -size -64k -exec cp {} "$corpus" \;
    echo "  FUZZ  $name, $seconds s"
    dict=
    [ ! -f "tests/fuzz/$name.dict" ] || dict=-dict=tests/fuzz/$name.dict
    if "$fuzzer" -max_total_time="$seconds" -seed="$seed" -timeout=300 -rss_limit_mb=3072 \
        -print_final_stats=1 ${dict:+"$dict"} -artifact_prefix="$fuzzer-" \
        "$corpus" "tests/fuzz/seeds/$name" >"$fuzzer.log" 2>&1; then
        sed -n 's/^stat::number_of_executed_units: */        inputs tried: /p' "$fuzzer.log"
    else
        failed=1
        tail -n 60 "$fuzzer.log"
        echo "        see $fuzzer.log"
    fi
done
exit "$failed"
