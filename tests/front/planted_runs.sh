#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A real run with ten cells that are late, each in a way that was planted: run compare names each of
# them with its cause, and no other. A run with planted costs: run fit finds them within 5 %.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/planted
rm -rf "$work" && mkdir -p "$work" || exit 99

"$cs" -q -e "gen city --actors 3000 --seed 7 -o $work/city.json" >/dev/null
# walk FILE LENGTH: there and back, 2,400 frames of so many ms.
walk() {
	awk "BEGIN { print \"EVENTS,FrameTime,View/PosX,View/PosY,View/PosZ\"; x = -60000; d = r = 1
		for (i = 0; i < 2400; i++) { r = r * 16807 % 2147483647; ms = $2; x += d * 90 * ms / 16
			if ((x > 60000 && d > 0) || (x < -60000 && d < 0)) d = -d
			printf \",%g,%.1f,3000,200\\n\", ms, x }
		print \"[platform],x\" }" >"$1"
}
walk "$work/walk.csv" '16 + i * 7 % 5'
walk "$work/walk_uneven.csv" '12 + r % 1200 / 100'

cat >"$work/model" <<'END'
wp.Runtime.BlockOnSlowStreaming 0
sim.BytesPerActor 100000
END
cat >"$work/costs" <<'END'
sim.ShowPerActor 1.7
sim.HidePerActor 0.6
sim.Latency 300
sim.Bandwidth 30
END
cat >"$work/costs_uneven" <<'END'
sim.ShowPerActor 0.3
sim.HidePerActor 2
sim.Latency 90
sim.Bandwidth 30
END

# events WALK COSTS FILE: what the costs make of the walk: frame, cell, states before and behind.
events() {
	{
		echo "open $work/city.json"
		cat "$work/model" "$2"
		echo "source add Player0 -60000,3000,200"
		echo "path load $1 walk"
		echo "path follow Player0 walk"
		echo "step 2400 ~ frame"
		echo "sql --csv SELECT 'row', frame, cell, \"from\", \"to\" FROM events WHERE event IN" \
			"('cell.load', 'cell.loaded', 'cell.showing', 'cell.show', 'cell.hide', 'cell.hidden'," \
			"'cell.unload') AND cell NOT LIKE '%Persistent%'"
	} >"$work/walk.cmd"
	"$cs" -q -x "$work/walk.cmd" | tr -d '\r' | grep '^row,' >"$3"
}
walk=$work/walk.csv events=$work/events
events "$walk" "$work/costs" "$events"
[ "$(wc -l <"$events")" -gt 500 ]
ok $? 'the walk has events'

# run PLANT FILE: the walk as a game would write it. With PLANT the first ten cells that are ever
# visible are late from a state on, by so many seconds; two of them are never shown.
run() {
	awk -F, -v plant="$1" -v planted="$work/planted" '
	BEGIN { split("unloaded Unloaded loading Loading not_visible LoadedNotVisible making_visible" \
			" MakingVisible visible LoadedVisible making_invisible MakingInvisible", w, " ")
		for (i = 1; i in w; i += 2) word[w[i]] = w[i + 1]
		split("load show ask wait never", kinds, " ")
		late["load"] = .4; late["show"] = .6; late["ask"] = .5; late["wait"] = .7
		from["ask"] = 1; from["load"] = 2; from["wait"] = 3; from["show"] = 4
		rank["Loading"] = 1; rank["LoadedNotVisible"] = 2; rank["MakingVisible"] = 3
		rank["LoadedVisible"] = 4
		print "{\"schema\":\"cellscope.run/1\"}" }
	FILENAME ~ /walk/ { if (!/^,/) next
		t += $2 / 1000; end[++n] = t
		printf "{\"t\":%.6f,\"frame\":%d,\"ms\":%s,\"pos\":[%s,3000,200]}\n", t, n, $2, $3
		next }
	pass == 0 && FNR == 1 { pass = 1 }
	{ row[++rows] = $0 }
	$5 == "visible" && plant && !($3 in kind) && many < 10 {
		kind[$3] = kinds[many++ % 5 + 1]; print $3, kind[$3] >planted }
	END { for (i = 1; i <= rows; i++) { split(row[i], f, ",")
			state = word[f[5]]; k = kind[f[3]]; at = end[f[2]]
			if (k == "never" && (state ~ /Visible$/ && state != "LoadedNotVisible" ||
				state == "MakingInvisible")) continue
			if (k && k != "never" && rank[state] >= from[k]) at += late[k]
			printf "{\"t\":%.6f,\"cell\":\"/Game/_Generated_/UEDPIE_0_%s\",\"from\":\"%s\"," \
				"\"state\":\"%s\"}\n", at, f[3], word[f[4]], state | "sort -s -t: -k2,2g" } }
	' "$walk" "$events" >"$2"
}

# The first visits alone: later ones of a cell that never went away are one with them.
run 1 "$work/late.jsonl"
{
	echo "open $work/city.json"
	cat "$work/model" "$work/costs"
	echo "run open $work/late.jsonl ~ cellscope.run"
	echo "run compare -n 1 ~ late"
	echo "sql --csv SELECT 'row', cell, cause FROM run_pairs WHERE visit = 1 AND (late > 1 OR never)"
} >"$work/late.cmd"
"$cs" -q -x "$work/late.cmd" | tr -d '\r' | awk -F, '$1 == "row" { print $2, $3 }' | sort >"$work/found"
sed 's/ load$/ slow to load/; s/ show$/ slow to show/; s/ ask$/ asked for late/
	s/ wait$/ waited to be shown/; s/ never$/ never shown/' "$work/planted" | sort >"$work/expected"
[ "$(wc -l <"$work/expected")" -eq 10 ]
ok $? 'ten cells are planted'
empty "$(diff "$work/expected" "$work/found")" 'run compare finds each by name and cause, and no other'

# Its clock begins elsewhere, every other frame has no place, every tenth one is left out, and the
# file is opened twice: the answer is the same, and so is the number of visits.
awk -F'"t":' '/"t":/ { t = $2 + 12.5; sub(/"t":[0-9.]*/, sprintf("\"t\":%.6f", t)) }
	/"ms"/ && ++n % 10 == 5 { next }
	/"ms"/ && n % 2 == 0 { sub(/,"pos".*/, "}") } { print }' "$work/late.jsonl" >"$work/shifted.jsonl"
sed "s|^run open.*|run open $work/shifted.jsonl $work/shifted.jsonl ~ cellscope.run|" \
	"$work/late.cmd" >"$work/shifted.cmd"
"$cs" -q -x "$work/shifted.cmd" | tr -d '\r' | awk -F, '$1 == "row" { print $2, $3 }' | sort >"$work/found"
empty "$(diff "$work/expected" "$work/found")" 'run compare finds the same where frames are left out'
visits() {
	{
		echo "open $work/city.json"
		echo "run open $1 ~ cellscope.run"
		echo "run compare -n 1 ~ late"
		echo "sql --csv SELECT 'row', sum(real IS NOT NULL) FROM run_pairs"
	} >"$work/visits.cmd"
	"$cs" -q -x "$work/visits.cmd" | grep '^row'
}
[ "$(visits "$work/late.jsonl $work/late.jsonl")" = "$(visits "$work/late.jsonl")" ]
ok $? 'a run that is opened twice has the same visits'

# Frames of uneven length tell costs of parts of a frame.
walk=$work/walk_uneven.csv events=$work/events_uneven
events "$walk" "$work/costs_uneven" "$events"
run '' "$work/costly.jsonl"
{
	echo "open $work/city.json"
	cat "$work/model"
	echo "run open $work/costly.jsonl ~ cellscope.run"
	echo "run fit ~ sim"
	echo "sql --csv SELECT 'row', variable, after, goodness, low, high FROM run_fits"
} >"$work/fit.cmd"
"$cs" -q -x "$work/fit.cmd" >"$work/fit.out"
empty "$(awk -F, 'FNR == NR { split($0, p, " "); cost[p[1]] = p[2]; next }
	$1 == "row" { n++; off = $3 / cost[$2] - 1
		if (off > .05 || off < -.05 || $4 < .9) print $2, $3, "not", cost[$2], "goodness", $4
		if ($5 > cost[$2] * 1.001 || $6 < cost[$2] * .999 || $6 - $5 > .15 * $3) print $2, "from", $5, "to", $6 }
	END { if (n != 4) print n " costs" }' "$work/costs_uneven" "$work/fit.out")" \
	'run fit finds costs below a frame and above within 5 %, says how well, and meets what was held out'

# A run whose cells took no such costs: the model does not fit, and nothing is set.
awk '/"cell"/ { n++; t = $0; sub(/.*"t":/, "", t); sub(/,.*/, "", t)
	sub(/"t":[0-9.]*/, sprintf("\"t\":%.6f", t + n * 7919 % 1000 / 500)) } { print }' \
	"$work/costly.jsonl" >"$work/odd.jsonl"
