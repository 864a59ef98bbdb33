#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What --json and --csv print is read by programs that are not ours: Python's json and csv, and
# sqlite3. The names hold what CSV has to quote.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/csv
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99

sed -e 's/"label": "Rock_1187"/"label": "Röck, the \\"big\\" one"/' \
	-e 's/"label": "Lamp_04"/"label": " Lamp\\n04 "/' \
	-e 's/"label": "DL_Night"/"label": "Night, \\"late\\""/' \
	"$CELLSCOPE_SOURCE/fixtures/valley.json" >world.json
"$cs" cook world.json -o world.cworld >made
grep -q 'big' world.json && grep -q 'late' world.json
ok $? 'names with commas, quotes and line feeds'

cat >compare.py <<'EOF'
import csv, json

def compare(number):
    document = json.load(open(f'{number}.json'))
    assert document['schema'].startswith('cellscope.') and document['schema'].endswith('/1')
    lines = list(csv.reader(open(f'{number}.csv', newline=''), strict=True))
    heading, lines = lines[0], lines[1:]
    assert len(lines) == len(document['rows']), (len(lines), len(document['rows']))
    compared = 0
    for line, row in zip(lines, document['rows']):
        assert len(line) == len(heading), line
        by_key = dict(zip(heading, line))
        for key, value in row.items():
            text = by_key.get(key)
            if isinstance(value, str) and value.isprintable() and '\\' not in value:
                assert text == value, (key, text, value)
            elif value is None:
                assert text in ('', None), (key, text)
            elif isinstance(value, int) and not isinstance(value, bool):
                assert int(text) == value, (key, text, value)
            elif isinstance(value, float):
                assert abs(float(text) - value) <= 1e-6 * abs(value), (key, text, value)
            elif isinstance(value, list) and len(value) == 3 and all(type(v) in (int, float) for v in value):
                for axis, at in zip('xyz', value):
                    assert abs(float(by_key[key + '_' + axis]) - at) <= 1e-6 * abs(at)
            compared += 1
    return compared

total = 0
names = open('commands').read().splitlines()
for number, name in enumerate(names, 1):
    try:
        total += compare(number)
        print(0, name + ': the same rows in both')
    except (AssertionError, OSError, ValueError, IndexError) as wrong:
        print(1, f'{name}: the same rows in both, but {wrong!r}')
print(int(total <= 1000), f'{total} values were compared, a thousand at least')
EOF

listings='cells|actors|layers|grids|containers|sets|references|hlods|findings|drops|sources|order
queue|events|frames|info tables|info breakpoints|info checkpoints|info paths|info events|show|variable
check --all|sql "SELECT * FROM actors"|cell L0:5,1|info|state|why cell L0:5,1|explain actor Lamp_04
probe 0,0|stalls|server-hold|info clients|whatif MainGrid.cell_size=6400|print cells[0]|help
version|apropos layer|echo a, "b"|help rules'
# all of them in one session, the what-if in one of its own
if command -v python3 >/dev/null && python3 -c 'import csv, json' 2>/dev/null; then
	printf '%s\n' "$listings" | tr '|' '\n' >commands
	awk 'BEGIN { print "source add Player0 33280,15360\nstep 60\nbreak cell.fail\ncheckpoint" >"run.cmd"
			print "open world.json" >"uncooked.cmd" }
		{ file = /^whatif/ ? "uncooked.cmd" : "run.cmd"
			printf "%s --json > %d.json\n%s --csv > %d.csv\n", $0, NR, $0, NR >file }' commands
	for file in run uncooked; do
		"$cs" -k -q world.cworld -x $file.cmd </dev/null
	done >out 2>&1
	python3 compare.py >same
	while read -r status name; do
		ok "$status" "$name"
	done <same
else
	skip 'the same rows in both: there is no python3'
fi

"$cs" world.cworld -e 'actors --csv > actors.csv' -e 'layers --csv > layers.csv' </dev/null
if command -v sqlite3 >/dev/null; then
	sqlite3 :memory: '.import --csv actors.csv actors' '.import --csv layers.csv layers' \
		"SELECT count(*), sum(label = 'Röck, the \"big\" one') FROM actors" \
		"SELECT label FROM layers WHERE name = 'DL_Night'" >read 2>&1
	printf '60|1\nNight, "late"\n' | cmp -s - read
	ok $? 'sqlite3 reads them'
else
	skip 'sqlite3 reads them: there is none'
fi
# ---- for spreadsheets ----

printf '%s\n' "SELECT '=1+1' AS a, '+x' AS b, '-x' AS c, '@x' AS d, -5 AS e, 'x=' AS f, '' AS g" >formulas
[ "$("$cs" --csv world.cworld sql "$(cat formulas)" | tail -n 1)" = '=1+1,+x,-x,@x,-5,x=,""' ]
ok $? 'texts are as they are'
[ "$("$cs" --csv --csv-safe world.cworld sql "$(cat formulas)" | tail -n 1)" = "'=1+1,'+x,'-x,'@x,-5,x=,\"\"" ]
ok $? '--csv-safe: none of them is a formula, numbers stay'
finish
