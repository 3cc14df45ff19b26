# Completion of forerun(1) for bash: source it, or put it as `forerun` into the folder bash-completion/completions.
_forerun() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= model= place=0 is_value=false choices= i

    # bash takes the = of an option or a pair for a word of its own.
    if [ "$word" = = ]; then
        word= is_value=true
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]} is_value=true
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        predict | rank | recommend | wall-time | machines | models | parameters | upload-run | upload-calibration)
            command=${COMP_WORDS[i]} model=${COMP_WORDS[i + 1]} place=$((COMP_CWORD - i))
            break
            ;;
        esac
    done
    COMPREPLY=()
    if [[ $before = --token-file || $command = upload-* && $place -eq 2 ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
    fi
    case $before,$word,$command in
    --format,*) choices='txt csv json dat slurm pbs lsf reframe shell' ;;
    --url,* | --timeout,* | --fallback,*) ;;
    *,-*) choices='--url= --token-file= --timeout= --format= --fallback= --help' ;;
    *,) choices='predict rank recommend wall-time machines models parameters upload-run upload-calibration' ;;
    *,upload-* | *,machines | *,models) ;;
    *)
        if [ "$place" -eq 1 ]; then
            choices='matmul trsm cholesky pdgemm pdtrsm pdpotrf pdgetrf pdgeqrf hpl trinv sylv calls cnc_matmul sparse_lu
                allreduce halo_exchange cg solve'
        elif [ "$is_value" = false ] && [ "$command" != parameters ]; then
            # compgen expands its words as a shell does, so none but plain names get there.
            choices="machine= $(forerun --timeout=2 parameters "$model" 2>/dev/null |
                awk -F '\t' '$1 ~ /^[a-z0-9_]+$/ { print $1 "=" }')"
        fi
        ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
}
complete -F _forerun forerun