sed 's/costly/odd/' "$work/fit.cmd" >"$work/odd.cmd"
"$cs" -q -x "$work/odd.cmd" >"$work/odd.out"
empty "$(awk -F, '$1 == "row" && $4 > .5 { print }' "$work/odd.out")" \
	'run fit says where the model does not fit'

# ---- while it is written ----

# follow WHAT: what a run that is followed becomes, through all of its tables and a comparison.
rows() {
	echo "run compare -n 1 ~ late"
	for table in frames cells levels sources events pairs; do
		echo "sql --csv SELECT '$table' AS of, * FROM run_$table"
	done | sed 's/SELECT \(.*\), \* FROM run_pairs/SELECT \1, cell, visit, late, cause, real, line FROM run_pairs/'
}
{ echo "open $work/city.json"; cat "$work/model"; echo "run open $work/late.jsonl ~ cellscope"; rows; } \
	>"$work/opened.cmd"
{ echo "open $work/city.json"; cat "$work/model"; echo "run follow $work/grows --for 2 ~ cellscope"; rows; } \
	>"$work/followed.cmd"
bare() { grep -E '^(frames|cells|levels|sources|events|pairs),' "$1" | sed 's,[^,]*/\(late.jsonl\|grows\),F,'; }
"$cs" -q -x "$work/opened.cmd" >"$work/opened.text"
: >"$work/grows"
(
	head -c 30011 "$work/late.jsonl" >>"$work/grows" # breaks off in a line
	sleep .3
	tail -c +30012 "$work/late.jsonl" >>"$work/grows"
) &
"$cs" -q -x "$work/followed.cmd" >"$work/followed.text"
wait
bare "$work/opened.text" >"$work/opened.rows"
bare "$work/followed.text" >"$work/followed.rows"
[ "$(wc -l <"$work/opened.rows")" -gt 3000 ] && cmp -s "$work/opened.rows" "$work/followed.rows"
ok $? 'a run that is followed has the rows of one that is opened'

