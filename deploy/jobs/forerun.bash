# Completion of forerun(1) for bash: source it, or put it as `forerun` into the folder bash-completion/completions.
_forerun() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= place=0 i
    local options='--url= --token-file= --timeout= --format= --fallback= --help'
    local commands='predict rank recommend wall-time upload-run upload-calibration'
    local models='matmul trsm cholesky pdgemm pdtrsm pdpotrf pdgetrf pdgeqrf hpl trinv sylv calls cnc_matmul sparse_lu
        allreduce halo_exchange cg solve'

    # bash takes the = of an option for a word of its own.
    [ "$word" != = ] || word=
    [ "$before" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        predict | rank | recommend | wall-time | upload-run | upload-calibration)
            command=${COMP_WORDS[i]}
            place=$((COMP_CWORD - i))
            break
            ;;
        esac
    done
    COMPREPLY=()
    case $before in
    --format) mapfile -t COMPREPLY < <(compgen -W 'txt csv json dat shell' -- "$word") ;;
    --token-file) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    --url | --timeout | --fallback) ;;
    *)
        case $word,$command,$place in
        -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word") ;;
        *,,*) mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word") ;;
        *,upload-*,2) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
        *,upload-*,*) ;;
        *,1) mapfile -t COMPREPLY < <(compgen -W "$models" -- "$word") ;;
        esac
        ;;
    esac
    [[ ${COMPREPLY[0]-} != --*= ]] || compopt -o nospace 2>/dev/null
}
complete -F _forerun forerun
