#!/bin/sh
# Measures accuracy and cost of models of single kernels on this computer: the experiment of Peise and
# Bientinesi with dtrsm, and cheaper ways to model dgemm.
#
#   tests/validation/blocked/seed.sh [--quick] [--keep FOLDER] [dtrsm|dgemm] [BUILD]
#
#   --quick        takes seconds and only shows that the script works
#   --keep         keeps calibrations, samples and measured points in FOLDER
#   dtrsm, dgemm   one of the two studies; default both
#   BUILD          folder with forerund and forerun-calibrate; default build
#
# ONLY=TEXT selects the configurations whose names contain TEXT; TIME_LIMIT is the maximum of seconds for
# each (default 100).  README.md explains the tables.  The machine should be idle.
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

# As in calibrate.sh: allows root, and needs no ssh in a container.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_plm_rsh_agent=/bin/true OMPI_MCA_btl_vader_single_copy_mechanism=none

for study in $studies; do
    FORERUND="$build/forerund" CALIBRATE="$build/forerun-calibrate" QUICK=$quick \
        TIME_LIMIT=${TIME_LIMIT:-100} node "$here/seed.mjs" "$study" "$folder"
done
