#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The graph of the library and of the commands as they were built: which file takes symbols of
# which (nm over the objects). Holds that no arrow between rooms runs upward and that no files
# of a room form a circle beyond those listed here, and prints its figures.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cd "$CELLSCOPE_BUILD" || exit 99
command -v nm >/dev/null || { skip 'no nm here'; finish; exit 0; }

# Circles that are meant: the room, its files (* for what follows), why.
circles='cmds/session cmd_blocks cmd_help cmd_table: help and blocks are commands, and ask the table of all
compare compare hlods persistent: HLOD actors and the persistent level are compared as cells are
cook/phases actor_views layers partitions validate: names in descriptors mean what layers and grids say of them
cook/record mesh_table tables*: one set of tables, filled by four files
cook cook subs: the cook of a sub partition is a cook
format columns pass planes reader record sections text_pieces twin_rows: a record is read by its fields, some of which are sections and texts; a section is packed by them, and may repeat rows of others; a table that is loaded whole replaces rows of a pass
make generate*: kinds in one table, with its helpers
mesh clean normals: welding needs normals, which need what is clean
nanite/decode decode_*: clusters refer to others of their page, whose plan its dense form is read by
nanite/encode encode hierarchy page_write pages: offsets in pages are known when all are laid out
query/sql find functions text_functions index query readers reads table_partitions value_order vtab: functions of SQL ask tables, which SQL asks; getters say what a statement reads
query/picture map map_summed: a map that is zoomed out is drawn from sums, which ask it for places and states
query/tables table_nanite*: one table of tables
stream/sources csv_profile path: a profile is one form of a path
stream/levels level policy register: a level that goes tears down the world partition that lies in it
ue/map check_cells check_cooked: findings of both kinds count into one report
ue/object cooked_package legacy zen: a package is read in the form that it has
ue/map umap umap_cells umap_names: names are searched among cells, which have names
ue/object tags values: values nest
world change change_value: a change has values, of which some are changes'

# Lines "FILE d SYMBOL" and "FILE u SYMBOL", FILE as ROOM/NAME without ending.
find lib cmds \( -name 'libcellscope_la-*.o' -o -name 'src_libfront_la-*.o' \) -not -path '*/.libs/*' |
	sort | while IFS= read -r object; do
	name=${object##*_la-}
	[ -e "$CELLSCOPE_SOURCE/${object%/*}/${name%.o}.c" ] && echo "$object" # not of a moved file
done | xargs nm -gA |
	awk '$1 ~ /^cmds/ || $NF ~ /^cs_/ { file = $1; sub(/^lib\//, "", file); sub(/\.o:.*/, "", file)
		sub(/[a-z_]*_la-/, "", file)
		print file, ($(NF - 1) == "U" ? "u" : "d"), $NF }' >"$CELLSCOPE_OUT/symbols"
[ -s "$CELLSCOPE_OUT/symbols" ] || { skip 'no objects of the library here'; finish; exit 0; }

# Lines "FILE FILE": the first takes a symbol of the second.
awk '$2 == "d" { of[$3] = $1; next } { want[n++] = $1 " " $3 }
	END { for (i = 0; i < n; i++) { split(want[i], w, " ")
		if (w[2] in of && of[w[2]] != w[1]) print w[1], of[w[2]] } }' \
	"$CELLSCOPE_OUT/symbols" | sort -u >"$CELLSCOPE_OUT/arrows"

# ---- what its own file alone uses ----

# Such a function is static. Listed: for whom it is there none the less.
alone='cs_pager_place: tests/bench/pages_bench.c, which is not built here
cs_ue_log_written: it is called before it stands
cs_ue_read_hlod: it is called before it stands'
find lib src cmds tests examples -name '*.o' -not -path '*/.libs/*' | xargs nm -g |
	awk '$1 == "U" { print $2 }' | sort -u >"$CELLSCOPE_OUT/used"
awk '$2 == "d" { print $3, $1 }' "$CELLSCOPE_OUT/symbols" | sort |
	join -v1 - "$CELLSCOPE_OUT/used" >"$CELLSCOPE_OUT/alone"
echo "$alone" | cut -d: -f1 | sort >"$CELLSCOPE_OUT/alone.listed"
if [ -e tests/unit/cook/cook ]; then
	empty "$(join -v1 "$CELLSCOPE_OUT/alone" "$CELLSCOPE_OUT/alone.listed")" \
		'what its own file alone uses is static'
else
	skip 'what its own file alone uses is static: the tests are not built'
fi

# ---- between rooms ----

room_of='function room(file) { sub("/[^/]*$", "", file); return file }'
awk "$room_of"' { a = room($1); b = room($2); if (a != b) n[a " " b]++ }
	END { for (pair in n) print pair, n[pair] }' "$CELLSCOPE_OUT/arrows" | sort \
	>"$CELLSCOPE_OUT/rooms"
echo "# rooms: $(cut -d' ' -f1 "$CELLSCOPE_OUT/rooms" | sort -u | wc -l), arrows between them:" \
	"$(wc -l <"$CELLSCOPE_OUT/rooms")"
