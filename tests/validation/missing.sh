#!/bin/sh
# Tests calibrations that cannot measure everything or are interrupted: their documents and messages.
#
#   tests/validation/missing.sh build/forerun-calibrate build/forerund
#
# Prints a line for each failure and "N passed, N failed"; exit status 1 if any failed.
set -u

calibrate=${1:?usage: missing.sh CALIBRATE FORERUND}
forerund=${2:?usage: missing.sh CALIBRATE FORERUND}
. "$(dirname "$0")/checks.sh"
. "$(dirname "$0")/../calibrate/computer.sh"

# said NAME PATTERN : the log of the job matches the pattern.
said() {
    grep -q -e "$2" "$folder/$1.log"
}

# job NAME RANKS OPTION... : runs the calibrator; messages go to NAME.log.
job() {
    name=$1
    ranks=$2
    shift 2
    launch "$ranks" -o "$folder/$name" "$@" 2>"$folder/$name.log"
}

check "one rank writes a document without a network" job alone.json 1 --quick \
    --only node,pingpong,message_bandwidth,contention
check "which lists what is missing" has alone.json \
    '"description": "Not measured: pingpong, message_bandwidth, contention (it needs 2 ranks or more)'
check "the messages say so, too" said alone.json 'message_bandwidth: left out, it needs 2 ranks'
check "the daemon accepts it" import alone.json
check "an odd number of ranks is possible" job odd.json 3 --quick --network-only
check "it has factors of all ranks" has odd.json '"processes": 3, "distance": 1'
check "the daemon accepts its document" import odd.json
check "a description may be given" job described.json 1 --quick --only node,pingpong \
    --description "A test"
check "it precedes the missing values" has described.json '"description": "A test. Not measured: pingpong'
nowhere() {
    launch 1 --only node,peak -o "$1" 2>"$folder/place.log"
}
for place in /proc/forerun-calibrate.json "$folder" "$folder/missing/out.json"; do
    check "an output that cannot be written, $place, is an error" refused nowhere "$place"
    check "the message has a remedy" said place 'give a path that can be written'
    check "nothing is measured before" refused said place 'benchmark'
done

# Interrupted and resumed.
large=64 repetitions=30
[ -z "$is_idle" ] || { large=2048 && repetitions=90; }
rounds="--only node,peak,dgemm,contention --sizes 16,$large --repetitions $repetitions"
check "an interrupted run has a nonzero status" refused interrupted USR1 cut.json 2 \
    -o "$folder/cut.json" --resume "$folder/cut.jobs" $rounds
check "the document says that it was interrupted" has cut.json 'Warnings: .*interrupted by SIGUSR1'
check "it lists what is missing" has cut.json 'contention (the run was interrupted)'
check "it has the finished measurements" has cut.json '"n": 16, "time_s"'
check "the daemon accepts it" import cut.json
check "no partial document is left" test ! -e "$folder/cut.json.partial"
check "the next job continues" job resumed.json 2 --resume "$folder/cut.jobs" $rounds --time-limit 3
check "it uses finished benchmarks" said resumed.json 'peak: resumed from'
check "and no others" refused said resumed.json 'dgemm: resumed'
check "its document has the old values" has resumed.json '"peak_flops_per_s"'
check "and new ones" has resumed.json '"dgemm"'
check "the daemon accepts that document" import resumed.json
check "a job with another number of rounds is refused" refused job other.json 2 --resume "$folder/cut.jobs" \
    --only node --sizes 16,$large --repetitions 3
check "the reason is reported" said other.json 'cut.jobs: of another job, give the name of a new file; it has '
check "a file of another kind is refused" refused job other.json 2 --resume "$folder/alone.json"
check "the message has a remedy" said other.json 'is not a checkpoint of forerun-calibrate; give the name of a new file'
check "a killed run ends" refused interrupted KILL killed 1 -o "$folder/killed.json" \
    --only node,peak,dgemm --sizes 16,$large --repetitions $repetitions
check "it leaves the document so far" test -e "$folder/killed.json.partial"
check "and no other" test ! -e "$folder/killed.json"
check "which says that it is unfinished" has killed.json.partial 'Unfinished: 1 benchmarks were still to come'
check "the daemon accepts that, too" import killed.json.partial

check "benchmarks of all cores are measured" job cores.json 1 --quick \
    --only memory_bandwidth,krylov_kernels,step_kernel,cnc_intra_node
for value in /memory/node_bandwidth_bytes_per_s /memory/core_bandwidth_bytes_per_s /kernels/sparse_matvec \
    /kernels/sparse_triangular_solve /kernels/sparse_ilu_solve /kernels/vector /kernels/vector_fused /cnc/step_kernel \
    /cnc/intra_node_bandwidth_bytes_per_s; do
    check "$value is measured" has_source cores.json "$value" measured '"samples": [0-9]*, "spread_fraction": '
done
check "the time of all benchmarks is foreseen" said cores.json 'krylov_kernels: benchmark 4 of 6, after [0-9]* s, [0-9]* s in all$'
plan() {
    measure 1 --kernels-only --plan >"$folder/plan"
}
check "a plan is made" plan
for bench in node peak caches streams dgemm krylov_kernels routine_models sparse_fit; do
    check "it foresees $bench" has plan "^$bench  *[0-9]*\\.[0-9][0-9]\$"
done
check "it foresees all" has plan '^not estimated:$'
check "nodes are compared" with "SLOWER=0.1 NODE_RANKS=2" job varied.json 4 --quick \
    --only variability --cores-per-node 3
if [ -z "$is_idle" ]; then # the ranks take 0.01, 0.011, 0.012 and 0.013 s
    check "each has its median" has varied.json '"variability": { "cores": 3, "processor_times": \[1, 1.1904'
    check "the source says that a core was idle" has_source varied.json /kernels/variability measured \
        'of the first node; only 2 of the 3 cores of a node were busy'
fi
check "the daemon accepts that" import varied.json
check "the kernels of solvers are measured by size" has cores.json '"working_set_bytes": '
check "the daemon accepts these" import cores.json
check "the counters of ports are written as a table" job counted.json 1 --quick \
    --only node --counters "$folder/counters.csv"
check "it has its columns" test "$(head -n 1 "$folder/counters.csv")" = \
    benchmark,rank,device,port,counter,difference
check "a table that cannot be written is an error" refused job counted.json 1 --quick --only node \
    --counters "$folder/missing/counters.csv"
check "documents of different processors are merged with a warning" sh -c "
    sed 's/\"cpu\": \"[^\"]*\"/\"cpu\": \"Another\"/' '$folder/alone.json' >'$folder/another.json'
    '$calibrate' --merge '$folder/odd.json' '$folder/another.json' 2>&1 >/dev/null |
        grep -q 'warning: document 2 has another environment.cpu'"
end
