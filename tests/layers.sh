#!/bin/sh
# The layering rules: the engine is pure, and a foreign library is included in one folder.
#   tests/layers.sh build/libforerun.a
set -eu
archive=$1
failed=0

complain() {
    echo "layers: $1" >&2
    failed=1
}

# What the engine may take from outside itself: it computes, allocates and formats text.
allowed='abs|ceil|cbrt|exp|exp2|expm1|fabs|floor|fmax|fmin|fmod|frexp|ldexp|llround|log|log10|log1p|log2|lround|pow|rint|round|sqrt|sin|cos|trunc
malloc|calloc|realloc|free|qsort|bsearch
mem(chr|cmp|cpy|move|set)|str(chr|cmp|cspn|len|ncmp|pbrk|rchr|spn|str|tod|tol|toll|toul|toull)|(__isoc99_)?sscanf|v?snprintf|__ctype_b_loc|__(v?snprintf|memcpy|memmove|memset|strcpy)_chk
__assert_fail|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__(asan|ubsan|tsan|sanitizer)_.*|fr_.*|dense_.*|cost_.*|krylov_.*|blocked_.*|trinv_.*|sylv_.*|modeling_.*|sparse_.*|dgelsd_|halo_.*|look_ahead_.*|refined_.*'
pattern="^($(echo "$allowed" | tr '\n' '|' | sed 's/|$//'))\$"
for symbol in $(nm -u "$archive" | awk '$1 == "U" {print $2}' | sort -u); do
    echo "$symbol" | grep -Eq "$pattern" || complain "the engine uses $symbol"
done

# No state: constant tables only.
state=$(objdump -t "$archive" | awk '$3 == "O" && ($4 == ".data" || $4 == ".bss")' || :)
[ -z "$state" ] || complain "the engine has mutable objects: $state"

only_in() {
    found=$(grep -rl "include <$1" engine server calibrations --include='*.[ch]' | grep -v "^$2/" || :)
    [ -z "$found" ] || complain "$1 is included outside $2: $found"
}
only_in microhttpd.h server/http
only_in sqlite3.h server/store
only_in jansson.h server/json
only_in mpi.h calibrations/calibrate
for header in superlu_ddefs.h dmumps_c.h amd.h colamd.h btf.h metis.h; do
    only_in $header server/analyze
done

# Every model file is listed, every listed model has a file.
for file in engine/models/*.c; do
    name=$(basename "$file" .c)
    grep -q "FR_MODEL($name)" engine/models/list.h || complain "$file is not in engine/models/list.h"
done

[ "$failed" -eq 0 ] && echo "layers hold"
exit "$failed"
