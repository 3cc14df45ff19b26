#!/bin/sh
# Calibrates four whole nodes under Slurm:  sbatch calibrate-slurm.sh
# Submit it again after an interruption: it continues where it stopped, because of --resume.
#SBATCH --job-name=calibrate
#SBATCH --nodes=4
#SBATCH --exclusive
#SBATCH --time=00:40:00
#SBATCH --signal=USR1@120
set -eu
machine=${MACHINE:-$(echo "$SLURM_CLUSTER_NAME" | tr 'A-Z' 'a-z')}

# One rank for each physical core.  Slurm sends USR1 two minutes before the end; the document is then written.
srun --ntasks-per-node="${CORES:-$(lscpu -p=CORE,SOCKET | grep -v '^#' | sort -u | wc -l)}" --cpu-bind=cores \
    forerun-calibrate --machine="$machine" --description="Slurm job $SLURM_JOB_ID" \
    --time-limit=2000 --resume="$machine.jobs" --counters="$machine.counters.csv" -o "$machine.json"
