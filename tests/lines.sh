#!/bin/sh
# Counts lines of code, without comments and blank lines, of the product and of its tests.
#     tests/lines.sh [REVISION]
# Comments of C are removed by the compiler's preprocessor; of other languages, lines that only comment are left out.
set -eu
cd "$(dirname "$0")/.."
revision=${1:-HEAD}

# Data, documents and generated files do not count.
files() {
    git ls-tree -r --name-only "$revision" -- "$@" |
        grep -E '\.(c|h|js|mjs|css|html|sh|py|sql|mk)$|Makefile$|deploy/jobs/[a-z]+$'
}
code() {
    case $1 in
    *.c | *.h) gcc -fpreprocessed -dD -E -P -x c - 2>/dev/null ;;
    *.sql) sed 's/--.*//' ;;
    *.js | *.mjs | *.css) sed -E '/^[[:space:]]*(\/\/|\/?\*)/d' ;;
    *) sed -E '/^[[:space:]]*(#|<!--)/d' ;;
    esac
}
count() {
    for file in $(files "$@"); do
        git show "$revision:$file" | code "$file" || : # a directive within a macro is an error
        echo
    done | sed '/^[[:space:]]*$/d' | wc -l
}
total=0
for folder in engine server calibrations/calibrate static api deploy Makefile; do
    lines=$(count "$folder")
    total=$((total + lines))
    printf '%8d %s\n' "$lines" "$folder"
done
printf '%8d product\n%8d tests\n' "$total" "$(count tests .ci)"
