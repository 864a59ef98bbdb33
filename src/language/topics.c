/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Owns: the texts of help topics. */
#include "src/language/topics.h"

const struct topic topics[] = {
	{
		.name = "grammar",
		.summary = "how a command line is parsed",
		.text = "COMMAND ARGS [-options] [@ WHERE] [~ TEXT] [| SHELL]\n"
			"COMMAND ARGS [-options] [@ WHERE] [~ TEXT] [> FILE]\n"
			"\n"
			"The name of a command may be shortened to any beginning that is unique. With\n"
			"@ WHERE a command whose usage shows it applies to WHERE, not to the current\n"
			"place (help where). ~ TEXT prints only the lines that contain TEXT, ~ /RE/ those\n"
			"that match an extended regular expression. | SHELL sends the output to a shell\n"
			"command, > FILE writes it to a file.\n"
			"\n"
			"In 'text' no character is special. In \"text\" and outside quotes a backslash\n"
			"makes the next character ordinary, and \\xHH is a byte, so an escaped name can\n"
			"be typed as it was printed. @NAME@ is the value of the option -D NAME=VALUE of\n"
			"the program; @HERE@ is the folder of the command file.\n"
			"A line that begins with # is a comment. On a terminal an empty line repeats the\n"
			"line before it if its command is `step`, `next`, `continue`, `previous`,\n"
			"`reverse-step` or `reverse-continue`.\n",
	},
	{
		.name = "where",
		.summary = "how a place is named",
		.text = "L0:5,1             the cell at X 5, Y 1 of level 0; L0:5,1,2 with Z\n"
			"MainGrid_5_1_0_0   a cell by its name; the name of the world may precede it\n"
			"33280,15360        a point X,Y or X,Y,Z in cm, or the smallest cell around it\n"
			"actor NAME         an actor by its label, its name or its GUID\n"
			"page 2             a page of the current Nanite resource; page rock:2 of rock\n"
			"group 3            a group; cluster 2:5 (page, cluster); node 7:0 (node, slot)\n"
			".                  the current place, as `cd WHERE` set it\n"
			"3 or #3            the third row of the last listing\n"
			"\n"
			"When several cells have the same coordinates, L0:5,1 is the cell of the first\n"
			"grid, and in that grid the cell without data layers.\n",
	},
	{
		.name = "screen",
		.summary = "the full screen: panes, keys, views",
		.text = "`tui`, --tui or C-x a show the session on a full screen; Q or C-x a go back\n"
			"to the prompt; place, frame and stops stay as they are. From top to bottom the\n"
			"screen has a title, one or two views with details of the object under the\n"
			"cursor beside them, the log and the keys.\n"
			"\n"
			"  Enter  open what is under the cursor     e  explain it    y  ask why\n"
			"  v m    the map; in the same way v c cells, v a actors, v l data layers,\n"
			"         v f findings, v s streaming sources, v h HLOD actors\n"
			"  V y    ask why in a second view, renewed each frame    V V  one view alone\n"
			"  . ,    step a frame forward, back    c C  run forward, back, to a stop\n"
			"  Space  play or pause\n"
			"  /  search   \\  filter in SQL   o  sort   t  mark   F  count by a column\n"
			"  :  a command line         ?  all keys, and the command of each\n"
			"\n"
			"A long command shows its progress in the last line. Keys that are typed\n"
			"meanwhile wait; ^C stops the command and drops them. C-l draws the whole screen\n"
			"again, and asks again for rows that could not be read.\n"
			"\n"
			"Below 72 columns the details are hidden, below 18 rows the log; the least size\n"
			"is 40x10. The screen needs no terminal: in command files `press` presses keys,\n"
			"`view size` sets the size, `view show` prints the screen and `view save` writes\n"
			"it as text, ANSI, HTML or SVG.\n",
	},
	{
		.name = "expressions",
		.summary = "conditions of -w, assert and sql",
		.text = "Expressions are SQL, evaluated by SQLite over the read-only tables that\n"
			"`info tables` lists. The columns of a table are the keys of its JSON rows.\n"
			"\n"
			"  cells -w \"level > 0 AND actors < 3\"\n"
			"  actors -w \"class LIKE '%Light%' AND bounds_max_z > 5000\"\n"
			"  assert (SELECT count(*) FROM cells WHERE always_loaded) = 1\n"
			"  sql SELECT grid, level, count(*) FROM cells GROUP BY grid, level\n"
			"\n"
			"path_report('loads') is a sum over all frames of the run (help path report).\n"
			"The coordinates of a vector v are v_x, v_y, v_z; a list is a JSON array, whose\n"
			"items are rows of json_each(layers). cell(NAME, 'COLUMN') looks up one value,\n"
			"and so do actor(), layer() and grid(). $name is a variable of\n"
			"`set $name = EXPR`. Write a name that is a word of SQL in double quotes, or\n"
			"append an underscore: references_.\n"
			"\n"
			"The condition of -w is one complete expression, without ; and comments.\n",
	},
	{
		.name = "scripts",
		.summary = "command files and their checks",
		.text = "A command file has one command on each line; # begins a comment. It is run by\n"
			"-x FILE, by `source FILE`, or from standard input. The whole file is parsed\n"
			"before its first line runs. Lines below a command say what it must print:\n"
			"\n"
			"  | TEXT       this line\n"
			"  |~ RE        a line that matches the extended regular expression\n"
			"  |* GLOB      a line that matches the pattern\n"
			"  |...         any number of lines, or none\n"
			"\n"
			"  assert EXPR [: \"TEXT\"]   the expression must be true\n"
			"  expect error CODE: CMD   the command must fail with that code\n"
			"  xfail \"WHY\": CMD         a check that is known to fail\n"
			"  golden FILE: CMD         the output must equal the file beside the script\n"
			"  require KIND NAME        skip the script unless this exists\n"
			"\n"
			"  if EXPR ... else ... end             run the lines before or after `else`\n"
			"  foreach NAME in SELECT ... end       for each row: $NAME, $NAME_COLUMN\n"
			"  define NAME ... end                  a command of lines: $1, $2, $argc\n"
			"  set $NAME = EXPR                     replaces $NAME in later words\n"
			"\n"
			"Expected lines below an `end` are compared with all that the block prints. A\n"
			"file CASE.out beside CASE.cmd is the expected transcript of the whole script.\n"
			"--bless rewrites expectations, --tap prints a test point for each check. The\n"
			"compared output is 80 columns wide, in ASCII and without colours, and paths\n"
			"that are values of -D are replaced by @NAME@.\n",
	},
	{
		.name = "exit",
		.summary = "exit statuses",
		.text = "  0  all commands succeeded, and all checks held\n"
			"  1  a check failed, a comparison found differences, or verify found "
			"errors\n"
			"  2  the request is wrong: an option, an argument, a script that cannot be\n"
			"     parsed, an unknown command, no checks under --tap\n"
			"  3  a command failed: no such cell, a damaged file, a limit, a timeout\n"
			" 77  skipped: a requirement of the script is missing\n"
			" 99  out of memory, the output cannot be written, or a defect of "
			"cellscope\n"
			"130  interrupted by ^C; 141 the reader of the output has ended\n"
			"\n"
			"When several apply, the first of 99, 2, 3, 1, 77, 0 is returned. `quit N` (0 to\n"
			"63) returns N, but 0 never replaces a failure. A session on a terminal ends\n"
			"with 0, or with N.\n",
	},
	{
		.name = "output",
		.summary = "forms of the output",
		.text = "Every listing takes --json, --csv and --tsv; `set output json` sets it for all.\n"
			"JSON is one object, {\"schema\":\"cellscope.KIND/1\",\"rows\":[...]}. Keys are never\n"
			"renamed; later versions may add some. Vectors are arrays of numbers in cm,\n"
			"GUIDs 32 hexadecimal digits, hashes hexadecimal texts; a missing value is null.\n"
			"In CSV each coordinate of a vector has a column, and ';' joins items of lists.\n"
			"\n"
			"-n N prints N rows, -s KEY sorts (-KEY descending), -w EXPR filters, -c COLS\n"
			"chooses columns, and -c ? explains all columns. Names from files are escaped: a\n"
			"control character, a mark of text direction and a backslash are printed as \\xHH.\n"
			"\n"
			"With --interpreter=jsonl a request is a line {\"id\":7,\"cmd\":\"cell L0:5,1\"} and\n"
			"its answer a line {\"id\":7,\"ok\":true,\"status\":0,\"schema\":...,\"rows\":[...]} or\n"
			"{\"id\":7,\"ok\":false,\"error\":{\"code\":\"E_NOCELL\",\"message\":...}}. The status is 1\n"
			"when the answer is no: a check failed, or verify found errors. The program\n"
			"itself ends with 0.\n"
			"\n"
			"With --mcp the program serves the Model Context Protocol on its standard\n"
			"input and output: the tools open, sql, explain, why, map, diff and step, `more`\n"
			"for the rest of an answer of more than 32 KiB, and one resource for each table\n"
			"with its columns. It writes no file unless --allow-write is given, which adds\n"
			"the tool `run` for any command. A call ends after 120 seconds, and of an answer\n"
			"the first 16 MiB are stored.\n",
	},
	{
		.name = "profiles",
		.summary = "engines whose rules a cook can follow",
		.text = "A cook follows the rules of one engine version: the one that saved the source,\n"
			"or the one that `set profile NAME` or `cook --profile NAME` chooses.\n"
			"\n"
			"  5.0  Unreal Engine 5.0\n"
			"  5.1  Unreal Engine 5.1\n"
			"  5.2  Unreal Engine 5.2\n"
			"  5.3  Unreal Engine 5.3\n"
			"  5.4  Unreal Engine 5.4, followed where a source names no engine\n"
			"  5.5  Unreal Engine 5.5\n"
			"  5.6  Unreal Engine 5.6\n"
			"  5.7  Unreal Engine 5.7\n",
	},
	{
		.name = "sim",
		.summary = "where the simulator differs from a real engine",
		.text = "Which cells load, when and in what order follows from the rules of Unreal\n"
			"(`rules`). What loading costs is a model, which is simpler than the engine:\n"
			"\n"
			"  frames      A frame lasts sim.FrameTime ms, or as long as in the CSV profile\n"
			"              that a source follows; only a blocking wait makes it longer. In\n"
			"              Unreal all work makes it longer.\n"
			"  actors      Showing and hiding stop at the time limit of the frame, also in\n"
			"              the middle of an actor. Unreal completes the actor first.\n"
			"  levels      All levels that may be shown are `showing` at the same time, but\n"
			"              only one of them is worked on; the others wait.\n"
			"  loading     A level takes sim.Latency, its bytes at sim.Bandwidth, then\n"
			"              sim.LoadPerActor for each actor; all actors cost the same.\n"
			"  servers     sim.ServerAck and sim.ClientLag model the network and clients.\n"
			"\n"
			"`variable sim.FrameCost 1` (default 0) removes the first two differences: frames\n"
			"last as long as their work, and actors are completed (rule 2.6.1). The clock\n"
			"then runs as in a game that stutters, so cells also arrive at other times.\n"
			"`variable ~ sim.` lists the numbers; `sim fit` takes them from a CSV profile;\n"
			"`help rule 2.6` and `help rule 2.6.1` explain the rules, `hitches` lists costs.\n",
	},
	{
		.name = "settings",
		.summary = "where options and their values are listed",
		.text = "`show` lists the options of the session, `show OPTION` shows one with its\n"
			"values and its default, `set OPTION VALUE` changes it. cellscope-options(7)\n"
			"describes all.\n",
	},
	{
		.name = "keys",
		.summary = "keys of the command line",
		.text = "TAB completes commands, options, cells, actors, layers and files; ^R searches\n"
			"the history; ^C drops the line, or stops the running command; ^D on an empty\n"
			"line ends the program. Keys can be bound in ~/.inputrc, between $if cellscope\n"
			"and $endif.\n",
	},
};

const size_t n_topics = sizeof(topics) / sizeof(topics[0]);
