#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every example that help and the manual print works, in a session on the world that they are about
# (fixtures/valley.json). Those of one command run together, in order.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/examples
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99

# ---- the files that they name ----

cp "$CELLSCOPE_SOURCE/fixtures/valley.json" valley.json
cp valley.json house.json
printf '0,33280,15360,180\n2,43280,15360,180\n' >fly.csv
gzip -c "$CELLSCOPE_SOURCE/fixtures/streaming/profile.csv" >real.csv.gz
printf 'assert 1 = 1\n' >checks.cmd
{
	"$cs" cook valley.json -o valley.cworld --json && "$cs" cook house.json -o house.cworld --json
	for name in a b before after north south; do cp valley.cworld $name.cworld; done
	mkdir cooks && cp north.cworld south.cworld cooks
	"$CELLSCOPE_BUILD/tests/gen" ue project --actors 60 --seed 1 && mv project/Fixture.uproject Project.uproject
	mv project/* . && mkdir -p Content/__ExternalActors__/Maps/Valley/0/A1
	cp "$(find Content/__ExternalActors__ -name '*.uasset' | sort | head -n 1)" \
		Content/__ExternalActors__/Maps/Valley/0/A1/B2C3.uasset
	"$cs" gen mesh sphere --triangles 5000 -o bunny.obj
	"$cs" gen mesh sphere --triangles 500 -o igea.ply
	"$cs" nanite build bunny.obj -o bunny.cnanite && cp bunny.cnanite tree.cnanite
	"$cs" gen mesh sphere --triangles 80000 -o rock.ply
	"$cs" nanite build rock.ply -o rock.cnanite
	"$cs" gen open --actors 10 --meshes 2 --seed 7 -o shown.json && "$cs" cook shown.json -o shown.cworld --meshes shown.meshes
	mkdir meshes && cp bunny.obj igea.ply meshes && echo 'cook valley.json' >nightly.list
	cp Project.uproject Game.uproject
	"$cs" valley.json -e 'cook log monday.log' && cp monday.log tuesday.log
	mkdir -p Project/Saved/Logs && cp monday.log Project/Saved/Logs/StreamingGeneration-Valley.log
	"$CELLSCOPE_BUILD/tests/samples/make_samples" .
	cp Ribbon/SM_Ribbon.uasset SM_Rock.uasset && cp Ribbon/SM_Ribbon.uexp SM_Rock.uexp && cp Ribbon/SM_Ribbon.ubulk SM_Rock.ubulk
	cp "$CELLSCOPE_SOURCE/fixtures/streaming/real.log" game.log && cp real.csv.gz profile.csv.gz &&
		cp "$CELLSCOPE_SOURCE/fixtures/streaming/profile.csv" .
	printf 'Time Since Boot: 106.40 Seconds\r\nProcess Physical Memory: 1120.75 MB used, 1216.52 MB peak\r\n' >before.memreport
	"$cs" farm plan nightly.list -o game.jsonl && "$cs" farm run game.jsonl --cache cache
} >made 2>err
ok $? 'the files that examples name'

# ---- what has happened before, where it matters ----

# commands on Nanite resources
of_resources='close info cd cluster cut resources pages page sections clusters groups parts fixups
	nodes hierarchy dag atlas deps rdeps closure chain graph hist
	place cost camera_add camera_follow camera_rm cameras request evict pool page_frames page_events why_page why-not_page
	why_cluster sweep_pool explain_page explain_cluster diff_resources'
before() {
	case $1 in
	gen\ * | open) return ;;
	esac
	case $1 in
	place) echo 'open shown.cworld' ;;
	'run compare' | 'run fit') echo "open $CELLSCOPE_SOURCE/fixtures/streaming/street.json" ;;
	*) echo 'open valley.json' ;;
	esac
	# shellcheck disable=SC2086 # the words, one blank between
	case " $(echo $of_resources) " in
	*" $(echo "$1" | tr ' ' _) "*) echo 'open rock.cnanite' ;;
	esac
	case $1 in
	'source add') ;;
	'hlod why') echo 'hlod build' ;;
	*) echo 'source add Player0 33280,15360,180' ;;
	esac
	case $1 in
	mark | jump) printf 'cd L0:5,1\nmark gate\n' ;;
	back) printf 'cd L0:5,1\ncd L0:0,0\n' ;;
	forward) printf 'cd L0:5,1\ncd L0:0,0\nback\n' ;;
	'partition register') echo 'partition add house.json --at 12800,0,0' ;;
	hitches) printf 'step 200\n' ;;
	path\ * | *\ paths) echo 'path load fly.csv' ;;
	client*) printf 'role dedicated\nclient add Anna Player0\n' ;;
	*client*) echo 'client add Anna Player0' ;;
	condition | ignore | commands | end | display | enable | disable | delete) printf 'break cell.fail\nbreak cell.show\nbreak cell.load\n' ;;
	restart) printf 'checkpoint\nstep 100\n' ;;
	'show') echo 'set $limit = 3' ;;
	golden) echo 'map > map42.txt' ;;
	'diff resources') echo 'open tree.cnanite' ;;
	esac
	case $1 in
	source* | path* | goto | run) ;;
	*) echo 'step 60' ;;
	esac
}

# the examples of a command, a line each
"$cs" help --json | sed -n 's/^{"name":"\([^"]*\)".*"examples":"\(.*\)"},*$/\1	\2/p' |
	sed 's/\\"/"/g; s/\\\\/\\/g' >table
[ "$(grep -c '' table)" -gt 140 ]
ok $? 'every command has examples'
grep -vc '	' table >none
[ "$(cat none)" = 0 ]
ok $? 'none is without'

while IFS= read -r row; do
	name=${row%%	*}
	before "$name" >case.cmd
	printf '%s\n' "${row#*	}" | sed 's/\\u000a/\n/g' >>case.cmd
	# what is there is read, nothing is waited for
	[ "$name" = 'run follow' ] && sed -i 's/^\(run follow [^ ]*\).*/\1 --for 0/' case.cmd
	shells=$([ "$name" = shell ] && echo --allow-shell)
	# shellcheck disable=SC2086 # an option or nothing
	"$cs" $shells -k -D DATA="$work" --timeout 20 -x case.cmd >out 2>err </dev/null
	status=$?
	case $name in
	quit) [ $status -eq 0 ] ;;
	*) [ $status -le 1 ] && ! grep -q 'error:' err ;;
	esac
	passed=$?
	ok $passed "$name"
	[ $passed -eq 0 ] || { echo "# status $status"; sed 's/^/# /' err; }
done <table
finish
