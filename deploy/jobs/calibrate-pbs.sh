#!/bin/sh
# Calibrates a cluster under PBS: the kernels on one node at leisure, the network on all NODES in a minute or two.
#   qsub -v MACHINE=hopper calibrate-pbs.sh
#   qsub -v MACHINE=hopper,PART=network -l select=NODES:ncpus=64:mpiprocs=64 -l walltime=00:10:00 calibrate-pbs.sh
#   forerun-calibrate --merge hopper.kernels.json hopper.network.json -o hopper.json
# Submit a part again after an interruption: it continues where it stopped, because of --resume.
# Set ncpus and mpiprocs to the physical cores of a node.
#PBS -N calibrate
#PBS -l select=1:ncpus=64:mpiprocs=64
#PBS -l place=scatter:excl
#PBS -l walltime=00:40:00
set -eu
cd "$PBS_O_WORKDIR"
machine=${MACHINE:?name the machine: qsub -v MACHINE=hopper}
case ${PART:=kernels} in
kernels) limit=2000 ;;
network) limit=180 ;;
*) echo "PART is kernels or network, not $PART" >&2; exit 64 ;;
esac

# After SIGTERM from PBS little time remains, so the time limit is shorter than the job's.
mpirun -n "$(wc -l <"$PBS_NODEFILE")" --map-by core --bind-to core \
    forerun-calibrate --machine="$machine" --description="PBS job $PBS_JOBID" \
    --$PART-only --time-limit=$limit --resume="$machine.$PART.jobs" --counters="$machine.$PART.csv" -o "$machine.$PART.json"
