#!/bin/sh
# Calibrates four whole nodes under Slurm:  sbatch calibrate-slurm.sh
# Submitted again after an interruption it goes on where it stopped: the file of --resume knows.
#SBATCH --job-name=calibrate
#SBATCH --nodes=4
#SBATCH --exclusive
#SBATCH --time=00:40:00
#SBATCH --signal=USR1@120
set -eu
machine=${MACHINE:-$(echo "$SLURM_CLUSTER_NAME" | tr 'A-Z' 'a-z')}

# One rank for each physical core.  USR1 comes two minutes before the end, and the document is written then.
srun --ntasks-per-node="${CORES:-$(lscpu -p=CORE,SOCKET | grep -v '^#' | sort -u | wc -l)}" --cpu-bind=cores \
    forerun-calibrate --machine="$machine" --description="Slurm job $SLURM_JOB_ID" \
    --time-limit=2000 --resume="$machine.jobs" --counters="$machine.counters.csv" -o "$machine.json"
