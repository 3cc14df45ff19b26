#!/bin/sh
# Builds ScaLAPACK and HPL from their unpacked trees, and compares predictions with them.
#     SCALAPACK=TREE HPL=TREE tests/validation/block_cyclic/check.sh BUILD [--short] [CLUSTER...]
set -eu
build=$1
shift
if [ ! -d "${SCALAPACK:-}/PBLAS" ] || [ ! -d "${HPL:-}/src/pgesv" ]; then
    echo "check-scalapack: skipped: SCALAPACK and HPL must be the paths of unpacked source trees"
    exit 0
fi
if ! command -v gfortran >/dev/null || ! command -v smpicc >/dev/null; then
    echo "check-scalapack: skipped: gfortran or smpicc is missing"
    exit 0
fi
make -s -j"$(nproc)" -f tests/validation/block_cyclic/reference.mk SCALAPACK="$SCALAPACK" HPL="$HPL" OUT="$build/smpi"
BUILD=$build exec node tests/validation/block_cyclic/compare.mjs "$@"
