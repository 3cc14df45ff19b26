#!/bin/sh
# Runs HPL under Slurm with the HPL.dat that forerun finds best for the nodes of the job:  sbatch hpl-slurm.sh
# xhpl and HPL.dat.fallback lie in the folder of the submission, forerun(1) on the PATH. The fallback serves if there is no
# answer, so that the job is not lost.
#SBATCH --job-name=hpl
#SBATCH --nodes=4
#SBATCH --exclusive
#SBATCH --time=02:00:00
set -eu
machine=${MACHINE:-$(echo "$SLURM_CLUSTER_NAME" | tr 'A-Z' 'a-z')}

# One rank for each physical core, and the n that fills 80 % of the memory. NB= tries all block sizes, which on many nodes
# takes longer than the daemon allows.
ranks=${RANKS_PER_NODE:-$(lscpu -p=CORE,SOCKET | grep -v '^#' | sort -u | wc -l)}
set -- block_size="${NB-128}"
[ -n "${NB-128}" ] || shift
if forerun rank hpl --format=dat machine="$machine" nodes="$SLURM_JOB_NUM_NODES" ranks_per_node="$ranks" \
    memory_fraction="${MEMORY_FRACTION:-0.8}" "$@" >HPL.dat.new; then
    mv HPL.dat.new HPL.dat
else
    echo "hpl-slurm: no answer; the job runs with HPL.dat.fallback" >&2
    cp HPL.dat.fallback HPL.dat
fi

srun --ntasks-per-node="$ranks" --cpu-bind=cores "${XHPL:-./xhpl}" >HPL.out
cat HPL.out

# The result becomes a saved run, beside which later answers are shown.
forerun upload-run "$machine" HPL.out format=hpl ranks_per_node="$ranks" ||
    echo "hpl-slurm: the result was not stored" >&2
