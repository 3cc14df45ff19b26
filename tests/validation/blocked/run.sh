#!/bin/sh
# Validates the models trinv and sylv: times blocked algorithms on this computer, predicts the times
# from models of their kernels, and ranks variants and block sizes.
#
#   tests/validation/blocked/run.sh [--quick] [--keep FOLDER] [BUILD]
#
#   --quick   takes seconds and only shows that the script works
#   --keep    keeps calibration and runs in FOLDER
#   BUILD     folder with forerund, forerun-calibrate and libforerun.a; default build
#
# Environment variables: SIZES, SYLV_SIZES, OWN_SIZES, TUNED_SIZES (orders separated by blanks; an empty
# list skips its part), BLOCK_SIZES (measured at the TUNED_SIZES), REPETITIONS, TIME_LIMIT (seconds for
# each of five sets), CALIBRATION=FILE (a calibration of this machine, which is then not measured),
# BLAS_LIBS (the libraries to link).  README.md explains the tables.  The machine should be idle.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
quick='' keep=''
while [ $# -gt 0 ]; do
    case $1 in
    --quick) quick=1 ;;
    --keep) keep=${2:?--keep: which folder?} && shift ;;
    -*) sed -n '2,16s/^# \{0,1\}//p' "$0" >&2 && exit 64 ;;
    *) break ;;
    esac
    shift
done
build=${1:-build}

missing=0
need() {
    what=$1 package=$2
    shift 2
    "$@" >/dev/null 2>&1 && return
    echo "run.sh: $what is missing; Debian has it in $package" >&2
    missing=1
}
need "a C compiler" "gcc" "${CC:-cc}" --version
need "node, 18 or newer" "nodejs" node -e 'process.exit(+(parseInt(process.versions.node) < 18))'
for program in forerund forerun-calibrate; do
    [ -x "$build/$program" ] && continue
    echo "run.sh: $build/$program is missing; make builds it" >&2
    missing=1
done
[ "$missing" -eq 0 ] || exit 1
build=$(cd "$build" && pwd)

# The blend is fitted to the odd SIZES and tested with the even ones.
if [ "$quick" ]; then
    : "${SIZES=101 150 201 250}" "${SYLV_SIZES=100 202}" "${OWN_SIZES=100 202}"
    : "${TUNED_SIZES=250 500}" "${BLOCK_SIZES=32 64 96 128}" "${REPETITIONS:=3}" "${TIME_LIMIT:=5}"
fi
: "${SIZES=101 150 201 250 301 350 401 450 501 550 601 650 701 750 801 850 901 950 1001}"
: "${SYLV_SIZES=202 333 500 666 1000}" "${OWN_SIZES=200 390 700}"
: "${TUNED_SIZES=500 1000}" "${BLOCK_SIZES=$(seq -s ' ' 8 8 256)}" "${REPETITIONS:=7}" "${TIME_LIMIT:=120}"

folder=${keep:-$(mktemp -d)}
mkdir -p "$folder/runs"
[ "$keep" ] || trap 'rm -rf "$folder"' EXIT
rm -f "$folder/runs"/*.ndjson

# As in calibrate.sh: allows root, and needs no ssh in a container.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_plm_rsh_agent=/bin/true OMPI_MCA_btl_vader_single_copy_mechanism=none

compile() {
    # shellcheck disable=SC2086
    (cd "$root" && "${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -O2 -Wall -Wextra -I. \
        -o "$folder/blocked" "$here"/*.c \
        calibrations/calibrate/blocked/unblocked.c calibrations/calibrate/blocked/sylv.c \
        calibrations/calibrate/core/blas.c calibrations/calibrate/core/sample.c calibrations/calibrate/core/value.c \
        "@$here/wrapped" "$build/libforerun.a" ${BLAS_LIBS:--lopenblas} -lm)
}

calibrate() {
    "$build/forerun-calibrate" --machine here ${quick:+--quick} --threads 1 \
        --only node,peak,routine_models --kernels trinv,sylv,sylv_own --locality in_cache,out_of_cache \
        -o "$folder/calibration.json" 2>"$folder/calibrate.log" ||
        { cat "$folder/calibrate.log" >&2 && exit 1; }
}

commas() {
    echo "$*" | tr -s ' ' ','
}

# measure SET ORDERS BLOCK_SIZES OPTION... : writes a file of runs, unless there are no orders.
measure() {
    set=$1 orders=$2 block_sizes=$3
    shift 3
    [ "$orders" ] && [ "$block_sizes" ] || return 0
    # shellcheck disable=SC2086
    "$folder/blocked" --n "$(commas $orders)" --block-size "$(commas $block_sizes)" \
        --repetitions "$REPETITIONS" --time-limit "$TIME_LIMIT" "$@" >"$folder/runs/$set.ndjson"
}

folder=$(cd "$folder" && pwd)
compile
if [ "${CALIBRATION-}" ]; then
    cp "$CALIBRATION" "$folder/calibration.json"
else
    echo "calibrating"
    calibrate
fi
echo "timing the algorithms"
measure trinv "$SIZES" 96
measure trinv-blocks "$TUNED_SIZES" "$BLOCK_SIZES"
measure sylv "$SYLV_SIZES" 96 --operation sylv
measure sylv-blocks "${TUNED_SIZES%% *}" "$BLOCK_SIZES" --operation sylv --variants 1,16
measure sylv-own "$OWN_SIZES" 96 --operation sylv --leaf own

FORERUND="$build/forerund" node "$here/compare.mjs" "$folder"
