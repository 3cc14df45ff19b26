#!/bin/sh
# Records what PETSc's solvers do on 1, 2, 4 and 8 ranks: a line of JSON for each solve, of counts.c.
#
#   tests/validation/krylov_counts/record.sh >tests/validation/krylov_counts/petsc-3.18.5.ndjson
#
# Counts depend neither on the machine nor on its load.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Works as root, without ssh and in a container, with more ranks than cores.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_plm_rsh_agent=/bin/true OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_btl=self,vader OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

# shellcheck disable=SC2046
mpicc -std=gnu17 -I"$here/../../.." -O2 -Wall -Wextra -o "$folder/counts" "$here/counts.c" "$here/calls.c" \
    $(pkg-config --cflags --libs PETSc) -lm

# A method in PETSc's words, with the natural norm of the CG family.
solver_options() {
    case $1 in
    pcg) echo -ksp_type cg -ksp_norm_type natural ;;
    sapcg) echo -ksp_type cg -ksp_norm_type natural -ksp_cg_single_reduction ;;
    nbpcg) echo -ksp_type groppcg -ksp_norm_type natural ;;
    pipecg) echo -ksp_type pipecg -ksp_norm_type natural ;;
    pipe2cg) echo -ksp_type pipecg2 -ksp_norm_type natural ;;
    gmres | fgmres | pgmres) echo -ksp_type "$1" -ksp_gmres_restart 4 ;;
    *) echo -ksp_type "$1" ;;
    esac
}

preconditioner_options() {
    case $1 in
    icc | ilu) echo -pc_type bjacobi -sub_ksp_type preonly -sub_pc_type "$1" ;;
    *) echo -pc_type "$1" ;;
    esac
}

# The names are forerun's.
for solver in pcg sapcg nbpcg pipecg pipe2cg cr pipecr minres bcgs ibcgs pipebcgs gmres fgmres pgmres; do
    for preconditioner in none jacobi icc ilu; do
        echo "-solver $solver -preconditioner $preconditioner $(solver_options "$solver")" \
            "$(preconditioner_options "$preconditioner") -global_grid 9,8 -stencil star"
    done
done >"$folder/solves"
for stencil in star box; do
    for grid in "64 -dof 3" "16,8 -dof 2" "8,8,12"; do
        echo "-solver pcg -preconditioner jacobi $(solver_options pcg) -pc_type jacobi" \
            "-stencil $stencil -global_grid $grid"
    done
done >>"$folder/solves"

for ranks in 1 2 4 8; do
    timeout 300 mpirun -n "$ranks" "$folder/counts" "$folder/solves" </dev/null
done
