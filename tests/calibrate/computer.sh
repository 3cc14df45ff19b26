# Sourced by the checks of the calibrator after tests/validation/checks.sh: the computer that $calibrate
# measures.  FORERUN_IDLE=1 takes this one, which must be idle, and minutes.
is_idle=${FORERUN_IDLE:-}
computer=
if [ -z "$is_idle" ]; then
    computer=LD_PRELOAD=$folder/computer.so
    ${CC:-cc} -O1 -shared -fPIC -o "$folder/computer.so" tests/calibrate/computer.c || exit 1
fi
limit='timeout 400'

# launch RANKS OPTION... : one rank needs no launcher.
launch() {
    launcher=
    [ "$1" -eq 1 ] || launcher="mpirun --oversubscribe -n $1"
    shift
    $limit $launcher env $computer "$calibrate" --machine test-machine "$@"
}

measure() {
    ranks=$1
    shift
    launch "$ranks" --quick "$@"
}

# with SETTINGS COMMAND... : on a computer with these settings.
with() {
    settings=$1
    shift
    (computer="$computer $settings" && "$@")
}

# interrupted SIGNAL NAME RANKS OPTION... : gets the signal within dgemm; messages go to NAME.log.
interrupted() {
    signal=$1 name=$2
    shift 2
    if [ -z "$is_idle" ]; then
        with "SIGNAL=$signal SIGNAL_AT=250" launch "$@" 2>"$folder/$name.log"
        return
    fi
    mkfifo "$folder/$name.fifo"
    (limit=exec && launch "$@" 2>"$folder/$name.fifo") &
    while read -r line; do
        echo "$line"
        case $line in *'dgemm: '*' %'*) kill "-$signal" $! ;; esac
    done <"$folder/$name.fifo" >"$folder/$name.log"
    wait $!
}
