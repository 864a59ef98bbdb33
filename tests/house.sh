#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The rules of the house that a machine can check (HACKING.md): who includes whom, what the library
# exports, licences, sizes, words that have no place here.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
cd "$CELLSCOPE_SOURCE" || exit 99
program=$(find src cmds -name '*.[ch]' | sort)

# ---- who may include whom ----

# The rooms that a public header speaks for: who may look into one of them may include it.
owner() {
	case $1 in
	core.h) echo core ;;
	cooked.h | cooked_values.h) echo format ;;
	cook.h) echo cook/phases ;;
	dag.h) echo cluster ;;
	nanite.h) echo nanite/format ;;
	pages.h) echo nanite/inspect nanite/picture ;;
	paging.h) echo nanite/paging ;;
	ue.h) echo ue/package ue/schema ;;
	query.h) echo query/sql query query/picture ;;
	runs.h) echo stream debug ;;
	compare.h) echo compare whatif runs ;;
	farm.h) echo farm assets ;;
	*) echo "${1%.h}" ;;
	esac
}

# Each room of the library, and the rooms that it may look into, one by one: a room within another
# is named, too. An arrow goes down this list.
rooms='core
core/bytes core
core/memory core
core/process core
core/text core
rules core
farm ue/package mesh format core
format core
world format core
mesh format core
mesh/files mesh format core
mesh/lightmap mesh format core
import farm mesh format core
cluster mesh format core
nanite/format cluster mesh format core
nanite/encode nanite/format cluster mesh format core
nanite/decode nanite/encode nanite/format cluster format core
nanite/residency nanite/decode nanite/format format core
nanite/inspect nanite/residency nanite/decode nanite/format format core
nanite/picture nanite/inspect format core
nanite/paging nanite/inspect nanite/residency core
nanite/verify nanite/residency nanite/decode nanite/format format core
nanite/build nanite/verify nanite/encode nanite/format cluster mesh/lightmap mesh format core
ue/package world format core
ue/project ue/package world format core
ue/log ue/project ue/package world format core
ue/schema ue/package world format core
ue/container ue/schema ue/project ue/package world format core
ue/object ue/container ue/schema ue/package world format core
ue/nanite nanite/format nanite/decode nanite/inspect ue/object ue/container ue/schema ue/package world format core
ue/map ue/nanite ue/object ue/container ue/schema nanite/inspect ue/project ue/package world format core
make world mesh format core
cook/phases world format core
cook/placement cook/phases world format core
cook/record cook/placement cook/phases world format core
cook cook/record cook/placement cook/phases world format core
assets farm cook cook/phases world nanite/inspect nanite/format cluster mesh format core
compare cook cook/record cook/placement cook/phases ue/log ue/project ue/package world format core
stream format core
stream/sources stream format core
stream/levels stream format core
stream/frame stream format core
stream/answers stream format core
runs debug query stream ue/log format core
whatif stream cook cook/record cook/phases world format core'

