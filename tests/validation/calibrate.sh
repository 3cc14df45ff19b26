#!/bin/sh
# Tests the calibrator with quick runs, and imports its documents into the daemon's database.  What it
# measures is made up (tests/calibrate/computer.c); with FORERUN_IDLE=1 it is this computer.
#
#   tests/validation/calibrate.sh build/forerun-calibrate build/forerund
#
# Prints a line for each failure and "N passed, N failed"; exit status 1 if any failed.
set -u

calibrate=${1:?usage: calibrate.sh CALIBRATE FORERUND}
forerund=${2:?usage: calibrate.sh CALIBRATE FORERUND}
. "$(dirname "$0")/checks.sh"
. "$(dirname "$0")/../calibrate/computer.sh"
analyze=$(dirname "$calibrate")/forerun-analyze

check "the version is printed" "$calibrate" --version
check "the benchmarks are listed without MPI" sh -c "'$calibrate' --list | grep -q '^pingpong'"
check "the help says how to run as root" sh -c "'$calibrate' --help | tr -s ' \n' ' ' | grep -q 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1'"
check "an unknown option is refused" ends_with_status 64 "$calibrate" --no-such-option
check "a bad size is refused" ends_with_status 64 "$calibrate" --sizes 16,x
check "an unknown benchmark is refused" ends_with_status 64 "$calibrate" --only dgemm,nothing
check "an invalid machine name is refused" ends_with_status 64 "$calibrate" --machine 'My Machine'

# sample NAME TEXT OPTION... : samples the calls in a text without MPI.
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
check "it has a line for each call" test "$(wc -l <"$folder/calls.csv")" -eq 4
check "a call is printed as it was written" has calls.csv '^dtrsm LLNN 100 200 -1,[0-9.e-]*,'
check "a tuple is quoted" has calls.csv '^"(dgemm,N,N,8,16,24,1.0,192,30,384,40,1.0,128,50)",[0-9]'
check "standard input is read" sh -c "echo dpotrf L 64 | '$calibrate' --sample | grep -q '^dpotrf L 64,'"
check "cold calls are sampled" sample cold "$calls" --cold --tolerance 0
check "with tolerance 0 all repetitions are made" has cold.csv '^dtrsm .*,5$'
check "metrics are sampled, or reported as missing" sample metrics "$calls" \
    --metrics seconds,ticks,instructions
check "metrics have columns" has metrics.csv ',repetitions,ticks,instructions$'
check "lines that are not calls are refused" sample_with_faults 'dpotrf L 8\ndpotrf X 8\n\nnothing\n'
check "they are reported with their numbers" has faults.err 'line 2: "dpotrf X 8": flag uplo'
check "all of them are reported" has faults.err 'line 4: "nothing": nothing is not a known routine'
check "a file without calls is refused" sample_with_faults '# none\n'
check "an unknown metric is refused" ends_with_status 64 sample metrics "$calls" --metrics joules
check "two thread counts are refused" ends_with_status 64 sample calls "$calls" --threads 1,2
check "a line with a NUL is refused, the next one is read" sample_with_faults 'dpotrf L 8\n\000\000x\nnothing\n'
check "the NUL is reported" has faults.err 'line 2: "": contains a NUL'
check "the next line is reported, too" has faults.err 'line 3: "nothing": nothing is not a known routine'
check "a long line is refused, the next one is read" sample_with_faults "%0500d\nnothing\n"
check "it is reported as too long" has faults.err 'line 1: "0*": too long'
check "the next line is reported" has faults.err 'line 2: "nothing"'
check "a long and flat call needs little memory" sh -c "ulimit -t 60
    echo dgemm NN 8 8 20000 | '$calibrate' --sample --repetitions 3 | grep -q '^dgemm NN 8 8 20000,'"
check "the output may be a FIFO" sh -c "mkfifo '$folder/fifo'; timeout 60 cat '$folder/fifo' >'$folder/from-fifo' &
    echo dpotrf L 8 | '$calibrate' --sample -o '$folder/fifo'; wait; test -p '$folder/fifo'"
