#!/bin/sh
# A Cholesky factorization under PBS, on the nodes and with the time limit that forerun recommends:
#   MACHINE=hopper ./cholesky-pbs.sh 65536
# asks and submits this file. In the job it runs ./cholesky (replace it by your program) and stores the measured time.
# The job takes the token from ~/.config/forerun/token: qstat shows the variables of a job.
set -eu

if [ -z "${PBS_JOBID:-}" ]; then
    machine=${MACHINE:-hopper} n=${1:-65536}
    # What is submitted without an answer.
    forerun_nodes=16 forerun_processes=64 forerun_threads=6 forerun_wall_time=01:00:00
    forerun_variant=2d forerun_replication=1 forerun_blocks_per_process=1
    # The fewest nodes on which 95 of 100 runs finish within ten minutes, and the time limit that these runs keep.
    eval "$(forerun recommend --format=shell cholesky machine="$machine" n="$n" threads=$forerun_threads \
        objective=nodes deadline_s=600 quantile=0.95)" ||
        echo "cholesky: no answer; $forerun_nodes nodes are requested for $forerun_wall_time" >&2
    each=$(((forerun_processes + forerun_nodes - 1) / forerun_nodes))
    size="select=$forerun_nodes:ncpus=$((each * forerun_threads)):mpiprocs=$each:ompthreads=$forerun_threads"
    given="machine=$machine,n=$n,forerun_processes=$forerun_processes,forerun_threads=$forerun_threads"
    given="$given,forerun_variant=$forerun_variant,forerun_replication=$forerun_replication"
    given="$given,forerun_blocks_per_process=$forerun_blocks_per_process"
    exec qsub -N "cholesky-$n" -l "$size" -l place=scatter:excl -l walltime="$forerun_wall_time" \
        -v "$given${FORERUN_URL:+,FORERUN_URL=$FORERUN_URL}" "$0"
fi

cd "$PBS_O_WORKDIR"
export OMP_NUM_THREADS="$forerun_threads"
begin=$(date +%s.%N)
mpirun -n "$forerun_processes" ./cholesky --n "$n" --variant "$forerun_variant" \
    --layers "$forerun_replication" --blocks-per-process "$forerun_blocks_per_process"
end=$(date +%s.%N)

# The start of the processes is part of this time. If your program prints its own, send that.
echo "$begin $end" | awk '{ printf "%.3f\n", $2 - $1 }' |
    forerun upload-run "$machine" - format=seconds model=cholesky n="$n" processes="$forerun_processes" \
        threads="$forerun_threads" variant="$forerun_variant" replication="$forerun_replication" \
        blocks_per_process="$forerun_blocks_per_process" job="$PBS_JOBID" ||
    echo "cholesky: the time was not stored" >&2