# includes ROOM ALLOWED...: what the files of lib/ROOM include beyond that and their own.
includes() {
	room=$1
	shift
	allowed=" $room $* "
	sed -nE 's/^#include ["<]([a-z_]+(\/[a-z_]+)*\/[a-z_]+\.(h|def))[">].*/\1/p' \
		lib/"$room"/*.[ch] | sort -u | while IFS= read -r header; do
		case $header in
		cellscope/*) from=$(owner "${header#cellscope/}") ;;
		*) from=${header%/*} ;;
		esac
		[ "$room $header" = 'format cellscope/nanite.h' ] && continue # the rows of a .cnanite
		case $room/$header in # its words: the values of enums alone
		rules/cellscope/* | rules/format/check*) continue ;;
		esac
		strange=
		for one in $from; do
			[ -d "lib/$one" ] || [ "$one" = src ] || [ "$one" = cmds ] || continue
			case $allowed in
			*" $one "*) continue 2 ;;
			*) strange=$one ;;
			esac
		done
		[ -z "$strange" ] || echo "lib/$room includes $header"
	done
}

while read -r room allowed; do
	# shellcheck disable=SC2086 # the rooms, word by word
	empty "$(includes $room $allowed)" "$room includes ${allowed:-nothing}"
done <<END
$rooms
END
empty "$(grep -n '#include "' lib/report/*.[ch] | grep -vE '"(report|core)/')" \
	'report includes public headers and core'
strangers=$(find lib -name '*.c' | sed 's,^lib/,,; s,/[^/]*$,,' | sort -u | while IFS= read -r room; do
	printf '%s\ndebug\nquery/sql\nquery/picture\nquery/tables\nreport\n' "$rooms" | grep -qE "^$room( |\$)" || echo "lib/$room"
done)
empty "$strangers" 'every room of the library is in the list of who includes whom'

empty "$(includes debug stream query query/picture query/sql core)$(grep -n '#include "' lib/debug/*.[ch] |
	grep -vE '"(debug|core)/|_inside.h"')" \
	'debug includes what stream and query offer, and core'
# The rooms of the program, in the same way.
while read -r room allowed; do
	empty "$(grep -n '#include "' $(find src/"$room" -name '*.[ch]') |
		grep -vE "\"(src/($room$(printf '|%s' $allowed))/|core/(vec|large|search|items|utf8)\.h\")")" \
		"src/$room includes ${allowed:-nothing} of the program"
done <<END
output
language output
session language output
tui session language output
front tui session language output
END
empty "$(find src cmds lib tests -path tests/out -prune -o -name '*.[ch]' -print -o -name '*.sh' -print -o -name '*.cmd' -print |
	sed 's,/[^/]*$,,' | sort | uniq -c | awk '$1 > 40')" \
	'no folder of the library, the program or the tests has more than 40 files'
# And those of the commands.
while read -r room allowed; do
	empty "$(grep -n '#include "cmds/[a-z]*/' cmds/"$room"/*.[ch] |
		grep -vE "\"cmds/($room$(printf '|%s' $allowed))/")" \
		"cmds/$room includes ${allowed:-nothing} of the commands"
done <<END
nanite
picture
world nanite
cook picture nanite
stream picture nanite
compare cook world picture
session compare stream cook world picture nanite
END
empty "$(awk '/^struct cs_[a-z_]*options \{/ { name = $2; next }
	name { if (!/^\tsize_t size;/) print FILENAME ": " name; name = "" }' lib/cellscope/*.h)" \
	'option structs begin with their size'
