# SPDX-License-Identifier: GPL-3.0-or-later
# What stands around the views: a title of whole pieces, a side pane whose labels and units are
# whole, keys that do something, sentences where there are no rows, texts that are cut with a sign.
open @FIXTURES@/streaming/season.json
cook log @OUT@/frame.log
open @OUT@/frame.log --recook
source add Player0 0,0
step 3 ~ nothing
# What a log does not say is said to be assumed, where there is room; pieces leave as a whole.
view size 120x24
view log-rows 0
view show ~ frame
|  Season  MainGrid L0 zoom 1/4  frame 3 0.050s  paused  loading 4/4  waiting 1  0.0 MiB  ranges assumed
|       '                             '                                              | since     frame 1
view size 60x24
view show ~ frame
|  Season  MainGrid L0 zoom 1/4  frame 3 0.050s  loading 4/4
view size 44x24
view show ~ frame
|  Season  frame 3 0.050s  loading 4/4
# Of names the end is kept; labels are as wide as the longest; fields have their units.
view size 80x24
view grids
view show
|  Season  frame 3 0.050s  paused  loading 4/4  waiting 1  0.0 MiB  ranges assumed
|  Grids  1 of 3  map >                                | grid MainGrid
|  name            class       cell_size  loading_range| class    lhgrid
|  MainGrid        lhgrid          12800          25600| cell     12800 cm
|  Effects         lhgrid          12800          25600| range    25600 cm
|  ~rsistentLevel  persistent          0              0| from     assumed
|                                                      | cells    6
|                                                      | priority 0
|                                                      |
|                                                      |
|                                                      |
|                                                      |
|                                                      |
|                                                      |
|                                                      |
|                                                      |
|                                                      |
|                                                      |
|                                                      |
|                                                      |
|                                                      |
|                                                      |
|                                                      |
|  Enter Open  v m Map  : Command  q Close  ? Help
view close
# Where there is nothing, a sentence says so, and the keys for what is under the cursor are gone.
view hlods
view show ~ /HLOD|Enter|Help/
|  HLOD actors  none  map >
|  the world has no HLOD actors
|  x No cell  v m Map  : Command  q Close  ? Help
view close
view drops
view show ~ dropped
|  every actor is in a cell: none was dropped
view close
view faults
view show ~ fail
|  no loads fail or are delayed
view close
view finding 1
view show ~ lists
|  there is no such finding; f lists those there are
view close
# Why there are no rows: all of it, and no name of it as the terminal would take it.
view rows "sql SELECT no\x1b[31msuch FROM a table with so many words that no line takes them all"
view show ~ /unknown|takes/
|  unknown command 'sql SELECT no\x1b[31msuch FROM a table with so many words that
|  no line takes them all'
view close
# A count never changes anything; the help at the end however many there are.
view layers
view show ~ Cycle
|  Left Fold  x Cycle  i Impact  m Map  Enter Open  e Explain  y Why  ? Help
press 1 x
view show ~ count
press Esc
view size 44x24
view show ~ Help
|  m Overlay  Enter Cells  S Move  ? Help
view close
# The tutorial wraps its lessons.
view lessons valley
view show ~ /Lesson|world|object|stands/
|  Lesson 1 of 15: The map  press  an arrow, ~
|  This is a world from above: cells of a
|  grid, a place each. One cursor stands on
|  about what it stands on. Move it.
expect error E_USAGE: view trails
