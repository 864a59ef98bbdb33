#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The screen on real terminals, inside of tmux: what is seen is what `view show` prints, whatever
# TERM is, behind a change of size, ^Z and fg; and the terminal is left as it was found.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/tui
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99
cp "$CELLSCOPE_SOURCE/fixtures/valley.json" .

if ! command -v tmux >/dev/null 2>&1; then
	skip 'tmux is not here'
	finish
fi
# A server that ends and one that begins on the same socket get in each other's way.
servers=0
mux() { tmux -S "$work/socket$servers" -f /dev/null "$@"; }
trap 'mux kill-server 2>/dev/null' EXIT

# wait_for TEXT: until the pane shows it; fails after ten seconds.
wait_for() {
	for _ in $(seq 100); do
		mux capture-pane -p -t s 2>/dev/null | grep -qF -- "$1" && return 0
		sleep 0.1
	done
	mux capture-pane -p -t s | sed 's/^/# /'
	return 1
}

# begin COLUMNS ROWS: a shell in a fresh server, without a prompt that depends on the machine.
begin() {
	mux kill-server 2>/dev/null
	servers=$((servers + 1))
	mux new-session -d -s s -x "$1" -y "$2" "env -i PATH=$PATH HOME=$work PS1='ready> ' \
		LC_ALL=C TERM=screen /bin/sh -i"
	mux set-option -g status off >/dev/null
	wait_for 'ready>'
}

type_line() { mux send-keys -t s "$1" Enter; }

# The same by a command file.
oracle() {
	"$cs" valley.json -e "view size $1" -e 'source add P 0,0' -e 'run 20 ~ nothing' \
		-e 'view start' -e 'view cells' -e 'view log-rows 0' -e 'view show' | sed 's/ *$//'
}

# What was typed may take its time on a busy machine: the pane is looked at until it is right.
same_as_oracle() {
	oracle "$1" >wanted
	for _ in $(seq 100); do
		mux capture-pane -p -t s | sed 's/ *$//' >seen
		diff wanted seen >difference
		same=$?
		[ $same -eq 0 ] && break
		sleep 0.1
	done
	ok $same "$2"
	[ $same -eq 0 ] || sed 's/^/# /' difference
}

for term in xterm-256color tmux-256color screen linux vt100; do
	begin 80 24
	type_line "TERM=$term $cs -n --tui valley.json"
	wait_for 'What is open' && type_line ':source add P 0,0' && type_line ':run 20 ~ nothing' &&
		mux send-keys -t s v c && wait_for '(cellscope) view cells' &&
		type_line ':view log-rows 0' && sleep 0.3
	same_as_oracle 80x24 "$term: what is seen is what the command file prints"
done
mux resize-window -t s -x 100 -y 30
sleep 0.7
same_as_oracle 100x30 'and behind a change of size'
mux send-keys -t s ':' 'a line that is not run'
wait_for ':a line that is not run' && mux send-keys -t s C-c
same_as_oracle 100x30 '^C closes the prompt'
mux send-keys -t s C-z
wait_for 'topped'
ok $? '^Z gives the terminal to the shell'
[ "$(mux display-message -p -t s '#{alternate_on}')" = 0 ]
ok $? 'with its own screen'
type_line fg
wait_for 'short_name'
ok $? 'and fg brings the screen back'
mux send-keys -t s Q
wait_for '(cellscope'
ok $? 'Q leads to the prompt'
type_line quit

# ---- ends ----

# ends NAME COMMAND: after it the terminal is as it was.
ends() {
	begin 80 24
	type_line 'stty -g >before'
	# two quotes, that what is typed is not what is waited for
	type_line "$cs -n --tui valley.json; stty -g >after; echo do''ne"
	wait_for 'What is open'
	pid=$(pgrep -f -n "^$cs -n --tui valley.json" | tail -n 1)
	eval "$2"
	wait_for 'done'
	sleep 0.2
	cmp -s before after && [ "$(mux display-message -p -t s '#{alternate_on}')" = 0 ] &&
		[ "$(mux display-message -p -t s '#{cursor_flag}')" = 1 ]
	ok $? "$1: the terminal is as it was"
}

