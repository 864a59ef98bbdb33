#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --interpreter=jsonl: an answer a request, in order, whatever the request is.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/jsonl
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99

# answers NAME REQUEST ANSWER: a session of one request.
answers() {
	printf '%s\n' "$2" >request
	"$cs" "$CELLSCOPE_SOURCE/fixtures/valley.json" --interpreter=jsonl <request >answer 2>err
	status=$?
	[ "$status" -eq 0 ] && [ "$(cat answer)" = "$3" ]
	same=$?
	ok $same "$1"
	[ $same -eq 0 ] || { echo "# status $status"; sed 's/^/# /' answer; }
}

answers 'rows' '{"id":1,"cmd":"cell L0:5,1 -c name,level"}' \
	'{"id":1,"ok":true,"status":0,"schema":"cellscope.cell/1","rows":[{"name":"Valley_MainGrid_5_1_0_0","level":0}]}'
answers 'text' '{"id":"a","cmd":"echo hi"}' \
	'{"id":"a","ok":true,"status":0,"schema":"cellscope.text/1","rows":[{"text":"hi"}]}'
answers 'nothing to say' '{"id":[1],"cmd":"cd L0:5,1 > /dev/null"}' '{"id":[1],"ok":true,"status":0}'
answers 'no id' '{"cmd":"echo"}' \
	'{"id":null,"ok":true,"status":0,"schema":"cellscope.text/1","rows":[{"text":""}]}'
answers 'a failure' '{"id":2,"cmd":"cell L0:99,99"}' \
	"{\"id\":2,\"ok\":false,\"error\":{\"code\":\"E_NOCELL\",\"message\":\"no cell 'L0:99,99'\",\"offset\":5}}"
answers 'a file that is not there' '{"id":3,"cmd":"open none.cworld"}' \
	'{"id":3,"ok":false,"error":{"code":"E_NOFILE","message":"cannot open: No such file or directory","file":"none.cworld"}}'
answers 'a check that does not hold' '{"id":4,"cmd":"assert 1 = 2"}' '{"id":4,"ok":true,"status":1}'
answers 'a check that holds' '{"id":4,"cmd":"assert 1 = 1"}' '{"id":4,"ok":true,"status":0}'
answers 'an empty line is none' '' ''
printf '%s\n' rubbish '{"id":5}' '[1]' '{"cmd":7}' '{"id":6,"cmd":"nonsense"}' \
	'{"id":7,"cmd":"echo \"' '{"id":8,"cmd":"assert 1 = 2"}' '{"id":9,"cmd":"echo last"}' >requests
"$cs" --interpreter=jsonl <requests >answers 2>err
ok $? 'requests that are none end nothing'
[ "$(grep -c '' answers)" -eq 8 ] && [ "$(grep -c '"ok":false' answers)" -eq 6 ]
ok $? 'each has its answer'
tail -n 1 answers | grep -q '^{"id":9,"ok":true,"status":0,.*"last"'
ok $? 'and the last one is not the worse for it'
printf '%s\n' '{"id":1,"cmd":"quit 7"}' '{"id":2,"cmd":"echo"}' | "$cs" --interpreter=jsonl >answers
[ $? -eq 7 ] && [ "$(grep -c '' answers)" -eq 1 ]
ok $? 'quit N ends it with N'
printf '%s\n' '{"id":1,"cmd":"echo | cat"}' | "$cs" --safe --interpreter=jsonl >answers
grep -q E_UNSAFE answers
ok $? '--safe holds here too'
{ printf '{"id":1,"cmd":"echo '; head -c 1100000 /dev/zero | tr '\0' x; printf '"}\n{"id":2,"cmd":"echo"}\n'; } |
	"$cs" --interpreter=jsonl >answers
grep -q E_LIMIT answers && tail -n 1 answers | grep -q '"id":2,"ok":true'
ok $? 'a request of a megabyte is too long'
printf '%s\n' 'echo one' 'echo "two\\x07"' >two.cmd
{
	printf '%s\n' '{"id":1,"cmd":"source two.cmd"}'
	head -c 3000000 /dev/zero | tr '\0' x
	printf '\n%s' '{"id":2,"cmd":"echo three"}'
} | "$cs" --interpreter=jsonl >answers 2>err
text='"ok":true,"status":0,"schema":"cellscope.text/1","rows":'
limit='"message":"the request has 3000000 bytes, more than the limit of 1048576"'
cat >wanted <<END
{"id":1,$text[{"text":"one"},{"text":"two\\\\x5cx07"}]}
{"id":null,"ok":false,"error":{"code":"E_LIMIT",$limit}}
{"id":2,$text[{"text":"three"}]}
END
empty "$(diff wanted answers)" 'a request has one answer, whatever it runs and however long it is'
# what a block lists, one answer; and what is no JSON, as lines of text
printf '{"id":%s}\n' '1,"cmd":"if 1"' '2,"cmd":"echo a"' '3,"cmd":"cells -n 1 -c level"' \
	'4,"cmd":"cells -n 1 -c level --csv"' '5,"cmd":"echo b"' '6,"cmd":"end"' \
	'7,"cmd":"cells -n 1 -c name,level --csv"' '8,"cmd":"set output text"' '9,"cmd":"echo {"' |
	"$cs" "$CELLSCOPE_SOURCE/fixtures/valley.json" --interpreter=jsonl >answers 2>err
