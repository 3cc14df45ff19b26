#!/bin/sh
# Checks deploy/: the settings agree with those of the program, and the shell functions work.
#   tests/deploy.sh build/forerund build/forerun-calibrate
set -eu
daemon=$1
calibrate=$2
failed=0
complain() {
    echo "deploy: $1" >&2
    failed=1
}

# The manual and the sample have exactly the settings of --help.
settings=$(mktemp)
trap 'rm -f "$settings"' EXIT
"$daemon" --help | sed -n 's/^ *\(-., \)\{0,1\}--\([a-z-]*\)=.*/\2/p' | sort >"$settings"
[ -s "$settings" ] || complain "--help lists no settings"
sed -n '/^\.SH OPTIONS/,/^\.SH SIGNALS/s/^\.BI\{0,1\}  *\(\\-\\-[a-z\\-]*\)=.*/\1/p' deploy/man/forerund.1 |
    sed 's/\\//g' | sed 's/^--//' | sort | diff "$settings" - ||
    complain "deploy/man/forerund.1 has other settings than --help"
{
    echo config
    sed -n 's/^#\([a-z_]*\) =.*/\1/p' deploy/forerund.conf | tr _ -
} | sort | diff "$settings" - || complain "deploy/forerund.conf has other settings than --help"

# Every option of the calibrator is the tag of a paragraph of its manual, with an argument or without, and no other is.
"$calibrate" --help | sed -n 's/^ \{2,6\}\(-., \)\{0,1\}--\([a-z-]*=\{0,1\}\).*/\2/p' | grep -vx usage | sort >"$settings"
sed -n '/^\.TP/{n;p;}' deploy/man/forerun-calibrate.1 | sed 's/\\//g; s/ =/=/' | grep -o -- '--[a-z-]*=\{0,1\}' |
    sed 's/^--//' | sort -u | diff "$settings" - ||
    complain "deploy/man/forerun-calibrate.1 has other options than --help"

# Wall times are rounded up.
. deploy/forerun.sh
expect() {
    [ "$(forerun_wall_time $1)" = "$2" ] || complain "forerun_wall_time $1 is $(forerun_wall_time $1), not $2"
}
expect 3600 01:00:00
expect 0.2 00:00:01
expect 59.0001 00:01:00
expect 3661 01:01:01
expect "3600 10" 01:06:00
expect 1.5e5 41:40:00
! forerun_wall_time soon 2>/dev/null || complain "forerun_wall_time takes words"

# The rest needs only a server that answers with the contents of $answer.
curl() {
    printf '%s' "$answer"
}
answer='nodes=4
time_s=1.5
Evil=$(touch /tmp/evil)
path=`id`
warnings=
200'
forerun_recommend matmul n=1
[ "$forerun_nodes $forerun_time_s $forerun_warnings" = "4 1.5 " ] || complain "forerun_recommend sets wrong values"
[ -z "${forerun_path:-}${forerun_Evil:-}" ] || complain "forerun_recommend evaluates what is not safe"
answer='nodes=4
time_s=1.5
time_quantile_s=1.875
wall_time=00:01:00
warnings=assumed_value+margin_assumed
200'
said=$(forerun_recommend matmul n=1 quantile=0.95 2>&1)
[ "$said" = 'forerun: too few saved runs for this quantile: wall_time 00:01:00 has an assumed margin; upload runs, or give margin_percent' ] ||
    complain "an assumed margin is mentioned as: $said"
forerun_recommend matmul n=1 quantile=0.95 2>/dev/null
[ "$forerun_wall_time $forerun_time_quantile_s" = "00:01:00 1.875" ] || complain "forerun_recommend sets no wall time"
answer='{"status":422,"detail":"n: \"x\" is no number","errors":[]}
422'
! said=$(forerun_recommend matmul n=x 2>&1) || complain "a refusal passes"
[ "$said" = 'forerun: n: "x" is no number' ] || complain "a refusal reads: $said"

for script in deploy/*.sh tests/*.sh tests/*/*.sh; do
    "$(sed -n '1s/^#!//p' "$script" | grep . || echo /bin/sh)" -n "$script" || complain "$script does not parse"
done
[ "$failed" -eq 0 ] && echo "deploy/ fits the program"
exit "$failed"
