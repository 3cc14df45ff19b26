#!/bin/sh
# A Cholesky factorization under LSF, on the nodes and with the time limit that forerun recommends:
#   MACHINE=hopper ./cholesky-lsf.sh 65536
# asks and submits this file. In the job it runs ./cholesky (replace it by your program) and stores the measured time.
set -eu

if [ -z "${LSB_JOBID:-}" ]; then
    set -a # the job gets these variables
    machine=${MACHINE:-hopper} n=${1:-65536}
    # What is submitted without an answer.
    forerun_nodes=16 forerun_processes=64 forerun_threads=6 forerun_wall_time=01:00:00
    forerun_variant=2d forerun_replication=1 forerun_blocks_per_process=1
    # The fewest nodes on which 95 of 100 runs finish within ten minutes, and the time limit that these runs keep.
    eval "$(forerun recommend --format=shell cholesky machine="$machine" n="$n" threads=$forerun_threads \
        objective=nodes deadline_s=600 quantile=0.95)" ||
        echo "cholesky: no answer; $forerun_nodes nodes are requested for $forerun_wall_time" >&2
    each=$(((forerun_processes + forerun_nodes - 1) / forerun_nodes))
    exec bsub -J "cholesky-$n" -n "$forerun_processes" -x -W "${forerun_wall_time%:*}" \
        -R "span[ptile=$each] affinity[core($forerun_threads)]" <"$0"
fi

export OMP_NUM_THREADS="$forerun_threads"
begin=$(date +%s.%N)
mpirun -n "$forerun_processes" ./cholesky --n "$n" --variant "$forerun_variant" \
    --layers "$forerun_replication" --blocks-per-process "$forerun_blocks_per_process"
end=$(date +%s.%N)

# The start of the processes is part of this time. If your program prints its own, send that.
echo "$begin $end" | awk '{ printf "%.3f\n", $2 - $1 }' |
    forerun upload-run "$machine" - format=seconds model=cholesky n="$n" processes="$forerun_processes" \
        threads="$forerun_threads" variant="$forerun_variant" replication="$forerun_replication" \
        blocks_per_process="$forerun_blocks_per_process" job="$LSB_JOBID" ||
    echo "cholesky: the time was not stored" >&2