# The simulation walks along; a cell that took too long stops what is seen, and it goes on from there.
{
	echo "open $work/city.json"
	cat "$work/model"
	echo 'break cell.late > 1500'
	echo "run follow $work/late.jsonl --for 0 ~ stopped"
	echo 'print frame()'
	echo 'delete'
	echo 'run follow --for 0 ~ cellscope.run'
	echo 'print frame()'
} >"$work/stops.cmd"
"$cs" -q -x "$work/stops.cmd" >"$work/stops.text"
empty "$(grep -c 'stopped: breakpoint 1, cell.late (hit 1)  cell .* ms' "$work/stops.text" | grep -v '^1$')" \
	'a real cell that was late stops the view'
[ "$(tail -n 1 "$work/stops.text" | tr -d '\r')" = 2400 ] && ! grep -q '^0$' "$work/stops.text"
ok $? 'behind it all frames of the game are frames of the simulation'
late=$(awk -F'"t":' '/"cell"/ { t = $2 + 0; c = $0; sub(/.*UEDPIE_0_/, "", c); sub(/".*/, "", c)
	if (/"state":"Loading"/) begin[c] = t; else if (/"state":"Unloaded"/) delete begin[c]
	else if (/"state":"LoadedVisible"/ && c in begin) {
		if (t - begin[c] > 1.5) { printf "%.0f", (t - begin[c]) * 1000; exit }; delete begin[c] } }' \
	"$work/late.jsonl")
grep -q "  $late ms" "$work/stops.text"
ok $? "and it was $late ms late"

