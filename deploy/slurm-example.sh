#!/bin/sh
# Submits a Cholesky factorization with the node count and the time limit that forerun recommends.
#   FORERUN_URL=https://forerun.example.org ./slurm-example.sh 65536
# Replace ./cholesky by your program.
set -eu
. "$(dirname "$0")/forerun.sh"
n=${1:-65536}

# The fewest nodes on which 95 of 100 runs finish within ten minutes, and the time limit that these runs keep.
# Upload the times of past runs, from which both follow: until 19 are stored, a margin of 25 % is assumed.
forerun_recommend cholesky machine=hopper "n=$n" threads=6 objective=nodes deadline_s=600 quantile=0.95
echo "$forerun_variant on $forerun_nodes nodes, $forerun_processes processes: $forerun_time_s s expected"

sbatch --nodes="$forerun_nodes" --ntasks="$forerun_processes" --cpus-per-task="$forerun_threads" \
    --time="$forerun_wall_time" <<EOF
#!/bin/sh
#SBATCH --job-name=cholesky-$n
export OMP_NUM_THREADS=$forerun_threads
srun ./cholesky --n $n --variant $forerun_variant --layers $forerun_replication \
    --blocks-per-process $forerun_blocks_per_process
EOF
