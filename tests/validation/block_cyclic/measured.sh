#!/bin/sh
# Holds predictions against Debian's ScaLAPACK and an unpacked HPL on this computer, with one and
# two processes: the programs run, the calibrator measures, the programs run again, all on idle
# cores.  Five minutes.
#     HPL=TREE tests/validation/block_cyclic/measured.sh BUILD [--keep FOLDER] [--each]
set -eu
build=$1
shift
if [ ! -d "${HPL:-}/src/pgesv" ]; then
    echo "check-scalapack-here: skipped: HPL must be the path of an unpacked source tree"
    exit 0
fi
out=$build/measured
mkdir -p "$out/hpl"
flags="-O2 -w -I. -I$HPL/include -DAdd_ -DF77_INTEGER=int -DStringSunStyle -DHPL_CALL_FBLAS"
here=tests/validation/block_cyclic
for source in "$HPL"/src/*/*.c $here/reference.c $here/measured.c; do
    object=$out/hpl/$(basename "$source" .c).o
    [ "$object" -nt "$source" ] || mpicc $flags -c -o "$object" "$source"
done
if ! mpicc -o "$out/reference" "$out"/hpl/*.o -lscalapack-openmpi -lopenblas -lm; then
    echo "check-scalapack-here: skipped: Debian has ScaLAPACK in libscalapack-openmpi-dev"
    exit 0
fi
BUILD=$build exec node $here/measured.mjs "$@"