list='"schema":"cellscope.text/1","rows":'
cat >wanted <<END
{"id":6,"ok":true,"status":0,$list[{"text":"a"}],"more":[{"schema":"cellscope.cell/1","rows":[{"level":0}]},{$list[{"text":"level"},{"text":"0"}]},{$list[{"text":"b"}]}]}
{"id":7,"ok":true,"status":0,$list[{"text":"name,level"},{"text":"Valley_MainGrid_-1_-1_0_0,0"}]}
{"id":8,"ok":true,"status":0}
{"id":9,"ok":true,"status":0,$list[{"text":"{"}]}
END
empty "$(tail -n 4 answers | diff wanted -)" 'an answer has all that its command prints'
# what a command after | prints belongs to the answer, too
printf '{"id":1,"cmd":"cells -n 1 -c level --csv | cat"}\n' |
	"$cs" "$CELLSCOPE_SOURCE/fixtures/valley.json" --interpreter=jsonl >answers 2>err
echo "{\"id\":1,\"ok\":true,\"status\":0,$list[{\"text\":\"level\"},{\"text\":\"0\"}]}" >wanted
empty "$(diff wanted answers)" 'an answer has what the command after | prints'
# a part of a list is text, so that the answer remains valid JSON
printf '{"id":1,"cmd":"cells -n 1 -c level --json | %s"}\n' 'cut -c1-30' cat |
	"$cs" "$CELLSCOPE_SOURCE/fixtures/valley.json" --interpreter=jsonl >answers 2>err
cat >wanted <<END
{"id":1,"ok":true,"status":0,$list[{"text":" {\"schema\":\"cellscope.cell/1\",\""}]}
{"id":1,"ok":true,"status":0,"schema":"cellscope.cell/1","rows":[{"level":0}]}
END
empty "$(diff wanted answers)" 'a list that a command after | cuts is text, a whole one is a list'
# A name that begins like a list is a text of TSV: the answer is JSON, whose text TSV escapes.
cat >request <<'END'
{"id":1,"cmd":"sql --tsv SELECT replace('[{!schema!:!cellscope.x]', '!', char(34)) AS a, 2 AS b"}
{"id":2,"cmd":"sql --tsv SELECT replace('{!schema!:!cellscope.x', '!', char(34)) AS a, 2 AS b"}
END
cat >wanted <<'END'
{"id":1,"ok":true,"status":0,"schema":"cellscope.text/1","rows":[{"text":"a\u0009b"},{"text":"[{\"schema\":\"cellscope.x]\u00092"}]}
{"id":2,"ok":true,"status":0,"schema":"cellscope.text/1","rows":[{"text":"a\u0009b"},{"text":"\\x7b\"schema\":\"cellscope.x\u00092"}]}
END
"$cs" --interpreter=jsonl <request >answers 2>err
empty "$(diff wanted answers)" 'a name that begins like a list is a text'
# So it is in text, whatever prints it.
cat >request <<'END'
{"id":1,"cmd":"set output text"}
{"id":2,"cmd":"echo '{\"schema\":\"cellscope.'"}
{"id":3,"cmd":"echo '{\"schema\":\"cellscope'"}
{"id":4,"cmd":"sql SELECT replace('{!schema!:!cellscope.x', '!', char(34)) AS a, 2 AS b"}
{"id":5,"cmd":"sql --json SELECT 1 AS a"}
END
cat >wanted <<END
{"id":1,"ok":true,"status":0}
{"id":2,$text[{"text":"\\\\x7b\"schema\":\"cellscope."}]}
{"id":3,$text[{"text":"{\"schema\":\"cellscope"}]}
{"id":4,$text[{"text":"a                       b"},{"text":"\\\\x7b\"schema\":\"cellscope.x  2"}]}
{"id":5,"ok":true,"status":0,"schema":"cellscope.result/1","rows":[{"a":1}]}
END
"$cs" --interpreter=jsonl <request >answers 2>err
empty "$(diff wanted answers)" 'a line of text that begins like a list is a text'
printf '{"id":1,"cmd":"echo | %s"}\n' 'echo why >&2; exit 3' 'head -c 2 /dev/zero' yes \
	'sleep 20 & echo soon' |
	timeout 10 "$cs" --interpreter=jsonl >answers 2>err
cat >wanted <<END
{"id":1,"ok":false,"error":{"code":"E_PROCESS","message":"the command 'echo why >&2; exit 3' ended with exit status 3"}}
{"id":1,"ok":true,"status":0,$list[{"text":"\\\\x00\\\\x00"}]}
{"id":1,"ok":false,"error":{"code":"E_LIMIT","message":"the command 'yes' prints more than the limit of 16777216 bytes: write \`| COMMAND > FILE\`, or let it print less"}}
{"id":1,"ok":true,"status":0,$list[{"text":"soon"}]}
END
empty "$(diff wanted answers)" 'output of a command after | has a limit, and loses nothing below it'
[ "$(cat err)" = why ]
ok $? 'its errors go to standard error'
if command -v python3 >/dev/null; then
	for line in 'cells' 'actors' 'explain actor Rock_1187' 'map' 'info' 'help' 'check'; do
		printf '{"id":1,"cmd":"%s"}\n' "$line"
	done | "$cs" "$CELLSCOPE_SOURCE/fixtures/valley.json" --interpreter=jsonl 2>err |
		python3 -c 'import json, sys
answers = [json.loads(line) for line in sys.stdin]
assert len(answers) == 7 and all(a["ok"] and a["rows"] for a in answers)' 2>err
	ok $? 'Python reads the answers'
else
	skip 'Python reads the answers: there is none'
fi
finish
