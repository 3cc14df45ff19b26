#!/bin/sh
# The calibrator end to end: a quick run under mpirun, and whether the daemon takes its document.
#
#   tests/validation/calibrate.sh build/forerun-calibrate build/forerund
#
# Prints a line for each failure and "N passed, N failed"; exit status 1 if any failed.
set -u

calibrate=${1:?usage: calibrate.sh CALIBRATE FORERUND}
forerund=${2:?usage: calibrate.sh CALIBRATE FORERUND}
. "$(dirname "$0")/checks.sh"

check "the version is told" "$calibrate" --version
check "the benchmarks are listed without MPI" sh -c "'$calibrate' --list | grep -q '^pingpong'"
check "an unknown option is refused" ends_with_status 64 "$calibrate" --no-such-option
check "a bad size is refused" ends_with_status 64 "$calibrate" --sizes 16,x
check "an unknown benchmark is refused" ends_with_status 64 "$calibrate" --only dgemm,nothing
check "a machine's name must be one" ends_with_status 64 "$calibrate" --machine 'My Machine'

# sample NAME TEXT OPTION... : samples the calls of a text without MPI.
sample() {
    name=$1
    printf "$2" >"$folder/$name.calls"
    shift 2
    "$calibrate" --sample "$folder/$name.calls" --repetitions 5 -o "$folder/$name.csv" "$@"
}

sample_with_faults() {
    ! sample faults "$@" 2>"$folder/faults.err" && ! test -e "$folder/faults.csv"
}

calls='# two forms\n\ndtrsm LLNN 100 200 -1\n(dgemm,N,N,8,16,24,1.0,192,30,384,40,1.0,128,50)\nsylv4_unb 16 8\n'
check "calls are sampled" sample calls "$calls"
check "the table has its columns" test "$(head -n 1 "$folder/calls.csv")" = \
    call,min_s,median_s,mean_s,max_s,std_s,repetitions
check "a line for each call" test "$(wc -l <"$folder/calls.csv")" -eq 4
check "a call is told as it was written" has calls.csv '^dtrsm LLNN 100 200 -1,[0-9.e-]*,'
check "a tuple is quoted" has calls.csv '^"(dgemm,N,N,8,16,24,1.0,192,30,384,40,1.0,128,50)",[0-9]'
check "standard input is read" sh -c "echo dpotrf L 64 | '$calibrate' --sample | grep -q '^dpotrf L 64,'"
check "cold calls are sampled" sample cold "$calls" --cold --tolerance 0
check "without a tolerance none is left out" has cold.csv '^dtrsm .*,5$'
check "metrics are sampled, or said to be missing" sample metrics "$calls" \
    --metrics seconds,ticks,instructions
check "metrics have columns" has metrics.csv ',repetitions,ticks,instructions$'
check "lines that are no calls are refused" sample_with_faults 'dpotrf L 8\ndpotrf X 8\n\nnothing\n'
check "they are told by number" has faults.err 'line 2: "dpotrf X 8": flag uplo'
check "all of them" has faults.err 'line 4: "nothing": nothing is not a known routine'
check "a file without calls is refused" sample_with_faults '# none\n'
check "an unknown metric is refused" ends_with_status 64 sample metrics "$calls" --metrics joules
check "two counts of threads are refused" ends_with_status 64 sample calls "$calls" --threads 1,2
check "a line with a NUL is refused, the next one is read" sample_with_faults 'dpotrf L 8\n\000\000x\nnothing\n'
check "the NUL is told" has faults.err 'line 2: "": contains a NUL'
check "the line after it, too" has faults.err 'line 3: "nothing": nothing is not a known routine'
check "a long line is refused, the next one is read" sample_with_faults "%0500d\nnothing\n"
check "it is told to be long" has faults.err 'line 1: "0*": too long'
check "and the one after it" has faults.err 'line 2: "nothing"'
check "a long and flat call needs little memory" sh -c "ulimit -t 60
    echo dgemm NN 8 8 20000 | '$calibrate' --sample --repetitions 3 | grep -q '^dgemm NN 8 8 20000,'"
check "a FIFO is written to" sh -c "mkfifo '$folder/fifo'; timeout 20 cat '$folder/fifo' >'$folder/from-fifo' &
    echo dpotrf L 8 | '$calibrate' --sample -o '$folder/fifo'; wait; test -p '$folder/fifo'"
check "what was written came out" has from-fifo '^dpotrf L 8,'
ln -s linked "$folder/link"
check "a link is followed" sh -c "echo dpotrf L 8 | '$calibrate' --sample -o '$folder/link'"
check "it is one still" test -L "$folder/link"
check "its target was written" has linked '^dpotrf L 8,'
check "--cold needs --sample" ends_with_status 64 "$calibrate" --cold
check "too many threads are refused" refused sample calls "$calls" --threads 100000

