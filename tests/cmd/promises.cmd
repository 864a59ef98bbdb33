# SPDX-License-Identifier: GPL-3.0-or-later
# What each key of the screen promises is what it does.
open @FIXTURES@/valley.json
source add Player0 0,0
run 30 ~ ^nothing
# The place is the cursor: a mark remembers it, a quote goes back to it, C-o to where one was.
press Down Down M a
mark ~ a
| mark  place
| a     Valley_MainGrid_0_2_0_0
press Right Right Right Right
pwd
| Valley_MainGrid_4_2_0_0
press "'" a
pwd
| Valley_MainGrid_0_2_0_0
press C-o
pwd
| Valley_MainGrid_4_2_0_0
# From a view that does not show it the place is opened.
press v f "'" a
view show ~ Cell
|  Cell Valley_MainGrid_0_2_0_0    map > findings >
press q q
# F counts by what the rows have, one column after the other, then no more; Enter takes a group.
press v c F
view show ~ /Cells|activated/
|  Cells  1 of 2, grouped by state  map >              |
|  activated  15  ##################:                  |
press F
view show ~ Cells
|  Cells  1 of 2, grouped by level  map >              |
press Enter
view show ~ Cells
|  Cells  1 of 43, "level" = 0  map >                  | Valley_MainGrid_-1_-1_0_0
press F F F
view show ~ Cells
|  Cells  1 of 3, grouped by grid, "level" = 0  map >  | grid MainGrid
press q v f F
view show ~ Findings
|  Findings  1 of 2, grouped by severity  map >
press q
# A search goes to a cell or to an actor by name, and n to the next; Esc forgets it.
press / L a m p Enter
view show ~ actor
|    0  '      #   @`  #   #  '.'  .`: .   .           | actors    4
|  dots: actors  # activated 13  . unloaded 27         |
|  actor Lamp_04
pwd
| Valley_MainGrid_2_1_0_0
press n
pwd
| Valley_MainGrid_2_1_0_0
press Esc v a / L a m p Enter
view show ~ Lamp
|  Lamp_04       ~e.StaticMeshActor  ~ley_MainGrid_2_1_0_0  by_centre    -
|  (cellscope) view search Lamp
press N q
# So do the keys, the log, records and prose.
press ? / r e p e a t Esc / t i m e l i n e Enter
view show ~ timeline
|  g t        the timeline                           view timeline
|  the timeline
|  (cellscope) view search timeline
press q v o / c e l l s c o p e Enter n q
press v c Enter / b y t e s Enter
view show ~ bytes
|  bytes               81920 (80.0 KiB)
|  (cellscope) view search bytes
press q q
# One key for the layer under the cursor; a count only moves, and before other keys nothing is done.
press L x
view show ~ DL_Night
|    DL_Night  runtime  unloaded  loaded  loaded  none
|  (cellscope) layer cycle DL_Night
|  DL_Night: loaded (set)
expect error E_UNKNOWN: press 1 Z
press 2 x
view show ~ DL_Night
|    DL_Night  runtime  unloaded  loaded  loaded  none
|  (cellscope) layer cycle DL_Night
|  DL_Night: loaded (set)
press q v a 5 j
view show ~ Actors
|  Actors  6 of 60  map >
press 1 2 G
view show ~ Actors
|  Actors  12 of 60  map >
press g g C-d
view show ~ Actors
|  Actors  8 of 60  map >
press C-u q
# Space turns a page where rows are listed, and plays where time is the subject.
press v a Space
view show ~ Actors
|  Actors  16 of 60  map >
press Space q
press v m Space
view show ~ playing
|  Valley  MainGrid L0 zoom 1/2  frame 30 0.500s  playing  loading 0/4  1.2 MiB
press Space
# o sorts by the column of the cursor, numbers the greatest first; again, the other way round.
press v c Right Right Right Right o
view show ~ Cells
|  Cells  1 of 44, by -level  map >                    | Valley_MainGrid_1_1_0_1
press o
view show ~ Cells
|  Cells  1 of 44, by level  map >                     | Valley_MainGrid_-1_-1_0_0
press $ 0 Esc
# Nothing runs far unasked: n gives up after a second.
source rm Player0
press n n
hash ~ ^nothing
# A key that does nothing is an error for who presses it by a line.
expect error E_UNKNOWN: press Z
# Below 18 rows the answer stands on the key line until the next key.
view size 60x12
press .
view show ~ changes
|  0 changes  loading 0  waiting 0  activated 1  resident 0.1~
expect error E_USAGE: press : s t e p Space x Enter
view show ~ error
|  error: FRAMES must be a whole number, not 'x' [E_USAGE]
press Down
view show ~ Help
|  m Overlay  S Source  + - Zoom  [ ] Level  v m Map  ? Help
# The history is searched backwards.
press : C-r d r
view show ~ history
| ?                                       in the history: dr
press Esc
# A run along a path whose file is chosen, and then the setting; the file is looked into before.
view size 80x24
view log-rows 0
view pick files:.csv:@FIXTURES@/streaming view pick settings view runs now {} -p {}
press Down
view show ~ time,
|  time,x,y,z
press Enter Enter
view show ~ Runs
|  Runs       1 column = 6 frames
press q q q
# Groups have no bytes to be sorted by.
press v c F
expect error E_UNKNOWN: press z
press q
# Places, back and forward.
cd L0:0,0
cd L0:1,0
press C-o
pwd ~ MainGrid
| Valley_MainGrid_0_0_0_0
press Tab
pwd ~ MainGrid
| Valley_MainGrid_1_0_0_0