# ^C ends it and what stands behind it runs.
timeout --preserve-status -s INT -k 20 .5 "$cs" -q -e "run follow $work/late.jsonl" -e 'print 5' >"$work/ended.out" 2>&1
ok $? 'an interruption ends it without an error'
[ "$(tail -n 1 "$work/ended.out" | tr -d '\r')" = 5 ]
ok $? 'and lines behind it run'
printf 'EVENTS,FrameTime\001\033[31m\n' | "$cs" -q -e 'run follow -' -e 'sql SELECT text FROM run_events' >"$work/raw.out" 2>&1
printf '{"schema":"cellscope.run/1"}\n{"t":1,"event":"x","text":"\\u001b[31mred"}\n{"t":1,"cell":"\\u001b]0;x"}\n' |
	"$cs" -q -e 'run follow -' -e 'sql SELECT text FROM run_events' -e 'sql SELECT cell FROM run_cells' >>"$work/raw.out" 2>&1
empty "$(LC_ALL=C grep -n "$(printf '\033')" "$work/raw.out")" 'names from a stream reach no terminal as they are'
grep -q 'x1b' "$work/raw.out"
ok $? 'and are shown'

# ---- as strips and budgets ----

{ echo "open $work/city.json"; cat "$work/model"; echo "run open $work/late.jsonl ~ cellscope"; rows | head -1
	echo "sql --csv SELECT 'peak', max(real), sum(real > 0), count(*) FROM run_strips"
	echo 'view timeline'; echo 'view size 100x24'; echo 'view show'; echo 'view map late'; echo 'view show'
} >"$work/strips.cmd"
"$cs" -q -x "$work/strips.cmd" | tr -d '\r' >"$work/strips.text"
counted=$(awk -F'"t":' '{ t = $2 + 0 } /"ms"/ { end[++n] = t; next }
	/"cell"/ { c = $0; sub(/.*UEDPIE_0_/, "", c); sub(/".*/, "", c); step = 0
		if (/"state":"LoadedVisible"/ && !seen[c]) { seen[c] = 1; step = 1 }
		else if (/"state":"MakingInvisible"/ && seen[c]) { seen[c] = 0; step = -1 }
		if (step) { at[++m] = t; by[m] = step } }
	END { for (i = 1; i <= n; i++) { for (k = 1; k <= m; k++) if (at[k] <= end[i] && !done[k]) {
			done[k] = 1; now += by[k] }
		if (now > most) most = now; some += now > 0 }
		printf "peak,%d,%d,%d", most, some, n }' "$work/late.jsonl")
[ "$(grep '^peak,' "$work/strips.text")" = "$counted" ]
ok $? "the strip of the real run has what is counted: $counted"
empty "$(grep -c -e 'real vis .*peak' -e 'sim vis .*peak' -e 'late .*slow to load' "$work/strips.text" | grep -v '^3$')" \
	'two strips are in the timeline, and causes on the map'
"$cs" -q -e "cook $work/city.json -o $work/city.cworld" >/dev/null
worst=$("$cs" -q -e "open $work/city.cworld" -e "run open $work/late.jsonl ~ cellscope" -e 'run compare -n 1 ~ late' \
	-e 'print (SELECT max(late) FROM run_pairs)' | tail -n 1 | tr -d '\r')
worse() {
	printf '{"late_ms": %s, "peak_bytes": %s}\n' "$1" "$2" >"$work/budget.json"
	"$cs" -q -e "worse $work/city.cworld $work/city.cworld --real $work/late.jsonl -p $work/walk.csv \
		--budget $work/budget.json" >"$work/worse.out" 2>&1
}
worse "$worst" 1e12
ok $? "a run that is at most $worst ms late keeps its budget"
worse 10 1e12
[ $? -eq 1 ] && grep -q '^late_ms .*breaks the budget' "$work/worse.out"
ok $? 'a later one breaks it'
worse 1e9 1000
[ $? -eq 1 ] && grep -q '^peak_bytes .*breaks the budget' "$work/worse.out"
ok $? 'so does one that takes more memory along the path'

# Of the peak of memory each part sums up to it; what no file says is named, and the run stands where
# it stood.
{ echo "open $work/city.cworld"; echo "source add Player0 -60000,3000,200"; echo "path load $work/walk.csv walk"
	echo "path follow Player0 walk"; echo "step 1200 ~ frame"
	echo "path report --csv"
	for by in cell layer class; do echo "path report --by $by --csv"; done
	echo 'print frame()'; } >"$work/peak.cmd"
"$cs" -q -x "$work/peak.cmd" | tr -d '\r' >"$work/peak.text"
empty "$(awk -F, 'NR > 1 && /^[a-z_]*,/ && (/bytes/ || /shared/) { of = $1; split("", at)
		for (i = 1; i <= NF; i++) at[$i] = i; next }
	of == "first_frame" { peak = $(at["peak_bytes"]); of = ""; next }
	of == "cell" || of == "layers" { sum[of] += $(at["bytes"]); whole[of] += $(at["known"]) + $(at["assumed"]) }
	of == "class" && NF > 1 { sum[of] += $(at["shared"]) }
	END { if (!peak) print "no peak"
		for (k in whole) if (sum[k] != peak || whole[k] != peak) print k, sum[k], whole[k], "not", peak
		if (sum["class"] < peak * .95 || sum["class"] > peak * 1.01) print "class", sum["class"], peak
		if (!("cell" in sum) || !("layers" in sum)) print "parts are missing" }' "$work/peak.text")" \
	'the peak of memory is the sum of its cells, of its layers, and, shared out, of its classes'
[ "$(tail -n 1 "$work/peak.text")" = 1200 ]
ok $? 'the run stands where it stood'

# Lists of the peak take the options of lists; the part that nobody knows is said; what a memreport
# measured of a class is beside it.
cat >"$work/test.memreport" <<'END'
Time Since Boot: 1.00 Seconds
Obj List: -alphasort
      Class    Count      NumKB      MaxKB   ResExcKB
 StaticMeshActor       10     5.00     6.00   15.00
 StaticMesh_ctor        1    50.00    60.00  150.00

Name: Nanite.StreamingManager.ClusterPageData - Type: Buffer - Size: 512.000000000 MB - Flags: None
END
{ sed '/^path report/,$d' "$work/peak.cmd"; echo "run open $work/test.memreport ~ memreport"
	echo 'path report --by cell -w "actors > 20" -s actors -n 2 -c actors --json'
	echo 'path report --by class -w "measured NOTNULL" -c class,actors,measured --csv'
	echo "path report --by part -w \"bytes ISNULL OR part LIKE '%measured'\" --csv"
	echo 'path report -c frames --csv'; } >"$work/lists.cmd"
"$cs" -q -x "$work/lists.cmd" 2>&1 | tr -d '\r' >"$work/lists.text"
[ "$(grep -c '^{"actors":[2-9][0-9]*}' "$work/lists.text")" = 2 ] && grep -q '^frames$' "$work/lists.text"
ok $? 'path report takes the options of lists'
empty "$(awk -F, '/StaticMeshActor,/ && $3 != $2 * 2048 { print "not 2048 each:", $0 } /StaticMeshActor,/ { n++ }
	/^"?Nanite pool, measured/ { n += /536870912/ } /not known/ { n++ } END { if (n != 4) print n, "rows" }' \
	"$work/lists.text")" 'it says what was measured, and what is not known'

# why finds the cell of a level that a log names, says what really happened, and completes all that it finds.
first=$(sed -n '1s/ .*//p' "$work/planted")
{ sed '/^sql/d' "$work/late.cmd"; echo "why /Game/_Generated_/UEDPIE_0_$first"
	for what in "/Game/_Generated_/UEDPIE_0_$first" Night_ SM_ "$first"; do echo "complete why $what"; done
	echo 'step 60 ~ frame'; echo "report $work/real.html"; } >"$work/why.cmd"
"$cs" -q -x "$work/why.cmd" 2>&1 | tr -d '\r' >"$work/why.text"
grep -q '^  really    visit 1 .*slow to load (.*late.jsonl:[0-9]*)$' "$work/why.text"
ok $? 'why names what was late in the real run, with file and line'
empty "$(for what in "/Game/_Generated_/UEDPIE_0_$first" Night_0 "$first"; do
	grep -q "^$what$" "$work/why.text" || echo "no $what"; done)" 'it completes real levels, layers and cells'