check "the FIFO has the output" has from-fifo '^dpotrf L 8,'
ln -s linked "$folder/link"
check "a symbolic link is followed" sh -c "echo dpotrf L 8 | '$calibrate' --sample -o '$folder/link'"
check "it is still a link" test -L "$folder/link"
check "its target was written" has linked '^dpotrf L 8,'
check "--cold needs --sample" ends_with_status 64 "$calibrate" --cold
check "too many threads are refused" refused sample calls "$calls" --threads 100000

# Analyzes smaller matrices as forerun-analyze does, and makes up the times of factorizations.
quick=
[ "$is_idle" ] || quick='--sizes 4,64'
if [ -z "$is_idle" ] && [ -x "$analyze" ]; then
    quick="$quick --analyze $folder/analyze"
    { echo '#!/bin/sh'; echo "analyze=$analyze"; cat <<'END'; } >"$folder/analyze"
case "$*" in
*--factorize*)
    echo '{"record":"factorization","factorization_s":[0.3,0.2,0.4],"gemm_s":[0.1,0.1,0.1],"panel_s":[0.1,0.1,0.1],' \
        '"solve_nrhs":[1,8],"solve_s":[0.01,0.02],"supernodes":9,"nnz_lu":99}'
    exit
    ;;
*econ*) matrix=econ:4,60,4,3 ;;
*circuit*) matrix=circuit:900,2,3,4 ;;
*) matrix=cd3d:7,6,5,1 ;;
esac
shift 2
exec "$analyze" --generate "$matrix" "$@"
END
    chmod +x "$folder/analyze"
fi
check "a quick run succeeds" measure 2 $quick -o "$folder/whole.json"
for member in schema machine created_at tool environment node network contention kernels sources; do
    check "the document has $member" has whole.json "^  \"$member\":"
done
for routine in dgemm dtrsm dsyrk dpotrf; do
    check "$routine is measured" has_source whole.json "/kernels/$routine/square" measured
done
for precision in single complex double_complex; do
    for routine in gemm trsm syrk potrf; do
        check "$routine is measured in $precision" has_source whole.json \
            "/kernels/by_precision/$precision/$routine/square" measured
    done
done
check "all orders begin with the narrowest panel" counts whole.json '"threads": 1, "n": 4,' 16
check "the ping-pong is measured" has_source whole.json /network/protocols measured
check "the vector operations are measured" has_source whole.json /memory/streams measured
check "the swaps of rows are measured" has_source whole.json /memory/row_swaps measured
check "calls of block-cyclic programs are measured" has_source whole.json /kernels/calls measured
check "and rows of columns on pages" has whole.json '"page_packed_element_s": [0-9]'
check "each call has a row for every size" counts whole.json '"max_width": null' 15
check "so is a call on one element" has_source whole.json /memory/call_s measured
check "the contention is measured" has_source whole.json /contention measured
check "no value is NaN or infinite" lacks whole.json ': *-\{0,1\}\(nan\|inf\)'
check "the name of this host is not in the document" lacks whole.json "\"$(uname -n)\""
check "no temporary file is left" test "$(ls "$folder" | grep -c 'whole.json\.')" -eq 0
check "the daemon accepts the document" import whole.json

# Other work on a core, and on large nodes on more than a hundredth of them.
beside_other_work() {
    if [ -z "$is_idle" ]; then
        with OTHER_WORK=1.1 "$@"
        return
    fi
    loops=
    for each in $(seq $(($(nproc) / 50 + 1))); do
        timeout 60 sh -c 'while :; do :; done' &
        loops="$loops $!"
    done
    "$@"
    status=$?
    kill $loops
    return $status
}

