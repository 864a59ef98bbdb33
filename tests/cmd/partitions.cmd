# SPDX-License-Identifier: Apache-2.0
# Two standalone level instances of one level: world partitions by themselves, which every command
# takes with -P, and which listings and SQL show beside the main one.
open @FIXTURES@/streaming/estate.json
| Estate: 3 cells, 3 actors, 2 standalone level instances, profile 5.4
# A level instance is read from the file of the world that contains it, as `info -P` says, too.
assert (SELECT count(DISTINCT file) FROM partitions) = 1
partitions
| name    index  state       package             location   cells  visible
| Estate      0  registered  /Game/Maps/Estate   0,0,0          3        0
| West        1  waiting     /Game/Levels/House  1000,0,0       2        0
| East        2  waiting     /Game/Levels/House  60000,0,0      2        0
cells -c name,partition,state
| name                               partition  state
| Estate_MainGrid_0_0_0_0            Estate     unloaded
| Estate_MainGrid_0_0_0_0_d42C605D3  Estate     unloaded
| Estate_MainGrid_5_0_0_0            Estate     unloaded
| House_Rooms_0_0_0_0                West       unloaded
| House_Rooms_1_0_0_0_d7C76FAE7      West       unloaded
| House_Rooms_0_0_0_0                East       unloaded
| House_Rooms_1_0_0_0_d7C76FAE7      East       unloaded
actors -c label,partition,cell
| label  partition  cell
| Gate   Estate     Estate_MainGrid_0_0_0_0_d42C605D3
| West   Estate     Estate_MainGrid_0_0_0_0
| East   Estate     Estate_MainGrid_5_0_0_0
| Bed    West       House_Rooms_0_0_0_0
| Lamp   West       House_Rooms_1_0_0_0_d7C76FAE7
| Bed    East       House_Rooms_0_0_0_0
| Lamp   East       House_Rooms_1_0_0_0_d7C76FAE7
sql SELECT partition, count(*) AS n FROM cells GROUP BY partition
| partition  n
| East       2
| Estate     3
| West       2
sql -P west SELECT count(*) AS n FROM cells
| n
| 2
source add Player0 1000,0,0
step 60
| frame 60  t 1.000  Player0 (1000,0,0) v (0,0,0)
|   # MainGrid_0_0_0_0           unloaded -> activated in_range
|   # MainGrid_0_0_0_0_d42C605D3 unloaded -> activated in_range
|   # House_Rooms_0_0_0_0        unloaded -> activated in_range in West
| 3 changes  loading 0  waiting 0  activated 3  resident 0.2 MiB  hash f5f99817
partitions
| name    index  state       package             location   cells  visible
| Estate      0  registered  /Game/Maps/Estate   0,0,0          3        2
| West        1  registered  /Game/Levels/House  1000,0,0       2        1
| East        2  waiting     /Game/Levels/House  60000,0,0      2        0
cells -P West
| name                           level  layers  actors  state
| House_Rooms_0_0_0_0                0  -            1  activated
| House_Rooms_1_0_0_0_d7C76FAE7      0  Night        1  unloaded
cells -P 2
| name                           level  layers  actors  state
| House_Rooms_0_0_0_0                0  -            1  unloaded
| House_Rooms_1_0_0_0_d7C76FAE7      0  Night        1  unloaded
why cell -P West Rooms_0_0_0_0
| House_Rooms_0_0_0_0  activated (level visible) since frame 10
|   wanted    activated, by rule 2.2.4 in_range: a source reaches it
|   layers    allow activated
|   source    Player0  distance 0 within radius 6400  reaches it
|   order     source 128  level 0  prio 0  spatial 0.0000
|   blocking  distance / radius 0.0000: not considered, the cell does not block
why-not cell -P East House_Rooms_0_0_0_0
| it is not there because: its world partition is not registered (rule 2.1)
| House_Rooms_0_0_0_0  unloaded
|   wanted    unloaded, by rule 2.1 not_registered: its world partition is not registered
|   layers    allow activated
|   source    not measured before a frame has decided
|   in cell   Estate_MainGrid_5_0_0_0, which is unloaded
|   try       why-not MainGrid_5_0_0_0
layers
| label  type     initial    parent  state      partition
| Day    runtime  activated  -       activated  Estate
| Night  runtime  unloaded   -       unloaded   West
| Night  runtime  unloaded   -       unloaded   East
why-layer Night -P West
| Night  unloaded: it was not activated (rule 2.8)
|   target    unloaded, at first unloaded
|   cells     1, loaded 0, visible 0; in range 1, of these arrived 0
|   try       layer-impact Night activated -P West
|   try       cells -w "'Night' IN (SELECT value FROM json_each(layers))" -P West
layer set Night activated -P West
| Night: activated (set)
step 60
| frame 120  t 2.000  Player0 (1000,0,0) v (0,0,0)
|   # House_Rooms_1_0_0_0_d7C76FAE7 unloaded -> activated in_range in West
| 1 change  loading 0  waiting 0  activated 4  resident 0.3 MiB  hash d4b14f64
map -P West
| House  Rooms L0  cell 3200 cm  range 6400  frame 120  Player0 (1000,0)
|        0 1
|      0 # #
|   # activated  @ source  * just changed
|   2 cells: 2 #   x right, y down
events -P West -n 4
| frame  event         cell                 from      to           reason
|     5  world.change  -                    -         -            -
|     6  cell.want     House_Rooms_0_0_0_0  unloaded  activated    in_range
|     6  cell.load     House_Rooms_0_0_0_0  unloaded  loading      -
|    10  cell.loaded   House_Rooms_0_0_0_0  loading   not_visible  -
actor Lamp -P West -c label,cell,partition,set
| label      Lamp
| cell       House_Rooms_1_0_0_0_d7C76FAE7
| partition  West
| set        1
why-always Lamp -P West
| Lamp  StaticMeshActor  guid 00000000000000000000000000000012
|   1 1.2     streaming of the world      enabled
|   2 1.2     spatially loaded            yes
|   3 1.6.6   so it can stream            yes                           -> spatial
|   4 1.5     bounds of the set           longest extent 100 cm
|   5 1.6.6   data layers                 Night                     -> id 7C76FAE7
|   = 1.6.5   House_Rooms_1_0_0_0_d7C76FAE7
break -P East cell.show
| breakpoint 1: cell.show in East
source move Player0 61000,0,0
continue ~ stopped
| stopped: breakpoint 1, cell.show (hit 1)  cell House_Rooms_0_0_0_0  in East  making_visible -> visible  rule 2.2.4 in_range by Player0
pwd
| House_Rooms_0_0_0_0
cell . -c name,partition,state
| name       House_Rooms_0_0_0_0
| partition  East
| state      activated
wp.Runtime.DumpWorldPartitions
| name    index  state       package             location   cells  visible
| Estate      0  registered  /Game/Maps/Estate   0,0,0          3        1
| West        1  waiting     /Game/Levels/House  1000,0,0       2        0
| East        2  registered  /Game/Levels/House  60000,0,0      2        1
# Names that both instances have are nobody's without -P.
expect error E_AMBIGUOUS: cell House_Rooms_0_0_0_0
expect error E_MISSING: cells -P North
# What is about all partitions together takes no -P, and does not answer as if it had obeyed.
expect error E_USAGE: hash -P West
expect error E_USAGE: plot loads -P West
expect error E_USAGE: frames -P West
expect error E_USAGE: path report -P West
expect error E_USAGE: step -P West
# Nor is what a report compares, a world with its levels, that of one partition.
expect error E_USAGE: report @OUT@/parts.html --before @FIXTURES@/streaming/estate.json -P 0
expect error E_USAGE: report @OUT@/parts.html --before @FIXTURES@/streaming/estate.json -P West
expect error E_USAGE: watch -P West frame()
assert -P East (SELECT count(*) FROM cells) = 2
assert (SELECT count(*) FROM cells) = 7
assert (SELECT count(*) FROM events WHERE partition = 'east' AND event = 'cell.show') = 1
# All partitions go back, and come to the same again.
set $there = state_hash()
set $frame = frame()
step 20
goto $frame
assert state_hash() = $there
fault cell House_Rooms_0_0_0_0 slow 2 -P East
expect error E_SETTING: fault cell House_Rooms_0_0_0_0 slow 0.5 -P East
info faults
| cell                 fault  factor  partition
| House_Rooms_0_0_0_0  slow        2  East
# A partition of the session's own, under a name.
partition add @FIXTURES@/streaming/tower.json --at 0,0,0 --name Keep
| partition 3: Keep, 2 cells
cells -P Keep -c name,partition
| name                partition
| Tower_Flat_0_0_0_0  Keep
| Tower_Deep_0_0_0_3  Keep
source move Player0 0,0,0
step 30
partition register Keep off
step 1
sql SELECT DISTINCT event, reason FROM events WHERE partition = 'Keep' AND frame >= frame() - 1
| event         reason
| world.change  -
| cell.drop     not_registered
| cell.hide     -
| cell.hidden   -
| cell.unload   -
| cell.remove   -
sql SELECT name, state FROM partitions
| name    state
| Estate  registered
| West    registered
| East    waiting
| Keep    unregistered
# A new run has those of the file alone.
role standalone
| standalone: a new run at frame 0
assert (SELECT count(*) FROM partitions) = 3
# The next state is that of the layer there, not of the main partition's.
source add Player0 1000,0,0
step 3 > /dev/null
layer cycle 1 -P West
| Night: loaded (set)
layer cycle 1 -P West
| Night: activated (set)
layer cycle 1
| Day: unloaded (set)
# The partition inside is there before the first frame.
open @FIXTURES@/scripts/questions.json
why-not actor Mast ~ wanted
|   wanted    unloaded, by rule 2.1 not_registered: its world partition is not registered
why cell Ship_MainGrid_0_0_0_0 ~ Ship
| Ship_MainGrid_0_0_0_0  unloaded

