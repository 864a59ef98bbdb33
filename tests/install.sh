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
	share/zsh/site-functions/_cellscope share/fish/vendor_completions.d/cellscope.fish \
	share/bash-completion/completions/cellscope; do
	[ -s "$prefix/$file" ]
	ok $? "$file"
done
object=libcellscope_la-arena.o
if [ -e lib/core/.libs/$object ] && [ -e lib/core/$object ]; then
	[ lib/core/.libs/$object -ef lib/core/$object ]
	ok $? 'each file of the library was compiled once for both libraries'
else
	skip 'one of the two libraries is not built here'
fi
for shell in bash zsh fish; do
	if command -v $shell >/dev/null; then
		"$prefix/bin/cellscope" --dump-completion=$shell >completion.$shell
		no_execute=-n
		[ $shell = fish ] && no_execute=--no-execute
		$shell $no_execute completion.$shell && [ "$(grep -c 'cells' completion.$shell)" -gt 0 ]
		ok $? "$shell reads its completion"
		rm completion.$shell
	else
		skip "completion of $shell: there is no such shell"
	fi
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
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
cc=$(sed -n 's/^CC = //p' "$CELLSCOPE_BUILD/Makefile")
# Sanitizers and coverage are flags of this build, not of cellscope.pc.
own=$(sed -n 's/^CS_CFLAGS = //p' "$CELLSCOPE_BUILD/Makefile" | tr ' ' '\n' |
	grep -E '^(-fsanitize|--coverage)' | tr '\n' ' ')
if command -v pkg-config >/dev/null; then
	flags="$(pkg-config --define-variable=prefix="$prefix" --cflags cellscope)"
	libs="$(pkg-config --define-variable=prefix="$prefix" --static --libs cellscope)"
	for example in cook_and_step ask_sql list_pages write_mesh; do
		# shellcheck disable=SC2086 # lists of flags
		$cc -std=c11 -Wall -Wextra -Wpedantic -Werror $own \
			"$prefix/share/doc/cellscope/examples/$example.c" -o "$example" $flags $libs 2>err
		ok $? "examples/$example.c is installed and builds with pkg-config"
		sed 's/^/# /' err
	done
	export LD_LIBRARY_PATH="$prefix/lib" CELLSCOPE_IMPORT="$CELLSCOPE_BUILD/cellscope-import"
	./cook_and_step "$CELLSCOPE_SOURCE/fixtures/valley.json" >out
	[ "$(grep -c '^second [1-3]: [0-9]* of [0-9]* cells active$' out)" = 3 ]
	ok $? 'cook_and_step runs'
	"$prefix/bin/cellscope" -q cook "$CELLSCOPE_SOURCE/fixtures/valley.json" -o valley.cworld
	[ "$(./ask_sql valley.cworld 'SELECT count(*) FROM cells')" = "$("$prefix/bin/cellscope" \
		valley.cworld --csv -e 'sql SELECT count(*) FROM cells' | tail -n 1)" ]
	ok $? 'ask_sql answers as the program does'
	"$prefix/bin/cellscope" -q gen mesh terrain --triangles 20000 --seed 1 -o terrain.ply
	"$prefix/bin/cellscope" -q nanite build terrain.ply -o terrain.cnanite >out
	[ "$(./list_pages terrain.cnanite | grep -c '^page [0-9]* .* needs')" -gt 1 ]
	ok $? 'list_pages lists them'
	./write_mesh terrain.ply cut.obj 2000 >out && [ "$(grep -c '^f ' cut.obj)" -gt 500 ]
	ok $? 'write_mesh writes a cut'
	[ "$(./ask_sql out x 2>&1 | wc -l)" = 2 ]
	ok $? 'or they tell what is wrong'
else
	skip 'a program builds: there is no pkg-config'
fi
for header in "$prefix"/include/cellscope/*.h; do
	printf '#include <cellscope/%s>\nint main(void) { return 0; }\n' "${header##*/}" >alone.c
	$cc -std=c11 -Wall -Wextra -Werror -fsyntax-only -I"$prefix/include" alone.c 2>err
	ok $? "${header##*/} stands alone"
	sed 's/^/# /' err
done
# the brother of the compiler of C: flags of sanitizers differ
cxx=c++
case $cc in *clang*) cxx=clang++ ;; esac
if command -v $cxx >/dev/null && command -v pkg-config >/dev/null; then
	for header in "$prefix"/include/cellscope/*.h; do
		echo "#include <cellscope/${header##*/}>"
	done >user.cc
	cat >>user.cc <<'EOF'
int main()
{
	struct cs_cooked *cooked = nullptr;
	struct cs_error *error = cs_cooked_open("no such file", nullptr, &cooked);
	bool named = error != nullptr && cs_version()[0] != 0;
	cs_error_free(error);
	return named ? 0 : 1;
}
EOF
	# shellcheck disable=SC2086 # lists of flags
	$cxx -std=c++20 -Wall -Werror $own user.cc -o user_cc $flags $libs 2>err && ./user_cc
	ok $? 'a program in C++ builds with all headers, links and runs'
	sed 's/^/# /' err
else
	skip 'a program in C++: there is no compiler for it'
fi
rm -rf "$root"
finish