empty "$(grep -n '#include "' lib/cellscope/*.h)" 'public headers include each other alone'
# All of them in both orders, so that each stands alone and behind any other (tests/install.sh).
for header in lib/cellscope/*.h; do
	echo "#include <${header#lib/}>"
done >"$CELLSCOPE_OUT/headers"
sort -r "$CELLSCOPE_OUT/headers" >"$CELLSCOPE_OUT/headers.reversed"
for compiler in 'gcc -xc -std=c11' 'clang -xc -std=c11' 'g++ -xc++ -std=c++17' 'clang++ -xc++ -std=c++17'; do
	if command -v "${compiler%% *}" >/dev/null; then
		# shellcheck disable=SC2086 # the compiler and its flags
		warned=$(for order in headers headers.reversed; do
			$compiler -Wall -Wextra -pedantic -fsyntax-only -Ilib - 2>&1 <"$CELLSCOPE_OUT/$order"
		done)
		empty "$warned" "public headers compile without a warning: $compiler"
	else
		skip "public headers compile: there is no ${compiler%% *}"
	fi
done
empty "$(grep -L '^CS_BEGIN_DECLS' lib/cellscope/*.h | grep -v '/api\.h$')" \
	'public headers declare for C++ too'
while read -r room allowed; do
	empty "$(grep -n '#include "' lib/query/"$room"/*.[ch] |
		grep -vE "\"(core|query/($room$(printf '|%s' $allowed)))/|_inside.h\"")" \
		"query/$room includes public headers, core and ${allowed:-nothing} of query"
done <<END
sql
picture sql
tables picture sql
END
empty "$(grep -n '#include "' $program | grep -vE '"(src|cmds)/|"core/(vec|large|search|items|utf8)\.h"')" \
	'the program includes public headers, itself, and the inline tools of core'

# shellcheck disable=SC2046 # names without blanks
empty "$(awk -f tests/unused.awk $(find lib src cmds -name '*.h') $(find lib src cmds -name '*.c'))" \
	'no file includes a header of ours that it uses nothing of'

# ---- the library ----

lib=$(find lib -name '*.[ch]' | sort)

banned='strcpy|strcat|sprintf|vsprintf|gets|strtok|atoi|atol|atof|rand|random|qsort|alloca|time'
empty "$(grep -nE "(^|[^a-zA-Z0-9_.>])($banned)\(" $lib)" 'lib calls nothing unsafe or vague'
empty "$(grep -nE '(^|[^a-zA-Z0-9_.>])(printf|fprintf|puts|putchar|fputs|perror|exit|abort)\(' \
	$lib | grep -v '^lib/format/unpack\.c:.*abort()' | grep -v '^lib/core/invariant\.c:')" \
	'lib neither prints nor ends the program, but where ASan would not see an over-read, nor anyone that an invariant is broken'
empty "$(grep -nE '(^|[^a-zA-Z0-9_.>])(printf|fprintf|puts|putchar|fputs|perror)\(' \
	$program)" 'the program prints through src/output alone'

# ---- commands compute nothing ----

empty "$(grep -nE '\b(qsort|qsort_r|bsearch|cs_sort[a-z_]*|cs_lower_bound)\(' cmds/*/*.[ch])" \
	'commands neither sort nor search: the library has orders'
empty "$(grep -nE '\b(strto(l|ul|ll|ull|f|d|ld)|sscanf|ato[a-z]+)\(' cmds/*/*.[ch])" \
	'commands read no numbers: arguments have types (src/language)'
empty "$(grep -nE '(->|\.)listed(\.|->|;)' $program | grep -v '^src/session/listed\.c:' |
	grep -v 'row->listed')" 'what was listed last is the state of one file'
empty "$(grep -nE '\bcs_stream_step\(' cmds/*/*.[ch])" \
	'commands have no loop of frames: cs_debug_run and cs_stream_run have'
empty "$(grep -nE '#include <math\.h>|\b(NAN|INFINITY|(is(nan|inf|finite)|f(max|min|abs|mod)|sqrt|cbrt|hypot|pow|exp2?|log(2|10)?|ldexp|ceil|floor|l?l?round|trunc|a?(sin|cos|tan)|atan2)\()' cmds/*/*.[ch])" \
	'commands have no mathematics: they ask for what they show'

# ---- a decision is read where it was recorded ----

# Answers see lib/stream/decision.h; the state that decisions are made of is the frame's alone.
answers='why why_layer hlod_view'
seen=$(for answer in $answers; do
	grep -H '^#include "stream/' "$(find lib/stream -name "$answer.c")" |
		grep -v '"stream/\(.*/\)\?decision.h"'
done)
empty "$seen" 'answers about a run read the record of what was decided, and nothing else of it'
deciding='cs_run_find_hit|cs_run_layers_allow|cs_run_cell_excluded|cs_run_sources_ask|cs_run_seen_by'
deciding="$deciding|cs_run_skips|cs_run_is_late|cs_run_order_arrived|->hold\\b"
seen=$(find lib/stream -name '*.c' |
	grep -Ev '/(decision|policy|hits|kept|range|level|queue|order|performance|server|state|layer|stream_query)\.c$' |
	xargs grep -nE "$deciding")
empty "$seen" 'who does not decide asks for nothing that decides'

# Rows of a cooked world that are loaded late are asked for, never pointed at.
empty "$(awk '/^struct cs_cooked \{/, /^\}/' lib/cellscope/cooked.h |
	grep -E '\*(cells|cell_actors|sets|set_members|actors|actor_layers|references|details|actor_tags)\b')" \
	'no row of a cooked world is there only when somebody has loaded it'

