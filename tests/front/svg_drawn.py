# SPDX-License-Identifier: Apache-2.0
# Pictures of screens as headless Chromium draws them, against a grid of glyphs: each letter alone in
# a box of its own, at the place that svg_grid.py says. Prints each cell whose ink is elsewhere.
#
#	python3 svg_drawn.py FOLDER CHROMIUM PICTURE...
import html, os, pathlib, struct, subprocess, sys, zlib

WIDE, HIGH, LEFT, TOP = 8, 17, 8, 8
folder, chromium, pictures = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
here = os.path.dirname(os.path.abspath(__file__))


def grid_of(picture):
    words = [sys.executable, os.path.join(here, "svg_grid.py"), picture]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()


def read_png(path):
    """Rows of bytes, and bytes of a pixel: what Chromium writes, 8 bits and not interlaced."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
        elif kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += 12 + size
    step = {2: 3, 6: 4}[colour]
    assert depth == 8
    raw, rows, above = zlib.decompress(packed), [], bytearray(width * step)
    for y in range(height):
        begin = y * (width * step + 1)
        kind, row = raw[begin], bytearray(raw[begin + 1:begin + 1 + width * step])
        for i in range(len(row)):
            a, b = row[i - step] if i >= step else 0, above[i]
            if kind == 1:
                row[i] = row[i] + a & 255
            elif kind == 2:
                row[i] = row[i] + b & 255
            elif kind == 3:
                row[i] = row[i] + (a + b) // 2 & 255
            elif kind == 4:
                c = above[i - step] if i >= step else 0
                near = [abs(b - c), abs(a - c), abs(a + b - 2 * c)]
                row[i] = row[i] + (a, b, c)[near.index(min(near))] & 255
        rows.append(row)
        above = row
    return rows, step


def ink(shot, left, top):
    """Which pixels of a cell differ from its ground, the colour that most of them have."""
    rows, step = shot
    pixels = [bytes(rows[top + y][(left + x) * step:(left + x) * step + 3])
              for y in range(HIGH) for x in range(WIDE)]
    ground = max(set(pixels), key=pixels.count)
    far = [sum(abs(a - b) for a, b in zip(pixel, ground)) for pixel in pixels]
    # faint edges of letters come and go with their colours
    return {i for i, distance in enumerate(far) if distance > max(far) / 2} if max(far) > 24 else set()


page, grids, top, widest = [], [], 0, 0
for picture in pictures:
    grid = grid_of(picture)
    size = (max(map(len, grid)) * WIDE + 2 * LEFT, len(grid) * HIGH + 2 * TOP)
    page.append('<img src="%s" style="left:0;top:%dpx">' % (pathlib.Path(picture).resolve().as_uri(), top))
    for y, line in enumerate(grid):
        for x, letter in enumerate(line):
            if letter != " ":
                page.append('<svg width="8" height="17" style="left:%dpx;top:%dpx"><text y="13">%s</text></svg>'
                            % (1000 + LEFT + x * WIDE, top + TOP + y * HIGH, html.escape(letter)))
    grids.append((picture, grid, top))
    top, widest = top + size[1] + 20, max(widest, size[0])
(folder / "drawn.html").write_text(
    '<meta charset="utf-8"><style>body{margin:0;background:#101418;fill:#d0d0d0;'
    "font:13px DejaVu Sans Mono,Menlo,Consolas,monospace}img,svg{position:absolute;overflow:visible}</style>"
    + "\n".join(page))
subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                "--user-data-dir=%s" % (folder / "profile"), "--screenshot=%s" % (folder / "drawn.png"),
                "--window-size=%d,%d" % (1000 + widest, top), (folder / "drawn.html").resolve().as_uri()],
               check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
shot = read_png(folder / "drawn.png")
letters = 0
for picture, grid, top in grids:
    wide = max(map(len, grid))
    for y, line in enumerate(grid):
        for x in range(wide):
            if line[x:x + 1] == "█":  # its ground is its ink
                continue
            place = (LEFT + x * WIDE, top + TOP + y * HIGH)
            drawn, alone = ink(shot, *place), ink(shot, place[0] + 1000, place[1])
            # under letters may be a line, which is no letter
            drawn = {i for i in drawn if i < 14 * WIDE or i in alone}
            letters += line[x:x + 1] not in ("", " ")
            # bold letters cover what thin ones do
            if len(drawn & alone) * 3 < 2 * min(len(drawn), len(alone)) or bool(drawn) != bool(alone):
                print("%s: line %d, column %d, %r: ink differs" % (os.path.basename(picture), y, x, line[x:x + 1]))
if letters < 1000:
    print("only %d letters" % letters)
