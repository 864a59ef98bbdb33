# SPDX-License-Identifier: GPL-3.0-or-later
# One thing leads to the next: rows that fold, links of sentences, the page of a check, histories.
open @FIXTURES@/valley.json
source add Player0 0,0
run 40 ~ nothing
view size 80x24
view log-rows 0
# A step of a trail opens into what it looked at; its cell is a link.
press v a / R o c k Enter e
press End Right
view show
|  Valley  frame 40 0.667s  paused  loading 0/4  1.2 MiB  4 findings
|  Explain actor Rock_1000  9 of 9  map > actors >
|    step  title                       input                      verdict
|  +    1  streaming of the world      enabled
|  +    2  spatially loaded            yes
|  +    3  so it can stream            yes                        spatial
|  +    4  actors that share its cell  1 actor, alone
|  +    5  bounds of the set           longest extent 900 cm
|  +    6  runtime grid                (none)                     MainGrid
|  +    7  level                       level 0, cells of 12800    taken
|  +    8  data layers                 0
|  -    9  cell                        Valley_MainGrid_-1_-1_0_0
|       rule        cell
|       input       Valley_MainGrid_-1_-1_0_0
|       cell        Valley_MainGrid_-1_-1_0_0
|
|
|
|
|
|
|
|
|  Right Unfold  Left Fold  W What if  Enter Open  e Explain  y Why  ? Help
press Down Down Down Enter
view show
|  Valley  frame 40 0.667s  paused  loading 0/4  1.2 MiB  4 findings
|  Cell Valley_MainGrid_-1_-1_0_0    map > actors > explain >
|  history  wwwww~~~~###############################
|           frames 1..40, a column = 1 frame; now activated
| --------------------------------------------------------------------------------
|  name                Valley_MainGrid_-1_-1_0_0
|  state               activated
|  wanted              activated
|  since               frame 10
|  grid                MainGrid
|  level               0
|  x                   -1
|  y                   -1
|  z                   0
|  actors              1
|  bytes               81920 (80.0 KiB)
|  content_min         -10011,-5897,0 cm
|  content_max         -9111,-5197,500 cm
|  short_name          -1_-1_0_0
|  guid                5D29DD16190199FCFED8402F61F2938E
|  always_loaded       no
|  spatial             yes
|  hlod                no
|  a Actors  H History  m Map  Enter Open  e Explain  y Why  v m Map  ? Help
# A sentence is about what it names: from a cell that is off to the layer that keeps it off.
view why cell Valley_MainGrid_2_1_0_0_dB2E340D4
press Down Down
press y
view show
|  Valley  frame 40 0.667s  paused  loading 0/4  1.2 MiB  4 findings
|  Why layer DL_Night  1 of 5  ... > explain > cell > why >
|  DL_Night  unloaded: it was not activated (rule 2.8)
|    target    unloaded, at first unloaded
|    cells     1, loaded 0, visible 0; in range 1, of these arrived 0
|    try       layer-impact DL_Night activated
|    try       cells -w "'DL_Night' IN (SELECT value FROM json_each(layers))"
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|  u Queue  L Layers  s Sources  Enter Open  e Explain  y Why  v m Map  ? Help
press q Down Enter
view show ~ Object
|  Object source Player0    ... > explain > cell > why >
# A finding has the page of its check below it, and its actors as links.
press v f Enter
view show
|  Valley  frame 40 0.667s  paused  loading 0/4  1.2 MiB  4 findings
|  Finding 0    ... > why > object > findings >
|  actor      SM_Bridge
|  other      BP_Manager
|  severity   warning
|  check      WorldPartition_StreamedActorReferenceAlwaysLoadedActor
|  repair     non_spatial
|  reason     spatial actor references a non-spatial actor
|  pass       0
|  partition  Valley
| --------------------------------------------------------------------------------
|  An actor that is always loaded references one that streams.
|
|  The reference would be null whenever the other is away. This direction is an
|  error, the repair is the same: both become always loaded. Let both stream,
|  or neither.
|
|  page    fixtures/checks/loaded-references-streamed.cmd
|  token   WorldPartition_StreamedActorReferenceAlwaysLoadedActor
|
|  A spatially loaded actor references one that is always loaded.
|
|  Both would have to be in one cell, so both become always loaded - and so
|  p Page  r Chain  Enter Open  e Explain  y Why  v m Map  : Command  ? Help
press Enter
view show ~ label
|  label               SM_Bridge
press q p
view show ~ Check
|  Check WorldPartition_StreamedActorReferenceAlwaysLoadedActor  1 of 31
press Enter
view show ~ Findings
|  Findings    ... > findings > finding > check >
help check WorldPartition_InvalidRuntimeGrid
| An actor names a runtime grid that does not exist.
|
| A spatially loaded actor goes to the default grid. One that is not spatially
| loaded is not repaired: before 5.6 it goes to the persistent level whatever
| its grid, from then on the engine drops it without a word, 'drops' does not.
| Name a grid of the runtime hash, or none.
|
| page    fixtures/checks/invalid-grid.cmd
| token   WorldPartition_InvalidRuntimeGrid
|
| Names of layers in filters and of grids that do not count.
|
| The filter of an actor names a layer that the world does not have; actors
| name grids that it does not have either, about which a parent or a level
| instance decides anyway. The engine says nothing about them. Take the names
| away, or add what they name.
|
| page    fixtures/checks/idle-names.cmd
| token   WorldPartition_InvalidRuntimeGrid
| token   unknown_data_layer
help check hlod-source-cell ~ token
| changed), it is shown for ever. The token of this check is ours; building
| token   hlod_source_cell
expect error E_UNKNOWN: help check nothing
# Nothing explains a check, so the key line says nothing of it.
view size 120x24
view check hlod_loading_range
view show ~ Findings
expect error E_UNKNOWN: press e
view show ~ "does nothing"
|  the key 'e' does nothing here; ? lists the keys
view size 80x24
# Layers hang below their parents, and fold.
open @FIXTURES@/checks/layer-hierarchy.json
press L
view show
|  Yard  2 findings
|  Data layers  1 of 3  map >
|    label        type     initial   target    state     filter
|  - Work         editor   unloaded  -         -         none
|  `- - Night     runtime  unloaded  unloaded  unloaded  none
|     `-   Notes  editor   unloaded  -         -         none
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|  Left Fold  x Cycle  i Impact  m Map  Enter Open  e Explain  y Why  ? Help
press Down Left
view show
|  Yard  2 findings
|  Data layers  2 of 3  map >
|    label     type     initial   target    state     filter
|  - Work      editor   unloaded  -         -         none
|  `- + Night  runtime  unloaded  unloaded  unloaded  none
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|  Left Fold  x Cycle  i Impact  m Map  Enter Open  e Explain  y Why  ? Help
press Left Left
view show
|  Yard  2 findings
|  Data layers  1 of 3  map >
|    label  type    initial   target  state  filter
|  + Work   editor  unloaded  -       -      none
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|
|  Left Fold  x Cycle  i Impact  m Map  Enter Open  e Explain  y Why  ? Help
press Right
view show ~ Night
|  `- + Night  runtime  unloaded  unloaded  unloaded  none
# Sorted they are a list.
view sort label
view show ~ Night
|  Night  runtime  unloaded  unloaded  unloaded  none
# The states of a cell over the frames that have run, of a run that went back as well.
open @FIXTURES@/streaming/street.json
wp.Runtime.BlockOnSlowStreaming 0
wp.Runtime.MaxLoadingStreamingCells 2
sim.Latency 100
sim.Bandwidth 1
source add Player0 6400,4000,200
step 60 ~ nothing
view cell Street_MainGrid_2_0_0_0
view show
|  Street  frame 60 1.000s  paused  loading 2/2  0.8 MiB  Slow
|  Cell Street_MainGrid_2_0_0_0    map >
|  history  wwwwwwwwwwwwwwwww~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~############
|           frames 1..60, a column = 1 frame; now activated
| --------------------------------------------------------------------------------
|  name                Street_MainGrid_2_0_0_0
|  state               activated
|  wanted              activated
|  since               frame 49
|  grid                MainGrid
|  level               0
|  x                   2
|  y                   0
|  z                   0
|  actors              12
|  bytes               262144 (256.0 KiB)
|  content_min         26200,2000,0 cm
|  content_max         37600,6400,800 cm
|  short_name          2_0_0_0
|  guid                23530D3AF2CFBBF5CDC00BD1DA7872DC
|  always_loaded       no
|  spatial             yes
|  hlod                no
|  Street: 13 cells, 123 actors, profile 5.4
goto 20 ~ nothing
view show ~ history
|  history  wwwwwwwwwwwwwwwww~~~
step 200 ~ nothing
view show ~ history
|  history  wwww~~~~~~~~###########################################
view show ~ column
|           frames 1..220, a column = 4 frames; now activated
view object cell Street_MainGrid_-2_0_0_0
view show
|  Street  frame 220 3.667s  paused  loading 0/2  1.2 MiB
|  Object cell Street_MainGrid_-2_0_0_0    map > cell >
|  history  wwwwwwwwwwww~~~~~~~####################################
|           frames 1..220, a column = 4 frames; now activated
| --------------------------------------------------------------------------------
|  name                Street_MainGrid_-2_0_0_0
|  short_name          -2_0_0_0
|  guid                E8A232B8E0BA705EC426B19C9AEF8788
|  grid                MainGrid
|  level               0
|  x                   -2
|  y                   0
|  z                   0
|  always_loaded       no
|  spatial             yes
|  hlod                no
|  client_only         no
|  block_on_slow       yes
|  flat                no
|  layers              -
|  layers_id           00000000
|  actors              12
|  sets                12
|  Street: 13 cells, 123 actors, profile 5.4
view glyphs utf8
view show ~ history
|  history  wwwwwwwwwwww░░░░░░░████████████████████████████████████
# What the mouse submits on a terminal: a press goes to the row, the cell, or the other pane.
view glyphs ascii
open @FIXTURES@/valley.json
view cells
view click 5,7
view show ~ Cells
|  Cells  5 of 44  map >                               | Valley_MainGrid_-1_4_0_0
view map
view show ~ " Valley_"
|      -3  -2  -1  0   1   2   3   4   5   6   7   8   | Valley_MainGrid_0_0_0_0
view click 25,10
view show ~ " Valley_"
|      -3  -2  -1  0   1   2   3   4   5   6   7   8   | Valley_MainGrid_2_1_0_0
# An axis is no cell: the cursor stays.
view click 0,12
view show ~ " Valley_"
|      -3  -2  -1  0   1   2   3   4   5   6   7   8   | Valley_MainGrid_2_1_0_0
view split cells
view click 10,18
view show ~ Cells
|  Cells  4 of 44
expect error E_USAGE: view click 10
expect error E_USAGE: view click 200,0
view mouse on
view mouse off
