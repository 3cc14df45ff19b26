#!/bin/sh
# How good models of single kernels are for what they cost, on this computer: the seed paper's
# experiment with dtrsm, and cheaper ways to model dgemm.
#
#   tests/validation/blocked/seed.sh [--quick] [--keep FOLDER] [dtrsm|dgemm] [BUILD]
#
#   --quick        seconds instead of minutes: to see that it works; its figures mean little
#   --keep         leaves calibrations, samples and the points measured in FOLDER
#   dtrsm, dgemm   one of the two studies; default both
#   BUILD          folder with forerund and forerun-calibrate; default build
#
# ONLY=TEXT takes the configurations whose name contains it, TIME_LIMIT the seconds that each may take
# at most (default 100).  README.md beside this file says how to read the tables.  Let the machine be idle.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
quick='' keep='' studies='dtrsm dgemm'
while [ $# -gt 0 ]; do
    case $1 in
    --quick) quick=1 ;;
    --keep) keep=${2:?--keep: which folder?} && shift ;;
    dtrsm | dgemm) studies=$1 ;;
    -*) sed -n '2,14s/^# \{0,1\}//p' "$0" >&2 && exit 64 ;;
    *) break ;;
    esac
    shift
done
build=${1:-build}

missing=0
if ! node -e 'process.exit(+(parseInt(process.versions.node) < 18))' >/dev/null 2>&1; then
    echo "seed.sh: node, 18 or newer, is missing; Debian has it in nodejs" >&2
    missing=1
fi
for program in forerund forerun-calibrate; do
    [ -x "$build/$program" ] && continue
    echo "seed.sh: $build/$program is missing; make builds it" >&2
    missing=1
done
[ "$missing" -eq 0 ] || exit 1
build=$(cd "$build" && pwd)

folder=${keep:-$(mktemp -d)}
mkdir -p "$folder"
[ "$keep" ] || trap 'rm -rf "$folder"' EXIT
folder=$(cd "$folder" && pwd)

# As calibrate.sh: as root, without ssh, in a container.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_plm_rsh_agent=/bin/true OMPI_MCA_btl_vader_single_copy_mechanism=none

for study in $studies; do
    FORERUND="$build/forerund" CALIBRATE="$build/forerun-calibrate" QUICK=$quick \
        TIME_LIMIT=${TIME_LIMIT:-100} node "$here/seed.mjs" "$study" "$folder"
done
