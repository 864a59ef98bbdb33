# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the pages of fixtures/checks as rows of a C array: name, first sentence, tokens of findings
# between blanks, text. The index (README.md) must be read first. It contains all of a row except
# the text, which is the comment at the beginning of the page.

function quoted(text) {
	gsub(/\\/, "\\\\", text)
	gsub(/"/, "\\\"", text)
	return "\"" text "\""
}

/^\| \[/ {
	split($0, cell, / *\| */)
	name = cell[2]
	sub(/\.cmd\].*/, "", name)
	gsub(/`/, "", cell[4])
	head[substr(name, 2)] = quoted(cell[3]) ", " quoted(" " cell[4] " ")
}

FILENAME !~ /\.cmd$/ { next }

FNR == 1 {
	if (name != "" && text != "")
		print "\t\t" text "},"
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\.cmd$/, "", name)
	print "\t{" quoted(name) ", " head[name] ","
	text = ""
	is_text = 1
}

/^$/ { is_text = 0 }

is_text && FNR > 3 { text = text (text == "" ? quoted(substr($0, 3)) : "\n\t\t" quoted(substr($0, 2))) }

END { print "\t\t" text "}," }
