#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The rules of tests/house.sh can be broken: in a copy of the tree that breaks every one of them,
# every one of its tests fails.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
copy=$CELLSCOPE_OUT/house
rm -rf "$copy" && mkdir -p "$copy/out" "$copy/lib/.libs" || exit 99
(cd "$CELLSCOPE_SOURCE" && tar -cf - --exclude='*.o' --exclude='*.lo' --exclude='*.a' \
	--exclude='.libs' --exclude='.deps' --exclude='tests/out' --exclude='*.log' --exclude='*.trs' \
	--exclude='tests/unit/*/[a-z_]*[a-z0-9]' --exclude='*.la' \
	lib src cmds tests man fixtures debian configure.ac Makefile.am bootstrap .ci README.md HACKING.md |
	tar -xf - -C "$copy") 2>"$copy/out/err" || exit 99
chmod -R u+w "$copy" && cd "$copy" || exit 99

# plant FILE LINE...: the lines are put at its end.
plant() {
	file=$1
	shift
	printf '%s\n' "$@" >>"$file"
}

plant lib/core/geometry.c '#include "format/file.h"'
for room in core/bytes core/memory core/process core/text mesh/files mesh/lightmap nanite/inspect nanite/picture nanite/paging ue/schema ue/container ue/object ue/nanite ue/map rules farm import format world mesh \
	cluster nanite/format nanite/encode nanite/decode nanite/residency \
	nanite/verify nanite/build ue/package ue/project ue/log make cook cook/phases cook/placement cook/record assets compare; do
	plant "lib/$room/strange.c" '#include "stream/stream.h"'
done
for room in . levels frame answers; do
	plant "lib/stream/$room/strange.c" '#include "world/world.h"'
done
plant lib/stream/sources/strange.c '#include "stream/answers/answers.h"'
for room in nanite picture world cook stream compare session; do
	plant "cmds/$room/strange.c" '#include "cmds/attic/cmd_attic.h"'
done
for room in sql picture tables; do
	plant "lib/query/$room/strange.c" '#include "format/file.h"'
done
plant lib/stream/answers/why.c '#include "stream/range.h"' 'hit = cs_run_find_hit(w, cell);'
plant lib/whatif/count.c '#include "ue/log/log.h"'
plant lib/runs/strange.c '#include "cook/record.h"'
plant lib/core/strange.h '#ifdef CS_IN''SIDE' '#endif'
plant lib/cellscope/sixteenth.h ''
plant lib/debug/run_to_stop.c '#include "stream/stream.h"'
plant lib/report/html_page.c '#include "stream/stream.h"'
for room in output language session tui; do
	plant "src/$room/strange.c" '#include "src/front/main.h"'
done
for number in $(seq 41); do plant "cmds/world/crowd$number.c" ''; done
mkdir lib/attic && plant lib/attic/attic.c ''
plant lib/cellscope/query.h 'CS_API int cs_nobody(void);' 'struct cs_new_options {' '	bool first;' '};'
plant lib/cellscope/core.h '#include "core/vec.h"'
sed -i '/^CS_BEGIN_DECLS/d' lib/cellscope/cook.h
sed -i 's/^struct cs_cooked {/&\n\tconst struct cs_cooked_actor *actors;/' lib/cellscope/cooked.h
plant lib/core/bytes/guid.c '#include "core/vec.h"'
plant src/front/main.c '#include "world/world.h"' 'puts("x");'
plant lib/core/memory/sort.c 'qsort(rows, n, 4, compare);' 'printf("x");'
plant lib/world/world.c 'size_t middle = low + (high - low) / 2;' 'MD5Init(&context);' \
	'at = (at + 1) & mask;' 'n = strcspn(text, ",");' 'inside = (byte & 0xc0) == 0x80;' \
	'{"unloaded", "loaded"}' 'cs_error_new(e->code, "%s", e->message);' 'struct codec {'
plant cmds/world/cmd_cells.c '/* TO''DO */' 'blank ' 'qsort(rows, n, 4, compare);' 'n = atoi(word);' \
	'cs_stream_step(stream);' '#include <math.h>' 'session->listed.table = NULL;'
{
	echo 'struct heap {'
	yes '	int more;' | head -n 31
	echo '};'
} >>lib/core/memory/sort.c
sed -i 1d cmds/picture/cmd_map.c lib/core/bytes/guid.c
sed -i 1s/Apache-2.0/MIT/ lib/core/text/text.c
sed -i 1s/GPL-3.0-or-later/MIT/ src/session/help.c
yes '/* long */' | head -n 800 >>cmds/cook/cmd_why.c
sed -i 's,^      stream/ ,      cellar/ ,; s,`lib/debug/`,,' HACKING.md README.md
for file in lib/core/text/text.c lib/core/geometry.c; do
	plant "$file" 'static int named_in_two_files(void)' '{' '	return 0;' '}'
done
git init -q . 2>out/err && printf '\177ELF\0\0' >lib/program && git add -f lib/program 2>out/err
plant tests/local.mk 'strange = once' 'strange = twice'
sed -i "s/^LEFT_OUT = {/&'front\\/moved.sh', /" tests/mutate.py
plant tests/install.sh ': >"$CELLSCOPE_''OUT/rules_named"'
: >tests/unit/core/unlisted.c
: >tests/unit/core/unlisted.h
: >fixtures/checks/unlisted.cmd
: >man/cellscope-commands.7
printf 'name\talias\tgroup\tsummary\texamples\nnew\t\tFiles\t\t\n' >out/table
printf '#!/bin/sh\n[ "$2" ] && exec cat "%s/out/table"\nyes | head -n 50\n' "$copy" >cellscope && chmod +x cellscope
echo 'int foreign = 1;' >out/foreign.c
${CC:-cc} -shared -fPIC -o lib/.libs/libcellscope.so out/foreign.c 2>out/err || rm -rf lib/.libs

CELLSCOPE_SOURCE=$copy CELLSCOPE_BUILD=$copy CELLSCOPE_OUT=$copy/out \
	sh tests/house.sh >out/points 2>out/err
[ $? -ne 0 ]
ok $? 'a house without rules does not pass'
grep -E '^(not )?ok' out/points | grep -v '# SKIP' >out/rules
[ "$(grep -c '' out/rules)" -gt 25 ]
ok $? 'there are rules'
while IFS= read -r point; do
	case $point in
	not*) ok 0 "bites: ${point#* - }" ;;
	*) ok 1 "bites: ${point#* - }" ;;
	esac
done <out/rules
rm -rf "$copy"
finish
