#!/bin/sh
# Every document that a tracked file cites exists, and so does the heading: docs/models/dense.md#panel-pricing is the
# file and the slug that GitHub makes of its heading.  A path counts from the root; in a document or a page, from its folder too.
# The paths and the rows | file | function | of CONTRIBUTING.md exist too.
#   tests/citations.sh
set -eu
cd "$(dirname "$0")/.."
list=$(mktemp)
trap 'rm -f "$list"' EXIT

# A released tree has no .git: both commands read the files themselves.
sources() {
    find . \( -name '.git' -o -path './build*' -o -path ./var -o -name node_modules \) -prune -o -type f -print | sed 's|^\./||'
}
search() {
    git grep --no-index --exclude-standard -nIoE "$@"
}

# Kinds of lines for awk: "file PATH", "head PATH:LINE:TEXT", "cite PATH:LINE:CITATION", "fail PATH:LINE:MESSAGE".
{
    sources | sed 's/^/file /'
    sources | grep '\.md$' | while read -r document; do
        # The code between fences has comments that look like headings.
        awk -v document="$document" '/^```/ { is_code = !is_code }
            !is_code && /^#+ / { print "head " document ":" NR ":" $0 }' "$document"
    done
    search '[A-Za-z0-9_./:-]*[A-Za-z0-9_-]\.md([#][A-Za-z0-9_-]*| [0-9]+(\.[0-9]+)*)?' -- . \
        ':!tests/citations.sh' ':!*/package-lock.json' | sed 's/^/cite /'
    search '\]\([^):]+\)' -- '*.md' | sed 's/^\(.*\):\](\(.*\))$/cite \1:\2/'
    # Numbers of decisions, such as D13: the document gives each a name.
    search -w 'D[0-9]{1,2}' -- '*.c' '*.h' '*.js' '*.mjs' '*.sh' '*.md' '*.1' '*.yaml' ':!tests/citations.sh' |
        sed 's/^/cite /'
    search '`[A-Za-z0-9_.-]+/[A-Za-z0-9_./-]*`' -- CONTRIBUTING.md | sed 's/`//g; s/^/cite /; s|/$||'
    # A function is defined in a file of its row.
    cells='`[a-z_]*`\(, `[a-z_]*`\)*'
    grep -n "^| \`[^|]*\` | $cells |" CONTRIBUTING.md | tr -d '`,' | while IFS='|' read -r line files names _; do
        for name in $names; do
            # shellcheck disable=SC2086 # one word for each file
            grep -rqE "^[a-z].*[ *]$name\(" $files || echo "fail CONTRIBUTING.md:$line$name is not defined in$files"
        done
    done
} >"$list"

awk '
# GitHub, for headings in ASCII: lower case, punctuation dropped, spaces become hyphens; the second of a name gets -1.
function slug(text) {
    sub(/^#+ +/, "", text)
    gsub(/[^A-Za-z0-9_ -]/, "", text)
    gsub(/ /, "-", text)
    return tolower(text)
}
# The path of a link in a document, from its folder.
function joined(document, path) {
    if (!sub(/[^\/]*$/, "", document))
        document = ""
    path = document path
    while (sub(/[^\/.]+\/\.\.\//, "", path)) continue
    sub(/^\.\//, "", path)
    return path
}
function complain(message) {
    print "citations: " where ": " message
    failed = 1
}
{
    kind = $1
    rest = substr($0, 6)
}
kind == "file" {
    exists[rest] = 1
    while (sub(/\/[^\/]*$/, "", rest))
        exists[rest] = 1
    next
}
{
    match(rest, /^[^:]*:[0-9]+:/)
    where = substr(rest, 1, RLENGTH - 1)
    path = where
    sub(/:.*/, "", path)
    rest = substr(rest, RLENGTH + 1)
}
kind == "head" {
    anchor = path "#" slug(rest)
    if (anchor in heading)
        anchor = anchor "-" heading[anchor]++
    heading[anchor] = 1
    next
}
kind == "fail" { complain(rest); next }
rest ~ /:\/\// { next }
rest ~ /^D[0-9]+$/ { complain("`" rest "` is the number of a decision; cite the heading that names it"); next }
{
    cited = rest
    sub(/[ #].*/, "", cited)
    anchor = rest ~ /#/ ? substr(rest, index(rest, "#")) : ""
    target = cited == "" ? path : (path ~ /\.(md|html)$/ && joined(path, cited) in exists) ? joined(path, cited) : cited
    if (!(target in exists))
        complain("there is no `" cited "`")
    else if (rest ~ / /)
        complain("`" rest "` cites a section by number; cite " target "#heading")
    else if (anchor != "" && !((target anchor) in heading))
        complain(target " has no heading `" anchor "`")
    count++
}
END {
    if (!failed)
        print count " citations of documents resolve"
    exit failed
}' "$list"
