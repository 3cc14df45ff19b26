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

unset -f curl

# The job script of HPL takes the daemon's HPL.dat for the nodes of the job, or the fallback.
job=$(mktemp -d)
trap 'rm -rf "$settings" "$job"' EXIT
mkdir "$job/bin"
cp deploy/forerun.sh deploy/hpl-slurm.sh "$job"
echo fallback >"$job/HPL.dat.fallback"
printf '%s\n' '#!/bin/sh' "printf '%s\\n' \"\$*\" >>curl.asked" 'case " $* " in *" --config - "*) cat >>curl.config ;; esac' \
    'cat answer' >"$job/bin/curl"
printf '%s\n' '#!/bin/sh' 'echo "$*" >srun.asked' 'echo "WR11C2R4 from $(head -n 1 HPL.dat)"' >"$job/bin/srun"
chmod +x "$job/bin/curl" "$job/bin/srun"
hpl() {
    rm -f "$job"/*.asked "$job/curl.config"
    printf '%s' "$1" >"$job/answer"
    shift
    (cd "$job" && env "$@" PATH="$job/bin:$PATH" SLURM_JOB_NUM_NODES=4 SLURM_CLUSTER_NAME=Hopper RANKS_PER_NODE=2 \
        sh ./hpl-slurm.sh >said 2>complained) || complain "hpl-slurm.sh fails: $(cat "$job/complained")"
}
asked() {
    grep -q -- "$2" "$job/$1.asked" || complain "hpl-slurm.sh asks $1 without $2"
}
hpl 'HPLinpack benchmark input file
200' -u FORERUN_TOKEN
[ "$(cat "$job/said")" = 'WR11C2R4 from HPLinpack benchmark input file' ] || complain "hpl-slurm.sh runs: $(cat "$job/said")"
for words in machine=hopper nodes=4 ranks_per_node=2 memory_fraction=0.8 block_size=128 /api/v1/rank/hpl.dat; do
    asked curl "$words"
done
asked srun --ntasks-per-node=2
[ "$(wc -l <"$job/curl.asked")" -eq 1 ] || complain "hpl-slurm.sh uploads without a token"
hpl 'HPLinpack benchmark input file
200' NB= FORERUN_TOKEN=secret
! grep -q block_size "$job/curl.asked" || complain "hpl-slurm.sh gives a block size where NB is empty"
asked curl 'data-binary @HPL.out.*/machines/hopper/runs?format=hpl&ranks_per_node=2'
! grep -q secret "$job/curl.asked" || complain "the token is an argument of curl, which ps shows: $(cat "$job/curl.asked")"
[ "$(grep -c '^header = "Authorization: Bearer secret"$' "$job/curl.config")" -eq 2 ] ||
    complain "the question and the upload do not both have the token: $(cat "$job/curl.config")"
hpl '{"status":413,"detail":"too many configurations","errors":[]}
413' -u FORERUN_TOKEN NB=192
asked curl 'urlencode block_size=192'
[ "$(cat "$job/said")" = 'WR11C2R4 from fallback' ] || complain "without an answer hpl-slurm.sh runs: $(cat "$job/said")"
grep -q 'too many configurations' "$job/complained" || complain "hpl-slurm.sh does not say why there is no answer"
rm "$job/answer" && printf '%s\n' '#!/bin/sh' 'exit 7' >"$job/bin/curl"
hpl '' -u FORERUN_TOKEN
[ "$(cat "$job/said")" = 'WR11C2R4 from fallback' ] || complain "without a daemon hpl-slurm.sh runs: $(cat "$job/said")"

# The API test monitoring moves the metrics of the alerts; where Prometheus is installed, its own program evaluates them.
if command -v promtool >/dev/null; then
    promtool test rules tests/monitoring/rules.test.yml >/dev/null || complain "the alerts do not fire as they should"
fi

for script in deploy/*.sh tests/*.sh tests/*/*.sh; do
    "$(sed -n '1s/^#!//p' "$script" | grep . || echo /bin/sh)" -n "$script" || complain "$script does not parse"
done
[ "$failed" -eq 0 ] && echo "deploy/ fits the program"
exit "$failed"
