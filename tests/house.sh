#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The rules of the house that a machine can check (HACKING.md): who includes whom, what the library
# exports, licences, sizes, words that have no place here.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
cd "$CELLSCOPE_SOURCE" || exit 99

# ---- who may include whom ----

# The module that a public header belongs to.
owner() {
	case $1 in
	api.h | error.h | error_codes.def | base.h) echo base ;;
	cooked.h | cnanite.h) echo file ;;
	explain.h) echo cook ;;
	dag.h) echo nanite ;;
	stream_events.h) echo stream ;;
	*) echo "${1%.h}" ;;
	esac
}

# includes MODULE ALLOWED...: what the files of lib/MODULE include beyond that and their own.
includes() {
	module=$1
	shift
	allowed=" $module $* "
	sed -nE 's/^#include ["<](cellscope\/)?([a-z_]+)(\/[a-z_.]+|\.h)[">].*/\1\2\3/p' \
		lib/"$module"/*.[ch] | sort -u | while IFS= read -r header; do
		case $header in
		cellscope/*) from=$(owner "${header#cellscope/}") ;;
		*/*) from=${header%/*} ;;
		*) continue ;; # of the system or a library
		esac
		[ -d "lib/$from" ] || [ "$from" = src ] || [ "$from" = cmds ] || continue
		case $allowed in
		*" $from "*) ;;
		*) echo "lib/$module includes $header" ;;
		esac
	done
}

empty "$(includes base)" 'base includes nothing'
empty "$(includes file base)" 'file includes base'
empty "$(includes world file base)" 'world includes file, base'
empty "$(includes ue world file base)" 'ue includes world, file, base'
empty "$(includes cook world file base)" 'cook includes world, file, base'
empty "$(includes stream file base)" 'stream includes file, base: never world or cook'
empty "$(includes mesh file base)" 'mesh includes file, base'
empty "$(includes nanite mesh file base)" 'nanite includes mesh, file, base'

empty "$(includes debug stream query base)$(grep -n '#include "' lib/debug/*.[ch] |
	grep -vE '"(debug|base)/')" 'debug includes <cellscope/...> of stream and query, and base'
empty "$(grep -n '#include "' lib/cellscope/*.h)" 'public headers include each other alone'
empty "$(grep -n '#include "' lib/query/*.[ch] | grep -vE '"(query|base)/')" \
	'query includes public headers and base'
empty "$(grep -n '#include "' src/*.[ch] cmds/*.[ch] | grep -vE '"(src|cmds)/|"base/vec\.h"')" \
	'the program includes public headers, itself and base/vec.h'

# ---- the library ----

banned='strcpy|strcat|sprintf|vsprintf|gets|strtok|atoi|atol|atof|rand|random|qsort|alloca|time'
empty "$(grep -nE "(^|[^a-zA-Z0-9_.>])($banned)\(" lib/*/*.[ch])" 'lib calls nothing unsafe or vague'
empty "$(grep -nE '(^|[^a-zA-Z0-9_.>])(printf|fprintf|puts|putchar|fputs|perror|exit|abort)\(' \
	lib/*/*.[ch] | grep -v '^lib/file/unpack\.c:.*abort()')" \
	'lib neither prints nor ends the program, but where ASan would not see an over-read'
empty "$(grep -nE '(^|[^a-zA-Z0-9_.>])(printf|fprintf|puts|putchar|fputs|perror)\(' \
	src/*.[ch] cmds/*.[ch])" 'the program prints through src/output.c alone'
library=$CELLSCOPE_BUILD/lib/.libs/libcellscope.so
if command -v nm >/dev/null && [ -r "$library" ]; then
	empty "$(nm -D --defined-only "$library" | awk '{ print $3 }' | grep -v '^cs_')" \
		'libcellscope.so exports names in cs_ alone'
else
	skip 'libcellscope.so exports names in cs_ alone: no shared library here'
fi

# ---- texts ----