order=24
[ -z "$is_idle" ] || order=1024
if [ -r /proc/stat ]; then
    check "a run beside other work succeeds" beside_other_work measure 1 --only peak -o "$folder/busy.json"
    check "its source says so" has_source busy.json /node/peak_flops_per_s measured \
        '"measured_on": "20..-..-..", "load": "[^"]*other work on '
    check "so does the description" has busy.json '"description": "Warnings: .*peak was measured on a loaded machine'
    check "the daemon accepts the document with a warning" sh -c \
        "'$forerund' import --db '$folder/busy.db' '$folder/busy.json' 2>&1 | grep -q '/node/peak_flops_per_s: other work'"
    parts() {
        beside_other_work measure 1 --only precisions --sizes "$order" --threads 1 -o "$folder/parts.json" 2>"$folder/parts.log"
    }
    check "a run of several parts beside other work succeeds" parts
    # The two lines around such a message name the same routine.
    check "a disturbed part is repeated before the next one" sh -c \
        "grep -B 1 -A 1 'precisions, part .* of 12: other work .* measured again' '$folder/parts.log' |
         grep -o '[a-z0-9]*: done' | uniq -d | grep -q done"
    check "the source of the part says so" has_source parts.json \
        '/kernels/by_precision/[a-z_]*/[a-z]*/square' measured '"measured_on": "20..-..-..", "load": "[^"]*other work on '
fi

# quality FILE STATUS : --check ends with this status; its output is in FILE.quality.
quality() {
    ends_with_status "$2" sh -c "'$calibrate' --check '$folder/$1' >'$folder/$1.quality'"
}

if "$calibrate" --check calibrations/sets/hopper.json >/dev/null; then
    cp calibrations/sets/hopper.json "$folder/sound.json"
    check "a document without doubtful parts is sound" quality sound.json 0
    check "its parts are listed" has sound.json.quality '^kernels.dgemm.square  *assumed '
    check "what is missing is listed with the models" has sound.json.quality \
        '^kernels.routine_models trinv  *routine_models  *refused: trinv$'
    check "the command has the machine" has sound.json.quality 'forerun-calibrate --machine=hopper --only='
    sed 's/"published: [^"]*8.4 Gflop[^"]*"/"measured: x (9 samples, spread 2 %); on 2026-11-20; loaded: other work on 1.1 cores"/' \
        "$folder/sound.json" >"$folder/loaded.json"
    check "a part that was measured on a loaded machine is doubtful" quality loaded.json 2
    check "it is marked" has loaded.json.quality '^node.peak_flops_per_s .* loaded: other work on 1.1 cores$'
    check "its benchmark is among those to run" has loaded.json.quality ' --only=peak,'
    echo '{"schema": "forerun-calibration-1"}' >"$folder/invalid.json"
    check "a document without a machine is refused" quality invalid.json 1
    check "a missing file is refused" quality no-such.json 1
    echo '{"schema": "forerun-calibration-1", "machine": "empty"}' >"$folder/empty.json"
    check "an empty document lacks everything" quality empty.json 0
    sed -n 's/.*--only=\([^ ]*\).*/\1/p' "$folder/empty.json.quality" | tr , '\n' | sort >"$folder/named"
    "$calibrate" --list | cut -d ' ' -f 1 | grep -v '^collectives$' | sort >"$folder/listed"
    check "the commands name every benchmark that writes values" cmp "$folder/named" "$folder/listed"
fi
check "--check takes one document" ends_with_status 64 "$calibrate" --check

check "four ranks form a grid" measure 4 --only patterns,burst --grids 4,4:4 -o "$folder/grids.json"
check "its patterns are measured" has_source grids.json /contention/patterns measured
check "they have all layers" counts grids.json '"pattern": "reduce_layers"' 3
check "the daemon accepts them" import grids.json
check "one-sided transfers are measured" measure 2 --only contention --transfer put -o "$folder/put.json"
check "their source says so" has_source put.json /network/protocols measured '"text": "one-sided, one MPI_Put'
check "the daemon accepts them" import put.json
check "times that cannot be written are refused" refused measure 2 --only contention --times "$folder/no/t.csv"
cp "$folder/out" "$folder/refusal"
check "the reason is reported" has refusal 'contention: --times .*t.csv: No such file'
check "a run of the network only succeeds" measure 2 --network-only -o "$folder/network.json"
check "it has no kernels" lacks network.json '"kernels"'
check "a run of the kernels only succeeds without forerun-analyze" measure 1 --kernels-only \
    --analyze "$folder/nothing" -o "$folder/kernels.json"
