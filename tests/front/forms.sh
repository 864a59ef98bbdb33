#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a run says of each cell and layer in text, in JSON, as rows of a listing and by SQL, each
# compared with the others: at frame 0, after each change before a frame has run, after frames, back
# in time, for each role. FORMS_WORLDS sets how many made-up worlds join the two of fixtures.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
folder=$(mktemp -d "$CELLSCOPE_OUT/forms.XXXXXX") || exit 99
trap 'rm -rf "$folder"' EXIT

# One stop: all cells and layers, in all forms. A listing stands before each question.
ask() {
	printf 'echo STOP %s\n' "$1"
	printf 'echo CELLS\ncells -c name,state,wanted,status,bytes --json\n'
	printf 'echo CELLS\nsql --json SELECT name, state, wanted, status, bytes FROM cells\n'
	printf 'echo LAYERS\nlayers -c name,initial,target,state,partition --json\n'
	printf 'echo LAYERS\nsql --json SELECT name, initial, target, state, partition FROM layers\n'
	while read -r cell; do
		printf 'actors -n 2 > /dev/null\necho WHY %s\n' "$cell"
		printf 'why cell %s\nwhy cell %s --json\nwhy-not cell %s\n' "$cell" "$cell" "$cell"
	done <"$folder/cells"
	while read -r layer; do
		printf 'echo LAYER %s\nwhy-layer %s\nwhy-layer %s --json\n' "$layer" "$layer" "$layer"
	done <"$folder/layers"
	printf 'echo FRAME\nframes -n 1 -s -frame --json\n'
	printf "sql --json SELECT count(*) AS waiting FROM cells WHERE state = 'waiting'\n"
}

script() {
	at=$1
	printf 'role %s\n' "$2"
	ask begin
	printf 'wp.Runtime.MaxLoadingStreamingCells 2\nsource add P %s\n' "$at"
	ask source
	printf 'step\n'
	ask step
	printf 'step 6\nsource set P --target loaded\n'
	ask target
	printf 'step 9\n'
	while read -r layer; do printf 'layer set %s activated\n' "$layer"; done <"$folder/layers"
	ask layer
	printf 'step 2\nsource move P 40000,-20000,0\nstep\n'
	ask moved
	printf 'goto 4\n'
	ask back
	printf 'step 30\nsource rm P\n'
	ask removed
	printf 'step\n'
	ask end
}

