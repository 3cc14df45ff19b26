#!/bin/sh
# Runs each fuzzer, built with replay.c, once on each of its seeds.
#   tests/fuzz/replay.sh FUZZER...
set -eu
for fuzzer in "$@"; do
    name=$(basename "$fuzzer" .replay)
    more=
    [ "$name" != calibration ] || more=$(ls calibrations/sets/*.json)
    echo "  SEEDS $name"
    # shellcheck disable=SC2086
    timeout 120 "$fuzzer" tests/fuzz/seeds/"$name"/* $more >"$fuzzer.log" 2>&1 || {
        tail -n 40 "$fuzzer.log"
        exit 1
    }
done