# What was listed of one world partition names nothing of another, and is forgotten with it.
close
open @FIXTURES@/streaming/estate.json
cells -P West -n 1 -c name
| name
| House_Rooms_0_0_0_0
explain Gate ~ 1.6.5
|   = 1.6.5   Estate_MainGrid_0_0_0_0_d42C605D3
explain 1 ~ cluster
| 1 actor in 1 cluster, the largest first
cell-of Gate -c label,cell
| Estate_MainGrid_0_0_0_0_d42C605D3
| label  cell
| Gate   Estate_MainGrid_0_0_0_0_d42C605D3
why Gate > /dev/null
why 1 ~ Gate
| Gate is in Estate_MainGrid_0_0_0_0_d42C605D3
actors -P East -c label
| label
| Bed
| Lamp
cell-of Gate -c label,cell
| Estate_MainGrid_0_0_0_0_d42C605D3
| label  cell
| Gate   Estate_MainGrid_0_0_0_0_d42C605D3
actors -P East -c label
| label
| Bed
| Lamp
explain 2 ~ guid
| Lamp  StaticMeshActor  guid 00000000000000000000000000000012
explain 1 ~ guid
| Bed  StaticMeshActor  guid 00000000000000000000000000000011
layers -P West -c label
| label
| Night
why-always Gate -n 2 -c number,input
|...
why-always Gate ~ 1.6.5
|   = 1.6.5   Estate_MainGrid_0_0_0_0_d42C605D3
why-not Gate ~ there
| it is not there because: no frame has run since it could be wanted (rule 2.3)
grids -P West -c name
| name
| Rooms
| PersistentLevel
explain Gate ~ 1.6.5
|   = 1.6.5   Estate_MainGrid_0_0_0_0_d42C605D3
partition add @FIXTURES@/streaming/tower.json --at 0,0,0 --name Keep
cells -P Keep -n 1 -c name
| name
| Tower_Flat_0_0_0_0
cd 1
# the current place is in Keep, whose row has another cell in the first partition
explain
| Tower_Flat_0_0_0_0  Flat
| level 0, cells of 12800 x 12800; its actors cover 2000 x 1000
| 1 actor in 1 cluster, the largest first
| largest  actors  extent  reaches_out  asks_for
| Tower         1    2000            0         0
why
| Tower_Flat_0_0_0_0  unloaded
|   wanted    unloaded, by rule 2.3 not_run: no frame has run since it could be wanted
|   layers    allow activated
|   source    not measured before a frame has decided
|   try       step
role standalone
expect error E_NOCELL: explain 1
expect error E_USAGE: explain .
# a first question about a level instance begins the run of the world, not one of that instance
open @FIXTURES@/streaming/estate.json
| Estate: 3 cells, 3 actors, 2 standalone level instances, profile 5.4
why cell -P East House_Rooms_0_0_0_0 ~ House
| House_Rooms_0_0_0_0  unloaded
partitions -c name,state,location
| name    state       location
| Estate  registered  0,0,0
| West    waiting     1000,0,0
| East    waiting     60000,0,0
# equal coordinates in two partitions are two places, and an equal name two cells
layer-cost
| layers  cells  actors  splits
| Day         1       1       1
| Night       2       2       0
layer-cost --json ~ layers
| {"schema":"cellscope.layer_cost/1","rows":[
| {"layers":["Day"],"cells":1,"actors":1,"splits":1},
| {"layers":["Night"],"cells":2,"actors":2,"splits":0}
| ]}
source add Player0 1000,0,0
step 60 ~ changes
| 3 changes  loading 0  waiting 0  activated 3  resident 0.2 MiB  hash f5f99817
path report --by class -c class,actors
| class                           actors
| /Script/Engine.StaticMeshActor       2
| /Script/Engine.LevelInstance         1
why cell -P East House_Rooms_0_0_0_0 ~ House
| House_Rooms_0_0_0_0  unloaded
# only the main one has a source that can be cooked with a change
expect error E_USAGE: whatif -P East MainGrid.cell_size=6400
expect error E_USAGE: sweep -P West MainGrid.cell_size=3200..6400
expect error E_USAGE: remove -P East Bed
# on the screen the object under the cursor is that of its partition, whatever has its name elsewhere
view size 60x12
view cells
press G
pwd
| House_Rooms_1_0_0_0_d7C76FAE7
cell -c name,partition
| name       House_Rooms_1_0_0_0_d7C76FAE7
| partition  East
# and its partition is seen where not all columns fit
view show ~ short_name
|  short_name  partition  state      actors  layers  level
press k k k Enter
view show ~ /Cell|now/
|  Cell House_Rooms_0_0_0_0 -P West    map > cells >
|           frames 1..60, a column = 2 frames; now activated
press a
view show ~ Actors
|  Actors  1 of 1, cell = 'House_Rooms_0_0_0_0' AND partition~
press e
view show ~ "Explain actor"
|  Explain actor Bed -P West  1 of 9
view layers
press j j x
layers -c name,target,partition
| name   target     partition
| Day    activated  Estate
| Night  unloaded   West
| Night  loaded     East
# a breakpoint that is toggled is about the cell of one partition
toggle cell -P East House_Rooms_0_0_0_0
| breakpoint 1: cell.load if cell = 'House_Rooms_0_0_0_0' AND partition = 'East'
toggle cell -P West House_Rooms_0_0_0_0
| breakpoint 2: cell.load if cell = 'House_Rooms_0_0_0_0' AND partition = 'West'
toggle cell -P East House_Rooms_0_0_0_0
| breakpoint 1 is gone
# lists of a run say of which partition their cells are, and -P keeps those of one
open @FIXTURES@/streaming/estate.json
|...
partition add @FIXTURES@/streaming/estate.json --at 1000,0,0 --name Twin
|...
source add Player0 1000,0,0
step > /dev/null
queue -c rank,cell,partition
| rank  cell                               partition
|    1  Estate_MainGrid_0_0_0_0_d42C605D3  Twin
|    2  Estate_MainGrid_0_0_0_0            Estate
|    3  Estate_MainGrid_0_0_0_0            Twin
|    4  Estate_MainGrid_0_0_0_0_d42C605D3  Estate
queue -P Twin -c rank,cell
| rank  cell
|    1  Estate_MainGrid_0_0_0_0_d42C605D3
|    3  Estate_MainGrid_0_0_0_0
order -n 1
| list      rank  cell         source  level  prio  spatial  decided_by  partition
| activate     1  ..d42C605D3     128      0     0        0  -           Twin
# what is advised can be typed as it stands
step 30 > /dev/null
why cell -P West House_Rooms_1_0_0_0_d7C76FAE7 ~ try
|   try       why Night -P West
why Night -P West ~ unloaded:
| Night  unloaded: it was not activated (rule 2.8)

