#!/bin/sh
# Validates the model sparse_lu: SuperLU_DIST factorizes sparse matrices on this computer; forerun predicts
# the times from the matrix files and the calibrator's measurements.
#
#   tests/validation/sparse/run.sh [--quick] [--keep FOLDER] [--ranks 1,2] [--matrix FILE]... [BUILD]
#
#   --quick   small matrices and a quick calibration, to check that the script works
#   --keep    keeps matrices, calibration and runs in FOLDER (default: they are removed)
#   --ranks   numbers of processes, default 1; at most the number of idle cores
#   --matrix  one more matrix, Matrix Market or Harwell-Boeing, plain or gzip; may be repeated.  One
#             of the paper's eight, under its own name, is compared with the published figures
#   BUILD     folder with forerund, forerun-analyze and forerun-calibrate; default build
#
# Environment variables: MATRICES (a folder with more *.mtx, *.rua, *.gz), ROUNDS,
# REPETITIONS (of a round), ORDERINGS (separated by blanks; default metis amd), WINDOWS (look-ahead panels, separated by
# blanks; default 10), NRHS (right-hand sides of the solves to time; default 1,8); CALIBRATION=FILE uses a calibration of this
# machine instead of measuring one.  README.md in this folder explains the report.  The machine should
# be idle.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
quick='' keep='' ranks=1
folder=$(mktemp -d)
: >"$folder/given"
while [ $# -gt 0 ]; do
    case $1 in
    --quick) quick=1 ;;
    --keep) keep=${2:?--keep: which folder?} && shift ;;
    --ranks) ranks=${2:?--ranks: how many?} && shift ;;
    --matrix) printf '%s\n' "${2:?--matrix: which file?}" >>"$folder/given" && shift ;;
    -*) sed -n '2,21s/^# \{0,1\}//p' "$0" >&2 && rm -rf "$folder" && exit 64 ;;
    *) break ;;
    esac
    shift
done
build=${1:-build}
if [ "$keep" ]; then
    mkdir -p "$keep"
    mv "$folder/given" "$keep/given"
    rmdir "$folder"
    folder=$(cd "$keep" && pwd)
else
    trap 'rm -rf "$folder"' EXIT
fi

missing=0
need() {
    what=$1 package=$2
    shift 2
    "$@" >/dev/null 2>&1 && return
    echo "run.sh: $what is missing; Debian has it in $package" >&2
    missing=1
}
need "node, 18 or newer" "nodejs" node -e 'process.exit(+(parseInt(process.versions.node) < 18))'
need "mpirun" "openmpi-bin" mpirun --version
for program in forerund forerun-analyze forerun-calibrate; do
    [ -x "$build/$program" ] && continue
    echo "run.sh: $build/$program is missing; make builds it" >&2
    missing=1
done
[ "$missing" -eq 0 ] || exit 1
build=$(cd "$build" && pwd)
: "${MATRICES=$root/../shared/data/matrices}" "${ORDERINGS=metis amd}" "${WINDOWS=10}" "${NRHS=1,8}"
: "${REPETITIONS=$([ "$quick" ] && echo 3 || echo 5)}" "${ROUNDS=$([ "$quick" ] && echo 1 || echo 3)}"
examples=/usr/lib/$(uname -m)-linux-gnu/superlu-dist/tests/EXAMPLE

# As calibrate.sh: as root, without ssh, in a container.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_plm_rsh_agent=/bin/true OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_btl=self,vader OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

# The largest number of --ranks.
most=$(echo "$ranks" | tr , '\n' | sort -n | tail -n 1)

# A calibration, with the network if more than one process is requested.
calibrate() {
    only=node,peak,caches,counting,sparse_kernels,sparse_fit
    [ "$most" -gt 1 ] && only=$only,message_bandwidth,variability
    mpirun --oversubscribe -n "$most" "$build/forerun-calibrate" --machine here ${quick:+--quick} \
        --only "$only" --max-message 16M --analyze "$build/forerun-analyze" \
        -o "$folder/calibration.json" 2>"$folder/calibrate.log" ||
        { cat "$folder/calibrate.log" >&2 && exit 1; }
}

# The files to use, one per line: given, found and generated.
collect() {
    cat "$folder/given"
    for file in "$MATRICES"/*.mtx "$MATRICES"/*.rua "$MATRICES"/*.gz "$examples/big.rua"; do
        [ -f "$file" ] && printf '%s\n' "$file"
    done
    node "$here/generate.mjs" ${quick:+--quick} "$folder/matrices"
}

# One factorization; appends its record to the runs, or reports the failure.
factorize() {
    file=$1 ordering=$2 processes=$3 window=$4
    if ! timeout 600 mpirun --oversubscribe -n "$processes" "$build/forerun-analyze" --factorize \
        --ordering "$ordering" --lookahead "$window" --repetitions "$REPETITIONS" --solves "$NRHS" "$file" \
        >"$folder/record" 2>"$folder/factorize.log" </dev/null; then
        echo "$(basename "$file"), $ordering, $processes, window $window: not factorized: $(head -c 300 "$folder/record" | tr '\n' ' ')"
        return 0
    fi
    node "$here/join.mjs" "$file" "$processes" "$folder/record" >>"$folder/runs.ndjson"
}

mkdir -p "$folder/matrices"
rm -f "$folder/runs.ndjson"
if [ "${CALIBRATION-}" ]; then
    cp "$CALIBRATION" "$folder/calibration.json"
else
    echo "calibrating"
    calibrate
fi
collect >"$folder/files"
for round in $(seq "$ROUNDS"); do
    echo "factorizing, round $round of $ROUNDS"
    while read -r file; do
        for ordering in $ORDERINGS; do
            for processes in $(echo "$ranks" | tr , ' '); do
                for window in $WINDOWS; do
                    factorize "$file" "$ordering" "$processes" "$window"
                done
            done
        done
    done <"$folder/files"
done

FORERUND="$build/forerund" node "$here/compare.mjs" "$folder"
# counters.c names the counters that it cannot open.
if echo "dgemm NN 64 64 64" | "$build/forerun-calibrate" --sample --metrics loads,stores,cache_misses \
    --repetitions 1 -o /dev/null 2>&1 | grep -q .; then
    echo "loads, stores and misses: this computer does not let programs count them, left out"
else
    echo "loads, stores and misses can be counted here: README.md says how to set them beside the simulated ones"
fi
