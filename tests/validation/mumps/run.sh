#!/bin/sh
# Validates docs/models/multifrontal.md: MUMPS analyzes and factorizes matrices in the orders that forerun-analyze
# finds, and one line for each says what MUMPS says and what forerun foresees.
#
#   tests/validation/mumps/run.sh [PROBE] >FILE
#
# Environment variables: MATRICES, a folder with *.mtx, *.mtx.gz, *.rua, *.rua.gz; RANKS, default "1 2";
# ANALYSIS_ONLY=1 factorizes nothing, so that more ranks than cores do no harm.
set -eu

probe=${1:-build/tests/validation/mumps/probe}
export OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

ask() {
    name=$1 orderings=$2
    shift 2
    for ranks in ${RANKS:-1 2}; do
        timeout 300 mpirun --oversubscribe -n "$ranks" "$probe" --orderings "$orderings" "$@" |
            sed "s|^|matrix=$name |" || echo "matrix=$name ranks=$ranks failed"
    done
}

for file in ${MATRICES:+"$MATRICES"/*.mtx "$MATRICES"/*.mtx.gz "$MATRICES"/*.rua "$MATRICES"/*.rua.gz}; do
    [ ! -e "$file" ] || ask "$(basename "$file")" metis,amd,colamd "$file"
done
for text in cd3d:12,12,12,1 cd3d:24,24,24,5 cd3d:30,30,30,2 cfd2d:40,40,4,3 cfd2d:60,60,4,3 \
    econ:8,150,3,1 circuit:3000,4,3,5 circuit:7000,4,3,5; do
    ask "$text" metis,amd --generate "$text"
done