ends 'q' 'mux send-keys -t s q; wait_for "(cellscope)"; type_line quit'
ends 'Q' 'mux send-keys -t s Q; wait_for "(cellscope)"; type_line quit'
ends 'SIGINT, which leaves the screen alone' \
	'kill -INT $pid; sleep 0.3; mux send-keys -t s v c; wait_for short_name; type_line :quit'
ends '^Z, and fg' 'mux send-keys -t s C-z; wait_for topped; type_line fg; wait_for "] Level";
	mux send-keys -t s q; wait_for "(cellscope)"; type_line quit'
ends 'a shell' 'type_line ":shell stty -g >inside"; wait_for "any key"; mux send-keys -t s x
	wait_for "Enter Run"; type_line :quit'
cmp -s before inside
ok $? 'which had the terminal as it was before'
for signal in TERM HUP QUIT SEGV ABRT BUS; do
	ends "SIG$signal" "kill -$signal \$pid"
done

# ---- long work, and a shell ----

endless="WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c"
bottom() { mux capture-pane -p -t s | tail -n "${1:-1}"; }

# moves: the line at the bottom changes again and again.
moves() {
	changes=0
	last=
	for _ in $(seq 100); do
		case $(bottom) in
		"$last" | '' | ' m Overlay'*) ;;
		*'^C stops it'*) changes=$((changes + 1)) last=$(bottom) ;;
		esac
		[ $changes -ge 4 ] && return 0
		sleep 0.1
	done
	return 1
}

# settled FILE: the upper 18 lines, once two looks in a row are alike.
settled() {
	rm -f "$1"
	for _ in $(seq 50); do
		mux capture-pane -p -t s | head -n 18 >seen
		cmp -s seen "$1" && return
		cp seen "$1"
		sleep 0.1
	done
}

# stops NAME: ^C ends it with the named error; the views stand as they did before.
stops() {
	mux send-keys -t s C-c
	wait_for 'interrupted [E_INTERRUPTED]' && wait_for 'Enter Run'
	ok $? "^C stops $1"
	settled after
	diff before after >difference
	ok $? 'and the screen is as it was before'
	mux send-keys -t s ':echo on''ward' Enter
	wait_for '(cellscope) echo onward'
	ok $? 'and goes on'
}

# What a process prints that reads a command's rows comes to the log, and is not drawn over the views.
begin 80 24
type_line "$cs -n --tui valley.json"
wait_for 'What is open' && type_line ':view log-rows 3' && wait_for 'Enter Run'
settled before
type_line ':cells | head -n 2 | tr a-z A-Z; echo beside >&2'
wait_for 'NAME  ' && bottom 6 | grep -q '^ beside'
ok $? 'a process that reads rows is heard in the log'
settled after
diff before after >difference
ok $? 'and the views stand as they did before'

"$cs" gen city --actors 200000 -o city.json >/dev/null
begin 80 24
type_line "$cs -n --tui valley.json"
wait_for 'What is open' && type_line ':view log-rows 3' && wait_for 'Enter Run'
settled before
type_line ":sql $endless"
wait_for 'sql WITH RECURSIVE' && moves
ok $? 'a statement of SQL tells that it runs, and for how long'
mux resize-window -t s -x 100 -y 30
for _ in $(seq 100); do
	sleep 0.1
	case $(bottom) in *'^C stops it'*) [ "$(bottom 30 | wc -l)" = 30 ] && break ;; esac
done
mux capture-pane -p -t s | head -n 18 | cut -c 1-50 | sed 's/ *$//' >seen
cut -c 1-50 before | sed 's/ *$//' | diff - seen >difference
ok $? 'a change of size draws what there was, whole'
mux send-keys -t s v c
wait_for 'typed keys wait'
ok $? 'keys wait, and it says so'
mux resize-window -t s -x 80 -y 24
stops 'it, and forgets the keys'
type_line ':view cells'
wait_for 'Cells  1 of'
settled before
type_line ":filter ($endless) > 0"
wait_for 'filter (WITH' && moves
ok $? 'a filter tells that it runs'
mux send-keys -t s C-c
wait_for 'interrupted [E_INTERRUPTED]'
settled after
diff before after >difference
ok $? 'and one that is stopped leaves the rows that there were'
type_line ":view cells ($endless) > 0"
wait_for '^C stops it'
mux send-keys -t s C-c
wait_for 'interrupted; C-l asks again'
ok $? 'a view whose rows did not come says how to ask again'
mux send-keys -t s C-l
wait_for 'the screen' && mux send-keys -t s C-c && wait_for 'interrupted; C-l asks again'
ok $? 'and is asked again'
mux send-keys -t s q q
wait_for 'Enter Run'
settled before
type_line ':cook city.json -o city.cworld'
# A quick machine has cooked it before it is told, or stopped.
cook_is_seen() {
	for _ in $(seq 300); do
		bottom | grep -qE '(read|write|[a-z]+) [0-9]+%.*C stops it' && return 0
		[ ! -e city.cworld ] || return 1
		sleep 0.03
	done
	return 1
}
cook_is_seen
was_seen=$?
mux send-keys -t s C-c
wait_for 'Enter Run' >/dev/null
if [ -e city.cworld ]; then
	skip 'a cook is told and stopped: it was over before'
