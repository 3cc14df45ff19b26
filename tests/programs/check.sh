#!/bin/sh
# The reference programs: right results, for real and on a simulated cluster, and saved runs of both.
#
#   tests/programs/check.sh build
#
# Prints a line for each failure and "N passed, N failed"; exit status 1 if any failed.
set -u

build=$(cd "${1:?usage: check.sh BUILD}" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd)
platforms=$here/../validation/cluster/platforms
. "$here/../validation/checks.sh"
export OPENBLAS_NUM_THREADS=1

# Programs say themselves that they end well: a deadlock leaves the simulator's status at 0.
ends_well() {
    "$@" >"$folder/said" 2>&1
    status=$?
    cat "$folder/said"
    [ "$status" -eq 0 ] && grep -q ': ends well$' "$folder/said"
}

for_real() {
    ranks=$1 program=$2
    shift 2
    ends_well timeout 600 mpirun --oversubscribe -n "$ranks" "$build/programs/$program" "$@"
}

simulated() {
    ranks=$1 program=$2
    shift 2
    ends_well timeout 600 smpirun -np "$ranks" -platform "$platforms/torus.xml" \
        -hostfile "$folder/hosts" $(cat "$platforms/flags.txt") "$build/smpi/$program" "$@"
}

seq -f 't%.0f' 0 143 >"$folder/hosts"

# cases FILE C N R... : the algorithms in all variants that have C layers; Cannon has one block.
cases() {
    file=$1 c=$2 n=$3
    shift 3
    variants='25d 25d_ovlp'
    [ "$c" -gt 1 ] || variants="2d 2d_ovlp $variants"
    for variant in $variants; do
        echo "--algorithm cannon --variant $variant --n $n --replication $c"
        for algorithm in summa trsm cholesky; do
            for r in "$@"; do
                echo "--algorithm $algorithm --variant $variant --n $n --replication $c --blocks-per-process $r"
            done
        done
    done >"$folder/$file"
}

cases one 1 48 1 3
cases two 2 48 1 3
cases three 3 54 1 2
cases odd 2 36 1 3
cases odd-one 1 36 1 3
cases more 1 48 1 3
check "4 processes compute right" for_real 4 dense --verify --batch "$folder/one"
check "8 processes on 2 layers compute right" for_real 8 dense --verify --batch "$folder/two"
check "1 process computes right" for_real 1 dense --verify --batch "$folder/one"
check "9 simulated processes compute right" simulated 9 dense --verify --batch "$folder/odd-one"
check "16 simulated processes compute right" simulated 16 dense --verify --batch "$folder/more"
check "18 simulated processes on 2 layers compute right" simulated 18 dense --verify --batch "$folder/odd"
for algorithm in binomial scatter_allgather scatter_ring; do
    check "16 simulated processes broadcast right: $algorithm" \
        simulated 16 dense --verify --batch "$folder/more" --broadcast $algorithm
done
check "27 simulated processes on 3 layers compute right" simulated 27 dense --verify --batch "$folder/three"
check "32 simulated processes on 2 layers compute right" simulated 32 dense --verify --batch "$folder/two"

# What is timed becomes a line for each run, in the order asked for.
kernels='--kernel dgemm=1e-4 --kernel dtrsm=1e-4 --kernel dsyrk=1e-4 --kernel dpotrf=1e-4'
timed() {
    rm -f "$folder/runs" && "$@" $kernels -o "$folder/runs" &&
        test "$(wc -l <"$folder/runs")" -eq "$(wc -l <"$folder/two")" &&
        test "$(grep -c '^{"schema":"forerun-run-1".*"time_s":[0-9].*"breakdown":\[{.*}$' "$folder/runs")" -eq \
            "$(wc -l <"$folder/two")"
}
check "8 processes are timed" timed for_real 8 dense --batch "$folder/two"
check "8 simulated processes are timed" timed simulated 8 dense --batch "$folder/two" --repetitions 2
cp "$folder/runs" "$folder/first"
check "once more" timed simulated 8 dense --batch "$folder/two" --repetitions 2
check "the simulated times are the same again" cmp "$folder/first" "$folder/runs"
check "barriers can stand after the steps" simulated 16 dense $kernels --step-barriers -o "$folder/barriers"
check "they have their phase" grep -q '"phase":"barrier"' "$folder/barriers"

refuses() {
    remedy=$1
    shift
    ! timeout 600 smpirun -np 8 -platform "$platforms/torus.xml" -hostfile "$folder/hosts" $(cat "$platforms/flags.txt") \
        "$build/smpi/dense" "$@" >"$folder/refusal" 2>&1 && grep -q -e "$remedy" "$folder/refusal"
}

# refused REMEDY OPTION... : by 8 processes, with that in the message.
refused() {
    remedy=$1
    shift
    check "$* is refused with: $remedy" refuses "$remedy" "$@"
}
refused "that many square grids" --verify
refused "only for 25d" --verify --replication 2
refused "not a multiple of the block columns" --verify --variant 25d --replication 2 --n 63
refused "must be 1 for cannon" --verify --variant 25d --replication 2 --blocks-per-process 2
refused "give --kernel dgemm=SECONDS" --variant 25d --replication 2
refused "must be one of 2d, 2d_ovlp" --variant 3d
refused "must be one of dgemm, dtrsm" --kernel dgem=0.1
check "real processes refuse, too" sh -c "! timeout 600 mpirun -n 2 '$build/programs/dense' --variant 3d \
    >'$folder/refusal' 2>&1 && grep -q 'must be one of 2d, 2d_ovlp' '$folder/refusal'"

end
