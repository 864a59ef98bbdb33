# SPDX-License-Identifier: GPL-3.0-or-later
# Prints COMMAND(name) for each command that the files of cmds define, in the order of help: first
# the commands that order.list names, then the others sorted by name. A command is defined by a line
# that begins with `const struct command command_X`, or with a macro call MACRO(command_X.

FILENAME ~ /order.list$/ {
	if (/^[a-z]/)
		wanted[++n_wanted] = "command_" $1
	next
}

match($0, /^(const struct command |[A-Z_0-9]+\()command_[a-z_0-9]+/) {
	name = substr($0, RSTART, RLENGTH)
	sub(/.*command_/, "command_", name)
	defined[name]
}

END {
	for (i = 1; i <= n_wanted; i++)
		if (wanted[i] in defined) {
			print "COMMAND(" wanted[i] ")"
			delete defined[wanted[i]]
		}
	for (name in defined)
		print "COMMAND(" name ")" | "LC_ALL=C sort"
}
