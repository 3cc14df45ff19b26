#!/bin/sh
# Calibrates a cluster under Slurm: the kernels on one node at leisure, the network on all NODES in a minute or two.
#   MACHINE=hopper sbatch calibrate-slurm.sh
#   MACHINE=hopper PART=network sbatch --nodes=NODES --time=00:10:00 calibrate-slurm.sh
#   forerun-calibrate --merge hopper.kernels.json hopper.network.json -o hopper.json
# Submit a part again after an interruption: it continues where it stopped, because of --resume.
#SBATCH --job-name=calibrate
#SBATCH --nodes=1
#SBATCH --exclusive
#SBATCH --time=00:40:00
#SBATCH --signal=USR1@120
set -eu
machine=${MACHINE:-$(echo "$SLURM_CLUSTER_NAME" | tr 'A-Z' 'a-z')}
case ${PART:=kernels} in
kernels) limit=2000 ;;
network) limit=180 ;;
*) echo "PART is kernels or network, not $PART" >&2; exit 64 ;;
esac

# One rank for each physical core.  Slurm sends USR1 two minutes before the end; the document is then written.
srun --ntasks-per-node="${CORES:-$(lscpu -p=CORE,SOCKET | grep -v '^#' | sort -u | wc -l)}" --cpu-bind=cores \
    forerun-calibrate --machine="$machine" --description="Slurm job $SLURM_JOB_ID" \
    --$PART-only --time-limit=$limit --resume="$machine.$PART.jobs" --counters="$machine.$PART.csv" -o "$machine.$PART.json"
