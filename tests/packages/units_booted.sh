# Run under systemd, by units.sh.
set -eux
url=http://127.0.0.1:8080
answers() {
    curl -sS --retry 60 --retry-delay 1 --retry-connrefused --fail-with-body -o /dev/null "$url/readyz"
}
is_running() {
    [ "$(systemctl show -P ActiveState forerund)" = active ] && [ "$(systemctl show -P NRestarts forerund)" -eq 0 ]
}

# The package has enabled and started it.
systemctl is-enabled forerund
[ "$(systemctl is-enabled forerund.socket || :)" = disabled ]
systemctl start forerund
is_running
[ "$(stat -c %U:%a /var/lib/forerun)" = forerun:700 ]
debian/tests/daemon

systemctl start forerund
systemctl reload forerund
answers
is_running

# Behind the socket, a restart refuses nobody.
systemctl stop forerund
systemctl start forerund.socket forerund
main=$(systemctl show -P MainPID forerund)
systemctl restart --no-block forerund
until [ "$(systemctl show -P ActiveState forerund)" = active ] && [ "$(systemctl show -P MainPID forerund)" != "$main" ]; do
    curl -sS --max-time 30 --fail-with-body -o /dev/null "$url/healthz"
done
answers
systemctl stop forerund.socket forerund

# What an earlier unit left, which had a dynamic user.
mkdir -p -m 700 /var/lib/private
mv /var/lib/forerun /var/lib/private/
chown -R 64123:64123 /var/lib/private/forerun
ln -s private/forerun /var/lib/forerun
systemctl start forerund
[ ! -L /var/lib/forerun ]
[ "$(stat -c %U /var/lib/forerun/forerun.db)" = forerun ]
curl -sS --fail-with-body "$url/api/v1/machines/all-1.2_x" -o /dev/null
systemctl stop forerund

# A database that is not there is tried again until it is, and a faulty configuration is not.
override() {
    printf '[Service]\nExecStart=\nExecStart=/usr/bin/forerund --config /etc/forerun/forerund.conf %s\n' "$1" >/run/systemd/system/forerund.service.d/test.conf
    systemctl daemon-reload
}
mkdir -p /run/systemd/system/forerund.service.d
override "--db postgresql://forerun@127.0.0.1:1/forerun"
systemctl start --no-block forerund
sleep 12
[ "$(systemctl show -P ActiveState forerund)" = activating ]
[ "$(systemctl show -P NRestarts forerund)" -ge 1 ]
override ""
answers
systemctl stop forerund
override "--workers 0"
systemctl start forerund || :
[ "$(systemctl show -P ActiveState forerund)" = failed ]
[ "$(systemctl show -P NRestarts forerund)" -eq 0 ]