cat >"$folder/compare.awk" <<'END'
function field(line, key,    at, rest) {
	at = index(line, "\"" key "\":")
	if (!at) return ""
	rest = substr(line, at + length(key) + 3)
	if (substr(rest, 1, 1) == "\"") { rest = substr(rest, 2); return substr(rest, 1, index(rest, "\"") - 1) }
	match(rest, /^[^,}]*/)
	return substr(rest, 1, RLENGTH)
}
function differ(what, one, other) {
	if (one != other) { print stop ": " about ": " what ": " one " and " other; if (++wrong > 9) exit }
	compared++
}
function number(text, before,    at) {
	at = index(text, before)
	return at ? substr(text, at + length(before)) + 0 : -1
}
/^STOP / { stop = $2; part = ""; n = 0; next }
/^CELLS$|^LAYERS$/ { second = part == $1; part = $1; n = 0; about = part; next }
/^WHY / { part = "why"; about = $2; first = 1; next }
function shown(text) { return text == "editor" ? "null" : text }
/^LAYER / { part = "layer"; about = $2; first = 1; next }
/^FRAME$/ { part = "frame"; about = "frame"; waiting = 0; next }
part == "CELLS" || part == "LAYERS" {
	if (!/^\{"name"/) next
	sub(/,$/, "")
	if (second) differ("listing and SQL", rows[n], $0)
	rows[n++] = $0
	if (part == "CELLS") { state[field($0, "name")] = field($0, "state"); wanted[field($0, "name")] = field($0, "wanted") }
	else if (stop != seen[field($0, "name"), second]) {
		seen[field($0, "name"), second] = stop # of the main world partition, which comes first
		effective[field($0, "name")] = field($0, "state")
		target[field($0, "name")] = field($0, "target")
	}
	next
}
part == "why" && first { text_state = $2; sub(/,$/, "", text_state); first = 0; layers = order = distance = ""; next }
part == "why" && /^  wanted / { text_wanted = $2; sub(/,$/, "", text_wanted); text_rule = $5 " " $6; sub(/:$/, "", text_rule); next }
part == "why" && /^  layers / { layers = $3; sub(/,$/, "", layers); next }
part == "why" && /^  waits / { order = $2 " of " $4; next }
part == "why" && /^\{"cell"/ {
	differ("text and JSON", text_state, field($0, "state"))
	differ("listing and why", state[about], field($0, "state"))
	differ("text and JSON", text_wanted, field($0, "wanted"))
	differ("listing and why", wanted[about], field($0, "wanted"))
	differ("rule in text and JSON", text_rule, field($0, "number") " " field($0, "rule"))
	differ("layers in text and JSON", layers, field($0, "by_layers"))
	if (order != "") differ("turn in text and JSON", order, field($0, "rank") " of " field($0, "of"))
	obstacle = field($0, "obstacle_number"); is_there = field($0, "state") == "activated" && field($0, "wanted") == "activated"
	part = "why_not"
	next
}
part == "why_not" && /^it is (not )?there/ {
	if (/because/) { match($0, /\(rule [0-9.]+\)/); differ("obstacle in text and JSON", substr($0, RSTART + 6, RLENGTH - 7), obstacle) }
	else differ("why-not and why", 1, is_there)
	next
}
part == "layer" && first { text_state = $2; sub(/:$/, "", text_state); match($0, /\(rule [0-9.]+\)/); text_rule = substr($0, RSTART + 6, RLENGTH - 7); first = 0; next }
part == "layer" && /^  cells / { cells = $0; next }
part == "layer" && /^\{"layer"/ {
	differ("text and JSON", shown(text_state), field($0, "effective"))
	differ("rule in text and JSON", text_rule, field($0, "number"))
	differ("layers and why-layer", effective[about], field($0, "effective"))
	differ("layers and why-layer", target[about], field($0, "target"))
	differ("cells in text and JSON", number(cells, "cells ") , field($0, "cells") + 0)
	differ("in range in text and JSON", number(cells, "in range "), field($0, "in_range") + 0)
	differ("arrived in text and JSON", number(cells, "arrived "), field($0, "arrived") + 0)
	next
}
part == "frame" && /^\{"frame"/ { waiting = field($0, "waiting"); next }
part == "frame" && /^\{"waiting"/ && (stop == "step" || stop == "moved" || stop == "end") { differ("waiting cells and frames.waiting", field($0, "waiting"), waiting) }
END { if (!compared) print "nothing was compared"; print compared + 0 " compared" >"/dev/stderr" }
END

run_world() {
	world=$1
	"$cs" -n -q "$world" -e 'source add P 0,0,0' -e 'cells -c name --csv -n 60' 2>/dev/null | sed 1d >"$folder/cells"
	"$cs" -n -q "$world" -e 'layers -P 0 -c name --csv' 2>/dev/null | sed 1d >"$folder/layers"
	for role in standalone dedicated client listen; do
		script "$2" "$role" >"$folder/script.cmd"
		"$cs" -n -q "$world" -x "$folder/script.cmd" >"$folder/said" 2>"$folder/errors"
		empty "$(cat "$folder/errors"; awk -f "$folder/compare.awk" "$folder/said" 2>"$folder/compared"
			grep -q '^[1-9][0-9]* compared$' "$folder/compared" || cat "$folder/compared")" \
			"one answer in every form: ${world##*/}, $role"
	done
}

run_world "$CELLSCOPE_SOURCE/fixtures/scripts/questions.json" 0,0,0
run_world "$CELLSCOPE_SOURCE/fixtures/valley.json" 0,0,0
seed=1
while [ "$seed" -le "${FORMS_WORLDS:-1}" ]; do
	"$cs" -n -q -e "gen city --actors 300 --seed $seed -o $folder/city$seed.json" >/dev/null
	run_world "$folder/city$seed.json" 0,0,0
	seed=$((seed + 1))
done
finish