check "a quick run ends well" measure 2 -o "$folder/whole.json"
for member in schema machine created_at tool environment node network contention kernels sources; do
    check "the document has $member" has whole.json "^  \"$member\":"
done
for routine in dgemm dtrsm dsyrk dpotrf; do
    check "$routine is measured" has whole.json "\"/kernels/$routine/square\": \"measured: "
done
check "the ping-pong is measured" has whole.json '"/network/protocols": "measured: '
check "the contention is measured" has whole.json '"/contention": "measured: '
check "nothing is not a number" lacks whole.json ': *-\{0,1\}\(nan\|inf\)'
check "the name of this host is not told" lacks whole.json "\"$(uname -n)\""
check "no temporary file is left" test "$(ls "$folder" | grep -c 'whole.json\.')" -eq 0
check "the daemon takes the document" import whole.json

check "four ranks make a grid" measure 4 --only patterns,burst --grids 4,4:4 -o "$folder/grids.json"
check "its patterns are measured" has grids.json '"/contention/patterns": "measured: '
check "with all of its layers" counts grids.json '"pattern": "reduce_layers"' 3
check "the daemon takes them" import grids.json
check "one-sided transfers are measured" measure 2 --only contention --transfer put -o "$folder/put.json"
check "they say so" has put.json '"/network/protocols": "measured: one-sided, one MPI_Put'
check "the daemon takes them, too" import put.json
check "times that cannot be written are refused" refused measure 2 --only contention --times "$folder/no/t.csv"
cp "$folder/out" "$folder/refusal"
check "it is said why" has refusal 'contention: --times .*t.csv: No such file'
check "a run of the network alone ends well" measure 2 --network-only -o "$folder/network.json"
check "it has no kernels" lacks network.json '"kernels"'
check "a run of the kernels alone ends well" measure 1 --kernels-only -o "$folder/kernels.json"
check "it has no network" lacks kernels.json '"network"'
check "both are combined" "$calibrate" --merge "$folder/kernels.json" "$folder/network.json" \
    -o "$folder/merged.json"
check "the combination has the kernels" has merged.json '"dgemm"'
check "the combination has the network" has merged.json '"protocols"'
check "the combination has the sources of both" has merged.json '"/node/peak_flops_per_s"'
check "the daemon takes the combination" import merged.json
sed 's/"test-machine"/"other-machine"/' "$folder/network.json" >"$folder/other.json"
check "documents of two machines are not combined" refused "$calibrate" --merge \
    "$folder/kernels.json" "$folder/other.json"

check "a run without time ends well" measure 2 --time-limit 0.001 -o "$folder/late.json"
check "the daemon takes what it had time for" import late.json
check "a stated peak is said to be stated" measure 1 --only peak --peak-flops-per-s 1e12 \
    -o "$folder/peak.json"
check "it stands in the document" has peak.json '"peak_flops_per_s": 1000000000000'
check "its source says so" has peak.json 'published: given on the command line'
check "a folder that is not there is an error" refused measure 1 --only node \
    -o "$folder/missing/out.json"

# model NAME OPTION... : routine models without mpirun; what is said goes to NAME.log.
model() {
    name=$1
    shift
    timeout 120 "$calibrate" --quick --machine test-machine --only routine_models "$@" \
        -o "$folder/$name" 2>"$folder/$name.log"
}

samples="$folder/samples.csv"
check "routine_models is listed" sh -c "'$calibrate' --list | grep -q '^routine_models '"
check "routine models are built, their samples kept" model models.json --samples "$samples"
check "the daemon takes them" import models.json
check "a model for each kernel of trinv and sylv" counts models.json '"kind": "routine_model"' 9
check "it is said how they were measured" has models.json '"/kernels/routine_models": "measured: '
check "each is told with its executions" counts models.json.log ' samples, [1-9][0-9]* executions' 9
check "the samples are a table" test "$(head -n 1 "$samples")" = \
    call,locality,threads,min_s,median_s,mean_s,max_s,std_s
cp "$samples" "$folder/before.csv"
check "routine models are built from samples" model again.json --samples "$samples"
check "nothing is measured twice" cmp "$samples" "$folder/before.csv"
check "and said not to be" counts again.json.log ' samples, 0 executions' 9
check "from the same samples come the same regions" test \
    "$(grep -c '"error":' "$folder/again.json")" -eq "$(grep -c '"error":' "$folder/models.json")"
