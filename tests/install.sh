#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make install` puts every part in its place, and a program that knows only the installed headers
# and cellscope.pc builds, links and runs.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
root=$CELLSCOPE_OUT/root
rm -rf "$root" && mkdir -p "$root/work" || exit 99
cd "$CELLSCOPE_BUILD" || exit 99
unset MAKEFLAGS MFLAGS MAKELEVEL TESTS
make -s install DESTDIR="$root" >"$root/work/log" 2>&1
installed=$?
ok $installed 'make install DESTDIR=FOLDER'
[ $installed -eq 0 ] || sed 's/^/# /' "$root/work/log"
prefix=$root$(sed -n 's/^prefix = //p' Makefile)

for file in bin/cellscope libexec/cellscope/cellscope-import lib/libcellscope.a lib/pkgconfig/cellscope.pc \
	share/man/man1/cellscope.1 share/man/man3/libcellscope.3 \
	share/man/man5/cellscope-format.5 share/man/man7/cellscope-commands.7 \
	share/man/man7/cellscope-options.7 share/man/man7/cellscope-rules.7 \
	share/bash-completion/completions/cellscope; do
	[ -s "$prefix/$file" ]
	ok $? "$file"
done
for header in "$CELLSCOPE_SOURCE"/lib/cellscope/*.[hd]*; do
	[ -s "$prefix/include/cellscope/${header##*/}" ]
	ok $? "include/cellscope/${header##*/}"
done
"$prefix/bin/cellscope" --version | grep -q '^cellscope [0-9]'
ok $? 'the installed program runs'
printf 'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n' \
	>"$root/work/a.stl"
(unset CELLSCOPE_IMPORT && "$prefix/bin/cellscope" nanite build "$root/work/a.stl" -o "$root/work/a.cnanite") >/dev/null
ok $? 'and finds its importer in a moved installation'

cd "$root/work" || exit 99
cat >user.c <<'EOF'
#include <cellscope/cook.h>
#include <cellscope/cooked.h>
#include <cellscope/debug.h>
#include <cellscope/explain.h>
#include <cellscope/nanite.h>
#include <cellscope/query.h>
#include <cellscope/stream_events.h>
#include <cellscope/ue.h>
#include <cellscope/world.h>

#include <stdio.h>

int main(int argc, char **argv)
{
	struct cs_cooked *world;
	struct cs_stream *stream;
	struct cs_error *error = cs_cooked_open(argv[argc - 1], NULL, &world);
	if (!error) {
		error = cs_stream_new(world, NULL, NULL, &stream);
		if (!error)
			error = cs_stream_step(stream, 3);
		if (!error)
			printf("frame %d\n", (int)cs_stream_status(stream).frame);
		if (!error)
			cs_stream_free(stream);
		cs_cooked_close(world);
	}
	if (error)
		printf("%s\n", cs_error_message(error));
	cs_error_free(error);
	return 0;
}
EOF
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
cc=$(sed -n 's/^CC = //p' "$CELLSCOPE_BUILD/Makefile")
# Sanitizers and coverage are flags of this build, not of cellscope.pc.
own=$(sed -n 's/^CS_CFLAGS = //p' "$CELLSCOPE_BUILD/Makefile" | tr ' ' '\n' |
	grep -E '^(-fsanitize|--coverage)' | tr '\n' ' ')
if command -v pkg-config >/dev/null; then
	flags="$(pkg-config --define-variable=prefix="$prefix" --cflags cellscope)"
	libs="$(pkg-config --define-variable=prefix="$prefix" --static --libs cellscope)"
	# shellcheck disable=SC2086 # lists of flags
	$cc -std=c11 -Wall -Wextra -Wpedantic -Werror $own user.c -o user $flags $libs 2>err
	ok $? 'a program builds with pkg-config'
	sed 's/^/# /' err
	[ "$(LD_LIBRARY_PATH=$prefix/lib ./user "$CELLSCOPE_OUT/sample.cworld")" = 'frame 3' ]
	ok $? 'and runs'
	[ "$(LD_LIBRARY_PATH=$prefix/lib ./user user.c | grep -c .)" = 1 ]
	ok $? 'or tells what is wrong'
else
	skip 'a program builds: there is no pkg-config'
fi
for header in "$prefix"/include/cellscope/*.h; do
	printf '#include <cellscope/%s>\nint main(void) { return 0; }\n' "${header##*/}" >alone.c
	$cc -std=c11 -Wall -Wextra -Werror -fsyntax-only -I"$prefix/include" alone.c 2>err
	ok $? "${header##*/} stands alone"
	sed 's/^/# /' err
done
if command -v c++ >/dev/null; then
	for header in "$prefix"/include/cellscope/*.h; do
		echo "#include <cellscope/${header##*/}>"
	done >all.cc
	c++ -std=c++20 -Wall -Werror -fsyntax-only -I"$prefix/include" all.cc 2>err
	ok $? 'C++ takes the headers'
	sed 's/^/# /' err
else
	skip 'C++ takes the headers: there is no compiler for it'
fi
rm -rf "$root"
finish
