#!/bin/sh
# The recipes for Spack and EasyBuild, without these two: the make commands that a recipe asks for, in a clean root with
# no more than MPI, a BLAS with LAPACK and zlib, build and install a calibrator that measures.  As root.
#   tests/packages/recipes.sh TARBALL ROOTS
set -eu
archive=$1
root=$2/recipes
cd "$(dirname "$0")/../.."
name=$(basename "$archive" .tar.gz)
rm -rf --one-file-system "${root:?}"
tests/packages/root.sh "$root" 'apt-get update -qq
    apt-get install -y -qq --no-install-recommends gcc libc6-dev make libopenmpi-dev openmpi-bin libopenblas-dev zlib1g-dev python3 >/log 2>&1 ||
        { tail -n 20 /log >&2; exit 1; }
    mkdir -p /src'
for recipe in spack easybuild; do
    mkdir "$root/src/$recipe"
    tar -C "$root/src/$recipe" --strip-components=1 -xzf "$archive"
    # shellcheck disable=SC2016 # the shell in the root expands
    tests/packages/root.sh --offline "$root" "recipe=$recipe"'
        cd "/src/$recipe"
        export MPICC=mpicc LIBLAPACK="-llapack -lblas"
        python3 tests/packages/recipe.py "$recipe" "/opt/$recipe" >commands
        while read -r command; do
            sh -euc "$command" >>log 2>&1 || { tail -n 20 log >&2; exit 1; }
        done <commands
        installed=$(cd "/opt/$recipe" && find . -type f | sort | tr "\n" " ")
        [ "$installed" = "./bin/forerun-calibrate ./share/man/man1/forerun-calibrate.1 " ] || { echo "$recipe: installed $installed" >&2; exit 1; }
        export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OPENBLAS_NUM_THREADS=1
        mpirun --oversubscribe -n 2 "/opt/$recipe/bin/forerun-calibrate" --machine=here --only=peak -o here.json >>log 2>&1 ||
            { tail -n 20 log >&2; exit 1; }
        grep -q peak_flops_per_s here.json'
    echo "recipes: $recipe builds and installs $name"
done
