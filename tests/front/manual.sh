#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The pages of the manual are good mdoc and plain text.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"

# mandoc looks for the pages referred to among those installed: ours are not.
lint() {
	mandoc -T lint "$1" | grep -v -e 'referenced manual not found' -e 'mandoc\.db'
}

for page in cellscope.1 libcellscope.3 cellscope-format.5 cellscope-commands.7 cellscope-options.7; do
	path=$CELLSCOPE_BUILD/man/$page
	[ -r "$path" ] || path=$CELLSCOPE_SOURCE/man/$page
	if command -v mandoc >/dev/null; then
		empty "$(lint "$path")" "$page: nothing for mandoc to complain of"
	else
		skip "$page: mandoc is not installed"
	fi
	empty "$(LC_ALL=C grep -n '[^ -~]' "$path" | grep -v '	')" "$page: plain text"
	empty "$(grep -n '(none)' "$path")" "$page: nothing without a name"
done
finish
