#!/bin/sh
# The units under systemd, which is booted in a root where the package is installed and whose /src has the sources:
# debian/tests pass, a restart behind the socket refuses nobody, a database may come late, and the state of a dynamic user is taken over.  As root.
#   tests/packages/units.sh ROOT
set -eu
root=$1
cat >"$root/etc/systemd/system/forerun-test.service" <<'END'
[Service]
Type=oneshot
WorkingDirectory=/src
Environment=HOME=/root
ExecStart=/bin/sh -eu /src/tests/packages/units_booted.sh
ExecStopPost=/bin/sh -c 'echo "$SERVICE_RESULT" >/result'
ExecStopPost=/bin/systemctl poweroff --no-block
StandardOutput=file:/log
StandardError=inherit
TimeoutStartSec=180
END
rm -rf "$root/var/lib/forerun" "$root/var/lib/private/forerun" "$root/log" "$root/result"
systemctl --root="$root" add-wants -q multi-user.target forerun-test.service
# It shares no network with this computer, and has no message bus to ask for a scope.
timeout 240 systemd-nspawn -q -D "$root" --register=no --keep-unit --private-network -b >"$root/booted" 2>&1 || :
[ "$(cat "$root/result" 2>/dev/null)" = success ] || { cat "$root/booted" "$root/log" >&2; echo "units: failed" >&2; exit 1; }
echo "units: run under $(chroot "$root" /lib/systemd/systemd --version | head -n 1)"
