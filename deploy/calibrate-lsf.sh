#!/bin/sh
# Calibrates four whole nodes under LSF:  MACHINE=hopper bsub <calibrate-lsf.sh
# Submitted again after an interruption it goes on where it stopped: the file of --resume knows.
# Set -n to the nodes times ptile, and ptile to the physical cores of a node.
#BSUB -J calibrate
#BSUB -n 256
#BSUB -R "span[ptile=64]"
#BSUB -x
#BSUB -W 00:40
#BSUB -wa USR2 -wt 2
set -eu
machine=${MACHINE:?name the machine: MACHINE=hopper bsub <calibrate-lsf.sh}

# USR2 comes two minutes before the end; exec, so that it comes to mpirun, which hands it on.
exec mpirun -n "$LSB_DJOB_NUMPROC" --bind-to core \
    forerun-calibrate --machine="$machine" --description="LSF job $LSB_JOBID" \
    --time-limit=2000 --resume="$machine.jobs" --counters="$machine.counters.csv" -o "$machine.json"