# ---- one tool for one job ----

empty "$(grep -nE '= ([a-z_]+) \+ \([a-z_]+ - \1\) / 2' $lib $program |
	grep -v '^lib/core/search\.h:')" 'who searches by halves takes cs_lower_bound'
empty "$(grep -nE 'strcspn\([a-z_]+, ",")|\+= [a-z]+ \+ \(.*\[[a-z]+\] == .,.\)' $lib $program |
	grep -vE '^(lib/world/change_value|src/language/argument_values)\.c:')" \
	'lists between commas are cut by core/items.h: only numbers are not'
empty "$(grep -nE '0xc0\) *[!=]= 0x80' $lib $program | grep -v '^lib/core/utf8\.h:')" \
	'where a character goes on core/utf8.h knows'
empty "$(grep -nE '(at|slot|place)[a-z_#]* \+ 1\)? (&|%) ' $lib | grep -v '^lib/core/slots\.h:')" \
	'tables of hashes are core/slots.h'
empty "$(grep -niE '"unloaded", "loaded"|"loaded", "activated"' $lib $program |
	grep -vE '^(lib/format/cworld|cmds/stream/cmd_sources)\.c:')" 'words of states stand in one place'
empty "$(grep -lPzo 'cs_error_(new|at)\(\s*[a-z]+->code,[^;]*"%s[^;]*->message' \
	$lib $program)" 'no error is copied without its causes'
empty "$(grep -nE '\bMD5(Init|Update|Final)\(' $lib | grep -v '^lib/core/bytes/identity\.c:')" \
	'identities are made by core/identity.h'
# What a struct knows belongs to owners with structs of their own; a model's fields are its tables.
empty "$(awk '/^struct [a-z_0-9]+ \{/ { name = $2; n = 0 } name && /^\t.*;/ { n++ }
	/^\}/ { if (name && n > 30) print FILENAME ": " name " has " n " fields"; name = "" }' \
	$lib $program | grep -v ': cs_model has')" 'no struct that everything is put into'
empty "$(grep -nE '^struct codec|void code_(u8|u32|u64|f32|f64)\(' $lib)" \
	'state is coded by core/codec.h'

# ---- what it offers ----