check "the daemon takes these, too" import again.json
head -n 100 "$folder/before.csv" | head -c -9 >"$samples"
check "an interrupted calibration goes on" model resumed.json --samples "$samples"
check "what was there is not measured again" counts resumed.json.log 'trinv._unb.* samples, 0 executions' 4
check "what was missing is" has resumed.json.log 'dgemm NN.* [1-9][0-9]* executions'
cp "$samples" "$folder/before.csv"
check "and is then complete" model resumed.json --samples "$samples"
check "whatever line was cut" cmp "$samples" "$folder/before.csv"
check "the samples of one locality are not the other's" model cold.json --samples "$samples" \
    --locality in_cache,out_of_cache
check "both localities are in the document" counts cold.json '"locality": "out_of_cache"' 9
check "in cache, too" counts cold.json '"locality": "in_cache"' 9
check "only the new locality was measured" lacks cold.json.log 'in cache, .* [1-9][0-9]* executions'
check "the daemon takes both" import cold.json
check "models of half a second for the largest sizes end" model late-models.json --model-time 0.5 \
    --model-size 2048 --model-block 512
check "they say so" has late-models.json 'the time limit did not allow all"'
check "the daemon takes the best that there was time for" import late-models.json
if [ "$(nproc)" -ge 2 ]; then
    check "routine models on two counts of threads" model threads.json --threads 1,2 --kernels trinv1_unb,sylv
    check "they are in the document" counts threads.json '"threads": 2,' 3
    check "the daemon takes them all" import threads.json
fi
check "more threads than cores are left out" model many.json --threads 1,4096 --kernels trinv1_unb
check "it is said" has many.json.log 'routine_models: 4096 threads skipped'
check "expansion builds them, too" model expanded.json --strategy model_expansion --s-ini 32 \
    --direction away_from_origin --kernels dtrsm:LLNN --absolute --measure max --reference min
check "the document says how" has expanded.json '"direction": "away_from_origin"'
check "the daemon takes what expansion built" import expanded.json
check "sizes may be oversampled differently" model sparse.json --oversampling 2,2,1 --kernels sylv
check "the daemon takes them" import sparse.json
check "a file that has no samples is refused" ends_with_status 1 model no-samples.json \
    --samples "$folder/models.json"
check "it is said" has no-samples.json.log \
    'routine_models: .*models.json: is not a file of samples; give the name of a new file'
check "before anything is measured" test ! -e "$folder/no-samples.json"
check "a folder is no file of samples" ends_with_status 1 model no-samples.json --samples "$folder"
check "nor is one in a folder that is not there" ends_with_status 1 model no-samples.json \
    --samples "$folder/missing/samples.csv"
check "it is said why" has no-samples.json.log 'No such file or directory; a file that can be written'
printf 'call,locality,thr' >"$folder/cut.csv"
check "a file of samples cut in its first line is begun anew" model cut.json \
    --samples "$folder/cut.csv" --kernels trinv1_unb
check "it is one" test "$(head -n 1 "$folder/cut.csv")" = "$(head -n 1 "$samples")"
check "it has samples" has cut.csv '^trinv1_unb [0-9]*,in_cache,1,'
check "a model tells how long it took" has cut.json '"seconds":'
check "not where it took over samples" lacks again.json '"seconds":'
# A limit to the size of files stands for a full disk; MPI makes files of megabytes for itself.
{ head -n 1 "$samples" && head -c $((33000 * 512 - 2000)) /dev/zero | tr '\0' '\n'; } >"$folder/limited.csv"
check "samples that cannot be kept are an error" ends_with_status 1 sh -c "ulimit -f 33000; trap '' XFSZ
    exec '$calibrate' --quick --machine test-machine --only routine_models --kernels trinv1_unb,dgemm:NN \
    --samples '$folder/limited.csv' -o - >'$folder/limited.json' 2>'$folder/limited.log'"
check "it is said once" counts limited.log '--samples: .*limited.csv: File too large; further samples are not saved' 1
check "the models are made all the same" counts limited.json '"routine_model"' 2

# sparse NAME OPTION... : what sparse LU needs; what is said goes to NAME.log.
sparse() {
    name=$1
    shift
    timeout 120 mpirun --oversubscribe -n 1 "$calibrate" --quick --machine test-machine \
        --only caches,counting,sparse_kernels,sparse_fit "$@" -o "$folder/$name" 2>"$folder/$name.log"
}

for bench in caches counting sparse_kernels sparse_fit message_bandwidth; do
    check "$bench is listed" sh -c "'$calibrate' --list | grep -q '^$bench '"
done
check "the bandwidth by message size is measured" has whole.json '"/network/message_bandwidth": "measured: '
check "its kind is stated" has whole.json '"kind": "effective"'
check "one rank alone is told that it needs two" sh -c "timeout 60 mpirun -n 1 '$calibrate' --quick \
    --only message_bandwidth -o '$folder/one.json' 2>&1 | grep -q 'message_bandwidth: left out, it needs 2 ranks'"
