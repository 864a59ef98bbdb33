# SPDX-License-Identifier: GPL-3.0-or-later
# The rows of commands that the files of cmds define, as COMMAND(name) in the order of help: first
# those that order.list names, then the others by name. A row is a `const struct command command_X`
# or a macro that begins with that name, at the start of a line.

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