empty "$(for what in 'Frames that hitch' 'Memory by layer' 'Late cells' 'Long frames of the real run' \
	'cells visible, really' 'slow to load' "$first"; do grep -q "$what" "$work/real.html" || echo "no $what"; done)" \
	'the report has hitches, memory, late cells with causes, and both strips'

# A record of a run that was followed ends where it is replayed.
timeout --preserve-status -s INT -k 20 .7 "$cs" -q -e "record $work/followed.record" -e "run follow $work/late.jsonl" >/dev/null 2>&1
grep -q -- '--for 0' "$work/followed.record"
ok $? 'a record reads what is there'
timeout 20 "$cs" -q -x "$work/followed.record" -e 'print (SELECT count(*) FROM run_frames)' | tail -n 1 | tr -d '\r' | grep -q '^2400$'
ok $? 'and its replay ends'

# The simulated walk begins as the run does: role and layers.
shown() {
	{ echo "open $work/city.json"; [ "$1" ] && echo "$1"; cat "$work/model"
		echo "run open $work/late.jsonl ~ cellscope"; echo 'run compare -n 1 ~ late'
		echo "print (SELECT count(*) FROM run_pairs p JOIN cells c ON p.cell = c.name" \
			"WHERE c.layers LIKE '%$2%' AND p.simulated IS NOT NULL)"; } >"$work/shown.cmd"
	"$cs" -q -x "$work/shown.cmd" | tail -n 1 | tr -d '\r'
}
[ "$(shown '' Night_0)" -gt 0 ] && [ "$(shown 'layer initial Night_0 unloaded' Night_0)" = 0 ]
ok $? 'run compare walks with the layers that the run begins with'
[ "$(shown '' '')" != "$(shown 'role dedicated' '')" ]
ok $? 'and with its role'

