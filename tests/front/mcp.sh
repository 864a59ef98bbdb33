#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --mcp: the Model Context Protocol, by messages written here, and by the protocol's official SDK
# where CELLSCOPE_NPM names a folder with it (npm install --prefix FOLDER @modelcontextprotocol/sdk).
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/mcp
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99
"$cs" -q cook "$CELLSCOPE_SOURCE/fixtures/valley.json" -o valley.cworld >made

# call ID TOOL ARGUMENTS: a request
call() {
	printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n' "$@"
}

# answers NAME REQUEST ANSWER: a server that gets one message.
answers() {
	printf '%s\n' "$2" >request
	"$cs" --mcp <request >answer 2>err
	status=$?
	[ "$status" -eq 0 ] && [ "$(cat answer)" = "$3" ] && [ ! -s err ]
	same=$?
	ok $same "$1"
	[ $same -eq 0 ] || { echo "# status $status"; sed 's/^/# /' answer err; }
}

refusal='{"jsonrpc":"2.0","id":null,"error":{"code":'
no_request='-32600,"message":"the message is not a request of JSON-RPC 2.0"}}'
answers 'ping' '{"jsonrpc":"2.0","id":"p","method":"ping"}' '{"jsonrpc":"2.0","id":"p","result":{}}'
answers 'a notification has no answer' '{"jsonrpc":"2.0","method":"notifications/initialized"}' ''
answers 'nor has an answer' '{"jsonrpc":"2.0","id":1,"result":{}}' ''
answers 'nor an empty line' '  ' ''
answers 'what is no JSON' 'rubbish' "$refusal-32700,\"message\":\"'[' or '{' expected near 'rubbish'\"}}"
answers 'half a message' '{"jsonrpc":' "$refusal-32700,\"message\":\"unexpected token near end of file\"}}"
answers 'a request of another protocol' '{"id":1,"method":"ping"}' \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":$no_request"
answers 'an id that is none' '{"jsonrpc":"2.0","id":[1],"method":"ping"}' "$refusal$no_request"
answers 'a batch of nothing' '[]' "$refusal$no_request"
answers 'a batch' '[{"jsonrpc":"2.0","id":1,"method":"ping"},7,{"jsonrpc":"2.0","method":"x"}]' \
	"[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}},$refusal$no_request]"
answers 'a method that is not there' '{"jsonrpc":"2.0","id":1,"method":"tools"}' \
	'{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"the server has no method with this name"}}'
answers 'a resource that is not there' \
	'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"cellscope://table/nothing"}}' \
	'{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"there is no resource with this uri: resources/list lists the resources"}}'
invalid='{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":'
answers 'a tool that is not there' "$(call 1 nothing '{}')" "$invalid\"there is no tool with this name: tools/list lists the tools\"}}"
answers 'an argument too few' "$(call 1 open '{}')" "$invalid\"the argument 'file' of open is missing\"}}"
answers 'one too many' "$(call 1 why '{"place":"x","line":"y"}')" "$invalid\"the argument 'line' of why is unknown\"}}"
answers 'one of another type' "$(call 1 step '{"frames":"9"}')" "$invalid\"the argument 'frames' of step is not a whole number\"}}"
answers 'more frames than a request may run' "$(call 1 step '{"frames":1000001}')" \
	"$invalid\"the argument 'frames' of step is not between 0 and 1000000\"}}"
answers 'arguments that are none' "$(call 1 step '[1]')" "$invalid\"arguments must be a JSON object\"}}"

versions=''
for version in 2024-11-05 2025-03-26 2025-06-18 2099-01-01; do
	versions="$versions $(printf '%s\n' \
		'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"'$version'"}}' |
		"$cs" --mcp | sed 's/.*"protocolVersion":"\([^"]*\)".*/\1/')"
done
[ "$versions" = ' 2024-11-05 2025-03-26 2025-06-18 2025-06-18' ]
ok $? 'the revision that the client asks for, or the latest that is known'

{
	call 1 open '{"file":"valley.cworld"}'
	call 2 sql '{"query":"SELECT count(*) AS n FROM cells WHERE level > 0"}'
	call 3 step '{"frames":30,"source":"0,0"}'
	call 4 step '{"source":"3000,0"}'
	call 5 why '{"place":"L0:5,1"}'
	call 6 map '{"level":0,"show":"state"}'
	call 7 explain '{"place":"Rock_1187"}'
	call 8 diff '{"left":"valley.cworld"}'
	call 9 explain '{"place":"Rock_118"}'
	call 10 sql '{"query":"SELECT levle FROM cells"}'
	call 11 open '{"file":"--map"}'
} >requests
"$cs" --mcp <requests >given 2>err
ok $? 'a session of every tool'
[ "$(grep -c '' given)" -eq 11 ] && [ ! -s err ]
ok $? 'each request has its answer'
n=0
while IFS= read -r wanted; do
	n=$((n + 1))
	sed -n "${n}p" given | grep -qFe "$wanted"
	ok $? "answer $n is what is wanted"
