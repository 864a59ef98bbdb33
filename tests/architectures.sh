#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Other machines: i686, aarch64 and s390x (whose numbers lie with the high byte first), by Debian's
# cross compilers and qemu-user: the tests of ARCHITECTURE_TESTS pass, and files are those of this
# machine: what is not compressed byte for byte, cooked files by their content_id, for LZ4 packs in
# another way elsewhere. Part of `make nightly`; needs root, mmdebstrap and a mirror of Debian, and skips
# without. The machine stays as it is: packages go to a root for each, kept in ARCHITECTURE_ROOTS for
# the next time, and mounts and what the kernel runs by qemu end with their name space.
# Less: ARCHITECTURES=s390x ARCHITECTURE_TESTS='tests/unit/format/file'
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL TESTS
roots=${ARCHITECTURE_ROOTS:-/var/tmp/cellscope-architectures}
tests=${ARCHITECTURE_TESTS:-$(for test in core/base format/columns format/container_forms format/file world/world mesh/mesh mesh/mesh_files compare/sums \
	stream/csv_profile ue/ue_cooked ue/ue_containers ue/ue_nanite ue/ue_project nanite/nanite_resource \
	nanite/nanite_codec nanite/nanite_encode query/query stream/stream_levels cook/cook_rules; do echo tests/unit/$test; done)}

# What ./bootstrap installs, of the other machine; what builds is of this one.
libraries='libc6-dev libreadline-dev libncurses-dev libsqlite3-dev libjansson-dev libmd-dev
	libutf8proc-dev libxxhash-dev liblz4-dev libmetis-dev libassimp-dev zlib1g-dev libzstd-dev
	libssl-dev libcurl4-openssl-dev libgomp1'
tools='autoconf automake libtool pkg-config make gawk qemu-user-static'

# names_of MACHINE: Debian's name, the compiler's, qemu's, and what ELF files of it begin with. An
# x86-64 runs i686 by itself: qemu's name is empty then.
names_of() {
	case $1 in
	i686) set -- i386 i686-linux-gnu "$([ "$(uname -m)" = x86_64 ] || echo i386)" 01 01 '\x03\x00' ;;
	aarch64) set -- arm64 aarch64-linux-gnu aarch64 02 01 '\xb7\x00' ;;
	s390x) set -- s390x s390x-linux-gnu s390x 02 02 '\x00\x16' ;;
	esac
	debian=$1 triple=$2 qemu=$3
	kind='\x02\x00' mask='\xfe\xff'
	[ "$5" = 01 ] || kind='\x00\x02' mask='\xff\xfe'
	magic="\\x7fELF\\x$4\\x$5\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00$kind$6"
	mask="\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xfc\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff$mask\\xff\\xff"
}

# make_root: once. Of the main archive alone, where all machines have the same versions.
make_root() {
	[ ! -e "$root/made" ] || return 0
	rm -rf --one-file-system "$root" && mkdir -p "$roots" || return 1
	codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
	mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' |
		awk -v name="$codename" '$2 == name { print $1; exit }')
	include=$(printf '%s,' $tools "gcc-$triple"; printf "%s:$debian," $libraries)
	apt-config dump Acquire >"$roots/$machine.apt"
	unshare --mount --propagation private mmdebstrap --variant=apt \
		--architectures="$(dpkg --print-architecture),$debian" --aptopt="$roots/$machine.apt" \
		--include="${include%,}" "$codename" "$root" "deb $mirror $codename main" \
		>"$roots/$machine.log" 2>&1 && touch "$root/made"
}

# inside COMMAND: in the root, where the kernel runs programs of its machine, by qemu if need be
inside() {
	root=$root qemu=$qemu register=":$qemu:M::$magic:$mask:$root/usr/bin/qemu-$qemu-static:OF" command=$1 \
		unshare --user --map-root-user --mount --pid --fork sh -c '
		mount -t proc proc "$root/proc" || exit 1
		if [ -n "$qemu" ]; then
			mount -t binfmt_misc none "$root/proc/sys/fs/binfmt_misc" &&
				printf %s "$register" >"$root/proc/sys/fs/binfmt_misc/register" || exit 1
		fi
		exec chroot "$root" sh -c "cd /tree/build && $command"'
}

# The sums of what is made, but for what LZ4 packs: of that the content_id.
made_by() {
	grep -v '\.cworld$\|\.cnanite$' <<<"$1"
	for file in "$2"/*.cworld; do
		"$CELLSCOPE_BUILD/cellscope" --batch -q "$file" info --json </dev/null |
			sed "s|.*\"content_id\":\"\([^\"]*\)\".*|\1 ${file##*/}|"
	done
}

command -v mmdebstrap >/dev/null && [ "$(id -u)" = 0 ] || {
	skip 'needs root and mmdebstrap'
	finish
}
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
ours=$(made_by "$(MADE=$here sh "$CELLSCOPE_SOURCE/tests/made.sh" "$CELLSCOPE_BUILD" |
	grep '^[0-9a-f]\{64\} ')" "$here")
for machine in ${ARCHITECTURES:-i686 aarch64 s390x}; do
	names_of "$machine"
	root=$roots/$machine
	if ! make_root; then
		skip "$machine: no root of Debian ($roots/$machine.log)"
		echo "# table $machine: not tried"
		continue
	fi
	rm -rf --one-file-system "$root/tree"
	make -C "$CELLSCOPE_BUILD" -s distdir distdir="$root/tree" >"$roots/$machine.build" 2>&1
	mkdir -p "$root/tree/build" "$root/tree/out"
	inside "PKG_CONFIG_LIBDIR=/usr/lib/${triple/i686/i386}/pkgconfig:/usr/share/pkgconfig \
		../configure --host=$triple --disable-shared CFLAGS='-O1 -g0' &&
		make -j$(nproc) all && make -j$(nproc) tests/gen $(echo $tests)" >>"$roots/$machine.build" 2>&1
	ok $? "$machine: built"
	failed=0 total=0
	no_cage=${qemu:+CELLSCOPE_NO_SANDBOX=1} # which has no Landlock, and no filter of system calls
	for test in $tests; do
		inside "CELLSCOPE_OUT=/tree/out CELLSCOPE_SOURCE=/tree CELLSCOPE_BUILD=/tree/build \
			CELLSCOPE_IMPORT=/tree/build/cellscope-import CELLSCOPE_EVERY=31 LC_ALL=C \
			CELLSCOPE_DATA=/nonexistent $no_cage timeout 900 $test" >"$root/tree/out/log" 2>&1
		status=$?
		ok $status "$machine: $test"
		[ $status -eq 0 ] || grep -A 3 '^not ok' "$root/tree/out/log" | sed 's/^/# /' | head -n 20
		total=$((total + 1)) failed=$((failed + (status != 0)))
	done
	sums=$(inside 'MADE=/tree/made sh ../tests/made.sh .' 2>&1 | grep '^[0-9a-f]\{64\} ')
	theirs=$(made_by "$sums" "$root/tree/made")
	differ=$(diff <(echo "$ours") <(echo "$theirs"))
	empty "$(head -n 20 <<<"$differ")" "$machine: $(wc -l <<<"$theirs") files, as here"
	echo "# table $machine: $((total - failed)) of $total tests pass, files $([ -z "$differ" ] && echo equal || echo differ)"
done
finish
