/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Owns: the texts of help topics. */
#include "src/language/topics.h"

const struct topic topics[] = {
	{
		.name = "grammar",
		.summary = "how a command line is read",
		.text = "verb ARGS [-options] [@ WHERE] [~ TEXT | | SHELL] [> FILE]\n"
			"\n"
			"A verb may be shortened as long as it stays unique. @ WHERE runs the command\n"
			"as if the current place were WHERE; ~ TEXT prints the lines that contain TEXT,\n"
			"~ /RE/ those that match an extended regular expression; | SHELL sends the\n"
			"output to a shell command, > FILE into a file.\n"
			"\n"
			"'text' is taken as it is. In \"text\" and outside quotes a backslash takes away\n"
			"the meaning of the next character, and \\xHH is a byte: a name that was printed\n"
			"escaped can be typed as it was printed. @NAME@ is the value of -D NAME=VALUE;\n"
			"@HERE@ is the folder of the command file.\n"
			"A line that begins with # is a comment. On a terminal an empty line repeats\n"
			"the command before it if that only steps or pages.\n",
	},
	{
		.name = "where",
		.summary = "how a place is named",
		.text = "L0:5,1             the cell at X 5, Y 1 of level 0; L0:5,1,2 with Z\n"
			"MainGrid_5_1_0_0   a cell by its name, with or without that of the world\n"
			"33280,15360        a point in cm, X,Y or X,Y,Z; as a cell: the smallest there\n"
			"actor NAME         an actor by its label, its name or its GUID\n"
			".                  the current place, where `cd WHERE` went\n"
			"3 or #3            the third row of the last listing\n"
			"\n"
			"Of several cells at the same coordinates L0:5,1 is the one of the first grid,\n"
			"and of that the one without data layers.\n",
	},
	{
		.name = "screen",
		.summary = "the full screen: panes, keys, views",
		.text = "`tui`, --tui or C-x a show the session on a full screen; Q or C-x a go back\n"
			"to the prompt, with place, frame and stops kept. From top to bottom it has\n"
			"a title, a view or two, beside them what is under the cursor, the log and\n"
			"the keys.\n"
			"\n"
			"  Enter  open what is under the cursor     e  explain it    y  ask why\n"
			"  v m c a l f s h  map, cells, actors, layers, findings, sources, HLODs\n"
			"  V y    why, beside, while time runs      V V  one view alone\n"
			"  . ,    a frame on, back    Space  play   c C  on, back to a stop\n"
			"  /  search   \\  filter in SQL   o  sort   t  mark   F  count by a column\n"
			"  :  a command line         ?  all keys, and the command of each\n"
			"\n"
			"What takes long shows how far it is in the last line. ^C stops it, and forgets\n"
			"what was typed meanwhile, which waits else. C-l draws all of it again, and asks\n"
			"again for rows that did not come.\n"
			"\n"
			"Below 72 columns what is beside goes, below 18 rows the log; the least is\n"
			"40x10. The screen needs no terminal: in command files `press` presses keys,\n"
			"`view size` makes it large, `view show` prints it and `view save`\n"
			"writes it as text, ANSI, HTML or SVG.\n",
	},
	{
		.name = "expressions",
		.summary = "conditions of -w, assert and sql",
		.text = "Expressions are SQL, evaluated by SQLite over read-only tables: those that\n"
			"`info tables` lists. The columns of a table are the keys of its JSON rows.\n"
			"\n"
			"  cells -w \"level > 0 AND actors < 3\"\n"
			"  actors -w \"class LIKE '%Light%' AND bounds_max_z > 5000\"\n"
			"  assert (SELECT count(*) FROM cells WHERE always_loaded) = 1\n"
			"  sql SELECT grid, level, count(*) FROM cells GROUP BY grid, level\n"
			"\n"
			"A vector v has its coordinates in v_x, v_y, v_z; a list is a JSON array:\n"
			"json_each(layers). cell(NAME, 'COLUMN') and its like for actors, layers and\n"
			"grids look one value up. $name is a variable of `set $name = EXPR`. A name that\n"
			"is a word of SQL goes in double quotes, or takes an underscore: references_.\n"
			"\n"
			"The condition of -w is one expression, whole: without ; and without remarks.\n",
	},
	{
		.name = "scripts",
		.summary = "command files and their checks",
		.text = "A command file is a list of commands, a line each; # begins a comment. It is\n"
			"run by -x FILE, by `source FILE`, or from standard input. All of it is parsed\n"
			"before any of it runs. Below a command may be what it must print:\n"
			"\n"
			"  | TEXT       this line\n"
			"  |~ RE        a line that matches the extended regular expression\n"
			"  |* GLOB      a line that matches the pattern\n"
			"  |...         any number of lines, also none\n"
			"\n"
			"  assert EXPR [: \"TEXT\"]   the expression must be true\n"
			"  expect error CODE: CMD   the command must fail, with that code\n"
			"  xfail \"WHY\": CMD         a check that is known to fail\n"
			"  golden FILE: CMD         the output must equal the file beside the script\n"
			"  require WHAT             else the script is skipped\n"
			"\n"
			"  if EXPR ... else ... end             lines for one of two cases\n"
			"  foreach NAME in SELECT ... end       lines for each row: $NAME, $NAME_COLUMN\n"
			"  define NAME ... end                  a command of lines: $1, $2, $argc\n"
			"  set $NAME = EXPR                     $NAME stands for it in any word\n"
			"\n"
			"A block of expected lines below an `end` is about all that the block prints.\n"
			"Beside CASE.cmd a file CASE.out is the transcript that the whole script must\n"
			"give. --bless rewrites expectations, --tap prints a test point a check. What is\n"
			"compared is 80 columns wide, in ASCII, without colours, and values of -D that\n"
			"are paths are put back as @NAME@.\n",
	},
	{
		.name = "exit",
		.summary = "exit statuses",
		.text = "  0  all commands worked, all checks held\n"
			"  1  the answer is no: a check did not hold, verify found something\n"
			"  2  the request is wrong: an option, an argument, a script that cannot be\n"
			"     parsed, an unknown command, no checks under --tap\n"
			"  3  a command failed: no such cell, a damaged file, a limit, the time limit\n"
			" 77  skipped: a requirement of the script is missing\n"
			" 99  no memory, no room for the output, or a fault of cellscope\n"
			"130  interrupted by ^C; 141 the reader of the output went away\n"
			"\n"
			"Of several the first of 99, 2, 3, 1, 77, 0 counts. `quit N` (0 to 63) never\n"
			"turns a failure into 0. A session on a terminal ends with 0, or with N.\n",
	},
	{
		.name = "output",
		.summary = "forms of the output",
		.text = "Every listing takes --json, --csv and --tsv, or `set output json` for all.\n"
			"JSON is one object, {\"schema\":\"cellscope.KIND/1\",\"rows\":[...]}: keys are\n"
			"never renamed, new ones may come. Coordinates are arrays of numbers in cm,\n"
			"GUIDs 32 hexadecimal digits, hashes hexadecimal texts; what is not there is\n"
			"null. In CSV a vector has a column a coordinate and lists are joined by ';'.\n"
			"\n"
			"-n N prints N rows, -s KEY sorts (-KEY descending), -w EXPR filters, -c COLS\n"
			"chooses columns. Names from files are escaped: a control character, a mark of\n"
			"text direction and a backslash are printed as \\xHH.\n"
			"\n"
			"With --interpreter=jsonl a request is a line {\"id\":7,\"cmd\":\"cell L0:5,1\"} and\n"
			"its answer a line {\"id\":7,\"ok\":true,\"status\":0,\"schema\":...,\"rows\":[...]} or\n"
			"{\"id\":7,\"ok\":false,\"error\":{\"code\":\"E_NOCELL\",\"message\":...}}. The status is 1\n"
			"where the answer is no: a check did not hold, verify found something. The\n"
			"program itself ends with 0.\n"
			"\n"
			"With --mcp the program serves the Model Context Protocol on its standard\n"
			"input and output: the tools open, sql, explain, why, map, diff and step, `more`\n"
			"for the rest of an answer beyond 32 KiB, and a resource a table with its\n"
			"columns. It writes no file unless --allow-write is given, which adds `run`\n"
			"for any command. A call ends after 120 seconds, and 16 MiB of an answer are\n"
			"kept.\n",
	},
	{
		.name = "profiles",
		.summary = "engines whose rules a cook can follow",
		.text = "A cook follows the rules of one engine: of the one that saved the source, of\n"
			"`cook --profile NAME`, or of `set profile NAME`.\n"
			"\n"
			"  5.0  Unreal Engine 5.0\n"
			"  5.1  5.1, 5.2 and 5.3\n"
			"  5.4  5.4, the default\n"
			"  5.5  5.5\n"
			"  5.6  5.6\n"
			"  5.7  5.7\n",
	},
	{
		.name = "sim",
		.summary = "where the simulator differs from a real engine",
		.text = "Which cells are wanted, in what order and when is decided by the rules of the\n"
			"engine (`rules`); what that costs is a model, and simpler than the engine.\n"
			"\n"
			"  frames      A frame lasts as long as it was told, whatever is done in it: only\n"
			"              a blocking wait makes it longer. In the engine work does.\n"
			"  actors      Showing and hiding are cut where the limit of the frame ends, in\n"
			"              the middle of an actor too. The engine ends an actor first.\n"
			"  levels      All levels that may be shown are `showing` at once, and one of\n"
			"              them is worked on; the others wait without work of their own.\n"
			"  loading     A level needs sim.Latency, its bytes at sim.Bandwidth, then\n"
			"              sim.LoadPerActor for each actor; all actors cost the same.\n"
			"  servers     sim.ServerAck and sim.ClientLag stand for network and clients.\n"
			"\n"
			"sim.FrameCost, which is off unless it is set to 1, takes away the first two:\n"
			"frames grow by what streaming costs them, and actors are whole (rule 2.6.1).\n"
			"The clock then runs as in a game that stutters, so arrivals differ too.\n"
			"`variable sim.` lists the numbers; `sim fit` takes them from a CSV profile;\n"
			"`help rule 2.6` and `help rule 2.6.1` are the rules, `hitches` shows the costs.\n",
	},
	{
		.name = "settings",
		.summary = "where options and their values are listed",
		.text = "`show` lists the options of the session, `show OPTION` one with its values and\n"
			"its default, `set OPTION VALUE` changes it. cellscope-options(7) has them all.\n",
	},
	{
		.name = "keys",
		.summary = "keys of the command line",
		.text = "TAB completes commands, options, cells, actors, layers and files; ^R searches\n"
			"the history; ^C takes the line back, or stops the command that runs; ^D on an\n"
			"empty line leaves. Keys can be set in ~/.inputrc, between $if cellscope and\n"
			"$endif.\n",
	},
};

const size_t n_topics = sizeof(topics) / sizeof(topics[0]);
