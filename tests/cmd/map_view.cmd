# SPDX-License-Identifier: GPL-3.0-or-later
# The map of the screen: stops, all levels, a source that is moved, what rows say of cells.
open @FIXTURES@/valley.json
view size 80x24
view log-rows 0
# A source where the cursor is, when there is none; b stops at the cell, and marks it.
press S b
press . . .
assert (SELECT count(*) FROM sources) = 1
info breakpoints ~ Valley
|  1  breakpoint  cell.load  cell = 'Valley_MainGrid_0_0_..  yes         0       0
# All levels: the cell of level 1 covers its four places, and Enter on several lists them.
press a Down Right Right
view show
|  Valley  MainGrid all levels zoom 1/2  frame 3 0.050s  loading 4/4  waiting 15
|      -3  -2  -1  0   1   2   3   4   5   6   7   8   | Valley_MainGrid_2_1_0_0
|   -3                                                 | state     waiting
|             ' ' ' ' ' ' ' '                          | wanted    activated
|   -2      ' '             ' '                        | since     frame 0
|           '                 ' '                      | level     0
|   -1    '    w   w       w   w'  .       .           | actors    4
|         '     `   `       `   `   `       `          | bytes     128.0 KiB
|    0    '    w   wb  ~   ~   ~'  .`: .   .           | hierarchy 0
|         '     `    @  `   `   ` '     `   `          | priority  0
|    1    '        w   w   w3: w'  .   .   .           | grid      MainGrid
|         '         `   `   ` ` '   `   `   `          | from      29022,15000,0
|    2    ' '  w   w   w   ~  `~2  .   .               | to        33900,20597,800
|           ' ' `   `   `   ' ' `   `   `              | package   0LMR3TO0REF48JS
|    3         .' '.' ' ' '~2  ~2  .       .           |           V5ANDUT5LY
|               `   ` '     `   `   `       `          |
|    4         .       .   .   .       .   .           |
|               `       `   `   `       `   `          |
|    5                                                 |
|                                                      |
|    6                                                 |
|                                                      |
|  dots: actors  ~ loading 4  w waiting for budget 14  |
|  m Overlay  Enter Cells  S Move  + - Zoom  [ ] Level  e Explain  y Why  ? Help
press Enter
view show
|  Valley  frame 3 0.050s  paused  loading 4/4  waiting 15  0.1 MiB  4 findings
|  Cells  1 of 3, name IN ('Valley_MainGrid_2_1_0_0', ~| Valley_MainGrid_2_1_0_0
|  short_name  state     actors  layers    level       | state     waiting
|  2_1_0_0     waiting        4  -             0       | wanted    activated
|  2_1_0_0     waiting        1  DL_Quest      0       | since     frame 0
|  2_1_0_0     unloaded       3  DL_Night      0       | level     0
|                                                      | actors    4
|                                                      | bytes     128.0 KiB
|                                                      | hierarchy 0
|                                                      | priority  0
|                                                      | grid      MainGrid
|                                                      | from      29022,15000,0
|                                                      | to        33900,20597,800
|                                                      | package   0LMR3TO0REF48JS
|                                                      |           V5ANDUT5LY
|                                                      |
|                                                      |
|                                                      |
|                                                      |
|                                                      |
|                                                      |
|                                                      |
|                                                      |
|  a Actors  Enter Open  e Explain  y Why  v m Map  : Command  q Close  ? Help
press q b b a
info breakpoints ~ Valley
|  1  breakpoint  cell.load  cell = 'Valley_MainGrid_0_0_..  yes         0       0
# Nearer than a cell a place: the actors of a cell are seen where they are, and the source, too.
press + +
view show
|  Valley  MainGrid L0 zoom 1/8  frame 3 0.050s  loading 4/4  waiting 15  0.1 MiB
|      1               2               3               | Valley_MainGrid_2_1_0_0
|    0 ~               ~               ~      '        | state     waiting
|                                             '        | wanted    activated
|                                             '        | since     frame 0
|                                             '        | level     0
|          `               `                ` ' '      | actors    4
|                                             '        | bytes     128.0 KiB
|                                             '        | hierarchy 0
|                                             '        | priority  0
|    1 w               w3              w      '        | grid      MainGrid
|                           = = =:=           '        | from      29022,15000,0
|                           ```   =      :  ' '        | to        33900,20597,800
|                           =     =         '          | package   0LMR3TO0REF48JS
|          `               `= = = = `       '          |           V5ANDUT5LY
|                                         ' '          |
|                                         '            |
|                                       ' '            |
|                                                      |
|                                                      |
|                                                      |
|                                                      |
|  dots: actors  ~ loading 3  w waiting for budget 4   |
|  m Overlay  Enter Cells  S Move  + - Zoom  [ ] Level  e Explain  y Why  ? Help
view glyphs utf8
view show ~ dots
|  dots: actors  ░ loading 3  w waiting for budget 4   │
press -
view show ~ zoom
|  Valley  MainGrid L0 zoom 1/4  frame 3 0.050s  loading 4/4  waiting 15  0.1 MiB
view glyphs ascii
expect error E_USAGE: view zoom 1/3
expect error E_USAGE: view zoom 1/32
# Farther: how many cells share a place stands beside the sign of the one that says most.
press - -
view show ~ /[.w~#][2-9+]/
|    1                '    w w w3w'. . .               | to        33900,20597,800
view zoom 1
# S takes the source along, Enter puts it down.
press S Left Left
view show ~ Enter
|  Player0: Enter puts it here, S leaves it            |
|  m Overlay  Enter Put  S Move  + - Zoom  [ ] Level  e Explain  y Why  ? Help
press Enter
sources
| name     location      velocity  target     priority  active
| Player0  6400,19200,0  0,0,0     activated       128  yes
press S Esc
# Loads, counted by the events; then the impact of a layer beside the list of layers.
view overlay loads
view show ~ loads
|  loads  1 1 3  . untouched 38  1 elsewhere  @ source |
run 40 ~ nothing
view overlay rows layer-impact DL_Quest activated
view show ~ impact
|  layer-impact DL_Quest act~  a activated 1  @ source |
expect error E_USAGE: view overlay nonesuch
expect error E_USAGE: view overlay rows
# Time: changes and events, forth and back.
goto 1 ~ nothing
press n
assert frame() = 5
# That a cell begins to wait is no change, as in the list that `next` prints.
assert (SELECT count(*) FROM events WHERE frame = 4 AND event = 'cell.wait') = 4
press N
assert frame() = 1
layer set DL_Quest activated
step 10 ~ nothing
press {
assert frame() = 1
# Loads of a cell are those of its own world partition, not of a twin's cell with the same name.
open @FIXTURES@/valley.json
partition add @FIXTURES@/valley.json --at 1000,0,0 --name Twin
source add Player0 33280,15360,0
step 60 ~ nothing
view map
view overlay loads
view show ~ loads
|  loads  dots: actors  1 1 23  . untouched 18         |
# A level without cells is passed over, and what is no number is no level or zoom.
open @FIXTURES@/valley.json
view close all
view map
remove SM_Wall ~ nothing
edit '{"guid":"000000000000000000000000000000F1","name":"Dam","bounds_min":[-9000,-3000,0],"bounds_max":[9000,3000,900]}' ~ nothing
edit '{"guid":"000000000000000000000000000000F1","name":"Dam","bounds_min":[-19000,-3000,0],"bounds_max":[19000,3000,900]}' ~ nothing
assert (SELECT group_concat(DISTINCT level) FROM cells WHERE grid = 'MainGrid') = '0,2'
press ]
view show ~ Valley
|  Valley  MainGrid L2 zoom 1/4  4 findings
|      -2      -1      0       1       2       3       | Valley_MainGrid_0_0_0_2
press [
view show ~ Valley
|  Valley  MainGrid L0 zoom 1/2  4 findings
|      -3  -2  -1  0   1   2   3   4   5   6   7   8   | Valley_MainGrid_0_0_0_0
expect error E_NOCELL: view level 1
expect error E_USAGE: view level foo
expect error E_USAGE: view level 0x
expect error E_USAGE: view zoom 8x
expect error E_USAGE: view zoom 1/2x
# A mistyped overlay leaves the one that is shown.
view overlay actors
expect error E_USAGE: view overlay nonesuch
view show ~ actors
|                                                      | actors    1
|  actors  dots: actors  3 up to 8 1  2 up to 4 2      |
# The window that the user chose stays when the world is cooked again, and so does the overlay.
press m + Down
view show ~ "/zoom|^  *[0-9]|dots/"
|  Valley  MainGrid L0 zoom 1/4  4 findings
|    0                 0       0       0       0       | to        3900,20597,500
|    1                         0       0       03   :  |
|    2                 0       0       0               |
|  bytes  dots: actors  0 nothing 15                   |
edit '{"guid":"000000000000000000000000000000F1","name":"Dam","bounds_min":[0,0,0],"bounds_max":[90,90,9]}' ~ nothing
view show ~ "/zoom|^  *[0-9]|dots/"
|  Valley  MainGrid L0 zoom 1/4  4 findings
|    0                 0       0       0       0       | to        3900,20597,500
|    1                         0       0       03   :  |
|    2                 0       0       0               |
|  bytes  dots: actors  0 nothing 15                   |
# A window that shows all stays so on a larger screen, whatever the overlay.
view zoom fit
view size 60x12
view overlay actors
view size 132x40
view show ~ "/zoom|^ *-?[0-9] /"
|  Valley  MainGrid L0 zoom 1/4  4 findings
|      -2      -1      0       1       2       3       4       5       6       7       8         | cell Valley_MainGrid_0_1_0_0
|   -2                                                                                           | state     unloaded
|   -1         1       1               1       1       1               1                         | hierarchy 0
|    0         1       1       1       1       1       3       1       1                         | to        3900,20597,500 cm
|    1                 1       1       23   :  1       1       1       1                         |
|    2         1       1       1               1       1       1                                 |
|    3         1       1               1       1       1               1                         |
|    4         1               1       1       1               1       1                         |
|    5                                                                                           |
|    6                                                                                           |
# A source where no cell is stands on the map, too, and 0 goes to it.
open @FIXTURES@/valley.json
view close all
view size 80x24
source add Player0 60000,60000
step ~ nothing
map ~ "/^ *4 /"
|      4 .   . w w  @~*~*
view map
cursor first
cursor home
press S Left Up Enter
sources -c name,location
| name     location
| Player0  44800,44800,0
# The filters of the console: cells that they leave out are not drawn, and come back without them.
view level 0
wp.Runtime.DebugFilterByCellName _2_
view show
|  Valley  MainGrid L0 zoom 1/2 filtered  frame 1 0.017s  loading 4/4  waiting 8
|      -3  -2  -1  0   1   2   3   4   5   6   7   8   |
|   -3                                                 |
|                                                      |
|   -2                                                 |
|                                                      |
|   -1                     .                           |
|                           `                          |
|    0                     .                           |
|                         ' ` ' ' ' ' ' '              |
|    1                  ' '.3:          ' '            |
|                       '   ` `           ' '          |
|    2         .   .  '.       w   w   w    '          |
|               `   ` ' `       `   `   `   '          |
|    3                '    w                '          |
|                     '     `    @          ' '        |
|    4                '    w                '          |
|                     '     `               '          |
|    5                ' '                 ' '          |
|                       ' '             ' '            |
|    6                      ' ' ' ' ' ' '              |
|                                 '                    |
|  dots: actors  w waiting for budget 5  . unloaded 7  |
|  Player0  44800,44800,0
wp.Runtime.DebugFilterByStreamingStatus 5
view show
|  Valley  MainGrid L0 zoom 1/2 filtered  frame 1 0.017s  loading 4/4  waiting 8
|      -3  -2  -1  0   1   2   3   4   5   6   7   8   |
|   -3                                                 |
|                                                      |
|   -2                                                 |
|                                                      |
|   -1                                                 |
|                                                      |
|    0                                                 |
|                         ' ' ' ' ' ' ' '              |
|    1                  ' '             ' '            |
|                       '                 ' '          |
|    2                '                     '          |
|                     '                     '          |
|    3                '                     '          |
|                     '          @          ' '        |
|    4                '                     '          |
|                     '                     '          |
|    5                ' '                 ' '          |
|                       ' '             ' '            |
|    6                      ' ' ' ' ' ' '              |
|                                 '                    |
|  dots: actors  @ source                              |
|  Player0  44800,44800,0
wp.Runtime.DebugFilterByCellName
wp.Runtime.DebugFilterByStreamingStatus
view show
|  Valley  MainGrid L0 zoom 1/2  frame 1 0.017s  loading 4/4  waiting 8  0.1 MiB
|      -3  -2  -1  0   1   2   3   4   5   6   7   8   | Valley_MainGrid_3_3_0_0
|   -3                                                 | state     waiting
|                                                      | wanted    activated
|   -2                                                 | since     frame 0
|                                                      | level     0
|   -1         .   .       .   .   .       .           | actors    1
|               `   `       `   `   `       `          | bytes     80.0 KiB
|    0         .   .`  .   .   .   .`: .   .           | hierarchy 0
|               `       ` ' ` ' ` ' ' ' `   `          | priority  0
|    1             .   .' '.3: .   .   .' '.           | grid      MainGrid
|                   `   `   ` `     `   ` ' `          | from      42033,45691,0
|    2         .   .  '.       w   w   w    '          | to        42933,46391,500
|               `   ` ' `       `   `   `   '          | package   ASMU2J6KL4EFOPH
|    3         .   .  '    w   w   w       ~*          |           WU77LAJ7XK
|               `   ` '     `   `@  `       ` '        |
|    4         .      '.   w   w       ~*  ~*          |
|               `     ' `   `   `       `   `          |
|    5                ' '                 ' '          |
|                       ' '             ' '            |
|    6                      ' ' ' ' ' ' '              |
|                                 '                    |
|  dots: actors  ~ loading 3  w waiting for budget 8   |
|  Player0  44800,44800,0
# A map whose grid has no cell that passes the filters is empty, and another grid can be chosen.
wp.Runtime.DebugFilterByRuntimeHashGridName Small
view zoom fit
view show ~ MainGrid
|  Valley  MainGrid L0 zoom 1/2 filtered  frame 1 0.017s  loading 4/4  waiting 8
view grid Small
view show ~ Small
|  Valley  Small L0 zoom 1/4 filtered  frame 1 0.017s  loading 4/4  waiting 8
|      1       2       3       4       5       6       | cell Valley_Small_3_1_0_0
|    1                 .                               | grid      Small
