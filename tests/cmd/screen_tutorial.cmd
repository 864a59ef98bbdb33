# SPDX-License-Identifier: GPL-3.0-or-later
# The lessons of the screen, done as they say: each waits for its keys, and the last one closes them.
view size 80x24
view lessons valley
view show
|  Valley  MainGrid L0  4 findings
|      -15   -12   -9    -6    -3    0     3     6     9     12    15    18    21
|   -3
|   -2
|   -1                             . .   . . .   .
|    0                             . . . . . . . .
|    1                               . . .3. . . .
|    2                             . . .   . . .
|    3                             . .   . . .   .
|    4                             .   . . .   . .
|    5
|    6
|  . unloaded 41
| --------------------------------------------------------------------------------
|  Lesson 1 of 15: The map  press  an arrow, or h j k l
|  This is a world from above: cells of a grid, a place each. One cursor stands
|  on one of them, and every view and pane is about what it stands on. Move it.
|
|
| --------------------------------------------------------------------------------
|  (cellscope) view size 80x24
|  (cellscope) view lessons valley
|
|  m Overlay  S Source  + - Zoom  [ ] Level  Enter Open  e Explain  y Why  ? Help
press Right
view show ~ Lesson
|  Lesson 2 of 15: Somebody in it  press  S
press e q
view show ~ Lesson
|  Lesson 2 of 15: Somebody in it  press  S
press S . n n y q u v a / R o c k Enter
view show ~ Lesson
|  Lesson 10 of 15: How it came there  press  e
press e
view show
|  Valley  frame 6 0.100s  paused  loading 4/4  waiting 13  0.5 MiB  4 findings
|  Explain actor Rock_1000  1 of 9  map > queue > actors >
|    step  title                       input                      verdict
|  +    1  streaming of the world      enabled
|  +    2  spatially loaded            yes
|  +    3  so it can stream            yes                        spatial
|  +    4  actors that share its cell  1 actor, alone
|  +    5  bounds of the set           longest extent 900 cm
|  +    6  runtime grid                (none)                     MainGrid
|  +    7  level                       level 0, cells of 12800    taken
|  +    8  data layers                 0
|  +    9  cell                        Valley_MainGrid_-1_-1_0_0
|
| --------------------------------------------------------------------------------
|  Lesson 11 of 15: Layers  press  L, then x
|  L lists the data layers; x gives the one under the cursor its next state, i
|  counts the cells that it would change, m shows them on the map.
|
|
| --------------------------------------------------------------------------------
|  4 changes  loading 4  waiting 13  activated 5  resident 0.5 MiB  hash fd659d76
|  stopped: a change after 1 frame
|  (cellscope) view explain actor Rock_1000
|  Right Unfold  Left Fold  W What if  Enter Open  e Explain  y Why  ? Help
press L x q q q q b g t
view show ~ Lesson
|  Lesson 14 of 15: What is wrong with it?  press  f
press f
view show ~ "That was all"
|  Lesson 15 of 15: That was all  press  V V
press V V
view show ~ Lesson
assert frame() > 1
expect error E_USAGE: view lessons town
