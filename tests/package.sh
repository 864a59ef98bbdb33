#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make deb`: packages that lintian finds no fault with, and that a root with nothing else installs,
# runs and purges. Not part of check: builds everything and makes a root, some minutes. PACKAGES=FOLDER
# takes packages that are made already. Run by `make nightly`, as root.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$CELLSCOPE_BUILD" || exit 99
unset MAKEFLAGS MFLAGS MAKELEVEL TESTS
for tool in dpkg-buildpackage dh; do
	command -v $tool >/dev/null || { skip "packages: no $tool here (apt-get install debhelper dpkg-dev)"; finish; }
done
packages=${PACKAGES:-$CELLSCOPE_BUILD/packages}
if [ -z "${PACKAGES:-}" ]; then
	make -s deb >"$work/log" 2>&1
	made=$?
	ok $made 'make deb'
	[ $made -eq 0 ] || { tail -n 20 "$work/log" | sed 's/^/# /'; finish; }
fi
for package in cellscope libcellscope0 libcellscope-dev; do
	[ "$(ls "$packages/${package}"_*.deb | wc -l)" -eq 1 ]
	ok $? "the package $package"
done
if [ -e .git ] && command -v git >/dev/null && ls cellscope-*.tar.xz >/dev/null 2>&1; then
	git ls-files | grep -v '^\.gitignore$' | LC_ALL=C sort >"$work/tracked"
	tar -tf "$(ls cellscope-*.tar.xz)" | sed 's,^[^/]*/,,' | LC_ALL=C sort >"$work/packed"
	missing=$(LC_ALL=C comm -23 "$work/tracked" "$work/packed")
	empty "$missing" 'make dist packs every file of the repository'
fi
if command -v lintian >/dev/null; then
	lintian --allow-root --fail-on error,warning "$packages"/*.deb >"$work/lintian" 2>&1
	ok $? 'lintian has nothing against them'
	sed 's/^/# /' "$work/lintian"
else
	skip 'lintian: not here'
fi

root=$work/root
if [ "$(id -u)" != 0 ] || ! command -v mmdebstrap >/dev/null; then
	skip 'a clean root: needs root and mmdebstrap'
	finish
fi
if ! mmdebstrap --variant=minbase bookworm "$root" /etc/apt/sources.list.d/debian.sources >"$work/log" 2>&1; then
	tail -n 5 "$work/log" | sed 's/^/# /'
	skip 'a clean root: mmdebstrap could make none'
	finish
fi
in_root() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM="${TERM:-}" DEBIAN_FRONTEND=noninteractive "$@"; }
# what apt needs to get at the packages they depend on, as it does out here
apt-config dump | grep -E '^Acquire::(http|https)' >"$root/etc/apt/apt.conf.d/99outside"
[ ! -d /etc/apt/auth.conf.d ] || cp -r /etc/apt/auth.conf.d "$root/etc/apt/"
[ ! -e /etc/resolv.conf ] || cp -L /etc/resolv.conf "$root/etc/resolv.conf"
mkdir "$root/packages" "$root/work"
cp "$packages"/libcellscope*_*.deb "$root/packages/"
cp "$CELLSCOPE_SOURCE/fixtures/valley.json" "$root/root/"
in_root dpkg-query -W -f '${Package}\n' | sort >"$work/before"
(cd "$root" && find etc usr var/lib -path var/lib/apt -prune -o -path var/lib/dpkg -prune -o -print | sort) >"$work/files-before"
# the image of Containerfile is made of such a root: what it copies and runs is done here
copied=$(sed -n 's/^COPY \(packages\)\/\(.*\) \/tmp\/$/\2/p' "$CELLSCOPE_SOURCE/Containerfile")
# shellcheck disable=SC2086 # a pattern
cp "$packages"/$copied "$root/tmp/"
sed -n '/^RUN /,/[^\\]$/p' "$CELLSCOPE_SOURCE/Containerfile" | sed 's/^RUN //' >"$root/tmp/run"
in_root sh -e /tmp/run >"$work/log" 2>&1
installed=$?
rm "$root/tmp/run"
ok $installed 'a root with nothing else installs cellscope, as Containerfile does'
[ $installed -eq 0 ] || tail -n 10 "$work/log" | sed 's/^/# /'
in_root sh -c 'cd && cellscope -q cook valley.json -o valley.cworld >/dev/null && cellscope -q valley.cworld -e "source add P 0,0" -e "step 30" -e map' >"$work/map" 2>&1
"$CELLSCOPE_BUILD/cellscope" -q "$root/root/valley.cworld" -e 'source add P 0,0' -e 'step 30' -e map | cmp -s - "$work/map"
ok $? 'it cooks, steps and draws there as it does here'
entry=$(sed -n 's/^ENTRYPOINT \["\(.*\)"\]$/\1/p' "$CELLSCOPE_SOURCE/Containerfile")
echo 'assert 1 = 1' >"$root/work/checks.cmd"
in_root sh -c "cd $(sed -n 's/^WORKDIR //p' "$CELLSCOPE_SOURCE/Containerfile") && $entry --tap -x checks.cmd" >"$work/log" 2>&1
grep -q '^ok 1' "$work/log"
ok $? 'and the entry of Containerfile runs a job'
in_root sh -c 'cd && cellscope -q gen mesh sphere --triangles 3000 -o ball.ply && cellscope -q nanite build ball.ply -o ball.cnanite' >"$work/log" 2>&1
ok $? 'and builds meshes'
in_root sh -c 'apt-get update && apt-get install -y --no-install-recommends /packages/libcellscope*.deb gcc libc6-dev pkg-config' >"$work/log" 2>&1
ok $? 'it installs the library and its headers'
in_root sh -c 'cd && cc -Wall -Werror /usr/share/doc/libcellscope-dev/examples/cook_and_step.c -o cook_and_step $(pkg-config --cflags --libs cellscope) && ./cook_and_step valley.json' >"$work/log" 2>&1
ran=$?
ok $ran 'an example builds against them and runs'
[ $ran -eq 0 ] || sed 's/^/# /' "$work/log"
in_root dpkg-query -W -f '${Package}\n' | sort | comm -23 - "$work/before" >"$work/added"
# shellcheck disable=SC2046 # a list of packages
in_root dpkg --purge $(cat "$work/added") >"$work/log" 2>&1
ok $? 'they can be purged'
left=$(cd "$root" && find etc usr var/lib -path var/lib/apt -prune -o -path var/lib/dpkg -prune -o -print | sort |
	comm -23 - "$work/files-before" | grep -i cellscope)
empty "$left" 'and leave nothing of theirs'
finish
