#!/bin/sh
# The Debian packages: built from the tarball of `make dist` in a clean root, without a complaint of lintian; installed in
# another one, where debian/tests pass; upgraded, run under systemd, removed and purged there.  As root.  The packages are left
# in ROOTS/debian.
#   tests/packages/debian.sh TARBALL ROOTS
set -eu
archive=$1
roots=$2
cd "$(dirname "$0")/../.."
name=$(basename "$archive" .tar.gz)
for root in debian-build debian-install debian; do
    rm -rf --one-file-system "${roots:?}/$root"
done

echo "debian: building"
build=$roots/debian-build
tests/packages/root.sh "$build" 'apt-get update -qq; mkdir -p /src'
tar -C "$build/src" -xzf "$archive"
# The unit tests of the build are those of `make check`.
tests/packages/root.sh "$build" "
    cd /src/$name
    { apt-get install -y -qq --no-install-recommends build-essential lintian && apt-get build-dep -y -qq --no-install-recommends ./ &&
        DEB_BUILD_OPTIONS='nocheck parallel=$(nproc)' dpkg-buildpackage -us -uc; } >../log 2>&1 || { tail -n 30 ../log >&2; exit 1; }
    lintian --allow-root --fail-on error,warning ../*.changes"
mkdir "$roots/debian"
find "$build/src" -maxdepth 1 -name 'forerun*' -type f -exec cp {} "$roots/debian" \;

echo "debian: installing"
install=$roots/debian-install
tests/packages/root.sh "$install" 'apt-get update -qq'
cp -r "$build/src/$name" "$install/src"
mkdir "$install/debs"
cp "$roots"/debian/*.deb "$install/debs"
rm "$install"/debs/*dbgsym*
# The next version of each package, for an upgrade: the same with another number.
for package in "$install"/debs/*.deb; do
    dpkg-deb -R "$package" "$install/next"
    sed -i 's/^Version: .*/&+next/' "$install/next/DEBIAN/control"
    dpkg-deb -b "$install/next" "$install/debs" >/dev/null
    rm -r "$install/next"
done
tests/packages/root.sh "$install" '{ apt-get install -y -qq $(ls /debs/*.deb | grep -v next) autopkgtest curl gnuplot-nox openmpi-bin; } >/log 2>&1 ||
    { tail -n 30 /log >&2; exit 1; }'
# shellcheck disable=SC2016 # the shell in the root expands
tests/packages/root.sh --offline "$install" '
    complain() { echo "debian: $1" >&2; exit 1; }
    cd /src
    autopkgtest --no-built-binaries . -- null >/log 2>&1 || { tail -n 60 /log >&2; complain "debian/tests do not pass"; }

    echo "# changed" >>/etc/forerun/forerund.conf
    cp /var/lib/forerun/forerun.db /kept.db
    dpkg -i /debs/*next*.deb >/log 2>&1 || { cat /log >&2; complain "no upgrade"; }
    [ "$(dpkg-query -W "forerun*" | grep -c next)" -eq 3 ] || complain "upgraded: $(dpkg-query -W "forerun*")"
    tail -n 1 /etc/forerun/forerund.conf | grep -qx "# changed" || complain "an upgrade replaces the configuration"
    cmp /kept.db /var/lib/forerun/forerun.db || complain "an upgrade changes the database"
    sh debian/tests/daemon >/log 2>&1 || { cat /log >&2; complain "the upgraded daemon does not serve"; }'
tests/packages/units.sh "$install"
# shellcheck disable=SC2016 # the shell in the root expands
tests/packages/root.sh --offline "$install" '
    complain() { echo "debian: $1" >&2; exit 1; }
    dpkg -r forerun forerun-analyze forerun-calibrate >/log 2>&1
    left=$(ls -d /usr/bin/forerun* /usr/share/forerun /lib/systemd/system/forerun* 2>/dev/null || :)
    [ -z "$left" ] || complain "removal leaves $left"
    [ -e /etc/forerun/forerund.conf ] && [ -e /var/lib/forerun/forerun.db ] || complain "removal takes what only a purge takes"
    dpkg -P forerun >/log 2>&1
    left=$(ls -d /etc/forerun /var/lib/forerun 2>/dev/null || :)
    [ -z "$left" ] || complain "a purge leaves $left"
    echo "debian: builds, installs, passes its tests, upgrades and goes"'
