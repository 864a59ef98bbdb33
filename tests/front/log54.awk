# SPDX-License-Identifier: Apache-2.0
# A StreamingGeneration log of 5.5 in the dialect of 5.4: digits for flags, one box where both are
# equal, no bounds of cells, and cells called after x, y, z and level.
{
	gsub(/:true/, ":1")
	gsub(/:false/, ":0")
	if ($0 ~ / \|- (Content Bounds|Cell Bounds|Is 2D):/)
		next
	if (match($0, / EditorBounds:.* RuntimeGrid:/)) {
		head = substr($0, 1, RSTART - 1)
		both = substr($0, RSTART, RLENGTH - length(" RuntimeGrid:"))
		tail = substr($0, RSTART + RLENGTH - length(" RuntimeGrid:"))
		middle = index(both, " RuntimeBounds:")
		editor = substr(both, length(" EditorBounds:") + 1, middle - length(" EditorBounds:") - 1)
		runtime = substr(both, middle + length(" RuntimeBounds:"))
		if (editor == runtime)
			$0 = head " Bounds:" editor tail
		else
			$0 = head " Bounds:(Editor:" editor " Runtime:" runtime ")" tail
	}
	if (match($0, /^\[\+\] Content of Cell .*_L-?[0-9]+_X-?[0-9]+_Y-?[0-9]+/)) {
		name = substr($0, 1, RLENGTH)
		rest = substr($0, RLENGTH + 1)
		at = match(name, /_L-?[0-9]+_X-?[0-9]+_Y-?[0-9]+$/)
		split(substr(name, at + 2), part, /_[XYL]/)
		z = 0
		if (match(rest, /^_Z-?[0-9]+/)) {
			z = substr(rest, 3, RLENGTH - 2)
			rest = substr(rest, RLENGTH + 1)
		}
		$0 = substr(name, 1, at) part[2] "_" part[3] "_" z "_" part[1] rest
	}
	print
}
