#!/bin/sh
# EpilogSlurmctld of Slurm: stores the time of a job whose comment says what it computes.
#     sbatch --comment="forerun cholesky machine=hopper variant=2d n=65536 processes=64 threads=6" job.sh
# slurm.conf names this file: EpilogSlurmctld=/usr/local/share/forerun/deploy/jobs/epilog-slurm.sh
# The job's step is the run; where it has several, the comment says which, as step=NAME or step=NUMBER. The daemon is FORERUN_URL in
# the environment of slurmctld; the token is in FORERUN_TOKEN_FILE, which only slurmctld's user can read. What happens is in the
# system's log.
set -euf
PATH=${PATH:-/usr/local/bin:/usr/bin:/bin} # Slurm sets none

# Word splitting without file names (-f) is wanted here.
set -- ${SLURM_JOB_COMMENT:-}
[ "${1:-}" = forerun ] && [ $# -ge 2 ] || exit 0
model=$2
shift 2
machine=
left=$#
while [ "$left" -gt 0 ]; do
    pair=$1
    shift
    left=$((left - 1))
    case $pair in
    machine=*) machine=${pair#*=} ;;
    # These belong to a question, not to a run.
    quantile=* | margin_percent=* | calibration=*) ;;
    # An option could name another daemon, or a file of this user.
    -*) exit 0 ;;
    *) set -- "$@" "$pair" ;;
    esac
done
case $machine in
'' | -*) exit 0 ;;
esac

# Accounting names a task of an array by the array.
job=$SLURM_JOB_ID
[ -z "${SLURM_ARRAY_JOB_ID:-}" ] || job=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID

is_accounted() {
    case $table in
    *'|PENDING|'* | *'|RUNNING|'* | *'|COMPLETING|'*) return 1 ;;
    *"$job|"*) return 0 ;;
    *) return 1 ;;
    esac
}

{
    # Accounting learns of the end of a job some seconds after Slurm.
    tries=10
    while
        table=$(SLURM_TIME_FORMAT=%FT%T%z sacct --jobs="$job" --parsable2 --format=JobID,JobName,State,ElapsedRaw,NNodes,NTasks,Start)
        tries=$((tries - 1))
        ! is_accounted && [ "$tries" -gt 0 ]
    do
        sleep "${FORERUN_PAUSE_S:-3}"
    done
    printf '%s\n' "$table" | forerun upload-run "$machine" - format=sacct model="$model" "$@" || :
} 2>&1 | logger -t "forerun-epilog[$job]"
