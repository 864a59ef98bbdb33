#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What may be asked of the program and is more than it may take: memory, time, ways to wait for
# ever. Each ends in an error with a name, within the limit that was given.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/limits
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99
# Shadow memory of sanitizers is no measure.
sanitized=no
grep -q '^CS_CFLAGS = .*-fsanitize' "$CELLSCOPE_BUILD/Makefile" && sanitized=yes

# ends STATUS CODE NAME SECONDS MIB ARGUMENTS...: how it ends, by when, with how much memory
ends() {
	want=$1 code=$2 name=$3 seconds=$4 mib=$5
	shift 5
	begin=$(date +%s)
	(
		# room for the program and its threads; of what goes beyond, half would do
		[ $sanitized = yes ] || ulimit -v $((mib * 1024 + 700000))
		exec timeout -s KILL 60 "$cs" "$@"
	) >out 2>err </dev/null
	got=$?
	took=$(($(date +%s) - begin))
	[ $got -eq "$want" ] && grep -q "\[$code\]" err && [ $took -le "$seconds" ]
	ok $? "$name: $code"
	[ $got -eq "$want" ] && [ $took -le "$seconds" ] || {
		echo "# status $got after $took s"
		sed 's/^/# /' err
	}
}

# ---- files of a mesh ----

# Beside a mesh that is within the limit, a buffer that is not.
head -c 3145728 /dev/zero >large.bin
printf '%s' '{"asset":{"version":"2.0"},"buffers":[{"uri":"large.bin","byteLength":3145728}],' \
	'"bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,' \
	'"componentType":5126,"count":3,"type":"VEC3"}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],' \
	'"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"scene":0}' >large.gltf
ends 3 E_LIMIT 'a buffer larger than the limit' 10 64 --max-mem 2 -e 'nanite build large.gltf -o x.cnanite'
grep -q 'large.bin: the file has 3145728 bytes, more than the limit of .*--max-mem' err
ok $? 'its error names the buffer and the option'

# ---- expressions ----

printf 'echo aaa\n|~ (a{1,255}){1,255}{1,255}\n' >bomb.cmd
ends 2 E_LIMIT 'a block whose pattern compiles to gigabytes' 20 64 --timeout 10 -x bomb.cmd
ends 3 E_LIMIT 'a filter that does' 20 64 --timeout 10 -e 'echo aaa ~ /(a{1,255}){1,255}{1,255}/'
ends 3 E_LIMIT 'nothing, again and again' 20 64 --timeout 10 -e 'echo a ~ /((a?){1,200}){1,200}b/'
ends 3 E_LIMIT 'repetitions that take for ever to compile' 20 64 --timeout 10 -e \
	'echo aaa ~ /((a*)*{1,9}){1,9}/'
printf 'echo a ~ /%s/\n' "$(awk 'BEGIN { for (i = 0; i < 300; i++) printf "(a?$)?" }')" >anchors.cmd
ends 3 E_LIMIT 'anchors without number' 20 64 --timeout 10 -x anchors.cmd
ends 2 E_USAGE 'a group that is referred to' 20 64 --timeout 10 -e 'echo aa ~ /((a*)*)*\\1b/'
printf "echo '%s' ~ '/(.?){1,600}(a|b)*c$/'\n" "$(head -c 30000 /dev/zero | tr '\0' a)" >long.cmd
ends 3 E_LIMIT 'a line too long for its expression' 20 64 --timeout 10 -x long.cmd
deep=$(awk 'BEGIN { for (i = 0; i < 3000; i++) printf "(" }')
ends 3 E_LIMIT 'groups nested too deep' 20 64 --timeout 10 -e "echo a ~ /$deep/"
for good in '^[0-9a-f]{32}$' '[]a]{3}[[:digit:]]*' '(a|b)+\(' 'x{1,1000}' 'a{,5}'; do
	"$cs" -e "echo a ~ '/$good/'" >out 2>err
	ok $? "fine: $good"
done

# ---- SQL ----

ends 3 E_LIMIT 'values beyond the limit' 30 64 --max-mem 64 --timeout 20 -e \
	"sql WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c LIMIT 100) SELECT max(length(v)) FROM (SELECT hex(zeroblob(15000000)) || x AS v FROM c ORDER BY v)"
ends 3 E_LIMIT 'one value beyond it' 30 64 --timeout 20 -e 'sql SELECT length(zeroblob(900000000))'
ends 3 E_LIMIT 'a sort beyond it' 30 64 --max-mem 16 --timeout 20 -e \
	"sql WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c LIMIT 3000000) SELECT count(*) FROM (SELECT x FROM c ORDER BY -x)"