check "it has no network" lacks kernels.json '"network"'
check "the replacement policy is assumed" has_source kernels.json /memory/caches/0/policy assumed
check "the block sizes of the BLAS are assumed" has_source kernels.json /sparse/dgemm_block assumed
for constants in fit window_fit solve_fit; do
    check "$constants is assumed, with the reason" has_source kernels.json "/sparse/$constants" assumed \
        '"text": "fitted on another machine; here forerun-analyze is missing"'
done
check "the daemon accepts them" import kernels.json
check "both are merged" "$calibrate" --merge "$folder/kernels.json" "$folder/network.json" \
    -o "$folder/merged.json"
check "the result has the kernels" has merged.json '"dgemm"'
check "the result has the network" has merged.json '"protocols"'
check "the result has the sources of both" has merged.json '"/node/peak_flops_per_s"'
check "the daemon accepts the result" import merged.json
sed 's/"test-machine"/"other-machine"/' "$folder/network.json" >"$folder/other.json"
check "documents of two machines are not merged" refused "$calibrate" --merge \
    "$folder/kernels.json" "$folder/other.json"

check "a run without time succeeds" measure 2 --time-limit 0.001 -o "$folder/late.json"
check "the daemon accepts its document" import late.json
check "a peak may be stated" measure 1 --only peak --peak-flops-per-s 1e12 \
    -o "$folder/peak.json"
check "it is in the document" has peak.json '"peak_flops_per_s": 1000000000000'
check "its source says so" has_source peak.json /node/peak_flops_per_s published \
    '"text": "given on the command line"'
check "a missing folder is an error" refused measure 1 --only node \
    -o "$folder/missing/out.json"

# model NAME OPTION... : builds routine models without mpirun, in cache unless told; messages go to NAME.log.
model() {
    name=$1
    shift
    measure 1 --only routine_models --locality in_cache "$@" -o "$folder/$name" 2>"$folder/$name.log"
}

samples="$folder/samples.csv"
check "routine_models is listed" sh -c "'$calibrate' --list | grep -q '^routine_models '"
check "routine models are built, and their samples saved" model models.json --samples "$samples"
check "the daemon accepts them" import models.json
check "there is a model for each kernel of trinv and sylv" counts models.json '"kind": "routine_model"' 9
check "their source is stated" has_source models.json /kernels/routine_models measured
check "each is reported with its executions" counts models.json.log ' samples, [1-9][0-9]* executions' 9
check "the samples are a table" test "$(head -n 1 "$samples")" = \
    call,locality,threads,min_s,median_s,mean_s,max_s,std_s
cp "$samples" "$folder/before.csv"
check "routine models are built from samples" model again.json --samples "$samples"
check "nothing is measured twice" cmp "$samples" "$folder/before.csv"
check "the log says so" counts again.json.log ' samples, 0 executions' 9
# The history of the measurement, which has errors too, is not repeated.
regions() {
    grep -E '"(error|coef|min|med|avg|max|std)":' "$folder/$1" | grep -v '"regions":'
}
check "the same samples give the same regions" test "$(regions again.json)" = "$(regions models.json)"
check "the daemon accepts these, too" import again.json
head -n 100 "$folder/before.csv" | head -c -9 >"$samples"
check "an interrupted calibration continues" model resumed.json --samples "$samples"
check "existing samples are not measured again" counts resumed.json.log 'trinv._unb.* samples, 0 executions' 4
check "missing samples are measured" has resumed.json.log 'dgemm NN.* [1-9][0-9]* executions'
cp "$samples" "$folder/before.csv"
check "it is then complete" model resumed.json --samples "$samples"
check "the incomplete line does not matter" cmp "$samples" "$folder/before.csv"
check "the samples of the two localities are separate" model cold.json --samples "$samples" \
    --locality in_cache,out_of_cache
