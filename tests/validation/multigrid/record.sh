#!/bin/sh
# Records what the levels of multigrid are and send on 1, 2, 4 and 8 ranks: a line of JSON for each.
#
#   cd tests/validation/multigrid
#   ./record.sh petsc >petsc-3.18.5.ndjson
#   ./record.sh hypre >hypre-2.26.0.ndjson
#
# Counts depend neither on the machine nor on its load.  Needs Debian's petsc-dev and libhypre-dev.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Works as root, without ssh and in a container, with more ranks than cores.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_plm_rsh_agent=/bin/true OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_btl=self,vader OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

launch() {
    ranks=$1 program=$2
    shift 2
    timeout 120 mpirun -n "$ranks" "$folder/$program" "$@" </dev/null
}

# As many ranks in each dimension as possible, the larger numbers first.
process_grid() {
    case $1-$2 in
    1-*) echo 1,1,1 ;;
    2-*) echo 2,1,1 ;;
    4-1) echo 4,1,1 ;;
    4-*) echo 2,2,1 ;;
    8-1) echo 8,1,1 ;;
    8-2) echo 4,2,1 ;;
    8-3) echo 2,2,2 ;;
    esac
}

record_petsc() {
    # shellcheck disable=SC2046
    mpicc -std=gnu17 -O1 -Wall -Wextra -o "$folder/petsc_levels" "$here/petsc_levels.c" \
        $(pkg-config --cflags --libs PETSc)
    while read -r dimensions grid stencil levels smoother sweeps; do
        for ranks in 1 2 4 8; do
            launch $ranks petsc_levels -global_grid "$grid" -stencil "$stencil" -levels "$levels" \
                -smoother "$smoother" -sweeps "$sweeps" -process_grid "$(process_grid $ranks "$dimensions")"
        done
    done <<END
3 33,33,33 star 4 chebyshev 2
3 17,33,17 box 3 jacobi 2
3 33,17,17 star 3 sor 1
2 65,33 star 3 ssor 2
2 65,65 box 4 jacobi 1
1 65 star 3 chebyshev 3
END
}

record_hypre() {
    mpicc -std=gnu17 -O1 -o "$folder/hypre_levels" "$here/hypre_levels.c" -I/usr/include/hypre -lHYPRE
    while read -r x y z points; do
        for ranks in 1 2 4 8; do
            # shellcheck disable=SC2046
            launch $ranks hypre_levels "$x" "$y" "$z" $(process_grid $ranks 3 | tr , ' ') "$points"
        done
    done <<END
24 24 24 27
32 32 32 7
48 24 12 7
END
}

record_"$1"
