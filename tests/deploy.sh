#!/bin/sh
# Checks deploy/: settings and options agree with those of the programs, and scripts parse.
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

# Defaults that are numbers are the same there.
"$daemon" --help | sed 's/^ *--/\n--/' | tr -s '\n ' ' ' | sed 's/ --/\n/g' |
    sed -n 's/^\([a-z-]*\)=.*; default \([0-9]*\)\.\( .*\|$\)/\1 \2/p' | sort >"$settings"
[ "$(wc -l <"$settings")" -gt 30 ] || complain "--help tells few defaults: $(cat "$settings")"
sed -n '/^\.SH OPTIONS/,/^\.SH SIGNALS/p' deploy/man/forerund.1 | sed 's/\\//g' | tr '\n' ' ' | sed 's/ \.TP /\n/g' |
    sed -n 's/^\.BI --\([a-z-]*\)=.*; default \([0-9]*\)\([.,] .*\|\.\)$/\1 \2/p' | sort | diff "$settings" - ||
    complain "deploy/man/forerund.1 has other defaults than --help"
sed -n 's/^#\([a-z_]*\) = \([0-9]*\)$/\1 \2/p' deploy/forerund.conf | tr _ - | sort | diff "$settings" - ||
    complain "deploy/forerund.conf has other defaults than --help"

# Every option of the calibrator is the tag of a paragraph of its manual, with an argument or without, and no other is.
"$calibrate" --help | sed -n 's/^ \{2,6\}\(-., \)\{0,1\}--\([a-z-]*=\{0,1\}\).*/\2/p' | grep -vx usage | sort >"$settings"
sed -n '/^\.TP/{n;p;}' deploy/man/forerun-calibrate.1 | sed 's/\\//g; s/ =/=/' | grep -o -- '--[a-z-]*=\{0,1\}' |
    sed 's/^--//' | sort -u | diff "$settings" - ||
    complain "deploy/man/forerun-calibrate.1 has other options than --help"

# So is every option of the client.
deploy/jobs/forerun --help | sed -n 's/^  --\([a-z-]*\)=.*/\1/p' | sort >"$settings"
[ -s "$settings" ] || complain "forerun --help lists no options"
sed -n '/^\.SH OPTIONS/,/^\.SH EXIT/s/^\.BI *\(\\-\\-[a-z\\-]*\)=.*/\1/p' deploy/man/forerun.1 | sed 's/\\//g; s/^--//' |
    sort | diff "$settings" - || complain "deploy/man/forerun.1 has other options than --help"

# Every package has the version of the program.
version=$("$daemon" --version | sed 's/^forerund //')
for place in 'CITATION.cff:version: ' 'debian/changelog:forerun (' 'deploy/rpm/forerun.spec:Version: ' 'deploy/spack/package.py:version("' \
    "deploy/easybuild/forerun-calibrate-$version-foss-2024a.eb:version = '"; do
    sed -n "s/^ *${place#*:} *\([0-9.]*\).*/\1/p" "${place%%:*}" | head -n 1 | grep -qx "$version" ||
        complain "${place%%:*} is not of version $version"
done

# The API test monitoring moves the metrics of the alerts; where Prometheus is installed, its own program evaluates them.
if command -v promtool >/dev/null; then
    promtool test rules tests/monitoring/rules.test.yml >/dev/null || complain "the alerts do not fire as they should"
fi

# What the units leave open, from 0 (nothing) to 10.
if command -v systemd-analyze >/dev/null; then
    for unit in deploy/forerund.service deploy/forerund.socket; do
        systemd-analyze security --offline=true --threshold=20 --no-pager "$unit" >/dev/null 2>&1 ||
            complain "systemd-analyze security finds $unit more exposed than 2.0"
    done
fi

# What the images copy of the tree is enough to build there.
tree=$(mktemp -d)
trap 'rm -rf "$settings" "$tree" ${client:+"$client"}' EXIT
for recipe in docker/Dockerfile:forerund deploy/apptainer/forerun-calibrate.def:forerun-calibrate; do
    rm -rf "${tree:?}"/*
    sed -n 's/^COPY \([A-Za-z]*\) [A-Za-z./]*$/\1/p; s/^    \([A-Za-z]*\) \/src\/.*/\1/p' "${recipe%:*}" | xargs -I{} cp -r {} "$tree"
    [ -e "$tree/Makefile" ] && make -n -C "$tree" "build/${recipe#*:}" >/dev/null 2>&1 ||
        complain "${recipe%:*} does not copy what ${recipe#*:} is built of"
done

# The app of Open OnDemand asks the client, and refuses words that are options; its forms are YAML.
if command -v ruby >/dev/null; then
    client=$(mktemp -d)
    cat >"$client/forerun" <<'END'
#!/bin/sh
echo "$@" >"${0%/*}/asked"
echo '{"best":{"nodes":4,"processes":15.5,"threads":6,"wall_time":"26:07:00"}}'
END
    chmod +x "$client/forerun"
    PATH="$client:$PATH" ruby -r erb -r yaml -e '
        App = Struct.new(:question, :deadline_minutes, :max_nodes) { def render(file) = YAML.safe_load(ERB.new(File.read(file), trim_mode: "-").result(binding)) }
        form = App.new.render("deploy/ondemand/form.yml.erb")
        abort "the form has other fields than attributes" unless form["form"] == form["attributes"].keys
        script = App.new("cholesky n=65536 threads=6", "10", "").render("deploy/ondemand/submit.yml.erb")["script"]
        abort "the job is #{script}" unless script == { "wall_time" => 94020, "native" => ["--nodes=4", "--ntasks=16", "--cpus-per-task=6"] }
        begin
            App.new("cholesky --token-file=/etc/passwd", "", "").render("deploy/ondemand/submit.yml.erb")
            abort "an option reaches the client"
        rescue RuntimeError
        end' &&
        grep -qx 'recommend --url=[^ ]* --timeout=30 --format=json cholesky n=65536 threads=6 deadline_s=600 quantile=0.95 limit=1' "$client/asked" ||
        complain "the app of Open OnDemand does not ask as it should"
fi

for script in deploy/jobs/forerun deploy/jobs/forerun.bash deploy/*.sh deploy/jobs/*.sh tests/*.sh tests/*/*.sh; do
    "$(sed -n '1s/^#!//p' "$script" | grep . || echo /bin/bash)" -n "$script" || complain "$script does not parse"
done
[ "$failed" -eq 0 ] && echo "deploy/ fits the program"
exit "$failed"