# A view counts the rows that it lists, of all world partitions, and a tree joins no two of them.
open @FIXTURES@/streaming/estate.json
| Estate: 3 cells, 3 actors, 2 standalone level instances, profile 5.4
why Night -P East ~ try
|   try       layer-impact Night activated -P East
|   try       cells -w "'Night' IN (SELECT value FROM json_each(layers))" -P East
partition add @FIXTURES@/scripts/questions.json --name Port --at 0,0,0
| partition 3: Port, 18 cells
partition add @FIXTURES@/scripts/questions.json --name Dock --at 100,0,0
| partition 4: Dock, 18 cells
view size 80x24
view layers
view show ~ "/ (Base|Night|Winter) /"
|    Night       West       runtime  unloaded   unloaded   unloaded   none
|    Night       East       runtime  unloaded   unloaded   unloaded   none
|  - Base        Port       runtime  activated  activated  activated  none
|  `-   Night    Port       runtime  unloaded   unloaded   unloaded   none
|    Winter      Port       runtime  unloaded   unloaded   unloaded   none
|  - Base        Dock       runtime  activated  activated  activated  none
|  `-   Night    Dock       runtime  unloaded   unloaded   unloaded   none
|    Winter      Dock       runtime  unloaded   unloaded   unloaded   none
view start
view show ~ "/findings|errors|always/"
|  Estate  frame 0 0.000s  paused  loading 0/4  0.0 MiB  12 findings
|  errors          4 findings of the cook
|  findings        12 in all
|  always loaded   10 actors
view findings
view show ~ Findings
|  Findings  1 of 12  map > layers > start >
view actors always IS NOT NULL
view show ~ Actors
|  Actors  1 of 10, always IS NOT NULL  ... > layers > start > findings >

