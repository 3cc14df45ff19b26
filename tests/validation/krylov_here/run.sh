#!/bin/sh
# Holds predictions of the model solve against PETSc's own solvers on this computer, with one and two
# processes: the calibrator measures, the solvers run, all on idle cores.  Five minutes.
#     tests/validation/krylov_here/run.sh BUILD [--keep FOLDER] [--each] [MATRIX.mtx.gz...]
set -eu
build=$1
shift
here=tests/validation/krylov_here
if ! pkg-config --exists PETSc; then
    echo "check-krylov-here: skipped: Debian has PETSc in petsc-dev"
    exit 0
fi
mkdir -p "$build/krylov_here"
# shellcheck disable=SC2046
mpicc -std=gnu17 -O2 -Wall -Wextra -o "$build/krylov_here/solve" $here/solve.c $(pkg-config --cflags --libs PETSc)
BUILD=$build exec node $here/compare.mjs "$@"