# Names that public headers offer to programs; with a shared library its own list must be the same.
offered=$(awk '/^CS_API/ { on = 1; text = "" } on { text = text " " $0 }
	on && /;/ { on = 0; if (text ~ /\[\]/ && text !~ /\(/) {
			while (match(text, /cs_[a-z0-9_]+ *\[\]/)) {
				name = substr(text, RSTART, RLENGTH); sub(/ *\[.*/, "", name)
				print name; text = substr(text, RSTART + RLENGTH) } }
		else if (match(text, /cs_[a-z0-9_]+\(/)) print substr(text, RSTART, RLENGTH - 1) }' \
	lib/cellscope/*.h | sort -u)
sed -n '/^static inline/,/^}/p' lib/cellscope/*.h >"$CELLSCOPE_OUT/inline"
cat "$CELLSCOPE_OUT/inline" $program examples/*.[ch] $(find tests -name '*.[ch]' -not -path 'tests/out/*' \
	-o -name '*.cc' -not -path 'tests/out/*') | grep -ohE '\bcs_[a-z0-9_]+' | sort -u \
	>"$CELLSCOPE_OUT/named"
empty "$(echo "$offered" | comm -23 - "$CELLSCOPE_OUT/named")" \
	'a program, an example or a test uses what the library offers'
# The list that Debian's tools hold the library to; it may only shrink.
symbols=debian/libcellscope0.symbols
empty "$(echo "$offered" | sed 's/.*/ &@Base/' | comm -3 - "$(sed -n 's/@Base .*/@Base/p' $symbols >"$CELLSCOPE_OUT/listed" &&
	echo "$CELLSCOPE_OUT/listed")")" "$symbols lists what the headers offer"
[ "$(echo "$offered" | wc -l)" -le 320 ]
ok $? 'public headers offer at most 320 symbols'
# One for each subject; cooked_values.h beside cooked.h, for what changes without its rows.
[ "$(find lib/cellscope -type f | wc -l)" -le 16 ]
ok $? 'public headers are at most 16'
empty "$(grep -rn 'CS_INSIDE' lib src cmds tests/*/*.[ch])" 'no header has a private part'
library=$CELLSCOPE_BUILD/lib/.libs/libcellscope.so
if command -v nm >/dev/null && [ -r "$library" ]; then
	nm -D --defined-only "$library" | awk '{ print $3 }' | sort -u >"$CELLSCOPE_OUT/exported"
	empty "$(echo "$offered" | comm -3 - "$CELLSCOPE_OUT/exported")" \
		'libcellscope.so exports what the headers offer, and nothing else'
else
	skip 'libcellscope.so exports what the headers offer: no shared library here'
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
	empty "$(grep -L 'SPDX-License-Identifier: Apache-2.0' $(find lib -name '*.[ch]' -o -name '*.def'))" \
		'the library is under Apache-2.0'
	empty "$(grep -L 'SPDX-License-Identifier: GPL-3.0-or-later' $program)" \
		'the program is under GPL-3.0-or-later'
	empty "$(grep -nwE 'TO[D]O|FIX[M]E|XX[X]' $texts | grep -vE '# TO[D]O (%s|issue)')" \
		'nothing is left to do in a comment'
	empty "$(grep -nE '[ 	]+$' $texts)" 'no blanks at the ends of lines'
	empty "$(wc -l $code | awk '$1 > 800 && $2 != "total"')" 'no file of code over 800 lines'
}

if git rev-parse --git-dir >/dev/null 2>&1; then
	built=$(git ls-files -z lib src cmds tests | xargs -0 grep -LI . | while IFS= read -r file; do
		[ ! -s "$file" ] || echo "$file"
	done)
	empty "$built" 'nothing that was built is kept'
fi

# ---- maps of the house ----

empty "$(find lib src cmds tests \( -name '*.[ch]' -o -name '*.cc' -o -name '*.sh' -o -name '*.py' -o -name '*.def' \
	-o -name '*.cmd' \) -not -path 'tests/out/*' | sed 's,.*/,,' | sort | uniq -d)" 'no two files of one name'

# So is a function: its name says the file or the noun. The list may only shrink.
shared='add allocate arrange begin check_group check_level check_map choose cs_cage_filter_calls
expect_set find_border find_borders find_boxes find_places finish fold gather_borders hash_of
is_taken list_waiting load main make measure pick place_in place_of read_bulk run set_centres
set_corners split store turn verify'
named_twice=$(awk 'FNR == 1 { text = "" } /^[A-Za-z_].*\(/ && !/^(return|typedef|__)/ { text = $0; next }
	/^\{/ && match(text, /[ *][a-z][a-z_0-9]*\(/) { print substr(text, RSTART + 1, RLENGTH - 2) }
	/^[{}]|;$|^$/ { text = "" }' $(find lib src cmds -name '*.[ch]') | sort | uniq -d)
empty "$(for name in $named_twice; do
	case " $(echo $shared) " in *" $name "*) ;; *) echo "$name" ;; esac
done)" 'no two functions of one name beyond those listed'

# They run side by side in one folder. What one makes there no other makes.
made_twice=$(for script in tests/*.sh tests/*/*.sh; do
	grep -ohE '(>|work=|copy=|-o) *"?\$CELLSCOPE_OUT/[A-Za-z0-9_.-]+' "$script" | sed 's,.*/,,' | sort -u
done | sort | uniq -d)
empty "$made_twice" 'no two scripts of the tests make a file of one name'
unnamed=$(for folder in lib/*/ src/ cmds/ tests/ fixtures/ examples/ man/; do
	grep -qF "\`$folder\`" README.md || echo "$folder"
done)
empty "$unnamed" 'every folder is in the map of README.md'
unnamed=$(echo "$rooms" | sed 's/ .*//' | while IFS= read -r room; do
	grep -qE "^ +$room/ +[a-zA-Z]" HACKING.md || echo "$room"
done)
empty "$unnamed" 'every room is in the list of HACKING.md'
stale=$(sed -nE 's/^      ([a-z/]+)\/ .*/\1/p' HACKING.md | while IFS= read -r room; do
	[ -d "lib/$room" ] || [ -d "src/$room" ] || [ -d "cmds/$room" ] || echo "$room"
done)
empty "$stale" 'and nothing else is'
twice=$(awk 'FNR == 1 || /^(if|else|endif)/ { split("", seen) }
	/^[a-zA-Z_]+ =/ && seen[$1]++ { print FILENAME ": " $1 " is set twice" }
	/^[a-zA-Z_]+ \+=.*[^\\]$/ && seen[$0]++ { print FILENAME ": " $0 }
	/^\t%D%.*\.(c|sh|cmd) *\\?$/ && seen[$1]++ { print FILENAME ": " $1 }' \
	Makefile.am $(find . -name local.mk -not -path './tests/out/*'))
empty "$twice" 'the build sets no variable and lists no file twice'
# A test is listed as %D%/NAME or %D%/NAME.c, a script with its whole name.
tr ' \t' '\n\n' <tests/local.mk | sed -n 's,.*%D%/,tests/,p' >"$CELLSCOPE_OUT/listed_tests"
unlisted=$(ls tests/unit/*/*.c tests/bench/*.c tests/fuzz/*.c tests/front/*.c tests/screen/*.c \
	tests/front/*.sh tests/screen/*.sh tests/words/*.sh tests/farm/*.sh tests/cmd/*.cmd tests/*.sh |
	awk 'NR == FNR { listed[$0]; next }
		{ name = $0; sub(/\.c$/, "", name) } !($0 in listed) && !(name in listed)' "$CELLSCOPE_OUT/listed_tests" -)
empty "$unlisted" 'every test is in tests/local.mk'
stale=$(sed -n '/^LEFT_OUT = {/,/}/p' tests/coverage.py tests/mutate.py | grep -o "'[^']*'" | tr -d "'" | sort -u |
	while IFS= read -r name; do [ -e "tests/$name" ] || [ -e "tests/$name.c" ] || echo "$name"; done)
empty "$stale" 'what coverage and mutants leave out are tests'
unlisted=$(find fixtures -name '*.cmd' | while IFS= read -r file; do
	grep -qF "%D%/${file#fixtures/}" fixtures/local.mk || echo "$file"
done)
empty "$unlisted" 'every command file is in fixtures/local.mk'

find lib src tests -name local.mk -exec cat {} + | tr ' \t' '\n\n' | sed 's,.*/,,' >"$CELLSCOPE_OUT/listed_headers"
unlisted=$(find lib src tests -name '*.h' -not -path 'tests/out/*' |
	awk -F/ 'NR == FNR { listed[$0]; next } !($NF in listed)' "$CELLSCOPE_OUT/listed_headers" -)
empty "$unlisted" 'every header is in a local.mk: make dist packs it'

# ---- commands ----

"$cs" help --tsv >"$CELLSCOPE_OUT/commands.tsv"
empty "$(awk -F'\t' 'NR > 1 && ($4 == "" || $5 == "") { print $1 }' "$CELLSCOPE_OUT/commands.tsv")" \
	'every command has a summary and an example'
[ "$("$cs" help | wc -l)" -le 48 ]
ok $? 'help fits two screens'
missing=$(awk -F'\t' 'NR > 1 { print $1 }' "$CELLSCOPE_OUT/commands.tsv" | while IFS= read -r name; do
	grep -qF ".It Ic $name" "$CELLSCOPE_BUILD/man/cellscope-commands.7" || echo "$name"
done)
empty "$missing" 'every command is in the manual'
[ "$(wc -l <"$CELLSCOPE_OUT/commands.tsv")" -gt 40 ]
ok $? 'and there are commands'
finish