# A cell that is hidden and shown again is visible again, and unloading hides it.
awk 'BEGIN { print "{\"schema\":\"cellscope.run/1\"}"
	n = split("1.01 Loading 1.02 LoadedNotVisible 1.03 MakingVisible 2.01 LoadedVisible 3.01 MakingInvisible " \
		"3.02 LoadedNotVisible 5.01 MakingVisible 6.01 LoadedVisible 8.01 Unloaded", states, " ")
	for (i = at = 1; i <= 300; i++) {
		for (; at < n && states[at] < i / 30; at += 2)
			printf "{\"t\":%s,\"cell\":\"Street_MainGrid_-4_0_0_0\",\"state\":\"%s\"}\n", states[at], states[at + 1]
		printf "{\"t\":%.6f,\"frame\":%d,\"ms\":33.333,\"pos\":[0,0,0]}\n", i / 30, i } }' >"$work/again.jsonl"
again=$("$cs" -q -e "open $CELLSCOPE_SOURCE/fixtures/streaming/street.json" -e "run open $work/again.jsonl" -e 'run compare' -e \
	"print (SELECT count(*) || ' ' || min(time > 2 AND time < 3.1 OR time > 6 AND time < 8.1) FROM run_strips WHERE real = 1)" | tail -n 1)
[ "$(echo "$again" | tr -d '\r"')" = '90 1' ]
ok $? 'a cell that is shown again without being loaded again counts as visible'

# A profile that was cut: the list of files has no room for the note, so it is a line of its own.
head -c 1500 "$CELLSCOPE_SOURCE/fixtures/streaming/profile.csv" >"$work/cut.csv"
"$cs" -q -e "run open $work/cut.csv" 2>&1 | tail -n 1 | grep -q 'cut.csv: its last row is missing: the profile was cut$' &&
	"$cs" -q -e "run open $work/cut.csv --json" | tail -n 1 | grep -qF ']}'
ok $? 'what is missing in a file is said when it is opened'
cp "$CELLSCOPE_SOURCE/fixtures/streaming/profile.csv" "$work/sound.csv"
"$cs" -q -e "run open $work/cut.csv > /dev/null" -e "run open $work/sound.csv" >"$work/said" 2>&1
! grep -q 'the profile was cut' "$work/said"
ok $? 'but not again when another file is opened'
finish
