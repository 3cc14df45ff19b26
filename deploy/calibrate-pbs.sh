#!/bin/sh
# Calibrates four whole nodes under PBS:  qsub -v MACHINE=hopper calibrate-pbs.sh
# Submit it again after an interruption: it continues where it stopped, because of --resume.
# Set ncpus and mpiprocs to the physical cores of a node.
#PBS -N calibrate
#PBS -l select=4:ncpus=64:mpiprocs=64
#PBS -l place=scatter:excl
#PBS -l walltime=00:40:00
set -eu
cd "$PBS_O_WORKDIR"
machine=${MACHINE:?name the machine: qsub -v MACHINE=hopper}

# After SIGTERM from PBS little time remains, so the time limit is shorter than the job's.
mpirun -n "$(wc -l <"$PBS_NODEFILE")" --map-by core --bind-to core \
    forerun-calibrate --machine="$machine" --description="PBS job $PBS_JOBID" \
    --time-limit=2000 --resume="$machine.jobs" --counters="$machine.counters.csv" -o "$machine.json"
