#!/bin/sh
# Keeps what the runs of each fuzzer have found in tests/fuzz/corpora: the fewest inputs that reach
# all that their corpus reaches, without large ones.  The same inputs make the same bytes.
#   tests/fuzz/keep.sh FUZZER...
set -eu
large=4096
kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT
mkdir -p tests/fuzz/corpora
for fuzzer in "$@"; do
    name=$(basename "$fuzzer")
    mkdir "$kept/$name"
    "$fuzzer" -merge=1 -max_len=$large -timeout=300 -rss_limit_mb=3072 "$kept/$name" \
        "$fuzzer.corpus" >"$fuzzer.log" 2>&1 || {
        tail -n 60 "$fuzzer.log"
        exit 1
    }
    find "$kept/$name" -type f -size +${large}c -delete
    (cd "$kept/$name" && find . -type f | LC_ALL=C sort |
        tar -cf - --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 -T -) |
        gzip -9n >"tests/fuzz/corpora/$name.tar.gz"
    echo "  KEEP  $name, $(ls "$kept/$name" | wc -l) inputs, $(stat -c %s "tests/fuzz/corpora/$name.tar.gz") bytes"
done
