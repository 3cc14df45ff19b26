#!/bin/sh
# The layering rules: the engine is pure, folders include only folders below them, and a foreign
# library is included in one folder.
#   tests/layers.sh build/libforerun.a
set -eu
archive=$1
failed=0

complain() {
    echo "layers: $*" >&2
    failed=1
}

# What the engine may take from outside itself: it computes, allocates and formats text.
allowed='abs|ceil|cbrt|erfc|exp|exp2|expm1|fabs|floor|fmax|fmin|fmod|frexp|ldexp|llround|log|log10|log1p|log2|lround|pow|rint|round|sqrt|sin|cos|trunc
malloc|calloc|realloc|free|qsort|bsearch
mem(chr|cmp|cpy|move|set)|str(chr|cmp|cspn|len|ncmp|pbrk|rchr|spn|str|tod|tol|toll|toul|toull)|(__isoc99_)?sscanf|v?snprintf|__ctype_b_loc|__(v?snprintf|memcpy|memmove|memset|strcpy)_chk
__assert_fail|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__(asan|ubsan|tsan|sanitizer)_.*|fr_.*|dense_.*|cost_.*|krylov_.*|blocked_.*|trinv_.*|sylv_.*|modeling_.*|sparse_.*|dgelsd_|halo_.*|cyclic_.*|hpl_.*|look_ahead_.*|refined_.*|held_out_.*'
pattern="^($(echo "$allowed" | tr '\n' '|' | sed 's/|$//'))\$"
strange=$(nm -u "$archive" | awk '$1 == "U" {print $2}' | sort -u | grep -Ev "$pattern" || :)
[ -z "$strange" ] || complain "the engine uses" $strange

# No state: constant tables only.
state=$(objdump -t "$archive" | awk '$3 == "O" && ($4 == ".data" || $4 == ".bss")' || :)
[ -z "$state" ] || complain "the engine has mutable objects: $state"

# Folders, lowest first: an include leads to the same folder or to one further up this list.
order='engine/core engine/calibration engine/prediction engine/lookup engine/runs engine/fields
engine/dense engine/krylov/partition engine/krylov/communication engine/krylov/links engine/krylov/halo
engine/krylov/solvers engine/krylov/multigrid engine/krylov engine/blocked engine/block_cyclic engine/sparse/structure engine/sparse/counts
engine/sparse/rates engine/sparse/clocks engine/sparse engine/multifrontal engine/document engine/questions engine/models engine
server/core server/json server/store server/store/sqlite server/store/postgresql server/http server/calibrations server/matrices/files server/matrices
server/runs/imports server/runs server/machines server/questions server/charts/plot server/charts
server/comparison server/service server/analyze server
calibrations/calibrate/core calibrations/calibrate/kernels calibrations/calibrate/memory
calibrations/calibrate/network calibrations/calibrate/sparse calibrations/calibrate/blocked calibrations/calibrate'
arrows=$(find engine server calibrations -name '*.[ch]' -exec awk -v order="$order" '
    function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
    BEGIN { count = split(order, name); for (i = 1; i <= count; i++) rank[name[i]] = i }
    /^#include "/ {
        split($0, part, "\""); from = folder(FILENAME); to = folder(part[2])
        if (!(from in rank)) print FILENAME ": its folder is not in the order of tests/layers.sh"
        else if (!(to in rank)) print FILENAME ": " part[2] " is not named from the root"
        else if (rank[to] > rank[from]) print FILENAME " includes " part[2] ", which is above it"
        else if (from ~ /^calibrations/ && to ~ /^server/ && part[2] !~ /json\/writer.h$|matrices\/files\/blocks.h$|calibrations\/document.h$/)
            print FILENAME ": the calibrator takes only the writer, block structures and the decoder of documents from server/"
    }' {} + | sort -u)
[ -z "$arrows" ] || complain "$arrows"

# The same for the page.
page='core parts charts machine matrices answer question reference papers'
arrows=$(find static -name '*.js' -exec awk -v order="$page" '
    BEGIN { count = split(order, name, " "); for (i = 1; i <= count; i++) rank[name[i]] = i; rank["static"] = count + 1 }
    /^import / {
        n = split(FILENAME, from, "/"); split($0, part, "\""); target = part[2]
        if (target ~ /^\.\/[a-z_]+\.js$/) next
        sub(/^\.\.?\//, "", target); split(target, to, "/")
        if (!(from[n - 1] in rank)) print FILENAME ": its folder is not in the order of tests/layers.sh"
        else if (!(to[1] in rank)) print FILENAME ": " part[2] " is in no folder of the page"
        else if (rank[to[1]] >= rank[from[n - 1]]) print FILENAME " imports " part[2] ", which is above it"
    }' {} + | sort -u)
[ -z "$arrows" ] || complain "$arrows"

only_in() {
    found=$(grep -rl "include <$1" engine server calibrations --include='*.[ch]' | grep -v "^$2/" || :)
    [ -z "$found" ] || complain "$1 is included outside $2: $found"
}
only_in microhttpd.h server/http
only_in gnutls/ server/http
only_in sqlite3.h server/store/sqlite
only_in libpq-fe.h server/store/postgresql
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