check "what sparse LU needs is measured without forerun-analyze" sparse assumed.json --analyze "$folder/nothing"
check "the tables of its kernels are measured" counts assumed.json '"/kernels/d[a-z]*/rates": "measured: ' 4
check "dgemm's has all of its sizes" counts assumed.json '"m": [0-9]*, "n": [0-9]*, "k": [0-9]*, "rate_flops_per_s"' 125
check "the caches are measured" has assumed.json '"/memory/caches/0/latency_s": "measured: '
check "memory is, with its TLB missing" has assumed.json '"memory_latency_tlb_miss_s": \(0\.000\|[0-9.]*e-\)[0-9]*,\?$'
check "how lines are replaced is assumed" has assumed.json '"/memory/caches/0/policy": "assumed: '
check "how the BLAS blocks is assumed" has assumed.json '"/sparse/dgemm_block": "assumed: '
check "the constants are assumed, with the reason" has assumed.json \
    '"/sparse/fit": "assumed: fitted on another machine; here forerun-analyze, .* is not there"'
check "the daemon takes them" import assumed.json
printf '#!/bin/sh\necho nonsense\n' >"$folder/broken"
chmod +x "$folder/broken"
check "a program that prints nonsense is no reason to end" sparse broken.json --analyze "$folder/broken"
check "what it did is told" has broken.json 'here 0 of at least 6 samples succeeded: it prints no result'
check "a run without time assumes them, too" sparse hurried.json --time-limit 0.001
check "the daemon takes that" import hurried.json
if [ -x "$(dirname "$calibrate")/forerun-analyze" ]; then
    check "the constants are fitted" sparse fitted.json
    check "they say from how many samples" has fitted.json \
        '"/sparse/fit": "measured: SuperLU_DIST .*worst [0-9.]* (6 samples, best median of 1 rounds of 3, spread '
    check "the daemon takes the fitted ones" import fitted.json
fi

# option REMEDY OPTION... : refused before anything is measured, with that in the message.
option() {
    remedy=$1
    shift
    check "$* is refused" ends_with_status 64 "$calibrate" "$@" --list
    cp "$folder/out" "$folder/refusal"
    check "$* is refused with: $remedy" has refusal "$remedy"
}

option "dtrsm takes 4 flags; dtrsm takes four, dtrsm:LLNN" --kernels dtrsm
option "is not trinv, sylv, sylv_own or a routine" --kernels cholesky
option "flag trans must be one of NTC, not X" --kernels dtrsm:LLXN
option "in_cache,out_of_cache" --locality warm
option "not a whole number from 16 to 16384" --model-size 8
option "exceeds --model-size 64" --model-size 64 --model-block 128
option "not a number above 0" --model-time 0
option "is not one of adaptive_refinement, model_expansion" --strategy none
option "is not one of min, med, avg" --reference max
option "not a number above 0" --eps -1
option "from 8 to" --s-min 4
option "from 1 to 20" --oversampling 2,0
option "more than 3 numbers" --oversampling 1,2,3,4
option "from 0 to 2" --degree-extra 3
option "not a number from 0 to 1" --tolerance 2
option "layers times a square" --grids 16,8
option "at most 64 layers" --grids 65:65
option "that 8 divides" --messages 512,1001
option "512 twice" --messages 512,512
option "is not one of send, put, get, put-fence, get-fence" --transfer fast
option "torus:24x24x24:2" --topology torus:4,4

# inapplicable REMEDY OPTION... : the same without --list, which would be another action.
inapplicable() {
    remedy=$1
    shift
    check "$* is refused" ends_with_status 64 "$calibrate" "$@"
    cp "$folder/out" "$folder/refusal"
    check "$* is refused with: $remedy" has refusal "$remedy"
}

option "--direction: for expansion only; add --strategy=model_expansion" --direction toward_origin
option "--direction, --s-ini: for expansion only" --s-ini 32 --direction toward_origin
option "--s-ini: for expansion only" --s-ini 32 --strategy adaptive_refinement
option "--split: for refinement only" --strategy model_expansion --split all
option "--split, --s-min: for refinement only" --strategy model_expansion --split all --s-min 32
inapplicable "--only, --sizes, --kernels, --samples: not with --sample" --sample \
    --kernels trinv --samples "$folder/samples.csv" --only node --sizes 16 /no/calls
inapplicable "--strategy: not with --sample" --sample --strategy model_expansion --cold
inapplicable "--machine, --repetitions, --eps: not with --merge" --merge "$folder/kernels.json" \
    "$folder/network.json" --repetitions 3 --machine x --eps 0.1
inapplicable "--merge and --sample exclude each other" --merge --sample
inapplicable "--merge and --sample exclude each other" --sample --merge

end