# What each room reaches by its arrows: no room reaches itself.
upward=$(awk '{ to[$1 " " $2] = 1; room[$1] = room[$2] = 1 }
	END { for (k in room) for (i in room) if ((i " " k) in to)
			for (j in room) if ((k " " j) in to) to[i " " j] = 1
		for (i in room) if ((i " " i) in to) print i }' "$CELLSCOPE_OUT/rooms")
empty "$upward" 'no arrow between rooms runs upward'

# ---- within rooms ----

# Lines "ROOM FILE...": files that reach each other.
awk "$room_of"' {
	a = room($1)
	if (a == room($2)) { x = substr($1, length(a) + 2); y = substr($2, length(a) + 2)
		to[a, x, y] = 1; in_room[a] = in_room[a] " " x " " y } }
	END { for (r in in_room) {
		split("", list); split("", seen); n = split(in_room[r], all, " "); m = 0
		for (i = 1; i <= n; i++) if (!(all[i] in seen)) { seen[all[i]] = 1; list[++m] = all[i] }
		for (i = 2; i <= m; i++) for (j = i; j > 1 && list[j] < list[j - 1]; j--) {
			t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
		for (k = 1; k <= m; k++) for (i = 1; i <= m; i++) if ((r, list[i], list[k]) in to)
			for (j = 1; j <= m; j++) if ((r, list[k], list[j]) in to)
				to[r, list[i], list[j]] = 1
		split("", done)
		for (i = 1; i <= m; i++) if (!(list[i] in done) && (r, list[i], list[i]) in to) {
			line = r
			for (j = 1; j <= m; j++) if ((r, list[i], list[j]) in to &&
				(r, list[j], list[i]) in to) { line = line " " list[j]; done[list[j]] = 1 }
			print line } } }' "$CELLSCOPE_OUT/arrows" | sort >"$CELLSCOPE_OUT/circles"
sed 's/^/# circle: /' "$CELLSCOPE_OUT/circles"
echo "# circles within rooms: $(wc -l <"$CELLSCOPE_OUT/circles"), of" \
	"$(awk '{ n += NF - 1 } END { print n + 0 }' "$CELLSCOPE_OUT/circles") files"
# Each circle with the entry that has all its files, or none.
awk 'NR == FNR { sub(/: .*/, ""); entry[++n] = $0; next }
	function covered(by,   i, j, w, m, found) { m = split(by, w, " ")
		if (w[1] != $1) return 0
		for (i = 2; i <= NF; i++) { found = 0
			for (j = 2; j <= m; j++) found = found || $i == w[j] || (w[j] ~ /\*$/ &&
				index($i, substr(w[j], 1, length(w[j]) - 1)) == 1)
			if (!found) return 0 }
		return 1 }
	{ of = 0; for (i = 1; i <= n; i++) if (covered(entry[i])) { of = i; used[i] = 1 }
		if (!of) print "circle " $0 }
	END { for (i = 1; i <= n; i++) if (!(i in used)) print "listed " entry[i] }' \
	- "$CELLSCOPE_OUT/circles" >"$CELLSCOPE_OUT/judged" <<END
$circles
END
empty "$(grep '^circle' "$CELLSCOPE_OUT/judged")" \
	'no circle within a room that is not listed with its reason'
empty "$(grep '^listed' "$CELLSCOPE_OUT/judged")" 'and none is listed that is gone'

# ---- what a change compiles ----

# Of the objects of library and program those that depend on the file that such a change is made in.
find lib src cmds -name '*.Plo' -exec grep -L '^# dummy' {} + >"$CELLSCOPE_OUT/depending"
if [ -s "$CELLSCOPE_OUT/depending" ]; then
	objects=$(wc -l <"$CELLSCOPE_OUT/depending")
	while read -r file change; do
		n=$(xargs grep -lE "(^|[ /])$file( |:|\$)" <"$CELLSCOPE_OUT/depending" | wc -l)
		echo "# $change, in $file: $n of $objects objects"
		[ "$n" -gt 0 ] && [ $((n * 10)) -lt "$objects" ]
		ok $? "$change compiles less than a tenth of the objects"
	done <<END
lib/cellscope/cooked_values.h an enum of cooked worlds
lib/core/error_codes.def an error code
lib/format/checks.def a check of validation
cmds/commands.inc a command
lib/query/tables/table_cells.c a column
END
else
	skip 'what a change compiles: dependencies are not tracked here'
fi

# ---- files that many look at ----

# Of each room with more than four files, the file that most others of it call.
awk "$room_of"' { a = room($1) }
	a == room($2) { file[a, $1] = file[a, $2] = 1; n[$2]++ }
	END { for (pair in file) { split(pair, p, SUBSEP); size[p[1]]++ }
		for (f in n) { r = room(f); if (n[f] > most[r]) { most[r] = n[f]; name[r] = f } }
		for (r in most) if (size[r] > 4) print "# most called of " r ": " name[r] ", by " \
			most[r] " of " size[r] - 1 }' "$CELLSCOPE_OUT/arrows" | sort
finish
