#!/bin/bash
# Part of run.sh: the speed of sparse LU predictions, alone and relative to the real factorization.

# Sparse LU: counts, clocks, memory.
measure_sparse() {
    local name value aim unit
    say "sparse LU"
    "$build/tests/bench/sparse" >"$work/sparse"
    while read -r name value; do
        aim='' unit=''
        case $name in
        *_window_*_updates_per_s) unit=1/s ;;
        *_p1_updates_per_s) aim='>=10000000' unit=1/s ;;
        *_p64_updates_per_s) aim='>=5000000' unit=1/s ;;
        *_walk_s) unit=s ;;
        *_bytes_of_aim) aim='<1' unit=ratio ;;
        esac
        report "$name" "$value" "$unit" "$aim"
    done <"$work/sparse"
}

# Writes a 7-point grid of 37^3 points as a Matrix Market file.
make_cube() {
    awk -v m=37 'function put(x, y, z, column) {
            if (x >= 0 && x < m && y >= 0 && y < m && z >= 0 && z < m)
                print 1 + x + m * (y + m * z), column, -1
        }
        BEGIN {
            print "%%MatrixMarket matrix coordinate real general"
            print m ^ 3, m ^ 3, m ^ 3 + 6 * m ^ 2 * (m - 1)
            for (z = 0; z < m; z++) for (y = 0; y < m; y++) for (x = 0; x < m; x++) {
                column = 1 + x + m * (y + m * z)
                print column, column, 7
                put(x - 1, y, z, column); put(x + 1, y, z, column); put(x, y - 1, z, column)
                put(x, y + 1, z, column); put(x, y, z - 1, column); put(x, y, z + 1, column)
            }
        }'
}
# NAME: prints the number with this name from the records of forerun-analyze.
recorded() { grep -aom1 "\"$1\":[0-9.e+-]*" "$work/records" | cut -d: -f2; }

least() { printf '%s\n' "$@" | sort -g | head -n 1; }

# Sparse LU relative to METIS, symbfact and the factorization on one core.  The minimum of several
# times is the one with the least disturbance by other programs.
measure_sparse_real() {
    local analyze=$build/forerun-analyze name value begun times whole=() alone=()
    if [ ! -x "$analyze" ]; then
        say "sparse LU beside SuperLU_DIST: not measured, it is not installed"
        return 0
    fi
    say "sparse LU beside SuperLU_DIST"
    make_cube >"$work/cube.mtx"
    for _ in $(seq "$rounds"); do
        begun=$EPOCHREALTIME
        "$analyze" --ordering metis "$work/cube.mtx" >"$work/records" 2>>"$work/log"
        whole+=("$(elapsed_s "$begun" "$EPOCHREALTIME")")
        alone+=("$(calculate "$(recorded ordering_s) + $(recorded symbolic_s)")")
    done
    report sparse_cube_analysis_s "$(least "${whole[@]}")" s
    report sparse_cube_metis_symbfact_s "$(least "${alone[@]}")" s
    report sparse_cube_analysis_by_metis_symbfact \
        "$(calculate "$(least "${whole[@]}") / $(least "${alone[@]}")")" ratio '<1.3'
    "$build/tests/bench/sparse" cube <"$work/records" >"$work/sparse"
    while read -r name value; do
        report "$name" "$value" "$(case $name in *_s) echo s ;; esac)"
    done <"$work/sparse"
    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 "$analyze" --factorize --ordering metis \
        "$work/cube.mtx" >"$work/records" 2>>"$work/log"
    times=$(grep -ao '"factorization_s":\[[^]]*' "$work/records" | cut -d'[' -f2 | tr ',' ' ')
    # shellcheck disable=SC2086 # a list of times
    value=$(least $times)
    report sparse_cube_factorization_s "$value" s
    report sparse_cube_p64_simulation_by_factorization \
        "$(calculate "$(awk '$1 ~ /_simulation_s$/ {print $2}' "$work/sparse") / $value")" ratio '<0.15'
}

# A partition of a matrix of 10 million entries, without the time to make the matrix.
measure_partition() {
    local by times=()
    [ -x "$build/forerun-analyze" ] || return 0
    say "a partition of 10 million entries among 1024 processes"
    for by in contiguous metis; do
        times=()
        for _ in $(seq "$rounds"); do
            "$build/forerun-analyze" --partition 1024 --by "$by" --generate cd3d:113,113,113,1 \
                >"$work/records" 2>>"$work/log"
            times+=("$(calculate "$(recorded owners_s) + $(recorded messages_s)")")
        done
        report "partition_${by}_s" "$(least "${times[@]}")" s '<5'
    done
}