# An error in the world of a standalone level instance is an error of the check, too, and a
# difference there is a difference.
open @FIXTURES@/streaming/estate.json
| Estate: 3 cells, 3 actors, 2 standalone level instances, profile 5.4
check
| no findings
edit '{"guid": "00000000000000000000000000000012", "container": "/Game/Levels/House", "references": ["00000000000000000000000000000011"], "spatially_loaded": false}' -c partition,change,what,right
| partition     what                              right
| West       -  House_Rooms_0_0_0_0               -
| West       -  House_Rooms_1_0_0_0_d7C76FAE7     -
| West       +  House_PersistentLevel_Persistent  -
| West       ~  Bed                               House_PersistentLevel_Persistent
| West       ~  Lamp                              House_PersistentLevel_Persistent
| West       +  WorldPartition_StreamedActorRe..  -
| West       +  WorldPartition_ActorInvalidRef..  -
check -P 0
| no findings
expect error E_USAGE: check -P 0 -c nope
check -w "severity = 'error'" -c severity,check,actor
| severity  check                                                   actor
| error     WorldPartition_StreamedActorReferenceAlwaysLoadedActor  Lamp
| error     WorldPartition_ActorInvalidReferenceDataLayers          Lamp
| error     WorldPartition_StreamedActorReferenceAlwaysLoadedActor  Lamp
| error     WorldPartition_ActorInvalidReferenceDataLayers          Lamp
diff actor.Bed.spatially_loaded=off -c partition,change,what
| partition     what
| West       ~  Bed
| West       -  WorldPartition_StreamedActorReferenceAlwaysLoadedActor Lamp -> Bed
| differs by rule: 4 cells, 5 actors compared; 2 differences by rule, 0 unexplained
diff actor.Bed.spatially_loaded=on
| same: 4 cells, 5 actors compared