check "both localities are in the document" counts cold.json '"locality": "out_of_cache"' 9
check "in cache and out of cache" counts cold.json '"locality": "in_cache"' 9
check "only the new locality was measured" lacks cold.json.log 'in cache, .* [1-9][0-9]* executions'
check "the weight of the blend is measured" has_source cold.json /kernels/out_of_cache_weight measured '"text": "trinv'
check "so is the reuse of operands" has_source cold.json /kernels/reuse measured
check "the daemon accepts both" import cold.json
check "an error bound of 0.01 % is missed" with UNEVEN=0.5 model missed.json --kernels dtrsm:LLNN --eps 0.0001 --s-min 128
check "the description names the regions" has missed.json \
    '"description": "Warnings: .*dtrsm LLNN, in cache, 1 thread: .* missed the error bound of 0.01 %: m [0-9]* to [0-9]*, n'
check "a kernel is no benchmark" ends_with_status 64 sh -c "'$calibrate' --only sylv_own 2>'$folder/hint'"
check "the option that makes it is named" has hint 'sylv_own is made by --only=routine_models --kernels=sylv_own'
check "large models with two seconds finish" model late-models.json --model-time 2 \
    --model-size 2048 --model-block 512
check "their source says so" has_source late-models.json /kernels/routine_models measured 'the time limit did not allow all"'
check "the daemon accepts these models" import late-models.json
if [ "$(nproc)" -ge 2 ]; then
    check "routine models are built for two thread counts" model threads.json --threads 1,2 --kernels trinv1_unb,sylv
    check "they are in the document" counts threads.json '"threads": 2,' 3
    check "the daemon accepts them all" import threads.json
fi
check "more threads than cores are left out" model many.json --threads 1,4096 --kernels trinv1_unb
check "this is reported" has many.json.log 'routine_models: 4096 threads skipped'
check "model expansion builds them, too" model expanded.json --strategy model_expansion --s-ini 32 \
    --direction away_from_origin --kernels dtrsm:LLNN --absolute --measure max --reference min
check "the document states the options" has expanded.json '"direction": "away_from_origin"'
check "the daemon accepts these models" import expanded.json
check "sizes may have different oversampling" model sparse.json --oversampling 2,2,1 --kernels sylv
check "the daemon accepts them" import sparse.json
check "a file without samples is refused" ends_with_status 1 model no-samples.json \
    --samples "$folder/models.json"
check "the reason is reported" has no-samples.json.log \
    'routine_models: .*models.json: is not a file of samples; give the name of a new file'
check "nothing is measured before" test ! -e "$folder/no-samples.json"
check "a folder is refused as a file of samples" ends_with_status 1 model no-samples.json --samples "$folder"
check "a file in a missing folder is refused" ends_with_status 1 model no-samples.json \
    --samples "$folder/missing/samples.csv"
check "the reason is reported" has no-samples.json.log 'No such file or directory; give a file that can be written'
printf 'call,locality,thr' >"$folder/cut.csv"
check "a file with an incomplete first line is overwritten" model cut.json \
    --samples "$folder/cut.csv" --kernels trinv1_unb
check "it has the header" test "$(head -n 1 "$folder/cut.csv")" = "$(head -n 1 "$samples")"
check "it has samples" has cut.csv '^trinv1_unb [0-9]*,in_cache,1,'
check "a model states its build time" has cut.json '"seconds":'
check "not if it used existing samples" lacks again.json '"seconds":'
# A limit of the file size simulates a full disk.  MPI itself makes files of some megabytes.
{ head -n 1 "$samples" && head -c $((33000 * 512 - 2000)) /dev/zero | tr '\0' '\n'; } >"$folder/limited.csv"
check "samples that cannot be saved are an error" ends_with_status 1 sh -c "ulimit -f 33000; trap '' XFSZ
    exec env $computer '$calibrate' --quick --machine test-machine --only routine_models --locality in_cache --kernels trinv1_unb,dgemm:NN \
    --samples '$folder/limited.csv' -o - >'$folder/limited.json' 2>'$folder/limited.log'"
