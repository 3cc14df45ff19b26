#!/bin/sh
# Formats C files as .clang-format says, or checks them.
#   tests/format.sh [FILE...]   check these files, or every C file of the work tree
#   tests/format.sh --fix       format them in place
#   tests/format.sh --staged    check what is staged for the next commit
set -eu
cd "$(dirname "$0")/.."
# Other releases of clang-format lay some lines out differently.
format=$(command -v clang-format-14 || command -v clang-format) ||
    { echo "format: clang-format 14 is not installed" >&2; exit 1; }
case $("$format" --version) in
*version\ 14.*) ;;
*) echo "format: version 14 is required, but $format is: $("$format" --version)" >&2; exit 1 ;;
esac

# The files themselves, as a released tree has no .git.
c_files() {
    find . \( -path './build*' -o -name node_modules \) -prune -o -name '*.[ch]' -print0
}

failed=0
case ${1:-} in
*.[ch])
    "$format" --dry-run -Werror "$@" || failed=1
    ;;
'')
    c_files | xargs -0r "$format" --dry-run -Werror || failed=1
    ;;
--fix)
    c_files | xargs -0r "$format" -i
    ;;
--staged)
    staged=$(mktemp)
    trap 'rm -f "$staged"' EXIT
    git diff --cached --name-only --diff-filter=ACMR -- '*.c' '*.h' >"$staged"
    while read -r file; do
        git show ":$file" | "$format" --dry-run -Werror --assume-filename="$file" || failed=1
    done <"$staged"
    ;;
*)
    echo "usage: tests/format.sh [FILE... | --fix | --staged]" >&2
    exit 2
    ;;
esac
[ "$failed" -eq 0 ] || echo "format: \`make format\` formats the files named above" >&2
exit "$failed"
