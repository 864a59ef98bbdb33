# SPDX-License-Identifier: Apache-2.0
# What a browser draws of a picture of a screen, as text: each letter where its x and y put it. Blanks
# collapse and fonts differ in browsers, so a picture may rely on neither; says so when one does.
import sys, xml.etree.ElementTree as tree

for path in sys.argv[1:]:
    rows = {}
    for element in tree.parse(path).iter():
        if element.tag.split("}")[-1] != "text":
            continue
        text, xs = element.text, element.get("x").split()
        if " " in text or element.get("textLength") or len(xs) > len(text):
            sys.exit("%s: %r leans on the font or on blanks" % (path, text))
        row = rows.setdefault((int(element.get("y")) - 21) // 17, {})
        for letter, x in zip(text, xs):
            column = (int(x) - 8) // 8
            if column in row:
                sys.exit("%s: two letters at %d" % (path, column))
            row[column] = letter
    for y in range(max(rows) + 1):
        row = rows.get(y, {})
        print("".join(row.get(x, " ") for x in range(max(row, default=-1) + 1)))
