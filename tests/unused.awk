# SPDX-License-Identifier: Apache-2.0
# Prints "FILE includes HEADER" for every header of ours that a file includes and uses nothing of:
# none of the names that the header itself declares stands in the file, and none of the members of
# its structs behind a dot or an arrow. All headers come first, then the sources. Headers may take
# <cellscope/core.h> for the types of C that it brings.
#
# A header's name is that under which it is included: lib/ is left away.

function name_of(path) {
	sub(/^lib\//, "", path)
	return path
}

function declare(header, words,    n, i, word) {
	n = split(words, word, /[^A-Za-z_0-9]+/)
	for (i = 1; i <= n; i++)
		if (word[i] ~ /^[A-Za-z_]/ && !(word[i] in common) && !seen[header, "n", word[i]]++)
			names[header] = names[header] " " word[i]
}

function members(header, words,    n, i, word) {
	n = split(words, word, /[^A-Za-z_0-9]+/)
	for (i = 1; i <= n; i++)
		if (word[i] ~ /^[A-Za-z_]/ && !seen[header, "m", word[i]]++)
			fields[header] = fields[header] " " word[i]
}

# Of a declaration what stands in front of its parameters; of types and variables all of it.
function outside(header, text) {
	if (text !~ /typedef|extern/)
		sub(/\(.*/, "", text)
	declare(header, text)
}

# Comments and texts become blanks, continued lines one.
function plain(text,    out, end) {
	gsub(/\\\n/, " ", text)
	out = ""
	while (match(text, /\/\*|"([^"\\\n]|\\.)*"|'([^'\\\n]|\\.)+'/)) {
		out = out substr(text, 1, RSTART - 1) " "
		if (substr(text, RSTART, 2) == "/*") {
			end = index(substr(text, RSTART + 2), "*/")
			text = end ? substr(text, RSTART + 2 + end + 1) : ""
		} else
			text = substr(text, RSTART + RLENGTH)
	}
	return out text
}

function read_header(header, text,    n, i, line, part, pieces, depth, before, of_enum) {
	n = split(text, line, "\n")
	text = ""
	for (i = 1; i <= n; i++)
		if (line[i] !~ /^[ \t]*#/)
			text = text " " line[i]
		else if (sub(/^[ \t]*#[ \t]*define[ \t]+/, "", line[i])) {
			if (match(line[i], /[A-Za-z_0-9]+##/)) # the rows of a table have names behind it
				prefix[header] = substr(line[i], RSTART, RLENGTH - 2)
			match(line[i], /^[A-Za-z_0-9]+/)
			declare(header, substr(line[i], 1, RLENGTH))
		}
	while (match(text, /[{};]/)) {
		part = substr(text, RSTART, 1)
		pieces = substr(text, 1, RSTART - 1)
		text = substr(text, RSTART + 1)
		if (depth > 0 && of_enum)
			declare(header, pieces)
		else if (depth > 0)
			members(header, pieces)
		else
			before = before pieces
		if (depth == 0 && part != "}") {
			outside(header, before)
			of_enum = before ~ /enum/ && before !~ /\(/
			before = ""
		}
		depth += part == "{" ? 1 : part == "}" ? -1 : 0
	}
}

function judge(path, text, includes,    n, i, k, m, header, word, name, used, ids, access) {
	split("", ids)
	split("", access)
	n = split(text, word, /[^A-Za-z_0-9]+/)
	for (i = 1; i <= n; i++)
		ids[word[i]]
	gsub(/->/, ".", text)
	n = split(text, word, /\.[ \t\n]*/)
	for (i = 2; i <= n; i++)
		if (match(word[i], /^[A-Za-z_][A-Za-z_0-9]*/))
			access[substr(word[i], 1, RLENGTH)]
	n = split(includes, header, " ")
	for (i = 1; i <= n; i++) {
		if (!(header[i] in known) || (path ~ /\.h$/ && header[i] == "cellscope/core.h"))
			continue
		used = 0
		m = split(names[header[i]], name, " ")
		for (k = 1; k <= m && !used; k++)
			used = name[k] in ids
		m = split(fields[header[i]], name, " ")
		for (k = 1; k <= m && !used; k++)
			used = name[k] in access
		for (k in ids)
			used = used || (prefix[header[i]] != "" && index(k, prefix[header[i]]) == 1)
		if (!used)
			print path " includes " header[i]
	}
}

function finish(    text) {
	if (path == "")
		return
	text = plain(content)
	if (path ~ /\.h$/) {
		known[name_of(path)]
		read_header(name_of(path), text)
		header_text[path] = text
		header_includes[path] = included
		order[++n_headers] = path
	} else
		judge(path, text, included)
}

BEGIN {
	n = split("const static inline struct enum union extern typedef void char int unsigned " \
		"signed long short double float bool size_t uint8_t uint16_t uint32_t uint64_t " \
		"int32_t int64_t FILE CS_API CS_MUST_USE CS_PRINTF", word, " ")
	for (i = 1; i <= n; i++)
		common[word[i]]
}
FNR == 1 {
	finish()
	path = FILENAME
	content = included = ""
}
/^#include ["<]/ {
	included = included " " substr($2, 2, length($2) - 2)
	next
}
{ content = content $0 "\n" }
END {
	finish()
	for (h = 1; h <= n_headers; h++)
		judge(order[h], header_text[order[h]], header_includes[order[h]])
}
