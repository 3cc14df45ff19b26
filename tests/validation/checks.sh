# Shared by the check scripts, which source it: a temporary folder, MPI settings for any machine, and
# counted checks.  `import` needs $forerund.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
passed=0
failed=0

# MPI works as root, without ssh and in a container, on few cores, and starts quickly.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_plm=isolated OMPI_MCA_ess_singleton_isolated=1
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export TMPDIR="$folder"

# check SENTENCE COMMAND... : the sentence is true if the command succeeds.
check() {
    sentence=$1
    shift
    if "$@" >"$folder/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'not true: %s\n' "$sentence"
        tail -n 20 "$folder/out" | sed 's/^/    /'
    fi
}

refused() {
    ! "$@"
}

ends_with_status() {
    wanted=$1
    shift
    "$@"
    test $? -eq "$wanted"
}

# counts FILE PATTERN N : N lines of the file match the pattern.
counts() {
    test "$(grep -c -e "$2" "$folder/$1")" -eq "$3"
}

has() {
    grep -q -e "$2" "$folder/$1"
}

# has_source FILE POINTER KIND PATTERN : the source of the pointer is of this kind, and its members match.
has_source() {
    tr -s ' \n' ' ' <"$folder/$1" | grep -q -e "\"$2\": { \"kind\": \"$3\", [^}]*${4-}"
}

lacks() {
    ! grep -q -e "$2" "$folder/$1"
}

import() {
    "$forerund" import --db "$folder/imported.db" "$folder/$1"
}

end() {
    printf '%d passed, %d failed\n' "$passed" "$failed"
    test "$failed" -eq 0
}