done <<'END'
{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Valley: 44 cells, 60 actors, profile 5.4\n"}],"isError":false}}
\"rows\":[\n{\"n\":1}\n]}
activated in_range
frame 31  t 0.517  agent (3000,0,0)
unloaded, by rule 2.2.4 out_of_range
MainGrid L0  cell 12800 cm
-> taken\n
same: 44 cells, 60 actors compared
[E_NOCELL]\n  try: Rock_1187\n"}],"isError":true}
[E_SQL]\n  try: level\n"}],"isError":true}
--map: cannot open
END

{
	call 1 open '{"file":"valley.cworld"}'
	call 2 sql '{"query":"SELECT * FROM actors"}'
	call 3 more '{"cursor":"1:1"}'
	call 4 more '{"cursor":"9:1"}'
	call 5 more '{"cursor":"x"}'
} | "$cs" --mcp >given
[ "$(sed -n 2p given | wc -c)" -lt 50000 ]
ok $? 'an answer is bounded'
cursor=$(sed -n '2s/.*"cellscope\/nextCursor":"\([^"]*\)".*/\1/p' given)
[ -n "$cursor" ] && [ "$(sed -n '4,5p' given | grep -c '"isError":true')" -eq 2 ]
ok $? 'what is left has a cursor, and cursors that are none are refused'
for write in 'map > out.txt' 'cook valley.json -o out.txt' 'sql SELECT 1 | cat >out.txt'; do
	{ call 1 open '{"file":"valley.cworld"}'; call 2 run "{\"line\":\"$write\"}"; } | "$cs" --mcp >given
	grep -q 'there is no tool with this name' given && [ ! -e out.txt ]
	ok $? "writes nothing: $write"
done
{
	call 1 open '{"file":"valley.cworld"}'
	call 2 run '{"line":"map > out.txt"}'
	call 3 run '{"line":"echo | cat"}'
} | "$cs" --mcp --allow-write >given
[ -s out.txt ] && grep -q '"id":3.*E_UNSAFE.*"isError":true' given
ok $? '--allow-write lets it write, and run no shell'
n=0
while read -r tool arguments; do
	for allowed in '' --allow-write; do
		{
			call 1 open '{"file":"valley.cworld"}'
			call 2 "$tool" "$arguments"
		} | "$cs" --mcp $allowed >given
		n=$((n + 1))
		grep -q '"id":2.*"isError":true' given && [ ! -e pwned ]
		ok $? "$tool starts no shell and writes nothing, $n"
		rm -f pwned
	done
done <<'END'
open {"file":"--x | touch pwned"}
open {"file":"-\"x | touch pwned"}
open {"file":"-\\\" | touch pwned"}
open {"file":"--x > pwned"}
map {"grid":"--x | touch pwned"}
diff {"left":"1\" > pwned","right":"2"}
step {"source":"--x | touch pwned"}
sql {"query":"\"SELECT 1\" | touch pwned"}
sql {"query":"\"SELECT 1\" > pwned"}
sql {"query":"\"SELECT 1\" ~ pwned"}
END
{
	call 1 open '{"file":"valley.cworld"}'
	call 2 sql '{"query":"-- how many\nSELECT count(*) AS \"so many\" FROM cells WHERE level > 0"}'
	call 3 sql '{"query":"SELECT hex(zeroblob(9000000)) AS zeros"}'
} | "$cs" --mcp >given
grep -q '"id":2.*so many.*: *1}.*"isError":false' given
ok $? 'a query may begin with a comment'
grep -q "of 180000[0-9][0-9] bytes" given
ok $? 'an answer that is cut is told with its whole size'
{
	call 1 open '{"file":"valley.cworld"}'
	call 2 sql '{"query":"SELECT hex(zeroblob(9000000)) AS zeros"}'
	call 3 more '{"cursor":"1:16777200"}'
} | "$cs" --mcp >given
grep -q '"id":3.*16777216 of 180000[0-9][0-9] bytes. An answer is cut there' given
ok $? 'the end of what is kept says so'
for wrong in '--allow-write version' '--oodle nothere.so version'; do
	"$cs" $wrong >answer 2>err
	[ $? -eq 2 ] && [ ! -s answer ] && grep -q -e "${wrong% version}\|${wrong%% *}" err
	ok $? "is refused: $wrong"
done
{ head -c 1100000 /dev/zero | tr '\0' x; echo; echo '{"jsonrpc":"2.0","id":1,"method":"ping"}'; } |
	"$cs" --mcp >given
[ "$(sed -n 2p given)" = '{"jsonrpc":"2.0","id":1,"result":{}}' ]
ok $? 'a line of a megabyte is refused, and the next is answered'

mkfifo to from
"$cs" --mcp <to >from &
exec 3>to 4<from
echo '{"jsonrpc":"2.0","id":1,"method":"ping"}' >&3
timeout 10 head -n 1 <&4 | grep -q '"id":1'
ok $? 'an answer comes at once, not when the input ends'
exec 3>&- 4<&-
wait

if ! command -v node >/dev/null || [ ! -d "${CELLSCOPE_NPM:-/nonexistent}/node_modules/@modelcontextprotocol" ]; then
	skip 'the official SDK: no node here, or CELLSCOPE_NPM names no folder with it'
	finish
fi
cp "$CELLSCOPE_SOURCE/tests/front/mcp_client.mjs" "$CELLSCOPE_NPM/mcp_client.mjs"
node "$CELLSCOPE_NPM/mcp_client.mjs" "$cs" valley.cworld >client 2>&1
ok $? 'the official SDK speaks with it'
grep -q '^done$' client || sed 's/^/# /' client
finish