else
	ok $was_seen 'a cook tells its phase and how far it is'
	stops 'a cook'
	[ ! -e city.cworld ]
	ok $? 'and there is no half of a world'
fi
type_line ':source add P 0,0' && type_line ':step 500000000 ~ frame' && wait_for 'run 0%'
ok $? 'a run of frames tells how far it is'
mux send-keys -t s C-c
wait_for 'interrupted'
ok $? '^C stops it'
mux send-keys -t s C-c C-c
mux send-keys -t s v c
wait_for 'short_name'
ok $? 'more of it does nothing'
printf 'sql SELECT %s FROM nowhere\n' "$(seq -s, 200)" >long.cmd
type_line ':source long.cmd'
wait_for 'long.cmd:1: error: '
mux capture-pane -p -t s | grep -c . >seen
mux capture-pane -p -t s | sed -n 2p | grep -q '^ Cells  1 of'
ok $? 'an error in a script is told in the log, and nowhere else'
type_line ':shell echo from the shell; sleep 2'
wait_for 'any key goes back' && mux send-keys -t s x && wait_for 'short_name'
ok $? 'a shell gets the terminal, and gives it back'

# ---- the mouse ----

# Only where it was asked for; the left button at column 5, row 7 of the list.
mux send-keys -t s v c
type_line ':view mouse on'
wait_for 'Cells' && mux send-keys -t s -H 1b 5b 4d 20 26 28
wait_for 'Cells  5 of'
ok $? 'the mouse puts the cursor where it is pressed'
[ "$(mux display-message -p -t s '#{mouse_standard_flag}#{mouse_button_flag}')" != 00 ]
ok $? 'when the terminal was asked for it'
# The wheel moves the cursor where rows are listed, and zooms where there is a scale.
"$cs" gen city --actors 90 --seed 1 -o wheel.json >/dev/null
type_line ':view diff valley.json wheel.json'
wait_for 'Diff valley.json' && mux send-keys -t s -H 1b 5b 4d 61 26 28
sleep 0.5
! mux capture-pane -p -t s | grep -q 'no zoom'
ok $? 'the wheel goes through the rows of a diff'
mux send-keys -t s Q
wait_for '(cellscope'
sleep 0.3
[ "$(mux display-message -p -t s '#{mouse_standard_flag}#{mouse_button_flag}')" = 00 ]
ok $? 'and it is left to the terminal behind the screen'
type_line quit

# ---- old names ----

begin 80 24
type_line "TERM=screen $cs -n valley.json"
wait_for '(cellscope' && type_line 'screen size 60x12' && type_line 'sort name' && type_line 'why cell 1' &&
	type_line 'echo fin'ished && wait_for 'finished'
mux capture-pane -p -J -t s >seen
grep -q '^screen size will be removed in the next release: use `view size`$' seen &&
	[ "$(grep -c 'next release' seen)" -eq 1 ]
ok $? 'an old name does as before, and the new one is told once'
type_line quit

# ---- refusals ----

begin 80 24
type_line "TERM=dumb $cs -n --tui valley.json"
wait_for "'dumb', which cannot"
ok $? 'a dumb terminal is refused, with the reason'
begin 80 24
type_line "TERM=nonesuch $cs -n --tui valley.json"
wait_for "'nonesuch', which terminfo"
ok $? 'an unknown one as well'
type_line quit
"$cs" --tui valley.json </dev/null >out 2>&1
[ $? -eq 2 ] && grep -q 'needs a terminal' out
ok $? 'and no terminal at all'