# A standalone level is compared once, wherever its instances are listed; and where an instance has
# another level on the right side, that level, too.
open @FIXTURES@/streaming/hamlet.json
| Hamlet: 4 cells, 4 actors, 4 standalone level instances, profile 5.4
diff actor.Bed.spatially_loaded=off -c partition,change,what
| partition     what
| West       -  House_Rooms_0_0_0_0
| West       +  House_PersistentLevel_Persistent
| West       ~  Bed
| differs by rule: 6 cells, 6 actors compared; 3 differences by rule, 0 unexplained
diff actor.Bed.spatially_loaded=off --stat -c kind,new,gone,moved -w new+gone+moved
| kind   new  gone  moved
| cell     1     1      0
| actor    0     0      1
| differs by rule: 6 cells, 6 actors compared; 3 differences by rule, 0 unexplained
diff actor.Bed.spatially_loaded=off --review ~ /^in|^cells|^no|^actors/
| in the standalone level of West:
| actors in another cell: 1
| cells that appeared: 1
| cells that vanished: 1
edit '{"guid":"00000000000000000000000000000004","level_instance":{"level":"/Game/Levels/Barn","behavior":"standalone"}}' -c partition,change,kind,what -w "kind = 'actor'"
| partition     kind   what
| Far        -  actor  Bed
| Far        +  actor  Hay
# An always loaded cell has no level, but it is visible, and with it the partitions that it contains.
open @FIXTURES@/streaming/hamlet.json
|...
edit '{"guid":"00000000000000000000000000000001","spatially_loaded":false}'
|...
source add P0 60000,0,0
step 60 ~ /^frame/
|~ ^frame 60
partitions -c name,owner,state
| name    owner                              state
| Hamlet  -                                  registered
| West    Hamlet_PersistentLevel_Persistent  registered
| Middle  Hamlet_MainGrid_1_0_0_0            waiting
| East    Hamlet_MainGrid_3_0_0_0            registered
| Far     Hamlet_MainGrid_5_0_0_0            registered
# A breakpoint in one world partition: its condition must be whole by itself.
open @FIXTURES@/streaming/estate.json
break cell.load -P West if bytes > 0
expect error E_SQL: break cell.load -P East if 1) OR (1
info breakpoints -c id,event,expression
| id  event      expression
|  1  cell.load  partition = 'West' AND (bytes > 0)