check "this is reported once" counts limited.log '--samples: .*limited.csv: File too large; further samples are not saved' 1
check "the models are built" counts limited.json '"routine_model"' 2

# The clocks of MPI are 0.1 s apart.  What a rank waits is seen on a clock that both ranks share.
exchange_apart() {
    apart="APART_S=0.1 LOOK_S=1e-3 CLOCK=$folder/clock"
    [ -z "$is_idle" ] || apart=LD_PRELOAD=$folder/apart.so
    ${CC:-cc} -shared -fPIC -o "$folder/apart.so" tests/calibrate/apart.c &&
        with "$apart" measure 2 --only pingpong,exchange -o "$folder/apart.json"
}
# Whether the median of all exchanges takes less.
starts_together() {
    node -e 'const { exchange } = JSON.parse(require("fs").readFileSync(process.argv[1])).contention;
        const taken = exchange.map((row) => row.maximum_s ?? 0).sort((a, b) => a - b);
        process.exit(taken[taken.length >> 1] < 0.05 ? 0 : 1)' "$folder/apart.json"
}
check "ranks whose clocks differ exchange messages" exchange_apart
check "they start together on one node" starts_together

for bench in caches counting sparse_kernels sparse_fit message_bandwidth; do
    check "$bench is listed" sh -c "'$calibrate' --list | grep -q '^$bench '"
done
check "the bandwidth by message size is measured" has_source whole.json /network/message_bandwidth measured
check "its kind is stated" has whole.json '"kind": "effective"'
for kernel in dgemm dtrsm dger dtrsv; do
    check "the table of $kernel is measured" has_source whole.json "/kernels/$kernel/rates" measured
done
check "the table of dgemm has all sizes" counts whole.json '"m": [0-9]*, "n": [0-9]*, "k": [0-9]*, "rate_flops_per_s"' 216
check "the caches are measured" has_source whole.json /memory/caches/0/latency_s measured
check "the memory latency with TLB misses is measured" has whole.json '"memory_latency_tlb_miss_s": \(0\.000\|[0-9.]*e-\)[0-9]*,\?$'
printf '#!/bin/sh\necho nonsense\n' >"$folder/broken"
chmod +x "$folder/broken"
check "a program with invalid output does not stop the run" measure 1 --only sparse_kernels,sparse_fit \
    --analyze "$folder/broken" -o "$folder/broken.json"
check "its failure is in the source" has broken.json 'here 0 of at least 6 samples succeeded: it prints no result'
if [ -x "$analyze" ]; then
    check "the constants are fitted, and their source states the number of samples" has_source whole.json \
        /sparse/fit measured '"text": "SuperLU_DIST [^"]*worst [0-9.]*", "samples": 6, "spread_fraction": [^}]*"best median of 1 round"'
    check "those of a window are fitted, with parts of BLAS" has_source whole.json \
        /sparse/window_fit measured ' of matrices left out [0-9.]* and [0-9.]*", "samples": 6, "spread_fraction": [^}]*"best median of 1 round"'
    check "those of the solves are fitted" has_source whole.json \
        /sparse/solve_fit measured '"text": "solves of SuperLU_DIST [^"]*", "samples": 12, "statistic": "best of 10"'
    check "their quality is reported" has_source whole.json /sparse/window_fit_quality measured
fi

# option REMEDY OPTION... : the options are refused before a measurement; the message contains REMEDY.
option() {
    remedy=$1
    shift
    check "$* is refused" ends_with_status 64 "$calibrate" "$@" --list
    cp "$folder/out" "$folder/refusal"
    check "$* is refused with: $remedy" has refusal "$remedy"
}

option "dtrsm takes 4 flags; dtrsm takes four, dtrsm:LLNN" --kernels dtrsm
option "is not trinv, sylv, sylv_own or a routine" --kernels cholesky
option "panels is replaced by the benchmark calls: --only=calls" --kernels panels
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

# inapplicable REMEDY OPTION... : the same without --list, which is another action.
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
inapplicable "--merge, --check and --sample exclude each other" --merge --sample
inapplicable "--merge, --check and --sample exclude each other" --sample --merge

end
