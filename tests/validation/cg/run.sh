#!/bin/sh
# Validates the model cg: PETSc solves the 27-point Poisson problem, forerun predicts the times.
#
#   tests/validation/cg/run.sh [--quick] [--petsc] [--keep FOLDER] [BUILD]
#
#   --quick   seconds instead of five minutes: a functional check without meaningful figures
#   --petsc   uploads the logs of PETSc (-log_view, CSV) instead of the documents of poisson27
#   --keep    keeps calibration, runs and logs in FOLDER
#   BUILD     folder with forerund and forerun-calibrate; default build
#
# The environment selects cases: GRIDS="20 32", RANKS="1 2", SOLVERS="pcg pipecg", ITERATIONS,
# REPETITIONS (solves of a launch), LAUNCHES (of each set).  README.md describes the measurement and the
# tables.  The machine must be idle.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
quick='' upload=json keep=''
while [ $# -gt 0 ]; do
    case $1 in
    --quick) quick=1 ;;
    --petsc) upload=petsc ;;
    --keep) keep=${2:?--keep needs a folder} && shift ;;
    -*) sed -n '2,13s/^# \{0,1\}//p' "$0" >&2 && exit 64 ;;
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
need "MPI's compiler" "libopenmpi-dev" mpicc --version
need "mpirun" "openmpi-bin" mpirun --version
need "PETSc" "petsc-dev" pkg-config --exists PETSc
need "node, 18 or newer" "nodejs" node -e 'process.exit(+(parseInt(process.versions.node) < 18))'
for program in forerund forerun-calibrate; do
    [ -x "$build/$program" ] && continue
    echo "run.sh: $build/$program is missing; make builds it" >&2
    missing=1
done
[ "$missing" -eq 0 ] || exit 1
build=$(cd "$build" && pwd)

if [ "$quick" ]; then
    : "${GRIDS:=20}" "${REPETITIONS:=3}" "${LAUNCHES:=1}"
fi
: "${GRIDS:=20 32 48 64}" "${REPETITIONS:=5}" "${LAUNCHES:=2}"
: "${RANKS:=1 2}" "${SOLVERS:=pcg sapcg nbpcg pipecg pipe2cg}" "${ITERATIONS:=40}"

folder=${keep:-$(mktemp -d)}
mkdir -p "$folder/given" "$folder/held"
[ "$keep" ] || trap 'rm -rf "$folder"' EXIT

# As in calibrate.sh: works as root, without ssh and in a container; the same for both programs.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_plm_rsh_agent=/bin/true OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_btl=self,vader
# The model describes solvers without threads.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

launch() {
    ranks=$1
    shift
    timeout 300 mpirun --bind-to core -n "$ranks" "$@" </dev/null
}

compile() {
    target=$1
    shift
    # shellcheck disable=SC2046
    mpicc -std=gnu17 -I"$here/../../.." -O2 -Wall -Wextra -o "$folder/$target" "$@" $(pkg-config --cflags --libs PETSc) -lm
}
compile poisson27 "$here/poisson27.c" "$here/stamps.c" "$here/run.c" "$here/waits.c"
compile triad "$here/triad.c"

most=$(for ranks in $RANKS; do echo "$ranks"; done | sort -n | tail -n 1)
echo "calibrating with $most ranks"
launch "$most" "$build/forerun-calibrate" --machine here ${quick:+--quick} \
    --only node,peak,pingpong -o "$folder/calibration.json" 2>"$folder/calibrate.log" ||
    { cat "$folder/calibrate.log" >&2 && exit 1; }
if ! grep -q '"memory":' "$folder/calibration.json"; then
    launch "$most" "$folder/triad" here >"$folder/memory.json"
    mv "$folder/calibration.json" "$folder/network.json"
    "$build/forerun-calibrate" --merge "$folder/network.json" "$folder/memory.json" \
        -o "$folder/calibration.json"
fi

# Alternate the sets, so that both see the same noise of the machine.
for number in $(seq "$LAUNCHES"); do
    for grid in $GRIDS; do
        for ranks in $RANKS; do
            for solver in $SOLVERS; do
                for set in given held; do
                    name=$folder/$set/$solver-$ranks-$grid-$number
                    rm -f "$name.ndjson"
                    launch "$ranks" "$folder/poisson27" -solver "$solver" \
                        -local_grid "$grid,$grid,$grid" -iterations "$ITERATIONS" \
                        -repetitions "$REPETITIONS" -runs "$name.ndjson" \
                        -log_view ":$name.csv:ascii_csv" >"$name.txt"
                    [ "$set" = held ] || tail -n 1 "$name.txt"
                done
            done
        done
    done
done

FORERUND="$build/forerund" node "$here/compare.mjs" "$folder" "$upload"