ends 3 E_TIMEOUT 'a query without an end' 10 64 --timeout 0.5 -e \
	'sql WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c'
ends 3 E_TIMEOUT 'one function without an end' 10 200 --timeout 0.5 -e \
	"sql SELECT hex(zeroblob(9000000)) GLOB '*' || substr(hex(zeroblob(499)), 2) || '1'"
ends 3 E_SQL 'one that takes the square of its text' 10 64 --timeout 10 -e "sql SELECT json_patch('{}', '{}')"
for check in 'xfail "why"' 'expect error E_INTERRUPTED' 'expect error E_NOCELL'; do
	ends 3 E_TIMEOUT "$check expects no time limit" 10 64 --timeout 0.5 -e \
		"$check: sql WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c" \
		-e 'assert 1 = 2'
done
printf '{"id":1,"cmd":"sql WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c"}\n{"id":2,"cmd":"echo a"}\n' >requests
"$cs" --timeout 0.5 --interpreter=jsonl <requests >out 2>err
[ $? -eq 3 ] && [ "$(wc -l <out)" -eq 1 ] && grep -q '"code":"E_TIMEOUT"' out
ok $? 'a request that the time limit ended is the last one, and the status tells'
ends 3 E_TIMEOUT 'a verb of the command line' 10 700 --timeout 0.01 gen city --actors 3000000 -o city.json

# ---- worlds that do not fit ----

# within MIB PATTERN COMMAND: its answer, in less memory than all rows of the world take
within() {
	"$cs" -j 1 --timeout 300 --max-mem "$1" large.cworld -e "$3" >out 2>err </dev/null
	cat out err | grep -q "$2"
	ok $? "$3 in $1 MiB"
}

if [ $sanitized = yes ]; then
	skip 'a world that does not fit: sanitized'
else
	"$cs" -q gen city --actors 500000 -o large.json >out && "$cs" -q cook large.json -o large.cworld >out
	TMPDIR=$PWD "$cs" -j 1 --timeout 300 --max-mem 64 -q cook large.json -o limited.cworld >out 2>err
	ok $? 'a world is cooked in less memory than its actors take'
	cmp -s large.cworld limited.cworld
	ok $? 'its file has the same bytes'
	rm -f limited.cworld
	actor=$("$cs" large.cworld -e 'print actors[499000].label')
	cell=$("$cs" large.cworld -e 'print cells[4000].name')
	within 96 "did you mean '$actor'" "actor ${actor}x"
	within 96 "^ *$actor$" "complete \"actor $actor\""
	within 96 "^actor" "cd $actor"
	within 96 '^[A-Z][a-z]*_[0-9]' 'references -n 5'
	within 96 '^[A-Z][a-z]*_[0-9]' 'drops -n 5'
	within 128 '^largest' "explain $cell"
	within 128 'actors*, [0-9]* edge' "cluster $actor"
	within 128 'no single edge' "cut $actor"
	within 80 '^[A-Z][a-z]*_[0-9]' 'actors @ L0:1,1'
	within 96 '^[A-Z][a-z]*_[0-9]' layer-cost
	within 64 "^name  *$actor" "actor $actor"
	within 64 '^hlod' 'hlod check'
	within 64 '^hlod' 'hlod why'
	within 64 'no actor of the world names a mesh' place
	within 96 'written$' 'report large.html'
	within 8 '^City_MainGrid' 'cells -n 20'
	within 8 '^frame 1 ' 'step 1'
	within 8 'cells:.* x right, y down$' map
	within 8 '^City' partitions
	within 8 '^short_name  *1_1_0_0' 'cell L0:1,1'
	within 8 '^City_MainGrid_0_0_0_0' 'cells @ 1000,1000'
	within 8 'wanted  *unloaded' 'why L0:1,1'
	within 96 '^Note_92  *1 ' drops
	# Rows name cells and actors in no order; their names are read before the rows.
	within 32 '/Furniture_336 ' actors
	within 32 '/Furniture_336$' sets
	within 32 '^[A-Z][a-z]*_[0-9]' references
	within 48 '/Furniture_336"' 'actors --json'
	# Address space of tables of two worlds is reserved, and only parts in use count as memory.
	within 128 '^same: ' 'diff large.cworld'
	# Cells are too many to stay: statements decode the columns that they read. A world that is
	# cooked in memory has whole rows.
	for column in name short_name guid grid level x y z always_loaded spatial hlod client_only \
		block_on_slow flat layers external_layer layers_id actors sets cell_min content_max \
		hierarchical_level priority package content_bundle mesh_bytes; do
		echo "sql \"SELECT min($column), max($column), count($column) FROM cells\""
	done >columns.cmd
	echo 'sql "SELECT min(cell), max(always) FROM actors"' >>columns.cmd
	printf '%s\n' 'sets -c cell,largest' 'references --json' 'drops --json' \
		'actors --csv -c title,cell,parent,always,layers' >>columns.cmd
	"$cs" -q large.cworld -x columns.cmd >narrow
	"$cs" -q large.json -x columns.cmd >whole
	[ "$(wc -l <narrow)" -gt 50 ] && cmp narrow whole
	ok $? 'columns of cells that are read alone'
	rm large.cworld large.json
