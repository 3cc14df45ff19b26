#!/bin/sh
# Calibrates a cluster under LSF: the kernels on one node at leisure, the network on all nodes in a minute or two.
#   MACHINE=hopper bsub <calibrate-lsf.sh
#   MACHINE=hopper PART=network bsub -n PROCESSES -W 10 <calibrate-lsf.sh
#   forerun-calibrate --merge hopper.kernels.json hopper.network.json -o hopper.json
# Submit a part again after an interruption: it continues where it stopped, because of --resume.
# Set -n to the nodes times ptile, and ptile to the physical cores of a node.
#BSUB -J calibrate
#BSUB -n 64
#BSUB -R "span[ptile=64]"
#BSUB -x
#BSUB -W 00:40
#BSUB -wa USR2 -wt 2
set -eu
machine=${MACHINE:?name the machine: MACHINE=hopper bsub <calibrate-lsf.sh}
case ${PART:=kernels} in
kernels) limit=2000 ;;
network) limit=180 ;;
*) echo "PART is kernels or network, not $PART" >&2; exit 64 ;;
esac

# LSF sends USR2 two minutes before the end.  With exec, mpirun receives it and forwards it.
exec mpirun -n "$LSB_DJOB_NUMPROC" --bind-to core \
    forerun-calibrate --machine="$machine" --description="LSF job $LSB_JOBID" \
    --$PART-only --time-limit=$limit --resume="$machine.$PART.jobs" --counters="$machine.$PART.csv" -o "$machine.$PART.json"