# ---- what is pasted, what is wrong at the start, windows without room, terminals that go ----

begin 80 24
type_line "$cs -n --tui nowhere.json"
wait_for 'nowhere.json: cannot open'
ok $? 'what is wrong at the start is said on the screen'
begin 80 24
type_line "$cs -n --tui valley.json"
wait_for 'What is open'
mux set-buffer 'step 5'
mux paste-buffer -p -t s
wait_for ':step 5'
ok $? 'a line that is pasted stands in the command line'
mux send-keys -t s Escape
mux set-buffer "$(printf 'step 1\nstep 2')"
mux paste-buffer -p -t s
wait_for '2 lines were pasted' && mux send-keys -t s y && wait_for 'frame 3 '
ok $? 'lines that are pasted are asked about, and then run'
mux send-keys -t s ':' 'typed before'
wait_for ':typed before' && mux paste-buffer -p -t s
wait_for '2 lines were pasted' && mux send-keys -t s n && wait_for ':typed before'
ok $? 'what was typed before stays when they are dropped'
mux send-keys -t s C-u
mux send-keys -t s 'step 1'
mux set-buffer "$(printf '0\nstep 2')"
mux paste-buffer -p -t s
wait_for '2 lines were pasted' && mux send-keys -t s y && wait_for 'frame 15 '
ok $? 'and the first of them goes on with it when they run'
mux send-keys -t s ':'
printf 'echo a\177b' | mux load-buffer -
mux paste-buffer -p -t s
wait_for ':echo ab'
ok $? 'and a byte that is a key is no letter of what is pasted'
head -c 5000 /dev/zero | tr '\0' x | mux load-buffer -
mux paste-buffer -p -t s
wait_for 'none of the 5000 pasted bytes was' && wait_for ':echo ab'
ok $? 'a line that is too long is not cut but refused'
mux send-keys -t s Escape
mux resize-window -t s -x 2 -y 3
mux send-keys -t s v c j
sleep 0.3
mux resize-window -t s -x 80 -y 24
wait_for 'short_name'
ok $? 'a window of two columns ends nothing'
begin 80 24
type_line "trap '' HUP; $cs -n --tui valley.json"
wait_for 'What is open'
pid=$(pgrep -f -n "^$cs -n --tui valley.json" | tail -n 1)
mux kill-server 2>/dev/null
gone=1
for _ in $(seq 50); do
	kill -0 "$pid" 2>/dev/null || { gone=0 && break; }
	sleep 0.1
done
ok $gone 'a terminal that goes ends the program, though SIGHUP is ignored'

# ---- blocks ----

# While a block is open its lines are asked for, on the screen and at the prompt; ^C gives it up.
begin 80 24
type_line "$cs -n --tui valley.json"
wait_for 'What is open' && mux send-keys -t s ':if 1' Enter && wait_for ') if 1' && type_line 'echo in'"' 'block" &&
	mux send-keys -t s -l end && mux send-keys -t s Enter && wait_for ' in block'
ok $? 'a block is typed on the screen'
mux send-keys -t s ':define x' Enter && wait_for ') define x' && mux send-keys -t s C-c &&
	wait_for 'was given up' && mux send-keys -t s '?' && wait_for 'Keys, and what they submit'
ok $? '^C drops one, and keys are keys again'
mux send-keys -t s C-x a && wait_for '(cellscope)' && type_line 'define x' && wait_for '> ' &&
	mux send-keys -t s C-c && type_line 'echo be'"' 'hind" && wait_for 'be hind'
ok $? 'and at the prompt'

# ---- idle ----

if command -v strace >/dev/null 2>&1 && strace -o probe true 2>/dev/null; then
	begin 80 24
	type_line "$cs -n --tui valley.json"
	wait_for 'What is open'
	sleep 0.5
	pid=$(pgrep -f -n "^$cs -n --tui valley.json" | tail -n 1)
	timeout 2 strace -f -p "$pid" -o calls 2>/dev/null
	empty "$(grep -vE 'poll\(|restart_syscall|futex.*unfinished|resumed|strace|detached' calls)" 'who does nothing is not woken'
else
	skip 'who does nothing is not woken: strace cannot trace here'
fi
finish