fi

# ---- levels inside levels ----

if [ -r "$CELLSCOPE_DATA/hostile/li_double40.json" ]; then
	for mem in 64 1024; do
		ends 3 E_LIMIT "2^40 level instances, --max-mem=$mem" 10 64 --max-mem $mem --timeout 20 \
			cook "$CELLSCOPE_DATA/hostile/li_double40.json" -o out.cworld
	done
else
	skip 'no shared data'
fi

# ---- pipes, devices ----

mkfifo silent
ends 3 E_TIMEOUT 'a script from a pipe that nobody opens' 10 64 --timeout 0.5 -x silent
sleep 20 >silent &
writer=$!
ends 3 E_TIMEOUT 'a script from a pipe that stays open' 10 64 --timeout 0.5 -x silent
words=$(sed -n 's/^.*error: //p' err)
# the reader takes nothing, so the write waits until the process is ended
"$cs" --timeout 0.3 -e \
	'sql WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c LIMIT 300000) SELECT x FROM c' \
	2>err </dev/null | sleep 3
[ -n "$words" ] && [ "$(sed -n 's/^.*error: //p' err)" = "$words" ]
ok $? "a process that is ended in a write says the same: $words"
sed 's/^/# /' err
for signal in 2 15; do
	env --default-signal=INT "$cs" -x silent >out 2>err </dev/null &
	pid=$!
	sleep 0.3
	begin=$(date +%s)
	kill -$signal $pid
	wait $pid
	[ $? -eq $((128 + signal)) ] && [ $(($(date +%s) - begin)) -le 10 ]
	ok $? "signal $signal ends the wait for it"
done
kill $writer 2>/dev/null
for signal in 2 15; do
	env --default-signal=INT "$cs" -e \
		"sql SELECT hex(zeroblob(9000000)) GLOB '*' || substr(hex(zeroblob(499)), 2) || '1'" >out 2>err </dev/null &
	pid=$!
	sleep 0.5
	begin=$(date +%s)
	kill -$signal $pid
	wait $pid
	[ $? -eq $((128 + signal)) ] && [ $(($(date +%s) - begin)) -le 10 ]
	ok $? "signal $signal ends a function of SQL"
done
printf 'golden /dev/zero: echo a\n' >device.cmd
ends 3 E_NOTFILE 'a golden file that is a device' 10 64 --timeout 5 -x device.cmd
printf 'golden silent: echo a\n' >pipe.cmd
ends 3 E_NOTFILE 'one that is a pipe' 10 64 --timeout 5 -x pipe.cmd

# ---- --safe stays in the folder of the script ----

mkdir -p inside/deeper
echo 'echo b' >outside.cmd
echo a >outside.txt
ln -s ../outside.txt inside/link.txt
echo 'golden ../outside.txt: echo a' >inside/up.cmd
echo 'golden link.txt: echo a' >inside/link.cmd
echo "source $work/outside.cmd" >inside/source.cmd
for name in up link source; do
	"$cs" -x inside/$name.cmd >out 2>err
	ok $? "without --safe: $name"
	ends 3 E_UNSAFE "--safe: $name" 10 64 --safe -x inside/$name.cmd
done
echo a >inside/deeper/in.txt
echo 'golden deeper/in.txt: echo a' >inside/in.cmd
"$cs" --safe -x inside/in.cmd >out 2>err
ok $? '--safe: a golden file below the script'

# ---- files that may not grow ----

"$cs" gen city --actors 10 -o small.json >/dev/null
cp small.json before.json
(
	ulimit -f 8
	exec "$cs" gen city --actors 3000 -o small.json
) >out 2>err
[ $? -eq 3 ] && grep -q E_IO err
ok $? 'ulimit -f: a named error, no signal'
cmp -s small.json before.json && [ "$(ls | grep -c 'small.json')" = 1 ]
ok $? 'the old file stays, and nothing is left beside it'
finish
