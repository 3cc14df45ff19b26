# Functions for job scripts, for any POSIX shell with curl and awk:  . forerun.sh
#
#   FORERUN_URL    the daemon; default http://127.0.0.1:8080
#   FORERUN_TOKEN  token, if the daemon requires one; it never is an argument of a process, which every user of
#                  the node can read
#
#   forerun_recommend MODEL key=value...
#       Requests the best configuration and sets a variable for each line of the answer:
#       forerun_nodes, forerun_processes, forerun_time_s, forerun_variant, ...  With quantile=0.95
#       also forerun_time_quantile_s, the time that 95 of 100 runs keep, and forerun_wall_time,
#       the same as HH:MM:SS; an assumed margin is mentioned on standard error.  If the daemon
#       refuses, the function prints the reason on standard error, sets nothing, and fails.
#   forerun_get QUESTION key=value...
#       Prints the answer to a question: forerun_get rank/hpl.dat machine=hopper nodes=4 ...
#       If there is none, the function prints the reason on standard error and fails.
#   forerun_curl ARGUMENT...
#       Runs curl with the token.
#   forerun_wall_time SECONDS [MARGIN_PERCENT]
#       Prints HH:MM:SS, increased by MARGIN_PERCENT (default 0) and rounded up to a second.

forerun_curl() {
    if [ -z "${FORERUN_TOKEN:-}" ]; then
        curl "$@"
    else
        curl --config - "$@" <<EOF
header = "Authorization: Bearer $FORERUN_TOKEN"
EOF
    fi
}

forerun_get() {
    [ $# -gt 0 ] || { echo "usage: forerun_get QUESTION key=value..." >&2; return 2; }
    _forerun_path=/api/v1/$1
    shift
    for _forerun_pair in "$@"; do
        shift
        set -- "$@" --data-urlencode "$_forerun_pair"
    done
    # The status is on a separate line after the answer.
    _forerun_reply=$(forerun_curl --silent --show-error --get --max-time "${FORERUN_TIMEOUT_S:-60}" \
        --write-out '\n%{http_code}' "$@" \
        "${FORERUN_URL:-http://127.0.0.1:8080}$_forerun_path") || return 1
    _forerun_status=${_forerun_reply##*
}
    _forerun_reply=${_forerun_reply%
*}
    [ "$_forerun_status" != 200 ] || {
        printf '%s\n' "$_forerun_reply"
        return 0
    }
    _forerun_detail=$(printf '%s\n' "$_forerun_reply" |
        sed -n 's/.*"detail":"\(\([^"\\]\|\\.\)*\)".*/\1/p' | sed 's/\\\(["\\/]\)/\1/g')
    echo "forerun: ${_forerun_detail:-status $_forerun_status from $_forerun_path}" >&2
    return 1
}

forerun_recommend() {
    [ $# -gt 0 ] || { echo "usage: forerun_recommend MODEL key=value..." >&2; return 2; }
    _forerun_model=$1
    shift
    case " $*" in
    *" limit="*) ;;
    *) set -- "$@" limit=1 ;;
    esac
    _forerun_answer=$(forerun_get "recommend/$_forerun_model.txt" "$@") || return 1
    # Only lines of the documented form are evaluated.
    eval "$(printf '%s\n' "$_forerun_answer" |
        LC_ALL=C sed -n 's/^\([a-z0-9_][a-z0-9_]*=[A-Za-z0-9._:+-]*\)$/forerun_\1/p')"
    case "+${forerun_warnings:-}+" in
    *+margin_assumed+*)
        echo "forerun: too few saved runs for this quantile: wall_time $forerun_wall_time has an" \
            "assumed margin; upload runs, or give margin_percent" >&2
        ;;
    esac
}

forerun_wall_time() {
    case ${1:-} in
    '' | *[!0-9.eE+-]*) echo "usage: forerun_wall_time SECONDS [MARGIN_PERCENT]" >&2; return 2 ;;
    esac
    LC_ALL=C awk -v seconds="$1" -v margin="${2:-0}" 'BEGIN {
        wanted = seconds * (1 + margin / 100)
        whole = int(wanted)
        # In floating point 3600 * 1.1 is slightly more than 3960.
        if (wanted - whole > 1e-9 * wanted) whole++
        printf "%02d:%02d:%02d\n", int(whole / 3600), int(whole / 60) % 60, whole % 60
    }'
}
