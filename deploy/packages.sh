#!/bin/sh
# Installs missing Debian packages as root; otherwise prints the command that installs them.
# An argument is a package, or command:package if any provider of the command suffices.
set -eu
PATH=$PATH:/usr/sbin # of servers, which users may lack
missing=
for want in "$@"; do
    package=${want#*:}
    case $want in
    *:*) command -v "${want%%:*}" >/dev/null 2>&1 || missing="$missing $package" ;;
    *) dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
        missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing:$missing"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
else
    echo "missing packages; install them with:" >&2
    echo "    sudo apt-get install --no-install-recommends$missing" >&2
    exit 1
fi
