# SPDX-License-Identifier: GPL-3.0-or-later
# Twenty tasks, each in at most six keys and without a word that is typed.
cook @FIXTURES@/valley.json --profile 5.7 -o @OUT@/journeys.cworld ~ ^nothing
open @FIXTURES@/valley.json
source add Player0 0,0
step 8 ~ ^nothing
view log-rows 0
# 1 why is this cell not there: y
press y
view show ~ Why
|  Why cell Valley_MainGrid_0_0_0_0  1 of 6  map >
|  u Queue  L Layers  s Sources  Enter Open  e Explain  y Why  v m Map  ? Help
press q
# 2 what is wrong with it: f Enter
press f Enter
view show ~ severity
|  severity   warning
press q q
# 3 what is always loaded: v a A
press v a A
view show ~ Actors
|  Actors  1 of 3, always IS NOT NULL  map > actors >
press q q
# 4 the heaviest cell: v c z
press v c z
view show ~ Cells
|  Cells  1 of 44, by -bytes  map >                    | Valley_MainGrid_4_0_0_0
press q
# 5 who waits for what: u
press u
view show ~ Queue
|  Queue  1 of 10  map >
press q
# 6 the dearest frame: g t x
press g t x
view show ~ "frame 8"
|  Valley  frame 8 0.133s  paused  loading 4/4  waiting 6  0.4 MiB  4 findings
press q
# 7 what has it cost: v w Enter goes to the frame
press v w
view show ~ Hitches
|  Hitches  1 of 8  map >
press q
# 8 how did this cell come about, beside, for all that the cursor meets: V e
press V e Down
view show ~ Explain
|  Explain cell Valley_MainGrid_0_1_0_0  1 of 1
|  m Overlay  S Move  + - Zoom  [ ] Level  Enter Open  e Explain  y Why  ? Help
press V V
# 9 what would another setting change: d s Enter
press d s Enter
view show ~ Diff
|  Diff whatif MainGrid.cell_size=6400    map > pick >
# 10 and the first rule that decides otherwise for an actor: G e
press G e
view show ~ ">8"
| >8  level                 level 0, cells of 12800     level 0, cells of 6400
press q q q
# 11 count by a column: v c F
press v c F
view show ~ grouped
|  Cells  1 of 4, grouped by state  map >              |
# 12 and the rows of the first: Enter
press Enter
view show ~ Cells
|  Cells  1 of 29, "state" = 'unloaded'  map >         | Valley_MainGrid_-1_3_0_0
press q
# 13 an HLOD actor without a cell: v h x
press v h x
view show ~ HLOD
|  HLOD actors  none, cell IS NULL  map > hlods >
press q q
# 14 mark a place, leave it, come back: M a, ' a
press M a Right Right "'" a
view show ~ wanted
|         ' '             ' '                          | wanted    activated
# 15 change the layer under the cursor: L x
press L x
view show ~ DL_Night
|    DL_Night  runtime  unloaded  loaded  loaded  none
|  DL_Night: loaded (set)
press q
# 16 where would it change anything, on the map: L m
press L m
view show ~ activated
|   -3      ' ' ' ' ' ' ' '                            | state     activated
|         ' '             ' '                          | wanted    activated
press q q
# 17 sort by a column: v c Right Right Right o
press v c Right Right Right o
view show ~ Cells
|  Cells  1 of 44, by layers  map >                    | cell ~d_2_1_0_0_dB2E340D4
# 18 write what is listed as CSV: X, then Enter
press X
view show ~ csv
| :cells -s layers --csv > rows.csv
press Esc q
# 19 what differs from the frame before: d d
press d d
view show ~ difference
|  Valley  0 differences  frame 8 0.133s  paused  loading 4/4  waiting 6  0.4 MiB
|  no differences
press q
# 20 what can be done at all: v ?
press v ? Down Enter
view show ~ search
|  Enter :view search
| :view search
press Esc q
