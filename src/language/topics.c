/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the texts of help topics. */
#include "src/language/topics.h"

const struct topic topics[] = {
	{
		.name = "grammar",
		.summary = "how a command line is parsed",
		.text = "COMMAND ARGS [-options] [@ WHERE] [~ TEXT] [| SHELL]\n"
			"COMMAND ARGS [-options] [@ WHERE] [~ TEXT] [> FILE]\n"
			"\n"
			"  COMMAND   the name of a command, or any unique beginning of the name; an\n"
			"            argument that takes one of several words may be shortened, too\n"
			"  @ WHERE   use this place, not the current one (help where); only for commands\n"
			"            whose usage line contains @ WHERE\n"
			"  ~ TEXT    print only the lines that contain TEXT\n"
			"  ~ /RE/    print only the lines that match this extended regular expression\n"
			"  | SHELL   send the output to a shell command; in a command file this needs the\n"
			"            option --allow-shell of the program\n"
			"  > FILE    write the output to FILE\n"
			"\n"
			"For example, `cells -n 9 ~ MainGrid > cells.txt` writes the lines of the first 9\n"
			"cells that contain MainGrid.\n"
			"\n"
			"In 'text' no character is special. In \"text\" and outside quotes a backslash\n"
			"makes the next character ordinary, and \\xHH is the byte with this hexadecimal\n"
			"value. The output prints unusual characters in names as \\xHH, so such a name can\n"
			"be typed as it was printed. $NAME is the value of a variable (help set). @NAME@\n"
			"is the VALUE of the program's option -D NAME=VALUE, and @HERE@ is the folder of\n"
			"the command file. A line that begins with # is a comment.\n"
			"\n"
			"On a terminal an empty line repeats the line before it if its command is `step`,\n"
			"`next`, `continue`, `previous`, `reverse-step` or `reverse-continue`.\n",
	},
	{
		.name = "where",
		.summary = "how to name a cell, a point, an actor or a part of a resource",
		.text = "Where the usage line of a command says WHERE, type one of these forms:\n"
			"\n"
			"  L0:5,1             the cell at X 5, Y 1 of level 0; L0:5,1,2 is at Z 2\n"
			"  MainGrid_5_1_0_0   a cell by its name, or by its name in full, which begins\n"
			"                     with the name of the world: Valley_MainGrid_5_1_0_0\n"
			"  33280,15360        a point X,Y or X,Y,Z in cm; a command about a cell uses the\n"
			"                     smallest cell that contains the point\n"
			"  actor NAME         an actor by its label, its name, its path or its GUID\n"
			"  page 2             page 2 of the current Nanite resource (help open)\n"
			"  page rock:2        page 2 of the Nanite resource rock\n"
			"  group 3            group 3 of the current resource\n"
			"  cluster 2:5        cluster 5 of page 2 of the current resource\n"
			"  node 7:0           slot 0 of node 7 in the hierarchy of the current resource\n"
			"  .                  the current place, which `cd WHERE` chooses\n"
			"  3 or #3            the cell or the actor in row 3 of the last listing\n"
			"\n"
			"Where the usage line says POINT, type a point, or `actor NAME` or `.` for the\n"
			"centre of an actor or of the current place.\n"
			"\n"
			"When several cells have the same coordinates, L0:5,1 is the cell of the first\n"
			"grid, and in that grid the cell with the fewest data layers.\n",
	},
	{
		.name = "screen",
		.summary = "the full screen and its keys",
		.text = "The full screen shows the session as maps and lists, and is used with keys. The\n"
			"command `tui`, the option --tui or the keys C-x a (Ctrl-x, then a) open it. The\n"
			"keys Q or C-x a go back to the prompt. The current place (help cd), the frame of\n"
			"the run and the breakpoints stay as they are. From top to bottom the screen has\n"
			"a title, one or two views, the log (the output of the last commands) and a line\n"
			"of keys; details of the object under the cursor are beside the views.\n"
			"\n"
			"  Enter  open what is under the cursor     e  explain it    y  ask why\n"
			"  v m    show the map; v c shows cells, v a actors, v l data layers,\n"
			"         v f findings, v s streaming sources, v h HLOD actors\n"
			"  V y    show the answer of `why` in a second view    V V  close that view\n"
			"  . ,    step one frame forward (.) or back (,)\n"
			"  c C    run forward (c) or back (C) to a breakpoint or a watch\n"
			"  Space  play or pause\n"
			"  /  search   \\  filter in SQL   o  sort   t  mark a row   F  count by a column\n"
			"  :  a command line         ?  all keys, and the command of each\n"
			"\n"
			"A long command shows its progress in the last line. Keys that are typed\n"
			"meanwhile wait. C-c (Ctrl-c) stops the command and drops these keys. C-l draws\n"
			"the whole screen again.\n"
			"\n"
			"On fewer than 72 columns the details are hidden, and on fewer than 18 rows the\n"
			"log is hidden. The smallest usable size is 40x10. Command files can use the\n"
			"screen without a terminal: `press` presses keys, `view size` sets the size,\n"
			"`view show` prints the screen and `view save` writes the screen as text, ANSI,\n"
			"HTML or SVG.\n",
	},
	{
		.name = "expressions",
		.summary = "SQL, as -w, assert, break, watch, set and sql take it",
		.text = "Expressions are SQL, evaluated by SQLite over the read-only tables that\n"
			"`info tables` lists. The columns of a table are the keys of its JSON rows.\n"
			"\n"
			"  cells -w \"level > 0 AND actors < 3\"\n"
			"  actors -w \"class LIKE '%Light%' AND bounds_max_z > 5000\"\n"
			"  assert (SELECT count(*) FROM cells WHERE always_loaded) = 1\n"
			"  sql SELECT grid, level, count(*) FROM cells GROUP BY grid, level\n"
			"\n"
			"A vector has three columns, such as bounds_max_x, bounds_max_y and bounds_max_z\n"
			"for `bounds_max` of a JSON row. A list is a text that is a JSON array;\n"
			"json_each(layers) has a row for each item of the list `layers`.\n"
			"cell('L0:5,1', 'actors') is the value of the column `actors` of the cell L0:5,1;\n"
			"actor(), layer() and grid() do the same for other objects. path_report('loads')\n"
			"is the value `loads` of `path report`. $name is the variable that `set $name =\n"
			"EXPR` has set. If the name of a column is a word of SQL, write it in double\n"
			"quotes or with an underscore at its end, as in references_.\n"
			"\n"
			"The condition of -w is one complete expression, without `;` or comments.\n",
	},
	{
		.name = "scripts",
		.summary = "command files and their checks",
		.text = "A command file has one command on each line; # begins a comment. The program's\n"
			"option -x FILE or the command `source FILE` runs it; commands are also read from\n"
			"standard input. The whole file is parsed before its first line runs. Lines below\n"
			"a command say what it must print:\n"
			"\n"
			"  | TEXT       this line\n"
			"  |~ RE        a line that matches the extended regular expression RE\n"
			"  |* GLOB      a line that matches GLOB, a pattern as for file names (* ? [a-z])\n"
			"  |...         any number of lines, or none\n"
			"\n"
			"These commands are checks:\n"
			"\n"
			"  assert EXPR [: \"TEXT\"]   the expression must be true\n"
			"  expect error CODE: CMD   the command must fail with the error CODE\n"
			"  golden FILE: CMD         the output must equal FILE, a file beside the script\n"
			"  xfail \"WHY\": CMD         a check that is known to fail\n"
			"  require feature NAME     skip the script unless the program has this feature\n"
			"  require file NAME        skip the script unless this file exists\n"
			"\n"
			"These commands control which lines run:\n"
			"\n"
			"  if EXPR ... else ... end             run the lines before or after `else`\n"
			"  foreach NAME in SELECT ... end       run the lines for each row of the query;\n"
			"                                       $NAME is the first column, $NAME_COLUMN\n"
			"                                       the column COLUMN\n"
			"  define NAME ... end                  make the lines the command NAME; $1, $2\n"
			"                                       are its arguments, $argc their number\n"
			"  set $NAME = EXPR                     later lines can use the value as $NAME\n"
			"\n"
			"Expected lines below an `end` are compared with all that the block prints. If a\n"
			"file CASE.out is beside CASE.cmd, the commands and all output of CASE.cmd must\n"
			"equal it. For these comparisons the output is 80 columns wide, in ASCII and\n"
			"without colours; a path that the program's option -D NAME=PATH names is printed\n"
			"as @NAME@. The option --bless replaces expected lines and files by the present\n"
			"output; --tap prints a line of TAP for each check.\n",
	},
	{
		.name = "exit",
		.summary = "what the exit statuses of the program mean",
		.text = "The exit status of the program tells scripts how its commands ended:\n"
			"\n"
			"  0  all commands succeeded, and all checks held\n"
			"  1  a check failed, a comparison found differences, or verify found errors\n"
			"  2  the request is wrong: an option, an argument, a script that cannot be\n"
			"     parsed, an unknown command, the option --tap without any check\n"
			"  3  a command failed: no such cell, a damaged file, a limit, a timeout\n"
			" 77  skipped: a feature or a file that the script requires is missing\n"
			" 99  out of memory, the output cannot be written, or a defect of cellscope\n"
			"130  interrupted by ^C\n"
			"141  the reader of the output ended before the program\n"
			"\n"
			"When several apply, the first of 99, 2, 3, 1, 77, 0 is returned. `quit N` (0 to\n"
			"63) returns N instead of 0, but does not replace another status. A session on a\n"
			"terminal ends with 0, whatever failed, or with the N of `quit N`.\n",
	},
	{
		.name = "output",
		.summary = "text, JSON and CSV, and how other programs talk to cellscope",
		.text = "Every listing takes --json, --csv and --tsv; `set output json` makes JSON the\n"
			"format of all commands. JSON is one object,\n"
			"{\"schema\":\"cellscope.KIND/1\",\"rows\":[...]}, where KIND is the kind of the rows,\n"
			"such as `cell`. Keys are never renamed, but later versions may add keys. Vectors\n"
			"are arrays of numbers in cm, GUIDs are texts of 32 hexadecimal digits, hashes\n"
			"are hexadecimal texts, and a missing value is null. In CSV each coordinate of a\n"
			"vector has a column, and ';' separates the items of lists.\n"
			"\n"
			"-n N prints at most N rows, -s KEY sorts (-s -KEY descending), -w EXPR selects\n"
			"rows, -c COLS chooses columns, and -c ? explains all columns. In names from\n"
			"files, control characters, characters that change the text direction, and\n"
			"backslashes are printed as \\xHH.\n"
			"\n"
			"With the option --interpreter=jsonl the program reads a request from each line,\n"
			"such as {\"id\":7,\"cmd\":\"cell L0:5,1\"}, and answers in one line:\n"
			"{\"id\":7,\"ok\":true,\"status\":0,\"schema\":...,\"rows\":[...]} or\n"
			"{\"id\":7,\"ok\":false,\"error\":{\"code\":\"E_NOCELL\",\"message\":...}}. `status` is 1\n"
			"when a check failed or verify found errors. In this mode the exit status of the\n"
			"program is 0 even then.\n"
			"\n"
			"With the option --mcp the program serves the Model Context Protocol on its\n"
			"standard input and output. Its tools are open, sql, explain, why, map, diff and\n"
			"step, and `more` for the rest of an answer of more than 32 KiB; each table is a\n"
			"resource that describes its columns. The program writes no file unless\n"
			"--allow-write is given, which also adds the tool `run` for any command. A call\n"
			"that takes longer than 120 seconds is stopped, and only the first 16 MiB of an\n"
			"answer are kept.\n",
	},
	{
		.name = "profiles",
		.summary = "engine versions whose rules a cook can follow",
		.text = "A profile is the set of rules of one engine version. A cook follows the profile\n"
			"of the version that saved the source, or the profile that `set profile NAME` or\n"
			"`cook --profile NAME` chooses.\n"
			"\n"
			"  5.0  Unreal Engine 5.0\n"
			"  5.1  Unreal Engine 5.1\n"
			"  5.2  Unreal Engine 5.2\n"
			"  5.3  Unreal Engine 5.3\n"
			"  5.4  Unreal Engine 5.4, used when the source names no engine version\n"
			"  5.5  Unreal Engine 5.5\n"
			"  5.6  Unreal Engine 5.6\n"
			"  5.7  Unreal Engine 5.7\n"
			"\n"
			"`whatif profile=5.7 --diff` lists how a cook by 5.7 differs from the open world.\n",
	},
	{
		.name = "sim",
		.summary = "where the simulator differs from a real engine",
		.text = "Which cells load, when and in what order follows from the rules of Unreal\n"
			"(`rules`). What loading costs is a model, which is simpler than the engine:\n"
			"\n"
			"  frames      A frame lasts sim.FrameTime ms or, while a source follows a CSV\n"
			"              profile, as long as the frame in the profile; only a blocking wait\n"
			"              makes a frame longer. In Unreal all work makes a frame longer.\n"
			"  actors      The simulator stops showing and hiding actors when the time limit\n"
			"              of the frame is reached, even in the middle of an actor. Unreal\n"
			"              completes the actor first.\n"
			"  levels      All loaded levels that are to be shown have the state `showing`.\n"
			"              The simulator works on one of these levels at a time; Unreal can\n"
			"              do other work on the other levels meanwhile.\n"
			"  loading     A level loads for sim.Latency ms, plus its size divided by\n"
			"              sim.Bandwidth (MB/s of all loads together), plus sim.LoadPerActor\n"
			"              ms for each of its actors; all actors cost the same.\n"
			"  servers     A server answers a client after sim.ServerAck ms. A client that no\n"
			"              longer needs a cell still keeps the cell for sim.ClientLag ms.\n"
			"\n"
			"`variable sim.FrameCost 1` (default 0) removes the first two differences: frames\n"
			"last as long as their work, and actors are completed (help rule 2.6.1). The\n"
			"frame times then vary, so cells also become visible at other times.\n"
			"\n"
			"`variable ~ sim.` lists these variables with their meanings, `sim fit` sets them\n"
			"from a CSV profile, and `hitches` lists what expensive frames spent their time\n"
			"on.\n",
	},
	{
		.name = "settings",
		.summary = "how to list and change the options of a session",
		.text = "`show` lists the options of the session, `show OPTION` shows an option with its\n"
			"possible values and its default, and `set OPTION VALUE` changes the option. The\n"
			"manual page cellscope-options(7) describes all options.\n",
	},
	{
		.name = "keys",
		.summary = "the keys of the command line",
		.text = "TAB completes commands, options, cells, actors, layers and files; ^R searches\n"
			"the history; ^C drops the line, or stops the running command; ^D on an empty\n"
			"line ends the program. Keys can be bound in ~/.inputrc, between the lines\n"
			"`$if cellscope` and `$endif`. The keys of the full screen are in `help screen`.\n",
	},
};

const size_t n_topics = sizeof(topics) / sizeof(topics[0]);
