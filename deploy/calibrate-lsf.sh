#!/bin/sh
# Calibrates four whole nodes under LSF:  MACHINE=hopper bsub <calibrate-lsf.sh
# Submit it again after an interruption: it continues where it stopped, because of --resume.
# Set -n to the nodes times ptile, and ptile to the physical cores of a node.
#BSUB -J calibrate
#BSUB -n 256
#BSUB -R "span[ptile=64]"
#BSUB -x
#BSUB -W 00:40
#BSUB -wa USR2 -wt 2
set -eu
machine=${MACHINE:?name the machine: MACHINE=hopper bsub <calibrate-lsf.sh}

# LSF sends USR2 two minutes before the end.  With exec, mpirun receives it and forwards it.
exec mpirun -n "$LSB_DJOB_NUMPROC" --bind-to core \
    forerun-calibrate --machine="$machine" --description="LSF job $LSB_JOBID" \
    --time-limit=2000 --resume="$machine.jobs" --counters="$machine.counters.csv" -o "$machine.json"