folders='lib src cmds tests man fixtures'
# shellcheck disable=SC2086 # names without blanks, here and below
texts="$(find $folders -name '*.[ch]' -o -name '*.sh' -o -name '*.mk' -o -name '*.def' \
	-o -name '*.in' -o -name '*.cmd' | grep -v '^tests/out/' | sort)
	configure.ac Makefile.am bootstrap .ci/run man/generate tests/run-cmd tests/summary"
code=$(find lib src cmds tests -name '*.[ch]' | grep -v '^tests/out/')
# shellcheck disable=SC2086
{
	empty "$(grep -L 'SPDX-License-Identifier: ' $texts)" 'every file names its licence'
	empty "$(grep -L 'SPDX-License-Identifier: Apache-2.0' lib/*/*.[ch] lib/*/*.def)" \
		'the library is under Apache-2.0'
	empty "$(grep -L 'SPDX-License-Identifier: GPL-3.0-or-later' src/*.[ch] cmds/*.[ch])" \
		'the program is under GPL-3.0-or-later'
	empty "$(grep -nwE 'TO[D]O|FIX[M]E|XX[X]' $texts | grep -vE '# TO[D]O (%s|issue)')" \
		'nothing is left to do in a comment'
	empty "$(grep -nE '[ 	]+$' $texts)" 'no blanks at the ends of lines'
	empty "$(wc -l $code | awk '$1 > 800 && $2 != "total"')" 'no file of code over 800 lines'
}

# ---- maps of the house ----

unnamed=$(for folder in lib/*/ src/ cmds/ tests/ fixtures/ man/; do
	grep -qF "\`$folder\`" README.md || echo "$folder"
done)
empty "$unnamed" 'every folder is in the map of README.md'
unnamed=$(for folder in lib/*/; do
	grep -qE "^      $(basename "$folder")/ +[a-z]" HACKING.md || echo "$folder"
done)
empty "$unnamed" 'every module is in the list of HACKING.md'
stale=$(sed -nE 's/^      ([a-z]+)\/ .*/\1/p' HACKING.md | while IFS= read -r module; do
	[ -d "lib/$module" ] || echo "$module"
done)
empty "$stale" 'and nothing else is'
twice=$(awk 'FNR == 1 || /^(if|else|endif)/ { split("", seen) }
	/^[a-zA-Z_]+ =/ && seen[$1]++ { print FILENAME ": " $1 " is set twice" }
	/^[a-zA-Z_]+ \+=.*[^\\]$/ && seen[$0]++ { print FILENAME ": " $0 }
	/^\t%D%.*\.(c|sh|cmd) *\\?$/ && seen[$1]++ { print FILENAME ": " $1 }' \
	Makefile.am ./*/local.mk ./*/*/local.mk)
empty "$twice" 'the build sets no variable and lists no file twice'
unlisted=$(for file in tests/unit/*.c tests/bench/*.c tests/fuzz/*.c tests/front/*.c \
	tests/front/*.sh tests/cmd/*.cmd tests/*.sh; do
	grep -qE "%D%/${file#tests/}|%D%/$(echo "${file#tests/}" | sed 's/\.c$//')( |\$)" \
		tests/local.mk || echo "$file"
done)
empty "$unlisted" 'every test is in tests/local.mk'
unlisted=$(find fixtures -name '*.cmd' | while IFS= read -r file; do
	grep -qF "%D%/${file#fixtures/}" fixtures/local.mk || echo "$file"
done)
empty "$unlisted" 'every command file is in fixtures/local.mk'

# ---- commands ----

"$cs" help --tsv >"$CELLSCOPE_OUT/commands.tsv"
empty "$(awk -F'\t' 'NR > 1 && ($4 == "" || $5 == "") { print $1 }' "$CELLSCOPE_OUT/commands.tsv")" \
	'every command has a summary and an example'
missing=$(awk -F'\t' 'NR > 1 { print $1 }' "$CELLSCOPE_OUT/commands.tsv" | while IFS= read -r name; do
	grep -qF ".It Ic $name" "$CELLSCOPE_BUILD/man/cellscope-commands.7" || echo "$name"
done)
empty "$missing" 'every command is in the manual'
[ "$(wc -l <"$CELLSCOPE_OUT/commands.tsv")" -gt 40 ]
ok $? 'and there are commands'
finish
