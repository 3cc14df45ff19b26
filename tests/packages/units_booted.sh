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
systemctl reset-failed forerund # as often as it was started here, systemd takes it for one that fails
systemctl start forerund
[ ! -L /var/lib/forerun ]
[ "$(stat -c %U /var/lib/forerun/forerun.db)" = forerun ]
curl -sS --fail-with-body "$url/api/v1/machines/all-1.2_x" -o /dev/null
systemctl stop forerund
