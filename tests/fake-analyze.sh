#!/bin/sh
# Replaces forerun-analyze in tests.  A comment in the matrix file selects what it does, for all
# orderings or for one: `%fake crash`, `%fake hang metis`.  Without a comment it succeeds.
# It has the structure of one matrix of order 5: two supernodes, a block of L, a block of U.
# Of partitions it finds those of a tridiagonal matrix of order 5 among 1 or 2 processes.
set -u
ordering=$2
if [ "$1" = --partition ]; then ordering=$4; fi
say() { printf '%s\n' "$1"; }
text=$(zcat)
act=$(printf '%s\n' "$text" | sed -n "s/^%fake \([a-z]*\) $ordering\$/\1/p; s/^%fake \([a-z]*\)\$/\1/p" | head -n 1)
# What is held goes on when there is the file that a comment `%gate FILE` names.
pass() {
    gate=$(printf '%s\n' "$text" | sed -n 's/^%gate //p')
    while [ ! -e "$gate" ]; do sleep 0.01; done
}
facts='{"record":"facts","n":5,"nnz":9,"structural_rank":5,"row_permutation":"identity","transversal_s":0.001}'
ready() {
    say "{\"record\":\"ordering\",\"ordering\":\"$1\",\"status\":\"ready\",\"supernodes\":2,\"nnz_lu\":23,\"nnz_lu_unrelaxed\":21,\"flops\":56,\"fill\":2.5,\"blocks\":2,\"updates\":1,\"ordering_s\":0.5,\"symbolic_s\":0.25,\"extraction_s\":0.125,\"bytes\":$2}"
}
fronts() {
    say "{\"record\":\"fronts\",\"ordering\":\"$1\",\"processes\":1,\"fronts\":2,\"largest_front\":3,\"factor_entries\":19,\"flops\":26,\"most_entries\":19,\"all_entries\":19,\"most_indices\":50,\"all_indices\":50}"
}
structure() { printf RlJCUwEAAAAFAAAAAAAAAAIAAAAAAAAAAQAAAAAAAAABAAAAAAAAAIwgefl4AWNmZGQCImYmJiYGBgAAqAAV | base64 -d; }

part() {
    facts='{"processes":1,"rows":[5],"diagonal":[13],"offdiagonal":[0],"messages":[]}'
    [ "$1" = 1 ] || facts='{"processes":2,"rows":[3,2],"diagonal":[7,4],"offdiagonal":[1,1],"messages":[[0,1,1],[1,0,1]]}'
    say "{\"record\":\"partition\",\"partition\":\"$ordering\",\"processes\":$1,\"status\":\"ready\",\"owners_s\":0.25,\"messages_s\":0.5,\"bytes\":${#facts}}"
    printf %s "$facts"
}
if [ "$1" = --partition ]; then
    say "{\"record\":\"progress\",\"fraction\":0.5,\"stage\":\"$ordering\"}"
    for count in $(echo "$2" | tr , ' '); do
        case $act in
        crash) kill -SEGV $$ ;;
        hang) exec sleep 1000 ;;
        held) pass; part "$count" ;;
        halves) [ "$count" = 1 ] || kill -SEGV $$; part 1 ;;
        refused) say "{\"record\":\"partition\",\"partition\":\"$ordering\",\"processes\":$count,\"status\":\"failed\",\"reason\":\"part 0 has no rows\"}" ;;
        other) part 1 ;;
        *) part "$count" ;;
        esac
    done
    say '{"record":"end"}'
    exit 0
fi

echo "the libraries chatter" >&2
say "{\"record\":\"progress\",\"fraction\":0.25,\"stage\":\"order\"}"
case $act in
crash) echo "malloc(): corrupted top size" >&2; kill -SEGV $$ ;;
killed) kill -KILL $$ ;;
exit) echo "Zero diagonal in column 3" >&2; exit 255 ;;
hang) exec sleep 1000 ;;
deaf) trap '' TERM INT; sleep 1000 ;;
garbage) say "DISTRIBUTED SYMBOLIC FACTORIZATION" ;;
long) head -c 20000 /dev/zero | tr '\0' x ;;
flood) yes '{"record":"progress","fraction":0.5,"stage":"flood"}' ;;
kind) say '{"record":"surprise"}' ;;
number) say '{"record":"facts","n":-5}' ;;
nothing) say "$facts"; say '{"record":"end"}' ;;
partial) say "$facts"; ready "$ordering" 63; structure | head -c 30; exit 0 ;;
unended) say "$facts"; ready "$ordering" 63; structure; kill -ABRT $$ ;;
broken) say "$facts"; ready "$ordering" 63; structure | tr '\001' '\002'; say '{"record":"end"}' ;;
short) say "$facts"; ready "$ordering" 40; structure | head -c 40; say '{"record":"end"}' ;;
huge) say "$facts"; ready "$ordering" 99999999999999; structure ;;
other) ready natal 63; structure; say '{"record":"end"}' ;;
twice) ready "$ordering" 63; structure; ready "$ordering" 63; structure; say '{"record":"end"}' ;;
refused) say "{\"record\":\"ordering\",\"ordering\":\"$ordering\",\"status\":\"failed\",\"reason\":\"too much fill\"}"; say '{"record":"end"}' ;;
singular) printf '%s\n' '{"record":"facts","n":5,"nnz":9,"structural_rank":4,"row_permutation":"transversal"}' \
    '{"record":"failed","reason":"structurally singular: rank 4 of 5"}' '{"record":"end"}' ;;
arguments) say "{\"record\":\"ordering\",\"ordering\":\"$ordering\",\"status\":\"failed\",\"reason\":\"$* $(env | sort | tr '\n' ' ')\"}"; say '{"record":"end"}' ;;
lingers) say "$facts"; ready "$ordering" 63; structure; say '{"record":"end"}'; exec sleep 1000 ;;
held) say '{"record":"progress","fraction":0.5,"stage":"symbolic"}'; pass; say "$facts"; ready "$ordering" 63; structure; say '{"record":"end"}' ;;
*) say "$facts"; fronts "$ordering"; ready "$ordering" 63; structure; say '{"record":"end"}' ;;
esac
