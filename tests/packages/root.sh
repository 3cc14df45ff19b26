#!/bin/sh
# Runs a command in a root of Debian 12, which is made where there is none: bare, with the package sources of this
# computer.  As root.  The command has its own processes and mounts, which end with it; --offline, its own network too.
#   tests/packages/root.sh [--offline] ROOT COMMAND
set -eu
offline=
[ "$1" != --offline ] || { offline=--net; shift; }
root=$1
command=$2
bare=${root%/*}/bare.tar
if [ ! -e "$bare" ]; then
    mirror=$(sed -n 's/^URIs: *//p; s/^deb *\([^[ ][^ ]*\) .*/\1/p' /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null | head -n 1)
    debootstrap --variant=minbase --include=ca-certificates bookworm "$root" "$mirror" >"$root.log" 2>&1 ||
        { tail -n 20 "$root.log" >&2; exit 1; }
    for file in /etc/apt/apt.conf.d/*proxy* /etc/apt/sources.list.d/debian.sources /etc/ssl/certs/ca-certificates.crt; do
        [ ! -e "$file" ] || cp "$file" "$root$file"
    done
    [ ! -e "$root/etc/apt/sources.list.d/debian.sources" ] || rm -f "$root/etc/apt/sources.list"
    # A package starts no service here, as none can run.
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod +x "$root/usr/sbin/policy-rc.d"
    tar -C "$root" -cf "$bare.part" . && mv "$bare.part" "$bare"
elif [ ! -d "$root" ]; then
    mkdir -p "$root"
    tar -C "$root" -xf "$bare"
fi
cp /etc/resolv.conf /etc/hosts "$root/etc/"
# shellcheck disable=SC2016 # the inner shell expands
exec unshare --mount --pid --fork --kill-child $offline --mount-proc="$root/proc" sh -euc '
    mount -t sysfs -o ro sysfs "$1/sys"
    mkdir -p "$1/dev/shm" "$1/dev/pts"
    mount -t tmpfs -o size=1g tmpfs "$1/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"
    [ -z "$3" ] || ip link set lo up
    exec chroot "$1" /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive sh -euc "$2"' sh "$root" "$command" "$offline"
