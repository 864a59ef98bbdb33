# SPDX-License-Identifier: GPL-3.0-or-later
# Places by any name: actors as places, rows of the last listing, marks; and short ways to ask.
open @FIXTURES@/valley.json
cells -n 3 -c name
# A number is a row of the last listing.
cell 2 -c name
| name  Valley_MainGrid_-1_0_0_0
explain 2 ~ MainGrid
| Valley_MainGrid_-1_0_0_0  MainGrid
actors -n 3 -c label
| label
| SM_Post
| Lamp_04
| BP_Manager
explain 3 ~ spatially
|   2 1.2     spatially loaded            no
why 1 ~ "is in"
| SM_Post is in Valley_MainGrid_2_1_0_0
expect error E_USAGE: cell 3
layers -c label
why-layer 2 ~ DL
| DL_Quest  loaded: it was not activated (rule 2.8)
|   try       layer-impact DL_Quest activated
|   try       cells -w "'DL_Quest' IN (SELECT value FROM json_each(layers))"
# why finds out what it is told: a data layer, a row of listed layers.
why DL_Quest ~ DL_Quest
| DL_Quest  loaded: it was not activated (rule 2.8)
|   try       layer-impact DL_Quest activated
|   try       cells -w "'DL_Quest' IN (SELECT value FROM json_each(layers))"
why 2 ~ DL_
| DL_Quest  loaded: it was not activated (rule 2.8)
|   try       layer-impact DL_Quest activated
|   try       cells -w "'DL_Quest' IN (SELECT value FROM json_each(layers))"
expect error E_USAGE: explain DL_Quest
expect error E_NOCELL: why Nobody
# An actor is a place wherever a place is named.
why actor Rock_1187
| Rock_1187 is in Valley_MainGrid_5_1_0_0
| MainGrid_5_1_0_0  unloaded
|   wanted    unloaded, by rule 2.3 not_run: no frame has run since it could be wanted
|   layers    allow activated
|   source    not measured before a frame has decided
|   try       step
why Rock_1187 ~ "is in"
| Rock_1187 is in Valley_MainGrid_5_1_0_0
why-not actor House_1
| House_1  LevelInstance  guid 00000000000000000000000000000011
|   1 1.3     placement                   a level instance: the actors of its level stream in its place
|                                          -> in no cell
cell actor Rock_1187 -c name
| name  Valley_MainGrid_5_1_0_0
expect error E_NOCELL: cell actor House_1
cd actor Rock_1187
| actor Rock_1187
ls
| actor  to  to_guid  state
ls L0:5,1
| label      class                           cell
| Rock_1062  /Script/Engine.StaticMeshActor  Valley_MainGrid_5_1_0_0
| Rock_1187  /Script/Engine.StaticMeshActor  Valley_MainGrid_5_1_0_0
actors @ actor Rock_1187 -c label
| label
| Rock_1187
# Marks.
mark here
mark gate L0:5,1
mark
| mark  place
| here  actor Rock_1187
| gate  Valley_MainGrid_5_1_0_0
jump gate
| Valley_MainGrid_5_1_0_0
back
| actor Rock_1187
expect error E_MISSING: jump gat
# What is completed: columns, tables, subcommands.
complete "cells -c name,lev"
| name,level
complete "cells -s -lev"
| -level
complete cells -w prio
| priority
complete "sql SELECT count(*) FROM find"
complete "why-not a"
| actor
complete 'layer set DL_Night '
| unloaded
| loaded
| activated
complete "view search n"
# Behind SQL as behind a name, --json is an option; a text keeps it.
until 1 --csv
| cell,from,to,reason,number,spatial,bytes,partition
| Valley_PersistentLevel_Persistent,unloaded,activated,always_loaded,1.6.6,,114688,Valley
watch 1 + 1 --json
| {"schema":"cellscope.text/1","rows":[
| {"text":"watch 1: 1 + 1 = 2"}
| ]}
delete 1
alias one = grids -n 1 -c name --csv
one
| name
| MainGrid
goto 0
|...
# Which cell holds it, and what else; which comes first; what layers cost.
cell-of Rock_1187 -c label
| Valley_MainGrid_5_1_0_0
| label
| Rock_1062
| Rock_1187
compare L0:5,1 L0:0,0
| MainGrid_0_0_0_0 comes before MainGrid_5_1_0_0, by name (rule 2.4)
layer-cost
| layers    cells  actors  splits
| DL_Night      1       3       1
| DL_Quest      1       1       1
layer-cost -c ?
| column  doc
| layers  combination of data layers
| cells   number of cells with exactly these layers
| actors  number of actors in these cells
| splits  number of these cells that share their grid coordinates with other cells
# Short ways.
info b
| id  kind  event  expression  enabled  hits  ignore
SELECT count(*) AS n FROM cells
|  n
| 44
p 1 + 1
| 2
p cells[0].name
| Valley_MainGrid_-1_-1_0_0
expect error E_UNKNOWN: undo
apropos cell always
| explain actor        list every rule that led an actor to its cell
| why-always           explain why an actor is always loaded, or why not
| worse                compare two worlds and list what got worse; exit status 1 if a budget is broken
| whatif               cook with changed settings, actors or references, and count what changes
| partition add        add a world to the open one, as a level instance with its own world partition
| apropos              list the commands, topics and options whose help contains some words
| report               write a report on the world and its run as one HTML page
| export               write all tables to an SQLite database
| expressions          SQL, as -w, assert, break, watch, set and sql take it
# A source beside an actor; -n, -w, -s and -c choose rows of what a step tells.
source add Eve actor Rock_1187
sources -c name,location
| name  location
| Eve   65250,14250,450
step 5 -n 2
| frame 5  t 0.083  Eve (65250,14250,450) v (0,0,0)
| cell                     from      to         reason     spatial
| Valley_MainGrid_5_1_0_0  unloaded  activated  in_range         0
| Valley_MainGrid_6_0_0_0  unloaded  activated  in_range  0.007561
| 5 changes  loading 0  waiting 16  activated 5  resident 0.4 MiB  hash d06b2932
step 5 -s -cell -c cell,to -w "reason = 'in_range'"
| frame 10  t 0.167  Eve (65250,14250,450) v (0,0,0)
| cell                      to
| Valley_MainGrid_6_-1_0_0  activated
| Valley_MainGrid_5_0_0_0   activated
| Valley_MainGrid_4_1_0_0   activated
| Valley_MainGrid_4_0_0_0   activated
| 4 changes  loading 0  waiting 12  activated 9  resident 0.8 MiB  hash 32483f06
diff frame 5 -n 1
| frame 10  t 0.167  Eve (65250,14250,450) v (0,0,0)
| cell                     from     to         reason    spatial
| Valley_MainGrid_4_0_0_0  waiting  activated  in_range  0.07741
| 4 changes  loading 0  waiting 12  activated 9  resident 0.8 MiB  hash 32483f06
step 200 ~ frame
# What it has cost: frames, cells, the cells of a frame.
hitches -n 3
| frame    ms  stall   bytes  loads  shows  waiting  cell
|    10  0.45      0  409600      0      4       12  MainGrid_4_0_0_0
|    25   0.3      0  376832      0      3        0  MainGrid_2_1_0_0
|     5  0.25      0  344064      0      4       16  MainGrid_4_0_0_0
| dearest: MainGrid_4_0_0_0 waited for its turn; to avoid that, load 20 cells at once: wp.Runtime.MaxLoadingStreamingCells
hitches --cells -n 3
|   ms   bytes  wait  loading  cell                    actors  why
|  0.3  163840     5        4  MainGrid_4_0_0_0             6  waited for its turn
|  0.2  131072    20        4  MainGrid_2_1_0_0             4  waited for its turn
| 0.15  114688     0        0  ..tentLevel_Persistent       3  cheap
| dearest: MainGrid_4_0_0_0 waited for its turn; to avoid that, load 20 cells at once: wp.Runtime.MaxLoadingStreamingCells
hitches --cells -w "wait > 0" -s -wait -n 2 -c cell,wait,wanted,load
| cell              wait  wanted  load
| MainGrid_2_1_0_0    20       1    21
| MainGrid_2_0_0_0    20       1    21
hitches 10 -n 2
| frame 10  show 0.5 ms of 5  stall 0.0 ms  waiting 12  loading 0  good (rule 2.5)
|  ms   bytes  wait  loading  cell              actors  why
| 0.3  163840     5        4  MainGrid_4_0_0_0       6  waited for its turn
| 0.2  131072    20        4  MainGrid_2_1_0_0       4  waited for its turn
| dearest: MainGrid_4_0_0_0 waited for its turn; to avoid that, load 20 cells at once: wp.Runtime.MaxLoadingStreamingCells
expect error E_NOFRAME: hitches 99999
legend state -n 3
| overlay  letter  meaning
| state    x       layer off
| state    .       unloaded
| state    ,       still around
# Two instances of one level have actors of one GUID: each is named by its own.
open @FIXTURES@/scripts/questions.json
expect error E_AMBIGUOUS: actor 00000000000000000000000000000016
# Nor is a stop put at the cell of whichever comes first.
expect error E_AMBIGUOUS: toggle actor 00000000000000000000000000000016
actors -w "guid = '00000000000000000000000000000016'" -c label,container,instance_guid
| label  container                         instance_guid
| Roof   00000000000000000000000000000014  6670A65D6784692B29E8CAE179F2133A
| Roof   00000000000000000000000000000015  9280828B70CAB4EC50D0EA271C1AEB6C
why-always 9280828B70CAB4EC50D0EA271C1AEB6C
| House_2/Roof  StaticMeshActor  guid 00000000000000000000000000000016
|   1 1.2     streaming of the world      enabled
|   2 1.2     spatially loaded            yes
|   3 1.3.1   level instances around      House_2 is not      -> nothing inside is
|   4 1.6.6   so it can stream            no                        -> not spatial
|   5 1.5     bounds of the set           longest extent 1500 cm
|   6 1.6.6   data layers                 0
|   = 1.6.5   Harbour_PersistentLevel_Persistent, always loaded: parent or level instance
# Two numbers are frames of the run.
step 3 -n 1
| frame 3  t 0.050
| cell                                from      to         reason         spatial
| Harbour_PersistentLevel_Persistent  unloaded  activated  always_loaded        -
| 1 change  loading 0  waiting 0  activated 1  resident 0.1 MiB  hash 079e852c
diff 1 3 -w "\"from\" = 'nothing'"
| frame 3  t 0.050
| cell  from  to  reason  spatial
| 0 changes  loading 0  waiting 0  activated 1  resident 0.1 MiB  hash 079e852c
expect error E_USAGE: diff 1 3 -c 'cell > @OUT@/written'
diff 1 3 -n 1
| frame 3  t 0.050
| cell  from  to  reason  spatial
| 0 changes  loading 0  waiting 0  activated 1  resident 0.1 MiB  hash 079e852c
diff 2 -n 1
| frame 3  t 0.050
| cell  from  to  reason  spatial
| 0 changes  loading 0  waiting 0  activated 1  resident 0.1 MiB  hash 079e852c
help Maps
| Maps
|   map                  draw the cells of a grid as letters, from above
|   legend               explain the letters and marks of the map
|   plot                 draw a column of `frames`, or an expression over its
|                        columns, frame by frame
help Farms ~ plan
|   farm plan            write a plan of steps that build, cook and verify a
|   farm run             run the steps of a plan whose results are not in the
|   farm step            run one step of a plan, as build tools such as ninja do
|   farm status          list the steps of a plan with the state of each, on
|   farm report          sum up how far a plan has run: results, failures, slowest
|   farm simulate        predict how long a plan takes on a number of machines

# help says once what an argument is whose kind is known
help compare
|...
| usage: compare CELL CELL
|   CELL                   a cell, by name, coordinates or point (help where)
|*   -P, --partition*
|...
# The first line of the screen moves the place to the object under its cursor, as each later one does.
open @FIXTURES@/valley.json
|...
view cells
pwd
| Valley_MainGrid_-1_-1_0_0

# A command that no place changes refuses one instead of printing all rows as if they were there.
expect error E_USAGE: references @ actor Rock_1
