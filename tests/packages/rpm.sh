#!/bin/sh
# The RPM spec: without a complaint of rpmlint; the source package and the packages are built from the tarball with
# Debian's rpm, which has neither Fedora's packages nor all its macros.  They are left in ROOTS/rpm.
#   tests/packages/rpm.sh TARBALL ROOTS
set -eu
archive=$1
top=$2/rpm
cd "$(dirname "$0")/../.."
rpmlint -c deploy/rpm/rpmlint.toml deploy/rpm/forerun.spec >"$2/rpmlint.log" || { cat "$2/rpmlint.log" >&2; exit 1; }
grep -q ' 0 errors, 0 warnings' "$2/rpmlint.log" || { cat "$2/rpmlint.log" >&2; exit 1; }
rm -rf "${top:?}"
mkdir -p "$top/SOURCES"
cp "$archive" "$top/SOURCES"
built() {
    rpmbuild "$@" --define "_topdir $top" --define '_unitdir /usr/lib/systemd/system' --define '_sysusersdir /usr/lib/sysusers.d' \
        --define 'systemd_post() :' --define 'systemd_preun() :' --define 'systemd_postun_with_restart() :' --define '_docdir /usr/share/doc' \
        deploy/rpm/forerun.spec >"$top/log" 2>&1 || { tail -n 30 "$top/log" >&2; exit 1; }
}
built -bs
# The unit tests of the build are those of `make check`.
built -bb --nodeps --nocheck
for package in forerun forerun-calibrate; do
    rpm -qp --list "$top"/RPMS/*/"$package"-[0-9]*.rpm >"$top/$package.list"
done
for file in /etc/forerun/forerund.conf /usr/bin/forerun /usr/bin/forerund /usr/lib/systemd/system/forerund.service \
    /usr/lib/sysusers.d/forerun.conf /usr/share/forerun/static/index.html; do
    grep -qx "$file" "$top/forerun.list" || { echo "rpm: $file is not packed" >&2; exit 1; }
done
rpm -qp --configfiles "$top"/RPMS/*/forerun-[0-9]*.rpm | grep -qx /etc/forerun/forerund.conf
grep -qx /usr/bin/forerun-calibrate "$top/forerun-calibrate.list"
echo "rpm: rpmlint is silent, and the packages are built"
